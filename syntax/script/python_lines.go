package script

import (
	"cmp"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// pythonLines is a body split into its logical lines. The tree's parser does not
// report mistakes between lines: wrong indentation, a statement without an end, a
// bracket that is not closed before the indentation decreases.
type pythonLines struct {
	// flat is the body with each logical line on one line and without comments.
	// Every byte keeps its offset.
	flat  string
	lines []logicalLine
}

// logicalLine is a logical line of Python without its indentation.
type logicalLine struct {
	text.Span
	word       string // the first one; "@" of a decorator
	opensBlock bool   // a block
	inMatch    bool   // directly below a `match`
}

// The limits, which are those of the language. Code beyond them is not checked.
const (
	maxNesting = 200 // open brackets
	maxLevels  = 100 // of indentation
)

// lineReader goes over the body once.
type lineReader struct {
	src         string
	flat        []byte
	at          int
	fault       *Fault
	lines       []logicalLine
	levels      []indentLevel
	brackets    []int // open brackets
	blockColon  int   // the colon that a block must follow, or -1
	tooDeep     bool
	lastToken   token // of the logical line
	tokenBefore token
}

// token is the span of a token, and what sort of token it is.
type token struct {
	text.Span
	word, number, operator bool
}

// indentation is the width of a line's indentation in columns: with tabs that reach
// the next multiple of eight, and with tabs of one column. If the two compare two
// lines differently, tabs and spaces are mixed.
type indentation struct{ wide, narrow int }

// indentLevel is a level of indentation of an enclosing block.
type indentLevel struct {
	indentation
	last logicalLine // at this level
}

// readLines splits a body into lines. A body that is nested too deep has none.
func readLines(body string) (pythonLines, *Fault) {
	r := &lineReader{src: body, flat: []byte(body), blockColon: -1}
	if at := strings.IndexByte(body, 0); at >= 0 {
		return pythonLines{}, &Fault{text.Span{Start: at, End: at + 1}, "A null character stands in the code."}
	}
	for r.at < len(r.src) && r.fault == nil && !r.tooDeep {
		r.readLine()
	}
	if r.fault == nil && r.blockColon >= 0 && !r.tooDeep {
		r.setFault(r.blockColon, r.blockColon+1, "An indented block must follow this line.")
	}
	for len(r.levels) > 0 {
		r.leaveLevel()
	}
	if r.fault != nil || r.tooDeep {
		return pythonLines{}, r.fault
	}
	return pythonLines{string(r.flat), r.lines}, nil
}

func (r *lineReader) setFault(start, end int, message string) {
	if r.fault == nil {
		r.fault = &Fault{widenEmpty(r.src, text.Span{Start: start, End: end}), message}
	}
}

// readLine reads a logical line, or a blank physical line.
func (r *lineReader) readLine() {
	lineStart := r.at
	in := r.readIndentation()
	switch r.peek() {
	case '\n', 0:
		r.at++
		return
	case '#':
		r.blankComment()
		return
	}
	r.checkIndentation(in, lineStart)
	line := logicalLine{Span: text.Span{Start: r.at, End: r.wordEnd()}}
	if strings.IndexByte(":=%/&|^<>,;", r.src[r.at]) >= 0 {
		r.setFault(r.at, r.at+1, "No line can begin with `"+r.src[r.at:r.at+1]+"`.")
	}
	line.word = firstWord(r.src[line.Start:])
	r.checkPredecessor(line)
	r.lastToken, r.tokenBefore, r.blockColon = token{}, token{}, -1
	for r.at < len(r.src) && r.fault == nil && !r.tooDeep {
		if r.src[r.at] == '\n' && len(r.brackets) == 0 {
			break
		}
		r.readToken()
	}
	if n := len(r.brackets); n > 0 && !r.tooDeep {
		r.setFault(r.brackets[n-1], r.brackets[n-1]+1, "This bracket is never closed.")
		return
	}
	line.End = r.lastToken.End
	r.checkLineEnd()
	r.addLine(line)
}

// addLine adds a line that was read.
func (r *lineReader) addLine(line logicalLine) {
	n := len(r.levels)
	if n == 0 {
		return
	}
	line.opensBlock = r.blockColon >= 0
	line.inMatch = n > 1 && r.levels[n-2].last.word == "match"
	r.levels[n-1].last = line
	r.lines = append(r.lines, line)
}

func (r *lineReader) peek() byte {
	if r.at < len(r.src) {
		return r.src[r.at]
	}
	return 0
}

// readIndentation reads the white space before a line. If a backslash joins it to the
// next line, the first indentation counts.
func (r *lineReader) readIndentation() indentation {
	var first, in indentation
	for ; r.at < len(r.src); r.at++ {
		switch r.src[r.at] {
		case ' ':
			in.wide++
			in.narrow++
		case '\t':
			in.wide = (in.wide/8 + 1) * 8
			in.narrow++
		case '\f':
			in = indentation{}
		case '\\':
			if !strings.HasPrefix(r.src[r.at:], "\\\n") {
				return cmp.Or(first, in)
			}
			first, in = cmp.Or(first, in), indentation{}
			copy(r.flat[r.at:], "  ")
			r.at++
		default:
			return cmp.Or(first, in)
		}
	}
	return cmp.Or(first, in)
}

// checkIndentation compares a line's indentation with those of the lines around it.
func (r *lineReader) checkIndentation(in indentation, lineStart int) {
	if len(r.levels) == 0 {
		r.levels = append(r.levels, indentLevel{indentation: in})
		return
	}
	top := r.levels[len(r.levels)-1]
	if r.blockColon >= 0 && (in.wide < top.wide || in == top.indentation) {
		r.setFault(r.at, r.wordEnd(), "An indented block must stand here, below the line that ends in a colon.")
		return
	}
	dedent := in.wide < top.wide
	for in.wide < top.wide && len(r.levels) > 1 {
		r.leaveLevel()
		top = r.levels[len(r.levels)-1]
	}
	switch {
	case in == top.indentation && r.blockColon < 0:
	case in.mixesTabs(top.indentation):
		r.setFault(lineStart, r.at, "The indentation mixes tabs and spaces, so that its depth depends on the width of a tab.")
	case r.blockColon >= 0:
		r.levels = append(r.levels, indentLevel{indentation: in})
		r.tooDeep = r.tooDeep || len(r.levels) > maxLevels
	case dedent:
		r.setFault(r.at, r.wordEnd(), "The line is indented as much as no line before it.")
	default:
		r.setFault(r.at, r.wordEnd(), "The line is indented more than the line before it, but nothing opened a block.")
	}
}

// mixesTabs reports whether it depends on the width of a tab which of the two indentations is
// deeper.
func (in indentation) mixesTabs(other indentation) bool {
	return cmp.Compare(in.wide, other.wide) != cmp.Compare(in.narrow, other.narrow)
}

// wordEnd returns the offset of the next white space.
func (r *lineReader) wordEnd() int {
	if i := strings.IndexAny(r.src[r.at:], " \t\n"); i >= 0 {
		return r.at + i
	}
	return len(r.src)
}

func (r *lineReader) blankComment() {
	for ; r.at < len(r.src) && r.src[r.at] != '\n'; r.at++ {
		r.flat[r.at] = ' '
	}
}

// readToken reads the next token.
func (r *lineReader) readToken() {
	switch c := r.src[r.at]; {
	case c == ' ' || c == '\t' || c == '\f':
		r.at++
	case c == '\n': // in brackets
		r.flat[r.at] = ' '
		r.at++
	case c == '#':
		r.blankComment()
	case c == '\\':
		r.readBackslash()
	case c == '"' || c == '\'':
		r.readString(r.at)
	case isWordByte(c):
		r.readWord()
	case strings.IndexByte("([{", c) >= 0:
		r.brackets = append(r.brackets, r.at)
		r.tooDeep = len(r.brackets) > maxNesting
		r.pushToken(r.at+1, token{})
	case strings.IndexByte(")]}", c) >= 0:
		r.closeBracket(c)
		r.pushToken(r.at+1, token{})
	case strings.IndexByte("$?`", c) >= 0, c == '!' && !strings.HasPrefix(r.src[r.at:], "!="):
		r.setFault(r.at, r.at+1, "`"+string(c)+"` means nothing in Python.")
	default:
		r.pushToken(r.at+1, token{operator: true})
	}
}

func (r *lineReader) pushToken(end int, t token) {
	t.Span = text.Span{Start: r.at, End: end}
	r.tokenBefore, r.lastToken, r.at = r.lastToken, t, end
}

// readBackslash reads a backslash at the end of a line.
func (r *lineReader) readBackslash() {
	switch {
	case r.at+1 == len(r.src):
		r.setFault(r.at, r.at+1, "The last line ends in a backslash, as if another one followed.")
	case r.src[r.at+1] != '\n':
		r.setFault(r.at, r.at+1, "Behind a backslash that joins two lines nothing may follow, not even a space.")
	}
	copy(r.flat[r.at:], "  ")
	r.at = min(r.at+2, len(r.src))
}

func (r *lineReader) closeBracket(c byte) {
	n := len(r.brackets)
	if n == 0 {
		r.setFault(r.at, r.at+1, "This bracket closes nothing.")
		return
	}
	open := r.src[r.brackets[n-1]]
	if strings.IndexByte("([{", open) != strings.IndexByte(")]}", c) {
		r.setFault(r.at, r.at+1, "`"+string(c)+"` does not close the `"+string(open)+"` before it.")
	}
	r.brackets = r.brackets[:n-1]
}

func isWordByte(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// readWord reads a name, a keyword or a number, or a string with letters before it.
func (r *lineReader) readWord() {
	end := r.at
	for end < len(r.src) && isWordByte(r.src[end]) {
		end++
	}
	if end < len(r.src) && (r.src[end] == '"' || r.src[end] == '\'') && isStringPrefix(r.src[r.at:end]) {
		r.readString(end)
		return
	}
	number := '0' <= r.src[r.at] && r.src[r.at] <= '9'
	r.pushToken(end, token{word: !number, number: number})
}

// checkLineEnd reports a logical line that may not end as it does.
func (r *lineReader) checkLineEnd() {
	if r.fault != nil || r.tooDeep {
		return
	}
	word := r.src[r.lastToken.Start:r.lastToken.End]
	switch {
	case word == ":":
		r.blockColon = r.lastToken.Start
	case r.lastToken.operator && !r.mayEnd(word), r.lastToken.word && needsOperand(word):
		r.setFault(r.lastToken.Start, r.lastToken.End, "The line ends too early: something must follow `"+word+"`.")
	}
}

// mayEnd reports whether a line may end in the operator op. It is true for unknown operators,
// which the parser checks.
func (r *lineReader) mayEnd(op string) bool {
	before := r.src[r.tokenBefore.Start:r.tokenBefore.End]
	switch op {
	case "*":
		return before == "import"
	case ".":
		return strings.HasSuffix(r.src[:r.lastToken.End], "...") || r.tokenBefore.number && r.tokenBefore.End == r.lastToken.Start
	}
	return strings.IndexByte("=+-/%@&|^~<>", op[0]) < 0
}

// needsOperand reports whether a keyword needs something after it.
func needsOperand(word string) bool {
	switch word {
	case "and", "or", "not", "in", "is", "if", "elif", "else", "while", "for", "import", "from", "as", "assert", "del",
		"global", "nonlocal", "with", "lambda", "def", "class", "try", "finally", "except", "await", "async":
		return true
	}
	return false
}
