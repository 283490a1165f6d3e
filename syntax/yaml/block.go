package yaml

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// place is where a value of block style begins.
type place uint8

const (
	atStart place = iota
	afterKey
	afterDash
)

// value reads what stands here or on the next lines, as long as these are
// indented deeper than indent. A list may stand right below its key.
func (r *reader) value(indent int, where place) *Node {
	none, line := r.nothing(), r.line
	if where != afterKey && r.ofKey() {
		return r.content(indent, true)
	}
	props := r.properties()
	if !r.skip() {
		return props.on(r, none)
	}
	own := r.line > line
	if own {
		deep := r.column() > indent || r.column() == indent && where == afterKey && r.indicator('-')
		if !deep {
			return props.on(r, none)
		}
	}
	return props.on(r, r.content(indent, own || where != afterKey))
}

// ofKey reports whether an anchor or a tag stands here that is a key's: the first
// of a map, which begins there.
func (r *reader) ofKey() bool {
	r.spaces()
	if r.at == r.end || r.src[r.at] != '&' && r.src[r.at] != '!' {
		return false
	}
	_, ok := r.keyAhead()
	return ok
}

// indicator reports whether c stands here, and nothing right behind it.
func (r *reader) indicator(c byte) bool {
	return r.at < r.end && r.src[r.at] == c && (r.at+1 == r.end || isBlank(r.src[r.at+1]))
}

// content reads a node. nested says that a map or a list of block style may begin
// here.
func (r *reader) content(indent int, nested bool) *Node {
	if nested && (r.indicator('-') || r.indicator('?') || r.startsMap()) {
		none := r.nothing()
		if !r.enter() {
			none.Open = true
			return none
		}
		defer func() { r.depth-- }()
		if r.indicator('-') {
			return r.list()
		}
		return r.blockMap()
	}
	return r.scalarOrFlow(indent)
}

func (r *reader) scalarOrFlow(indent int) *Node {
	var n *Node
	switch r.src[r.at] {
	case '{', '[':
		n = r.flow(indent)
	case '"', '\'':
		n = r.quoted(indent)
	case '|', '>':
		return r.literal(indent)
	case '*':
		n = r.alias()
	case '&', '!':
		props := r.properties()
		r.spaces()
		if r.at == r.end || r.isComment(r.at) {
			return props.on(r, r.nothing())
		}
		return props.on(r, r.scalarOrFlow(indent))
	default:
		return r.plain(indent)
	}
	if !n.Unclosed {
		r.tail()
	}
	return n
}

// startsMap reports whether the token begins a map: it is a key, or a line that
// is none yet above one that is.
func (r *reader) startsMap() bool {
	if _, ok := r.keyAhead(); ok {
		return true
	}
	if !isPlainStart(r.src[r.at]) || !r.firstOnLine() {
		return false
	}
	back, column := *r, r.column()
	defer func() { *r = back }()
	for r.nextLine() {
		r.spaces()
		if r.at == r.end || r.src[r.at] == '#' {
			continue
		}
		_, ok := r.keyAhead()
		return ok && r.column() == column
	}
	return false
}

func isPlainStart(c byte) bool {
	switch c {
	case '{', '[', '"', '\'', '|', '>', '*', '&', '!':
		return false
	}
	return true
}

// key is where a key and its colon stand.
type key struct {
	span  text.Span
	colon int
}

// keyAhead looks for a key on the rest of the line.
func (r *reader) keyAhead() (key, bool) {
	i := r.at
	for i < r.end && (r.src[i] == '&' || r.src[i] == '!') {
		for ; i < r.end && !isBlank(r.src[i]); i++ {
		}
		for ; i < r.end && isBlank(r.src[i]); i++ {
		}
	}
	if i == r.end {
		return key{}, false
	}
	k := key{span: text.Span{Start: i}}
	if c := r.src[i]; c == '"' || c == '\'' {
		end, ok := closing(r.src[:r.end], c, i+1)
		if !ok {
			return k, false
		}
		k.span.End = end
		for i = end; i < r.end && isBlank(r.src[i]); i++ {
		}
		k.colon = i
		return k, i < r.end && r.isColon(i)
	}
	if c := r.src[i]; c == '{' || c == '[' || c == '|' || c == '>' || c == '#' {
		return k, false
	}
	for ; i < r.end && !r.isComment(i); i++ {
		if r.isColon(i) {
			k.colon, k.span.End = i, r.trimmed(k.span.Start, i)
			return k, i > k.span.Start
		}
	}
	return k, false
}

