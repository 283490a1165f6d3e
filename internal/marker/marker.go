// Package marker runs fixtures: files of ABL whose comments say what is expected of
// them.
//
// A fixture is a txtar archive. Its comment describes it; a word there that begins
// with a dash is a flag (-crlf: the files have Windows line ends; -standard: they
// are checked by the published language; -tracked: a .env is under version control).
// The environment has one variable, HOME.
// Its members are the files of a workspace, except the files in a folder .known next
// to an abl.yaml: .known/SERVER.json is the list of tools of a server of that
// project, and .known/statements.json has the verdicts of databases on statements.
// A note is a comment line:
//
//	    metod: GET
//	#@ diag "metod" warning unknown-property "did you mean"
//	#@ hover "me|tod" "…what the hover says…"
//	#@ complete "me|tod" @golden
//
// The literal is looked for in the nearest line above that is no note; `"x"#2`
// means its second occurrence there. A bar in the literal is the cursor; without one
// the cursor is at its start. The rest of the note is the expected result: a quoted
// text, or the name of a member with that text. If a comment is not possible (in a
// pipe block, or because it would change the result), the note is a line
// `FILE:LINE: KIND "literal" …` of the member `expect`.
//
// Diagnostics are exhaustive: every error and warning of every fixture must have a
// note, whatever kinds of notes a test runs. An information or a hint needs one only
// if its code is the fixture's name; the same holds for undefined-agent, since most
// fixtures hand over to agents that they do not contain. With the flag -noted in its
// comment, a fixture also needs notes for every information and hint whose code
// appears in any of its notes. The flag -update rewrites the notes.
package marker

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

var update = flag.Bool("update", false, "rewrite what the fixtures expect")

// Root is the folder of the files of every fixture.
const Root = "/fixture"

// Fixture is one archive.
type Fixture struct {
	Name      string // of the archive, without .txtar
	Workspace model.Workspace
	Files     []string // paths, in the order of the archive
	Notes     []Note
	Standard  bool // only the published language is allowed

	Dotenvs map[string]string // the text of each .env, by path; they are not in Files
	Tracked bool              // these are under version control

	Listings map[string]map[string]model.ServerListing // by project and server; they are not in Files
	Verdicts map[string][]StatementVerdict             // by project; they are not in Files

	notedCodes map[string]bool // every diagnostic with one of these codes needs a note
	archive    *txtar.Archive
	crlf       bool
}

// Note is one expectation.
type Note struct {
	Kind   string
	Path   string    // of the file that it is about
	Span   text.Span // of the literal
	Cursor int
	Want   string // the rest of the line, a golden member's text in its place

	line    int // of the note, in its member
	literal string
	golden  string // name of the member that holds Want, or ""
	member  string // name of the member that has the note
}

// Position returns the position of a note's literal, for messages.
func (f *Fixture) Position(n Note) string {
	at := f.Workspace.File(n.Path).Positions().Range(n.Span, text.UTF32).Start
	return fmt.Sprintf("%s.txtar %s:%d:%d", f.Name, f.Rel(n.Path), at.Line+1, at.Character+1)
}

// ParseMoves parses a list of moved files, `FROM -> TO, FROM -> TO`.
func ParseMoves(list string) []analysis.Move {
	var moves []analysis.Move
	for move := range strings.SplitSeq(list, ", ") {
		if from, to, ok := strings.Cut(move, " -> "); ok {
			moves = append(moves, analysis.Move{From: filepath.Join(Root, from), To: filepath.Join(Root, to)})
		} else { // a comma in a name
			moves[len(moves)-1].To += ", " + move
		}
	}
	return moves
}

// Rel returns the name in the archive of a path of the fixture.
func (f *Fixture) Rel(path string) string {
	return filepath.ToSlash(strings.TrimPrefix(path, Root+string(filepath.Separator)))
}

// Load reads the archives below a folder.
func Load(t testing.TB, dir string) []*Fixture {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures in %s", dir)
	}
	fixtures := make([]*Fixture, len(paths))
	for i, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Parse(strings.TrimSuffix(filepath.Base(path), ".txtar"), raw)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		fixtures[i] = f
	}
	return fixtures
}

