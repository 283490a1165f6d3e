package check

import "github.com/abl-lsp/abl-lsp/analysis/model"

// duplicateParameter: a name appears once in a list of parameters. The error is at the second one.
var duplicateParameter = Check{
	Code: "duplicate-parameter",
	Entry: eachTool(func(out *findings, _ Entry, t *model.ToolDecl) {
		if _, unclosed := unclosedSignature(t.Node); unclosed {
			return // its parameters are those of other lines as well
		}
		first := map[string]model.ParamDecl{}
		for _, p := range t.Params {
			before, again := first[p.Name]
			switch {
			case p.Name == "":
			case !again:
				first[p.Name] = p
			default:
				d := out.err(p.NameNode().Span(), "The parameter `%s` is declared twice; rename one of the two.", p.Name)
				d.Related = []model.Related{{Span: before.NameNode().Span(), Message: "The first one."}}
			}
		}
	}),
}
