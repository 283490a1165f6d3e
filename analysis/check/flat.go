package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
)

// flatKeys reports the keys of one tool that once stood flat in it, for
// deprecated-spelling.
func flatKeys(out *findings, t analysis.Map) {
	for home, props := range analysis.FlatKeys(t.Properties) {
		fix, ok := analysis.Nest(t.Properties, home)
		for _, p := range props {
			as, name := "", p.Flat[len(p.Flat)-1]
			if !strings.EqualFold(name, p.Written()) {
				as = ", as `" + name + "`"
			}
			d := out.hint(p.Key.Span(), "`%s` stands below `%s:` today%s.", p.Written(), home, as)
			if ok {
				d.Fixes = append(d.Fixes, fix)
			}
		}
	}
}
