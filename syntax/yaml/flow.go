package yaml

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// readFlow reads a map or a list in brackets. Without a closing bracket it ends before
// the first line that is not indented deeper than indent.
func (r *reader) readFlow(indent int) *Node {
	n := &Node{Kind: List, Style: Flow, Span: text.Span{Start: r.at, End: r.at + 1}}
	none := r.newEmptyNode()
	if !r.enterLevel() {
		none.Incomplete = true
		return none
	}
	closer := byte(']')
	if r.src[r.at] == '{' {
		n.Kind, closer = Map, '}'
	}
	r.closers = append(r.closers, closer)
	r.at++
	r.readFlowEntries(n, indent, closer)
	r.closers = r.closers[:len(r.closers)-1]
	r.depth--
	return mergeMembers(n).withWeight()
}

func (r *reader) readFlowEntries(n *Node, indent int, closer byte) {
	comma := true // an entry may follow
	for r.nextFlowToken(indent) {
		switch c := r.src[r.at]; c {
		case closer:
			r.at++
			n.Span.End = r.at
			return
		case ',':
			if comma {
				r.addFault(text.Span{Start: r.at, End: r.at + 1}, "Something is missing before this comma.")
			}
			comma = true
			r.at++
			n.Span.End = r.at
		case '}', ']':
			if r.closesOuterFlow(c) {
				r.endUnclosedFlow(n)
				return
			}
			r.addFault(text.Span{Start: r.at, End: r.at + 1}, "This bracket closes nothing.")
			r.at++
		case ':':
			r.addFault(text.Span{Start: r.at, End: r.at + 1}, "A key is missing before this colon.")
			r.readFlowPair(r.newEmptyNode(), indent)
			comma = false
		default:
			if !comma {
				r.addFault(r.restOfLine(), "A comma is missing before this.")
			}
			comma = false
			r.readFlowEntry(n, indent)
		}
	}
	r.endUnclosedFlow(n)
}

// nextFlowToken goes to the next token. It returns false if the token is outside the
// brackets, whose key is indented by indent.
func (r *reader) nextFlowToken(indent int) bool {
	if !r.skipToToken() {
		return false
	}
	closes := r.src[r.at] == '}' || r.src[r.at] == ']'
	return closes || r.column() > indent || !r.firstOnLine()
}

// closesOuterFlow reports whether a bracket closes an open bracket other than the innermost.
func (r *reader) closesOuterFlow(c byte) bool {
	return slices.Contains(r.closers[:len(r.closers)-1], c)
}

// endUnclosedFlow ends unclosed brackets at the end of the last line that belongs to them.
func (r *reader) endUnclosedFlow(n *Node) {
	n.Unclosed, n.Incomplete = true, true
	r.addFault(text.Span{Start: n.Span.Start, End: n.Span.Start + 1}, "This bracket is not closed.")
	end := min(r.lines.LineText(r.lines.Line(n.Span.End)).End, r.at)
	for i := len(r.comments) - 1; i >= 0 && r.comments[i].Start >= n.Span.End; i-- {
		end = min(end, r.comments[i].Start)
	}
	n.Span.End = max(n.Span.End, end)
}

// readFlowEntry reads an item, or a key with its value.
func (r *reader) readFlowEntry(n *Node, indent int) {
	if r.atIndicator('?') {
		r.at++
		if !r.nextFlowToken(indent) {
			return
		}
	}
	first := r.readFlowNode(indent)
	n.Span.End = max(n.Span.End, first.Span.End)
	pair := r.nextFlowToken(indent) && r.src[r.at] == ':'
	switch {
	case pair && n.Kind == Map:
		n.addMember(r.readFlowPair(first, indent))
	case pair: // [a: b] is a list of a map
		m := r.readFlowPair(first, indent)
		one := &Node{Kind: Map, Style: Flow, Span: text.Span{Start: first.Span.Start, End: m.Value.Span.End}}
		one.addMember(m)
		n.addItem(one.withWeight())
	case n.Kind == Map:
		end := first.Span.End
		n.addMember(Member{Key: first, Value: &Node{Span: text.Span{Start: end, End: end}, weight: 1}, Colon: -1})
	default:
		n.addItem(first)
	}
}

