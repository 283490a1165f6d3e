package analysis_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// countingContext is a context that is done when it is asked for the nth time.
type countingContext struct {
	context.Context
	asked, most int
}

func (c *countingContext) Err() error {
	c.asked++
	if c.most > 0 && c.asked >= c.most {
		return context.Canceled
	}
	return nil
}

// TestCancelledWork checks that work on many files ends soon after its context is done.
func TestCancelledWork(t *testing.T) {
	const files = 100
	const library = "/w/t.tools.abl"
	docs := map[string]*syntax.Document{library: syntax.Parse("TOOLS:\n  find(a: string) -> string\n")}
	for i := range files {
		docs[fmt.Sprintf("/w/a%d.agent.abl", i)] = syntax.Parse(fmt.Sprintf(
			"AGENT: A%d\nGOAL: x\nTOOLS:\n  file: \"./t.tools.abl\" [find]\nFLOW:\n  s:\n    REASONING: false\n    CALL: find(a = 1)\n    THEN: COMPLETE\n", i))
	}
	w := model.Workspace{}.WithAll(docs)
	name := w.File(library).Tools[0].NameSpan().Start
	tool, ok := analysis.CallerAt(w, library, name)
	if !ok {
		t.Fatal("there is no tool")
	}
	for what, do := range map[string]func(context.Context){
		"references": func(ctx context.Context) { analysis.References(ctx, w, library, name) },
		"rename": func(ctx context.Context) {
			if edits, err := analysis.Rename(ctx, w, library, name, "other"); ctx.(*countingContext).most > 0 && err == nil && len(edits) > 0 {
				t.Errorf("rename gives %d edits of a part", len(edits))
			}
		},
		"calls":   func(ctx context.Context) { analysis.IncomingCalls(ctx, w, tool) },
		"symbols": func(ctx context.Context) { analysis.WorkspaceSymbols(ctx, w, "A") },
		"files": func(ctx context.Context) {
			analysis.RenameFiles(ctx, w, []analysis.Move{{From: library, To: "/w/u.tools.abl"}}, nil)
		},
	} {
		t.Run(what, func(t *testing.T) {
			whole := &countingContext{Context: context.Background()}
			do(whole)
			if whole.asked < files {
				t.Errorf("%s of %d files asks %d times whether to go on", what, files, whole.asked)
			}
			const most = files / 10
			stopped := &countingContext{Context: context.Background(), most: most}
			do(stopped)
			if stopped.asked > most+5 {
				t.Errorf("%s asks %d times more after the end", what, stopped.asked-most)
			}
		})
	}
}
