package analysis

import (
	"fmt"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/internal/sample"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// BenchmarkCursor asks in the middle of files of two sizes: what a question
// costs does not follow the size of the file.
func BenchmarkCursor(b *testing.B) {
	for _, lines := range []int{1000, 10000} {
		source := sample.Library(lines)
		at := strings.Index(source[len(source)/2:], "{query}") + len(source)/2 + 2
		w := Workspace{}.With("/a.tools.abl", syntax.Parse(source))
		for name, ask := range map[string]func(){
			"hover":      func() { w.Hover("/a.tools.abl", at) },
			"definition": func() { w.Definition("/a.tools.abl", at) },
			"completion": func() { w.Completion(b.Context(), "/a.tools.abl", at, nil) },
		} {
			b.Run(fmt.Sprintf("%s/%d", name, lines), func(b *testing.B) {
				for b.Loop() {
					ask()
				}
			})
		}
	}
}
