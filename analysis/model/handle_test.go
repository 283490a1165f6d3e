package model

import (
	"runtime"
	"slices"
	"testing"

	"github.com/abl-lsp/abl-lsp/syntax"
)

const handledSource = "AGENT: A\nGOAL: \"🧭\"\n\nTOOLS:\n  file: \"./lib.tools.abl\" [ping]\n\nHANDOFF:\n  - TO: B\n    WHEN: true\n"

// TestHandle reads an unused file again, and returns the same file to all who use it.
func TestHandle(t *testing.T) {
	const path = "/w/a.agent.abl"
	h := Workspace{}.Caching(NewFileCache(0)).NewHandle(path, handledSource)
	runtime.GC()
	if h.loadedFile() != nil {
		t.Error("a file is still there that nobody uses")
	}
	f := h.File()
	if f.Text() != handledSource || len(f.Doc.Sections()) != 4 || len(f.Imports) != 1 || f.Summary != h.Summary {
		t.Errorf("it reads otherwise: %d sections, imports %v", len(f.Doc.Sections()), f.Imports)
	}
	runtime.GC()
	if h.File() != f {
		t.Error("two who ask at once have two files")
	}
	if !h.UsesWorkspace() || !slices.Equal(h.Imported(), []string{"/w/lib.tools.abl"}) || h.AgentName().Text != "A" || !slices.Equal(h.partners(), []string{"B"}) {
		t.Errorf("the summary is %v, %v, %v, %v", h.UsesWorkspace(), h.Imported(), h.AgentName(), h.partners())
	}
	runtime.KeepAlive(f)
}

// TestFileCache checks that the last files are kept as far as their texts have room.
func TestFileCache(t *testing.T) {
	w := Workspace{}.Caching(NewFileCache(2 * len(handledSource)))
	var handles []*Handle
	for _, path := range []string{"/a.agent.abl", "/b.agent.abl", "/c.agent.abl"} {
		handles = append(handles, w.NewHandle(path, handledSource))
	}
	runtime.GC()
	for i, want := range []bool{false, true, true} {
		if sameEntry := handles[i].loadedFile() != nil; sameEntry != want {
			t.Errorf("%s is kept: %v", handles[i].Path, sameEntry)
		}
	}
}

// TestImportersAreKept checks that a version of a file that leads to the same files leaves the
// importers of all files as they are.
func TestImportersAreKept(t *testing.T) {
	const path = "/w/a.agent.abl"
	w := Workspace{}.With(path, syntax.Parse(handledSource)).With("/w/lib.tools.abl", syntax.Parse("TOOLS:\n  ping() -> object\n"))
	importers := func(w Workspace) []string { return w.Importers("/w/lib.tools.abl") }
	if got := importers(w); !slices.Equal(got, []string{path}) {
		t.Fatalf("importers are %v", got)
	}
	same := w.With(path, syntax.Parse(handledSource+"# end\n"))
	if same.importers != w.importers {
		t.Error("the importers are read anew")
	}
	other := w.With(path, syntax.Parse("AGENT: A\n"))
	if got := importers(other); len(got) > 0 {
		t.Errorf("without the import they are %v", got)
	}
	renamed := w.With("/w/lib.tools.abl", syntax.Parse("TOOLS:\n  pong() -> object\n"))
	if got := importers(renamed); !slices.Equal(got, []string{path}) {
		t.Errorf("with another tool they are %v", got)
	}
}
