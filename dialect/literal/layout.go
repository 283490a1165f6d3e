package literal

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// readWhole reads the whole value. If the text ends before a bracket is closed, the indentation
// decides what is in which bracket, so that while someone types one entry the others remain.
func (r *reader) readWhole() foreign.Node {
	again := *r
	n := r.readValue(0)
	if !r.endedInBracket {
		return n
	}
	again.indents = map[int]int{}
	*r = again
	return r.readValue(0)
}

// isOutside reports whether what comes next begins a line that is indented too little to be inside
// the brackets that begin at start. A closing bracket (isEnd) has the indentation of their line.
func (r *reader) isOutside(start int, isEnd bool) bool {
	line := strings.TrimRight(r.source[:r.at], " \t")
	if !strings.HasSuffix(line, "\n") {
		return false
	}
	here, around := r.at-len(line), r.indentOf(start)
	return here < around || here == around && !isEnd
}

// indentOf returns the indentation, in bytes, of the line of a bracket.
func (r *reader) indentOf(at int) int {
	if n, known := r.indents[at]; known {
		return n
	}
	line := r.source[strings.LastIndexByte(r.source[:at], '\n')+1:]
	r.indents[at] = len(line) - len(strings.TrimLeft(line, " \t"))
	return r.indents[at]
}

var keyBelow = lazyregexp.New(`^[ \t]*\r?\n[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[A-Za-z_$][\w$]*)[ \t]*:`)

// isKeyNext reports whether the next line begins with a key, where a value is expected.
func (r *reader) isKeyNext() bool { return keyBelow.MatchString(r.rest()) }
