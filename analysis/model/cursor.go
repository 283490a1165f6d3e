package model

import (
	"sort"

	"github.com/abl-lsp/abl-lsp/syntax"
)

// Cursor is the place of an offset in a file: its section, its entry, its node. After the last line
// of an entry, the entry is the one above.
type Cursor struct {
	File    *File
	Offset  int                    // within the text
	Section *syntax.Section        // nil above the first
	Entry   syntax.PositionedEntry // its Entry is nil above the first
}

// Cursor returns the cursor at an offset, which is moved into the text if it is outside. ok is
// false for a file without text and for one in the YAML dialect.
func (w Workspace) Cursor(path string, offset int) (c Cursor, ok bool) {
	f := w.File(path)
	if f == nil || f.Doc == nil || f.Kind == YAML {
		return Cursor{}, false
	}
	if f.IsYAMLAgent() && !f.Agent.Map.IsGenerated(offset) {
		return Cursor{}, false
	}
	return f.Cursor(min(max(offset, 0), len(f.Doc.Text()))), true
}

// Cursor returns the cursor at an offset within the text.
func (f *File) Cursor(offset int) Cursor {
	c := Cursor{File: f, Offset: offset}
	sections := f.Doc.Sections()
	i := sort.Search(len(sections), func(i int) bool { return sections[i].Head.Offset > offset })
	if i == 0 {
		return c
	}
	c.Section = &sections[i-1]
	c.Entry = c.Section.Head
	entries := c.Section.Entries
	if j := sort.Search(len(entries), func(j int) bool { return entries[j].Offset > offset }); j > 0 {
		c.Entry = entries[j-1]
	}
	return c
}

// Kind returns the kind of the part of the file that contains the cursor.
func (c Cursor) Kind() FileKind {
	if c.Section == nil {
		return c.File.KindAt(c.Offset)
	}
	return c.File.SectionKind(*c.Section)
}

// Node returns the innermost node that holds the offset or ends at it; zero if there is none.
func (c Cursor) Node() PositionedNode {
	if c.Entry.Entry == nil || !c.Entry.Span().Touches(c.Offset) {
		return PositionedNode{}
	}
	return PositionNode(c.Entry.NodeAt(c.Offset-c.Entry.Offset), c.Entry.Offset)
}

// NodeAt returns the innermost node that holds the offset or ends at it; zero if there is none.
func (f *File) NodeAt(offset int) PositionedNode { return f.Cursor(offset).Node() }

// ToolAround returns the tool declaration that holds the offset or ends at it. The second result is
// false if there is none.
func (f *File) ToolAround(offset int) (PositionedTool, bool) {
	i := sort.Search(len(f.Tools), func(i int) bool { return f.Tools[i].Span().Start > offset })
	if i == 0 || !f.Tools[i-1].Span().Touches(offset) {
		return PositionedTool{}, false
	}
	return f.Tools[i-1], true
}

// ImportAround returns the import that holds the offset or ends at it; nil if there is none.
func (f *File) ImportAround(offset int) *Import {
	i := sort.Search(len(f.Imports), func(i int) bool { return f.Imports[i].Span().Start > offset })
	if i == 0 || !f.Imports[i-1].Span().Touches(offset) {
		return nil
	}
	return &f.Imports[i-1]
}
