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

// isOfBinding reports whether p belongs to the binding of tools of that kind, or is one typing slip
// away from a property that does. For kind "" it reports whether p belongs to bindings only, which
// `timeout` is never taken to do.
func isOfBinding(p Property, kind tool.Kind) bool {
	if of := tool.BindingOnly(p.Name()); of != nil {
		return kind == "" && !strings.EqualFold(p.Name(), "timeout") || slices.Contains(of, kind)
	}
	return p.Field == nil && kind != "" && Nearest(p.Name(), fieldNames(tool.Fields(kind))) != ""
}
