package check

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// unknownParameter: a key of `parameters:` and a value of `param_mapping` name parameters of the
// signature, or names that `process` sets. In a list the first key of an item is the name, or its
// only word. The permitted commands are in a parameter, too.
var unknownParameter = Check{
	Code: "unknown-parameter",
	Entry: eachTool(func(out *findings, _ Entry, t *model.ToolDecl) {
		if !hasParams(t) {
			return
		}
		for _, p := range t.PropertiesOfAnyKind() {
			switch p.Name() {
			case "parameters":
				parameterNames(out, t, p)
			case "param_mapping":
				for _, m := range p.Properties() {
					for _, w := range m.Words() {
						parameterName(out, t, w, t.ParamNames())
					}
				}
			case "allowed_commands":
				if t.Kind() == tool.KindCLI && !isParam(t, tool.Subcommand) {
					d := out.warn(p.Key.Span(), "The commands that are allowed stand in the parameter `%s`, and `%s` has none.", tool.Subcommand, t.Name)
					offerParameter(d, t, tool.Subcommand)
				}
			}
		}
	}),
}

func parameterNames(out *findings, t *model.ToolDecl, block model.Property) {
	props := block.Properties()
	written := make(map[string]bool, len(props))
	for _, p := range props {
		written[p.WrittenName()] = true
	}
	left := slices.DeleteFunc(t.ParamNames(), func(name string) bool { return written[name] })
	for _, p := range props {
		if item := p.Node.Parent(); item.Kind() != syntax.ListItem || p.Node == item.FirstBlockChild() {
			parameterName(out, t, model.Word{Text: p.WrittenName(), Span: p.Key.Span()}, left)
		}
	}
	for _, o := range block.OptionalFields() {
		parameterName(out, t, o.Name, left)
	}
	for _, item := range block.Items() {
		first := item.Node
		if item.Kind() == syntax.ListItem {
			first = item.FirstBlockChild()
		}
		if k := first.Kind(); k == syntax.Scalar || k == syntax.Text || k == syntax.String {
			parameterName(out, t, model.UnquotedWord(first), left)
		}
	}
}

var isPath = lazyregexp.New(`^[A-Za-z_][\w.]*$`).MatchString

// parameterName looks at one name; left are the parameters that it may be meant for.
func parameterName(out *findings, t *model.ToolDecl, w model.Word, left []string) {
	if len(*out) == maxFindings || !isPath(w.Text) || isParam(t, w.Text) {
		return
	}
	d := out.warn(w.Span, "`%s` has no parameter `%s`; %s", t.Name, w.Text,
		model.DidYouMean(w.Text, t.ParamNames(), "add it to the signature, or delete it here."))
	offerNear(d, w.Span, w.Text, left)
}
