package analysis

import (
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// maxImportFixes is how many files are offered for one name.
const maxImportFixes = 3

// ImportFixes are the ways to import a tool into the file at path, one for each
// library of the workspace that declares it. The offset is where the tool is
// asked for: a TOOLS section is made in front of that section, if need be.
func (w Workspace) ImportFixes(path, name string, offset int) []Fix {
	f := w.files.get(path)
	var fixes []Fix
	for _, p := range w.Paths() {
		from := w.files.get(p)
		if from.Kind != Library || p == path || !declares(from, name) {
			continue
		}
		written := Relative(path, p)
		if written == "" {
			continue
		}
		at, s := f.importEdit(p, written, name, offset)
		fixes = append(fixes, Change("Import `"+name+"` from `"+written+"`", at, s))
		if len(fixes) == maxImportFixes {
			break
		}
	}
	for i := range fixes {
		fixes[i].Best = len(fixes) == 1
	}
	return fixes
}

// Relative is how the file at path from imports the one at path to, "" where it
// cannot.
func Relative(from, to string) string {
	written, err := filepath.Rel(filepath.Dir(from), to)
	if err != nil {
		return ""
	}
	written = filepath.ToSlash(written)
	if !strings.HasPrefix(written, "../") {
		written = "./" + written
	}
	return written
}

func declares(f *File, name string) bool {
	for _, t := range f.Tools {
		if t.Name == name {
			return true
		}
	}
	return false
}

// importEdit adds the name to an import of the target, or a line that imports
// it: below the last import, else at the beginning of TOOLS.
func (f *File) importEdit(target, written, name string, offset int) (text.Span, string) {
	line := `file: "` + written + `" [` + name + `]`
	for _, i := range f.Imports {
		if at, s, ok := i.with(name); ok && i.Target == target {
			return at, s
		}
	}
	if n := len(f.Imports); n > 0 {
		last := f.Imports[n-1]
		at := f.Doc.Lines().LineText(f.Doc.Lines().Line(last.Span().End)).End
		return text.Span{Start: at, End: at}, "\n" + f.indentAt(last.Offset) + line
	}
	for _, s := range f.Doc.Sections() {
		switch at := s.Head.Span().End; {
		case s.Head.Kind() != syntax.ToolsSection:
		case len(s.Entries) > 0:
			at = s.Entries[0].Offset
			return text.Span{Start: at, End: at}, line + "\n\n" + f.indentAt(at)
		case s.Head.Root().Value().IsZero():
			return text.Span{Start: at, End: at}, "\n  " + line
		}
	}
	at := f.cursor(offset).section.Head.Offset
	return text.Span{Start: at, End: at}, "TOOLS:\n  " + line + "\n\n"
}

// with adds a name to the bracket list of an import; it is not ok where there is
// none.
func (i Import) with(name string) (at text.Span, s string, ok bool) {
	list := i.At(i.Child(syntax.AsNames))
	if list.IsZero() {
		return text.Span{}, "", false
	}
	end := list.Span().Start + 1
	if n := len(i.Names); n > 0 {
		end, name = i.Names[n-1].Span().End, ", "+name
	}
	return text.Span{Start: end, End: end}, name, true
}

// Brings reports whether the bracket list has the name.
func (i Import) Brings(name string) bool {
	return i.NameOf(name, "") >= 0
}

// NameSpan is a name of the bracket list, without quotes.
func (i Import) NameSpan(k int) text.Span { return bare(i.Names[k].Node).span.Shift(i.Offset) }
