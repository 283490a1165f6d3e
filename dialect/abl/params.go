package abl

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/literal"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// parameters writes what the signature cannot say of them.
func (w *writer) parameters(depth int, params []tool.Param) {
	begun := false
	for _, p := range params {
		said := literal.Parse(exactjson.EncodeOrNil(p))
		fields := described(p.Type)
		if !slices.ContainsFunc(said.Members, isEnrichment) && fields == nil {
			continue
		}
		if !begun {
			w.line(depth, "parameters:")
			begun = true
		}
		w.line(depth+1, p.Name+":")
		for _, row := range tool.ParamFields() {
			switch {
			case row.Name == "properties" && fields != nil:
				w.fields(depth+2, fields)
			case isEnrichment(foreign.Member{Key: row.Name}):
				w.property(depth+2, row, said.Get(row.Name))
			}
		}
	}
}

// isEnrichment reports whether a parameter's key is for its block.
func isEnrichment(m foreign.Member) bool {
	return !slices.Contains([]string{"name", "type", "optional", "default", "required", "properties", "items"}, m.Key)
}

// described are the fields of an object, or of the objects in an array, if one of
// them has a description.
func described(t *tool.Type) []tool.TypeField {
	for t != nil && t.Name == "array" && !t.Nullable {
		t = t.Elem
	}
	says := func(f tool.TypeField) bool { return f.Description != "" }
	if t == nil || t.Nullable || !slices.ContainsFunc(t.Fields, says) {
		return nil
	}
	return t.Fields
}

// bareFields is a type without the fields that a block describes.
func bareFields(t *tool.Type) *tool.Type {
	switch {
	case described(t) == nil:
		return t
	case t.Name == "array":
		return &tool.Type{Name: "array", Elem: bareFields(t.Elem)}
	}
	return &tool.Type{Name: "object"}
}

func (w *writer) fields(depth int, fields []tool.TypeField) {
	w.line(depth, "properties:")
	for _, f := range fields {
		w.line(depth+1, f.Name+":")
		w.line(depth+2, "type: "+typeText(f.Type))
		if f.Description != "" {
			w.text(depth+2, "description", f.Description)
		}
		if f.Optional {
			w.line(depth+2, "required: false")
		}
	}
}
