package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// isStorable reports whether the platform can store a tool of that name.
var isStorable = lazyregexp.New(`^[a-z][a-z0-9_]{0,62}[a-z0-9]$`).MatchString

// nameStyle: the name of a declared tool is lower snake_case, after a namespace too; in a library
// it is one that the platform can store. Names of parameters, steps and fields are the author's
// own. There is no fix: other files that are not open may have the name as well.
var nameStyle = Check{
	Code: "name-style",
	Entry: eachTool(func(out *findings, e Entry, t *model.ToolDecl) {
		stored := strings.Replace(t.Name, ".", "_", 1)
		switch {
		case !model.IsToolName(t.Name) || strings.HasPrefix(t.Name, "__"):
		case e.Kind == model.Library && !isStorable(stored):
			out.warn(t.NameNode().Span(), "The platform cannot store a tool named `%s`: it takes 2 to 64 lower-case letters, digits and `_`, beginning with a letter and not ending with `_`.", t.Name)
		case e.Kind != model.Library && t.Name != strings.ToLower(t.Name):
			out.hint(t.NameNode().Span(), "Tools are named in lower snake_case: `%s`.", snakeCase(t.Name))
		}
	}),
}

var (
	wordEnd    = lazyregexp.New(`([a-z0-9])([A-Z])`)
	acronymEnd = lazyregexp.New(`([A-Z])([A-Z][a-z])`)
)

func snakeCase(name string) string {
	name = wordEnd.ReplaceAllString(name, "${1}_$2")
	return strings.ToLower(acronymEnd.ReplaceAllString(name, "${1}_$2"))
}
