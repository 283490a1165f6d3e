package analysis

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/tool"
)

// operatorWords are the operators of these forms that completion offers.
func operatorWords(forms ...expression.OperatorForm) []tool.Word {
	var words []tool.Word
	for _, o := range expression.Operators() {
		if !o.Hidden && slices.Contains(forms, o.Form) {
			words = append(words, tool.Word{Name: o.Name, Doc: o.Doc})
		}
	}
	return words
}

// wordsAfterIs are the words that complete `IS`, or `IS NOT`, to an operator.
func wordsAfterIs(negated bool) []tool.Word {
	var words []tool.Word
	for _, w := range slices.Backward(operatorWords(expression.Postfix)) {
		rest, ok := strings.CutPrefix(w.Name, "IS ")
		if negated {
			rest, ok = strings.CutPrefix(rest, "NOT ")
		}
		if ok {
			words = append(words, tool.Word{Name: rest, Doc: w.Doc})
		}
	}
	return words
}

// literalWords are the words that an operand may be or begin with: literals, then operators
// before an operand.
func literalWords() []tool.Word {
	var words []tool.Word
	for _, l := range expression.Literals() {
		if !l.Hidden {
			words = append(words, tool.Word{Name: l.Name, Doc: l.Doc})
		}
	}
	return append(words, operatorWords(expression.Negation, expression.Presence)...)
}

// lookupOperator is the operator that a text is, in any case.
func lookupOperator(text string) (tool.Word, bool) {
	for _, o := range expression.Operators() {
		if strings.EqualFold(o.Name, text) {
			return tool.Word{Name: o.Name, Doc: o.Doc}, true
		}
	}
	return tool.Word{}, false
}

// OperatorCall is the operator that is called as if it were a function; false for any
// other name.
func OperatorCall(name string) (operator string, ok bool) {
	for _, o := range expression.Operators() {
		if slices.Contains(o.Calls, name) {
			return o.Name, true
		}
	}
	return "", false
}
