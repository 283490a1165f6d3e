package model

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// SchemaReference is a `$ref` in a foreign file that refers to a part of its own schema.
type SchemaReference struct {
	Span text.Span  // of its text
	Root *yaml.Node // the schema that it is in
	Name string     // of the part to which it leads
	To   refTarget
}

// schemaKeys are the keys below which a tool has JSON Schemas.
var schemaKeys = []string{"inputSchema", "outputSchema", "parameters"}

// SchemaReferenceAt returns the reference at an offset of f; ok is false if there is none.
func SchemaReferenceAt(f *File, offset int) (r SchemaReference, ok bool) {
	if f == nil || f.Foreign == nil || f.Foreign.System != "service" && f.Foreign.System != "nao" {
		return r, false
	}
	for _, root := range f.YAMLTree().Roots() {
		if r, ok = schemaReferenceIn(root, nil, offset); ok {
			break
		}
	}
	return r, ok
}

func schemaReferenceIn(n, around *yaml.Node, offset int) (r SchemaReference, ok bool) {
	at := text.Span{Start: offset, End: offset}
	if n.Alias != "" || !n.Span.Touches(offset) {
		return r, false
	}
	for _, item := range partsReaching(n.Items, at, func(item *yaml.Node) int { return item.Span.Start }) {
		if r, ok = schemaReferenceIn(item, around, offset); ok {
			return r, ok
		}
	}
	for _, m := range partsReaching(n.OwnMembers(), at, func(m yaml.Member) int { return m.Key.Span.Start }) {
		below := around
		if below == nil && slices.Contains(schemaKeys, m.Key.Text) {
			below = m.Value
		}
		if around != nil && m.Key.Text == "$ref" && m.Value.Kind == yaml.String && m.Value.Span.Touches(offset) {
			return referredBy(around, m.Value)
		}
		if r, ok = schemaReferenceIn(m.Value, below, offset); ok {
			return r, ok
		}
	}
	return r, false
}

func referredBy(root, ref *yaml.Node) (r SchemaReference, ok bool) {
	whole := 0
	r = SchemaReference{Span: ref.TextSpan(), Root: root}
	for step, to := range followReference(root, ref) {
		if to.Key == nil {
			step.name = r.Name + "/" + step.name
		}
		r.Name, r.To = step.name, to
		whole++
	}
	return r, whole > 0 && whole == len(slices.Collect(refSteps(ref)))
}
