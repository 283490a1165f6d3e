package edit

import (
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// ImportEdit returns the edit that imports the tool called name from the file target: it adds name
// to an import of that file. If there is none with a list, it adds a line with the path written,
// below the last import or else at the beginning of TOOLS. Without a TOOLS section it adds one,
// before the section at offset.
func ImportEdit(f *model.File, target, written, name string, offset int) (text.Span, string) {
	line := `file: "` + written + `" [` + name + `]`
	for _, i := range f.Imports {
		if at, s, ok := ImportWith(i, name); ok && i.Target == target {
			return at, s
		}
	}
	if n := len(f.Imports); n > 0 {
		last := f.Imports[n-1]
		at := f.Doc.Lines().LineText(f.Doc.Lines().Line(last.Span().End)).End
		return text.Span{Start: at, End: at}, "\n" + model.IndentAt(f, last.Offset) + line
	}
	for _, s := range f.Doc.Sections() {
		switch at := s.Head.Span().End; {
		case s.Head.Kind() != syntax.ToolsSection:
		case len(s.Entries) > 0:
			at = s.Entries[0].Offset
			return text.Span{Start: at, End: at}, line + "\n\n" + model.IndentAt(f, at)
		case s.Head.Root().Value().IsZero():
			return text.Span{Start: at, End: at}, "\n  " + line
		}
	}
	at := f.Cursor(offset).Section.Head.Offset
	return text.Span{Start: at, End: at}, "TOOLS:\n  " + line + "\n\n"
}

// ImportWith returns the edit that adds name to the bracket list of i; ok is false if i has no
// list.
func ImportWith(i model.Import, name string) (at text.Span, s string, ok bool) {
	list := i.InFile(i.Child(syntax.FieldNames))
	if list.IsZero() {
		return text.Span{}, "", false
	}
	end := list.Span().Start + 1
	if n := len(i.Names); n > 0 {
		end, name = i.Names[n-1].Span().End, ", "+name
	}
	return text.Span{Start: end, End: end}, name, true
}

// HasOtherText reports whether the line of i has text that is not part of the import.
func HasOtherText(i model.Import) bool {
	return !i.ChildOf(syntax.Text).IsZero() || !i.ChildOf(syntax.Invalid).IsZero()
}

// WithoutName returns the span to delete if name k leaves the list of i: the name with its comma.
func WithoutName(i model.Import, k int) text.Span {
	span := i.Names[k].Span()
	if k < len(i.Names)-1 {
		span.End = i.Names[k+1].Span().Start
	} else if k > 0 {
		span.Start = i.Names[k-1].Span().End
	}
	return span
}
