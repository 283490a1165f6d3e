package expression

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
)

func variables(t *testing.T) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(`{"result": {"price": 10.50, "id": 12345678901234567890, "n": 3, "items": [{"x": 1.0}, {"x": 2}], "name": "a b", "gone": null, "true": 1}}`))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestEval(t *testing.T) {
	for source, want := range map[string]string{
		"result.price":                 `10.50`,
		" result.id ":                  `12345678901234567890`,
		"result.items[0].x":            `1.0`,
		"result.items":                 `[{"x":1.0},{"x":2}]`,
		"result.nothing.at.all":        `null`,
		"result.items[9]":              `null`,
		"result.gone":                  `null`,
		"{a: result.id, b: result.n}":  `{"a":12345678901234567890,"b":3}`,
		"result.id ?? 1":               `12345678901234567890`,
		"result.n + 1":                 `4`,
		"result.price * 2":             `21`,
		"len(result.items) > 1":        `true`,
		"result.name + '!'":            `"a b!"`,
		"map(result.items, .x)":        `[1,2]`,
		"result.gone ?? 'none'":        `"none"`,
		"result.nothing == null":       `true`,
		"true":                         `true`,
		"nil":                          `null`,
		`"quoted"`:                     `"quoted"`,
		"result.n > 2 ? 'big' : 'few'": `"big"`,
	} {
		t.Run(source, func(t *testing.T) {
			v, err := Eval(t.Context(), source, variables(t))
			got, _ := json.Marshal(v)
			if err != nil || string(got) != want {
				t.Errorf("%s: %s %v, want %s", source, got, err, want)
			}
		})
	}
	for name, source := range map[string]string{
		"nothing":                       "",
		"a property without a name":     "result.",
		"an unknown name":               "nobody",
		"a property of an unknown name": "nobody.x",
		"an operand missing":            "result.n +",
		"a number and a text":           "result.n + 'a'",
		"an object and a number":        "result.id + 1",
		"signs without operands":        "1 + + +",
		"a text that is too long":       "repeat('x', 100000000)",
		"by zero":                       "1 / 0",
		"another library":               "abl.add(1, 2)",
		"too many to coalesce":          "abl.coalesce(1, 2, 3, 4, 5)",
		"too many to merge":             "abl.object_merge({}, {}, {}, {})",
		"a vault":                       "abl.pii_equal(1, 1)",
		"too many arguments":            "UPPER('a', 1)",
		"an unknown style":              "MASK('a', 'x')",
		"an unknown zone":               "FORMAT_DATE(0, 'YYYY', 'Nowhere')",
		"an unknown match":              "MATCH_SCORE(1, 1, 'voice')",
		"a length of zero":              "UNIQUE_ID(0)",
		"a text for a number":           "ADD('a', 1)",
		"no argument":                   "ABS()",
		"an unknown function":           "nobody(1)",
		"an unknown method":             "result.name.nobody()",
	} {
		t.Run(name, func(t *testing.T) {
			if v, err := Eval(t.Context(), source, variables(t)); err == nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v %v", source, v, err)
			}
		})
	}
}

