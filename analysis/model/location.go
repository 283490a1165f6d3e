package model

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Location is a place that a word refers to.
type Location struct {
	From text.Span // the word that was asked about
	Path string
	Span text.Span // the name there; empty, at the beginning of a file, for the file itself
	Full text.Span // the declaration around it
}

// Lister lists the folder at a path. It returns nothing if the folder cannot be read.
type Lister func(dir string) []DirEntry

// DirEntry is one entry of a folder.
type DirEntry struct {
	Name  string
	IsDir bool
}

// Relative returns the path by which the file at path from imports the one at path to, "" if it
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

// RelativeLike returns the path to a file as from would write it, in the style of the path like
// that from has now.
func RelativeLike(like, from, to string) string {
	if filepath.IsAbs(like) {
		return to
	}
	written := Relative(from, to)
	if !strings.HasPrefix(like, "./") && !strings.HasPrefix(like, "../") {
		written = strings.TrimPrefix(written, "./")
	}
	return written
}

// DeclaresTool reports whether a file declares a tool of that name itself.
func DeclaresTool(f *File, name string) bool {
	for _, t := range f.Tools {
		if t.Name == name {
			return true
		}
	}
	return false
}

// NameSpan returns a name of the bracket list, without quotes.
func (i Import) NameSpan(k int) text.Span { return UnquotedWord(i.Names[k].Node).Span.Shift(i.Offset) }

// DescribePlace returns a place for a reader of the file from: the path if it is another file, and
// the line.
func DescribePlace(from, in *File, at text.Span) string {
	path := in.Path
	if rel, err := filepath.Rel(filepath.Dir(from.Path), path); err == nil {
		path = filepath.ToSlash(rel)
	}
	return fmt.Sprintf("`%s`, line %d", path, in.Positions().Line(at)+1)
}

// LineOf returns the number of the line on which a span begins, counted from 1.
func LineOf(f *File, s text.Span) int { return f.Positions().Line(s) + 1 }

// IndentAt returns the indentation of the line of an offset.
func IndentAt(f *File, offset int) string {
	line := f.Doc.Text()[f.Doc.Lines().LineStart(f.Doc.Lines().Line(offset)):]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// SignatureSpan returns the signature, in the file.
func (t PositionedTool) SignatureSpan() text.Span {
	span := t.Span()
	if block := t.Node.Child(syntax.FieldBlock); !block.IsZero() {
		span.End = t.InFile(block).Span().Start
	}
	span.End = span.Start + len(strings.TrimRight(t.Node.Text()[:span.Len()], " \t\r\n"))
	return span
}
