package analysis

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Unfinished is the part of a file that a person is typing.
type Unfinished struct {
	file     *model.File
	edited   text.Span      // the edited lines
	opener   text.Span      // the line whose block contains them
	lines    text.Span      // the same with their tool or step, up to the next one
	entry    text.Span      // the same with their entry of the section
	lastStep *model.Part    // the part whose last step is being typed, else nil
	yaml     unfinishedYAML // of an agent in YAML, instead
}

// UnfinishedAt returns the part of f that a person is typing, if the lines of the span edited are
// those that were edited last. The span is in what the author writes.
func UnfinishedAt(f *model.File, edited text.Span) Unfinished {
	lines := f.Written().Doc.Lines()
	edited.Start = lines.LineStart(lines.Line(edited.Start))
	edited.End = lines.LineText(lines.Line(edited.End)).End
	if f.IsYAMLAgent() {
		return Unfinished{file: f, yaml: unfinishedYAMLAt(f, edited)}
	}
	u := Unfinished{file: f, edited: edited, lines: edited, entry: edited}
	if f.Kind == model.YAML {
		if t, ok := f.ToolAround(edited.End); ok {
			u.lines = union(edited, t.Span())
			u.entry = u.lines
		}
		return u
	}
	u.opener = openerOf(f.Doc.Text(), lines, lines.Line(edited.Start))
	starts := declarationStarts(f, edited)
	u.lines = withDeclarations(edited, starts, len(f.Doc.Text()), toolOrStep)
	u.entry = withDeclarations(edited, starts, len(f.Doc.Text()), otherEntry)
	if part := f.PartAt(edited.Start); part != nil && isInLastStep(part, edited.End) {
		u.lastStep = part
	}
	return u
}

// Explains reports whether d, a diagnostic of the file, may be there only because the person has
// not finished typing: d is about the edited lines, a line cannot be read yet, something is still
// missing, or the last step leads to a step that is written next.
func (u Unfinished) Explains(d model.Diagnostic) bool {
	if u.file.IsYAMLAgent() {
		d.Span = u.file.WrittenSpan(d.Span)
		return u.yaml.explains(d)
	}
	switch {
	case overlap(u.edited, d.Span):
		return true
	case d.Code == "undefined-step":
		return u.lastStep != nil && u.file.PartAt(d.Span.Start) == u.lastStep
	case d.Code == "unreachable-step":
		flow := u.file.FlowAt(u.edited.Start)
		return flow != nil && flow == u.file.FlowAt(d.Span.Start)
	case d.Code == "invalid-value": // what is below a key is its value
		return overlap(u.opener, d.Span)
	case slices.Contains(unfinishedInTool, d.Code):
		return overlap(u.lines, d.Span)
	case d.Code == "unused-suppression": // what it suppresses may come next
		lines := u.file.Doc.Lines()
		return lines.Line(d.Span.Start)+1 == lines.Line(u.lines.Start)
	case d.Code == "syntax-error", strings.HasPrefix(d.Code, "missing-"):
		return overlap(u.entry, d.Span)
	}
	return false
}

// unfinishedInTool are the codes that may be due to the edited lines anywhere in their tool or
// step.
var unfinishedInTool = []string{"invalid-signature", "code-syntax", "default-type", "return-mismatch", "sql-statement", "platform-loss"}

// openerOf returns the nearest line above a line that is indented less, or the line itself.
func openerOf(source string, lines *text.Lines, line int) text.Span {
	at := func(i int) (s text.Span, written string, indent int) {
		s = lines.LineText(i)
		written = strings.TrimLeft(source[s.Start:s.End], " \t")
		return s, written, s.Len() - len(written)
	}
	own, _, depth := at(line)
	for i := line - 1; i >= 0 && depth > 0; i-- {
		if s, written, indent := at(i); written != "" && indent < depth {
			return s
		}
	}
	return own
}

