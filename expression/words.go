package expression

import (
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// word is a token of an expression's text: a name, a number, a string, or a single character.
type word struct {
	text string
	kind wordKind
}

type wordKind int

const (
	signWord wordKind = iota
	blankWord
	nameWord
	valueWord // a number or a string
)

// rewriteOperators writes the operators of the language in expr-lang's syntax: AND, NOT IN, x IS
// SET, x is_number, EXISTS x, A IMPLIES B.
func rewriteOperators(source string) string {
	var out []word
	in := rewritePresence(splitWords(source))
	for i := 0; i < len(in); i++ {
		out, i = rewriteNext(out, in, i)
	}
	for i := lastImplies(out); i >= 0; i = lastImplies(out) {
		out = rewriteImplies(out, i)
	}
	var text strings.Builder
	for _, w := range out {
		text.WriteString(w.text)
	}
	return text.String()
}

// rewriteNext appends the word at i, rewritten if it is an operator or a literal, and returns the
// index of the last word it used.
func rewriteNext(out, in []word, i int) ([]word, int) {
	w := in[i]
	upper := strings.ToUpper(w.text)
	switch {
	case w.kind != nameWord || followsDot(out):
	case !afterValue(out):
		if upper == "NOT" && !isObjectKey(in, i) {
			w.text = "not"
		} else if s, ok := literalWords[upper]; ok && !isCalled(in, i) && !isObjectKey(in, i) {
			w.text = s
		}
	case infixOperators[upper] != "":
		w = word{infixOperators[upper], signWord}
	case upper == "NOT":
		if negated, end := readNegation(in, i); end > 0 {
			return append(out, word{"not " + negated, signWord}), end
		}
	case upper == "IS":
		if negated, end := readIsSet(in, i); end > 0 {
			return wrapOperand(out, "(", map[bool]string{false: " != nil)", true: " == nil)"}[negated]), end
		}
	case w.is(Postfix):
		return wrapOperand(out, upper+"(", ")"), i
	}
	return append(out, w), i
}

// rewritePresence writes EXISTS and EMPTY as calls: EXISTS x.y as EXISTS(x.y). They are plain names
// if no operand follows.
func rewritePresence(in []word) []word {
	for i := len(in) - 1; i >= 0; i-- {
		from := i + 2
		if !in[i].is(Presence) || followsDot(in[:i]) || afterValue(in[:i]) && !isOperator(in[:i]) ||
			from >= len(in) || in[i+1].kind != blankWord || !beginsOperand(in[from]) {
			continue
		}
		to := chainEnd(in, from)
		in = slices.Concat(in[:i+1], []word{{"(", signWord}}, in[from:to], []word{{")", signWord}}, in[to:])
	}
	return in
}

// beginsOperand reports whether a word begins an operand. An operator does not.
func beginsOperand(w word) bool {
	upper := strings.ToUpper(w.text)
	isWord := w.kind == nameWord && infixOperators[upper] == "" && upper != "IS" && upper != "IMPLIES" && !w.is(Postfix)
	return isWord || w.kind == valueWord && strings.ContainsAny(w.text[:1], `"'`) || w.text == "(" || w.text == "["
}

// isOperator reports whether the last word is an operator after which an operand must follow.
func isOperator(in []word) bool {
	upper := strings.ToUpper(lastWord(in).text)
	return infixOperators[upper] != "" || upper == "NOT" || upper == "IMPLIES"
}

// chainEnd returns the index after the operand that begins at i, with its members and arguments.
func chainEnd(in []word, i int) int {
	for {
		if isOpening(in[i]) {
			depth := 0
			for ; i < len(in); i++ {
				if depth += depthChange(in[i], isOpening, isClosing); depth == 0 {
					break
				}
			}
		}
		next := i + 1
		switch {
		case next >= len(in):
			return len(in)
		case in[next].text == "." && next+1 < len(in):
			i = next + 1
		case isOpening(in[next]) && in[next].text != "{":
			i = next
		default:
			return next
		}
	}
}

// readNegation reads the operator after NOT, as in NOT IN; end is its index, 0 if there is none.
func readNegation(in []word, i int) (operator string, end int) {
	for j := i + 1; j < len(in); j++ {
		if in[j].kind == blankWord {
			continue
		}
		if operator := infixOperators[strings.ToUpper(in[j].text)]; operator != "" {
			return operator, j
		}
		break
	}
	return "", 0
}

// readIsSet reads IS SET and IS NOT SET; end is the index of the last word, 0 if it is neither.
func readIsSet(in []word, i int) (negated bool, end int) {
	for j := i + 1; j < len(in); j++ {
		switch {
		case in[j].kind == blankWord:
		case strings.EqualFold(in[j].text, "NOT") && !negated:
			negated = true
		case strings.EqualFold(in[j].text, "SET"):
			return negated, j
		default:
			return false, 0
		}
	}
	return false, 0
}

// wrapOperand puts texts before and after the operand that out ends with.
func wrapOperand(out []word, before, after string) []word {
	for len(out) > 0 && out[len(out)-1].kind == blankWord {
		out = out[:len(out)-1]
	}
	return append(slices.Insert(out, chainBegin(out), word{before, signWord}), word{after, valueWord})
}

// chainBegin returns the index at which the operand begins that out ends with: a.b[0].c, f(x).y.
func chainBegin(out []word) int {
	i := len(out) - 1
	for i > 0 {
		if open := matchingOpening(out, i); open >= 0 {
			i = open
			if i > 0 && (out[i-1].kind == nameWord || isClosing(out[i-1])) {
				i--
				continue
			}
		}
		if i < 2 || out[i-1].text != "." {
			break
		}
		i -= 2
	}
	return max(i, 0)
}

func isClosing(w word) bool { return w.kind == signWord && strings.Contains(")]}", w.text) }
func isOpening(w word) bool { return w.kind == signWord && strings.Contains("([{", w.text) }

// matchingOpening returns the index of the bracket that the one at i closes; -1 if there is none.
func matchingOpening(out []word, i int) int {
	depth := 0
	for ; i >= 0; i-- {
		switch {
		case isClosing(out[i]):
			depth++
		case isOpening(out[i]):
			depth--
		}
		if depth == 0 {
			break
		}
	}
	if i >= 0 && isOpening(out[i]) {
		return i
	}
	return -1
}

// lastImplies returns the index of the last IMPLIES, -1 if there is none.
func lastImplies(out []word) int {
	for i, w := range slices.Backward(out) {
		if w.kind == nameWord && strings.EqualFold(w.text, "IMPLIES") && afterValue(out[:i]) {
			return i
		}
	}
	return -1
}

// rewriteImplies writes A IMPLIES B as (not (A) or (B)). IMPLIES has the lowest precedence and
// associates to the right.
func rewriteImplies(out []word, at int) []word {
	from, to := at, at
	for depth := 0; from > 0 && (depth != 0 || !isOpening(out[from-1]) && !endsCondition(out[from-1])); from-- {
		depth += depthChange(out[from-1], isClosing, isOpening)
	}
	for depth := 0; to+1 < len(out) && (depth != 0 || !isClosing(out[to+1]) && !endsCondition(out[to+1])); to++ {
		depth += depthChange(out[to+1], isOpening, isClosing)
	}
	return slices.Concat(out[:from], []word{{"(not (", valueWord}}, out[from:at], []word{{") or (", valueWord}}, out[at+1:to+1], []word{{"))", valueWord}}, out[to+1:])
}

// depthChange returns 1 for a bracket that leads deeper, -1 for one that leads out, and 0 for any
// other word.
func depthChange(w word, deeper, higher func(word) bool) int {
	switch {
	case deeper(w):
		return 1
	case higher(w):
		return -1
	}
	return 0
}

// endsCondition reports whether a word separates conditions, so that no operand of IMPLIES contains
// it.
func endsCondition(w word) bool {
	return w.kind == signWord && strings.Contains(",;:?", w.text) || w.kind == nameWord && strings.EqualFold(w.text, "IMPLIES")
}

// followsDot reports whether the next word is a member's name.
func followsDot(out []word) bool { return len(out) > 0 && out[len(out)-1].text == "." }

// afterValue reports whether out ends with a value, so that an operator may follow.
func afterValue(out []word) bool {
	w := lastWord(out)
	return w.kind == nameWord && w.text != "not" || w.kind == valueWord || w.text != "" && isClosing(w)
}

// isObjectKey reports whether the word at i is the key of an object.
func isObjectKey(in []word, i int) bool { return i+1 < len(in) && in[i+1].text == ":" }

// isCalled reports whether the word at i is the name of a function.
func isCalled(in []word, i int) bool { return i+1 < len(in) && in[i+1].text == "(" }

// splitWords divides an expression's text into words.
func splitWords(source string) []word {
	var out []word
	for source != "" {
		n, kind := 1, signWord
		switch c := source[0]; {
		case isBlank(c):
			n, kind = prefixLength(source, isBlank), blankWord
		case c == '"' || c == '\'' || c == '`':
			n, kind = stringLength(source), valueWord
		case '0' <= c && c <= '9':
			n, kind = numberLength(source), valueWord
		case isName(c):
			n, kind = prefixLength(source, isName), nameWord
		case c == '/' && strings.EqualFold(lastWord(out).text, "matches") && regexLength(source) > 0:
			n = regexLength(source)
			out = append(out, word{strconv.Quote(goRegex(source[:n])), valueWord})
			source = source[n:]
			continue
		case strings.HasPrefix(source, "?.["):
			n, source = 1, source[2:] // members are looked up so in any case
		case strings.HasPrefix(source, "?."):
			source = source[1:]
		case strings.HasPrefix(source, "??"):
			n = 2
		}
		out = append(out, word{source[:n], kind})
		source = source[n:]
	}
	return out
}

// lastWord returns the last word that is no white space; the zero word if there is none.
func lastWord(out []word) word {
	for _, w := range slices.Backward(out) {
		if w.kind != blankWord {
			return w
		}
	}
	return word{}
}

// regexLiteral matches a regular expression between slashes, with its flags. A slash in a character
// class does not end it.
var regexLiteral = lazyregexp.New(`^/((?:[^/\\\[\r\n]|\\[^\r\n]|\[(?:[^\]\\\r\n]|\\[^\r\n])*\])+)/([a-z]*)`)

// regexLength returns the length of the regular expression that a text begins with; 0 if there is
// none.
func regexLength(text string) int { return len(regexLiteral.FindString(text)) }

// goRegex turns a literal into a pattern of Go: its slashes are not escaped, and its flags are
// before it.
func goRegex(literal string) string {
	m := regexLiteral.FindStringSubmatch(literal)
	pattern, flags := strings.ReplaceAll(m[1], `\/`, "/"), m[2]
	if flags = strings.Trim(flags, "gu"); flags != "" {
		pattern = "(?" + flags + ")" + pattern
	}
	return pattern
}

func isBlank(c byte) bool { return strings.IndexByte(" \t\r\n", c) >= 0 }

func isName(c byte) bool {
	return c == '_' || c == '$' || c == '#' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// prefixLength counts the bytes at the beginning of a text that satisfy a condition.
func prefixLength(text string, is func(byte) bool) int {
	n := 0
	for n < len(text) && is(text[n]) {
		n++
	}
	return n
}

// numberLength returns the length of the number that a text begins with. It may contain a point,
// but 1..3 is no number.
func numberLength(text string) int {
	n := prefixLength(text, isName)
	if n+1 < len(text) && text[n] == '.' && '0' <= text[n+1] && text[n+1] <= '9' {
		n += 1 + prefixLength(text[n+1:], isName)
	}
	return n
}

// stringLength returns the length of the string that a text begins with; a string that is not
// closed reaches to the end.
func stringLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && text[0] != '`':
			i++
		case text[i] == text[0]:
			return i + 1
		}
	}
	return len(text)
}
