package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// bindingWithoutType: a tool with a property that only bindings have declares its `type`. There is
// one warning for each tool, at the first such property. `timeout` decides nothing: as a hint it
// was once flat in the tool.
var bindingWithoutType = Check{
	Code: "binding-without-type",
	Form: true,
	Entry: eachTool(func(out *findings, _ Entry, t *model.ToolDecl) {
		if _, ok := t.Property("type"); ok {
			return
		}
		var first model.Property
		kinds := kindNames()
		for _, p := range t.Properties() {
			having := tool.BindingOnly(p.Name())
			if p.Field != nil || having == nil || isFormless(p) {
				continue
			}
			if first.Node.IsZero() && !strings.EqualFold(p.Name(), "timeout") {
				first = p
			}
			kinds = slices.DeleteFunc(kinds, func(k tool.Kind) bool { return !slices.Contains(having, k) || !takesValue(k, p) })
		}
		if first.Node.IsZero() {
			return
		}
		d := out.warn(first.Key.Span(), "`%s` does nothing without a `type`; say what runs the tool, such as `type: %s`.", first.WrittenName(), tool.BindingOnly(first.Name())[0])
		for _, k := range kinds {
			d.Fixes = append(d.Fixes, insertType(first.Node, k, len(kinds) == 1 && isComplete(t, k)))
		}
	}),
}

func kindNames() []tool.Kind {
	var kinds []tool.Kind
	for _, w := range tool.Kinds() {
		kinds = append(kinds, tool.Kind(w.Name))
	}
	return kinds
}

// takesValue reports whether tools of kind k may have the value of p. It looks at values that must
// be one of a set of words.
func takesValue(k tool.Kind, p model.Property) bool {
	f, _, _ := tool.Lookup(tool.Fields(k), p.Name())
	_, known := tool.LookupWord(f.Values, p.Text())
	return len(f.Values) == 0 || known
}

// isComplete reports whether t has all properties that tools of kind k must have.
func isComplete(t *model.ToolDecl, k tool.Kind) bool {
	for _, f := range tool.Fields(k) {
		if _, ok := findProperty(t.PropertiesOfAnyKind(), f.Name); f.Required && !ok {
			return false
		}
	}
	return true
}

// insertType returns the fix that puts a `type` above a property's line.
func insertType(above syntax.Node, k tool.Kind, best bool) model.Fix {
	fix := insertLine(above, "type: "+string(k))
	fix.Best = best
	return fix
}

// insertLine returns the fix that puts a property above another one's line.
func insertLine(above syntax.Node, line string) model.Fix {
	at := text.Span{Start: above.Span().Start, End: above.Span().Start}
	return model.ReplaceFix("Add `"+line+"`", at, line+"\n"+edit.IndentIn(above))
}
