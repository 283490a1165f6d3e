package check

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/refactor"
	"github.com/abl-lsp/abl-lsp/internal/marker"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// TestFixes checks every fix of every diagnostic of the fixtures: the problem is gone, nothing gets
// worse anywhere, and a file with Windows line ends keeps them.
func TestFixes(t *testing.T) {
	seen, tried := 0, fixCounts{}
	for _, f := range fixed(t) {
		t.Run(f.name, func(t *testing.T) {
			for _, path := range f.files {
				seen += checkFixes(t, f, path, tried)
				checkFixAll(t, f, path)
			}
		})
	}
	if seen == 0 {
		t.Error("no diagnostic has a fix")
	}
}

// fixCounts counts how often a fix was tried, by the code of its diagnostic and its title, or a
// suppression.
type fixCounts map[string]int

// enough says that a short run has tried enough similar fixes.
func (n fixCounts) enough(code, title string) bool {
	words := strings.Fields(title)
	kind := code + " " + strings.Join(words[:min(2, len(words))], " ")
	n[kind]++
	return testing.Short() && n[kind] > 2
}

// revealed are errors and warnings that a fix cannot avoid: it writes what is meant, and only then
// the problems of that are visible. They are listed by the fixed code.
var revealed = map[string][]string{
	"binding-without-type": {"missing-property"},                      // nobody knew what belongs to the tool
	"removed-section":      {"unresolved-import"},                     // the removed form's path was not looked for
	"unresolved-import":    {"unknown-import-name", "undefined-tool"}, // of a file that imports the one that was made, and of cases
	"trailing-comment":     {"unused-suppression"},                    // it did not count where it stood
	"unused-suppression":   {"unused-suppression"},
	// What a line without its colon or dash means shows only with it.
	"syntax-error": {"platform-loss", "syntax-error", "unknown-property", "missing-property", "invalid-value", "duplicate-property", "undefined-step", "undefined-tool"},
	// What a misspelt name means shows only when it is put right.
	"invalid-value":  {"missing-property", "misplaced-property", "auth-config", "unknown-property"},
	"undefined-tool": {"call-arguments", "duplicate-property"},
	// Calls do not know of a new parameter.
	"call-arguments":        {"call-arguments"},
	"path-parameter":        {"call-arguments"},
	"unknown-template-name": {"call-arguments"},
	"unknown-property":      {"missing-property", "misplaced-property", "auth-config", "binding-without-type", "invalid-value", "duplicate-property"},
	"unknown-parameter":     {"duplicate-property"},
	"mcp-schema":            {"mcp-schema", "call-arguments"},
	"unused-tool":           {"read-before-write"}, // it set what another one reads
	"unknown-section":       {"invalid-value", "binding-without-type", "unknown-property", "misplaced-property"},
}

// fixFixture is a fixture with both kinds of line ends.
type fixFixture struct {
	name    string
	files   []string
	unix    model.Workspace
	windows model.Workspace
	cache   *Cache                        // of both
	before  map[string][]model.Diagnostic // of unix, by path
}

// fixed returns the fixtures of all checks, those of the fixes themselves, and the corpus.
func fixed(t *testing.T) []fixFixture {
	t.Helper()
	var all []fixFixture
	for _, dir := range []string{fixtures, filepath.Join(filepath.Dir(fixtures), "fix")} {
		for _, f := range marker.Load(t, dir) {
			all = append(all, newFixing(f.Name, f.Files, f.Workspace))
		}
	}
	for _, p := range projects(t) {
		var files []string
		for _, name := range p.names {
			files = append(files, p.path(name))
		}
		all = append(all, newFixing(filepath.Base(p.dir), files, p.workspace()))
	}
	return all
}

func newFixing(name string, files []string, w model.Workspace) fixFixture {
	x := fixFixture{name: name, files: files, unix: w, windows: w, cache: new(Cache), before: map[string][]model.Diagnostic{}}
	for _, path := range w.Paths() {
		if w.File(path).Doc == nil {
			continue
		}
		unix := strings.ReplaceAll(w.File(path).Text(), "\r\n", "\n")
		x.unix = x.unix.With(path, syntax.Parse(unix))
		x.windows = x.windows.With(path, syntax.Parse(strings.ReplaceAll(unix, "\n", "\r\n")))
	}
	return x
}

