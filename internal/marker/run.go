package marker

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Answers are the functions by which a test answers the notes of one fixture.
type Answers struct {
	// Diagnostics returns the diagnostics of a file. A nil function leaves out the check
	// that they are the expected ones.
	Diagnostics func(path string) []model.Diagnostic
	// Kinds returns, by the kind of a note, what the note expects: one line, or the
	// content of a golden member.
	Kinds map[string]func(n Note) string
}

// Run runs each fixture in the folder dir in a subtest. answers returns the functions that
// answer the notes of a fixture. Each note must expect what its answer is, and for each
// diagnostic there must be a note that expects it. A note of a kind for which Answers has
// no function fails the test, but notes of diagnostics are skipped if Diagnostics is nil.
// With the flag -update, Run checks nothing and rewrites the fixtures.
func Run(t *testing.T, dir string, answers func(t *testing.T, f *Fixture) Answers) {
	t.Helper()
	RunFixtures(t, dir, Load(t, dir), answers)
}

// RunFixtures is like [Run] for some fixtures of the folder dir.
func RunFixtures(t *testing.T, dir string, fixtures []*Fixture, answers func(t *testing.T, f *Fixture) Answers) {
	t.Helper()
	for _, f := range fixtures {
		t.Run(f.Name, func(t *testing.T) {
			a := answers(t, f)
			if *update {
				f.update(t, dir, a)
				return
			}
			if a.Diagnostics != nil {
				f.checkDiagnostics(t, a)
			}
			for _, n := range f.Notes {
				if n.Kind != "diag" {
					f.checkNote(t, n, a)
				}
			}
		})
	}
}

func (f *Fixture) checkNote(t *testing.T, n Note, a Answers) {
	t.Helper()
	kind := a.Kinds[n.Kind]
	if kind == nil {
		t.Errorf("%s: nothing here knows notes of kind %q", f.Position(n), n.Kind)
		return
	}
	if diff := cmp.Diff(n.Want, kind(n)); diff != "" {
		t.Errorf("%s: %s %s (-want +got):\n%s", f.Position(n), n.Kind, n.literal, diff)
	}
}

// diagnosticPattern matches the text of a note of kind diag: severity, code, and a regular
// expression for the message.
var diagnosticPattern = regexp.MustCompile(`^(\w+) ([\w-]+) ("(?:[^"\\]|\\.)*")$`)

// Expects reports whether a note of kind diag expects a diagnostic of a file.
func (n Note) Expects(path string, d model.Diagnostic) bool {
	groups := diagnosticPattern.FindStringSubmatch(n.Want)
	if n.Kind != "diag" || groups == nil || path != n.Path || d.Span != n.Span {
		return false
	}
	message, err := strconv.Unquote(groups[3])
	if err != nil {
		return false
	}
	matched, err := regexp.MatchString(message, d.Message)
	return err == nil && matched && groups[1] == d.Severity.String() && groups[2] == d.Code
}

func (f *Fixture) checkDiagnostics(t *testing.T, a Answers) {
	t.Helper()
	met := make([]bool, len(f.Notes))
	for _, path := range f.Files {
		for _, d := range a.Diagnostics(path) {
			if i := f.noteExpecting(met, path, d); i >= 0 {
				met[i] = true
			} else if !f.NeedsNoNote(d) {
				t.Errorf("%s: not expected", f.describeDiagnostic(path, d))
			}
		}
	}
	for i, n := range f.Notes {
		if n.Kind == "diag" && !met[i] {
			t.Errorf("%s: not reported: %s %s", f.Position(n), n.literal, n.Want)
		}
	}
}

// noteExpecting returns the index of a note that expects a diagnostic and is not met yet, -1 if
// there is none.
func (f *Fixture) noteExpecting(met []bool, path string, d model.Diagnostic) int {
	for i, n := range f.Notes {
		if !met[i] && n.Expects(path, d) {
			return i
		}
	}
	return -1
}

// NeedsNoNote reports whether a diagnostic needs no note: an information or a hint needs one
// only if the fixture is about its code.
func (f *Fixture) NeedsNoNote(d model.Diagnostic) bool {
	return d.Code != f.Name && !f.notedCodes[d.Code] && (d.Severity >= model.Information || d.Code == "undefined-agent")
}

