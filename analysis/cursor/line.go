// Package cursor finds what is under the cursor: the line being typed, with its entry and the keys
// that it may have; the place in a YAML file; the symbol of a word; and the type of an expression
// there. Half-typed text is its normal case.
package cursor

import (
	"context"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// Line is the line under a cursor, up to the cursor. Its indentation and the lines above decide
// what the line belongs to, so that it may be empty, or not yet readable. In a YAML file the Line
// is the key or the value under the cursor, see [YAMLLine].
type Line struct {
	model.Cursor
	Workspace model.Workspace
	Ctx       context.Context // lives as long as one request
	Host      Host
	Start     int                  // offset of the text after white space and dashes
	Dash      bool                 // there are dashes
	Column    int                  // of the line, before any dash
	Parent    model.PositionedNode // the tool, pair, list item, … whose block contains the line; zero directly under a section
	Key       string               // the key before the colon; "" if the cursor is in the key
	Value     int                  // offset of the value, if there is a key
	Pipe      bool                 // the line is text of the pipe block of Parent
	typeDepth int                  // how many variables were followed for a type

	YAML  *yaml.Cursor // the place in the tree of a YAML file; nil in ABL
	Scope []ScopeName  // the names that expressions see; nil for those of the file
}

var (
	dashes  = lazyregexp.New(`^[ \t]*((?:-[ \t]+)*)`)
	keyPart = lazyregexp.New(`^([A-Za-z_][\w.-]*|"[^"\r\n]*"):(?:[ \t\r\n]+|$)`)
)

// LineAt returns the line under the cursor. ok is false in a comment.
func LineAt(w model.Workspace, c model.Cursor) (t Line, ok bool) {
	lines := c.File.Doc.Lines()
	line := lines.LineText(lines.Line(c.Offset))
	c.Offset = min(c.Offset, line.End) // not inside the line's end
	if from := openBracketStart(c); from >= 0 {
		line = lines.LineText(lines.Line(from))
	} else if from := callAbove(c); from >= 0 {
		line = lines.LineText(from)
	}
	source := c.File.Doc.Text()
	before := source[line.Start:c.Offset]
	m := dashes.FindStringSubmatchIndex(before)
	t = Line{Cursor: c, Workspace: w, Start: line.Start + m[1], Dash: m[2] < m[3], Column: model.Width(before[:m[2]])}
	end := line.Start + len(strings.TrimRight(before, " \t"))
	if strings.HasPrefix(source[t.Start:c.Offset], "#") || c.File.Cursor(end).Node().Kind() == syntax.Comment {
		return t, false
	}
	if end := t.lastLineAbove(line.Start); end >= 0 && t.Column > 0 {
		t.Section = t.File.Cursor(end).Section // not a comment between
	}
	t.Parent = t.belongsTo(line.Start)
	t.Pipe = t.Parent.Value().Kind() == syntax.PipeBlock
	if m := keyPart.FindStringSubmatchIndex(source[t.Start:c.Offset]); m != nil && !t.Pipe {
		t.Key = syntax.Unquote(source[t.Start : t.Start+m[3]])
		t.Value = t.Start + m[1]
	}
	return t, true
}

// belongsTo returns the node whose block contains a line that begins at an offset: of the lines
// above it, the nearest that is indented less.
func (t Line) belongsTo(start int) model.PositionedNode {
	end := t.lastLineAbove(start)
	if end < 0 {
		return model.PositionedNode{}
	}
	c := t.File.Cursor(end)
	for n := c.Node(); !n.IsZero(); n.Node = n.Parent() {
		switch n.Kind() {
		case syntax.Tool, syntax.Import, syntax.Add, syntax.Step, syntax.Rule, syntax.ConditionalItem, syntax.Pair, syntax.ListItem, syntax.Scalar,
			syntax.Assignment, syntax.Mapping:
			if t.ColumnOf(n.Span().Start) < t.Column {
				return n
			}
		}
	}
	return model.PositionedNode{}
}

// lastLineAbove returns the end of the nearest line above an offset that is neither blank nor a
// comment, -1 if there is none.
func (t Line) lastLineAbove(start int) int {
	lines := t.File.Doc.Lines()
	for i := lines.Line(start) - 1; i >= 0; i-- {
		span := lines.LineText(i)
		s := strings.TrimRight(lines.Text()[span.Start:span.End], " \t\f\v")
		if body := strings.TrimLeft(s, " \t\ufeff"); body != "" && body[0] != '#' {
			return span.Start + len(s)
		}
	}
	return -1
}

// openBracketStart returns the start of the pair or import around a bracket that is open at the
// cursor, -1 if there is none.
func openBracketStart(c model.Cursor) int {
	for n := c.Node(); !n.IsZero(); n.Node = n.Parent() {
		if n.Kind() != syntax.List && n.Kind() != syntax.Map || !n.Span().Contains(c.Offset) {
			continue
		}
		switch up := entryNode(c, n.Parent()); up.Kind() {
		case syntax.Pair, syntax.Import:
			return up.Span().Start
		}
	}
	return -1
}

// callKey matches the key of a call, up to the called name.
var callKey = lazyregexp.New(`^[ \t]*(?:-[ \t]+)*(?i:CALL):[ \t\r\n]*`)

// callAbove returns the line of the CALL above that the cursor's line continues: its bracket is
// open, or the cursor is in the first word below it. It is -1 if there is none.
func callAbove(c model.Cursor) int {
	lines, source := c.File.Doc.Lines(), c.File.Doc.Text()
	last := lines.Line(c.Offset)
	least := indent(c, last)
	for i := last - 1; i >= 0 && least > 0; i-- {
		line := source[lines.LineStart(i):lines.LineText(i).End]
		if indent := indent(c, i); indent >= least || !callKey.MatchString(line) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				least = min(least, indent)
			}
			continue
		}
		written := blankComments(source[lines.LineStart(i):c.Offset])
		key := callKey.FindString(written)
		_, isOpen := ParseOpenCall(written[len(key):])
		if isOpen || strings.Contains(key, "\n") && strings.Trim(written[len(key):], model.NameBytes) == "" {
			return i
		}
		return -1
	}
	return -1
}

