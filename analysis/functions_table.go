package analysis

// Function is a function that expressions may call.
type Function struct {
	Name    string // in capitals; behind `abl.`, in guardrails, in small letters
	Params  []string
	Returns string // the type of what it gives
	Doc     string
}

// Signature is the function as a reader sees it: `ROUND(number, digits) -> number`.
func (f Function) Signature() string {
	s := f.Name + "("
	for i, p := range f.Params {
		if i > 0 {
			s += ", "
		}
		s += p
	}
	return s + ") -> " + f.Returns
}

// builtIns are the functions of the language, by what they are about. A `?`
// behind a parameter says that it may be left out, `…` that more may follow: what
// follows is not published for all of them.
var builtIns = []Function{
	{"ADD", []string{"a", "b"}, "number", "The sum of two numbers."},
	{"SUB", []string{"a", "b"}, "number", "The first number less the second."},
	{"MUL", []string{"a", "b"}, "number", "The product of two numbers."},
	{"DIV", []string{"a", "b"}, "number", "The first number divided by the second."},
	{"ROUND", []string{"number", "digits?"}, "number", "The number rounded to so many digits behind the point; to a whole one without."},
	{"ABS", []string{"number"}, "number", "The number without its sign."},
	{"MIN", []string{"a", "b", "…"}, "number", "The smallest of the numbers."},
	{"MAX", []string{"a", "b", "…"}, "number", "The largest of the numbers."},

	{"UPPER", []string{"text"}, "string", "The text in capitals."},
	{"LOWER", []string{"text"}, "string", "The text in small letters."},
	{"TRIM", []string{"text"}, "string", "The text without the blanks at its ends."},
	{"SUBSTRING", []string{"text", "start", "end?"}, "string", "A part of the text."},
	{"REPLACE", []string{"text", "search", "replacement"}, "string", "The text with one part replaced by another."},
	{"SPLIT", []string{"text", "separator"}, "array", "The parts of the text between separators."},
	{"JOIN", []string{"list", "separator"}, "string", "The elements of a list as one text, with a separator between."},
	{"PAD_START", []string{"text", "length", "fill?"}, "string", "The text filled up to a length at its beginning."},
	{"PAD_END", []string{"text", "length", "fill?"}, "string", "The text filled up to a length at its end."},
	{"REPEAT", []string{"text", "count"}, "string", "The text so many times in a row."},
	{"REGEX_REPLACE", []string{"text", "pattern", "replacement"}, "string", "The text with what fits a regular expression replaced."},
	{"REGEX_EXTRACT", []string{"text", "pattern", "…"}, "string", "What fits a regular expression in the text."},

	{"MATCH_SCORE", []string{"text", "…"}, "number", "How well a text fits another one."},
	{"MATCHES", []string{"text", "pattern"}, "boolean", "Whether the text fits a regular expression."},
	{"MATCH_RESULT", []string{"text", "…"}, "any", "What the text fits best."},

	{"MASK", []string{"text", "…"}, "string", "The text with most of it hidden."},
	{"FORMAT_CURRENCY", []string{"amount", "…"}, "string", "An amount as money is written."},
	{"FORMAT_DATE", []string{"date", "…"}, "string", "A date in a given form."},
	{"ORDINAL", []string{"number"}, "string", "The number as a rank: 1st, 2nd, 3rd."},

	{"IS_ARRAY", []string{"value"}, "boolean", "Whether the value is a list."},
	{"IS_NUMBER", []string{"value"}, "boolean", "Whether the value is a number."},
	{"IS_STRING", []string{"value"}, "boolean", "Whether the value is a text."},
	{"TO_NUMBER", []string{"value"}, "number", "The value as a number."},
	{"TO_STRING", []string{"value"}, "string", "The value as a text."},

	{"LENGTH", []string{"value"}, "number", "How many characters a text or elements a list has."},
	{"ARRAY_FIND", []string{"list", "…"}, "any", "The first element of a list that fits."},
	{"ARRAY_FIND_INDEX", []string{"list", "…"}, "number", "The place of the first element that fits."},

	{"OBJECT_KEYS", []string{"object"}, "array", "The names of the fields."},
	{"OBJECT_VALUES", []string{"object"}, "array", "The values of the fields."},
	{"OBJECT_MERGE", []string{"a", "b", "…"}, "object", "One object with the fields of all; the later ones win."},

	{"COALESCE", []string{"value", "…"}, "any", "The first value that is there."},
	{"FIRST_NON_EMPTY", []string{"value", "…"}, "any", "The first value that is not empty."},
	{"IF", []string{"condition", "then", "else"}, "any", "One of two values, by a condition."},
	{"NOW", nil, "datetime", "The present time."},
	{"UNIQUE_ID", nil, "string", "An id that nothing else has."},
}

// helpers stand behind `abl.`, in guardrails.
var helpers = []Function{
	{"contains_pii", []string{"text"}, "boolean", "Whether the text holds personal data."},
	{"detect_pii", []string{"text"}, "array", "The personal data in the text."},
	{"redact_pii", []string{"text"}, "string", "The text without personal data."},
	{"matches_pattern", []string{"text", "pattern"}, "boolean", "Whether the text fits a regular expression."},
	{"not_matches_pattern", []string{"text", "pattern"}, "boolean", "Whether the text does not fit a regular expression."},
	{"word_count", []string{"text"}, "number", "How many words the text has."},
	{"sentence_count", []string{"text"}, "number", "How many sentences the text has."},
	{"contains_url", []string{"text"}, "boolean", "Whether the text holds a web address."},
	{"contains_email", []string{"text"}, "boolean", "Whether the text holds an email address."},
	{"contains_code", []string{"text"}, "boolean", "Whether the text holds source code."},
	{"pii_equal", []string{"a", "b"}, "boolean", "Whether two texts hold the same personal data."},
}
