package syntax

import "strings"

// Unquote returns the value of a quoted string. It decodes the escapes of quotes,
// backslash, line feed, tab and carriage return; other escapes stay as they are,
// since the language publishes no list of them. A text that is no quoted string
// is returned unchanged.
func Unquote(s string) string {
	if len(s) < 2 || (s[0] != '"' && s[0] != '\'') || s[len(s)-1] != s[0] {
		return s
	}
	s = s[1 : len(s)-1]
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if at := strings.IndexByte(`"'\ntr`, s[i]); at >= 0 {
			b.WriteByte("\"'\\\n\t\r"[at])
		} else {
			b.WriteString(s[i-1 : i+1])
		}
	}
	return b.String()
}

// BlockContent returns the text of a pipe block: its lines without their common
// indentation, joined by line feeds. It is "" if the block has no text.
func (n Node) BlockContent() string {
	if n.Kind() == PipeBlock {
		n = n.ChildOf(BlockText)
	}
	if n.IsZero() {
		return ""
	}
	start := n.Span().Start
	for start > 0 && (n.entry.text[start-1] == ' ' || n.entry.text[start-1] == '\t') {
		start--
	}
	source := n.withoutComments(start)
	source = strings.ReplaceAll(strings.ReplaceAll(source, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(source, "\n")
	cut := -1
	for _, line := range lines {
		if body := strings.TrimLeft(line, " \t"); body != "" && (cut < 0 || len(line)-len(body) < cut) {
			cut = len(line) - len(body)
		}
	}
	for i, line := range lines {
		if strings.TrimLeft(line, " \t") == "" {
			lines[i] = ""
		} else {
			lines[i] = line[cut:]
		}
	}
	return strings.Join(lines, "\n")
}

// withoutComments returns the text from start to the node's end without its comments.
// A comment on a line of its own is removed with that line. The text of a pipe block
// has no comments: there `#` is text.
func (n Node) withoutComments(start int) string {
	var b strings.Builder
	source := n.entry.text[:n.Span().End]
	for c := range n.Preorder() {
		if c.Kind() != Comment || c.Span().Start < start {
			continue
		}
		before := strings.TrimRight(source[start:c.Span().Start], " \t")
		b.WriteString(before)
		start = c.Span().End
		if before == "" || strings.HasSuffix(before, "\n") || strings.HasSuffix(before, "\r") {
			rest := source[start:]
			start += len(rest) - len(strings.TrimPrefix(strings.TrimPrefix(rest, "\r"), "\n"))
		}
	}
	b.WriteString(source[start:])
	return b.String()
}

// UnquotedText returns the value of a string without its quotes, the text of a pipe
// block without its indentation, and any other node as it is written.
func (n Node) UnquotedText() string {
	switch n.Kind() {
	case String:
		return Unquote(n.Text())
	case PipeBlock, BlockText:
		return n.BlockContent()
	default:
		return n.Text()
	}
}
