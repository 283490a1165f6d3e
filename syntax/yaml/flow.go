package yaml

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// flow reads a map or a list in brackets. It ends at the latest before a line
// that is not indented deeper than indent.
func (r *reader) flow(indent int) *Node {
	n := &Node{Kind: List, Style: Flow, Span: text.Span{Start: r.at, End: r.at + 1}}
	none := r.nothing()
	if !r.enter() {
		none.Open = true
		return none
	}
	closer := byte(']')
	if r.src[r.at] == '{' {
		n.Kind, closer = Map, '}'
	}
	r.flows = append(r.flows, closer)
	r.at++
	r.entries(n, indent, closer)
	r.flows = r.flows[:len(r.flows)-1]
	r.depth--
	return merged(n).weighed()
}

func (r *reader) entries(n *Node, indent int, closer byte) {
	comma := true // an entry may follow
	for r.inside(indent) {
		switch c := r.src[r.at]; c {
		case closer:
			r.at++
			n.Span.End = r.at
			return
		case ',':
			if comma {
				r.fault(text.Span{Start: r.at, End: r.at + 1}, "Something is missing before this comma.")
			}
			comma = true
			r.at++
			n.Span.End = r.at
		case '}', ']':
			if r.closes(c) {
				r.unclosed(n)
				return
			}
			r.fault(text.Span{Start: r.at, End: r.at + 1}, "This bracket closes nothing.")
			r.at++
		case ':':
			r.fault(text.Span{Start: r.at, End: r.at + 1}, "A key is missing before this colon.")
			r.pair(r.nothing(), indent)
			comma = false
		default:
			if !comma {
				r.fault(r.rest(), "A comma is missing before this.")
			}
			comma = false
			r.entry(n, indent)
		}
	}
	r.unclosed(n)
}

// inside goes to the next token, and is false where it lies outside of brackets
// whose key is indented by indent.
func (r *reader) inside(indent int) bool {
	if !r.skip() {
		return false
	}
	closes := r.src[r.at] == '}' || r.src[r.at] == ']'
	return closes || r.column() > indent || !r.firstOnLine()
}

// closes reports whether a bracket closes something around the innermost.
func (r *reader) closes(c byte) bool {
	return slices.Contains(r.flows[:len(r.flows)-1], c)
}

// unclosed ends brackets at the end of the last line that belongs to them.
func (r *reader) unclosed(n *Node) {
	n.Unclosed, n.Open = true, true
	r.fault(text.Span{Start: n.Span.Start, End: n.Span.Start + 1}, "This bracket is not closed.")
	end := min(r.lines.LineText(r.lines.Line(n.Span.End)).End, r.at)
	for i := len(r.comments) - 1; i >= 0 && r.comments[i].Start >= n.Span.End; i-- {
		end = min(end, r.comments[i].Start)
	}
	n.Span.End = max(n.Span.End, end)
}

// entry reads an item, or a key with its value.
func (r *reader) entry(n *Node, indent int) {
	if r.indicator('?') {
		r.at++
		if !r.inside(indent) {
			return
		}
	}
	first := r.flowNode(indent)
	n.Span.End = max(n.Span.End, first.Span.End)
	pair := r.inside(indent) && r.src[r.at] == ':'
	switch {
	case pair && n.Kind == Map:
		n.addMember(r.pair(first, indent))
	case pair: // [a: b] is a list of a map
		m := r.pair(first, indent)
		one := &Node{Kind: Map, Style: Flow, Span: text.Span{Start: first.Span.Start, End: m.Value.Span.End}}
		one.addMember(m)
		n.add(one.weighed())
	case n.Kind == Map:
		end := first.Span.End
		n.addMember(Member{Key: first, Value: &Node{Span: text.Span{Start: end, End: end}, weight: 1}, Colon: -1})
	default:
		n.add(first)
	}
}

// pair reads a colon and a value.
func (r *reader) pair(key *Node, indent int) Member {
	m := Member{Key: key, Colon: r.at}
	r.at++
	m.Value = r.nothing()
	if r.inside(indent) && !isEnd(r.src[r.at]) && r.src[r.at] != ':' {
		m.Value = r.flowNode(indent)
		r.split(m.Value)
	}
	return m
}

// split takes the next key off a value where the comma between them is missing.
func (r *reader) split(value *Node) {
	if value.Style != Plain || value.Kind != String || r.line != r.lines.Line(value.Span.Start) || !r.colonAt(r.at) {
		return
	}
	said := r.src[value.Span.Start:value.Span.End]
	if i := strings.LastIndexAny(said, " \t"); i > 0 {
		span := text.Span{Start: value.Span.Start, End: r.trimmed(value.Span.Start, value.Span.Start+i)}
		*value = *plainNode(r.src[span.Start:span.End], span)
		r.at = span.End
	}
}

func isEnd(c byte) bool { return c == ',' || c == '}' || c == ']' }

func isIndicator(c byte) bool { return isEnd(c) || c == '{' || c == '[' }

// flowNode reads a node inside brackets. It always goes on.
func (r *reader) flowNode(indent int) *Node {
	switch r.src[r.at] {
	case '{', '[':
		return r.flow(indent)
	case '"', '\'':
		return r.quoted(indent)
	case '*':
		return r.alias()
	case '&', '!':
		props, none := r.properties(), r.nothing()
		if !r.inside(indent) || isEnd(r.src[r.at]) || r.src[r.at] == ':' {
			return props.on(r, none)
		}
		return props.on(r, r.flowNode(indent))
	default:
		return r.plainFlow(indent)
	}
}

// plainFlow reads a word or a text without quotes. It goes on in lines that are no
// key.
func (r *reader) plainFlow(indent int) *Node {
	span := text.Span{Start: r.at, End: r.plainFlowEnd()}
	r.checkStart(span)
	r.at = span.End
	said := []string{r.src[span.Start:span.End]}
	for {
		back := *r
		blank, more := r.continues(indent)
		end := 0
		if more {
			end = r.plainFlowEnd()
		}
		if !more || end == r.at || r.colonAt(end) || !isPlainStart(r.src[r.at]) {
			*r = back
			break
		}
		said = append(said, blank, r.src[r.at:end])
		span.End, r.at = end, end
	}
	return plainNode(folded(said), span)
}

// colonAt reports whether the next thing from i on is a colon.
func (r *reader) colonAt(i int) bool {
	for ; i < r.end && isBlank(r.src[i]); i++ {
	}
	return i < r.end && r.src[i] == ':'
}

// plainFlowEnd is the end of a plain text on this line.
func (r *reader) plainFlowEnd() int {
	i := r.at
	for ; i < r.end && !isIndicator(r.src[i]) && !r.isComment(i); i++ {
		if r.src[i] == ':' && (i+1 == r.end || isBlank(r.src[i+1]) || isIndicator(r.src[i+1])) {
			break
		}
	}
	return r.trimmed(r.at, i)
}

// continues goes to the next line that is not blank, if the text so far ends with
// its line and the next one belongs to it. blank is what the lines between say.
func (r *reader) continues(indent int) (blank string, more bool) {
	r.spaces()
	if r.at != r.end {
		return "", false
	}
	blank = " "
	for r.nextLine() {
		r.spaces()
		if r.at == r.end {
			if blank == " " {
				blank = ""
			}
			blank += "\n"
			continue
		}
		marker := r.at == r.begin && (r.marker("---") || r.marker("..."))
		return blank, r.column() > indent && !marker && r.src[r.at] != '#'
	}
	return "", false
}
