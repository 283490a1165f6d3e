package disk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func importing(names ...string) string {
	text := "TOOLS:\n"
	for _, name := range names {
		text += "  file: \"./" + name + "\"\n"
	}
	return text
}

func anything(string) bool { return true }
func nothing(string) bool  { return false }

func TestComplete(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("b.tools.abl"), importing("c.tools.abl", "b.tools.abl", "../forbidden/d.tools.abl"))
	write(t, at("c.tools.abl"), "TOOLS:\n  t() -> string\n")
	write(t, at("big.tools.abl"), strings.Repeat("#\n", syntax.MaxBytes))
	write(t, at("notes.txt"), "not ours")
	if err := os.Mkdir(at("folder.tools.abl"), 0o700); err != nil {
		t.Fatal(err)
	}
	root := at("a.agent.abl")
	text := importing("b.tools.abl", "none.tools.abl", "folder.tools.abl", "big.tools.abl", "notes.txt")
	w := analysis.Workspace{}.With(root, syntax.Parse(text))
	var files Files
	w = files.Complete(w, []string{root}, func(path string) bool { return strings.HasPrefix(path, dir) })

	if tools, _ := w.Exports(at("b.tools.abl")); len(tools) != 1 {
		t.Errorf("%d tools through two imports, want 1", len(tools))
	}
	for name, want := range map[string]analysis.Absence{
		"b.tools.abl":              analysis.Present,
		"none.tools.abl":           analysis.NotFound,
		"folder.tools.abl":         analysis.IsFolder,
		"../forbidden/d.tools.abl": analysis.Forbidden,
	} {
		if f := w.File(at(name)); f == nil || f.Absent != want {
			t.Errorf("%s: %+v, want absence %d", name, f, want)
		}
	}
	if n := len(w.File(at("big.tools.abl")).Doc.Text()); n != syntax.MaxBytes+1 {
		t.Errorf("%d bytes of a file too large were read", n)
	}
	if w.File(at("notes.txt")) != nil {
		t.Error("a file was read that is none of the language")
	}
}

func TestRefresh(t *testing.T) {
	dir := t.TempDir()
	root, lib, open := filepath.Join(dir, "a.agent.abl"), filepath.Join(dir, "b.tools.abl"), filepath.Join(dir, "o.tools.abl")
	write(t, lib, "TOOLS:\n")
	write(t, open, "TOOLS:\n")
	buffer := syntax.Parse("# not saved yet")
	w := analysis.Workspace{}.With(root, syntax.Parse(importing("b.tools.abl", "o.tools.abl", "late.tools.abl")))
	var files Files
	w = files.Complete(w, []string{root}, anything)
	w = w.With(open, buffer)
	isOpen := func(path string) bool { return path == root || path == open }

	before := w.File(lib)
	w = files.Refresh(w, isOpen)
	if w.File(lib) != before {
		t.Error("a file was forgotten that has not changed")
	}
	write(t, lib, "TOOLS:\n  t() -> string\n")
	write(t, filepath.Join(dir, "late.tools.abl"), "TOOLS:\n")
	w = files.Complete(files.Refresh(w, isOpen), []string{root}, anything)
	if n := len(w.File(lib).Tools); n != 1 {
		t.Errorf("%d tools in the changed file, want 1", n)
	}
	if f := w.File(filepath.Join(dir, "late.tools.abl")); f.Absent != analysis.Present {
		t.Error("a file that came later is still missing")
	}
	w = files.Complete(files.Forget(w, isOpen, anything), []string{root}, nothing)
	if f := w.File(lib); f.Absent != analysis.Forbidden {
		t.Error("a file is still there that may not be read any more")
	}
	if w.File(open).Doc != buffer {
		t.Error("an open document was replaced")
	}
}

func TestDocumentWithoutFile(t *testing.T) {
	const root = "untitled:Untitled-1"
	write(t, filepath.Join(t.TempDir(), "b.tools.abl"), "TOOLS:\n")
	w := analysis.Workspace{}.With(root, syntax.Parse(importing("disk.go", "b.tools.abl")))
	var files Files
	w = files.Complete(w, []string{root}, anything)
	if f := w.File("b.tools.abl"); f == nil || f.Absent != analysis.NotFound {
		t.Errorf("an import of a document that is no file: %+v", f)
	}
}