func (f fixFixture) found(w model.Workspace, path string) []model.Diagnostic {
	return Run(context.Background(), w, path, Options{Cache: f.cache})
}

// foundBefore returns the diagnostics of a file before any fix.
func (f fixFixture) foundBefore(path string) []model.Diagnostic {
	found, ok := f.before[path]
	if !ok {
		found = f.found(f.unix, path)
		f.before[path] = found
	}
	return slices.Clone(found)
}

// checkFixes tries the fixes of one file and returns how many there are.
func checkFixes(t *testing.T, f fixFixture, path string, tried fixCounts) int {
	t.Helper()
	unix, windows := f.foundBefore(path), checkLineEndFix(t, f, path)
	if len(unix) != len(windows) {
		t.Errorf("%s: %d diagnostics with \\n, %d with \\r\\n", path, len(unix), len(windows))
		return 0
	}
	seen := 0
	for i, d := range unix {
		checkMenu(t, d)
		if len(d.Fixes) != len(windows[i].Fixes) {
			t.Errorf("%s: %q: %d fixes with \\n, %d with \\r\\n", path, d.Message, len(d.Fixes), len(windows[i].Fixes))
			continue
		}
		for k, fix := range d.Fixes {
			seen++
			if fix.Rename != "" /* which changes no text */ || tried.enough(d.Code, fix.Title) {
				continue
			}
			x := applyFix(t, f, f.unix, path, fix)
			x.isGone(t, d)
			x.isNoWorse(t, fmt.Sprintf("%s: %q", d.Code, fix.Title), revealed[d.Code]...)
			checkLineEnds(t, x.after, applyFix(t, f, f.windows, path, windows[i].Fixes[k]).after)
		}
	}
	return seen
}

// checkLineEndFix tries the fix of a file's line ends, if there is one, and returns the other
// diagnostics.
func checkLineEndFix(t *testing.T, f fixFixture, path string) []model.Diagnostic {
	t.Helper()
	return slices.DeleteFunc(f.found(f.windows, path), func(d model.Diagnostic) bool {
		if len(d.Fixes) != 1 || !d.Fixes[0].LineEnds {
			return false
		}
		x := applyFix(t, f, f.windows, path, d.Fixes[0])
		x.isGone(t, d)
		if strings.Contains(x.after.File(path).Text(), "\r\n") {
			t.Errorf("%s still has line ends of Windows", path)
		}
		return true
	})
}

// checkMenu checks the titles of the fixes in a menu.
func checkMenu(t *testing.T, d model.Diagnostic) {
	t.Helper()
	titles := map[string]bool{}
	for i, f := range d.Fixes {
		if f.Title == "" || !unicode.IsUpper([]rune(f.Title)[0]) || strings.HasSuffix(f.Title, ".") || titles[f.Title] {
			t.Errorf("%s: the title %q is empty, small, a sentence or there already", d.Code, f.Title)
		}
		if f.Best && i > 0 {
			t.Errorf("%s: the best fix %q is not the first", d.Code, f.Title)
		}
		titles[f.Title] = true
	}
}

// fixResult is a fixture after a fix.
type fixResult struct {
	fixFixture
	path    string // of the fixed file
	unfixed model.Workspace
	after   model.Workspace
	edits   map[string][]text.Edit
}

func applyFix(t *testing.T, f fixFixture, w model.Workspace, path string, fix model.Fix) fixResult {
	t.Helper()
	x := change(t, f, w, path, model.Edits(w, path, fix))
	if a := fix.Accept; a != nil {
		listing := w.Servers(path).Server(a.Server).ServerListing
		listing.Accepted = listing.Tools
		x.after = x.after.WithServers(a.Root, map[string]model.ServerListing{a.Server: listing})
	}
	return x
}

func change(t *testing.T, f fixFixture, w model.Workspace, path string, edits []model.FileEdit) fixResult {
	t.Helper()
	x := fixResult{f, path, w, w, map[string][]text.Edit{}}
	for _, e := range edits {
		x.edits[e.Path] = append(x.edits[e.Path], e.Edit)
	}
	for name, edits := range x.edits {
		for i := range edits {
			edits[i].Span = w.File(name).WrittenSpan(edits[i].Span)
		}
		f := w.File(name)
		if f == nil || f.Doc == nil && f.Absent != model.NotFound {
			t.Errorf("%s is neither there nor missing", name)
		}
		changed, err := editedText(f, edits)
		if err != nil {
			t.Fatal(err)
		}
		x.after = x.after.With(name, syntax.Parse(changed))
	}
	return x
}