// indent returns the column of the first character of a line that is no white space.
func indent(c model.Cursor, line int) int {
	span := c.File.Doc.Lines().LineText(line)
	s := c.File.Doc.Text()[span.Start:min(span.End, max(span.Start, c.Offset))]
	return model.Width(s[:len(s)-len(strings.TrimLeft(s, " \t"))])
}

func entryNode(c model.Cursor, n syntax.Node) model.PositionedNode {
	return model.PositionNode(n, c.Entry.Offset)
}

// ColumnOf returns the column of an offset; a tab ends at the next multiple of four.
func (t Line) ColumnOf(offset int) int {
	lines := t.File.Doc.Lines()
	return model.Width(lines.Text()[lines.LineStart(lines.Line(offset)):offset])
}

// Text returns the typed text of the line, or of its value; lines of comments in it are blank.
func (t Line) Text() string { return blankComments(t.File.Doc.Text()[max(t.Start, t.Value):t.Offset]) }

var commentLine = lazyregexp.New(`(?m)^[ \t]*#.*`)

// blankComments replaces comment lines after the first line of a text by spaces.
func blankComments(s string) string {
	first := strings.IndexByte(s, '\n') + 1
	if first == 0 || !strings.Contains(s[first:], "#") {
		return s
	}
	return s[:first] + commentLine.ReplaceAllStringFunc(s[first:], func(comment string) string { return strings.Repeat(" ", len(comment)) })
}

// TextAfter returns what follows the cursor on its line.
func (t Line) TextAfter() string {
	lines := t.File.Doc.Lines()
	return lines.Text()[t.Offset:lines.LineText(lines.Line(t.Offset)).End]
}

// Tool returns the tool whose block contains the line. The second result is false if the line is in
// no tool.
func (t Line) Tool() (model.PositionedTool, bool) {
	if t.Parent.IsZero() {
		return model.PositionedTool{}, false
	}
	return t.File.ToolAround(t.Parent.Span().Start)
}

// Path returns the properties whose blocks contain the line, the outermost first.
func (t Line) Path() []model.Property {
	if t.Parent.IsZero() {
		return nil
	}
	start := t.Parent.Span().Start
	return toolPropertiesAt(t.File.Cursor(start), start)
}

// Siblings returns the other keys of the map that contains the line.
func (t Line) Siblings() []string {
	in := t.Parent
	switch {
	case t.YAML != nil:
		return t.yamlSiblings()
	case t.Dash:
		in = t.ownItem()
	case in.IsZero():
		return t.topKeys()
	}
	var keys []string
	for c := range in.BlockChildren() {
		if in.InFile(c).Span().Start != t.Start {
			keys = append(keys, syntax.Unquote(model.KeyOf(c).Text()))
		}
	}
	return keys
}

// ownItem returns the list item that begins on the line.
func (t Line) ownItem() model.PositionedNode {
	n := t.Node()
	for !n.IsZero() && n.Kind() != syntax.ListItem {
		n.Node = n.Parent()
	}
	return n
}

// topKeys returns the keys directly in the section.
func (t Line) topKeys() []string {
	var keys []string
	if t.Section == nil {
		return nil
	}
	for _, e := range t.Section.Entries {
		if e.Offset != t.Start {
			keys = append(keys, e.Root().Key())
		}
	}
	return keys
}

// Replace returns the edit that puts with in the place of the text from offset from to the end of
// the name under the cursor.
func (t Line) Replace(from int, with string) text.Edit {
	return text.Edit{Span: text.Span{Start: from, End: t.WordEnd(from)}, NewText: with}
}

// WordEnd returns the end of the name under the cursor; the cursor itself if no part of the name is
// before it.
func (t Line) WordEnd(from int) int {
	if from == t.Offset {
		return t.Offset
	}
	return model.WordAt(t.File.Doc.Text(), t.Offset).End
}
