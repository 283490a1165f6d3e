package check

import (
	"regexp"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
)

// nameStyle: the name of a declared tool is lower snake_case, after a namespace
// too. Names of parameters, steps and fields are the author's own. There is no
// fix: the name may stand in files that nobody has opened.
var nameStyle = Check{
	Code: "name-style",
	Entry: eachTool(func(out *findings, _ Entry, t *analysis.ToolDecl) {
		if analysis.IsToolName(t.Name) && t.Name != strings.ToLower(t.Name) {
			out.hint(t.NameNode().Span(), "Tools are named in lower snake_case: `%s`.", snakeCase(t.Name))
		}
	}),
}

var (
	wordEnd    = regexp.MustCompile(`([a-z0-9])([A-Z])`)
	acronymEnd = regexp.MustCompile(`([A-Z])([A-Z][a-z])`)
)

func snakeCase(name string) string {
	name = wordEnd.ReplaceAllString(name, "${1}_$2")
	return strings.ToLower(acronymEnd.ReplaceAllString(name, "${1}_$2"))
}
