// Package format lays out ABL text: whole files, ranges, and the line after a line end. Formatting
// keeps every token and comment, and formatting twice changes nothing more. A text that the parser
// does not understand is refused.
package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// FormatError says why a file is not formatted.
type FormatError struct {
	Line    int // from 0
	Message string
}

// Error names the line as people count, from 1.
func (e *FormatError) Error() string { return fmt.Sprintf("line %d: %s", e.Line+1, e.Message) }

// Format returns the edits that give a document its canonical layout: two spaces a level, regular
// spacing, and the casing of the language's own words. Comments, strings, unquoted text, the text
// of blocks and the order of lines stay as they are. The formatted text means the same, and
// formatting it again changes nothing.
//
// found are the file's diagnostics. Format fails if one of them says that a line cannot be read or
// is indented wrongly, if doc itself has a problem, and if the text cannot be laid out without
// changing what it means. The error is, or wraps, a *FormatError.
func Format(doc *syntax.Document, found []model.Diagnostic) ([]text.Edit, error) {
	edits, _, err := format(doc, found)
	return edits, err
}

// format returns the edits of [Format], and the formatted document; that is doc itself if there are
// none. It fails as Format does.
func format(doc *syntax.Document, found []model.Diagnostic) (edits []text.Edit, after *syntax.Document, err error) {
	if err := unformattable(doc, found); err != nil {
		return nil, nil, err
	}
	edits, after, err = formatUntilStable(doc)
	if err != nil {
		return nil, nil, fmt.Errorf("laying out: %w", err)
	}
	if len(edits) == 0 {
		return nil, doc, nil
	}
	if at, same := sameMeaning(doc, after); !same {
		return nil, nil, &FormatError{doc.Lines().Line(at), "this cannot be laid out without changing what it means; indent it with spaces, in even steps"}
	}
	return edits, after, nil
}

// maxPasses bounds the repetitions. They are needed if something moves only once something else has
// moved: a comment among free lines, or a mixture of tabs and spaces.
const maxPasses = 4

// formatUntilStable lays doc out until nothing moves any more, and returns the edits with the
// document after them. It fails if something still moves after maxPasses, because of tabs among
// spaces.
func formatUntilStable(doc *syntax.Document) (edits []text.Edit, after *syntax.Document, err error) {
	after = doc
	for range maxPasses {
		more := layOut(after.Text(), formatTokens(after))
		if len(more) == 0 {
			return edits, after, nil
		}
		if edits, err = composeEdits(doc.Text(), edits, more); err != nil {
			return nil, nil, err
		}
		laid, err := text.Apply(doc.Text(), edits...)
		if err != nil {
			return nil, nil, err
		}
		after = syntax.Parse(laid)
	}
	return nil, nil, &FormatError{0, "the file mixes tabs and spaces; indent it with spaces"}
}

// composeEdits returns the edits of source that do what first and then do, one after the other, as
// text.Compose does. Without first it returns then as it is, so that adjacent edits stay apart.
func composeEdits(source string, first, then []text.Edit) ([]text.Edit, error) {
	if len(first) == 0 {
		return then, nil
	}
	return text.Compose(source, first, then)
}

// unformattable returns an error for the first thing in a document that has no known form.
func unformattable(doc *syntax.Document, found []model.Diagnostic) error {
	for _, d := range found {
		if d.IsUnreadable() || slices.ContainsFunc(d.Fixes, fixIndents) {
			return &FormatError{doc.Lines().Line(d.Span.Start), d.Message}
		}
	}
	for _, p := range doc.Problems() {
		return &FormatError{doc.Lines().Line(p.Span.Start), "the text cannot be read from here on"}
	}
	return nil
}

// fixIndents reports whether a fix repairs the indentation of a line.
func fixIndents(f model.Fix) bool {
	return f.ChangesParse && len(f.Edits) == 1 && f.Edits[0].NewText != "" && strings.Trim(f.Edits[0].NewText, " ") == ""
}

// part is what one node contributes to the meaning of a document.
type part struct {
	kind   syntax.Kind
	field  syntax.Field
	depth  int
	text   string // of a leaf, and of a block that is text
	offset int
}

// sameMeaning reports whether two documents have the same sections, entries, values and comments;
// at is the offset in a of the first difference.
func sameMeaning(a, b *syntax.Document) (at int, same bool) {
	if len(b.Problems()) > len(a.Problems()) {
		return 0, false
	}
	one, oneComments := meaning(a)
	two, twoComments := meaning(b)
	for i, p := range one {
		if i >= len(two) || !p.equals(two[i]) {
			return p.offset, false
		}
	}
	for i, c := range oneComments {
		if i >= len(twoComments) || c.text != twoComments[i].text {
			return c.offset, false
		}
	}
	return 0, len(one) == len(two) && len(oneComments) == len(twoComments)
}

// equals compares two parts. It ignores the casing of words, which formatting changes.
func (p part) equals(q part) bool {
	if p.kind != q.kind || p.field != q.field || p.depth != q.depth {
		return false
	}
	return p.text == q.text || slices.Contains([]syntax.Kind{syntax.Keyword, syntax.Key, syntax.Text}, p.kind) && strings.EqualFold(p.text, q.text)
}

func meaning(doc *syntax.Document) (parts, comments []part) {
	var words formatWords
	var visit func(n syntax.Node, base, depth int)
	visit = func(n syntax.Node, base, depth int) {
		p := part{n.Kind(), n.Field(), depth, "", base + n.Span().Start}
		switch {
		case p.kind == syntax.Comment:
			p.text = strings.TrimRight(n.Text(), " \t\f\v")
			comments = append(comments, p)
			return
		case p.kind == syntax.Keyword:
			p.text = strings.Join(strings.Fields(n.Text()), " ")
		case isToken(n):
			p.text = n.UnquotedText()
		case p.kind == syntax.Block && words.prose[n]:
			p.text = strings.Trim(n.BlockContent(), "\n")
		}
		parts = append(parts, p)
		for c := range n.Children() {
			visit(c, base, depth+1)
		}
	}
	kind := model.KindOf("", doc)
	for _, s := range doc.Sections() {
		visit(s.Head.Root(), s.Head.Offset, 0)
		for _, e := range s.Entries {
			words = entryWords(kind, s, e)
			visit(e.Root(), e.Offset, 1)
		}
	}
	return parts, comments
}
