package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkExport exports files with many tools. Five times as many tools should take
// five times as long.
func BenchmarkExport(b *testing.B) {
	for name, tools := range map[string]struct{ head, one string }{
		"tools.abl":  {"TOOLS:\n", "  t%d(a: string) -> object\n    description: \"d\"\n    type: http\n    endpoint: \"https://a.example.com/{a}\"\n    method: GET\n"},
		"tools.yaml": {"sources: {s: {kind: sqlite, database: a.db}}\ntools:\n", "  t%d: {kind: sqlite-sql, source: s, description: d, statement: SELECT $1, parameters: [{name: a, type: string, description: d}]}\n"},
	} {
		for _, n := range []int{1000, 5000} {
			text := []byte(tools.head)
			for i := range n {
				text = fmt.Appendf(text, tools.one, i)
			}
			file := filepath.Join(b.TempDir(), name)
			if err := os.WriteFile(file, text, 0o600); err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					var errs strings.Builder
					if code := run(b.Context(), []string{"export", "--to", "mcp", file}, nil, io.Discard, &errs); code != exitOK {
						b.Fatalf("exit %d: %s", code, errs.String())
					}
				}
			})
		}
	}
}
