package check

import "github.com/abl-lsp/abl-lsp/analysis/model"

// unreachableStep: something leads to each step: the entry, a transition of a reached step, a
// digression. Nothing is reported if the model chooses, a target is unknown, a step does not say
// how it goes on, or a behaviour profile has a flow of its own.
var unreachableStep = Check{
	Code: "unreachable-step",
	Form: true,
	File: func(out *findings, f File) {
		flows := f.Flows()
		if len(flows) == 0 || f.isRerouted() {
			return
		}
		for _, flow := range flows {
			for _, s := range flow.Unreachable() {
				d := out.warn(s.NameSpan, "No transition leads to the step `%s`; add one, or delete the step.", s.Name)
				d.Tags = append(d.Tags, model.Unnecessary)
			}
		}
	},
}

// isRerouted reports whether a behaviour profile may lead elsewhere.
func (f File) isRerouted() bool {
	profiles, complete := model.Profiles(f.Workspace, f.File)
	for _, p := range profiles {
		if p.Doc.Sections().Has("FLOW") {
			return true
		}
	}
	return !complete
}
