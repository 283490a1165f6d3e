package analysis

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Unfinished is the part of a file that a person is in the middle of typing.
type Unfinished struct {
	file     *File
	lines    text.Span // the edited lines with their tool or step, up to the next one
	lastStep *Part     // whose last step is being typed, else nil
}

// UnfinishedAt is what is being typed when the lines that a span touches were
// edited last.
func (f *File) UnfinishedAt(edited text.Span) Unfinished {
	lines := f.Doc.Lines()
	edited.Start = lines.LineStart(lines.Line(edited.Start))
	edited.End = lines.LineText(lines.Line(edited.End)).End
	u := Unfinished{file: f, lines: f.declarationAround(edited)}
	if part := f.PartAt(edited.Start); part != nil && isInLastStep(part, edited.End) {
		u.lastStep = part
	}
	return u
}

// Explains reports whether a diagnostic of the file may be due to nothing but that
// the person has not finished typing: a line has no form yet, something is still
// missing, or the last step leads to one that comes next.
func (u Unfinished) Explains(d Diagnostic) bool {
	switch {
	case d.Code == "undefined-step":
		return u.lastStep != nil && u.file.PartAt(d.Span.Start) == u.lastStep
	case d.Code == "syntax-error", d.Code == "invalid-signature", strings.HasPrefix(d.Code, "missing-"):
		return d.Span.Start <= u.lines.End && u.lines.Start <= d.Span.End
	}
	return false
}

// declarationAround is a span of whole lines, or the tool or step that these lines
// belong to, blank lines after it included.
func (f *File) declarationAround(lines text.Span) text.Span {
	if f.Kind == YAML {
		if t, ok := f.toolAround(lines.End); ok {
			return union(lines, t.Span())
		}
		return lines
	}
	starts := f.declarationStarts()
	for _, at := range []int{lines.Start, lines.End} {
		i, found := slices.BinarySearchFunc(starts, at, func(s declarationStart, at int) int { return s.offset - at })
		if !found {
			i--
		}
		if i < 0 || !starts[i].declares {
			continue
		}
		end := len(f.Doc.Text())
		if i+1 < len(starts) {
			end = starts[i+1].offset - 1
		}
		lines = union(lines, text.Span{Start: starts[i].offset, End: end})
	}
	return lines
}

func union(a, b text.Span) text.Span {
	return text.Span{Start: min(a.Start, b.Start), End: max(a.End, b.End)}
}

// declarationStart is where a tool or a step begins, or what ends the one before.
type declarationStart struct {
	offset   int // of its line
	declares bool
}

func (f *File) declarationStarts() []declarationStart {
	var all []declarationStart
	add := func(offset int, declares bool) {
		all = append(all, declarationStart{f.Doc.Lines().LineStart(f.Doc.Lines().Line(offset)), declares})
	}
	for i := range f.Tools {
		add(f.Tools[i].Span().Start, true)
	}
	for _, flow := range f.Flows() {
		for i := range flow.Steps {
			if s := &flow.Steps[i]; s.Form != ChainedStep {
				add(s.Span().Start, true)
			}
		}
	}
	for _, s := range f.Doc.Sections() {
		if !s.Resumed && s.Head.Kind() != syntax.Comment {
			add(s.Head.Offset, false)
		}
		for _, e := range s.Entries {
			if e.Kind() != syntax.Comment {
				add(e.Offset, false)
			}
		}
	}
	// Of those on one line, that which declares comes first and stays.
	slices.SortStableFunc(all, func(a, b declarationStart) int { return a.offset - b.offset })
	return slices.CompactFunc(all, func(a, b declarationStart) bool { return a.offset == b.offset })
}

// isInLastStep reports whether an offset is in the last step of a part's flow, or
// in lines of the flow after it.
func isInLastStep(p *Part, offset int) bool {
	flow := p.Flow()
	if flow == nil {
		return false
	}
	last := -1
	for i := range flow.Steps {
		if s := &flow.Steps[i]; s.Form != ChainedStep {
			last = max(last, s.Span().Start)
		}
	}
	section := ""
	for _, s := range p.Sections {
		if s.Resumed && len(s.Entries) > 0 && s.Entries[0].Offset <= offset || !s.Resumed && s.Name() != "" && s.Head.Offset <= offset {
			section = s.Name()
		}
	}
	return last >= 0 && last <= offset && isFlow(section)
}
