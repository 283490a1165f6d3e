package abl

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/literal"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// writeParams writes what the signature cannot express of the parameters.
func (w *writer) writeParams(depth int, params []tool.Param) {
	begun := false
	for _, p := range params {
		properties := literal.Parse(exactjson.EncodeOrNil(p))
		fields := describedFields(p.Type)
		if !slices.ContainsFunc(properties.Members, isEnrichment) && fields == nil {
			continue
		}
		if !begun {
			w.writeLine(depth, "parameters:")
			begun = true
		}
		w.writeLine(depth+1, p.Name+":")
		for _, row := range tool.ParamFields() {
			switch {
			case row.Name == "properties" && fields != nil:
				w.writeFields(depth+2, fields)
			case isEnrichment(foreign.Member{Key: row.Name}):
				w.writeProperty(depth+2, row, properties.Get(row.Name))
			}
		}
	}
}

// isEnrichment reports whether a key of a parameter belongs in the parameter's block, and not in the
// signature.
func isEnrichment(m foreign.Member) bool {
	return !slices.Contains([]string{"name", "type", "optional", "default", "required", "properties", "items"}, m.Key)
}

// describedFields returns the fields of an object, or of the objects in an array, if one of them
// has a description.
func describedFields(t *tool.Type) []tool.TypeField {
	for t != nil && t.Name == "array" && !t.Nullable {
		t = t.Elem
	}
	says := func(f tool.TypeField) bool { return f.Description != "" }
	if t == nil || t.Nullable || !slices.ContainsFunc(t.Fields, says) {
		return nil
	}
	return t.Fields
}

// withoutBlockFields returns a type without the fields that a block describes.
func withoutBlockFields(t *tool.Type) *tool.Type {
	switch {
	case describedFields(t) == nil:
		return t
	case t.Name == "array":
		return &tool.Type{Name: "array", Elem: withoutBlockFields(t.Elem)}
	}
	return &tool.Type{Name: "object"}
}

func (w *writer) writeFields(depth int, fields []tool.TypeField) {
	w.writeLine(depth, "properties:")
	for _, f := range fields {
		w.writeLine(depth+1, f.Name+":")
		w.writeLine(depth+2, "type: "+typeText(f.Type))
		if f.Description != "" {
			w.writeText(depth+2, "description", f.Description)
		}
		if f.Optional {
			w.writeLine(depth+2, "required: false")
		}
	}
}
