package refactor

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/abl-lsp/abl-lsp/analysis/convert"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// dialectName is the name of the refactoring that is offered for agents in YAML, too.
const dialectName = "dialect"

// convertDialect writes an agent in the other dialect into a file beside it. It is offered on the
// lines down to the first one that is no comment. If something would be lost, there is a second
// action that loses it.
func convertDialect(s selection) []Refactoring {
	written := s.file.Written()
	lines := written.Doc.Lines()
	first := model.FirstLine(written.Doc.Text())
	if s.file.Kind != model.Agent && s.file.Kind != model.Supervisor || !filepath.IsAbs(s.file.Path) ||
		lines.Line(s.file.WrittenOffset(s.Start)) > lines.Line(first.Start) {
		return nil
	}
	to, name := "yaml", "YAML"
	if s.file.IsYAMLAgent() {
		to, name = "abl", "ABL"
	}
	converted, err := convert.To(to, s.file, nil)
	if err != nil {
		return nil
	}
	path := model.PathInDialect(s.file.Path, to == "yaml")
	r := Refactoring{
		Title: "Convert to " + name, Reads: []string{path}, Creates: path, Opens: path,
		edits: func(_ context.Context, w model.Workspace) ([]model.FileEdit, error) {
			if f := w.File(path); f != nil && f.Absent != model.NotFound {
				return nil, fmt.Errorf("%s exists already", filepath.Base(path))
			}
			return []model.FileEdit{{Path: path, Edit: text.Insertion(0, converted.Text)}}, nil
		},
	}
	if len(converted.Lost) == 0 {
		return []Refactoring{r}
	}
	lossy := r
	lossy.Title = fmt.Sprintf("Convert to %s, and lose what has no form there (%d)", name, len(converted.Lost))
	r.Disabled = lossReason(lines, converted.Lost)
	return []Refactoring{r, lossy}
}

// lossReason names the first of the things that would be lost.
func lossReason(lines *text.Lines, lost []convert.Loss) string {
	reason := fmt.Sprintf("line %d: %s", lines.Line(lost[0].Span.Start)+1, lost[0].Message)
	if n := len(lost) - 1; n > 0 {
		reason += fmt.Sprintf(" %d more would be lost, too.", n)
	}
	return reason
}
