package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// cacheableMutation: a tool whose results may be reused does not declare that it changes something.
// It may POST, since look-ups do; PUT, PATCH and DELETE are a hint.
var cacheableMutation = Check{
	Code: "cacheable-mutation",
	Entry: eachTool(func(out *findings, _ Entry, t *model.ToolDecl) {
		props := t.PropertiesOfAnyKind()
		if !isTrue(props, "hints", "cacheable") {
			return
		}
		p, _ := findProperty(props, "hints", "cacheable")
		if effect, ok := declaredEffect(props); ok {
			d := out.warn(p.Node.Span(), "A result that is used again leaves out the change that `%s: %s` speaks of.", effect.Name(), effect.Text())
			fix := model.ReplaceFix("Write `cacheable: false`", p.Value.Span(), "false")
			fix.Best = false
			d.Fixes = append(d.Fixes, fix)
			return
		}
		if m := methodOf(props); slices.Contains([]string{"PUT", "PATCH", "DELETE"}, m) {
			out.hint(p.Node.Span(), "A result that is used again leaves out the `%s` request.", m)
		}
	}),
}

// methodOf returns the tool's HTTP method in its documented spelling, "" if it has none.
func methodOf(props []model.Property) string {
	p, _ := findProperty(props, "method")
	return strings.ToUpper(p.Text())
}
