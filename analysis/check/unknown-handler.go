package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// unknownHandler: the module of a tool exports the function that handles it. A module whose exports
// cannot all be read is skipped.
var unknownHandler = Check{
	Code: "unknown-handler",
	File: unknownHandlers,
}

func unknownHandlers(out *findings, f File) {
	reported := map[int]bool{} // of a tool with several modules the first one is enough
	for _, h := range model.Handlers(f.Workspace, f.File) {
		names, complete := f.Workspace.File(h.Target).ExportedFunctions()
		if !complete || slices.Contains(names, h.Name) || reported[h.Span.Start] || len(*out) >= maxFindings {
			continue
		}
		reported[h.Span.Start] = true
		d := out.warn(h.Span, "`%s` exports no function `%s`; %s", h.Module, h.Name, model.DidYouMean(h.Name, names, otherHandlers(names)))
		if h.Own {
			offerNear(d, h.Span, h.Name, names)
		}
	}
}

// otherHandlers returns the end of a message: the functions that the module exports.
func otherHandlers(names []string) string {
	const shown = 5
	switch {
	case len(names) == 0:
		return "it exports none at all."
	case len(names) > shown:
		names = append(names[:shown:shown], "…")
	}
	return "it has `" + strings.Join(names, "`, `") + "`."
}
