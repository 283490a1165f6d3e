package format

import (
	"strings"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Indent returns the edit that indents the blank line at an offset of the file at path for what is
// typed there next: one step deeper than a line that opens a block, as deep as the key of a list's
// item, else as deep as the line above; step is the indentation of one level. ok is false if the
// line is indented right, or not blank.
func Indent(w model.Workspace, path string, offset int, step string) (edit text.Edit, ok bool) {
	c, ok := w.Cursor(path, offset)
	if !ok {
		return text.Edit{}, false
	}
	lines := c.File.Doc.Lines()
	at := lines.Line(c.Offset)
	blank := lines.LineText(at)
	if strings.Trim(lines.Text()[blank.Start:blank.End], " \t") != "" {
		return text.Edit{}, false
	}
	edit = text.Edit{Span: blank}
	written := lines.Text()[blank.Start:blank.End]
	if above, ok := lineAbove(c.File, at); ok {
		edit.NewText = above.indentBelow(step)
		if above.text && model.Width(written) > model.Width(edit.NewText) {
			return text.Edit{}, false
		}
	}
	return edit, edit.NewText != written
}

// lineAbove returns the nearest line above another one that is neither blank nor a comment.
func lineAbove(f *model.File, line int) (textLine, bool) {
	lines := f.Doc.Lines()
	for line--; line >= 0; line-- {
		span := lines.LineText(line)
		written := lines.Text()[span.Start:span.End]
		indent := len(written) - len(strings.TrimLeft(written, " \t"))
		l := textLine{indent: written[:indent], written: strings.TrimRight(written[indent:], " \t"), start: span.Start + indent, file: f}
		if l.entry = f.Cursor(l.start).Entry; l.written != "" && l.readLine() {
			return l, true
		}
	}
	return textLine{}, false
}

// textLine is a line that is neither blank nor a comment.
type textLine struct {
	indent  string
	written string // the text after it, without a trailing comment
	start   int    // offset of written
	file    *model.File
	entry   syntax.PositionedEntry

	text bool        // it is part of a block of text
	open bool        // it ends with a key without a value, or with a block marker
	item syntax.Node // the list item that begins here
	tool syntax.Node // the tool whose signature it belongs to
}

// readLine reads the content of the line. It returns false if there is nothing but a comment.
func (l *textLine) readLine() bool {
	if l.entry.Entry == nil {
		return true
	}
	start, end := l.start-l.entry.Offset, l.start-l.entry.Offset+len(l.written)
	for n := range l.entry.Root().Preorder() {
		switch s := n.Span(); {
		case n.Kind() == syntax.Comment && s.Start == start:
			return false
		case n.Kind() == syntax.Comment && start < s.Start && s.Start < end:
			l.written = strings.TrimRight(l.written[:s.Start-start], " \t")
			end = start + len(l.written)
		}
	}
	for n := range l.entry.Root().Preorder() {
		switch s := n.Span(); n.Kind() {
		case syntax.BlockText:
			l.text = l.text || s.Start <= start && start < s.End
		case syntax.Colon, syntax.Pipe:
			l.open = l.open || s.End == end
		case syntax.ListItem:
			if s.Start == start {
				l.item = n
			}
		case syntax.Tool:
			if block := n.Child(syntax.FieldBlock); s.Start <= start && (block.IsZero() || end <= block.Span().Start) {
				l.tool = n
			}
		}
	}
	return true
}

// indentBelow returns the indentation of the next line.
func (l textLine) indentBelow(step string) string {
	key := "" // the blanks between the dash of an item and its key
	if !l.item.IsZero() {
		rest := l.written[1:]
		key = strings.Repeat(" ", 1+len(rest)-len(strings.TrimLeft(rest, " \t")))
	}
	switch {
	case l.text:
		return l.indent
	case l.open:
		return l.indent + key + step
	case !l.tool.IsZero():
		return l.indentInSignature(step)
	case strings.HasSuffix(l.written, " [") || strings.HasSuffix(l.written, " {"):
		return l.indent + step
	case !l.item.ChildOf(syntax.Pair).IsZero() || !l.item.ChildOf(syntax.Rule).IsZero():
		return l.indent + key
	}
	return l.indent
}

// indentInSignature returns the indentation after a line of a signature: that of the tool's
// properties if no bracket is open, else that of the next parameter or field.
func (l textLine) indentInSignature(step string) string {
	tool := l.tool.Span().Start
	begin := l.start - l.entry.Offset - tool
	signature := l.entry.Text()[tool:][:begin+len(l.written)]
	open := -1
	if brackets := model.OpenBrackets(signature, model.PlainBrackets); len(brackets) > 0 {
		open = brackets[len(brackets)-1].At
	}
	switch {
	case open < 0:
		return model.IndentAt(l.file, l.entry.Offset+tool) + step
	case open == len(signature)-1:
		return l.indent + step
	case open < begin:
		return l.indent
	}
	inside := strings.TrimLeft(signature[open+1:], " \t")
	return l.indent + strings.Repeat(" ", utf8.RuneCountInString(signature[begin:len(signature)-len(inside)]))
}
