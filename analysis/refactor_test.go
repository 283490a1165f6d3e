package analysis_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/refactor"
	"github.com/abl-lsp/abl-lsp/internal/corpus"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// changing are the refactorings that change tools in more than their text, with a function that
// removes the difference.
var changing = map[string]func(*tool.Tool){
	"confirmation": func(t *tool.Tool) { t.Confirmation = nil },
	"effects":      func(t *tool.Tool) { t.Hints.SideEffects = "" },
}

// inverses are the refactorings that revert each other.
var inverses = map[string]string{"block": "inline", "inline": "block"}

// TestRefactorCorpus makes each refactoring wherever whole projects offer it, except those that
// move tools or write an agent in the other dialect: the tools are resolved as before, no error and no warning is new, no comment is lost,
// and a file with Windows line ends keeps them.
func TestRefactorCorpus(t *testing.T) {
	every, made := 3, map[string]int{}
	if testing.Short() {
		every = 29
	}
	n := 0
	for _, w := range corpusProjects(t) {
		windows := withWindowsEnds(w)
		for _, path := range w.Paths() {
			for _, x := range refactoringsIn(w, path) {
				x.windows = windows
				if n++; n%every == 0 {
					x.check(t)
					made[x.refactoring.Name]++
				}
			}
		}
	}
	for name := range changing {
		if made[name] == 0 {
			t.Errorf("%s is made nowhere", name)
		}
	}
	t.Log(made)
}

// corpusProjects returns the projects that are mostly right.
func corpusProjects(t *testing.T) []model.Workspace {
	t.Helper()
	var all []model.Workspace
	for _, folder := range corpus.Folders(t, "..") {
		all = append(all, projectAt(t, folder, "/"+filepath.Base(folder)))
	}
	return all
}

// refactoringTrial is a refactoring at one place.
type refactoringTrial struct {
	w           model.Workspace
	path        string
	at          text.Span
	refactoring refactor.Refactoring
	windows     model.Workspace // the same with Windows line ends
}

// refactoringsIn returns all refactorings of a file, each at the first place that offers it.
func refactoringsIn(w model.Workspace, path string) []refactoringTrial {
	f := w.File(path)
	if f.Doc == nil || f.IsYAMLAgent() {
		return nil
	}
	var all []refactoringTrial
	before := map[string]bool{}
	for line := range f.Doc.Lines().LineCount() {
		span := f.Doc.Lines().LineText(line)
		written := strings.TrimLeft(f.Text()[span.Start:span.End], " \t")
		at := text.Span{Start: span.End - len(written), End: span.End - len(written)}
		here := map[string]bool{}
		for _, r := range refactor.Refactorings(w, path, at, func(k refactor.RefactorKind) bool { return k == refactor.RewriteKind }) {
			key := r.Name + r.Title
			// Cases of a tool that is wrong are wrong, too.
			wrong := r.Name == "case" && strings.Contains(filepath.ToSlash(path), "/broken/")
			converts := r.Name == "dialect" // which has a test of its own, in analysis/convert
			if here[key] = true; !before[key] && r.Disabled == "" && !wrong && !converts {
				all = append(all, refactoringTrial{w: w, path: path, at: at, refactoring: r})
			}
		}
		before = here
	}
	return all
}

func (x refactoringTrial) check(t *testing.T) {
	t.Helper()
	edits, err := x.refactoring.Edits(t.Context(), withMissingFiles(x.w, x.refactoring.Reads))
	if err != nil {
		return
	}
	after := x.apply(t, x.w, edits)
	what := x.path + ": " + x.refactoring.Title
	for _, path := range x.touched(edits) {
		x.sameTools(t, what, after, path)
		x.noWorse(t, what, after, path)
		x.keepsComments(t, what, after, path)
	}
	x.keepsLineEnds(t, what, after, x.touched(edits))
	x.isUndone(t, what, after)
}

