package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Fix is a change that repairs the problem of a diagnostic.
type Fix struct {
	Title string // what it does, as a menu shows it
	Edits []FileEdit

	// Best says that this is the one obvious answer, which an editor applies when all problems are to
	// be fixed at once.
	Best bool

	// ChangesParse says that the fix repairs a slip that makes other lines mean something else. What
	// is found in the repaired text counts instead.
	ChangesParse bool

	// LineEnds says that the fix changes line ends and nothing else. Its new text is used with the
	// line ends that it has.
	LineEnds bool

	// Rename is the new path of the diagnostic's file; "" if it stays.
	Rename string

	// Accept is what a person accepts instead of an edit; nil for nothing.
	Accept *Acceptance
}

// Acceptance says that a person accepts the tools that a server lists.
type Acceptance struct {
	Root   string // the folder of the project
	Server string
	Digest string // of the listing, see [ServerListing.Digest]
}

// FileEdit is an edit of one file. For the diagnostic's own file the path is empty, and the span is
// relative to the same offset as the diagnostic's. A file that does not exist is created.
//
// The line ends of the new text mean nothing: whoever applies the edit replaces them by those of
// the file, see [LineEnds].
type FileEdit struct {
	Path string
	text.Edit
}

// EditsIn returns edits of the file at a path; "" is the diagnostic's own file.
func EditsIn(path string, edits ...text.Edit) []FileEdit {
	all := make([]FileEdit, len(edits))
	for i, e := range edits {
		all[i] = FileEdit{path, e}
	}
	return all
}

// ReplaceEdit returns the edit that replaces a span of the diagnostic's own file.
func ReplaceEdit(at text.Span, s string) FileEdit {
	return FileEdit{Edit: text.Edit{Span: at, NewText: s}}
}

// ReplaceFix returns the fix that replaces a span of the diagnostic's own file.
func ReplaceFix(title string, at text.Span, s string) Fix {
	return Fix{Title: title, Edits: []FileEdit{ReplaceEdit(at, s)}, Best: true}
}

// ParseFix is [ReplaceFix] for a slip that makes other lines mean something else; see
// [Fix.ChangesParse].
func ParseFix(title string, at text.Span, s string) Fix {
	fix := ReplaceFix(title, at, s)
	fix.ChangesParse = true
	return fix
}

// shift moves the edits of the diagnostic's own file.
func (f Fix) shift(offset int) Fix {
	f.Edits = slices.Clone(f.Edits)
	for i := range f.Edits {
		if f.Edits[i].Path == "" {
			f.Edits[i].Span = f.Edits[i].Shift(offset)
		}
	}
	return f
}

// Shift returns the diagnostic of an entry as one of its file at path, in which the entry is at the
// offset.
func (d Diagnostic) Shift(path string, offset int) Diagnostic {
	d.Span = d.Span.Shift(offset)
	d.Related = slices.Clone(d.Related)
	for i := range d.Related {
		d.Related[i].Path = path
		d.Related[i].Span = d.Related[i].Span.Shift(offset)
	}
	d.Fixes = slices.Clone(d.Fixes)
	for i := range d.Fixes {
		d.Fixes[i] = d.Fixes[i].shift(offset)
	}
	return d
}

// Edits returns the edits of a fix for the file at path, each with the path of its file and with
// the line ends of that file. A file that does not exist gets the line ends of the file at path.
func Edits(w Workspace, path string, f Fix) []FileEdit {
	edits := slices.Clone(f.Edits)
	for i, e := range edits {
		if e.Path == "" {
			edits[i].Path = path
		}
		in := w.File(edits[i].Path)
		if in == nil || in.Doc == nil {
			in = w.File(path)
		}
		if !f.LineEnds {
			edits[i].NewText = LineEnds(in.Written().Doc.Text(), e.NewText)
		}
	}
	return edits
}

// LineEnds returns s with the line ends of source, the text that s is inserted into: those of
// source's first line.
func LineEnds(source, s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n") // of what was taken from the source
	if i := strings.IndexByte(source, '\n'); i > 0 && source[i-1] == '\r' {
		return strings.ReplaceAll(s, "\n", "\r\n")
	}
	return s
}