// foundAfter returns the diagnostics of a file after the fix, with spans in what its author writes.
func (x fixResult) foundAfter(path string) []model.Diagnostic {
	return model.InWritten(x.after.File(path), x.found(x.after, path))
}

// editedText returns the text of a file after edits; the file need not exist.
func editedText(f *model.File, edits []text.Edit) (string, error) {
	if f == nil || f.Doc == nil {
		return text.Apply("", edits...)
	}
	return text.Apply(f.Text(), edits...)
}

// movedSpan returns the span of a file after the fix: the old text and everything that replaced it.
func (x fixResult) movedSpan(path string, s text.Span) text.Span {
	s = x.unfixed.File(path).WrittenSpan(s)
	for _, e := range slices.Backward(inOrder(x.edits[path])) {
		if e.End < s.Start || e.End == s.Start && e.Start < s.Start {
			s.Start += e.Delta()
		} else if e.Start < s.Start {
			s.Start = e.Start
		}
		if e.Start < s.End && e.End > s.End {
			s.End = e.End
		}
		if e.Start <= s.End {
			s.End += e.Delta()
		}
	}
	return s
}

func inOrder(edits []text.Edit) []text.Edit {
	return slices.SortedStableFunc(slices.Values(edits), func(a, b text.Edit) int { return a.Start - b.Start })
}

// isGone checks that the diagnostic is not reported again in its place.
func (x fixResult) isGone(t *testing.T, d model.Diagnostic) {
	t.Helper()
	at := x.movedSpan(x.path, d.Span)
	for _, left := range x.foundAfter(x.path) {
		if left.Code == d.Code && left.Message == d.Message && left.Span.Start < max(at.End, at.Start+1) && at.Start < max(left.Span.End, left.Span.Start+1) {
			t.Errorf("%s is still there: %s\n%s", d.Code, d.Message, x.after.File(x.path).Text())
		}
	}
}

// isNoWorse checks that no error and no warning is new in any file, except those of some codes.
func (x fixResult) isNoWorse(t *testing.T, what string, aside ...string) {
	t.Helper()
	for _, path := range x.after.Paths() {
		before := x.foundBefore(path)
		for _, d := range x.foundAfter(path) {
			known := slices.IndexFunc(before, func(b model.Diagnostic) bool {
				return b.Code == d.Code && (b.Message == d.Message || x.movedSpan(path, b.Span).Touches(d.Span.Start))
			})
			switch {
			case known >= 0:
				before = slices.Delete(before, known, known+1)
			case d.Severity <= model.Warning && !slices.Contains(aside, d.Code):
				t.Errorf("%s leads to %s in %s: %s\n%s", what, d.Code, path, d.Message, x.after.File(path).Text())
			}
		}
	}
}

// checkLineEnds checks that a fix changes a file with Windows line ends in the same way as one
// without.
func checkLineEnds(t *testing.T, unix, windows model.Workspace) {
	t.Helper()
	for _, path := range unix.Paths() {
		one, two := unix.File(path), windows.File(path)
		if one.Doc == nil {
			continue
		}
		want := strings.ReplaceAll(one.Text(), "\n", "\r\n")
		if diff := cmp.Diff(want, two.Text()); diff != "" {
			t.Errorf("%s with \\r\\n (-want +got):\n%s", path, diff)
		}
	}
}

// checkFixAll checks that fixing all problems makes nothing worse and leaves nothing to fix.
func checkFixAll(t *testing.T, f fixFixture, path string) {
	t.Helper()
	check := func(w model.Workspace) []model.Diagnostic { return f.found(w, path) }
	edits, err := refactor.FixAll(f.unix, path, check)
	if err != nil {
		t.Fatal(err)
	}
	var own []model.FileEdit
	for _, e := range edits {
		own = append(own, model.FileEdit{Path: path, Edit: e})
	}
	x := change(t, f, f.unix, path, own)
	x.isNoWorse(t, "fixing all", slices.Concat(slices.Collect(maps.Values(revealed))...)...)
	again, err := refactor.FixAll(x.after, path, check)
	if err != nil || len(again) > 0 {
		t.Errorf("%s: fixing all again changes %v, %v\n%s", path, again, err, x.after.File(path).Text())
	}
}
