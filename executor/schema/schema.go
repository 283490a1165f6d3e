// Package schema holds values to JSON Schemas.
//
// It promises that a schema stands alone: what a $ref names outside of it is never
// read, neither a file nor a URL.
package schema

import (
	"errors"
	"strings"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Cache keeps schemas ready. It is safe for concurrent use.
type Cache struct {
	once  sync.Once
	ready *lru.Cache[string, *jsonschema.Schema] // by their text
}

// size bounds how many are kept ready.
const size = 64

// Fault is where a value is not as a schema has it, and how.
type Fault struct {
	Path []string // from the value's root
	What string
}

func (f *Fault) Error() string { return strings.Join(f.Path, ".") + ": " + f.What }

// Validate holds a JSON tree, with json.Number for numbers, to a schema. The error
// is a [*Fault] where it does not fit; any other says what is wrong with the schema.
func (c *Cache) Validate(text string, value any) error {
	s, err := c.compile(text)
	if err != nil {
		return err
	}
	err = s.Validate(value)
	if invalid, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		return fault(invalid)
	}
	return err
}

func (c *Cache) compile(text string) (*jsonschema.Schema, error) {
	c.once.Do(func() { c.ready, _ = lru.New[string, *jsonschema.Schema](size) }) // fails for a size below one alone
	if s, ok := c.ready.Get(text); ok {
		return s, nil
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil, errors.New("it is no JSON")
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(jsonschema.SchemeURLLoader{}) // knows no scheme
	const name = "schema"
	if err := compiler.AddResource(name, document); err != nil {
		return nil, err
	}
	s, err := compiler.Compile(name)
	if err == nil {
		c.ready.Add(text, s)
	}
	return s, err
}

// fault is the first of the deepest faults.
func fault(e *jsonschema.ValidationError) *Fault {
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	return &Fault{e.InstanceLocation, e.ErrorKind.LocalizedString(message.NewPrinter(language.English))}
}