func overlap(a, b text.Span) bool { return a.Start <= b.End && b.Start <= a.End }

// withDeclarations returns a span of whole lines extended to the declarations of at least a kind
// that these lines belong to, blank lines after them included.
func withDeclarations(lines text.Span, starts []declarationStart, end int, atLeast declarationKind) text.Span {
	for _, at := range []int{lines.Start, lines.End} {
		i, found := slices.BinarySearchFunc(starts, at, func(s declarationStart, at int) int { return s.offset - at })
		if !found {
			i--
		}
		if i < 0 || starts[i].kind < atLeast {
			continue
		}
		last := end
		if i+1 < len(starts) {
			last = starts[i+1].offset - 1
		}
		lines = union(lines, text.Span{Start: starts[i].offset, End: last})
	}
	return lines
}

func union(a, b text.Span) text.Span {
	return text.Span{Start: min(a.Start, b.Start), End: max(a.End, b.End)}
}

// declarationStart is the place at which a declaration begins and the one before ends.
type declarationStart struct {
	offset int // of its line
	kind   declarationKind
}

type declarationKind int

const (
	sectionHead declarationKind = iota
	otherEntry                  // of a section: a field, a hand-off, a rule
	toolOrStep
)

// declarationStarts returns the starts of the declarations that overlap some lines, and that of the
// next one.
func declarationStarts(f *model.File, edited text.Span) []declarationStart {
	var all []declarationStart
	near := entriesAround(f.Doc, edited)
	add := func(offset int, kind declarationKind) {
		if near.Touches(offset) {
			all = append(all, declarationStart{f.Doc.Lines().LineStart(f.Doc.Lines().Line(offset)), kind})
		}
	}
	for i := range f.Tools {
		add(f.Tools[i].Span().Start, toolOrStep)
	}
	for _, flow := range f.Flows() {
		for i := range flow.Steps {
			if s := &flow.Steps[i]; s.Form != model.ChainedStep {
				add(s.Span().Start, toolOrStep)
			}
		}
	}
	for _, s := range f.Doc.Sections() {
		if !s.ContinuesFlow && s.Head.Kind() != syntax.Comment {
			add(s.Head.Offset, sectionHead)
		}
		for _, e := range s.Entries {
			if e.Kind() != syntax.Comment {
				add(e.Offset, otherEntry)
			}
		}
	}
	// Of those on one line, a tool or a step comes first and stays.
	slices.SortStableFunc(all, func(a, b declarationStart) int { return a.offset - b.offset })
	return slices.CompactFunc(all, func(a, b declarationStart) bool { return a.offset == b.offset })
}

// entriesAround returns the span from the line of the last entry that begins before some lines to
// the first one that begins after them.
func entriesAround(doc *syntax.Document, lines text.Span) text.Span {
	before, after := 0, len(doc.Text())
	for _, e := range doc.HeadsAndEntries() {
		switch {
		case e.Kind() == syntax.Comment:
		case e.Offset <= lines.Start:
			before = e.Offset
		case e.Offset > lines.End:
			after = min(after, e.Offset)
		}
	}
	return text.Span{Start: doc.Lines().LineStart(doc.Lines().Line(before)), End: after}
}

// isInLastStep reports whether an offset is in the last step of a part's flow, or
// in lines of the flow after it.
func isInLastStep(p *model.Part, offset int) bool {
	flow := p.Flow()
	if flow == nil {
		return false
	}
	last := -1
	for i := range flow.Steps {
		if s := &flow.Steps[i]; s.Form != model.ChainedStep {
			last = max(last, s.Span().Start)
		}
	}
	section := ""
	for _, s := range p.Sections {
		if s.ContinuesFlow && len(s.Entries) > 0 && s.Entries[0].Offset <= offset || !s.ContinuesFlow && s.Name() != "" && s.Head.Offset <= offset {
			section = s.Name()
		}
	}
	return last >= 0 && last <= offset && model.IsFlow(section)
}
