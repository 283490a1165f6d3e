package marker

import (
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff shows how a file of the fixture changes or is created: its name and the hunks
// of a unified diff. Notes are left out of both texts, and carriage returns are
// shown as ␍.
func (f *Fixture) Diff(path, after string) string {
	before := ""
	if in := f.Workspace.File(path); in != nil && in.Doc != nil {
		before = in.Written().Doc.Text()
	}
	shown := string(diff.Diff("before", []byte(withoutNotes(before)), "after", []byte(withoutNotes(after))))
	_, hunks, _ := strings.Cut(shown, "\n@@")
	if hunks == "" {
		return f.Rel(path) + ": nothing changes"
	}
	return f.Rel(path) + "\n@@" + strings.ReplaceAll(strings.TrimSuffix(hunks, "\n"), "\r", "␍")
}

func withoutNotes(source string) string {
	var b strings.Builder
	for line := range strings.Lines(source) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#@") {
			b.WriteString(line)
		}
	}
	return b.String()
}
