package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Fix is a change that repairs what a diagnostic says.
type Fix struct {
	Title string // what it does, as a menu shows it
	Edits []FileEdit

	// Best says that this is the one obvious answer: what an editor does when
	// all is to be fixed at once.
	Best bool

	// ChangesParse says that the fix repairs a slip that makes other lines something else:
	// what is found in these counts once it is repaired.
	ChangesParse bool

	// LineEnds says that the fix changes line ends and nothing else. Its new text
	// has the line ends that it is about.
	LineEnds bool

	// Rename is the path that the diagnostic's file gets; "" for the one that it has.
	Rename string

	// Accept is what a person accepts instead of an edit; nil for nothing.
	Accept *Acceptance
}

// Acceptance is that what a server says of its tools is all right.
type Acceptance struct {
	Root   string // the folder of the project
	Server string
	Digest string // of what it says, see [Said.Digest]
}

// FileEdit is an edit of one file. In the file of the diagnostic itself the path
// is empty, and a span is relative to what the diagnostic's is relative to. A
// file that does not exist is made of it.
//
// The line ends of the new text mean nothing; whoever applies it gives it those
// of the file, see [LineEnds].
type FileEdit struct {
	Path string
	text.Edit
}

// EditsIn are edits of the file at a path, "" for that of the diagnostic.
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

// ParseFix returns a [ReplaceFix] without which other lines are read as something else.
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

// Shift returns the diagnostic of an entry in its file at path, where the entry is at the offset.
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
// that file's line ends. A file that does not exist gets those of the file at path.
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
			edits[i].NewText = LineEnds(in.Doc.Text(), e.NewText)
		}
	}
	return edits
}

// LineEnds gives s the line ends of the text that it goes into: those of its
// first line.
func LineEnds(source, s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n") // of what was taken from the source
	if i := strings.IndexByte(source, '\n'); i > 0 && source[i-1] == '\r' {
		return strings.ReplaceAll(s, "\n", "\r\n")
	}
	return s
}
