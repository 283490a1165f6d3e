package syntax

import (
	"iter"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Section is a section of the language, or a comment or a stray line between
// sections.
type Section struct {
	// Head is the section's own line with its value, which may be a pipe block. Its
	// kind is SectionNode, ToolsSection, Comment or Scalar.
	Head PositionedEntry

	// Entries are the entries of the section's block, with comments.
	Entries []PositionedEntry

	// Indented says that the section is below the line of another one instead of
	// at column 0.
	Indented bool

	// ContinuesFlow says that the entries are steps at column 0 that belong to the
	// FLOW above, although another section or a stray line is between them. Head is
	// empty then.
	ContinuesFlow bool
}

// Sections are sections in the order of the text.
type Sections []Section

// Named yields the sections with one of these names.
func (s Sections) Named(names ...string) iter.Seq[Section] {
	return func(yield func(Section) bool) {
		for _, one := range s {
			if slices.Contains(names, one.Name()) && !yield(one) {
				return
			}
		}
	}
}

// Has reports whether one of the sections has the name.
func (s Sections) Has(name string) bool {
	for range s.Named(name) {
		return true
	}
	return false
}

// Name returns the section's keyword in upper case, with single spaces. It is ""
// for comments and stray lines, and FLOW for a section that continues a flow.
func (s Section) Name() string {
	if s.ContinuesFlow {
		return "FLOW"
	}
	return strings.ToUpper(strings.Join(strings.Fields(s.Head.Root().Key()), " "))
}

// HeadAndEntries yields the head of the section and then its entries.
func (s Section) HeadAndEntries() iter.Seq[PositionedEntry] {
	return func(yield func(PositionedEntry) bool) {
		if !yield(s.Head) {
			return
		}
		for _, e := range s.Entries {
			if !yield(e) {
				return
			}
		}
	}
}

// HasEntryAt reports whether one of the entries begins exactly at an offset of the document.
func (s Section) HasEntryAt(offset int) bool {
	_, found := slices.BinarySearchFunc(s.Entries, offset, func(e PositionedEntry, offset int) int { return e.Offset - offset })
	return found
}

// Span returns the span from the section's keyword to the end of its last entry.
func (s Section) Span() text.Span {
	span := s.Head.Span()
	if n := len(s.Entries); n > 0 {
		span.End = max(span.End, s.Entries[n-1].Span().End)
	}
	return span
}
