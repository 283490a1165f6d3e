package expression

import (
	"slices"
	"strings"
)

// OperatorForm says where the operands of an operator are: before it, after it or both.
type OperatorForm int

// The forms of operators.
const (
	Infix    OperatorForm = iota // a AND b
	Negation                     // NOT a
	Presence                     // EXISTS a; a name like any other where no operand follows
	Postfix                      // a IS SET
)

// Operator is an operator of expressions, with what a reader needs to know about it. Words may be
// written in any case.
type Operator struct {
	Name   string
	Form   OperatorForm
	Hidden bool     // completion does not offer it
	Calls  []string // functions, in capitals, that authors make of it
	Doc    string   // Markdown

	source string                                // the operator of expr-lang that it is; "" where it is rewritten otherwise
	apply  func(b *budget, p []any) (any, error) // computes it; nil where expr-lang does
}

// Operators returns the operators of the language. The slice is shared: do not change it.
func Operators() []Operator { return languageOperators }

// languageOperators is the one table for evaluation, completion, hover and checks. An operator has
// apply if expr-lang computes it without limits, or does not always treat 1, 1.0 and "1" alike.
var languageOperators = []Operator{
	{Name: "==", Doc: "Equal.", source: "==", apply: areEqual},
	{Name: "!=", Doc: "Not equal.", source: "!=", apply: areDifferent},
	{Name: ">", Doc: "Greater.", source: ">"},
	{Name: "<", Doc: "Less.", source: "<"},
	{Name: ">=", Doc: "Greater or equal.", source: ">="},
	{Name: "<=", Doc: "Less or equal.", source: "<="},
	{Name: "AND", Doc: "Both hold." + freeTextDoc, source: "and"},
	{Name: "OR", Doc: "One of them holds." + freeTextDoc, source: "or"},
	{Name: "IS SET", Form: Postfix, Doc: "It has a value."},
	{Name: "IS NOT SET", Form: Postfix, Doc: "It has none."},
	{Name: "is_number", Form: Postfix, Doc: "It is a number."},
	{Name: "is_string", Form: Postfix, Hidden: true, Doc: "It is a text."},
	{Name: "is_array", Form: Postfix, Hidden: true, Doc: "It is a list."},
	{Name: "IN", Doc: "One of a list: `a IN [b, c]`.", source: "in"},
	{Name: "NOT IN", Doc: "None of a list.", source: "not in"},
	{Name: "contains", Calls: []string{"CONTAINS"}, Doc: "A text or list holds a value.", source: "contains"},
	{Name: "matches", Doc: "A text fits a regular expression.", source: "matches", apply: operatorMatches},
	{Name: "startsWith", Calls: []string{"STARTSWITH", "STARTS_WITH"}, Doc: "A text begins so.", source: "startsWith"},
	{Name: "endsWith", Calls: []string{"ENDSWITH", "ENDS_WITH"}, Doc: "A text ends so.", source: "endsWith"},
	{Name: "IMPLIES", Doc: "Where the first holds, the second must."},

	{Name: "NOT", Form: Negation, Doc: "Turns a condition round." + freeTextDoc, source: "not"},
	{Name: "!", Form: Negation, Hidden: true, Doc: "Turns a condition round.", source: "!"},
	{Name: "EXISTS", Form: Presence, Doc: "Whether what follows has a value.", apply: exists},
	{Name: "EMPTY", Form: Presence, Doc: "Whether what follows has no value or is empty.", apply: isEmpty},

	{Name: "&&", Hidden: true, Doc: "Both hold.", source: "&&"},
	{Name: "||", Hidden: true, Doc: "One of them holds.", source: "||"},
	{Name: "+", Hidden: true, Doc: "Adds, or joins texts.", source: "+", apply: (*budget).addValues},
	{Name: "-", Hidden: true, Doc: "Subtracts.", source: "-", apply: subtractValues},
	{Name: "*", Hidden: true, Doc: "Multiplies.", source: "*", apply: multiplyValues},
	{Name: "/", Hidden: true, Doc: "Divides.", source: "/"},
	{Name: "%", Hidden: true, Doc: "What a division leaves.", source: "%"},
}

// freeTextDoc tells an author about AND, OR and NOT in a condition that may be free text.
const freeTextDoc = " In capitals it makes a condition of free text, too: write it in small letters there."

func areEqual(_ *budget, p []any) (any, error)       { return equal(p[0], p[1]), nil }
func areDifferent(_ *budget, p []any) (any, error)   { return !equal(p[0], p[1]), nil }
func subtractValues(_ *budget, p []any) (any, error) { return subtract(p[0], p[1]) }
func multiplyValues(_ *budget, p []any) (any, error) { return multiply(p[0], p[1]) }
func exists(_ *budget, p []any) (any, error)         { return p[0] != nil, nil }
func isEmpty(_ *budget, p []any) (any, error)        { return isEmptyValue(p[0]), nil }

// Literal is a word that denotes a value, in any case.
type Literal struct {
	Name   string
	Hidden bool   // completion does not offer it
	Doc    string // Markdown; "" where the name says it all

	source string // how expr-lang spells it
}

// Literals returns the words that are values. The slice is shared: do not change it.
func Literals() []Literal { return languageLiterals }

var languageLiterals = []Literal{
	{Name: "true", source: "true"},
	{Name: "false", source: "false"},
	{Name: "null", source: "null"},
	{Name: "undefined", Doc: "What has never had a value.", source: "null"},
	{Name: "always", Doc: "True.", source: "true"},
	{Name: "nil", Hidden: true, source: "null"},
}

// OperatorWords returns the names of the operators of the given forms that are one word each.
func OperatorWords(forms ...OperatorForm) []string {
	var names []string
	for _, o := range languageOperators {
		if slices.Contains(forms, o.Form) && o.isWord() {
			names = append(names, o.Name)
		}
	}
	return names
}

// isWord reports whether the operator is a word, and not a sign.
func (o Operator) isWord() bool { return prefixLength(o.Name, isName) == len(o.Name) }

// IsOperatorWord reports whether a word, in any case, is an operator before an operand, or the IS
// of IS SET.
func IsOperatorWord(word string) bool {
	is := func(o Operator) bool { return o.Form != Postfix && strings.EqualFold(o.Name, word) }
	return slices.ContainsFunc(languageOperators, is) || strings.EqualFold(word, "IS")
}

// infixOperators maps the names of infix operators that are words, in capitals, to expr-lang's
// spelling.
var infixOperators = infixByName()

func infixByName() map[string]string {
	all := map[string]string{}
	for _, o := range languageOperators {
		if o.Form == Infix && o.source != "" && o.isWord() {
			all[strings.ToUpper(o.Name)] = o.source
		}
	}
	return all
}

// computedOperators are the infix operators that this package computes instead of expr-lang, by
// expr-lang's spelling.
var computedOperators = computedBySource()

func computedBySource() map[string]Operator {
	all := map[string]Operator{}
	for _, o := range languageOperators {
		if o.apply != nil && o.Form == Infix {
			all[o.source] = o
		}
	}
	return all
}

// literalWords maps the names of literals, in capitals, to expr-lang's spelling.
var literalWords = literalsByName()

func literalsByName() map[string]string {
	all := map[string]string{}
	for _, l := range languageLiterals {
		all[strings.ToUpper(l.Name)] = l.source
	}
	return all
}

// is reports whether a word, in any case, is an operator of a form.
func (w word) is(form OperatorForm) bool {
	return slices.ContainsFunc(languageOperators, func(o Operator) bool { return o.Form == form && strings.EqualFold(o.Name, w.text) })
}
