package model

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/syntax"
)

// TestNamedFiles checks that files that name others are checked again when these change.
func TestNamedFiles(t *testing.T) {
	var w Workspace
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	for name, source := range map[string]string{
		"abl.yaml":     "services: {github: {module: ./src/h.ts}}\nenvironments: {dev: {services: {github: {module: './{{env.X}}.mjs'}}}}\n",
		"a.tools.abl":  "TOOLS:\n  one(x: string) -> string\n    type: module\n    module: \"./src/h.ts\"\n    input_schema: ./in.json\n    output_schema: {type: string}\n",
		"b.tools.abl":  "TOOLS:\n  two() -> string\n    type: http\n    module: ./src/h.ts\n",
		"c.agent.abl":  "AGENT: C\nTOOLS:\n  file: \"./a.tools.abl\"\n",
		"other.ts":     "export const a = 1;",
		"d.cases.yaml": "module: ./src/h.ts\n",
	} {
		w = w.With(at(name), syntax.Parse(source))
	}
	for path, want := range map[string]string{
		"src/h.ts": "a.tools.abl abl.yaml c.agent.abl", "in.json": "a.tools.abl c.agent.abl", "other.ts": "",
	} {
		t.Run(path, func(t *testing.T) {
			var got []string
			for _, p := range w.Importers(at(path)) {
				got = append(got, filepath.Base(p))
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s is named by %q, want %q", path, got, want)
			}
		})
	}
	if wanted := PathsToRead(w, at("c.agent.abl")); !slices.Contains(wanted, at("src/h.ts")) || !slices.Contains(wanted, at("in.json")) {
		t.Errorf("wanted are %q", wanted)
	}
}
