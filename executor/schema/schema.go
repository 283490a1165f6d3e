// Package schema validates values against JSON Schemas.
//
// It promises that a schema is self-contained: a $ref to a file or a URL is never read;
// and that validation is bounded in time, even if the schema refers to itself or its
// patterns are slow. A schema is of the draft that its $schema names, else of 2020-12;
// patterns are those of ECMAScript.
package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Cache compiles schemas and keeps the compiled ones. It is safe for concurrent use.
type Cache struct {
	once  sync.Once
	ready *lru.Cache[string, *boundedSchema] // by their text
}

// size bounds how many are kept ready.
const size = 64

// Fault is a place where a value does not match a schema, and why.
type Fault struct {
	Path    []string // from the value's root
	What    string
	Missing []string // what an object lacks, where nothing else is wrong with it
}

func (f *Fault) Error() string { return f.In("") + ": " + f.What }

// In is where the value is, in what is called root: item.sku, items[2].qty.
func (f *Fault) In(root string) string { return join(root, f.Path) }

// join takes a number for the place of an element: a path does not tell it from a name.
func join(root string, path []string) string {
	for _, step := range path {
		switch {
		case strings.Trim(step, "0123456789") == "":
			root += "[" + step + "]"
		case root == "":
			root = step
		default:
			root += "." + step
		}
	}
	return root
}

// Validate holds a JSON tree, with json.Number for numbers, to a schema. The error
// is a [*Fault] where it does not fit; any other says what is wrong with the schema.
func (c *Cache) Validate(text string, value any) error {
	s, err := c.compile(text)
	if err != nil {
		return err
	}
	return s.validate(value)
}

func (c *Cache) compile(text string) (*boundedSchema, error) {
	c.once.Do(func() { c.ready, _ = lru.New[string, *boundedSchema](size) }) // fails for a size below one alone
	if s, ok := c.ready.Get(text); ok {
		return s, nil
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil, errors.New("it is no JSON")
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(jsonschema.SchemeURLLoader{}) // knows no scheme
	if err := compiler.AddResource(base, document); err != nil {
		return nil, invalidSchemaError(document, err)
	}
	ready := new(boundedSchema)
	if err := ready.compile(compiler); err != nil {
		return nil, invalidSchemaError(document, err)
	}
	c.ready.Add(text, ready)
	return ready, nil
}

// base is what a schema is called, so that what it refers to has a name.
const base = "schema:///"

// invalidSchemaError says in a reader's words why a schema is none.
func invalidSchemaError(document any, err error) error {
	load, outside := errors.AsType[*jsonschema.LoadURLError](err)
	draft, unknown := errors.AsType[*jsonschema.UnsupportedDraftError](err)
	invalid, wrong := errors.AsType[*jsonschema.SchemaValidationError](err)
	named, _ := document.(map[string]any)
	switch {
	case unknown:
		return noDraft(draft.URL)
	case outside && named["$schema"] == load.URL:
		return noDraft(load.URL)
	case outside:
		return fmt.Errorf("a $ref leads to %s, another document, which is never read; write what it says into $defs", strings.TrimPrefix(load.URL, base))
	case wrong:
		return fmt.Errorf("it is no JSON Schema: %s", describeSchemaFault(invalid.Err))
	}
	return errors.New(strings.ReplaceAll(err.Error(), base, ""))
}

// describeSchemaFault is the first of what is wrong with a schema.
func describeSchemaFault(err error) string {
	if invalid, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		return strings.TrimPrefix(first(invalid).Error(), ": ")
	}
	return err.Error()
}

func noDraft(url string) error {
	return fmt.Errorf("$schema names %s; known are the drafts 2020-12, 2019-09, 07, 06 and 04", url)
}

// first is the first of the deepest faults.
func first(e *jsonschema.ValidationError) *Fault {
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	f := &Fault{Path: e.InstanceLocation, What: describeFault(e.ErrorKind)}
	if lacks, ok := e.ErrorKind.(*kind.Required); ok {
		f.Missing = lacks.Missing
	}
	return f
}

// fault is likewise, but a value that fits none of several schemas has one in each of
// them, and what is wrong with a part comes before what is missing.
func fault(e *jsonschema.ValidationError) *Fault {
	for len(e.Causes) == 1 || len(e.Causes) > 1 && !isChoice(e) {
		e = slices.MinFunc(e.Causes, func(a, b *jsonschema.ValidationError) int { return rank(e, a) - rank(e, b) })
	}
	if len(e.Causes) == 0 {
		return first(e)
	}
	return &Fault{Path: e.InstanceLocation, What: "it fits none of its schemas: " + inEach(e)}
}

// rank is the less the more a cause says: a part that is wrong, one that is missing, and
// what is wrong with the whole, which may follow from these.
func rank(whole, cause *jsonschema.ValidationError) int {
	_, lacks := cause.ErrorKind.(*kind.Required)
	switch {
	case len(cause.InstanceLocation) > len(whole.InstanceLocation):
		return 0
	case lacks:
		return 1
	case isChoice(cause):
		return 2
	}
	least := 2
	for _, one := range cause.Causes { // of schemas that all hold
		least = min(least, rank(whole, one))
	}
	return least
}

func describeFault(k jsonschema.ErrorKind) string {
	if one, ok := k.(*kind.OneOf); ok && len(one.Subschemas) > 1 {
		return fmt.Sprintf("it fits more than one schema of oneOf, those at %d and %d", one.Subschemas[0], one.Subschemas[1])
	}
	return k.LocalizedString(message.NewPrinter(language.English))
}

func isChoice(e *jsonschema.ValidationError) bool {
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		return true
	}
	return false
}

// maxChoices is how many schemas of a choice are told of.
const maxChoices = 5

// inEach is what is wrong with a value by each schema of a choice.
func inEach(e *jsonschema.ValidationError) string {
	var all []string
	for _, cause := range e.Causes {
		f := first(cause)
		what := f.What
		if inner := f.Path[len(e.InstanceLocation):]; len(inner) > 0 {
			what = join("", inner) + ": " + what
		}
		if !slices.Contains(all, what) {
			all = append(all, what)
		}
	}
	if len(all) > maxChoices {
		all = append(all[:maxChoices], "…")
	}
	return strings.Join(all, "; or ")
}
