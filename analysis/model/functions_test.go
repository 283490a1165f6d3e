package model

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/expression"
)

// evaluated are calls of every function that completion offers, with their values.
var evaluated = map[string]map[string]string{
	"ADD":              {"ADD(1, 2.5)": `3.5`},
	"SUB":              {"SUB(3, 5)": `-2`},
	"MUL":              {"MUL(3, 5)": `15`},
	"DIV":              {"DIV(10, 4)": `2.5`, "DIV(1, 0)": `null`},
	"ROUND":            {"ROUND(1.005, 2)": `1.01`, "ROUND(2.5)": `3`, "ROUND(-2.5)": `-3`, "ROUND(7)": `7`, "ROUND(1234.5, -2)": `1200`},
	"ABS":              {"ABS(-3)": `3`, "ABS(2.5)": `2.5`},
	"MIN":              {"MIN(3, 1.5, 2)": `1.5`, "MIN([3, 1])": `1`},
	"MAX":              {"MAX(3, 1.5, 2)": `3`},
	"UPPER":            {"UPPER('straße é')": `"STRAßE É"`},
	"LOWER":            {"LOWER('ÉA')": `"éa"`},
	"TRIM":             {"TRIM(' a b ')": `"a b"`},
	"SUBSTRING":        {"SUBSTRING('añb😀c', 1, 4)": `"ñb😀"`, "SUBSTRING('abc', 1)": `"bc"`, "SUBSTRING('abc', 2, 99)": `"c"`, "SUBSTRING('abc', 3, 1)": `""`},
	"REPLACE":          {"REPLACE('a-b-c', '-', '+')": `"a+b+c"`},
	"SPLIT":            {"SPLIT('a,b', ',')": `["a","b"]`},
	"JOIN":             {"JOIN(['a', 1, true], ', ')": `"a, 1, true"`},
	"PAD_START":        {"PAD_START('7', 3, '0')": `"007"`, "PAD_START('long', 2)": `"long"`},
	"PAD_END":          {"PAD_END('7', 3)": `"7  "`},
	"REPEAT":           {"REPEAT('ab', 3)": `"ababab"`},
	"REGEX_REPLACE":    {"REGEX_REPLACE('a1b22', '[0-9]+', '#')": `"a#b#"`, "REGEX_REPLACE('john doe', '(\\\\w+) (\\\\w+)', '$2x $1 $3 $')": `"doex john $3 $"`, "REGEX_REPLACE('a', '(', 'b')": `"a"`},
	"REGEX_EXTRACT":    {"REGEX_EXTRACT('order 123!', '[0-9]+')": `"123"`, "REGEX_EXTRACT('a=b', '(.)=(.)', 2)": `"b"`, "REGEX_EXTRACT('a', 'b')": `null`, "REGEX_EXTRACT('a', '(')": `null`},
	"MATCH_SCORE":      {"MATCH_SCORE('Paris', ' paris ')": `100`, "MATCH_SCORE('abcd', 'abcx')": `75`, "MATCH_SCORE('', 'a')": `-1`, "MATCH_SCORE('four 2 seven', '427', 'digits')": `100`},
	"MATCHES":          {"MATCHES('Ann at mail dot example', 'ann@mail.example', 'email')": `true`, "MATCHES('gold', 'silver')": `false`},
	"MATCH_RESULT":     {"MATCH_RESULT('o\\'neil', 'O neil', 'name') + MATCH_RESULT('abcd', 'abcx') + MATCH_RESULT('a', 'b') + MATCH_RESULT(null, 'b')": `"matchretrymismatchmissing"`},
	"MASK":             {"MASK('4111111111111111', 'last4')": `"************1111"`, "MASK('abcdef', '1*1', '•')": `"a••••f"`, "MASK('abcdef', 'first4')": `"abcd**"`, "MASK('abc', 'last4')": `"***"`},
	"FORMAT_CURRENCY":  {"FORMAT_CURRENCY(1234567.891)": `"$1,234,567.89"`, "FORMAT_CURRENCY(-5, 'EUR')": `"-€5.00"`, "FORMAT_CURRENCY(1234.5, 'JPY')": `"¥1,235"`, "FORMAT_CURRENCY(1, 'chf')": "\"CHF\u00a01.00\"", "FORMAT_CURRENCY(1234.5, 'EUR', 'de-DE')": "\"1.234,50\u00a0€\"", "FORMAT_CURRENCY(1234567, 'INR', 'en-IN')": `"₹12,34,567.00"`},
	"FORMAT_DATE":      {"FORMAT_DATE('2026-03-01T14:05:00Z', 'DD.MM.YYYY at HH:mm:ss')": `"01.03.2026 at 14:05:00"`, "FORMAT_DATE('2026-03-01T14:05:00Z', 'HH:mm', 'Asia/Kolkata')": `"19:35"`},
	"ORDINAL":          {"ORDINAL(1) + ORDINAL(2) + ORDINAL(3) + ORDINAL(4) + ORDINAL(11) + ORDINAL(112) + ORDINAL(22)": `"1st2nd3rd4th11th112th22nd"`},
	"IS_ARRAY":         {"IS_ARRAY([1])": `true`, "IS_ARRAY('a')": `false`},
	"IS_NUMBER":        {"IS_NUMBER(1.5)": `true`, "IS_NUMBER('1')": `false`},
	"IS_STRING":        {"IS_STRING('')": `true`, "IS_STRING(null)": `false`},
	"TO_NUMBER":        {"TO_NUMBER(' 10.5 ')": `10.5`, "TO_NUMBER('7')": `7`, "TO_NUMBER('x')": `null`, "TO_NUMBER([])": `null`},
	"TO_STRING":        {"TO_STRING(1.5)": `"1.5"`, "TO_STRING({a: [1]})": `"{\"a\":[1]}"`, "TO_STRING(null)": `""`},
	"LENGTH":           {"LENGTH('ñ😀')": `2`, "LENGTH([1, 2])": `2`, "LENGTH({a: 1})": `1`, "LENGTH(null)": `0`},
	"ARRAY_FIND":       {"ARRAY_FIND([{id: 1}, {id: 2}], 'id', 2)": `{"id":2}`, "ARRAY_FIND([{id: 1}], 'id', 3)": `null`},
	"ARRAY_FIND_INDEX": {"ARRAY_FIND_INDEX([{a: 1}, {a: 2}], 'a', 2)": `1`, "ARRAY_FIND_INDEX([], 'a', 2)": `-1`},
	"OBJECT_KEYS":      {"OBJECT_KEYS({b: 1, a: 2})": `["a","b"]`},
	"OBJECT_VALUES":    {"OBJECT_VALUES({b: 1, a: 2})": `[2,1]`},
	"OBJECT_MERGE":     {"OBJECT_MERGE({a: 1, b: 1}, {b: 2}, null)": `{"a":1,"b":2}`},
	"COALESCE":         {"COALESCE(null, 0, 1)": `0`, "COALESCE(null)": `null`},
	"FIRST_NON_EMPTY":  {"FIRST_NON_EMPTY('', [], null, 'x')": `"x"`},
	"IF":               {"IF(1 > 2, 'a', 'b')": `"b"`, "IF(null, 'a')": `null`},

	"contains_pii":        {"abl.contains_pii('call +49 30 1234 5678')": `true`, "abl.contains_pii('version 1.2.3')": `false`},
	"detect_pii":          {"abl.detect_pii('a@b.example, 4111 1111 1111 1111')": `[{"type":"email","value":"a@b.example"},{"type":"credit_card","value":"4111 1111 1111 1111"}]`},
	"redact_pii":          {"abl.redact_pii('I am 078-05-1120 (a@b.example).')": `"I am [SSN] ([EMAIL])."`},
	"matches_pattern":     {"abl.matches_pattern('a1', '[0-9]')": `true`},
	"not_matches_pattern": {"abl.not_matches_pattern('a1', '[0-9]')": `false`},
	"word_count":          {"abl.word_count('one two  three')": `3`},
	"sentence_count":      {"abl.sentence_count('One. Two! Three')": `3`},
	"contains_url":        {"abl.contains_url('see https://x.example')": `true`},
	"contains_email":      {"abl.contains_email('no address')": `false`},
	"contains_code":       {"abl.contains_code('const x = 1;')": `true`, "abl.contains_code('plain words')": `false`},
}