// touched returns the files for which edits may mean something.
func (x refactoringTrial) touched(edits []model.FileEdit) []string {
	paths := []string{x.path}
	for _, e := range edits {
		paths = append(append(paths, e.Path), x.w.Importers(e.Path)...)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

func (x refactoringTrial) apply(t *testing.T, w model.Workspace, edits []model.FileEdit) model.Workspace {
	t.Helper()
	byPath := map[string][]text.Edit{}
	for _, e := range edits {
		byPath[e.Path] = append(byPath[e.Path], e.Edit)
	}
	for path, own := range byPath {
		source := ""
		if f := w.File(path); f != nil && f.Doc != nil {
			source = f.Text()
		}
		changed, err := text.Apply(source, own...)
		if err != nil {
			t.Fatalf("%s: %v", x.path, err)
		}
		w = w.With(path, syntax.Parse(changed))
	}
	return w
}

// lowered returns the tools that a file can name, without the differences that the refactoring
// makes.
func (x refactoringTrial) lowered(w model.Workspace, path string) map[string]string {
	tools := map[string]string{}
	if f := w.File(path); f == nil || f.Doc == nil {
		return tools
	}
	for _, l := range model.LowerAll(w, path) {
		if change := changing[x.refactoring.Name]; change != nil {
			change(&l.Tool)
		}
		raw, _ := json.Marshal(l.Tool)
		tools[l.Tool.Name] = string(raw)
	}
	return tools
}

func (x refactoringTrial) sameTools(t *testing.T, what string, after model.Workspace, path string) {
	t.Helper()
	tools := x.lowered(after, path)
	for name, was := range x.lowered(x.w, path) {
		if tools[name] != was {
			t.Errorf("%s: %s (-before +after):\n%s\n%s", what, name, cmp.Diff(was, tools[name]), after.File(x.path).Text())
		}
	}
}

// noWorse checks that there are not more errors and warnings of each code than before.
func (x refactoringTrial) noWorse(t *testing.T, what string, after model.Workspace, path string) {
	t.Helper()
	type kind struct {
		code     string
		severity model.Severity
	}
	count := map[kind]int{}
	for _, d := range check.Run(t.Context(), x.w, path, check.Options{}) {
		count[kind{d.Code, d.Severity}]++
	}
	for _, d := range check.Run(t.Context(), after, path, check.Options{}) {
		of := kind{d.Code, d.Severity}
		if count[of]--; count[of] < 0 && d.Severity <= model.Warning && d.Code != "name-style" { // a library's names are held to more
			t.Errorf("%s leads to %s in %s: %s\n%s", what, d.Code, path, d.Message, after.File(path).Text())
		}
	}
}

func (x refactoringTrial) keepsComments(t *testing.T, what string, after model.Workspace, path string) {
	t.Helper()
	if f := x.w.File(path); f == nil || f.Doc == nil {
		return
	}
	if was, is := comments(x.w.File(path)), comments(after.File(path)); !slices.Equal(was, is) {
		t.Errorf("%s: the comments (-before +after):\n%s", what, cmp.Diff(was, is))
	}
}

// comments returns the comments of a file, sorted.
func comments(f *model.File) []string {
	var all []string
	for _, s := range f.Doc.Sections() {
		for _, e := range slices.Concat([]syntax.PositionedEntry{s.Head}, s.Entries) {
			for n := range e.Root().Preorder() {
				if n.Kind() == syntax.Comment {
					all = append(all, strings.TrimSpace(n.Text()))
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

// withWindowsEnds returns a workspace with Windows line ends.
func withWindowsEnds(w model.Workspace) model.Workspace {
	for _, path := range w.Paths() {
		if f := w.File(path); f.Doc != nil {
			w = w.With(path, syntax.Parse(crlf(f.Text())))
		}
	}
	return w
}

// keepsLineEnds makes the same refactoring in the workspace with Windows line ends.
func (x refactoringTrial) keepsLineEnds(t *testing.T, what string, after model.Workspace, touched []string) {
	t.Helper()
	windows := x.windows
	at := len(crlf(x.w.File(x.path).Text()[:x.at.Start]))
	r, ok := refactor.FindRefactoring(windows, x.path, text.Span{Start: at, End: at}, x.refactoring.Name, x.refactoring.Title)
	if !ok {
		t.Errorf("%s is not offered in a file with Windows line ends", what)
		return
	}
	edits, err := r.Edits(t.Context(), withMissingFiles(windows, r.Reads))
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
	windows = x.apply(t, windows, edits)
	for _, path := range touched {
		if f := after.File(path); f.Doc != nil && windows.File(path).Text() != crlf(f.Text()) {
			t.Errorf("%s: with Windows line ends\n%q\nwithout\n%q", what, windows.File(path).Text(), f.Text())
		}
	}
}

func crlf(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
}

// isUndone checks that the inverse of a refactoring restores the old text, apart from spaces.
func (x refactoringTrial) isUndone(t *testing.T, what string, after model.Workspace) {
	t.Helper()
	back := inverses[x.refactoring.Name]
	for _, r := range refactor.Refactorings(after, x.path, x.at, func(refactor.RefactorKind) bool { return true }) {
		if r.Name != back || r.Disabled != "" {
			continue
		}
		edits, err := r.Edits(t.Context(), after)
		if err != nil {
			t.Errorf("%s: taking it back: %v", what, err)
			continue
		}
		if withoutBlanks(x.apply(t, after, edits).File(x.path)) == withoutBlanks(x.w.File(x.path)) {
			return
		}
	}
	if back != "" {
		t.Errorf("%s: %s does not take it back\n%s", what, back, after.File(x.path).Text())
	}
}

// withoutBlanks returns a text without spaces and line ends.
func withoutBlanks(f *model.File) string { return strings.Join(strings.Fields(f.Text()), "") }

// withMissingFiles returns the workspace that knows that the files at unmentioned paths are
// missing.
func withMissingFiles(w model.Workspace, paths []string) model.Workspace {
	for _, path := range paths {
		if w.File(path) == nil {
			w = w.WithMissing(path, model.NotFound)
		}
	}
	return w
}
