package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
)

// reservedName: the name of a declared tool does not begin with `__`. Such names
// are those of the platform's own tools. Between words `__` is fine.
var reservedName = Check{
	Code: "reserved-name",
	Entry: eachTool(func(out *findings, _ Entry, t *analysis.ToolDecl) {
		if strings.HasPrefix(t.Name, "__") && analysis.IsToolName(t.Name) {
			out.warn(t.NameNode().Span(), "`%s` begins with `__`, as the names of the platform's own tools do; rename it.", t.Name)
		}
	}),
}