// TestOperators checks the operators of the language, in upper and lower case.
func TestOperators(t *testing.T) {
	for source, want := range map[string]string{
		"result.n == 3 AND result.name == 'a b'":                 `true`,
		"result.n == 3 and NOT (result.n == 4)":                  `true`,
		"result.n > 5 OR result.n < 4":                           `true`,
		"result.n IN [1, 2, 3]":                                  `true`,
		"result.n NOT IN [1, 2, 3]":                              `false`,
		"result.n not in [1]":                                    `true`,
		"result.name CONTAINS 'a'":                               `true`,
		"result.name NOT CONTAINS 'a'":                           `false`,
		"result.name MATCHES '^a'":                               `true`,
		"EXISTS result.price AND NOT EXISTS result.gone":         `true`,
		"exists result.items[0].x":                               `true`,
		"EMPTY result.gone && EMPTY ''":                          `true`,
		"EMPTY [] AND EMPTY (result.gone)":                       `true`,
		"EMPTY result.name":                                      `false`,
		"EMPTY COALESCE(result.gone, '') OR false":               `true`,
		"NOT EXISTS result.gone IMPLIES EXISTS(result.n)":        `true`,
		"let empty = 3; empty - 1":                               `2`,
		"let exists = 3; exists IN [3] AND exists IS SET":        `true`,
		"result.name matches /^A [a-z/]$/i":                      `true`,
		"result.name NOT MATCHES /\\d+/ AND 4 / 2 / 1 == 2":      `true`,
		"'a/b' matches /a\\/b/":                                  `true`,
		"always AND (result.n == undefined OR ALWAYS)":           `true`,
		"result.name startsWith 'a' && result.name endsWith 'b'": `true`,
		"result.price IS SET":                                    `true`,
		"result.price IS NOT SET":                                `false`,
		"result.gone is set":                                     `false`,
		"result.items[0].x IS SET AND result.n == 3":             `true`,
		"result.items[7].x.y IS SET":                             `false`,
		"{a: [{b: 1.0}]} == {a: [{b: 1}]}":                       `true`,
		"{a: [{b: 1.0}]} != {a: [{b: 1}]}":                       `false`,
		"{a: null} == {}":                                        `false`,
		"{a: 1} == [1] || [] == {}":                              `false`,
		"result.n == '3' || result.n == [3] || 3 == '3'":         `false`,
		"result.n != '3' && result != 3 && null != 3":            `true`,
		"map(1..2, #) == [1, 2] && 1..2 == [1.0, 2]":             `true`,
		"NOT result.gone IS SET":                                 `true`,
		"COALESCE(result.gone, result.n) IS SET":                 `true`,
		"result.n is_number":                                     `true`,
		"result.name is_number":                                  `false`,
		"result.n == 3 IMPLIES result.name == 'x'":               `false`,
		"result.n == 4 IMPLIES result.name == 'x'":               `true`,
		"false IMPLIES false IMPLIES false":                      `true`,
		"(true IMPLIES false) OR true":                           `true`,
		"IF(true IMPLIES false, 1, 2)":                           `2`,
		"TRUE and NULL == undefined":                             `true`,
		"result.name.contains('b')":                              `true`,
		"result.name.upper()":                                    `"A B"`,
		"size(result.items) + LENGTH(result.name)":               `5`,
		"has(result.gone) || has(result.n)":                      `true`,
		"abl.word_count(result.name)":                            `2`,
		"abl.upper('x') + abl.UPPER('y')":                        `"XY"`,
		"result?.gone?.x ?? 'none'":                              `"none"`,
		"result.items?.[0].x":                                    `1`,
		"result.items.length":                                    `2`,
		"filter(result.items, .x > 1)[0].x":                      `2`,
		"{y: result.n, Not: 2}":                                  `{"Not":2,"y":3}`,
		"'x AND y IS SET'":                                       `"x AND y IS SET"`,
		"result.n % 2 == 1 ? 'odd' : 'even'":                     `"odd"`,
		"let x = result.n; x * x":                                `9`,
		"result.name | upper()":                                  `"A B"`,
		"[1, 2] IS SET":                                          `true`,
	} {
		t.Run(source, func(t *testing.T) {
			v, err := Eval(t.Context(), source, variables(t))
			got, _ := json.Marshal(v)
			if err != nil || string(got) != want {
				t.Errorf("%s: %s %v, want %s", source, got, err, want)
			}
		})
	}
}

