package literal

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// readWhole reads the value. Where the text ends before one of its brackets is closed, the
// lines tell what is in which: while somebody types one entry the others stay.
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

// isOutside reports whether what comes next begins a line that is indented too little to
// stand in the brackets that begin at start; what ends them is indented as their line is.
func (r *reader) isOutside(start int, isEnd bool) bool {
	line := strings.TrimRight(r.source[:r.at], " \t")
	if !strings.HasSuffix(line, "\n") {
		return false
	}
	here, around := r.at-len(line), r.indentOf(start)
	return here < around || here == around && !isEnd
}

// indentOf is how many bytes the line of a bracket is indented.
func (r *reader) indentOf(at int) int {
	if n, known := r.indents[at]; known {
		return n
	}
	line := r.source[strings.LastIndexByte(r.source[:at], '\n')+1:]
	r.indents[at] = len(line) - len(strings.TrimLeft(line, " \t"))
	return r.indents[at]
}

var keyBelow = lazyregexp.New(`^[ \t]*\r?\n[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[A-Za-z_$][\w$]*)[ \t]*:`)

// isKeyNext reports whether the next line begins with a key, where a value is to stand.
func (r *reader) isKeyNext() bool { return keyBelow.MatchString(r.rest()) }
