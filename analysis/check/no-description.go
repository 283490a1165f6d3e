package check

import "github.com/abl-lsp/abl-lsp/analysis/model"

// noDescription: a declared tool has a `description`. Nothing demands one, but the model knows
// nothing else of when to call the tool. A tool whose signature is incomplete is skipped, since it
// is still being typed.
var noDescription = Check{
	Code: "no-description",
	Entry: eachTool(func(out *findings, _ Entry, t *model.ToolDecl) {
		if _, ok := t.Property("description"); !ok && hasCompleteSignature(t) {
			out.hint(t.NameNode().Span(), "`%s` has no `description`; say what it does, when to call it and what comes back.", t.Name)
		}
	}),
}
