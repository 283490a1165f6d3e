package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/tool"
)

// IsUnbound reports whether a declaration does not say how the tool runs: it has no `type`, or a
// type of the published language without any property of that type. In an agent or a profile it
// means the project's tool of that name.
func (d *ToolDecl) IsUnbound() bool {
	if d.IsForeign() {
		return false
	}
	kind := d.Kind()
	word, _ := tool.LookupWord(tool.Kinds(), string(kind))
	written, _ := d.Property("type")
	if word.Edition == tool.Extension || kind == "" && !written.IsEmpty() {
		return false
	}
	return !slices.ContainsFunc(d.PropertiesOfAnyKind(), func(p Property) bool { return isOfBinding(p, kind) })
}

// isOfBinding reports whether a property belongs to the binding of a kind, or is one typing slip
// away from one that does; kind "" means any kind.
func isOfBinding(p Property, kind tool.Kind) bool {
	if of := tool.BindingOnly(p.Name()); of != nil {
		return kind == "" && !strings.EqualFold(p.Name(), "timeout") || slices.Contains(of, kind)
	}
	return p.Field == nil && kind != "" && Nearest(p.Name(), fieldNames(tool.Fields(kind))) != ""
}
