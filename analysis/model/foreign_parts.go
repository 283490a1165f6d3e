package model

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// partKeys are the keys of a schema below which it names parts of itself.
var partKeys = []string{"$defs", "definitions"}

// partUses are the parts that the schemas of a foreign file name, and the references that
// lead to them or through them.
func (r *Resolver) partUses() []Occurrence {
	if r.F.Foreign.System != "service" && r.F.Foreign.System != "nao" || r.Want != nil && r.Want.Kind != PartSymbol {
		return nil
	}
	var out []Occurrence
	for root := range foreignSchemas(r.F) {
		part := func(name string) Symbol {
			return Symbol{PartSymbol, r.F.Path, strconv.Itoa(root.Span.Start), name}
		}
		for _, key := range partKeys {
			for _, m := range root.Get(key).Own() {
				out = append(out, Occurrence{part(m.Key.Text), m.Key.Inner(), Declares})
			}
		}
		for ref := range references(root) {
			steps := slices.Collect(stepsOfRef(ref))
			if len(steps) > 1 && slices.Contains(partKeys, steps[0].name) {
				out = append(out, Occurrence{part(steps[1].name), steps[1].span, Reads})
			}
		}
	}
	return out
}

// foreignSchemas are the JSON Schemas that stand in a foreign file.
func foreignSchemas(f *File) iter.Seq[*yaml.Node] {
	return func(yield func(*yaml.Node) bool) {
		for _, root := range f.Tree().Roots() {
			if !schemasIn(root, yield) {
				return
			}
		}
	}
}

func schemasIn(n *yaml.Node, yield func(*yaml.Node) bool) bool {
	if n.Alias != "" {
		return true
	}
	for _, item := range n.Items {
		if !schemasIn(item, yield) {
			return false
		}
	}
	for _, m := range n.Own() {
		isSchema := slices.Contains(schemaKeys, m.Key.Text) && m.Value.Kind == yaml.Map && m.Value.Alias == ""
		if isSchema && !yield(m.Value) || !isSchema && !schemasIn(m.Value, yield) {
			return false
		}
	}
	return true
}

// references are the `$ref` in a schema.
func references(n *yaml.Node) iter.Seq[*yaml.Node] {
	return func(yield func(*yaml.Node) bool) { referencesBelow(n, yield) }
}

func referencesBelow(n *yaml.Node, yield func(*yaml.Node) bool) bool {
	if n.Alias != "" {
		return true
	}
	for _, item := range n.Items {
		if !referencesBelow(item, yield) {
			return false
		}
	}
	for _, m := range n.Own() {
		if m.Key.Text == "$ref" && m.Value.Kind == yaml.String && m.Value.Alias == "" && !yield(m.Value) {
			return false
		}
		if !referencesBelow(m.Value, yield) {
			return false
		}
	}
	return true
}

// escapesReferences reports whether a reference in a foreign file is written so that its
// parts have no places.
func escapesReferences(f *File) bool {
	for root := range foreignSchemas(f) {
		for ref := range references(root) {
			if strings.HasPrefix(ref.Text, "#/") && len(slices.Collect(stepsOfRef(ref))) == 0 {
				return true
			}
		}
	}
	return false
}
