package check

import (
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// committedSecrets: no `.env` that the project reads is under version control. It is reported once,
// at the first line of abl.yaml that is no comment; without an abl.yaml, in each file.
var committedSecrets = Check{
	Code: "committed-secrets",
	File: func(out *findings, f File) {
		if in, _ := f.Workspace.Project(f.Path); in != nil {
			return
		}
		committedDotenvs(out, f)
	},
	Project: committedDotenvs,
}

func committedDotenvs(out *findings, f File) {
	env, ok := model.CommittedDotenv(f.Workspace, f.Path)
	if !ok {
		return
	}
	out.warn(firstWritten(f.Doc),
		"`%s` is under version control, so whoever gets the project gets its secrets; take it out with `git rm --cached`, list it in `.gitignore`, and change the secrets.",
		relativePath(f.Path, env))
}

// firstWritten returns the first line that is neither blank nor a comment, so that a comment above
// it can suppress the diagnostic; the first line if there is none.
func firstWritten(doc *syntax.Document) text.Span {
	lines := doc.Lines()
	for i := range lines.LineCount() {
		at := lines.LineText(i)
		line := lines.Text()[at.Start:at.End]
		body := strings.TrimLeft(line, " \t\ufeff")
		if body != "" && body[0] != '#' {
			return text.Span{Start: at.End - len(body), End: at.End}
		}
	}
	return lines.LineText(0)
}

// relativePath returns a path relative to the folder of a file.
func relativePath(from, path string) string {
	rel, err := filepath.Rel(filepath.Dir(from), path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}
