package model

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Verdict is the last answer of a database to the question whether it accepts a statement.
type Verdict struct {
	Asked    time.Time `json:"asked"`
	Fault    string    `json:"fault,omitempty"`    // "" if it accepts the statement
	Position int       `json:"position,omitempty"` // of the fault in characters, from 1 on; 0 if it is unknown
}

// StatementKey returns the key of a statement's verdict. After a change, a statement has another
// key, and so no verdict.
func StatementKey(source, statement string) string {
	sum := sha256.Sum256([]byte(source + "\x00" + strings.TrimSpace(statement)))
	return hex.EncodeToString(sum[:16])
}

// StatementRoot returns the folder of the project that the file at path belongs to: that of its
// abl.yaml, else its own; "" for a document without a file.
func StatementRoot(w Workspace, path string) string {
	if !filepath.IsAbs(path) {
		return ""
	}
	return filepath.Dir(w.Dotenv(path))
}

// WithVerdicts returns the workspace that knows the verdicts on the statements of a project, by
// [StatementKey].
func (w Workspace) WithVerdicts(root string, verdicts map[string]Verdict) Workspace {
	w.verdicts = withKey(w.verdicts, root, verdicts)
	return w
}

// VerdictsAt returns the verdicts of the project in a folder; nil if none are known.
func (w Workspace) VerdictsAt(root string) map[string]Verdict { return w.verdicts[root] }

// StatementRoots returns the folders of the projects whose statements have verdicts.
func StatementRoots(w Workspace) []string { return slices.Sorted(maps.Keys(w.verdicts)) }

// Statement is the statement of an SQL tool, or of its `verify` or `revert`, with its place.
type Statement struct {
	Tool   ScopedTool
	Text   string // as the tool has it
	Source string
	place  func(text.Span) text.Span // returns the place in the file of a part of written

	written   string
	Names     []string // the parameters that are bound, in order
	templates []tool.Param

	step  string   // verify or revert, if the statement is that of the step; "" for the tool's own
	ofRun []string // of a step: the parameters of the tool
}

// Statements returns the statements that the file at path declares, in order.
func Statements(w Workspace, path string) []Statement {
	f := w.File(path)
	if f == nil || f.Doc == nil {
		return nil
	}
	var all []Statement
	for t := range f.ToolsWith(IsSQL) {
		if s, ok := StatementOf(w, ScopedTool{PositionedTool: t, File: f}); ok {
			all = append(all, s)
		}
	}
	return all
}

// StatementOf returns the statement of a tool; ok is false if it has none.
func StatementOf(w Workspace, t ScopedTool) (s Statement, ok bool) {
	if t.Kind() != tool.KindSQL {
		return Statement{}, false
	}
	lowered := LowerTool(w, t.File.Path, t).Tool
	return newStatement(t, "", lowered.Spec, paramNames(lowered.Params))
}

// newStatement returns the statement of a tool's own binding, or of a step; ok is false if none can
// be found in the text.
func newStatement(t ScopedTool, step string, spec tool.Spec, names []string) (s Statement, ok bool) {
	sql, ok := spec.(*tool.SQL)
	if !ok || strings.TrimSpace(sql.Statement) == "" {
		return Statement{}, false
	}
	s = Statement{Tool: t, Text: sql.Statement, Source: sql.Source, Names: names, templates: sql.Templates(), step: step}
	return s, s.findText()
}

// paramNames returns the names of parameters.
func paramNames(params []tool.Param) []string {
	var names []string
	for _, p := range params {
		names = append(names, p.Name)
	}
	return names
}

// findText finds the place at which the statement is written.
func (s *Statement) findText() bool {
	if !s.Tool.IsForeign() {
		path := []string{"statement"}
		if s.step != "" {
			path = []string{s.step, "statement"}
		}
		p, ok := FindProperty(s.Tool.Properties(), path...)
		if ok {
			s.setPropertyPlace(p)
		}
		return ok
	}
	for _, x := range NaoTexts(s.Tool.File, s.Tool.PositionedTool, cmp.Or(s.step, "binding")) {
		if x.Key == "statement" {
			s.setForeignPlace(x.TextSpan())
			return true
		}
	}
	for key, n := range TextsOf(s.Tool.File, s.Tool.PositionedTool) {
		if key == "statement" && s.step == "" && s.Tool.File.Foreign.System != "nao" {
			s.setForeignPlace(n.TextSpan())
			return true
		}
	}
	return false
}

