package expression

import (
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/expr-lang/expr/vm/runtime"
)

// Function is a function that expressions may call, with what a reader needs to know about it.
type Function struct {
	Name     string   // in capitals; of a helper in lowercase
	Group    string   // what it is about
	Params   []string // `?` follows one that may be left out; `…` says that more may follow
	Returns  string   // the type of its result
	Prefixed bool     // it exists in lowercase after [Prefix]; a helper exists there alone
	Doc      string   // Markdown

	function
}

// Signature returns the function's signature for a reader: `ROUND(n, decimals?) -> number`.
func (f Function) Signature() string {
	return f.Name + "(" + strings.Join(f.Params, ", ") + ") -> " + f.Returns
}

// Functions returns the 43 functions of the language, grouped by topic. The slice is shared: do not
// change it.
func Functions() []Function { return languageFunctions }

// Helpers returns the functions that exist only after `abl.`. The slice is shared: do not change
// it.
func Helpers() []Function { return helperFunctions }

// Prefix begins the names of helpers, and of the lower-case forms of functions.
const Prefix = "abl."

// languageFunctions is the one table for evaluation, completion, checks and the docs.
var languageFunctions = []Function{
	{"ADD", "number", []string{"a", "b"}, "number", false, "The sum of two numbers.", function{2, 2, arithmetic(sum)}},
	{"SUB", "number", []string{"a", "b"}, "number", false, "The first number less the second.", function{2, 2, arithmetic(subtract)}},
	{"MUL", "number", []string{"a", "b"}, "number", false, "The product of two numbers.", function{2, 2, arithmetic(multiply)}},
	{"DIV", "number", []string{"a", "b"}, "number", false, "The first number divided by the second; `null` where that is 0.", function{2, 2, quotient}},
	{"ROUND", "number", []string{"n", "decimals?"}, "number", true, "The number rounded to so many decimals, halves away from zero; to a whole number without.", function{1, 2, round}},
	{"ABS", "number", []string{"n"}, "number", true, "The number without its sign.", function{1, 1, absolute}},
	{"MIN", "number", []string{"a", "b"}, "number", true, "The smaller number.", function{1, -1, minOrMax(runtime.Less)}},
	{"MAX", "number", []string{"a", "b"}, "number", true, "The greater number.", function{1, -1, minOrMax(runtime.More)}},

	{"UPPER", "text", []string{"s"}, "string", true, "The text in capitals.", function{1, 1, withTextLimit(upper)}},
	{"LOWER", "text", []string{"s"}, "string", true, "The text in small letters.", function{1, 1, withTextLimit(lower)}},
	{"TRIM", "text", []string{"s"}, "string", true, "The text without the blanks at its ends.", function{1, 1, withTextLimit(trim)}},
	{"SUBSTRING", "text", []string{"s", "start", "end?"}, "string", true, "The characters from `start`, counted from 0, up to the one before `end`; what lies outside is left out.", function{2, 3, withTextLimit(substring)}},
	{"REPLACE", "text", []string{"s", "find", "replacement"}, "string", true, "The text with every place of `find` replaced.", function{3, 3, withTextLimit(replace)}},
	{"JOIN", "text", []string{"list", "delimiter?"}, "string", true, "The elements of a list as one text, with the delimiter between them.", function{1, 2, withTextLimit(join)}},
	{"PAD_START", "text", []string{"s", "length", "char?"}, "string", true, "The text filled up to a length at its beginning, with blanks unless `char` says otherwise.", function{2, 3, withTextLimit(padFunction(true))}},
	{"PAD_END", "text", []string{"s", "length", "char?"}, "string", true, "The text filled up to a length at its end, with blanks unless `char` says otherwise.", function{2, 3, withTextLimit(padFunction(false))}},
	{"REPEAT", "text", []string{"s", "count"}, "string", true, "The text so many times in a row.", function{2, 2, withTextLimit(repeat)}},
	{"SPLIT", "text", []string{"s", "delimiter"}, "list", true, "The parts of the text between delimiters.", function{2, 3, withTextLimit(splitText)}},
	{"REGEX_REPLACE", "text", []string{"s", "pattern", "replacement"}, "string", false, "The text with what matches a regular expression (RE2) replaced; `$1` to `$9` stand for groups. A bad pattern changes nothing.", function{3, 3, withTextLimit(regexReplace)}},
	{"REGEX_EXTRACT", "text", []string{"s", "pattern", "group?"}, "string or null", false, "What matches a regular expression (RE2) first, or a group of it; `null` where nothing does.", function{2, 3, withTextLimit(regexExtract)}},

	{"MATCH_SCORE", "spoken values", []string{"said", "stored", "kind?"}, "number", false, "How well what was said fits what is stored, from 0 to 100; -1 where one of them is missing." + kindsDoc, function{2, 3, matchScore}},
	{"MATCHES", "spoken values", []string{"said", "stored", "kind?"}, "boolean", false, "Whether what was said is what is stored. For regular expressions there is the operator `matches`." + kindsDoc, function{2, 3, matchesSpoken}},
	{"MATCH_RESULT", "spoken values", []string{"said", "stored", "kind?"}, "string", false, "`match`, `retry`, `mismatch` or `missing`: what to do with what was said." + kindsDoc, function{2, 3, matchResult}},

	{"MASK", "format", []string{"s", "pattern", "char?"}, "string", true, "The text with most of it hidden: `\"last4\"` and `\"first4\"` show so many characters of one end, `\"2*3\"` of both.", function{1, 3, mask}},
	{"FORMAT_CURRENCY", "format", []string{"n", "currency", "locale?"}, "string", true, "The number as an amount of money, in American English unless `locale` says otherwise.", function{1, 3, formatCurrency}},
	{"FORMAT_DATE", "format", []string{"d", "format", "tz?"}, "string", true, "The date by a format of `YYYY MM DD HH mm ss`, in a time zone such as `Europe/Paris`.", function{1, 3, formatDate}},
	{"ORDINAL", "format", []string{"n"}, "string", true, "The number as a rank: 1st, 2nd, 3rd.", function{1, 1, ordinal}},

	{"IS_ARRAY", "types", []string{"x"}, "boolean", true, "Whether the value is a list.", function{1, 1, isList}},
	{"IS_NUMBER", "types", []string{"x"}, "boolean", true, "Whether the value is a number.", function{1, 1, func(p []any) (any, error) { return isNumber(p[0]), nil }}},
	{"IS_STRING", "types", []string{"x"}, "boolean", true, "Whether the value is a text.", function{1, 1, isText}},
	{"TO_NUMBER", "types", []string{"x"}, "number or null", true, "The value as a number; `null` where it is none.", function{1, 1, toNumber}},
	{"TO_STRING", "types", []string{"x"}, "string", true, "The value as a text; lists and objects become JSON.", function{1, 1, func(p []any) (any, error) { return toText(p[0]), nil }}},

	{"LENGTH", "lists", []string{"list or string"}, "integer", true, "How many elements a list or characters a text has.", function{1, 1, length}},
	{"ARRAY_FIND", "lists", []string{"list", "field", "value"}, "object or null", true, "The first element whose field has the value.", function{2, 3, func(p []any) (any, error) { _, v, err := findElement(p); return v, err }}},
	{"ARRAY_FIND_INDEX", "lists", []string{"list", "field", "value"}, "integer", true, "The place, from 0, of the first element whose field has the value; -1 where none has.", function{2, 3, func(p []any) (any, error) { i, _, err := findElement(p); return i, err }}},

	{"OBJECT_KEYS", "objects", []string{"o"}, "list", true, "The names of the fields.", function{1, 1, objectKeys}},
	{"OBJECT_VALUES", "objects", []string{"o"}, "list", true, "The values of the fields.", function{1, 1, objectValues}},
	{"OBJECT_MERGE", "objects", []string{"a", "b", "…"}, "object", true, "One object with the fields of all; those of later ones win. `abl.object_merge` takes at most three.", function{1, -1, objectMerge}},

	{"COALESCE", "other", []string{"a", "b", "…"}, "any", true, "The first value that is not `null`. `abl.coalesce` takes at most four.", function{1, -1, firstMatching(func(v any) bool { return v != nil })}},
	{"FIRST_NON_EMPTY", "other", []string{"a", "b", "…"}, "any", false, "The first value that is not empty.", function{1, -1, firstMatching(func(v any) bool { return !isEmptyValue(v) })}},
	{"IF", "other", []string{"cond", "a", "b"}, "any", false, "`a` where the condition holds, else `b`. Both are evaluated.", function{2, 3, ifElse}},
	{"NOW", "other", nil, "string", true, "The present time.", function{0, 0, clock{}.now}},
	{"UNIQUE_ID", "other", []string{"length?"}, "string", true, "An id of so many random characters; 6 without.", function{0, 1, uniqueID}},
}

