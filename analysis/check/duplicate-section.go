package check

import "github.com/abl-lsp/abl-lsp/analysis"

// duplicateSection: a section that a file has once stands in it once. Of files
// with several profiles, each has its own.
var duplicateSection = Check{
	Code: "duplicate-section",
	File: func(f File) []analysis.Diagnostic {
		var out findings
		first := map[string]analysis.Related{}
		for _, s := range f.Doc.Sections() {
			info, ok := f.sectionOf(s)
			if f.Kind == analysis.Profile && info.Name == "BEHAVIOR_PROFILE" {
				clear(first)
			}
			if !ok || info.Repeat != analysis.Once {
				continue
			}
			at := keywordOf(s)
			before, again := first[info.Name]
			if !again {
				first[info.Name] = analysis.Related{Path: f.Path, Span: at, Message: "the first `" + info.Name + "`"}
				continue
			}
			d := out.err(at, "A file has `%s:` once; write both as one section.", info.Name)
			d.Related = append(d.Related, before)
		}
		return out
	},
}
