// Package literal reads JSON, and the literals in JavaScript and TypeScript, without running them.
// It replaces a constant of the same file by its value.
//
// It never fails, takes time in proportion to the text, and limits the depth. A value that a
// program would have to compute has a kind of its own.
package literal

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Problem is a place at which the text could not be read.
type Problem struct {
	Span    text.Span
	Message string
}

// maxDepth limits the nesting of values.
const maxDepth = 100

// maxProblems limits the number of problems that are kept.
const maxProblems = 20

// JSON reads a text that is one JSON value. Comments and trailing commas are problems, but are read
// all the same.
func JSON(source string) (foreign.Node, []Problem) {
	start := len(source) - len(strings.TrimPrefix(source, "\ufeff"))
	r := &reader{source: source, strict: true, at: start}
	n := r.readWhole()
	r.skipSpace()
	if r.at < len(source) && n.Kind != foreign.Missing {
		r.addProblem(r.at, "Something stands behind the end of the value; take it away.")
	}
	return n, r.problems
}

// Parse is [JSON] without the problems.
func Parse(raw []byte) foreign.Node {
	n, _ := JSON(string(raw))
	return n
}

// Exported reads the literal that a JavaScript or TypeScript source exports, or declares as a
// constant, under a name, which may be [Default]. It returns the zero Node if there is none.
func Exported(source, name string) (foreign.Node, []Problem) {
	program := declarations(source)
	start, ok := program.valueStart(name)
	if !ok {
		return foreign.Node{}, nil
	}
	program.known[name] = constant{} // it must not contain itself
	r := &reader{source: source, at: start, program: program}
	n := r.readWhole()
	return n, r.problems
}

// reader reads from left to right.
type reader struct {
	source        string
	at            int
	strict        bool     // JSON
	program       *program // around the value; nil for JSON
	templateDepth int      // the nesting of templates
	constantDepth int      // the nesting of constants
	problems      []Problem

	endedInBracket bool        // the text ended before a bracket was closed
	indents        map[int]int // of the lines of brackets: what is indented no deeper is not in them; nil: that says nothing
	resumed        bool        // at an entry after such a bracket, or after a key without a value
}

func (r *reader) addProblem(at int, message string) {
	if len(r.problems) < maxProblems {
		end := min(at+1, len(r.source))
		for end < len(r.source) && r.source[end]&0xC0 == 0x80 {
			end++
		}
		r.problems = append(r.problems, Problem{text.Span{Start: min(at, len(r.source)), End: end}, message})
	}
}

func (r *reader) rest() string { return r.source[r.at:] }

// peek returns the next byte, 0 at the end.
func (r *reader) peek() byte {
	if r.at < len(r.source) {
		return r.source[r.at]
	}
	return 0
}

// skipSpace skips white space and comments.
func (r *reader) skipSpace() {
	for r.at < len(r.source) {
		switch rest := r.rest(); {
		case strings.IndexByte(" \t\r\n\f\v", rest[0]) >= 0:
			r.at++
		case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "/*"):
			if r.strict {
				r.addProblem(r.at, "JSON has no comments.")
			}
			r.at += commentLength(rest)
		case strings.HasPrefix(rest, "\u00a0"), strings.HasPrefix(rest, "\ufeff"):
			r.at += len(rest) - len(strings.TrimPrefix(strings.TrimPrefix(rest, "\u00a0"), "\ufeff"))
		default:
			return
		}
	}
}

// commentLength returns the length of the comment that s begins with.
func commentLength(s string) int {
	stop := "\n"
	if s[1] == '*' {
		stop = "*/"
	}
	if i := strings.Index(s[2:], stop); i >= 0 {
		return 2 + i + len(stop)
	}
	return len(s)
}

// readValue reads one value; the zero Node if none begins here.
func (r *reader) readValue(depth int) foreign.Node {
	r.skipSpace()
	if depth > maxDepth {
		r.addProblem(r.at, "The values stand too deep in each other.")
		return r.readComputed()
	}
	start, before := r.at, len(r.problems)
	n := r.readLiteral(depth)
	if !r.strict && n.Kind == foreign.String {
		r.readConcatenation(&n)
	}
	if !r.strict && n.Kind != foreign.Missing && !r.atEnd() {
		r.at, r.problems = start, r.problems[:before] // an operator, a call, a cast: more than the literal
		return r.readComputed()
	}
	return n
}

// readConcatenation appends texts that follow a text after a plus, as long ones are written.
func (r *reader) readConcatenation(n *foreign.Node) {
	var b strings.Builder
	b.WriteString(n.Text)
	for end := r.at; ; end = r.at {
		if !r.skipPlus() {
			r.at = end
			break
		}
		more := r.readText()
		b.WriteString(more.Text)
		if n.Span.End = r.at; more.Kind != foreign.String {
			n.Kind = more.Kind
		}
	}
	n.Text = b.String()
}