// readFlowPair reads a colon and a value.
func (r *reader) readFlowPair(key *Node, indent int) Member {
	m := Member{Key: key, Colon: r.at}
	r.at++
	m.Value = r.newEmptyNode()
	if r.nextFlowToken(indent) && !endsFlowEntry(r.src[r.at]) && r.src[r.at] != ':' {
		m.Value = r.readFlowNode(indent)
		r.splitOffKey(m.Value)
	}
	return m
}

// splitOffKey removes the next key from a value if the comma between them is missing.
func (r *reader) splitOffKey(value *Node) {
	if value.Style != Plain || value.Kind != String || r.line != r.lines.Line(value.Span.Start) || !r.hasColonAfter(r.at) {
		return
	}
	raw := r.src[value.Span.Start:value.Span.End]
	if i := strings.LastIndexAny(raw, " \t"); i > 0 {
		span := text.Span{Start: value.Span.Start, End: r.trimEnd(value.Span.Start, value.Span.Start+i)}
		*value = *newPlainNode(r.src[span.Start:span.End], span)
		r.at = span.End
	}
}

func endsFlowEntry(c byte) bool { return c == ',' || c == '}' || c == ']' }

func isFlowIndicator(c byte) bool { return endsFlowEntry(c) || c == '{' || c == '[' }

// readFlowNode reads a node inside brackets. It always consumes something.
func (r *reader) readFlowNode(indent int) *Node {
	switch r.src[r.at] {
	case '{', '[':
		return r.readFlow(indent)
	case '"', '\'':
		return r.readQuoted(indent)
	case '*':
		return r.readAlias()
	case '&', '!':
		props, none := r.readProperties(), r.newEmptyNode()
		if !r.nextFlowToken(indent) || endsFlowEntry(r.src[r.at]) || r.src[r.at] == ':' {
			return props.applyTo(r, none)
		}
		return props.applyTo(r, r.readFlowNode(indent))
	default:
		return r.readPlainInFlow(indent)
	}
}

// readPlainInFlow reads a text without quotes inside brackets. Lines that are no key continue
// it.
func (r *reader) readPlainInFlow(indent int) *Node {
	span := text.Span{Start: r.at, End: r.plainInFlowEnd()}
	r.checkStart(span)
	r.at = span.End
	parts := []string{r.src[span.Start:span.End]}
	for {
		back := *r
		blank, more := r.nextTextLine(indent)
		end := 0
		if more {
			end = r.plainInFlowEnd()
		}
		if !more || end == r.at || r.hasColonAfter(end) || !isPlainStart(r.src[r.at]) {
			*r = back
			break
		}
		parts = append(parts, blank, r.src[r.at:end])
		span.End, r.at = end, end
	}
	return newPlainNode(joinFolded(parts), span)
}

// hasColonAfter reports whether a colon is at i on this line, or after spaces and tabs from i on.
func (r *reader) hasColonAfter(i int) bool {
	for ; i < r.lineEnd && isBlank(r.src[i]); i++ {
	}
	return i < r.lineEnd && r.src[i] == ':'
}

// plainInFlowEnd returns the end on this line of a text without quotes inside brackets.
func (r *reader) plainInFlowEnd() int {
	i := r.at
	for ; i < r.lineEnd && !isFlowIndicator(r.src[i]) && !r.isComment(i); i++ {
		if r.src[i] == ':' && (i+1 == r.lineEnd || isBlank(r.src[i+1]) || isFlowIndicator(r.src[i+1])) {
			break
		}
	}
	return r.trimEnd(r.at, i)
}

// nextTextLine goes to the next line that is not blank, if the text so far ends with its
// line. more says whether that line continues the text; blank is what the line breaks before
// it become: a space for one, a line feed for each further one.
func (r *reader) nextTextLine(indent int) (blank string, more bool) {
	r.skipBlanks()
	if r.at != r.lineEnd {
		return "", false
	}
	blank = " "
	for r.nextLine() {
		r.skipBlanks()
		if r.at == r.lineEnd {
			if blank == " " {
				blank = ""
			}
			blank += "\n"
			continue
		}
		marker := r.at == r.lineStart && (r.atMarker("---") || r.atMarker("..."))
		return blank, r.column() > indent && !marker && r.src[r.at] != '#'
	}
	return "", false
}
