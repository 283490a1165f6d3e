package check

import (
	"cmp"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// duplicateSection: a section that an agent, a supervisor or a behaviour profile has once appears
// in it once. Several agents in one file each have their own, and so has each profile inside an
// agent.
var duplicateSection = Check{
	Code: "duplicate-section",
	Form: true,
	File: func(out *findings, f File) {
		for i := range f.Parts() {
			duplicateInPart(out, f, &f.Parts()[i])
		}
	},
}

func duplicateInPart(out *findings, f File, part *model.Part) {
	first := map[string]model.Related{}
	for _, s := range part.Sections {
		info, ok := f.sectionOf(s)
		if !ok || info.Repeat != model.RepeatOnce || s.ContinuesFlow || part.IsProfileSection(s) {
			continue
		}
		at := keywordOf(s)
		before, again := first[info.Name]
		if !again {
			first[info.Name] = model.Related{Path: f.Path, Span: at, Message: "the first `" + info.Name + "`"}
			continue
		}
		d := out.err(at, "`%s:` appears once in %s; write both as one section.", info.Name, cmp.Or(kindWords[part.Kind], "a file"))
		d.Related = append(d.Related, before)
	}
}
