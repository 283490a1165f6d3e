package dialect

import (
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/dialect/abl"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// TestTwice checks that the last of several entries with the same name counts, and that tools keep
// their order, also in an edited file.
func TestTwice(t *testing.T) {
	const source = `sources: {a: {kind: sqlite, database: one.db}}
tools:
  a: {kind: wait, description: One}
  b: {kind: wait, description: Two}
  a: {kind: wait, description: Three}
---
sources: {a: {kind: sqlite, database: two.db}}
---
kind: tools
name: b
type: wait
description: Fo😀r
`
	before := Read("tools.yaml", "# 🛫\n"+source)
	for name, f := range map[string]foreign.File{
		"read":       Read("tools.yaml", source),
		"read again": Reread(&before, "tools.yaml", text.NewLines(source)),
	} {
		t.Run(name, func(t *testing.T) {
			var tools []string
			for _, one := range f.Tools {
				tools = append(tools, one.Tool.Name+": "+one.Description)
			}
			if got := strings.Join(tools, ", "); got != "a: Three, b: Fo😀r" {
				t.Errorf("tools %s", got)
			}
			if got := abl.Project(f.Project); got != "sources:\n  a: {kind: sqlite, database: \"two.db\"}\n" {
				t.Errorf("project %s", got)
			}
		})
	}
}