// kindsDoc documents the kinds of spoken values.
const kindsDoc = " Kinds: `name person_name email address phone digits text`."

// helperFunctions check texts in guardrails.
var helperFunctions = []Function{
	{"contains_pii", "CEL helpers", []string{"s"}, "boolean", true, "Whether the text holds personal data.", function{1, 1, containsPII}},
	{"detect_pii", "CEL helpers", []string{"s"}, "list", true, "The personal data in the text.", function{1, 1, detectPII}},
	{"redact_pii", "CEL helpers", []string{"s"}, "string", true, "The text without personal data.", function{1, 1, redactPII}},
	{"matches_pattern", "CEL helpers", []string{"s", "pattern"}, "boolean", true, "Whether a regular expression matches the text.", function{2, 2, matches}},
	{"not_matches_pattern", "CEL helpers", []string{"s", "pattern"}, "boolean", true, "Whether no regular expression matches the text.", function{2, 2, notMatches}},
	{"word_count", "CEL helpers", []string{"s"}, "integer", true, "How many words the text has.", function{1, 1, wordCount}},
	{"sentence_count", "CEL helpers", []string{"s"}, "integer", true, "How many sentences the text has.", function{1, 1, sentenceCount}},
	{"contains_url", "CEL helpers", []string{"s"}, "boolean", true, "Whether the text holds a web address.", function{1, 1, containsMatch(webAddressForm)}},
	{"contains_email", "CEL helpers", []string{"s"}, "boolean", true, "Whether the text holds an email address.", function{1, 1, containsMatch(emailForm)}},
	{"contains_code", "CEL helpers", []string{"s"}, "boolean", true, "Whether the text holds source code.", function{1, 1, containsMatch(sourceCodeForm)}},
	{"pii_equal", "CEL helpers", []string{"a", "b"}, "boolean", true, "Whether two tokens of the platform's vault stand for the same personal data. It fails on everything else, so on any value of a run from here.", function{2, 2, piiEqual}},
}

