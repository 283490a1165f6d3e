package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// sectionCase: the keyword of a section is written in capitals. It is read in any casing, but the
// platform ignores such a section.
var sectionCase = Check{
	Code: "section-case",
	Form: true,
	File: func(out *findings, f File) {
		sections := f.Doc.Sections()
		for i, s := range sections {
			key := s.Head.Root().KeyNode().Text()
			upper := strings.ToUpper(key)
			if _, ok := f.sectionOf(s); !ok || key == upper {
				continue
			}
			d := out.warn(keywordOf(s), "A section is written in capitals: `%s`. The platform ignores this one.", upper)
			if i+1 == len(sections) || !sections[i+1].ContinuesFlow { // else it would end the flow
				d.Fixes = append(d.Fixes, model.ReplaceFix("Write `"+upper+"`", keywordOf(s), upper))
			}
		}
	},
}
