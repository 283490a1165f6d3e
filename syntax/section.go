package syntax

import (
	"iter"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Section is one thing at the top level: a section of the language, or a
// comment or a stray line between them.
type Section struct {
	// Head is the section's own line with its value (a pipe block included); of
	// kind SectionNode, ToolsSection, Comment, Scalar.
	Head PositionedEntry

	// Entries are the lines of the section's block, comments among them.
	Entries []PositionedEntry

	// Indented says that the section stands below another's line instead of at
	// column 0.
	Indented bool

	// ContinuesFlow says that the entries are steps at column 0 of the FLOW above, from
	// which another section or a stray line parts them. Head is empty.
	ContinuesFlow bool
}

// Sections are sections in the order of the text.
type Sections []Section

// Named are those with one of these names.
func (s Sections) Named(names ...string) iter.Seq[Section] {
	return func(yield func(Section) bool) {
		for _, one := range s {
			if slices.Contains(names, one.Name()) && !yield(one) {
				return
			}
		}
	}
}

// Has reports whether one of them has that name.
func (s Sections) Has(name string) bool {
	for range s.Named(name) {
		return true
	}
	return false
}

// Name is the section's keyword in upper case, with single spaces; "" for
// comments and stray lines, FLOW for steps that belong to one above.
func (s Section) Name() string {
	if s.ContinuesFlow {
		return "FLOW"
	}
	return strings.ToUpper(strings.Join(strings.Fields(s.Head.Root().Key()), " "))
}

// HeadAndEntries are the head of the section and its entries.
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

// HasEntryAt reports whether one of the entries begins at an offset.
func (s Section) HasEntryAt(offset int) bool {
	_, found := slices.BinarySearchFunc(s.Entries, offset, func(e PositionedEntry, offset int) int { return e.Offset - offset })
	return found
}

// Span is the section from its keyword to the end of its last entry.
func (s Section) Span() text.Span {
	span := s.Head.Span()
	if n := len(s.Entries); n > 0 {
		span.End = max(span.End, s.Entries[n-1].Span().End)
	}
	return span
}
