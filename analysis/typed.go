package analysis

import (
	"context"
	"regexp"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// typed is the line under a cursor, as far as it is typed. What the line
// belongs to follows from its indentation and from the lines above, so that it
// may be empty or fit no form yet.
type typed struct {
	cursor
	w       Workspace
	ctx     context.Context // lives as long as one request
	beyond  Beyond
	start   int        // offset of the text behind white space and dashes
	dash    bool       // there are dashes
	column  int        // of the line, before any dash
	above   PlacedNode // the tool, pair, list item, … that the line is below; zero directly under a section
	key     string     // with a colon behind it; "" where the cursor is in the key
	value   int        // offset of the value, if there is a key
	pipe    bool       // the line is text of a pipe block, that of above
	through int        // variables that were looked through for a type

	scope []scopeName // what expressions see; nil for what those of the file see
}

var (
	dashes  = regexp.MustCompile(`^[ \t]*((?:-[ \t]+)*)`)
	keyPart = regexp.MustCompile(`^([A-Za-z_][\w.-]*|"[^"\r\n]*"):(?:[ \t\r\n]+|$)`)
)

// lineAt is the line under the cursor. ok is false in a comment.
func lineAt(w Workspace, c cursor) (t typed, ok bool) {
	lines := c.file.Doc.Lines()
	line := lines.LineText(lines.Line(c.offset))
	c.offset = min(c.offset, line.End) // not inside the line's end
	if from := openBracketStart(c); from >= 0 {
		line = lines.LineText(lines.Line(from))
	} else if from := callAbove(c); from >= 0 {
		line = lines.LineText(from)
	}
	source := c.file.Doc.Text()
	before := source[line.Start:c.offset]
	m := dashes.FindStringSubmatchIndex(before)
	t = typed{cursor: c, w: w, start: line.Start + m[1], dash: m[2] < m[3], column: width(before[:m[2]])}
	end := line.Start + len(strings.TrimRight(before, " \t"))
	if strings.HasPrefix(source[t.start:c.offset], "#") || c.file.cursor(end).node().Kind() == syntax.Comment {
		return t, false
	}
	if end := t.lastLineAbove(line.Start); end >= 0 && t.column > 0 {
		t.section = t.file.cursor(end).section // not a comment between
	}
	t.above = t.belongsTo(line.Start)
	t.pipe = t.above.Value().Kind() == syntax.PipeBlock
	if m := keyPart.FindStringSubmatchIndex(source[t.start:c.offset]); m != nil && !t.pipe {
		t.key = syntax.Unquote(source[t.start : t.start+m[3]])
		t.value = t.start + m[1]
	}
	return t, true
}

// belongsTo is what a line that begins at an offset is below: of the lines
// above it, the nearest that is indented less.
func (t typed) belongsTo(start int) PlacedNode {
	end := t.lastLineAbove(start)
	if end < 0 {
		return PlacedNode{}
	}
	c := t.file.cursor(end)
	for n := c.node(); !n.IsZero(); n.Node = n.Parent() {
		switch n.Kind() {
		case syntax.Tool, syntax.Import, syntax.Add, syntax.Step, syntax.Rule, syntax.ConditionalItem, syntax.Pair, syntax.ListItem, syntax.Scalar,
			syntax.Assignment, syntax.Mapping:
			if t.columnOf(n.Span().Start) < t.column {
				return n
			}
		}
	}
	return PlacedNode{}
}

// lastLineAbove is the end of the nearest line above an offset that is neither
// blank nor a comment, -1 where there is none.
func (t typed) lastLineAbove(start int) int {
	lines := t.file.Doc.Lines()
	for i := lines.Line(start) - 1; i >= 0; i-- {
		span := lines.LineText(i)
		s := strings.TrimRight(lines.Text()[span.Start:span.End], " \t\f\v")
		if body := strings.TrimLeft(s, " \t\ufeff"); body != "" && body[0] != '#' {
			return span.Start + len(s)
		}
	}
	return -1
}

// openBracketStart is the start of the pair or import around a bracket that is open at
// the cursor, -1 where there is none.
func openBracketStart(c cursor) int {
	for n := c.node(); !n.IsZero(); n.Node = n.Parent() {
		if n.Kind() != syntax.List && n.Kind() != syntax.Map || !n.Span().Contains(c.offset) {
			continue
		}
		switch up := entryNode(c, n.Parent()); up.Kind() {
		case syntax.Pair, syntax.Import:
			return up.Span().Start
		}
	}
	return -1
}

// callKey is the key of a call, up to what is called.
var callKey = regexp.MustCompile(`^[ \t]*(?:-[ \t]+)*(?i:CALL):[ \t\r\n]*`)

// callAbove is the line of the CALL above that the cursor's line goes on with: its bracket is
// open, or the cursor is in the first word below it. -1 where there is none.
func callAbove(c cursor) int {
	lines, source := c.file.Doc.Lines(), c.file.Doc.Text()
	last := lines.Line(c.offset)
	least := indent(c, last)
	for i := last - 1; i >= 0 && least > 0; i-- {
		written := blankComments(source[lines.LineStart(i):c.offset])
		key := callKey.FindString(written)
		if indent := indent(c, i); key == "" || indent >= least {
			if line := strings.TrimSpace(source[lines.LineStart(i):lines.LineText(i).End]); line != "" && line[0] != '#' {
				least = min(least, indent)
			}
			continue
		}
		_, isOpen := callTyped(written[len(key):])
		if isOpen || strings.Contains(key, "\n") && strings.Trim(written[len(key):], nameBytes) == "" {
			return i
		}
		return -1
	}
	return -1
}

// indent is the column of the first character of a line that is no white space.
func indent(c cursor, line int) int {
	span := c.file.Doc.Lines().LineText(line)
	s := c.file.Doc.Text()[span.Start:min(span.End, max(span.Start, c.offset))]
	return width(s[:len(s)-len(strings.TrimLeft(s, " \t"))])
}

func entryNode(c cursor, n syntax.Node) PlacedNode { return placed(n, c.entry.Offset) }

// columnOf is the column of an offset; a tab reaches the next multiple of four.
func (t typed) columnOf(offset int) int {
	lines := t.file.Doc.Lines()
	return width(lines.Text()[lines.LineStart(lines.Line(offset)):offset])
}

// text is what is typed of the line, or of its value; lines of comments in it are blank.
func (t typed) text() string { return blankComments(t.file.Doc.Text()[max(t.start, t.value):t.offset]) }

var commentLine = regexp.MustCompile(`(?m)^[ \t]*#.*`)

// blankComments puts spaces in the place of the lines of a text, after its first, that are
// comments.
func blankComments(s string) string {
	first := strings.IndexByte(s, '\n') + 1
	if first == 0 || !strings.Contains(s[first:], "#") {
		return s
	}
	return s[:first] + commentLine.ReplaceAllStringFunc(s[first:], func(comment string) string { return strings.Repeat(" ", len(comment)) })
}

// rest is what stands behind the cursor on its line.
func (t typed) rest() string {
	lines := t.file.Doc.Lines()
	return lines.Text()[t.offset:lines.LineText(lines.Line(t.offset)).End]
}

// tool is the tool that the line is below.
func (t typed) tool() (PlacedTool, bool) {
	if t.above.IsZero() {
		return PlacedTool{}, false
	}
	return t.file.toolAround(t.above.Span().Start)
}

// path are the properties that the line is below, the outermost first.
func (t typed) path() []Property {
	if t.above.IsZero() {
		return nil
	}
	start := t.above.Span().Start
	return propertiesAt(t.file.cursor(start), start)
}

// siblings are the keys of the map that the line stands in, its own left out.
func (t typed) siblings() []string {
	in := t.above
	switch {
	case t.dash:
		in = t.ownItem()
	case in.IsZero():
		return t.topKeys()
	}
	var keys []string
	for c := range in.Entries() {
		if in.At(c).Span().Start != t.start {
			keys = append(keys, syntax.Unquote(keyOf(c).Text()))
		}
	}
	return keys
}

// ownItem is the list item that begins on the line.
func (t typed) ownItem() PlacedNode {
	n := t.node()
	for !n.IsZero() && n.Kind() != syntax.ListItem {
		n.Node = n.Parent()
	}
	return n
}

// topKeys are the keys directly in the section.
func (t typed) topKeys() []string {
	var keys []string
	if t.section == nil {
		return nil
	}
	for _, e := range t.section.Entries {
		if e.Offset != t.start {
			keys = append(keys, e.Root().Key())
		}
	}
	return keys
}

// replace is an edit that replaces the text from an offset to the end of the
// name under the cursor.
func (t typed) replace(from int, with string) text.Edit {
	return text.Edit{Span: text.Span{Start: from, End: t.wordEnd(from)}, NewText: with}
}

// wordEnd is the end of the name under the cursor; the cursor itself where
// nothing of the name stands before it.
func (t typed) wordEnd(from int) int {
	if from == t.offset {
		return t.offset
	}
	return wordAt(t.file.Doc.Text(), t.offset).End
}
