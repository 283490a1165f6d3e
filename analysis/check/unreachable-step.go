package check

import "github.com/abl-lsp/abl-lsp/analysis"

// unreachableStep: something leads to each step: the entry, a transition of a
// step that is reached, a digression. Where the model chooses, a target is not
// known, or a step does not say how it goes on, nobody can tell.
var unreachableStep = Check{
	Code: "unreachable-step",
	File: func(f File) []analysis.Diagnostic {
		flow := f.Flow()
		if flow == nil {
			return nil
		}
		var out findings
		for _, s := range flow.Unreachable() {
			d := out.warn(s.NameSpan, "No transition leads to the step `%s`; add one, or delete the step.", s.Name)
			d.Tags = append(d.Tags, analysis.Unnecessary)
		}
		return out
	},
}
