package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// unboundTool: a tool of an agent or a profile that has a `type` declares how it runs, or a library
// of the workspace does. Otherwise the project's tool of that name is called, which is right, but
// cannot be run from here. A signature without a `type` declares by itself that the project binds
// the tool.
var unboundTool = Check{
	Code: "unbound-tool",
	File: func(out *findings, f File) {
		if f.Kind == model.Library {
			return
		}
		for t := range f.ToolsWith(model.Unbound) {
			if t.Kind() == "" || !model.IsToolName(t.Name) || strings.HasPrefix(t.Name, "__") {
				continue
			}
			if len(model.LibraryTools(f.Workspace, f.Path, t.Name)) == 0 {
				out.info(t.NameSpan(), "`%s` is the project's tool of this name: nothing here says what runs it, so it cannot be run from here.", t.Name)
			}
		}
	},
}
