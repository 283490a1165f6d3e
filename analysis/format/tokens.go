package format

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// blanks are what may be between two tokens.
const blanks = " \t\r\n\f\v\uFEFF"

// formatToken is a piece of text that formatting moves as a whole. Between two of them there are
// only blanks.
type formatToken struct {
	text.Span
	kind  syntax.Kind // Other for punctuation
	in    syntax.Kind // of the node around it
	level int         // its column, if it begins a line
	opens bool        // it begins a line, or follows the dash that does
	block bool        // several lines, which keep their indentation relative to each other
	word  string      // in canonical casing; "" if it stays as written
}

// isToken reports whether a node is one token. An expression after a key is a token if it is on one
// line: its author chose the blanks.
func isToken(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.Expression:
		return (n.Field() == syntax.FieldValue || n.Field() == syntax.FieldCondition) && !strings.ContainsAny(n.Text(), "\r\n")
	case syntax.StepName, syntax.Operator, syntax.BeforeClause, syntax.Comment, syntax.Keyword, syntax.ToolName, syntax.Identifier, syntax.Invalid, syntax.TypeIdentifier,
		syntax.Key, syntax.Path, syntax.String, syntax.Number, syntax.Boolean, syntax.Null, syntax.Text, syntax.BlockText,
		syntax.Colon, syntax.Equals, syntax.Question, syntax.Arrow, syntax.Pipe:
		return true
	}
	return false
}

func isLine(k syntax.Kind) bool {
	switch k {
	case syntax.Tool, syntax.Import, syntax.Add, syntax.Step, syntax.Rule, syntax.ConditionalItem, syntax.Pair, syntax.ListItem, syntax.Assignment, syntax.Mapping, syntax.Scalar, syntax.Comment:
		return true
	}
	return false
}

// formatLexer splits trees into tokens.
type formatLexer struct {
	source  string
	kind    model.FileKind // as far as the text says
	base    int            // offset of the entry
	resumed int            // offset up to which sections keep their casing: in capitals they would end a FLOW that resumes there
	words   formatWords
	tokens  []formatToken
}

func formatTokens(doc *syntax.Document) []formatToken {
	l := &formatLexer{source: doc.Text(), kind: model.KindOf("", doc)}
	for _, s := range doc.Sections() {
		if s.ContinuesFlow {
			l.resumed = s.Head.Offset
		}
	}
	for _, s := range doc.Sections() {
		l.addSection(s)
	}
	return l.tokens
}

func (l *formatLexer) addSection(s syntax.Section) {
	column := 0
	if s.Indented {
		column = model.IndentStep
	}
	if s.ContinuesFlow { // deeper they would belong to what parts them from their FLOW
		column = -model.IndentStep
	}
	info, _ := model.LookupSection(s.Name())
	l.words = sectionWords(s.Head.Root())
	if s.Head.Offset < l.resumed {
		delete(l.words.casing, s.Head.Root().KeyNode())
	}
	l.base = s.Head.Offset
	l.addLine(s.Head.Root(), column)
	column += model.IndentStep
	prose := s.Name() == "TESTS" || info.Shape == model.TextShape
	for _, e := range s.Entries {
		if prose && e.Kind() != syntax.Comment {
			l.addVerbatim(text.Span{Start: e.Offset, End: s.Entries[len(s.Entries)-1].Span().End}, column)
			return
		}
		l.words = entryWords(l.kind, s, e)
		l.base = e.Offset
		l.addLine(e.Root(), column)
	}
}

// addLine adds the tokens of a node that begins a line at a column.
func (l *formatLexer) addLine(n syntax.Node, column int) {
	first := len(l.tokens)
	switch {
	case l.words.prose[n]:
		l.addVerbatim(n.Span().Shift(l.base), column)
	case isToken(n):
		l.addToken(n, n.Kind(), column)
	default:
		l.addNode(n, column)
	}
	if first < len(l.tokens) {
		l.tokens[first].opens = true
	}
}

