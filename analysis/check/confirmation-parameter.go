package check

import "github.com/abl-lsp/abl-lsp/analysis/model"

// confirmationParameter: `immutable_params` names parameters of its tool, or names that `process`
// sets.
var confirmationParameter = Check{
	Code: "confirmation-parameter",
	Entry: eachTool(func(out *findings, _ Entry, t *model.ToolDecl) {
		p, ok := findProperty(t.PropertiesOfAnyKind(), "confirmation", "immutable_params")
		if !ok || !hasParams(t) {
			return
		}
		for _, w := range p.Words() {
			if len(*out) == maxFindings {
				return
			}
			if !isPath(w.Text) || isParam(t, w.Text) {
				continue
			}
			d := out.warn(w.Span, "`%s` has no parameter `%s`; %s", t.Name, w.Text,
				model.DidYouMean(w.Text, t.ParamNames(), "name one of its own, or delete this one."))
			offerNear(d, w.Span, w.Text, t.ParamNames())
		}
	}),
}
