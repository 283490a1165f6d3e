package check

import (
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/tool"
)

// unknownSource: the `source` of an SQL or HTTP tool is one of those that abl.yaml
// lists.
var unknownSource = Check{
	Code: "unknown-source",
	File: projectNames{
		property: "source", kinds: []tool.Kind{tool.KindSQL, tool.KindHTTP}, table: projectfile.Sources, what: "source",
	}.unknown,
}