func (f *Fixture) describeDiagnostic(path string, d model.Diagnostic) string {
	n := Note{Path: path, Span: d.Span}
	return fmt.Sprintf("%s: %q %s %s %q", f.Position(n), f.TextOf(path, d.Span), d.Severity, d.Code, d.Message)
}

// TextOf returns the text that a span of a file has in what its author writes.
func (f *Fixture) TextOf(path string, s text.Span) string {
	in := f.Workspace.File(path)
	s = in.WrittenSpan(s)
	return in.Written().Doc.Text()[s.Start:s.End]
}

// update rewrites the archive: the texts of all notes, and the notes of diagnostics,
// which it adds and removes.
func (f *Fixture) update(t *testing.T, dir string, a Answers) {
	t.Helper()
	lines := map[string][]string{} // by member
	for _, m := range f.archive.Files {
		lines[m.Name] = strings.Split(string(m.Data), "\n")
	}
	drop := map[string]map[int]bool{}
	met := make([]bool, len(f.Notes))
	added := map[string]map[int][]string{} // by member and line that they follow
	for _, path := range f.Files {
		if a.Diagnostics == nil {
			break
		}
		for _, d := range a.Diagnostics(path) {
			if i := f.noteExpecting(met, path, d); i >= 0 {
				met[i] = true
				continue
			}
			if f.NeedsNoNote(d) {
				continue
			}
			member, after, line := f.noteFor(path, d)
			if added[member] == nil {
				added[member] = map[int][]string{}
			}
			added[member][after] = append(added[member][after], line)
		}
	}
	golden := map[string]string{}
	for i, n := range f.Notes {
		if n.Kind == "diag" {
			if !met[i] && a.Diagnostics != nil {
				if drop[n.member] == nil {
					drop[n.member] = map[int]bool{}
				}
				drop[n.member][n.line] = true
			}
			continue
		}
		kind := a.Kinds[n.Kind]
		if kind == nil {
			t.Errorf("%s: nothing here knows notes of kind %q", f.Position(n), n.Kind)
			continue
		}
		got := kind(n)
		if n.golden != "" {
			golden[n.golden] = got + "\n"
			continue
		}
		line := lines[n.member][n.line]
		at := strings.Index(line, n.literal) + len(n.literal)
		lines[n.member][n.line] = line[:at] + " " + strconv.Quote(got)
	}
	out := &txtar.Archive{Comment: f.archive.Comment}
	for _, m := range f.archive.Files {
		if text, ok := golden[m.Name]; ok {
			out.Files = append(out.Files, txtar.File{Name: m.Name, Data: []byte(text)})
			delete(golden, m.Name)
			continue
		}
		var kept []string
		for i, line := range lines[m.Name] {
			if !drop[m.Name][i] {
				kept = append(kept, line)
			}
			kept = append(kept, added[m.Name][i]...)
		}
		out.Files = append(out.Files, txtar.File{Name: m.Name, Data: []byte(strings.Join(kept, "\n"))})
	}
	for _, n := range f.Notes {
		if text, ok := golden[n.golden]; ok {
			out.Files = append(out.Files, txtar.File{Name: n.golden, Data: []byte(text)})
			delete(golden, n.golden)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, f.Name+".txtar"), txtar.Format(out), 0o644); err != nil {
		t.Fatal(err)
	}
}

// noteFor returns a note that expects a diagnostic, and the member and the line after which
// it belongs.
func (f *Fixture) noteFor(path string, d model.Diagnostic) (member string, after int, note string) {
	in := f.Workspace.File(path)
	doc, span := in.Written().Doc, in.WrittenSpan(d.Span)
	at := doc.Lines().Line(span.Start)
	line := doc.Lines().LineText(at)
	source := doc.Text()[line.Start:line.End]
	start := span.Start - line.Start
	end := min(span.End, line.End) - line.Start
	literal := strconv.Quote(source[start:max(start, end)])
	if before := strings.Count(source[:start], source[start:max(start, end)]); before > 0 && end > start {
		literal += "#" + strconv.Itoa(before+1)
	}
	member = f.Rel(path)
	return member, at, fmt.Sprintf("#@ diag %s %s %s %s", literal, d.Severity, d.Code, strconv.Quote(regexp.QuoteMeta(d.Message)))
}
