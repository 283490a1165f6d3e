package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/tool"
)

// reservedName: the name of a declared tool does not begin with `__`. Such names
// are those of the platform's own tools. Between words `__` is fine. A tool with a
// `type` does not have the name of one that the platform runs itself.
var reservedName = Check{
	Code: "reserved-name",
	Entry: eachTool(func(out *findings, _ Entry, t *analysis.ToolDecl) {
		_, isPlatforms := tool.LookupPlatformTool(t.Name)
		switch {
		case isPlatforms && t.Kind() != "":
			out.info(t.NameNode().Span(), "The platform has a tool `%s` of its own, and may pass over this one.", t.Name)
		case strings.HasPrefix(t.Name, "__") && analysis.IsToolName(t.Name):
			out.err(t.NameNode().Span(), "`%s` begins with `__`, as the names of the platform's own tools do; rename it.", t.Name)
		}
	}),
}
