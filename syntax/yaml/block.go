package yaml

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// valuePosition says what is before a value of block style.
type valuePosition uint8

const (
	atStart valuePosition = iota
	afterKey
	afterDash
)

// readValue reads a value on this line or on the next lines, as long as these are
// indented deeper than indent. A list may also have the indentation of its key.
func (r *reader) readValue(indent int, where valuePosition) *Node {
	none, line := r.newEmptyNode(), r.line
	if where != afterKey && r.atKeyProperties() {
		return r.readContent(indent, true)
	}
	props := r.readProperties()
	if !r.skipToToken() {
		return props.applyTo(r, none)
	}
	own := r.line > line
	if own {
		deep := r.column() > indent || r.column() == indent && where == afterKey && r.atIndicator('-')
		if !deep {
			return props.applyTo(r, none)
		}
	}
	return props.applyTo(r, r.readContent(indent, own || where != afterKey))
}

// atKeyProperties reports whether the anchor or the tag at the reader belongs to the first
// key of a map.
func (r *reader) atKeyProperties() bool {
	r.skipBlanks()
	if r.at == r.lineEnd || r.src[r.at] != '&' && r.src[r.at] != '!' {
		return false
	}
	_, ok := r.peekKey()
	return ok
}

// atIndicator reports whether c is at the reader, with a blank or the line's end after it.
func (r *reader) atIndicator(c byte) bool {
	return r.at < r.lineEnd && r.src[r.at] == c && (r.at+1 == r.lineEnd || isBlank(r.src[r.at+1]))
}

// readContent reads a node without its anchor and tag. nested says that a map or a list of block
// style may begin here.
func (r *reader) readContent(indent int, nested bool) *Node {
	if nested && (r.atIndicator('-') || r.atIndicator('?') || r.startsMap()) {
		none := r.newEmptyNode()
		if !r.enterLevel() {
			none.Incomplete = true
			return none
		}
		defer func() { r.depth-- }()
		if r.atIndicator('-') {
			return r.readBlockList()
		}
		return r.readBlockMap()
	}
	return r.readScalarOrFlow(indent)
}

func (r *reader) readScalarOrFlow(indent int) *Node {
	var n *Node
	switch r.src[r.at] {
	case '{', '[':
		n = r.readFlow(indent)
	case '"', '\'':
		n = r.readQuoted(indent)
	case '|', '>':
		return r.readBlockScalar(indent)
	case '*':
		n = r.readAlias()
	case '&', '!':
		props := r.readProperties()
		r.skipBlanks()
		if r.at == r.lineEnd || r.isComment(r.at) {
			return props.applyTo(r, r.newEmptyNode())
		}
		return props.applyTo(r, r.readScalarOrFlow(indent))
	default:
		return r.readPlain(indent)
	}
	if !n.Unclosed {
		r.finishLine()
	}
	return n
}

