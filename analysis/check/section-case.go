package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
)

// sectionCase: the keyword of a section is written in capitals. In others it is
// read all the same; the platform ignores such a section.
var sectionCase = Check{
	Code: "section-case",
	File: func(f File) []analysis.Diagnostic {
		var out findings
		for _, s := range f.Doc.Sections() {
			key := s.Head.Root().KeyNode().Text()
			upper := strings.ToUpper(key)
			if _, ok := f.sectionOf(s); !ok || key == upper {
				continue
			}
			d := out.warn(keywordOf(s), "A section is written in capitals: `%s`. The platform ignores this one.", upper)
			d.Fixes = append(d.Fixes, analysis.Change("Write `"+upper+"`", keywordOf(s), upper))
		}
		return out
	},
}
