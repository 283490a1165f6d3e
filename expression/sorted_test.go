package expression

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestSortedMembers checks that an object's members have the same order in each evaluation.
func TestSortedMembers(t *testing.T) {
	value := map[string]any{}
	for i, name := range []string{"g", "c", "a", "e", "b", "f", "d"} {
		value[name] = i
	}
	for source, want := range map[string]string{
		"keys(value)":                          "[a b c d e f g]",
		"values(value)":                        "[2 4 1 6 3 5 0]",
		"toPairs(value)[1]":                    "[b 4]",
		"map(toPairs(value), #[0])":            "[a b c d e f g]",
		"value | keys() | last()":              "g",
		"keys(groupBy(1..12, # % 11))":         "[0 1 2 3 4 5 6 7 8 9 10]",
		"keys(value) == OBJECT_KEYS(value)":    "true",
		"values({b: 1, a: 2, c: null})":        "[2 1 <nil>]",
		"keys(groupBy([true, 'a', 2, 1], #))":  "[1 2 a true]",
		"len(values({})) == 0 and !any([], #)": "true",
	} {
		t.Run(source, func(t *testing.T) {
			for range 20 {
				got, err := Eval(t.Context(), source, map[string]any{"value": value})
				if fmt.Sprint(got) != want || err != nil {
					t.Fatalf("got  %v, %v\nwant %s", got, err, want)
				}
			}
		})
	}
	for _, source := range []string{"keys(1)", "values('a')", "toPairs(1)", "keys(value, 1)", "values()"} {
		if err := Check(source, "value"); err == nil {
			t.Errorf("%s is no error", source)
		}
	}
}

func TestExplainObjectMembers(t *testing.T) {
	given := map[string]any{"value": map[string]any{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7}}
	for source, want := range map[string]string{
		`none(keys(value), # == "a")`:      "`keys(value)[0]` is \"a\", and should be something else than \"a\"",
		`keys(value)[0] == keys(value)[1]`: "`keys(value)[0]` is \"a\", not `keys(value)[1]` (\"b\")",
		`values(value)[6] == 1`:            "`values(value)[6]` is 7, not 1",
		`all(values(value), # < 4)`:        "`values(value)[3]` is 4, not less than 4",
	} {
		t.Run(source, func(t *testing.T) {
			for range 20 {
				if got := Explain(t.Context(), source, given); got != want {
					t.Fatalf("got  %s\nwant %s", got, want)
				}
			}
		})
	}
}

func TestExplainInfinite(t *testing.T) {
	given := map[string]any{"value": map[string]any{"a": 1, "b": -1, "c": 0}}
	for source, want := range map[string]string{
		`value.a / 0 == 1`:       "`value.a / 0` is infinite, not 1",
		`value.b / 0 > 1`:        "`value.b / 0` is minus infinity, not more than 1",
		`value.c / 0 == 1`:       "`value.c / 0` is NaN, not 1",
		`value.a == value.a / 0`: "`value.a` is 1, not `value.a / 0` (infinite)",
	} {
		t.Run(source, func(t *testing.T) {
			if got := Explain(t.Context(), source, given); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// TestPresentTime checks that an evaluation sees one time, and its explanation the same.
func TestPresentTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := WithTime(context.Background(), time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
		for _, source := range []string{
			`NOW() == "2026-01-02T03:04:05Z"`, `abl.now() == NOW()`, `NOW_MS() == 1767323045000`, `now().Year() == 2026`, `now(timezone("UTC")).Hour() == 3`,
		} {
			if held, err := Holds(ctx, source, nil); !held || err != nil {
				t.Errorf("%s: %v %v", source, held, err)
			}
		}
		time.Sleep(time.Hour)
		const want = "`NOW()` is \"2026-01-02T03:04:05Z\", not \"a\""
		if got := Explain(ctx, `NOW() == "a"`, nil); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if v, err := Eval(context.Background(), "NOW()", nil); err != nil || v != "2000-01-01T01:00:00Z" {
			t.Errorf("without a time: %v %v", v, err)
		}
	})
}