// skipPlus moves to the text after a plus, and reports whether there is one.
func (r *reader) skipPlus() bool {
	if r.skipSpace(); r.peek() != '+' {
		return false
	}
	r.at++
	r.skipSpace()
	return r.at < len(r.source) && strings.IndexByte("\"'`", r.peek()) >= 0
}

// readParenthesized reads a value in parentheses, after the opening one. If it is no literal, it is
// computed.
func (r *reader) readParenthesized(start, depth int) foreign.Node {
	before := len(r.problems)
	n := r.readValue(depth + 1)
	if r.skipSpace(); r.peek() == ')' && n.Kind != foreign.Missing {
		r.at++
		return n
	}
	r.at, r.problems = start, r.problems[:before]
	return r.readComputed()
}

var (
	frozen = lazyregexp.New(`^Object\s*\.\s*freeze\s*\(`)
	cast   = lazyregexp.New(`^<[^<>(){};=]*>`)
)

func (r *reader) readLiteral(depth int) foreign.Node {
	start := r.at
	switch c := r.peek(); {
	case c == '(' && !r.strict:
		r.at++
		return r.readParenthesized(start, depth)
	case c == '<' && !r.strict:
		r.at += len(cast.FindString(r.rest()))
		if r.skipSpace(); r.at > start && r.peek() != '<' {
			return r.readLiteral(depth)
		}
		r.at = start
		return r.readComputed()
	case c == 'O' && !r.strict && frozen.MatchString(r.rest()):
		r.at += len(frozen.FindString(r.rest()))
		return r.readParenthesized(start, depth)
	case c == '{':
		return r.readObject(depth)
	case c == '[':
		return r.readList(depth)
	case c == '"', c == '\'' && !r.strict, c == '`' && !r.strict:
		return r.readText()
	case c == '-' || c >= '0' && c <= '9':
		return r.readNumber()
	case isWordByte(c):
		return r.readWord()
	case c == 0 || strings.IndexByte("]},:", c) >= 0:
		r.addProblem(r.at, "A value is missing here.")
		return foreign.Node{}
	}
	return r.readComputed()
}

// atEnd reports whether nothing but casts of TypeScript follows the value that was read.
func (r *reader) atEnd() bool {
	for {
		before := r.at
		r.skipSpace()
		switch rest := r.rest(); {
		case strings.HasPrefix(rest, "as const"):
			r.at += len("as const")
		case strings.HasPrefix(rest, "as "), strings.HasPrefix(rest, "satisfies "):
			r.skipExpression()
		default:
			end := rest == "" || strings.IndexByte(",]};)", rest[0]) >= 0 || strings.Contains(r.source[before:r.at], "\n") && startsStatement(rest)
			r.at = before
			return end
		}
	}
}

// startsStatement reports whether a line begins a new statement: statements need no semicolon
// between them.
func startsStatement(s string) bool {
	return isWordByte(s[0]) && !strings.HasPrefix(s, "in ") && !strings.HasPrefix(s, "instanceof ")
}

func (r *reader) newNode(kind foreign.Kind, start int, value string) foreign.Node {
	return foreign.Node{Kind: kind, Text: value, Span: text.Span{Start: start, End: r.at}}
}

func (r *reader) readList(depth int) foreign.Node {
	start := r.at
	r.at++
	n := foreign.Node{Kind: foreign.List}
	for r.hasMore(start, ']') {
		n.Items = append(n.Items, r.readItems(depth)...)
		r.readComma(']')
	}
	n.Span = text.Span{Start: start, End: r.at}
	return n
}

// readItems reads one entry of a list: a value, or the elements of a list that is spread.
func (r *reader) readItems(depth int) []foreign.Node {
	start := r.at
	if spread := r.readSpread(depth); spread.Kind == foreign.List {
		return spread.Items
	}
	r.at = start
	if n := r.readValue(depth + 1); n.Kind != foreign.Missing {
		return []foreign.Node{n}
	}
	return nil
}

// readSpread reads what three dots spread; the zero Node if there are no dots.
func (r *reader) readSpread(depth int) foreign.Node {
	if r.strict || !strings.HasPrefix(r.rest(), "...") {
		return foreign.Node{}
	}
	r.at += len("...")
	before := len(r.problems)
	n := r.readValue(depth + 1)
	if n.Kind != foreign.Map && n.Kind != foreign.List {
		r.problems = r.problems[:before]
	}
	return n
}

func (r *reader) readObject(depth int) foreign.Node {
	start := r.at
	r.at++
	n := foreign.Node{Kind: foreign.Map}
	for r.hasMore(start, '}') {
		n.Members = append(n.Members, r.readMembers(depth)...)
		r.readComma('}')
	}
	n.Span = text.Span{Start: start, End: r.at}
	return n
}

// hasMore reports whether another entry follows in the bracket at start, which end closes. If none
// follows, it reads the closing bracket.
func (r *reader) hasMore(start int, end byte) bool {
	r.skipSpace()
	switch c := r.peek(); {
	case c == 0:
		r.endedInBracket = true
		r.addProblem(len(r.source), "The text ends before a `"+string(end)+"`.")
		return false
	case r.indents != nil && r.isOutside(start, c == end):
		r.at, r.resumed = len(strings.TrimRight(r.source[:r.at], " \t\r\n")), true
		r.addProblem(start, "This `"+r.source[start:start+1]+"` is not closed.")
		return false
	case c == end:
		r.at++
		return false
	}
	return true
}

