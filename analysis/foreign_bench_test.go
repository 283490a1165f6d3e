package analysis

import (
	"fmt"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// toolboxSample is a Toolbox file of about so many lines.
func toolboxSample(lines int) string {
	var b strings.Builder
	b.WriteString("sources:\n  pg: {kind: postgres, host: 127.0.0.1, port: 5432, database: x, user: u, password: \"${PG}\"}\ntools:\n")
	for i := 0; i*10 < lines; i++ {
		fmt.Fprintf(&b, `  search_%d:
    kind: postgres-sql
    source: pg
    description: Finds flights ✈️
    statement: SELECT * FROM flights WHERE airline = $1 LIMIT $2
    parameters:
      - {name: airline, type: string, description: Two letters}
      - name: limit
        type: integer
        description: How many
`, i)
	}
	return b.String()
}

// BenchmarkForeign types in the middle of a Toolbox file, and asks there.
func BenchmarkForeign(b *testing.B) {
	const path = "/p/tools.yaml"
	source := toolboxSample(2000)
	at := strings.Index(source[len(source)/2:], "source: p") + len(source)/2 + len("source: p")
	doc := syntax.Parse(source)
	w := Workspace{}.With(path, doc)
	typed := doc.Apply(text.Edit{Span: text.Span{Start: at, End: at}, NewText: "x"})
	b.Run("keystroke", func(b *testing.B) {
		for b.Loop() {
			w.With(path, typed)
		}
	})
	for name, ask := range map[string]func(){
		"completion": func() { w.Completion(b.Context(), path, at, Beyond{}) },
		"hover":      func() { w.Hover(path, at) },
		"references": func() { w.References(b.Context(), path, at) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				ask()
			}
		})
	}
}
