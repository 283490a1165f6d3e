package model

import (
	"path/filepath"
	"testing"

	"github.com/abl-lsp/abl-lsp/syntax"
)

// TestHandlersAgain checks that the tools of a service are checked again when the module that
// handles them changes, and that the module is read for them.
func TestHandlersAgain(t *testing.T) {
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	sources := map[string]string{
		"abl.yaml":       "environments: {dev: {services: {github: {module: ./src/h.ts}}}}\n",
		"a.tools.json":   `{"service": "github", "tools": {"list": {"name": "list", "description": "🛫", "inputSchema": {}}}}`,
		"own.tools.json": `{"service": "other", "tools": {"list": {"name": "list", "description": "🛫", "inputSchema": {}}}}`,
		"b.agent.abl":    "AGENT: B\nTOOLS:\n  file: \"./a.tools.json\"\n",
		"src/h.ts":       "export const lists = async () => [];",
	}
	w := ReadImports(Workspace{}.With(at("b.agent.abl"), syntax.Parse(sources["b.agent.abl"])), at("b.agent.abl"), func(path string) (string, Absence) {
		name, _ := filepath.Rel(root, path)
		if source, ok := sources[filepath.ToSlash(name)]; ok {
			return source, Present
		}
		return "", NotFound
	})
	w = w.With(at("own.tools.json"), syntax.Parse(sources["own.tools.json"]))
	exported := func(want string) {
		t.Helper()
		found := Handlers(w, w.File(at("a.tools.json")))
		if len(found) != 1 {
			t.Fatalf("handlers are %v", found)
		}
		if names, complete := w.File(found[0].Target).ExportedFunctions(); len(names) != 1 || names[0] != want || !complete {
			t.Errorf("the module exports %q, all: %v; want %q", names, complete, want)
		}
	}
	exported("lists")
	w = w.With(at("src/h.ts"), syntax.Parse("export const list = async () => [];"))
	exported("list")
	if got := w.Importers(at("src/h.ts")); len(got) != 3 || got[0] != at("a.tools.json") || got[2] != at("b.agent.abl") {
		t.Errorf("the module is named by %q", got)
	}
}