// changing are the functions whose value differs each time.
var changing = map[string]string{
	"NOW":       `^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"$`,
	"UNIQUE_ID": `^"[A-Z2-7]{6}"$`,
}

func TestEveryFunctionCanBeEvaluated(t *testing.T) {
	for _, table := range [][]expression.Function{expression.Functions(), expression.Helpers()} {
		for _, f := range table {
			t.Run(f.Name, func(t *testing.T) {
				if f.Name == "pii_equal" { // fails on all that is not in the platform's vault
					return
				}
				samples := evaluated[f.Name]
				if form := changing[f.Name]; form != "" {
					if got := evaluate(t, f.Name+"()"); !regexp.MustCompile(form).MatchString(got) {
						t.Errorf("%s gives %s", f.Name, got)
					}
				} else if len(samples) == 0 {
					t.Errorf("%s is not tried", f.Name)
				}
				for source, want := range samples {
					if got := evaluate(t, source); got != want {
						t.Errorf("%s gives %s, want %s", source, got, want)
					}
					if source, ok := inLowercase(f, source); ok {
						if got := evaluate(t, source); got != want {
							t.Errorf("%s gives %s, want %s", source, got, want)
						}
					}
				}
			})
		}
	}
}

// inLowercase returns a call with the name of the function in lowercase; false if it has none.
func inLowercase(f expression.Function, source string) (string, bool) {
	rest, ok := strings.CutPrefix(source, f.Name)
	return expression.Prefix + strings.ToLower(f.Name) + rest, ok && f.Prefixed
}

func TestNumbersOfFunctions(t *testing.T) {
	in := 0
	for _, f := range expression.Functions() {
		if f.Prefixed {
			in++
		}
	}
	if n := len(expression.Functions()); n != 43 || in != 32 || len(expression.Helpers()) != 11 {
		t.Errorf("%d functions, %d of them in lowercase, %d helpers", n, in, len(expression.Helpers()))
	}
}

func evaluate(t *testing.T, source string) string {
	t.Helper()
	v, err := expression.Eval(t.Context(), source, nil)
	if err != nil {
		t.Errorf("%s: %v", source, err)
	}
	raw, _ := json.Marshal(v)
	return string(raw)
}
