package indent

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestText checks that ordinary values are indented as encoding/json indents them.
func TestText(t *testing.T) {
	for name, raw := range map[string]string{
		"null":                      `null`,
		"a number":                  `1.50`,
		"a string":                  `"🧭"`,
		"an empty object":           `{}`,
		"an empty list":             `[]`,
		"an empty list with blanks": ` [ ] `,
		"an empty object within":    `{"a":{}}`,
		"empty ones within a list":  `[[],{},[{}]]`,
		"brackets in strings":       `{"a":"{[,:]}\"\\","b\"":[1,-2e+7,true]}`,
		"blanks and lines":          " {\"a\" : [ 1 ,\n2 ] , \"<b>\" : \"\u2028\" }\n",
		"nested deeply":             strings.Repeat("[", 80) + "1,2" + strings.Repeat("]", 80),
		"a long list":               "[" + strings.Repeat(`{"id":12345678,"tags":["one","two"]},`, 10_000) + "0]",
	} {
		t.Run(name, func(t *testing.T) {
			if got, want := Text([]byte(raw)), standard(t, raw); got != want {
				t.Errorf("%.80s (-want +got):\n%.2000s", raw, cmp.Diff(want, got))
			}
		})
	}
	for name, raw := range map[string]string{
		"nothing":          "",
		"an open object":   `{"a":`,
		"a comma too many": "[1,]",
		"an open string":   `"`,
	} {
		t.Run(name, func(t *testing.T) {
			if got := Text([]byte(raw)); got != raw {
				t.Errorf("%q has become %q", raw, got)
			}
		})
	}
}

// TestTextOfFiles checks the same for all JSON files of this repository.
func TestTextOfFiles(t *testing.T) {
	found, err := filepath.Glob("../../testdata/*/*/*.json")
	if err != nil || len(found) == 0 {
		t.Fatal(err, "no files")
	}
	for _, name := range found {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if json.Valid(raw) && Text(raw) != standard(t, strings.TrimSpace(string(raw))) {
			t.Error(name)
		}
	}
}

func standard(t *testing.T, raw string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(strings.TrimSpace(raw)), "", indentation); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestHostile checks that indenting makes no value much larger, and changes none.
func TestHostile(t *testing.T) {
	nested := func(open, inner, closing string, depth int) string {
		return strings.Repeat(open, depth) + inner + strings.Repeat(closing, depth)
	}
	wide := strings.TrimSuffix(strings.Repeat("1,", 20_000), ",")
	for name, raw := range map[string]string{
		"lists":     nested("[", "", "]", 9_000),
		"objects":   nested(`{"a":`, "1", "}", 9_000),
		"comb":      nested("[", wide, "]", 2_000),
		"staircase": nested("[1,2,3,4,5,6,7,8,9,0,", "1", "]", 2_000),
		"long keys": nested(`{"`+strings.Repeat("🧭", 100)+`":`, "1", "}", 1_000),
		"flat":      "[" + wide + "]",
		"many":      "[" + strings.Repeat(nested("[", "", "]", 100)+",", 500) + "1]",
	} {
		t.Run(name, func(t *testing.T) {
			got := Text([]byte(raw))
			if len(got) > 4*len(raw)+baseAllowance {
				t.Errorf("%s: %d bytes are %d", name, len(raw), len(got))
			}
			var back bytes.Buffer
			if err := json.Compact(&back, []byte(got)); err != nil || back.String() != raw {
				t.Errorf("%s is another value: %v", name, err)
			}
			if !strings.HasPrefix(got, raw[:strings.IndexAny(raw, "[{")+1]+"\n") {
				t.Errorf("%s: even the first level is in one line: %.40s", name, got)
			}
		})
	}
}

func TestEncode(t *testing.T) {
	var b bytes.Buffer
	long := strings.Repeat("<🧭>", chunkSize)
	if err := Encode(&b, []any{long, json.Number("1.50")}); err != nil || b.String() != "[\n  \""+long+"\",\n  1.50\n]\n" {
		t.Errorf("%v, %.40s", err, &b)
	}
	if err := Encode(&b, func() {}); err == nil {
		t.Error("a function is no JSON")
	}
	full := errors.New("full")
	if err := Encode(broken{full}, long); !errors.Is(err, full) {
		t.Error(err)
	}
}

type broken struct{ error }

func (b broken) Write([]byte) (int, error) { return 0, b.error }