// Parse reads one archive.
func Parse(name string, raw []byte) (*Fixture, error) {
	f := &Fixture{Name: name, archive: txtar.Parse(raw), Dotenvs: map[string]string{}, Listings: map[string]map[string]model.ServerListing{}, Verdicts: map[string][]StatementVerdict{}}
	flags := strings.Fields(string(f.archive.Comment))
	f.crlf, f.Standard = slices.Contains(flags, "-crlf"), slices.Contains(flags, "-standard")
	f.Tracked = slices.Contains(flags, "-tracked")
	for _, m := range f.archive.Files {
		if m.Name == "expect" || strings.HasPrefix(m.Name, "@") {
			continue
		}
		path := filepath.Join(Root, filepath.FromSlash(m.Name))
		if IsKnownFile(path) {
			if err := f.addKnownFile(path, m.Data); err != nil {
				return nil, err
			}
			continue
		}
		source := string(m.Data)
		if f.crlf {
			source = strings.ReplaceAll(source, "\n", "\r\n")
		}
		if model.IsDotenv(path) {
			f.Dotenvs[path] = source
		} else {
			f.Files = append(f.Files, path)
		}
		f.Workspace = f.Workspace.With(path, syntax.Parse(source))
	}
	f.Workspace = f.Workspace.WithEnvironmentVariables([]string{"HOME"})
	for _, path := range model.UncheckedDotenvs(f.Workspace) {
		f.Workspace = f.Workspace.WithTracked(path, f.Tracked)
	}
	absent := func(string) (string, model.Absence) { return "", model.NotFound }
	for _, path := range f.Files {
		f.Workspace = model.ReadImports(f.Workspace, path, absent)
	}
	for root, listings := range f.Listings {
		f.Workspace = f.Workspace.WithServers(root, listings)
	}
	for root, all := range f.Verdicts {
		f.Workspace = WithVerdicts(f.Workspace, root, all)
	}
	if err := f.readNotes(); err != nil {
		return nil, err
	}
	if slices.Contains(flags, "-noted") {
		f.notedCodes = map[string]bool{}
		for _, n := range f.Notes {
			if groups := diagnosticPattern.FindStringSubmatch(n.Want); n.Kind == "diag" && groups != nil {
				f.notedCodes[groups[2]] = true
			}
		}
	}
	return f, nil
}

var noteLine = regexp.MustCompile(`^\s*#@ (\w+)\s+("(?:[^"\\]|\\.)*")(?:#(\d+))?\s*(.*)$`)

func (f *Fixture) readNotes() error {
	for _, m := range f.archive.Files {
		lines := strings.Split(string(m.Data), "\n")
		for i, line := range lines {
			if m.Name == "expect" {
				if err := f.readExpect(i, line); err != nil {
					return err
				}
				continue
			}
			groups := noteLine.FindStringSubmatch(line)
			if groups == nil {
				if strings.HasPrefix(strings.TrimSpace(line), "#@") {
					return fmt.Errorf("%s:%d: this is no note: %s", m.Name, i+1, line)
				}
				continue
			}
			target := i - 1
			for target >= 0 && strings.HasPrefix(strings.TrimSpace(lines[target]), "#@") {
				target--
			}
			if err := f.addNote(m.Name, i, m.Name, target, groups); err != nil {
				return err
			}
		}
	}
	return nil
}

var expectLine = regexp.MustCompile(`^(.+?):(\d+): (.*)$`)

func (f *Fixture) readExpect(i int, line string) error {
	if strings.TrimSpace(line) == "" {
		return nil
	}
	place := expectLine.FindStringSubmatch(line)
	if place == nil {
		return fmt.Errorf("expect:%d: want FILE:LINE: KIND …, not %s", i+1, line)
	}
	groups := noteLine.FindStringSubmatch("#@ " + place[3])
	if groups == nil {
		return fmt.Errorf("expect:%d: this is no note: %s", i+1, place[3])
	}
	target, _ := strconv.Atoi(place[2])
	return f.addNote("expect", i, place[1], target-1, groups)
}

// addNote adds the note in line i of a member. target is the line of a file that the
// note is about.
func (f *Fixture) addNote(member string, i int, file string, target int, groups []string) error {
	path := filepath.Join(Root, filepath.FromSlash(file))
	in := f.Workspace.File(path)
	if in == nil || in.Doc == nil || target < 0 || target >= in.Written().Doc.Lines().LineCount() {
		return fmt.Errorf("%s:%d: there is no line %d in %s", member, i+1, target+1, file)
	}
	literal, err := strconv.Unquote(groups[2])
	if err != nil {
		return fmt.Errorf("%s:%d: %s: %w", member, i+1, groups[2], err)
	}
	n := Note{Kind: groups[1], Path: path, Want: groups[4], line: i, member: member, literal: groups[2]}
	before, after, cursor := strings.Cut(literal, "|")
	needle := before + after
	doc := in.Written().Doc
	line := doc.Lines().LineText(target)
	source := doc.Text()[line.Start:line.End]
	at, nth := 0, 1
	if groups[3] != "" {
		nth, _ = strconv.Atoi(groups[3])
		n.literal += "#" + groups[3]
	}
	for k := range nth {
		found := strings.Index(source[at:], needle)
		if found < 0 {
			return fmt.Errorf("%s:%d: line %d of %s has no %q (occurrence %d): %s", member, i+1, target+1, file, needle, k+1, source)
		}
		at += found
		if k < nth-1 {
			at += max(1, len(needle))
		}
	}
	n.Span = text.Span{Start: line.Start + at, End: line.Start + at + len(needle)}
	n.Cursor = n.Span.Start
	if cursor {
		n.Cursor += len(before)
	}
	if in.IsYAMLAgent() {
		n.Span, n.Cursor = in.InFile(n.Span), in.Agent.Map.Offset(n.Cursor)
	}
	if strings.HasPrefix(n.Want, "@") {
		n.golden = n.Want
		n.Want = strings.TrimSuffix(f.member(n.golden), "\n")
	} else if unquoted, err := strconv.Unquote(n.Want); err == nil {
		n.Want = unquoted
	}
	f.Notes = append(f.Notes, n)
	return nil
}

func (f *Fixture) member(name string) string {
	for _, m := range f.archive.Files {
		if m.Name == name {
			return string(m.Data)
		}
	}
	return ""
}
