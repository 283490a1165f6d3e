package analysis

import (
	"sort"

	"github.com/abl-lsp/abl-lsp/syntax"
)

// cursor is where an offset stands in a file: in which section, at which entry,
// on which node. Behind the last line of an entry, the entry is the one above.
type cursor struct {
	file    *File
	offset  int             // within the text
	section *syntax.Section // nil above the first
	entry   syntax.Placed   // of a nil Entry above the first
}

// cursor is the cursor at an offset, which is cut to fit the text. ok is false
// for a file without text and for one in the YAML dialect.
func (w Workspace) cursor(path string, offset int) (c cursor, ok bool) {
	f := w.files.get(path)
	if f == nil || f.Doc == nil || f.Kind == YAML {
		return cursor{}, false
	}
	return f.cursor(min(max(offset, 0), len(f.Doc.Text()))), true
}

func (f *File) cursor(offset int) cursor {
	c := cursor{file: f, offset: offset}
	sections := f.Doc.Sections()
	i := sort.Search(len(sections), func(i int) bool { return sections[i].Head.Offset > offset })
	if i == 0 {
		return c
	}
	c.section = &sections[i-1]
	c.entry = c.section.Head
	entries := c.section.Entries
	if j := sort.Search(len(entries), func(j int) bool { return entries[j].Offset > offset }); j > 0 {
		c.entry = entries[j-1]
	}
	return c
}

// kind is what the part of the file is that contains the cursor.
func (c cursor) kind() FileKind {
	if c.section == nil {
		return c.file.KindAt(c.offset)
	}
	return c.file.SectionKind(*c.section)
}

// node is the innermost node that holds the offset or ends at it; zero where
// none does.
func (c cursor) node() PlacedNode {
	if c.entry.Entry == nil || !c.entry.Span().Touches(c.offset) {
		return PlacedNode{}
	}
	return placed(c.entry.At(c.offset-c.entry.Offset), c.entry.Offset)
}

// NodeAt is the innermost node that holds the offset or ends at it; zero where
// none does.
func (f *File) NodeAt(offset int) PlacedNode { return f.cursor(offset).node() }

// toolAround is the declaration that holds the offset or ends at it.
func (f *File) toolAround(offset int) (PlacedTool, bool) {
	i := sort.Search(len(f.Tools), func(i int) bool { return f.Tools[i].Span().Start > offset })
	if i == 0 || !f.Tools[i-1].Span().Touches(offset) {
		return PlacedTool{}, false
	}
	return f.Tools[i-1], true
}

// importAround is the import that holds the offset or ends at it.
func (f *File) importAround(offset int) *Import {
	i := sort.Search(len(f.Imports), func(i int) bool { return f.Imports[i].Span().Start > offset })
	if i == 0 || !f.Imports[i-1].Span().Touches(offset) {
		return nil
	}
	return &f.Imports[i-1]
}