// TestBounds checks that no expression runs for ever or exhausts the memory.
func TestBounds(t *testing.T) {
	grow := "result.name"
	for range 30 {
		grow = "REPLACE(" + grow + ", 'a', 'aaaaaaaaaa')"
	}
	doubled, mapped := "let a0 = [1]; ", "let b0 = [1]; "
	for i := range 59 {
		doubled += fmt.Sprintf("let a%d = [a%d, a%d]; ", i+1, i, i)
		mapped += fmt.Sprintf("let b%d = map(1..2, b%d); ", i+1, i)
	}
	for name, source := range map[string]string{
		"a text doubled":                    "reduce(1..100000, #acc + #acc, 'x')",
		"a text that grows":                 "reduce(1..100000, #acc + REPEAT('x', 1000), '')",
		"many texts":                        "map(1..100000, REPEAT('x', 100000))",
		"nested loops":                      "count(1..1000, count(1..1000, count(1..1000, count(1..1000, true) > 0) > 0) > 0)",
		"repetitions of repetitions":        "REPEAT(REPEAT('x', 1000000), 1000000)",
		"repetitions in lower case":         "repeat(repeat('x', 1000), 1000000)",
		"padding at the start":              "PAD_START('x', 1000000000)",
		"padding at the end":                "PAD_END('x', 1000000000, 'ab')",
		"a replacement everywhere":          "REGEX_REPLACE(REPEAT('x', 1000000), '', REPEAT('y', 1000000))",
		"a long separator":                  "JOIN(SPLIT(REPEAT('x', 90000), ''), REPEAT('y', 100000))",
		"a split into characters":           "SPLIT(REPEAT('x', 1000000), '')",
		"a score":                           "MATCH_SCORE(REPEAT('x', 1000000), 'y')",
		"scores of many":                    "let s = REPEAT('a', 1000); let u = REPEAT('b', 999); MATCH_RESULT(s, map(1..500000, u))",
		"a pattern that matches slowly":     "REPEAT('a', 3000000) matches '(a?){900}b$'",
		"an extraction that matches slowly": "REGEX_EXTRACT(REPEAT('a', 3000000), '(a?){900}b$')",
		"long numbers to redact":            "abl.redact_pii(REPEAT('1 2-', 2500000))",
		"many to compare":                   "uniq(1..900000)",
		"lists joined":                      "let a = 1..900000; len(concat(a" + strings.Repeat(", a", 4000) + "))",
		"lists flattened":                   "let a = 1..900000; len(flatten([a" + strings.Repeat(", a", 4000) + "]))",
		"JSON of a long text":               "let s = REPEAT('x', 9000000); len(toJSON([s" + strings.Repeat(", s", 4000) + "]))",
		"a list in capitals":                "let s = REPEAT('x', 9000000); len(UPPER([s" + strings.Repeat(", s", 4000) + "]))",
		"a list of a long text":             "let s = REPEAT('x', 9000000); [s" + strings.Repeat(", s", 4000) + "]",
		"a map over a split":                "map(1..20, len(split(REPEAT('a', 5000000), '')))",
		"a shared list compared":            doubled + "a59 == a59",
		"a shared list in capitals":         doubled + "len(UPPER(a59))",
		"a mapped list in capitals":         mapped + "len(UPPER(b59))",
		"a list that grows":                 grow,
		"long sums":                         "let a = REPEAT('x', 9000000); [a + 'a', a + 'b', a + 'c', a + 'd', a + 'e', a + 'f', a + 'g', a + 'h']",
		"nested in parentheses":             strings.Repeat("(", 20000) + "1" + strings.Repeat(")", 20000),
	} {
		t.Run(name, func(t *testing.T) {
			if v, err := Eval(t.Context(), source, variables(t)); err == nil {
				t.Errorf("%.60s: no error but %.20v", source, v)
			}
		})
	}
}

// TestWholeNumbersAreNeverOthers checks that the result of integers is exact or an error, and that
// every result can be written as JSON.
func TestWholeNumbersAreNeverOthers(t *testing.T) {
	for source, want := range map[string]string{
		"fromJSON('[9007199254740993, 1.5]')":     `[9007199254740993,1.5]`,
		"9223372036854775806 + 1":                 `9223372036854775807`,
		"-9223372036854775807 - 1":                `-9223372036854775808`,
		"3037000499 * 3037000499":                 `9223372030926249001`,
		"date('2026-01-02') - date('2026-01-01')": `86400000000000`,
		"toJSON({a: [1, 'x']})":                   `"{\"a\":[1,\"x\"]}"`,
		"uniq([1, 2, 1, 'a', 'a'])":               `[1,2,"a"]`,
		"flatten([1, [2, [3]]])":                  `[1,2,3]`,
		"concat(1..2, [3])":                       `[1,2,3]`,
		"split('a,b,c', ',', 2)":                  `["a","b,c"]`,
	} {
		t.Run(source, func(t *testing.T) {
			v, err := Eval(t.Context(), source, variables(t))
			got, _ := json.Marshal(v)
			if err != nil || string(got) != want {
				t.Errorf("%s: %s %v, want %s", source, got, err, want)
			}
		})
	}
	for name, source := range map[string]string{
		"a sum":                   "9223372036854775807 + 1",
		"a sum by function":       "ADD(9223372036854775807, 1)",
		"a difference":            "-9223372036854775807 - 2",
		"a product":               "4611686018427387904 * 4",
		"a quotient in a list":    "[1 / 0]",
		"a quotient in an object": "{a: [1 / 0]}",
	} {
		t.Run(name, func(t *testing.T) {
			if v, err := Eval(t.Context(), source, variables(t)); err == nil {
				t.Errorf("%s: no error but %v", source, v)
			}
		})
	}
}

// TestJoinsLists checks that two long lists can be joined, since reading an argument costs nothing.
// The clock does not advance, so that a busy machine does not end the test.
func TestJoinsLists(t *testing.T) { synctest.Test(t, testJoinsLists) }

