// Package schema validates values against JSON Schemas.
//
// A schema must be self-contained: a $ref to a file or a URL is never read. Validation is bounded
// in time, even if the schema refers to itself or its patterns are slow. The draft is the one that
// $schema names, else 2020-12. Patterns are those of ECMAScript.
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

// Cache compiles schemas and caches them. It is safe for concurrent use. The zero value is ready.
type Cache struct {
	once  sync.Once
	ready *lru.Cache[string, *boundedSchema] // by the schema's text
}

// size bounds the number of cached schemas.
const size = 64

// Fault is a place where a value does not match a schema, and why.
type Fault struct {
	Path    []string // from the value's root
	What    string
	Missing []string // the missing members of an object, if nothing else is wrong with it
}

func (f *Fault) Error() string { return f.In("") + ": " + f.What }

// In returns the path of the value that does not match. The path begins with root: item.sku,
// items[2].qty.
func (f *Fault) In(root string) string { return join(root, f.Path) }

// join adds a path to root. It writes a number as the index of a list, since a path does not tell
// indexes from names.
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

// Validate validates value, decoded JSON with json.Number for numbers, against the schema in text.
// If value does not match, the error is a [*Fault]. Any other error says what is wrong with the
// schema.
func (c *Cache) Validate(text string, value any) error {
	s, err := c.compile(text)
	if err != nil {
		return err
	}
	return s.validate(value)
}

func (c *Cache) compile(text string) (*boundedSchema, error) {
	c.once.Do(func() { c.ready, _ = lru.New[string, *boundedSchema](size) }) // fails only for a size below 1
	if s, ok := c.ready.Get(text); ok {
		return s, nil
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil, errors.New("it is no JSON")
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(jsonschema.SchemeURLLoader{}) // without any scheme, it loads nothing
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

// base is the URL of a schema, against which its references resolve.
const base = "schema:///"

// invalidSchemaError returns a readable error for an invalid schema.
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

// describeSchemaFault describes the first fault of an invalid schema.
func describeSchemaFault(err error) string {
	if invalid, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		return strings.TrimPrefix(first(invalid).Error(), ": ")
	}
	return err.Error()
}

func noDraft(url string) error {
	return fmt.Errorf("$schema names %s; known are the drafts 2020-12, 2019-09, 07, 06 and 04", url)
}

// first returns the first of the deepest faults.
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

// fault returns the most useful fault. If a value matches none of several schemas, the fault names
// what is wrong by each of them. A wrong part is more useful than a missing one.
func fault(e *jsonschema.ValidationError) *Fault {
	for len(e.Causes) == 1 || len(e.Causes) > 1 && !isChoice(e) {
		e = slices.MinFunc(e.Causes, func(a, b *jsonschema.ValidationError) int { return rank(e, a) - rank(e, b) })
	}
	if len(e.Causes) == 0 {
		return first(e)
	}
	return &Fault{Path: e.InstanceLocation, What: "it fits none of its schemas: " + inEach(e)}
}

// rank returns a number that is lower the more useful a cause is: first a wrong part, then a
// missing one, then a fault of the whole value, which may only follow from the others.
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
	for _, one := range cause.Causes { // of schemas that must all match
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

// maxChoices is the most schemas of a choice that a message describes.
const maxChoices = 5

// inEach describes what is wrong with a value by each schema of a choice.
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