// setForeignPlace sets the place of a statement in a foreign file.
func (s *Statement) setForeignPlace(inner text.Span) {
	s.written = s.Tool.File.Doc.Text()[inner.Start:inner.End]
	s.place = func(at text.Span) text.Span { return at.Shift(inner.Start) }
}

// setPropertyPlace sets the place of a statement that is the value of a property.
func (s *Statement) setPropertyPlace(p Property) {
	body := p.Value.EmbeddedText()
	s.written = body.Text
	s.place = func(at text.Span) text.Span { return body.Span(at).Shift(s.Tool.Offset) }
}

// VerdictOf returns the last verdict on s as its text is now; ok is false if there is none.
func VerdictOf(w Workspace, s Statement) (v Verdict, ok bool) {
	v, ok = w.verdicts[StatementRoot(w, s.Tool.File.Path)][StatementKey(s.Source, s.Text)]
	return v, ok
}

// faultWord matches a word that a database names in a fault.
var faultWord = lazyregexp.New("no such [a-z ]+: ([\\w.]+)|\"([^\"]+)\"|'([^']+)'|`([^`]+)`")

// Place returns the part of the statement that a verdict is about: the word that it names, at its
// position if it has one; else the first line.
func (s Statement) Place(v Verdict) text.Span {
	near := s.offsetOf(v.Position)
	for _, m := range faultWord.FindAllStringSubmatch(v.Fault, -1) {
		name := m[1] + m[2] + m[3] + m[4]
		words := append([]string{name, name[strings.LastIndexByte(name, '.')+1:]}, strings.Fields(name)...)
		for _, word := range words[:min(len(words), 3)] {
			if at, ok := s.nearest(word, near); ok {
				return s.place(at)
			}
		}
	}
	return s.place(s.firstLine())
}

// statementPrefix are the characters that may be before the text of a statement.
const statementPrefix = " \t\r\n|>+-\"'"

// offsetOf returns the offset in the written text of a position of a verdict. It may be off by some
// characters: the database gets other placeholders.
func (s Statement) offsetOf(position int) int {
	at := len(s.written) - len(strings.TrimLeft(s.written, statementPrefix))
	for range position - 1 {
		_, size := utf8.DecodeRuneInString(s.written[min(at, len(s.written)):])
		at += size
	}
	return at
}

// nearest returns the place of word in the statement, as a whole word, that is closest to an
// offset. ok is false if the statement does not have the word.
func (s Statement) nearest(word string, offset int) (at text.Span, ok bool) {
	if word == "" {
		return at, false
	}
	form, err := regexp.Compile(`(?i)(^|[^\w])(` + regexp.QuoteMeta(word) + `)($|[^\w])`)
	if err != nil {
		return at, false
	}
	distance := func(s text.Span) int { return max(offset-s.Start, s.Start-offset) }
	for from := 0; from < len(s.written); {
		m := form.FindStringSubmatchIndex(s.written[from:])
		if m == nil {
			break
		}
		found := text.Span{Start: m[4], End: m[5]}.Shift(from)
		if !ok || distance(found) < distance(at) {
			at, ok = found, true
		}
		from = found.End
	}
	return at, ok
}

// firstLine returns the first line that is not blank.
func (s Statement) firstLine() text.Span {
	start := len(s.written) - len(strings.TrimLeft(s.written, statementPrefix))
	end := len(s.written)
	if i := strings.IndexAny(s.written[start:], "\r\n"); i >= 0 {
		end = start + i
	}
	return text.Span{Start: start, End: max(start, end)}
}

// ExcessPlaceholders returns the placeholders of a statement whose number is larger than the number
// of parameters, each with its place, and the number of parameters.
func (s Statement) ExcessPlaceholders() (marks []Word, params int) {
	for _, n := range s.NumberedPlaceholders() {
		if n.Index > len(s.Names) {
			marks = append(marks, Word{n.Name, n.Span})
		}
	}
	return marks, len(s.Names)
}
