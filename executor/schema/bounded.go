package schema

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Limits for the steps of a validation: on average for each part of the value, and the number that
// every value may use.
const (
	stepsEach = 20
	stepsAny  = 250_000
)

// Limits for values that are nested more deeply than people write. For each fault the library keeps
// the path to it, and it finds many faults in such a value, so these values may use fewer steps.
const (
	deep      = 64
	stepsDeep = 5_000_000 // divided by the levels
)

// errTooLong is the error of a schema whose references multiply.
var errTooLong = errors.New("its parts refer to each other so often that holding a value to it takes too long")

// boundedSchema is a compiled schema that counts the steps of each validation.
type boundedSchema struct {
	schema *jsonschema.Schema

	mu    sync.Mutex
	steps int           // the steps that are left
	time  time.Duration // the time that is left for patterns
}

// stepsExceeded is the panic that ends a validation from inside the library.
type stepsExceeded struct{ why error }

// compile compiles the schema and makes each part of it count the steps.
func (b *boundedSchema) compile(c *jsonschema.Compiler) (err error) {
	c.UseRegexpEngine(patterns(&b.time))
	if b.schema, err = c.Compile(base); err != nil {
		return err
	}
	b.count(reflect.ValueOf(b.schema), map[any]bool{})
	return nil
}

var schemaType = reflect.TypeFor[*jsonschema.Schema]()

// count hooks every schema that a value contains, wherever the library stores it.
func (b *boundedSchema) count(v reflect.Value, seen map[any]bool) {
	switch v.Kind() {
	case reflect.Interface:
		b.count(v.Elem(), seen)
	case reflect.Slice:
		for i := range v.Len() {
			b.count(v.Index(i), seen)
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			b.count(entries.Value(), seen)
		}
	case reflect.Pointer:
		if v.IsNil() || v.Elem().Kind() != reflect.Struct || seen[v.Interface()] {
			return
		}
		seen[v.Interface()] = true
		if v.Type() == schemaType {
			b.hook(v.Interface().(*jsonschema.Schema))
		}
		for i := range v.Elem().NumField() {
			if v.Elem().Type().Field(i).IsExported() {
				b.count(v.Elem().Field(i), seen)
			}
		}
	}
}

// hook makes a schema count a step before the library checks its format. That is before the library
// checks anything that the schema refers to.
func (b *boundedSchema) hook(s *jsonschema.Schema) {
	own := s.Format
	counting := &jsonschema.Format{Validate: func(v any) error {
		if b.steps -= 1 + width(v); b.steps < 0 {
			panic(stepsExceeded{errTooLong})
		}
		if own == nil {
			return nil
		}
		return own.Validate(v)
	}}
	if own != nil {
		counting.Name = own.Name
	}
	s.Format = counting
}

// width returns the number of direct parts of a value.
func width(v any) int {
	switch v := v.(type) {
	case map[string]any:
		return len(v)
	case []any:
		return len(v)
	}
	return 0
}

// measure returns the number of all parts of a value, itself included, and the levels of nesting.
func measure(v any) (parts, levels int) {
	parts = 1
	add := func(part any) {
		n, below := measure(part)
		parts, levels = parts+n, max(levels, below+1)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, part := range v {
			add(part)
		}
	case []any:
		for _, part := range v {
			add(part)
		}
	}
	return parts, levels
}

func (b *boundedSchema) validate(value any) (err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	parts, levels := measure(value)
	b.steps, b.time = stepsAny+stepsEach*parts, patternsAll
	if levels > deep {
		b.steps = min(b.steps, stepsDeep/levels)
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stepsExceeded:
			if err = r.why; levels > deep {
				err = &Fault{What: fmt.Sprintf("it is nested too deeply to be checked, in %d levels", levels)}
			}
		default:
			panic(r)
		}
	}()
	err = b.schema.Validate(value)
	if invalid, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		return b.fault(invalid)
	}
	return err
}

// fault returns where a value does not match, or an error about the schema if its references never
// end.
func (b *boundedSchema) fault(e *jsonschema.ValidationError) error {
	deepest := e
	for len(deepest.Causes) > 0 {
		deepest = deepest.Causes[0]
	}
	if _, endless := deepest.ErrorKind.(*kind.RefCycle); endless {
		return errors.New("a $ref leads back to itself without end")
	}
	return fault(e)
}
