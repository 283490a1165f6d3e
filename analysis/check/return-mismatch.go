package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/script"
	"github.com/abl-lsp/abl-lsp/tool"
)

// returnMismatch: if every `return` of a sandbox tool's code gives an object that is written in
// full, each required field of the declared object is in one of them.
var returnMismatch = Check{
	Code: "return-mismatch",
	Entry: eachTool(func(out *findings, _ Entry, t *model.ToolDecl) {
		if r := t.Returns; r == nil || r.Name != "object" || len(r.Fields) == 0 || r.Nullable {
			return
		}
		body, runtime, ok := sandboxCode(t)
		if !ok || !strings.Contains(body.Text, "return") {
			return
		}
		returns, ok := script.Returns(runtime, body.Text)
		if !ok || len(returns) == 0 || slices.ContainsFunc(returns, func(r script.Return) bool { return !r.Literal }) {
			return
		}
		for _, f := range t.Returns.Fields {
			if !f.Optional && !isReturned(f, returns) {
				missingField(out, t, f, body, returns[len(returns)-1])
			}
		}
	}),
}

func isReturned(f tool.TypeField, returns []script.Return) bool {
	return slices.ContainsFunc(returns, func(r script.Return) bool { return slices.Contains(r.Keys, f.Name) })
}

func missingField(out *findings, t *model.ToolDecl, f tool.TypeField, body syntax.EmbeddedText, last script.Return) {
	var known []string
	for _, key := range last.Keys {
		if !slices.ContainsFunc(t.Returns.Fields, func(f tool.TypeField) bool { return f.Name == key }) {
			known = append(known, key)
		}
	}
	at := last.Span
	if i := strings.IndexByte(body.Text[at.Start:at.End], '\n'); i >= 0 {
		at.End = at.Start + i
	}
	advice := "add it, or declare it as `" + f.Name + "?`."
	if near := model.Nearest(f.Name, known); near != "" {
		advice = "rename `" + near + "`, or add it."
	}
	d := out.warn(body.Span(at), "No `return` gives the field `%s`, which the signature declares; %s", f.Name, advice)
	d.Related = append(d.Related, model.Related{Span: fieldNode(t, f.Name).Span(), Message: "Declared here."})
}

// fieldNode returns the node of a field's name in the return type.
func fieldNode(t *model.ToolDecl, name string) syntax.Node {
	for n := range t.Node.Child(syntax.FieldReturns).Preorder() {
		if n.Kind() == syntax.TypeField && n.Child(syntax.FieldName).Text() == name {
			return n.Child(syntax.FieldName)
		}
	}
	return t.NameNode()
}
