package analysis

import (
	"fmt"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/syntax"
)

// BenchmarkCursor asks in the middle of files of two sizes: what a question
// costs does not follow the size of the file.
func BenchmarkCursor(b *testing.B) {
	for _, lines := range []int{1000, 10000} {
		source := manyTools(lines)
		at := strings.Index(source[len(source)/2:], "{id}") + len(source)/2 + 2
		w := Workspace{}.With("/a.tools.abl", syntax.Parse(source))
		for name, ask := range map[string]func(){
			"hover":      func() { w.Hover("/a.tools.abl", at) },
			"definition": func() { w.Definition("/a.tools.abl", at) },
			"completion": func() { w.Completion("/a.tools.abl", at, nil) },
		} {
			b.Run(fmt.Sprintf("%s/%d", name, lines), func(b *testing.B) {
				for b.Loop() {
					ask()
				}
			})
		}
	}
}

// manyTools is a library of about the given number of lines.
func manyTools(lines int) string {
	var b strings.Builder
	b.WriteString("TOOLS:\n")
	for i := range lines / 5 {
		fmt.Fprintf(&b, "  find_%d(id: string, limit: number = 3) -> string\n    description: \"Finds.\"\n    type: http\n    endpoint: \"/a/{id}\"\n    method: GET\n", i)
	}
	return b.String()
}