func (l *formatLexer) addNode(n syntax.Node, column int) {
	at := n.Span().Start
	for c := range n.Children() {
		l.addPunctuation(at, c.Span().Start, n.Kind(), column)
		at = max(at, c.Span().End)
		l.addChild(n, c, column)
	}
	l.addPunctuation(at, n.Span().End, n.Kind(), column)
}

func (l *formatLexer) addChild(n, c syntax.Node, column int) {
	inItem := n.Kind() == syntax.ListItem
	switch {
	case c.Kind() == syntax.Block && (l.words.prose[c] || isProse(n, c)):
		l.addProse(n, c, column)
	case c.Kind() == syntax.Block:
		for line := range c.Children() {
			l.addLine(line, column+model.IndentStep)
		}
	case inItem && c.Value().Kind() == syntax.PipeBlock && c.Kind() == syntax.Scalar:
		l.addLine(c, column) // the block's text is the item's
	case inItem && isLine(c.Kind()):
		l.addLine(c, column+model.IndentStep)
	case isToken(c) || l.words.prose[c]:
		l.addToken(c, n.Kind(), column)
	default:
		l.addNode(c, column)
	}
}

// addProse adds a block of free lines. Comments above it that end a preceding pipe block are not
// part of it.
func (l *formatLexer) addProse(n, block syntax.Node, column int) {
	span := block.Span()
	for c := range block.Children() {
		if c.Kind() != syntax.Comment || n.Value().Kind() != syntax.PipeBlock {
			break
		}
		l.addLine(c, column)
		span.Start = c.Span().End
	}
	l.addVerbatim(span.Shift(l.base), column+model.IndentStep)
}

// isProse reports whether the block of n has free lines: what is below them, or between them, may
// be text as well. In a tool they can only be comments of the platform.
func isProse(n, block syntax.Node) bool {
	return n.Kind() != syntax.Tool && n.Kind() != syntax.Add && !block.ChildOf(syntax.Scalar).IsZero()
}

func (l *formatLexer) addToken(n syntax.Node, in syntax.Kind, column int) {
	span := n.Span().Shift(l.base)
	if n.Kind() == syntax.BlockText {
		l.addVerbatim(span, column+model.IndentStep)
		l.keepBlanks(span)
		return
	}
	if n.Kind() == syntax.Comment {
		span.End = span.Start + len(strings.TrimRight(l.source[span.Start:span.End], " \t\f\v"))
	}
	if !span.Empty() {
		l.tokens = append(l.tokens, formatToken{Span: span, kind: n.Kind(), in: in, level: column, word: l.words.casing[n]})
	}
}

// addVerbatim adds lines that are moved together to a column.
func (l *formatLexer) addVerbatim(span text.Span, column int) {
	span.Start += len(l.source[span.Start:span.End]) - len(strings.TrimLeft(l.source[span.Start:span.End], blanks))
	span.End = span.Start + len(strings.TrimRight(l.source[span.Start:span.End], " \t\r\n"))
	if !span.Empty() {
		l.tokens = append(l.tokens, formatToken{Span: span, kind: syntax.BlockText, level: column, opens: true, block: true})
	}
}

// keepBlanks keeps the blanks at the end of a text, which belong to it.
func (l *formatLexer) keepBlanks(text text.Span) {
	if n := len(l.tokens); n > 0 && l.tokens[n-1].block {
		end := l.tokens[n-1].End
		for end < text.End && strings.IndexByte(" \t", l.source[end]) >= 0 {
			end++
		}
		l.tokens[n-1].End = end
	}
}

// addPunctuation adds the text between two nodes: each character is a token.
func (l *formatLexer) addPunctuation(from, to int, in syntax.Kind, column int) {
	for i := l.base + from; i < l.base+to; {
		rest := l.source[i : l.base+to]
		if space := len(rest) - len(strings.TrimLeft(rest, blanks)); space > 0 {
			i += space
			continue
		}
		l.tokens = append(l.tokens, formatToken{Span: text.Span{Start: i, End: i + 1}, in: in, level: column})
		i++
	}
}
