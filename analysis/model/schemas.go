package model

import (
	"encoding/json"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// schemaFinders find the faults in the schema of a property.
var schemaFinders = []struct {
	property string
	find     func(foreign.Node) []schema.SchemaFault
}{{"input_schema", schema.FindMalformedInput}, {"output_schema", schema.FindMalformed}}

// schemaFaults returns the faults of the tool's own schemas. A schema in a file is not read.
func schemaFaults(d *ToolDecl) (faults []Fault) {
	for _, s := range schemaFinders {
		p, ok := d.Property(s.property)
		if !ok {
			continue
		}
		if unquoted := p.dollarKeys(); len(unquoted) > 0 {
			faults = append(faults, unquoted...)
			continue
		}
		value := p.value()
		text, isText := value.(string)
		raw := json.RawMessage(strings.TrimSpace(text))
		switch {
		case value == nil, isText && !strings.HasPrefix(string(raw), "{"): // the path of a file
			continue
		case !isText:
			raw = exactjson.EncodeOrNil(value)
		}
		root := schema.Read(raw)
		if root.Kind != foreign.Map {
			faults = append(faults, Fault{Node: p.faultNode(), Message: "`" + p.WrittenName() + "` wants a JSON Schema: an object, or the path of a file."})
		}
		for _, m := range s.find(root) {
			faults = append(faults, p.malformedFault(m))
		}
	}
	return faults
}

// SchemaFault returns what is wrong with the text of a schema, "" for nothing.
func SchemaFault(property, source string) string {
	root := schema.Read(json.RawMessage(source))
	if root.Kind != foreign.Map {
		return "it is no object as JSON has them."
	}
	for _, s := range schemaFinders {
		if found := s.find(root); s.property == property && len(found) > 0 {
			return strings.Join(found[0].Path, ".") + ": " + found[0].What
		}
	}
	return ""
}

// dollarKey matches a key of JSON Schema's own, such as `$ref`.
var dollarKey = lazyregexp.New(`^(\$\w+)\s*:`)

// dollarKeys returns a fault for each key that begins with a dollar sign. The language has no such
// keys: what follows one would be lost.
func (p Property) dollarKeys() (faults []Fault) {
	addFault := func(n syntax.Node) {
		if m := dollarKey.FindStringSubmatch(n.Text()); m != nil && n.Kind() == syntax.Text {
			faults = append(faults, Fault{Node: n, Message: "The key `" + m[1] + "` wants quotes: `\"" + m[1] + "\": …`. Without them nothing reads it."})
		}
	}
	for n := range p.Node.Preorder() {
		switch n.Kind() {
		case syntax.Map, syntax.Scalar, syntax.ListItem:
			for c := range n.Children() {
				addFault(c)
			}
		}
	}
	return faults
}

// malformedFault returns a fault in the schema of p. If the schema is a text, the fault is at the
// whole text.
func (p Property) malformedFault(m schema.SchemaFault) Fault {
	f := Fault{Node: p.faultNode(), Message: m.What}
	_, n, ok := locator{}.locate([]Property{p}, append([]string{p.Name()}, m.Path...))
	if !ok || n == f.Node {
		f.Message = strings.Join(m.Path, ".") + ": " + f.Message
		return f
	}
	f.Node, f.Near = n, Nearest(m.Word, m.Known)
	if f.Near != "" {
		f.Message = strings.TrimSuffix(f.Message, ".") + "; did you mean `" + f.Near + "`?"
	}
	return f
}