// readComma reads the separator of two entries, and skips text that does not fit.
func (r *reader) readComma(end byte) {
	if r.resumed {
		r.resumed = false
		return
	}
	r.skipSpace()
	before := r.at
	switch c := r.peek(); c {
	case ',':
		r.at++
		r.skipSpace()
		if r.strict && r.peek() == end {
			r.addProblem(before, "JSON has no comma behind the last entry.")
		}
		return
	case end, 0:
		return
	case ']', '}', ')', ';':
		r.addProblem(r.at, "This `"+string(c)+"` closes nothing.")
		r.at++
	default:
		r.addProblem(r.at, "A comma is missing here.")
		if !r.strict || !isValueStart(c) {
			r.skipExpression()
		}
	}
	if r.peek() == ',' {
		r.at++
	}
}

func isValueStart(c byte) bool { return strings.IndexByte(`"{[-0123456789`, c) >= 0 || isWordByte(c) }

// readMembers reads one entry of a map: a member, or those of a map that is spread.
func (r *reader) readMembers(depth int) []foreign.Member {
	start := r.at
	if spread := r.readSpread(depth); spread.Kind == foreign.Map {
		merged := slices.Clone(spread.Members)
		for i := range merged {
			merged[i].Merged = true
		}
		return merged
	}
	r.at = start
	if m, ok := r.readMember(depth); ok {
		return []foreign.Member{m}
	}
	return nil
}

// readMember reads `key: value`, or a constant with the same name as its key. Anything else in a
// map, such as a method, is computed, and has no key if none can be read.
func (r *reader) readMember(depth int) (m foreign.Member, ok bool) {
	start := r.at
	isUnquoted := r.strict && isWordByte(r.peek())
	key, known := r.readKey(depth)
	m = foreign.Member{Key: key, KeySpan: text.Span{Start: start, End: r.at}}
	if isUnquoted {
		r.addProblem(start, "A key in double quotes is wanted here.")
	}
	r.skipSpace()
	switch {
	case known && r.peek() == ':':
		if r.at++; r.isKeyNext() {
			r.addProblem(r.at, "A value is missing here.")
			r.resumed = true
			return m, true
		}
		m.Value = r.readValue(depth + 1)
		return m, true
	case known && !r.strict && (r.peek() == ',' || r.peek() == '}'):
		r.at = start
		m.Value = r.readValue(depth + 1)
		return m, true
	case known && r.strict:
		if !isUnquoted {
			r.addProblem(r.at, "A colon and a value are missing behind the key.")
		}
		m.Value.Span = text.Span{Start: r.at, End: r.at}
		if c := r.peek(); c != ',' && c != '}' {
			r.skipExpression()
		}
		return m, true
	case r.strict:
		r.addProblem(start, "A key in double quotes is wanted here.")
	}
	r.at = start
	m.Value = r.readComputed()
	return m, !r.strict
}

// readKey reads a key; known is false if it is no literal, and then nothing of it is known.
func (r *reader) readKey(depth int) (key string, known bool) {
	switch c := r.peek(); {
	case c == '"', c == '\'' && !r.strict:
		return r.readText().Text, true
	case isWordByte(c):
		return r.readIdentifier(), true
	case c == '[' && !r.strict && depth < maxDepth:
		r.at++
		n := r.readValue(depth + 1)
		if r.skipSpace(); n.Kind == foreign.String && r.peek() == ']' {
			r.at++
			return n.Text, true
		}
	}
	return "", false
}

// readComputed reads an expression that is no literal.
func (r *reader) readComputed() foreign.Node {
	start := r.at
	r.skipExpression()
	if r.at == start && r.at < len(r.source) {
		r.at++
	}
	n := r.newNode(foreign.Computed, start, "")
	n.Span.End = start + len(strings.TrimRight(r.source[start:r.at], " \t\r\n"))
	if r.strict {
		r.addProblem(start, "This is no JSON value.")
	}
	return n
}

// skipExpression moves to the end of an expression: a comma, a semicolon or a bracket that was not
// opened in it. It skips strings, templates and comments.
func (r *reader) skipExpression() {
	var open []byte
	for r.at < len(r.source) {
		switch c := r.source[r.at]; c {
		case '"', '\'', '`':
			r.readText()
			continue
		case '/':
			if rest := r.rest(); len(rest) > 1 && (rest[1] == '/' || rest[1] == '*') {
				r.at += commentLength(rest)
				continue
			}
		case '(', '[', '{':
			open = append(open, c)
		case ')', ']', '}':
			if len(open) == 0 {
				return
			}
			open = open[:len(open)-1]
		case ',', ';':
			if len(open) == 0 {
				return
			}
		}
		r.at++
	}
}
