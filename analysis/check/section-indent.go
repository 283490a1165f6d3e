package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// sectionIndent: a section begins at column 0. An indented one is read as a section only if it can
// be nothing else: below a section that has no block, and in a file that is indented as a whole.
var sectionIndent = Check{
	Code: "section-indent",
	Form: true,
	File: func(out *findings, f File) {
		sections := f.Doc.Sections()
		for i := 0; i < len(sections); i++ {
			if sections[i].Head.Kind() == syntax.Comment {
				continue // where a run may not begin
			}
			belowProfile(out, f, i)
			run := countIndented(f.Doc, sections[i:])
			fix, movable := outdentFix(f.Doc, sections[i:i+run], f.sectionEnd(i+run))
			for _, s := range sections[i : i+run] {
				if _, ok := f.sectionOf(s); !ok {
					continue
				}
				d := out.warn(keywordOf(s), "A section begins at column 0; `%s` is indented.", s.Head.Root().Key())
				if movable {
					d.Fixes = append(d.Fixes, fix)
				}
			}
			i += max(0, run-1)
		}
	},
}

// belowProfile reports a section that is indented below the line that attaches a profile. It is
// read as part of that line.
func belowProfile(out *findings, f File, i int) {
	s := f.Doc.Sections()[i]
	first, some := firstEntry(s)
	if owner, _ := model.LookupSection(s.Name()); !some || owner.Name != "USE BEHAVIOR_PROFILE" {
		return
	}
	info, known := model.LookupSection(first.Root().Key())
	if !known || info.Name != first.Root().Key() || !info.Fits(f.Kind) {
		return
	}
	var entries []syntax.Section
	for _, e := range s.Entries {
		entries = append(entries, syntax.Section{Head: e})
	}
	d := out.warn(keywordOf(syntax.Section{Head: first}), "A section begins at column 0; `%s` is indented.", info.Name)
	if fix, movable := outdentFix(f.Doc, entries, f.sectionEnd(i+1)); movable {
		fix.ChangesParse = true
		d.Fixes = append(d.Fixes, fix)
	}
}

// sectionEnd returns the offset at which the section at an index ends.
func (f File) sectionEnd(i int) int {
	if i < len(f.Doc.Sections()) {
		return f.Doc.Sections()[i].Head.Offset
	}
	return len(f.Doc.Text())
}

// countIndented returns how many sections, from the first one on, are indented. Comments among them
// count at any indentation.
func countIndented(doc *syntax.Document, sections []syntax.Section) int {
	n := 0
	for i, s := range sections {
		switch {
		case s.Head.Kind() == syntax.Comment:
		case indentBefore(doc, s) == "":
			return n
		default:
			n = i + 1
		}
	}
	return n
}

// outdentFix moves sections, up to an offset, to column 0, each with all that is below it. It fails
// if a line is indented with other blanks than its section.
func outdentFix(doc *syntax.Document, sections []syntax.Section, end int) (model.Fix, bool) {
	fix := model.Fix{Title: "Move to column 0", Best: true}
	if len(sections) > 1 {
		fix.Title = "Move the indented sections to column 0"
	}
	for i, s := range sections {
		last := end
		if i+1 < len(sections) {
			last = sections[i+1].Head.Offset
		}
		prefix := indentBefore(doc, s)
		for line := doc.Lines().Line(s.Head.Offset); line < doc.Lines().LineCount(); line++ {
			start := doc.Lines().LineStart(line)
			own := lineText(doc, line)
			if start > s.Head.Offset && start+len(indentation(doc, line)) >= last {
				break
			}
			switch rest := strings.TrimLeft(own, blanks); {
			case prefix != "" && strings.HasPrefix(own, prefix):
				fix.Edits = append(fix.Edits, model.ReplaceEdit(text.Span{Start: start, End: start + len(prefix)}, ""))
			case prefix == "" || rest == "" || strings.IndexByte("#)]}", rest[0]) >= 0:
			default:
				return model.Fix{}, false
			}
		}
	}
	return fix, true
}