// startsMap reports whether the token begins a map: it is a key, or an unfinished
// line above a key.
func (r *reader) startsMap() bool {
	if _, ok := r.peekKey(); ok {
		return true
	}
	if !isPlainStart(r.src[r.at]) || !r.firstOnLine() {
		return false
	}
	back, column := *r, r.column()
	defer func() { *r = back }()
	for r.nextLine() {
		r.skipBlanks()
		if r.at == r.lineEnd || r.src[r.at] == '#' {
			continue
		}
		_, ok := r.peekKey()
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

// keyPosition is the span of a key and the offset of its colon.
type keyPosition struct {
	span  text.Span
	colon int
}

// peekKey returns the position of the key that the rest of the line begins with. It is not ok if
// the line has no key there. It does not move the reader.
func (r *reader) peekKey() (keyPosition, bool) {
	i := r.at
	for i < r.lineEnd && (r.src[i] == '&' || r.src[i] == '!') {
		for ; i < r.lineEnd && !isBlank(r.src[i]); i++ {
		}
		for ; i < r.lineEnd && isBlank(r.src[i]); i++ {
		}
	}
	if i == r.lineEnd {
		return keyPosition{}, false
	}
	k := keyPosition{span: text.Span{Start: i}}
	if c := r.src[i]; c == '"' || c == '\'' {
		end, ok := quoteEnd(r.src[:r.lineEnd], c, i+1)
		if !ok {
			return k, false
		}
		k.span.End = end
		for i = end; i < r.lineEnd && isBlank(r.src[i]); i++ {
		}
		k.colon = i
		return k, i < r.lineEnd && r.isColon(i)
	}
	if c := r.src[i]; c == '{' || c == '[' || c == '|' || c == '>' || c == '#' {
		return k, false
	}
	for ; i < r.lineEnd && !r.isComment(i); i++ {
		if r.isColon(i) {
			k.colon, k.span.End = i, r.trimEnd(k.span.Start, i)
			return k, i > k.span.Start
		}
	}
	return k, false
}

// isColon reports whether the byte at i is a colon that ends a key of block style.
func (r *reader) isColon(i int) bool {
	return r.src[i] == ':' && (i+1 == r.lineEnd || isBlank(r.src[i+1]))
}

// trimEnd returns the end of [start, end) without the spaces and tabs at the end.
func (r *reader) trimEnd(start, end int) int {
	for end > start && isBlank(r.src[end-1]) {
		end--
	}
	return end
}

func (r *reader) readBlockList() *Node {
	column := r.column()
	n := &Node{Kind: List, Span: text.Span{Start: r.at, End: r.at + 1}}
	for r.skipToToken() && r.column() >= column {
		if r.column() > column {
			n.Incomplete = r.dropStrayLine(column, "This line is indented deeper than the items beside it.")
			continue
		}
		if !r.atIndicator('-') {
			break
		}
		n.Span.End = r.at + 1
		m, _ := r.readOrReuse(func() (Member, bool) {
			r.at++
			return Member{Value: r.readValue(column, afterDash), Colon: -1}, true
		})
		n.addItem(m.Value)
	}
	return n.withWeight()
}

// dropStrayLine reports a line that belongs to no node, and skips it with the lines below it that
// are indented deeper than column. It returns true.
func (r *reader) dropStrayLine(column int, message string) bool {
	r.addFault(r.restOfLine(), r.strayMessage(message))
	r.skipDeeperLines(column)
	return true
}

// strayMessage returns the message for a line that belongs to no node: that it is a comment of another
// language, else otherwise.
func (r *reader) strayMessage(otherwise string) string {
	if rest := r.src[r.at:]; strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") {
		return "A comment in YAML begins with `#`; this line is no `key: value`."
	}
	return otherwise
}

func (r *reader) readBlockMap() *Node {
	column := r.column()
	n := &Node{Kind: Map, Span: text.Span{Start: r.at, End: r.at}}
	for r.skipToToken() && r.column() >= column {
		switch {
		case r.column() > column:
			n.Incomplete = r.dropStrayLine(column, r.deepLineMessage(n))
		case r.atIndicator('?'):
			r.readExplicitMember(n, column)
		case r.atIndicator('-'):
			n.Incomplete = r.dropStrayLine(column, "A list item stands where a key is expected; indent it deeper than its key.")
		default:
			r.readMember(n, column)
		}
	}
	return mergeMembers(n).withWeight()
}

// deepLineMessage returns the message for a line that is indented deeper than the keys of a
// map. An editor that keeps the indentation puts a further key of an item below the item's
// dash; that has a message of its own.
func (r *reader) deepLineMessage(n *Node) string {
	if len(n.Members) > 0 {
		last := n.Members[len(n.Members)-1].Value
		if last.Kind == List && r.src[last.Span.Start] == '-' && last.Span.Start-strings.LastIndexByte(r.src[:last.Span.Start], '\n')-1 == r.column() {
			return "This line stands below the `-` of an item; indent it as deep as the text behind that."
		}
	}
	return "This line is indented deeper than the keys beside it."
}

// readMember reads a key and its value.
func (r *reader) readMember(n *Node, column int) {
	m, ok := r.readOrReuse(func() (Member, bool) { return r.readKeyAndValue(column) })
	if ok {
		n.addMember(m)
		return
	}
	r.addFault(r.restOfLine(), r.strayMessage("This is no `key: value`; a colon and a space belong behind the key."))
	n.Span.End = max(n.Span.End, r.restOfLine().End)
	r.skipDeeperLines(column)
	n.Incomplete = true
}

func (r *reader) readKeyAndValue(column int) (m Member, ok bool) {
	k, ok := r.peekKey()
	if !ok {
		return m, false
	}
	props := r.readProperties()
	r.at = k.span.Start
	name := props.applyTo(r, r.newKeyNode(k.span))
	r.at = k.colon + 1
	return Member{Key: name, Value: r.readValue(column, afterKey), Colon: k.colon}, true
}

// newKeyNode returns the node of a key, which is on one line.
func (r *reader) newKeyNode(span text.Span) *Node {
	switch raw := r.src[span.Start:span.End]; raw[0] {
	case '"', '\'':
		return newQuotedNode(raw, span)
	case '*':
		return r.readAlias()
	default:
		r.checkStart(span)
		return newPlainNode(raw, span)
	}
}

// readExplicitMember reads `? key` and `: value`.
func (r *reader) readExplicitMember(n *Node, column int) {
	r.at++
	n.Span.End = r.at
	m := Member{Key: r.readValue(column, afterDash), Colon: -1}
	m.Value = r.newEmptyNode()
	if r.skipToToken() && r.column() == column && r.atIndicator(':') {
		m.Colon = r.at
		r.at++
		n.Span.End = r.at
		m.Value = r.readValue(column, afterDash)
	} else {
		m.Value.Span = text.Span{Start: m.Key.Span.End, End: m.Key.Span.End}
	}
	n.addMember(m)
}

func (n *Node) addItem(item *Node) {
	n.Items = append(n.Items, item)
	n.Span.End = max(n.Span.End, item.Span.End)
}

func (n *Node) addMember(m Member) {
	n.Members = append(n.Members, m)
	n.Span.End = max(n.Span.End, m.Key.Span.End, m.Value.Span.End)
}

// withWeight sets the node's weight to the number of nodes in it and returns the node.
func (n *Node) withWeight() *Node {
	n.weight = 1
	for _, item := range n.Items {
		n.weight += item.weight
	}
	for _, m := range n.Members {
		n.weight += m.Key.weight + m.Value.weight
	}
	return n
}
