package check

import (
	"iter"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// undefinedStep: inside FLOW, a transition, `entry_point` or `steps:` names a step, and so does the
// GOTO of a constraint that fails. Words of the language, any other word in capitals, and values
// known at run time only are no names, and a word of an unfinished line may be a step. Elsewhere
// `THEN: retry` is no step. A flow without any step is a fragment.
var undefinedStep = Check{
	Code: "undefined-step",
	Form: true,
	File: func(out *findings, f File) {
		for _, flow := range f.Flows() {
			undefinedInFlow(out, flow)
		}
	},
}

func undefinedInFlow(out *findings, flow *model.Flow) {
	if len(flow.Steps) == 0 {
		return
	}
	names := append(flow.Names(), model.TargetWords()...)
	for t := range checkedTargets(flow) {
		if _, known := flow.Step(t.Name); known || t.Kind != model.ToStep || flow.UnknownWords[t.Name] {
			continue
		}
		if len(*out) >= maxFindings {
			break
		}
		undefinedTarget(out, t, names)
	}
}

// checkedTargets returns the targets that should name a step of the flow.
func checkedTargets(flow *model.Flow) iter.Seq[model.Target] {
	return func(yield func(model.Target) bool) {
		for _, t := range flow.Targets() {
			if !yield(t) {
				return
			}
		}
		for _, t := range flow.OutsideTargets {
			if t.FailedRule && !yield(t) {
				return
			}
		}
	}
}

func undefinedTarget(out *findings, t model.Target, names []string) {
	near := model.Nearest(t.Name, names)
	advice := "declare it below `FLOW:`, or name another one."
	if near != "" {
		advice = "did you mean `" + near + "`?"
	}
	d := out.warn(t.Span, "There is no step `%s`; %s", t.Name, advice)
	if near != "" {
		d.Fixes = append(d.Fixes, model.ReplaceFix("Change to `"+near+"`", t.Span, near))
	}
}
