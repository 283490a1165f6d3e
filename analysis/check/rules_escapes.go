package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/tool/sqltext"
)

// unknownEscapes: the tool's database knows the `escape` of each template parameter.
func unknownEscapes(out *findings, f File) {
	for _, e := range model.Escapes(f.Workspace, f.File) {
		if len(e.Known) > 0 && slices.Contains(sqltext.EscapeWords("sqlite"), e.Word) && !slices.Contains(e.Known, e.Word) && len(*out) < maxFindings {
			out.err(e.Span, "`escape` cannot be `%s` on a source of kind `%s`; it knows `%s`.",
				e.Word, strings.Join(e.Databases, "` or `"), strings.Join(e.Known, "`, `"))
		}
	}
}
