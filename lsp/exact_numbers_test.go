package lsp

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestExactNumbers(t *testing.T) {
	const m = jsonMark
	for plain, marked := range map[string]string{
		`{"a":9007199254740993,"b":[10.50,-0,1e400]}`: `{"a":"` + m + `9007199254740993","b":["` + m + `10.50","` + m + `-0","` + m + `1e400"]}`,
		`[123456789012345,-12,0,true,false]`:          `[123456789012345,-12,0,true,false]`,
		`{"a":null,"null":[null,"null"]}`:             `{"a":"` + m + `null","null":["` + m + `null","null"]}`,
		`{"9007199254740993":"🛫 10.50 \" 1.5 \\"}`:    `{"9007199254740993":"🛫 10.50 \" 1.5 \\"}`,
		// A text that begins with the mark is marked itself, and a name never is.
		`["` + m + `5","\ue000{}"]`:           `["` + m + `\"` + m + `5\"","` + m + `\"\\ue000{}\""]`,
		`{"` + m + `5":1.5,"a":"1` + m + `"}`: `{"` + m + `5":"` + m + `1.5","a":"1` + m + `"}`,
	} {
		t.Run(plain, func(t *testing.T) {
			if got := string(markValues([]byte(plain))); got != marked {
				t.Errorf("%s is marked as %s", plain, got)
			}
			if got, err := restoreValues([]byte(marked)); string(got) != plain || err != nil {
				t.Errorf("%s stands for %s, %v", marked, got, err)
			}
		})
	}
	typed := `{"a":"\ue000[1, {\"b\": 2.50}]"}`
	if got, err := restoreValues([]byte(typed)); string(got) != `{"a":[1, {"b": 2.50}]}` || err != nil {
		t.Errorf("%s stands for %s, %v", typed, got, err)
	}
	for name, wrong := range map[string]string{
		"a word":  `["` + m + `no JSON"]`,
		"nothing": `["` + m + `"]`,
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := restoreValues([]byte(wrong)); err == nil {
				t.Errorf("%s stands for %s", wrong, got)
			}
		})
	}
}

// TestExactDepth checks that values nested more deeply than an editor reads become
// strings, too.
func TestExactDepth(t *testing.T) {
	list := func(inner string, levels int) string {
		return strings.Repeat("[", levels) + inner + strings.Repeat("]", levels)
	}
	const leaf = `{"a\"":[1.50,null,"🛫"]},true`
	for plain, marked := range map[string]string{
		list("1,2", maxNesting):                          list("1,2", maxNesting),
		`{"b":` + list(leaf, maxNesting-1) + `,"c":1.5}`: `{"b":` + list(`"`+jsonMark+`{\"a\\\"\":[1.50,null,\"🛫\"]}",true`, maxNesting-1) + `,"c":"` + jsonMark + `1.5"}`,
		list("", 9_000):                                  list(`"`+jsonMark+list("", 9_000-maxNesting)+`"`, maxNesting),
	} {
		t.Run(plain, func(t *testing.T) {
			if got := string(markValues([]byte(plain))); got != marked {
				t.Errorf("%s is marked as %s", plain, got)
			}
			if got, err := restoreValues([]byte(marked)); string(got) != plain || err != nil {
				t.Errorf("%s stands for %s, %v", marked, got, err)
			}
		})
	}
}

func FuzzExactNumbers(f *testing.F) {
	f.Add([]byte(`{"a": [9007199254740993, -0.0, "\"1.5"], "🛫": 1e5}`))
	f.Add([]byte(`{"\uE000": "\uE000\uE0005", "" : "\ue000"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return
		}
		marked := markValues(raw)
		if !json.Valid(marked) {
			t.Errorf("%s is marked as %s", raw, marked)
		}
		if got, err := restoreValues(marked); !bytes.Equal(got, raw) || err != nil {
			t.Errorf("%s comes back as %s, %v", raw, got, err)
		}
	})
}

// TestExactAllocations checks that marking the values of a long answer takes one piece of
// memory, whatever the number of values.
func TestExactAllocations(t *testing.T) {
	raw := largeAnswer()
	if got := testing.AllocsPerRun(1, func() { markValues(raw) }); got > 2 {
		t.Errorf("%.0f allocations", got)
	}
}
