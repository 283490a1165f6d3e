package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/tool"
)

// unknownSource: abl.yaml lists the `source` of an SQL, HTTP or Redis tool, and the tool supports its
// kind.
var unknownSource = Check{
	Code: "unknown-source",
	File: func(out *findings, f File) {
		unknownSourceNames.reportUnknown(out, f)
		unsuitableSources(out, f)
	},
}

var unknownSourceNames = projectNames{
	trait: model.HasSource, property: "source", kinds: []tool.Kind{tool.KindSQL, tool.KindHTTP, tool.KindRedis}, table: projectfile.Sources, what: "source",
}

// unsuitableSources reports sources whose kind their tools do not support.
func unsuitableSources(out *findings, f File) {
	for _, u := range model.SourceUses(f.Workspace, f.File) {
		if !u.Fits() && len(*out) < maxFindings {
			out.warn(u.Span, "A tool of %s cannot act on `%s`, a source of kind `%s`; name one of kind `%s`.",
				u.Tool, u.Name, strings.Join(u.Kinds, "` or `"), strings.Join(u.Supported, "`, `"))
		}
	}
}
