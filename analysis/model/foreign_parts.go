package model

import (
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// partKeys are the keys of a schema below which its parts are declared.
var partKeys = []string{"$defs", "definitions"}

// partOccurrences returns the parts that the schemas of a foreign file declare, and the references
// that lead to them or through them.
func (r *Resolver) partOccurrences() []Occurrence {
	if r.File.Foreign.System != "service" && r.File.Foreign.System != "nao" || r.Wanted != nil && r.Wanted.Kind != SchemaPartSymbol {
		return nil
	}
	var out []Occurrence
	for _, root := range foreignSchemas(r.File) {
		part := func(name string) Symbol {
			return Symbol{SchemaPartSymbol, r.File.Path, strconv.Itoa(root.Span.Start), name}
		}
		for _, key := range partKeys {
			for _, m := range root.Get(key).OwnMembers() {
				out = append(out, Occurrence{part(m.Key.Text), m.Key.TextSpan(), Declares})
			}
		}
		for _, ref := range appendReferences(nil, root) {
			steps := slices.Collect(refSteps(ref))
			if len(steps) > 1 && slices.Contains(partKeys, steps[0].name) {
				out = append(out, Occurrence{part(steps[1].name), steps[1].span, Reads})
			}
		}
	}
	return out
}

// foreignSchemas returns the JSON Schemas in a foreign file.
func foreignSchemas(f *File) (schemas []*yaml.Node) {
	for _, root := range f.YAMLTree().Roots() {
		schemas = appendSchemas(schemas, root)
	}
	return schemas
}

func appendSchemas(schemas []*yaml.Node, n *yaml.Node) []*yaml.Node {
	if n.Alias != "" {
		return schemas
	}
	for _, item := range n.Items {
		schemas = appendSchemas(schemas, item)
	}
	for _, m := range n.OwnMembers() {
		if slices.Contains(schemaKeys, m.Key.Text) && m.Value.Kind == yaml.Map && m.Value.Alias == "" {
			schemas = append(schemas, m.Value)
		} else {
			schemas = appendSchemas(schemas, m.Value)
		}
	}
	return schemas
}

// appendReferences appends each `$ref` in a schema.
func appendReferences(refs []*yaml.Node, n *yaml.Node) []*yaml.Node {
	if n.Alias != "" {
		return refs
	}
	for _, item := range n.Items {
		refs = appendReferences(refs, item)
	}
	for _, m := range n.OwnMembers() {
		if m.Key.Text == "$ref" && m.Value.Kind == yaml.String && m.Value.Alias == "" {
			refs = append(refs, m.Value)
		}
		refs = appendReferences(refs, m.Value)
	}
	return refs
}

// escapesReferences reports whether a reference in a foreign file is written with escapes, so that
// its parts have no places.
func escapesReferences(f *File) bool {
	for _, root := range foreignSchemas(f) {
		for _, ref := range appendReferences(nil, root) {
			if strings.HasPrefix(ref.Text, "#/") && len(slices.Collect(refSteps(ref))) == 0 {
				return true
			}
		}
	}
	return false
}