func testJoinsLists(t *testing.T) {
	rows := make([]any, 1000)
	for i := range rows {
		rows[i] = map[string]any{"id": json.Number(fmt.Sprint(i)), "text": strings.Repeat("x", 1000)}
	}
	v, err := Eval(t.Context(), "len(map(rows, ARRAY_FIND(rows, 'id', 5)))", map[string]any{"rows": rows})
	if err != nil || v != len(rows) {
		t.Errorf("%v %v", v, err)
	}
}

// ending is a context that is cancelled after Err was called so many times.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestCancelledInALoop checks that cancelling during a loop ends the evaluation at once.
func TestCancelledInALoop(t *testing.T) {
	for _, source := range []string{
		"len(filter(1..100000, len(filter(1..100000, # < 0)) > 0))",
		"map(1..100000, UPPER('a'))",
		"all(1..100000, any(1..100000, # > 100001) == false)",
	} {
		t.Run(source, func(t *testing.T) {
			const turns = 1000
			ctx := &ending{t.Context(), turns}
			_, err := Eval(ctx, source, nil)
			if !errors.Is(err, context.Canceled) || ctx.left < -2 {
				t.Errorf("%s: %v, and asked %d times more", source, err, -ctx.left)
			}
		})
	}
}

func TestHolds(t *testing.T) {
	for source, want := range map[string]bool{"result.n > 2": true, "result.n > 3": false, "result.gone": false, "result.nothing.x": false} {
		t.Run(source, func(t *testing.T) {
			if held, err := Holds(t.Context(), source, variables(t)); held != want || err != nil {
				t.Errorf("%s: %v %v", source, held, err)
			}
		})
	}
	if _, err := Holds(t.Context(), "result.n", variables(t)); err == nil {
		t.Error("a number is no condition")
	}
}

// TestCheck checks that faults which do not depend on the values are found without an evaluation.
func TestCheck(t *testing.T) {
	for name, source := range map[string]string{
		"a comparison":   "result.id == 7",
		"a result":       "result",
		"two conditions": "len(result) > 2 AND args.id IS SET",
		"a sum":          "result + 1 < 2",
		"an item":        "result.items[0].x",
		"a map":          "map(result, .x)",
		"null":           "null",
	} {
		t.Run(name, func(t *testing.T) {
			if err := Check(source, "result", "args"); err != nil {
				t.Errorf("%s: %v", source, err)
			}
		})
	}
	for name, source := range map[string]string{
		"nothing":                       "",
		"an operand missing":            "result +",
		"an unknown name":               "nobody",
		"a property of an unknown name": "nobody.x == 1",
		"an unknown name compared":      "result == nobody",
		"an unknown function":           "nobody(result)",
		"a sum without its end":         "1 +",
		"too long":                      strings.Repeat(" ", maxSource) + "1" + strings.Repeat("+1", maxSource),
	} {
		t.Run(name, func(t *testing.T) {
			if err := Check(source, "result", "args"); err == nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("%.20s: %v", source, err)
			}
		})
	}
}

func FuzzEval(f *testing.F) {
	for _, source := range []string{"a.b[0] IS SET", "A IMPLIES b", "NOT (x) IN [1]", "'", "a?.[0]", "((", ") IMPLIES (", "IS SET", ".IS SET", "x is_number", "1..3", "#", "abl.x()"} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		_, err := Eval(t.Context(), source, map[string]any{"a": map[string]any{"b": []any{json.Number("1")}}, "x": "y"})
		if refused := Check(source, "a", "x"); err == nil && refused != nil {
			t.Errorf("%s can be evaluated: %v", source, refused)
		}
	})
}

// TestOwned checks that a variable which the evaluation may change gives the same result as
// another.
func TestOwned(t *testing.T) {
	tree := func() any {
		return map[string]any{"🧭": "a", "n": []any{json.Number("1"), json.Number("1.50"), json.Number("12345678901234567890")}}
	}
	for _, source := range []string{"v", "v.n[1]", "v.n[0] + 1", "v.n[2]", "len(v.n) > 2", "v.n == [1, 1.5]", "v.missing"} {
		t.Run(source, func(t *testing.T) {
			want, wantErr := Eval(t.Context(), source, map[string]any{"v": tree()})
			got, err := Eval(t.Context(), source, map[string]any{"v": OwnedValue{tree()}})
			if !reflect.DeepEqual(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%s: %v, %v; want %v, %v", source, got, err, want, wantErr)
			}
		})
	}
}
