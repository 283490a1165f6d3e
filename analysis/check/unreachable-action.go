package check

import "github.com/abl-lsp/abl-lsp/analysis/model"

// unreachableAction: in a `DO:` list nothing follows an action that leaves the list, and in the
// `routing` of ESCALATE nothing follows the default entry.
var unreachableAction = Check{
	Code: "unreachable-action",
	Tag:  model.Unnecessary,
	Entry: func(out *findings, e Entry) {
		for _, m := range e.Maps {
			afterTerminal(out, m)
			afterDefault(out, m)
		}
	},
}

// afterTerminal finds the first action that can never run.
func afterTerminal(out *findings, m model.Map) {
	list := doItems(m)
	for i, a := range list {
		if a.isTerminal() && i+1 < len(list) {
			out.err(list[i+1].reportSpan(), "`%s` never runs: `%s` before it ends the list.", list[i+1].name, a.name)
			return
		}
	}
}

// afterDefault finds the first entry that can never be taken.
func afterDefault(out *findings, m model.Map) {
	for _, list := range routesOf(m) {
		past := false
		for _, r := range list {
			if past && !r.isDefault() {
				out.err(r.reportSpan(), "This entry is never taken: the default one before it takes all.")
				break
			}
			past = past || r.isDefault()
		}
	}
}