// isColon reports whether the colon at i ends a key of block style.
func (r *reader) isColon(i int) bool {
	return r.src[i] == ':' && (i+1 == r.end || isBlank(r.src[i+1]))
}

// trimmed is the end of [start, end) without blanks.
func (r *reader) trimmed(start, end int) int {
	for end > start && isBlank(r.src[end-1]) {
		end--
	}
	return end
}

func (r *reader) list() *Node {
	column := r.column()
	n := &Node{Kind: List, Span: text.Span{Start: r.at, End: r.at + 1}}
	for r.skip() && r.column() >= column {
		if r.column() > column {
			n.Open = r.stray(column, "This line is indented deeper than the items beside it.")
			continue
		}
		if !r.indicator('-') {
			break
		}
		r.at++
		n.Span.End = r.at
		n.add(r.value(column, afterDash))
	}
	return n.weighed()
}

// stray notes and drops a line that has no place.
func (r *reader) stray(column int, message string) bool {
	r.fault(r.rest(), message)
	r.drop(column)
	return true
}

func (r *reader) blockMap() *Node {
	column := r.column()
	n := &Node{Kind: Map, Span: text.Span{Start: r.at, End: r.at}}
	for r.skip() && r.column() >= column {
		switch {
		case r.column() > column:
			n.Open = r.stray(column, r.tooDeep(n))
		case r.indicator('?'):
			r.explicit(n, column)
		case r.indicator('-'):
			n.Open = r.stray(column, "A list item stands where a key is expected; indent it deeper than its key.")
		default:
			r.member(n, column)
		}
	}
	return merged(n).weighed()
}

// tooDeep says what is wrong with a line that is indented deeper than the keys of a
// map. Where Enter keeps the indentation, a key of an item begins at the item's dash.
func (r *reader) tooDeep(n *Node) string {
	if len(n.Members) > 0 {
		last := n.Members[len(n.Members)-1].Value
		if last.Kind == List && r.src[last.Span.Start] == '-' && last.Span.Start-strings.LastIndexByte(r.src[:last.Span.Start], '\n')-1 == r.column() {
			return "This line stands below the `-` of an item; indent it as deep as the text behind that."
		}
	}
	return "This line is indented deeper than the keys beside it."
}

// member reads a key and its value.
func (r *reader) member(n *Node, column int) {
	m, ok := r.remembered(func() (Member, bool) { return r.keyAndValue(column) })
	if ok {
		n.addMember(m)
		return
	}
	r.fault(r.rest(), "This is no `key: value`; a colon and a space belong behind the key.")
	n.Span.End = max(n.Span.End, r.rest().End)
	r.drop(column)
	n.Open = true
}

func (r *reader) keyAndValue(column int) (m Member, ok bool) {
	k, ok := r.keyAhead()
	if !ok {
		return m, false
	}
	props := r.properties()
	r.at = k.span.Start
	name := props.on(r, r.keyNode(k.span))
	r.at = k.colon + 1
	return Member{Key: name, Value: r.value(column, afterKey), Colon: k.colon}, true
}

// keyNode is the node of a key that stands on one line.
func (r *reader) keyNode(span text.Span) *Node {
	switch raw := r.src[span.Start:span.End]; raw[0] {
	case '"', '\'':
		return quotedNode(raw, span)
	case '*':
		return r.alias()
	default:
		r.checkStart(span)
		return plainNode(raw, span)
	}
}

// explicit reads `? key` and `: value`.
func (r *reader) explicit(n *Node, column int) {
	r.at++
	n.Span.End = r.at
	m := Member{Key: r.value(column, afterDash), Colon: -1}
	m.Value = r.nothing()
	if r.skip() && r.column() == column && r.indicator(':') {
		m.Colon = r.at
		r.at++
		n.Span.End = r.at
		m.Value = r.value(column, afterDash)
	} else {
		m.Value.Span = text.Span{Start: m.Key.Span.End, End: m.Key.Span.End}
	}
	n.addMember(m)
}

func (n *Node) add(item *Node) {
	n.Items = append(n.Items, item)
	n.Span.End = max(n.Span.End, item.Span.End)
}

func (n *Node) addMember(m Member) {
	n.Members = append(n.Members, m)
	n.Span.End = max(n.Span.End, m.Key.Span.End, m.Value.Span.End)
}

// weighed counts the nodes in it.
func (n *Node) weighed() *Node {
	n.weight = 1
	for _, item := range n.Items {
		n.weight += item.weight
	}
	for _, m := range n.Members {
		n.weight += m.Key.weight + m.Value.weight
	}
	return n
}
