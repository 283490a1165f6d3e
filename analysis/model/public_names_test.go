package model

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/syntax"
)

// TestNameIndex checks that the index of names after any changes is that of the remaining files,
// and that earlier workspaces keep theirs.
func TestNameIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 4))
	texts := []string{"AGENT: A\nGOAL: \"🧭\"\n", "AGENT: B\n", "TOOLS:\n  ping() -> string\n  pong() -> string\n", "TOOLS:\n  ping() -> string\n", ""}
	var earlier, w Workspace
	var before map[NameKind]map[string][]string
	for i := range 300 {
		path := fmt.Sprintf("/w/f%d.tools.abl", random.IntN(12))
		switch random.IntN(4) {
		case 0:
			w = w.Without(path, path)
		case 1:
			w = w.WithMissing(path, NotFound)
		default:
			w = w.With(path, syntax.Parse(texts[random.IntN(len(texts))]))
		}
		if diff := cmp.Diff(countedNames(w), indexedNames(w)); diff != "" {
			t.Fatalf("after %d changes: %s", i+1, diff)
		}
		if i == 100 {
			earlier, before = w, indexedNames(w)
		}
	}
	if diff := cmp.Diff(before, indexedNames(earlier)); diff != "" {
		t.Errorf("an earlier workspace has changed: %s", diff)
	}
}

func indexedNames(w Workspace) map[NameKind]map[string][]string {
	names := map[NameKind]map[string][]string{}
	for kind := range nameKinds {
		names[kind] = maps.Collect(w.public.all(kind))
	}
	return names
}

// countedNames reads the names of all files.
func countedNames(w Workspace) map[NameKind]map[string][]string {
	names := map[NameKind]map[string][]string{}
	for kind := range nameKinds {
		names[kind] = map[string][]string{}
	}
	for _, path := range w.Paths() {
		for kind, list := range w.Handle(path).publicNames() {
			for _, n := range list {
				names[NameKind(kind)][n.Name] = append(names[NameKind(kind)][n.Name], path)
			}
		}
	}
	return names
}
