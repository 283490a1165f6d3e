package analysis_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/corpus"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// TestRenameCorpus renames the declarations of the corpus. After each renaming the diagnostics are
// the same, apart from names in them, and the renaming back restores the same bytes.
func TestRenameCorpus(t *testing.T) {
	renamed, refused := 0, 0
	for _, folder := range corpus.Folders(t, "..") {
		// What is broken may be mended by another name, and what has a name of its
		// own in the language is not the same with another.
		if name := filepath.Base(folder); !strings.HasSuffix(name, "broken") {
			t.Run(name, func(t *testing.T) {
				r, no := renameAll(t, folder)
				renamed, refused = renamed+r, refused+no
			})
		}
	}
	if renamed < 10*refused {
		t.Errorf("%d names were renamed, %d were not", renamed, refused)
	}
}

// renameAll renames the names of one project, or some of them if there are many, one at a time.
func renameAll(t *testing.T, dir string) (renamed, refused int) {
	t.Helper()
	w := project(t, dir)
	before, most := allDiagnostics(w), 12
	if testing.Short() {
		most = 3
	}
	for _, path := range w.Paths() {
		names := declaredIn(w, path)
		for i := 0; i < len(names); i += 1 + len(names)/most {
			at := w.File(path).WrittenSpan(names[i])
			name := placeholder.RootName(w.File(path).Text()[at.Start:at.End])
			w2, edits, err := renamedTo(w, path, names[i].Start, name+"_zz")
			if name == "call_transfer" {
				continue
			}
			if err != nil {
				t.Logf("%s: %s: %v", path, name, err)
				refused++
				continue
			}
			renamed++
			if after := allDiagnostics(w2); !slices.Equal(before, after) {
				t.Errorf("%s: with another name for %s\n%s", path, name, difference(before, after))
			}
			back := at.Start
			for _, e := range edits {
				if e.Path == path && w.File(path).WrittenOffset(e.Start) < at.Start {
					back += len("_zz")
				}
			}
			if f := w2.File(path); f.IsYAMLAgent() {
				back = f.Agent.Map.Offset(back)
			}
			w3, _, err := renamedTo(w2, path, back, name)
			if err != nil {
				t.Errorf("%s: %s cannot get its name back: %v", path, name, err)
				continue
			}
			for _, p := range w.Paths() {
				if f := w.File(p); f.Doc != nil && f.Text() != w3.File(p).Text() {
					t.Errorf("%s is not the same after %s of %s got its name back", p, name, path)
				}
			}
		}
	}
	return renamed, refused
}

// project returns a folder of files.
func project(t *testing.T, dir string) model.Workspace { return projectAt(t, dir, "/") }

// projectAt returns a folder of files under another path.
func projectAt(t *testing.T, dir, root string) model.Workspace {
	t.Helper()
	docs := map[string]*syntax.Document{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !model.IsABL(path) && !model.IsProjectFile(path) {
			return err
		}
		raw, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		docs[filepath.Join(filepath.FromSlash(root), rel)] = syntax.Parse(string(raw))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w := model.Workspace{}.WithAll(docs)
	for path := range docs {
		w = model.ReadImports(w, path, func(string) (string, model.Absence) { return "", model.NotFound })
	}
	return w
}

// declaredIn returns the places of the tools, parameters, steps, variables and templates that a
// file declares.
func declaredIn(w model.Workspace, path string) []text.Span {
	f := w.File(path)
	if f.Doc == nil || f.Kind == model.YAML {
		return nil
	}
	var out []text.Span
	for _, t := range f.Tools {
		out = append(out, t.NameSpan())
		for i := range t.Params {
			out = append(out, t.InFile(t.Params[i].NameNode()).Span())
		}
	}
	for _, flow := range f.Flows() {
		for _, s := range flow.Steps {
			out = append(out, s.NameSpan)
		}
	}
	for _, v := range f.Variables() {
		out = append(out, v.Span)
	}
	for _, s := range analysis.DocumentSymbols(w, path) {
		for _, c := range s.Children {
			if s.Name == "TEMPLATES" {
				out = append(out, c.NameSpan)
			}
		}
	}
	return slices.DeleteFunc(out, text.Span.Empty)
}

// renamedTo returns the workspace after a renaming.
func renamedTo(w model.Workspace, path string, offset int, name string) (model.Workspace, []model.FileEdit, error) {
	edits, err := analysis.Rename(context.Background(), w, path, offset, name)
	byPath := map[string][]text.Edit{}
	for _, e := range edits {
		byPath[e.Path] = append(byPath[e.Path], e.Edit)
	}
	for p, own := range byPath {
		after, err := w.File(p).Edited(own...)
		if err != nil {
			return w, nil, err
		}
		w = w.With(p, syntax.Parse(after))
	}
	return w, edits, err
}

// allDiagnostics returns the diagnostics of all files: their places and their codes.
func allDiagnostics(w model.Workspace) []string {
	counts := map[string]int{}
	for _, path := range w.Paths() {
		f := w.File(path)
		if f.Doc == nil {
			continue
		}
		for _, d := range check.Run(context.Background(), w, path, check.Options{}) {
			if slices.Contains([]string{"name-style", "reserved-name", "unbound-tool"}, d.Code) { // which go by the name
				continue
			}
			counts[fmt.Sprintf("%s:%d: %s %s", path, model.LineOf(f, d.Span), d.Severity, d.Code)]++
		}
	}
	var out []string
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, fmt.Sprint(key, " ×", counts[key]))
	}
	return out
}

