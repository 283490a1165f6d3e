package analysis

import (
	"fmt"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/completion"
	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/benchtext"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// BenchmarkAgent measures features in the middle of an agent of 10,000 lines, in a workspace with a
// library of a thousand tools that it does not import.
func BenchmarkAgent(b *testing.B) {
	const path = "/a.agent.abl"
	source := benchtext.Agent(10000)
	at := func(after string) int {
		return strings.Index(source[len(source)/2:], after) + len(source)/2 + len(after)
	}
	w := model.Workspace{}.With("/lib.tools.abl", syntax.Parse(benchtext.Library(10000))).With(path, syntax.Parse(source))
	for name, ask := range map[string]func(){
		"expression": func() { completion.Complete(b.Context(), w, path, at("IF: "), cursor.Host{}) },
		"member":     func() { completion.Complete(b.Context(), w, path, at("result."), cursor.Host{}) },
		"tools":      func() { completion.Complete(b.Context(), w, path, at("CALL: "), cursor.Host{}) },
		"keys":       func() { completion.Complete(b.Context(), w, path, at("ON_RESULT:\n      "), cursor.Host{}) },
		"steps":      func() { completion.Complete(b.Context(), w, path, at("THEN: "), cursor.Host{}) },
		"signature":  func() { SignatureHelp(w, path, at("WITH:\n        qu")) },
		"hover":      func() { HoverAt(w, path, at("IF: resu")) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				ask()
			}
		})
	}
}

// BenchmarkCursor measures features in the middle of files of two sizes: the cost does not depend
// on the size of the file.
func BenchmarkCursor(b *testing.B) {
	for _, lines := range []int{1000, 10000} {
		source := benchtext.Library(lines)
		at := strings.Index(source[len(source)/2:], "{query}") + len(source)/2 + 2
		w := model.Workspace{}.With("/a.tools.abl", syntax.Parse(source))
		for name, ask := range map[string]func(){
			"hover":      func() { HoverAt(w, "/a.tools.abl", at) },
			"definition": func() { Definition(w, "/a.tools.abl", at) },
			"completion": func() { completion.Complete(b.Context(), w, "/a.tools.abl", at, cursor.Host{}) },
		} {
			b.Run(fmt.Sprintf("%s/%d", name, lines), func(b *testing.B) {
				for b.Loop() {
					ask()
				}
			})
		}
	}
}
