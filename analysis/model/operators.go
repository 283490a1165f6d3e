package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/tool"
)

// OperatorWords returns the operators of these forms that completion offers.
func OperatorWords(forms ...expression.OperatorForm) []tool.Word {
	var words []tool.Word
	for _, o := range expression.Operators() {
		if !o.Hidden && slices.Contains(forms, o.Form) {
			words = append(words, tool.Word{Name: o.Name, Doc: o.Doc})
		}
	}
	return words
}

// WordsAfterIs returns the words that complete `IS`, or `IS NOT`, to an operator.
func WordsAfterIs(negated bool) []tool.Word {
	var words []tool.Word
	for _, w := range slices.Backward(OperatorWords(expression.Postfix)) {
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

// LiteralWords returns the words with which an operand may begin: literals, then operators before
// an operand.
func LiteralWords() []tool.Word {
	var words []tool.Word
	for _, l := range expression.Literals() {
		if !l.Hidden {
			words = append(words, tool.Word{Name: l.Name, Doc: l.Doc})
		}
	}
	return append(words, OperatorWords(expression.Negation, expression.Presence)...)
}

// LookupOperator returns the operator with that text, in any casing. The second result is false if
// there is none.
func LookupOperator(text string) (tool.Word, bool) {
	for _, o := range expression.Operators() {
		if strings.EqualFold(o.Name, text) {
			return tool.Word{Name: o.Name, Doc: o.Doc}, true
		}
	}
	return tool.Word{}, false
}

// OperatorCall returns the operator that an author calls like a function by that name; ok is false
// for any other name.
func OperatorCall(name string) (operator string, ok bool) {
	for _, o := range expression.Operators() {
		if slices.Contains(o.Calls, name) {
			return o.Name, true
		}
	}
	return "", false
}

// PrecedesOperand reports whether an operand follows a word, in any casing.
func PrecedesOperand(word string) bool {
	return expression.IsOperatorWord(word) || ContainsFold(operandKeys, word)
}

// SpecialNames have a meaning in every expression.
var SpecialNames = []tool.Word{
	{Name: "input", Doc: "What the user said; in a tool, the arguments of the call."},
	{Name: "result", Doc: "The answer of the call before."},
	{Name: "error", Doc: "The failure: `error.message`."},
	{Name: "session", Doc: "The variables of the session."},
	{Name: "user", Doc: "Who talks to the agent."},
	{Name: "channel", Doc: "Where the conversation takes place."},
	{Name: "intent", Doc: "What the user wants, as it was recognised."},
	{Name: "human", Doc: "The human that the conversation was handed to."},
	{Name: "recent_input", Doc: "What the user said last. For `SET` only."},
	{Name: "input_transcript", Doc: "What the user said last, as it was heard. For `SET` only."},
	{Name: "abl", Doc: "The functions in lowercase, and the helpers of guardrails: `abl.upper(x)`."},
}

// HelperWords are the words of the template language in placeholders.
var HelperWords = []tool.Word{
	{Name: "#if", Doc: "What follows, up to `{{/if}}`, is there only where the condition holds; behind `{{else}}`, where it does not."},
	{Name: "else", Doc: "What follows is there where the condition of `{{#if}}` does not hold."},
	{Name: "/if", Doc: "The end of `{{#if}}`."},
	{Name: "#each", Doc: "What follows, up to `{{/each}}`, is there once for each item of the list. A name in it is first looked for in the item."},
	{Name: "/each", Doc: "The end of `{{#each}}`."},
	{Name: "@index", Doc: "How many items of `{{#each}}` went before."},
}

// ContainsFold reports whether keys contain a key, in any casing.
func ContainsFold(keys []string, key string) bool {
	return slices.ContainsFunc(keys, func(k string) bool { return strings.EqualFold(k, key) })
}

// operandKeys are keys and keywords that an operand follows.
var operandKeys = []string{"IF", "WHEN", "ELSE", "REQUIRE", "LIMIT", "RESTRICT", "WARN", "EACH"}