// callableFunctions are the functions that expressions call by a name in capitals.
var callableFunctions = sync.OnceValue(callableByName)

func callableByName() map[string]function {
	all := map[string]function{
		"SIZE":   {1, 1, length}, // of CEL
		"NOW_MS": {0, 0, clock{}.milliseconds},
	}
	for _, o := range languageOperators {
		if o.Form == Presence { // is called in brackets as well
			all[o.Name] = function{1, 1, func(p []any) (any, error) { return o.apply(nil, p) }}
		}
	}
	for _, f := range languageFunctions {
		all[f.Name] = f.function
	}
	return all
}

// fewerArguments maps functions whose lowercase form takes fewer arguments to that number.
var fewerArguments = map[string]int{"OBJECT_MERGE": 3, "COALESCE": 4}

// PrefixedFunctions returns the functions after [Prefix], with their full names: the helpers, then
// those that also exist in capitals. The slice is shared: do not change it.
func PrefixedFunctions() []Function { return prefixedFunctions() }

var prefixedFunctions = sync.OnceValue(func() []Function {
	return withPrefix(slices.Concat(helperFunctions, languageFunctions))
})

func withPrefix(functions []Function) []Function {
	var all []Function
	for _, f := range functions {
		if most, ok := fewerArguments[f.Name]; ok {
			f.maxArgs = most
		}
		if f.Prefixed {
			f.Name = Prefix + strings.ToLower(f.Name)
			all = append(all, f)
		}
	}
	return all
}

// allFunctions are the functions after [Prefix], then those of the language.
var allFunctions = sync.OnceValue(func() []Function { return slices.Concat(prefixedFunctions(), languageFunctions) })

// LookupFunction finds the function that a call of name means, in any case: one of the language, or
// one after [Prefix]. The second result is false if there is none.
func LookupFunction(name string) (Function, bool) {
	for _, f := range allFunctions() {
		if strings.EqualFold(f.Name, name) {
			return f, true
		}
	}
	return Function{}, false
}

// The number of characters of an id: usually, and at most.
const (
	idLength    = 6
	maxIDLength = 1000
)

func uniqueID(p []any) (any, error) {
	n, err := wholeArgument(p, 0, idLength)
	if err != nil || n < 1 || n > maxIDLength {
		return nil, errors.Join(err, errors.New("an id has 1 to 1000 characters"))
	}
	var id strings.Builder
	for id.Len() < n {
		id.WriteString(rand.Text())
	}
	return id.String()[:n], nil
}
