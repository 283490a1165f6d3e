package check

import (
	"cmp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// A slip such as a lost colon makes the lines after it something else, so that each
// of them seems wrong. Such a slip is repaired in a copy of the text: what is found
// there takes the place of what follows from the slip.

// maxRepairedText is the size in bytes of the largest text that is checked a second time.
const maxRepairedText = 1 << 18

// maxSlips is how many slips of one text are repaired. The meaning of a text with more is unclear.
const maxSlips = 8

// withRepairs returns the findings of a file without those that follow from a slip.
func (r *run) withRepairs(w model.Workspace, f *model.File, found []model.Diagnostic) []model.Diagnostic {
	if len(f.Doc.Text()) > maxRepairedText || len(found) == 0 {
		return found
	}
	r.unrepaired = found
	m := &repairedText{run: r, w: w, f: f, found: found}
	if slips, edits := slipsIn(found); len(slips) > 0 {
		again := m.withEdits(slips, edits)
		if again != nil && cmp.Or(cmp.Compare(countGrave(again.found), countGrave(found)), cmp.Compare(len(again.found), len(found))) < 0 {
			m = again
		}
	}
	for _, slip := range columnSlips(f) {
		for _, indent := range slip.indents {
			edit := text.Insertion(slip.start, indent)
			if again := m.withEdits(slip.diagnostics(f, m.found, edit), []text.Edit{edit}); again != nil && countGrave(again.found) < countGrave(m.found) {
				m = again
			}
		}
	}
	return m.repairIndents().found
}

// repairedText is the text of a file with some of its typing slips repaired, and what is found in
// it.
type repairedText struct {
	run   *run
	w     model.Workspace
	f     *model.File
	slips []model.Diagnostic
	edits []text.Edit        // that repair them, in the order of the text
	found []model.Diagnostic // with the edits, at positions of the original text
}

// withEdits returns m with further slips repaired by edits, and what is found then. It returns nil
// if one of edits overlaps or touches another one.
func (m *repairedText) withEdits(slips []model.Diagnostic, edits []text.Edit) *repairedText {
	next := *m
	next.slips = slices.Concat(m.slips, slips)
	next.edits = slices.Concat(m.edits, edits)
	slices.SortStableFunc(next.edits, func(a, b text.Edit) int { return cmp.Compare(a.Start, b.Start) })
	for i := 1; i < len(next.edits); i++ {
		if next.edits[i].Start <= next.edits[i-1].End {
			return nil
		}
	}
	next.found = m.run.recheck(m.w, m.f, m.run.unrepaired, next.slips, next.edits)
	return &next
}

// slipsIn returns the findings whose fixes repair the text, and the edits.
func slipsIn(found []model.Diagnostic) (slips []model.Diagnostic, edits []text.Edit) {
	end := -1
	for _, d := range found {
		i := slices.IndexFunc(d.Fixes, func(f model.Fix) bool { return f.ChangesParse })
		if i < 0 || d.Fixes[i].Edits[0].Start <= end {
			continue
		}
		slips = append(slips, d)
		for _, e := range d.Fixes[i].Edits {
			edits, end = append(edits, e.Edit), e.End
		}
	}
	if len(slips) > maxSlips {
		return nil, nil
	}
	return slips, edits
}

// countGrave returns how many errors and warnings there are.
func countGrave(found []model.Diagnostic) int {
	n := 0
	for _, d := range found {
		if d.Severity <= model.Warning {
			n++
		}
	}
	return n
}

// recheck returns the findings of the text with some edits, at positions of the original text.
// Findings that are new in the line of a slip are dropped.
func (r *run) recheck(w model.Workspace, f *model.File, found, slips []model.Diagnostic, edits []text.Edit) []model.Diagnostic {
	w = w.With(f.Path, f.Doc.Apply(backward(edits)...))
	repaired := newRun(r.ctx, w, f.Path, r.cache.copyFor(f.Path)).checkText(w, w.File(f.Path))
	lines := map[int]bool{}
	for _, d := range slips {
		lines[f.Doc.Lines().Line(d.Span.Start)] = true
	}
	kept := slices.Clone(slips)
	for _, d := range repaired {
		ofLineEnds := slices.ContainsFunc(d.Fixes, func(f model.Fix) bool { return f.LineEnds })
		d = inOriginalText(d, f.Path, edits)
		known := indexOf(found, d)
		reported := slices.ContainsFunc(slips, func(o model.Diagnostic) bool { return o.Span == d.Span && o.Code == d.Code })
		switch {
		case reported:
		case known >= 0:
			kept = append(kept, found[known])
		case !ofLineEnds && !lines[f.Doc.Lines().Line(d.Span.Start)]: // these are reported once the slip is repaired
			kept = append(kept, d)
		}
	}
	slices.SortStableFunc(kept, byPosition)
	return kept
}

// indexOf returns the index of a diagnostic among others, ignoring its fixes; negative if it is
// missing.
func indexOf(found []model.Diagnostic, d model.Diagnostic) int {
	return slices.IndexFunc(found, func(o model.Diagnostic) bool {
		return o.Span == d.Span && o.Code == d.Code && o.Message == d.Message
	})
}

// backward returns edits from the last to the first, so that none moves another one.
func backward(edits []text.Edit) []text.Edit {
	last := slices.Clone(edits)
	slices.Reverse(last)
	return last
}

// inOriginalText moves a finding of the repaired text to the original text. A fix that touches a
// repair is left out.
func inOriginalText(d model.Diagnostic, path string, edits []text.Edit) model.Diagnostic {
	before := func(span text.Span) (text.Span, bool) {
		start, inStart := beforeEdits(span.Start, edits)
		end, inEnd := beforeEdits(span.End, edits)
		mends := slices.ContainsFunc(edits, func(e text.Edit) bool { return start <= e.End && e.Start <= end })
		return text.Span{Start: start, End: max(start, end)}, !inStart && !inEnd && !mends
	}
	d.Span, _ = before(d.Span)
	d.Related = slices.Clone(d.Related)
	for i, related := range d.Related {
		if related.Path == path || related.Path == "" {
			d.Related[i].Span, _ = before(related.Span)
		}
	}
	var fixes []model.Fix
	for _, fix := range d.Fixes {
		fix.Edits = slices.Clone(fix.Edits)
		complete := true
		for i, e := range fix.Edits {
			if e.Path == "" || e.Path == path {
				span, outside := before(e.Span)
				fix.Edits[i].Span = span
				complete = complete && outside
			}
		}
		if complete {
			fixes = append(fixes, fix)
		}
	}
	d.Fixes = fixes
	return d
}

// beforeEdits returns the offset before edits of what is at offset after them. within says that
// this is in inserted text; then before is the place of the edit.
func beforeEdits(offset int, edits []text.Edit) (before int, within bool) {
	delta := 0
	for _, e := range edits {
		start := e.Start + delta
		end := start + len(e.NewText)
		switch {
		case offset < start:
			return offset - delta, false
		case offset < end:
			return e.Start, true
		}
		delta += len(e.NewText) - (e.End - e.Start)
	}
	return offset - delta, false
}

// columnSlip is a line at column 0 that is read as a section, though the lines around it suggest
// that it should be indented.
type columnSlip struct {
	section syntax.Section
	start   int
	indents []string // that it may have, the likeliest first
}

// columnSlips returns the properties at column 0 that are read as sections: the lines directly
// before and after them are indented.
func columnSlips(f *model.File) []columnSlip {
	var slips []columnSlip
	for _, s := range f.Doc.Sections() {
		if s.Indented || s.ContinuesFlow || s.Name() == "" || isDeclaration(s) || s.Head.Root().Value().IsZero() {
			continue
		}
		line := f.Doc.Lines().Line(s.Head.Offset)
		if indentation(f.Doc, line) != "" {
			continue
		}
		if indents := indentsAround(f.Doc, line); len(indents) > 0 {
			slips = append(slips, columnSlip{s, s.Head.Offset, indents})
		}
	}
	if len(slips) > 1 { // the text does not tell which one is meant as a section
		return nil
	}
	return slips
}

// indentsAround returns the indentations that a line may have, from those directly above and below
// it, without comments; none if one of these is blank, or the line below is at column 0.
func indentsAround(doc *syntax.Document, line int) []string {
	up, down := neighborLine(doc, line, -1), neighborLine(doc, line, 1)
	above, below := indentation(doc, up), indentation(doc, down)
	rest, _, _ := strings.Cut(strings.TrimSpace(lineText(doc, up)), " #")
	rest = strings.TrimSpace(rest)
	opens := strings.HasSuffix(rest, ":") || strings.Contains(rest, ") ->")
	if above == "" && !opens || rest == "" || below == "" || strings.TrimSpace(lineText(doc, down)) == "" {
		return nil
	}
	inItem := above
	if item, ok := strings.CutPrefix(rest, "- "); ok {
		inItem = above + strings.Repeat(" ", len(rest)-len(strings.TrimLeft(item, " ")))
	}
	if opens {
		return slices.Compact([]string{inItem + twoSpaces, below})
	}
	return slices.Compact([]string{below, inItem})
}

// neighborLine returns the nearest line before or after another one that is no comment; that line
// itself if there is none.
func neighborLine(doc *syntax.Document, line, step int) int {
	for i := line + step; i >= 0 && i < doc.Lines().LineCount(); i += step {
		if !strings.HasPrefix(strings.TrimLeft(lineText(doc, i), blanks), "#") {
			return i
		}
	}
	return line
}

// diagnostics returns the findings in the line of the slip, or else an error of its own, with the
// fix that makes an edit. If there are several errors and warnings, all are about what the line is
// not.
func (c columnSlip) diagnostics(f *model.File, found []model.Diagnostic, edit text.Edit) []model.Diagnostic {
	var reported findings
	line := f.Doc.Lines().Line(c.start)
	for _, d := range found {
		if f.Doc.Lines().Line(d.Span.Start) == line {
			reported = append(reported, d)
		}
	}
	worst := slices.IndexFunc(reported, func(d model.Diagnostic) bool { return d.Severity <= model.Warning })
	if countGrave(reported) > 1 {
		worst, reported = -1, nil
	}
	if worst < 0 {
		worst = len(reported)
		reported.err(keywordOf(c.section), "`%s` is at column 0, where a section begins; indent it like the lines around it.", c.section.Head.Root().Key())
		reported[worst].Code = syntaxError.Code
	}
	const title = "Indent it"
	d := &reported[worst]
	others := slices.DeleteFunc(slices.Clone(d.Fixes), func(f model.Fix) bool { return f.Title == title })
	d.Fixes = append([]model.Fix{model.ParseFix(title, edit.Span, edit.NewText)}, others...)
	return reported
}
