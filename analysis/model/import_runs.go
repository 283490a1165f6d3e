package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// ImportRun is a sequence of imports on consecutive lines.
type ImportRun struct {
	Span    text.Span // of whole lines, without the last line end
	Stretch int       // runs with the same number have no unknown import between them
	Lines   []*ImportLine
	below   []string // comments
}

// ImportLine is an import with the comments above it.
type ImportLine struct {
	Import
	text   string // of the import's lines
	above  []string
	names  []string // of the bracket list
	Simple bool     // it is on one line, and may be written anew
}

// ImportRuns finds the runs of a file.
func ImportRuns(w Workspace, f *File) []ImportRun {
	r := runReader{w: w, f: f}
	for _, s := range f.Doc.Sections() {
		if s.Head.Kind() != syntax.ToolsSection {
			continue
		}
		for _, e := range s.Entries {
			r.addEntry(e)
		}
		r.endRun()
	}
	return r.runs
}

// runReader collects runs, entry by entry.
type runReader struct {
	w       Workspace
	f       *File
	runs    []ImportRun
	run     ImportRun
	above   []string // comments that no import followed yet
	start   int      // of the first of them
	next    int      // the line that would continue the run
	stretch int
}

func (r *runReader) addEntry(e syntax.PositionedEntry) {
	lines := r.f.Doc.Lines()
	first := lines.Line(e.Offset)
	if first != r.next {
		r.endRun()
	}
	r.next = lines.Line(e.Span().End) + 1
	span := text.Span{Start: lines.LineStart(first), End: e.Span().End}
	switch e.Kind() {
	case syntax.Comment:
		if len(r.above) == 0 {
			r.start = span.Start
		}
		r.above = append(r.above, r.source(span))
	case syntax.Import:
		r.addImport(NewImport(r.f.Path, PositionNode(e.Root(), e.Offset)), span)
	default:
		r.endRun()
	}
}

func (r *runReader) source(s text.Span) string { return r.f.Doc.Text()[s.Start:s.End] }

func (r *runReader) addImport(i Import, span text.Span) {
	if !IsKnownPath(r.w, i) {
		r.endRun()
		r.stretch++
		return
	}
	l := &ImportLine{Import: i, text: r.source(span), above: r.above}
	if len(r.run.Lines) > 0 && indentOf(r.run.Lines[0].text) != indentOf(l.text) {
		r.endRun()
	}
	if r.run.Lines == nil {
		r.run.Span.Start, r.run.Stretch = span.Start, r.stretch
		if len(l.above) > 0 {
			r.run.Span.Start = r.start
		}
	}
	for _, n := range i.Names {
		l.names = append(l.names, n.Text())
	}
	l.names = sortedNames(l.names)
	l.Simple = !strings.ContainsAny(l.text, Breaks) && !i.Contains(syntax.Invalid)
	r.run.Lines = append(r.run.Lines, l)
	r.run.Span.End = span.End
	r.above = nil
}

// IsKnownPath reports whether everything that an import brings is known.
func IsKnownPath(w Workspace, i Import) bool {
	if i.Path == "" || !i.ChildOf(syntax.Text).IsZero() || !IsImportable(i.Path) {
		return false
	}
	_, complete := Imported(w, &i)
	return complete
}

func (r *runReader) endRun() {
	if len(r.run.Lines) > 0 {
		r.runs = append(r.runs, r.run)
	}
	r.run, r.above = ImportRun{}, nil
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// WithoutUnused returns the run without what the diagnostics report as unused. The comments above
// it stay. The lines are copies.
func (run ImportRun) WithoutUnused(found []Diagnostic) ImportRun {
	lines := run.Lines
	run.Lines = nil
	for _, l := range lines {
		l := *l
		l.above = append(run.below, l.above...)
		run.below = nil
		if slices.ContainsFunc(found, func(d Diagnostic) bool { return d.Code == "unused-import" && l.contains(d.Span.Start) }) {
			run.below = l.above
			continue
		}
		run.Lines = append(run.Lines, &l)
	}
	return run
}

// Text returns the imports as lines, with the comments above and below them.
func (run ImportRun) Text() string {
	var out []string
	for _, l := range run.Lines {
		out = append(append(out, l.above...), l.render())
	}
	return strings.Join(append(out, run.below...), "\n")
}

func (l *ImportLine) contains(offset int) bool {
	return l.Span().Start <= offset && offset < l.Span().End
}

// Merge adds the names of another import of the same file.
func (l *ImportLine) Merge(other *ImportLine) {
	l.above = append(l.above, other.above...)
	l.All = l.All || other.All
	l.names = sortedNames(append(slices.Clone(l.names), other.names...))
}

// render returns the text of the import with the names that it has now.
func (l *ImportLine) render() string {
	list := l.Child(syntax.FieldNames)
	was := make([]string, len(l.Names))
	for i, n := range l.Names {
		was[i] = n.Text()
	}
	if !l.Simple || list.IsZero() || !l.All && slices.Equal(was, l.names) {
		return l.text
	}
	start := len(l.text) - l.Span().Len() // of the import in its line
	before, after := l.text[:start+list.Span().Start], l.text[start+list.Span().End:]
	if l.All {
		return strings.TrimRight(before, " \t") + after
	}
	return before + "[" + strings.Join(l.names, ", ") + "]" + after
}

// sortedNames returns the names in order, each once.
func sortedNames(names []string) []string {
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(syntax.Unquote(a), syntax.Unquote(b)) })
	return slices.CompactFunc(names, func(a, b string) bool { return syntax.Unquote(a) == syntax.Unquote(b) })
}
