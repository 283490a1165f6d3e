package check

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/corpus"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// project is one folder of the corpus.
type project struct {
	dir   string
	names []string          // of its files, with slashes
	texts map[string]string // those of abl.yaml and of what is exported with it as well
}

func projects(t testing.TB) []project {
	t.Helper()
	var out []project
	for _, dir := range corpus.Folders(t, "../..") {
		p := project{dir: dir, texts: map[string]string{}}
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !model.HasPublicNames(path) {
				return err
			}
			raw, err := os.ReadFile(path)
			name, _ := filepath.Rel(dir, path)
			if model.IsABL(path) {
				p.names = append(p.names, filepath.ToSlash(name))
			}
			p.texts[filepath.ToSlash(name)] = string(raw)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

func (p project) path(name string) string {
	return filepath.Join(string(filepath.Separator), filepath.Base(p.dir), filepath.FromSlash(name))
}

func (p project) workspace() model.Workspace {
	var w model.Workspace
	for name, source := range p.texts {
		w = w.With(p.path(name), syntax.Parse(source))
	}
	for _, name := range p.names {
		w = model.ReadImports(w, p.path(name), p.readModule)
	}
	return w
}

// readModule reads a module of the project. The other files that its files name are read already.
func (p project) readModule(path string) (string, model.Absence) {
	name, err := filepath.Rel(p.path(""), path)
	if err != nil || filepath.Ext(path) != ".mjs" {
		return "", model.NotFound
	}
	raw, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		return "", model.NotFound
	}
	return string(raw), model.Present
}

// found returns the diagnostics of a project, `FILE:LINE:COLUMN: SEVERITY CODE MESSAGE` each, lines
// and columns from 1.
func (p project) found(w model.Workspace) []string {
	var out []string
	for _, name := range p.names {
		in := w.File(p.path(name)).Positions()
		for _, d := range Run(context.Background(), w, p.path(name), Options{}) {
			at := in.Range(d.Span, text.UTF32).Start
			out = append(out, fmt.Sprintf("%s:%d:%d: %s %s %s", name, at.Line+1, at.Character+1, d.Severity, d.Code, d.Message))
		}
	}
	return out
}

// TestCorpus compares the findings with the expect.txt of each project: what is found in its files, a line each. Most
// files have none. -update rewrites it.
func TestCorpus(t *testing.T) {
	for _, p := range projects(t) {
		t.Run(filepath.Base(p.dir), func(t *testing.T) {
			found := p.found(p.workspace())
			name := filepath.Join(p.dir, "expect.txt")
			if flag.Lookup("update").Value.String() == "true" {
				writeLines(t, name, found)
				return
			}
			raw, err := os.ReadFile(name)
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			expected := strings.FieldsFunc(string(raw), func(r rune) bool { return r == '\n' })
			for _, d := range found {
				if !slices.Contains(expected, d) {
					t.Errorf("not expected: %s", d)
				}
			}
			for _, d := range expected {
				if !slices.Contains(found, d) {
					t.Errorf("not found: %s", d)
				}
			}
		})
	}
}

// TestCorpusStandard checks that what is not in the published language is listed in the two files
// that say so and on the pages of kinds that are not in it, and that nothing more
// is found elsewhere.
func TestCorpusStandard(t *testing.T) {
	extended := []string{"tools/extensions.tools.abl", "tools/calendar.tools.abl"}
	for _, p := range projects(t) {
		w := p.workspace()
		for _, name := range p.names {
			found := Run(context.Background(), w, p.path(name), Options{Standard: true})
			extensions := 0
			for _, d := range found {
				if d.Code == extension.Code {
					extensions++
				}
			}
			if (extensions > 0) != (slices.Contains(extended, name) || p.isOfExtension()) {
				t.Errorf("%s/%s: %d extensions", p.dir, name, extensions)
			}
			if plain := Run(context.Background(), w, p.path(name), Options{}); len(found) != len(plain)+extensions {
				t.Errorf("%s/%s: %s, and without extensions %s", p.dir, name, show(found), show(plain))
			}
		}
	}
}

// isOfExtension reports whether a project is the example of a kind that the published language does
// not have.
func (p project) isOfExtension() bool {
	return slices.ContainsFunc(tool.Kinds(), func(kind tool.Word) bool {
		return kind.Edition == tool.Extension && filepath.Base(p.dir) == "page_"+kind.Name
	})
}

func writeLines(t *testing.T, name string, lines []string) {
	t.Helper()
	var err error
	if len(lines) > 0 {
		err = os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o600)
	} else if err = os.Remove(name); os.IsNotExist(err) {
		err = nil
	}
	if err != nil {
		t.Error(err)
	}
}

// TestCorpusReads checks that a file without errors has no node without a known form, and an
// outline with a symbol for each tool.
func TestCorpusReads(t *testing.T) {
	clean := 0
	for _, p := range projects(t) {
		w := p.workspace()
		for _, name := range p.names {
			f := w.File(p.path(name))
			if f.Kind == model.YAML {
				continue
			}
			if len(analysis.DocumentSymbols(w, f.Path)) == 0 {
				t.Errorf("%s/%s has no symbols", p.dir, name)
			}
			found := Run(context.Background(), w, f.Path, Options{})
			if slices.ContainsFunc(found, func(d model.Diagnostic) bool { return d.Severity == model.Error }) {
				continue
			}
			clean++
			for _, s := range f.Doc.Sections() {
				for _, e := range append([]syntax.PositionedEntry{s.Head}, s.Entries...) {
					for n := range e.Root().Preorder() {
						if n.Kind() == syntax.Invalid {
							t.Errorf("%s/%s: fits no form: %q", p.dir, name, n.Text())
						}
					}
				}
			}
		}
	}
	if clean < 45 {
		t.Errorf("only %d files are without errors", clean)
	}
}

// TestCorpusTyped types every file, line by line, and checks it now and then.
func TestCorpusTyped(t *testing.T) {
	looks := 6
	if testing.Short() {
		looks = 2
	}
	for _, p := range projects(t) {
		var cache Cache
		whole := p.workspace()
		for _, name := range p.names {
			path := p.path(name)
			w := whole.With(path, syntax.Parse(""))
			lines := strings.SplitAfter(p.texts[name], "\n")
			every := 1 + len(lines)/looks
			for i, line := range lines {
				doc := w.File(path).Written().Doc
				end := len(doc.Text())
				w = w.With(path, doc.Apply(text.Edit{Span: text.Span{Start: end, End: end}, NewText: line}))
				if i%every == 0 || i == len(lines)-1 {
					checkSame(t, w, []string{path}, &cache)
				}
			}
			if got := w.File(path).Text(); got != p.texts[name] {
				t.Fatalf("typed %q", got)
			}
		}
	}
}
