package analysis

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// importRun are imports in lines without others between them.
type importRun struct {
	span    text.Span // of whole lines, without the last one's end
	stretch int       // runs of one stretch have no import between them that is unknown
	lines   []*importLine
	below   []string // comments
}

// importLine is an import with the comments above it.
type importLine struct {
	Import
	text   string // of the import's lines
	above  []string
	names  []string // of the bracket list
	simple bool     // it stands in one line, and may be written anew
}

// importRuns finds the runs of a file.
func importRuns(w Workspace, f *File) []importRun {
	r := runReader{w: w, f: f}
	for _, s := range f.Doc.Sections() {
		if s.Head.Kind() != syntax.ToolsSection {
			continue
		}
		for _, e := range s.Entries {
			r.entry(e)
		}
		r.end()
	}
	return r.runs
}

// runReader collects runs, entry by entry.
type runReader struct {
	w       Workspace
	f       *File
	runs    []importRun
	run     importRun
	above   []string // comments that no import followed yet
	start   int      // of the first of them
	next    int      // the line that would continue the run
	stretch int
}

func (r *runReader) entry(e syntax.Placed) {
	lines := r.f.Doc.Lines()
	first := lines.Line(e.Offset)
	if first != r.next {
		r.end()
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
		r.add(newImport(r.f.Path, placed(e.Root(), e.Offset)), span)
	default:
		r.end()
	}
}

func (r *runReader) source(s text.Span) string { return r.f.Doc.Text()[s.Start:s.End] }

func (r *runReader) add(i Import, span text.Span) {
	if !isKnownPath(r.w, i) {
		r.end()
		r.stretch++
		return
	}
	l := &importLine{Import: i, text: r.source(span), above: r.above}
	if len(r.run.lines) > 0 && indentOf(r.run.lines[0].text) != indentOf(l.text) {
		r.end()
	}
	if r.run.lines == nil {
		r.run.span.Start, r.run.stretch = span.Start, r.stretch
		if len(l.above) > 0 {
			r.run.span.Start = r.start
		}
	}
	for _, n := range i.Names {
		l.names = append(l.names, n.Text())
	}
	l.names = sortedNames(l.names)
	l.simple = !strings.ContainsAny(l.text, breaks) && !hasInvalid(i.Node)
	r.run.lines = append(r.run.lines, l)
	r.run.span.End = span.End
	r.above = nil
}

// isKnownPath reports whether all is known that an import brings.
func isKnownPath(w Workspace, i Import) bool {
	if i.Path == "" || !i.ChildOf(syntax.Text).IsZero() || !Importable(i.Path) {
		return false
	}
	_, whole := Imported(w, &i)
	return whole
}

func hasInvalid(n syntax.Node) bool {
	for c := range n.All() {
		if c.Kind() == syntax.Invalid {
			return true
		}
	}
	return false
}

func (r *runReader) end() {
	if len(r.run.lines) > 0 {
		r.runs = append(r.runs, r.run)
	}
	r.run, r.above = importRun{}, nil
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// without leaves out what is reported to do nothing, and keeps the comments above
// it. The lines are copies.
func (run importRun) without(found []Diagnostic) importRun {
	lines := run.lines
	run.lines = nil
	for _, l := range lines {
		l := *l
		l.above = append(run.below, l.above...)
		run.below = nil
		if slices.ContainsFunc(found, func(d Diagnostic) bool { return d.Code == "unused-import" && l.holds(d.Span.Start) }) {
			run.below = l.above
			continue
		}
		run.lines = append(run.lines, &l)
	}
	return run
}

func (run importRun) text() string {
	var out []string
	for _, l := range run.lines {
		out = append(append(out, l.above...), l.written())
	}
	return strings.Join(append(out, run.below...), "\n")
}

func (l *importLine) holds(offset int) bool { return l.Span().Start <= offset && offset < l.Span().End }

// join takes in another import of the file.
func (l *importLine) join(other *importLine) {
	l.above = append(l.above, other.above...)
	l.All = l.All || other.All
	l.names = sortedNames(append(slices.Clone(l.names), other.names...))
}

// written is the import with the names that it has now.
func (l *importLine) written() string {
	list := l.Child(syntax.AsNames)
	was := make([]string, len(l.Names))
	for i, n := range l.Names {
		was[i] = n.Text()
	}
	if !l.simple || list.IsZero() || !l.All && slices.Equal(was, l.names) {
		return l.text
	}
	start := len(l.text) - l.Span().Len() // of the import in its line
	before, after := l.text[:start+list.Span().Start], l.text[start+list.Span().End:]
	if l.All {
		return strings.TrimRight(before, " \t") + after
	}
	return before + "[" + strings.Join(l.names, ", ") + "]" + after
}

// sortedNames has each name once.
func sortedNames(names []string) []string {
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(syntax.Unquote(a), syntax.Unquote(b)) })
	return slices.CompactFunc(names, func(a, b string) bool { return syntax.Unquote(a) == syntax.Unquote(b) })
}
