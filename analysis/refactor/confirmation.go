package refactor

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// addConfirmation makes the platform ask a person before it runs a tool that changes something, or
// may. The person's answer fixes all parameters.
func addConfirmation(s selection) []Refactoring {
	t, ok := s.tool()
	if !ok {
		return nil
	}
	lowered := model.LowerTool(s.w, s.file.Path, model.ScopedTool{PositionedTool: t, File: s.file}).Tool
	if mutates := lowered.Mutates(); mutates != nil && !*mutates {
		return nil
	}
	r := Refactoring{Title: "Ask for confirmation before `" + t.Name + "` runs"}
	if lowered.Confirmation != nil {
		r.Disabled = "`" + t.Name + "` says already when it asks for confirmation"
	}
	lines := []string{"confirmation:", "\trequire: always"}
	if names := paramNames(t.ToolDecl); len(names) > 0 {
		lines = append(lines, "\timmutable_params: ["+strings.Join(names, ", ")+"]")
	}
	r.edits = ownFileEdits(edit.AppendLines(s.file, t, lines...))
	return []Refactoring{r}
}

// paramNames returns the complete names in the signature, each once.
func paramNames(d *model.ToolDecl) []string {
	var names []string
	for i, p := range d.Params {
		if p.Name != "" && d.ParamIndex(p.Name) == i {
			names = append(names, p.Name)
		}
	}
	return names
}