// difference returns what only one of two lists has.
func difference(before, after []string) string {
	var out []string
	for _, s := range before {
		if !slices.Contains(after, s) {
			out = append(out, "- "+s)
		}
	}
	for _, s := range after {
		if !slices.Contains(before, s) {
			out = append(out, "+ "+s)
		}
	}
	return strings.Join(out, "\n")
}

// TestRenameRefused checks the reasons why a name cannot be changed.
func TestRenameRefused(t *testing.T) {
	w := model.Workspace{}.WithAll(map[string]*syntax.Document{
		"/a.agent.abl": syntax.Parse(`AGENT: A
GOAL: "x"
TOOLS:
  file: "./b.tools.abl" [remote]
  local(x: string, y: string, z: string) -> string
    type: http
    endpoint: "/{x}/{free}"
    context_access:
      read: [z]
  broken(half: string
  half
MEMORY:
  session:
    - seen
    - z
FLOW:
  s:
    REASONING: false
    CALL: local
    THEN: t
  t:
    REASONING: false
    CALL: elsewhere
    SET: other = seen
    THEN: nowhere
TEMPLATES:
  hello: "x"
  bye: "x"
`),
		"/b.cases.yaml": syntax.Parse("remote: [\n"),
		"/b.tools.abl":  syntax.Parse("TOOLS:\n  remote() -> string\n    description: \"x\"\n  second() -> string\n    description: \"x\"\n"),
	})
	for _, tt := range []struct{ at, to, reason string }{
		{"local(", "two words", "no name for a tool"},
		{"local(", "9", "no name for a tool"},
		{"local(", "__local", "means something in the language"},
		{"local(", "remote", "is taken: a tool is called so in b.tools.abl, line 2"},
		{"local(", "elsewhere", "is taken: a tool is called so in a.agent.abl, line 23"},
		{"remote", "local", "is taken: a tool is called so in a.agent.abl, line 5"},
		{"remote", "second", "is taken: a tool is called so in b.tools.abl, line 4"},
		{"x: string", "y", "is taken: a parameter is called so in a.agent.abl, line 5"},
		{"x: string", "free", "is taken: a parameter is called so in a.agent.abl, line 7"},
		{"x: string", "secrets", "means something in the language"},
		{"z: string", "other", "also stands in a.agent.abl, line 9"},
		{"s:\n    REAS", "t", "is taken: a step is called so in a.agent.abl, line 21"},
		{"s:\n    REAS", "nowhere", "is taken: a step is called so in a.agent.abl, line 25"},
		{"s:\n    REAS", "COMPLETE", "means something in the language"},
		{"s:\n    REAS", "entry_point", "means something in the language"},
		{"seen", "other", "is taken: a variable is called so in a.agent.abl, line 24"},
		{"seen", "session", "means something in the language"},
		{"z\n", "zz", "also stands in a.agent.abl, line 5"},
		{"hello", "bye", "is taken: a template is called so in a.agent.abl, line 28"},
		{"ote]", "far", "b.cases.yaml cannot be read"},
		{"GOAL", "x", "no name here"},
		{"./b.tools", "x", "rename the file"},
	} {
		t.Run(tt.at, func(t *testing.T) {
			at := strings.Index(w.File("/a.agent.abl").Text(), tt.at)
			if edits, err := analysis.Rename(context.Background(), w, "/a.agent.abl", at, tt.to); err == nil || !strings.Contains(err.Error(), tt.reason) {
				t.Errorf("%q to %q: %v, %v; want %s", tt.at, tt.to, edits, err, tt.reason)
			}
		})
	}
	if edits, err := analysis.Rename(context.Background(), w, "/a.agent.abl", strings.Index(w.File("/a.agent.abl").Text(), "local("), "local"); err != nil || len(edits) > 0 {
		t.Errorf("the same name: %v, %v", edits, err)
	}
}

// TestRenameAllocations checks that a file is parsed once for all places in it that are renamed, so
// that the cost of a place does not grow with their number.
func TestRenameAllocations(t *testing.T) {
	const path, most = "/p/a.agent.abl", 85
	perPlace := func(calls int) float64 {
		source := "AGENT: A\nGOAL: \"Find 🧭\"\n\nTOOLS:\n  find(query: string) -> {total: number}\n    description: \"Finds\"\n\nFLOW:\n"
		for i := range calls {
			source += fmt.Sprintf("  s%d:\n    REASONING: false\n    CALL: find\n    THEN: s%d\n", i, (i+1)%calls)
		}
		w := model.Workspace{}.With(path, syntax.Parse(source))
		return testing.AllocsPerRun(3, func() {
			edits, err := analysis.Rename(t.Context(), w, path, strings.Index(source, "find("), "search")
			if err != nil || len(edits) != calls+1 {
				t.Fatalf("%d edits, %v", len(edits), err)
			}
		}) / float64(calls)
	}
	few, many := perPlace(20), perPlace(400)
	t.Logf("%.0f and %.0f allocations a place", few, many)
	if many > most || many > few {
		t.Errorf("%.0f allocations for each of 20 places, %.0f for each of 400; budget %d", few, many, most)
	}
}
