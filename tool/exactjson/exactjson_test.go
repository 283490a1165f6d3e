package exactjson

import (
	"encoding/json"
	"fmt"
	"testing"
)

// TestThereAndBack checks that decoding and encoding a text gives the same text.
func TestThereAndBack(t *testing.T) {
	for _, text := range []string{`{"a":[1,10.50,9007199254740993,"<b> & 🛫"],"c":null}`, `"\u2028"`, `-0`} {
		t.Run(text, func(t *testing.T) {
			v, err := Decode[any]([]byte(text))
			if got := string(EncodeOrNil(v)); err != nil || got != text {
				t.Errorf("%s: got %s, %v", text, got, err)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":            "",
		"an open object":     "{",
		"two values":         "1 2",
		"a bracket too many": "1 ]",
		"half a word":        "nul",
	} {
		t.Run(name, func(t *testing.T) {
			if v, err := Decode[any]([]byte(text)); err == nil {
				t.Errorf("%q is %v", text, v)
			}
		})
	}
	if raw := EncodeOrNil(func() {}); raw != nil {
		t.Errorf("a function is %s", raw)
	}
}

// TestAppend checks that Append appends the text that Encode returns.
func TestAppend(t *testing.T) {
	for _, v := range []any{
		nil, true, false, "", "plain <b> & text", "a \"quote\" and a \\", "line\n", "tab\t", "🛫 Hôtel", "\u2028", "\xff", "\x7f",
		json.Number("10.50"), []any{"a", nil}, map[string]any{"b": json.Number("1")},
	} {
		t.Run(fmt.Sprintf("%q", v), func(t *testing.T) {
			got, err := Append([]byte("["), v)
			if want := "[" + string(EncodeOrNil(v)); err != nil || string(got) != want {
				t.Errorf("got %s, %v, want %s", got, err, want)
			}
		})
	}
	if _, err := Append(nil, func() {}); err == nil {
		t.Error("a function was appended")
	}
}
