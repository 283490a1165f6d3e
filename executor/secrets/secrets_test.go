package secrets

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var values = map[string]string{
	"a word":                   "s3cr3t-token",
	"letters beyond ASCII":     "pässwörd ü€😀",
	"signs of markup":          `a"b\c/d<e>&f'g`,
	"escapes":                  "sp ace+plus=%41&amp;",
	"a number":                 "12345678",
	"lines":                    "line1\nline2\ttab",
	"a short word":             "abcd",
	"a line's end":             "ends-in-newline\n",
	"a path of Windows":        `C:\new\u0041\table`,
	"percent signs":            "50%25off%",
	"signs of base64":          "s3cr3t???>>>token~~~",
	"backslashes and brackets": `<<\\""\\<<""\\`,
}

var encodings = map[string]func(string) string{
	"raw":          func(s string) string { return s },
	"query":        url.QueryEscape,
	"path":         url.PathEscape,
	"lower query":  func(s string) string { return lowerEscapes(url.QueryEscape(s)) },
	"every byte":   func(s string) string { return "%" + strings.ReplaceAll(fmt.Sprintf("% X", s), " ", "%") },
	"json":         func(s string) string { b, _ := json.Marshal(s); return string(b) },
	"json in json": func(s string) string { b, _ := json.Marshal(s); b, _ = json.Marshal(string(b)); return string(b) },
	"json in json in json": func(s string) string {
		for range 3 {
			b, _ := json.Marshal(s)
			s = string(b)
		}
		return s
	},
	"json in json in a query": func(s string) string {
		b, _ := json.Marshal(s)
		b, _ = json.Marshal(string(b))
		return url.QueryEscape(string(b))
	},
	"json ascii":   asciiJSON,
	"json slashes": func(s string) string { b, _ := json.Marshal(s); return strings.ReplaceAll(string(b), "/", `\/`) },
	"quoted":       func(s string) string { return fmt.Sprintf("%q", s) },
	"html":         html.EscapeString,
	"misread":      latin1Misreading,
	"misread json": func(s string) string { return asciiJSON(latin1Misreading(s)) },
	"hex":          func(s string) string { return hex.EncodeToString([]byte(s)) },
	"HEX":          func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) },
	"base64":       func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"base64 raw":   func(s string) string { return base64.RawStdEncoding.EncodeToString([]byte(s)) },
	"base64 url":   func(s string) string { return base64.URLEncoding.EncodeToString([]byte(s)) },
	"basic 1":      func(s string) string { return base64.StdEncoding.EncodeToString([]byte("user:" + s)) },
	"basic 2":      func(s string) string { return base64.StdEncoding.EncodeToString([]byte("users:" + s)) },
	"basic 3":      func(s string) string { return base64.StdEncoding.EncodeToString([]byte("people:" + s + ":x")) },
	"base64 query": func(s string) string { return url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(s))) },
	"base64 json": func(s string) string {
		return strings.ReplaceAll(base64.StdEncoding.EncodeToString([]byte(s)), "/", `\/`)
	},
	"base64 lines": func(s string) string {
		text := base64.StdEncoding.EncodeToString([]byte("some text before it: " + s))
		var out strings.Builder
		for ; len(text) > 16; text = text[16:] {
			out.WriteString(text[:16] + "\n")
		}
		return out.String() + text
	},
	"base64 in lines of mail": func(s string) string {
		lines := slices.Collect(slices.Chunk([]byte(base64.StdEncoding.EncodeToString([]byte(s))), 16))
		return string(bytes.Join(lines, []byte("\r\n")))
	},
	"UPPER":                  func(s string) string { return ifLong(s, strings.ToUpper(s)) },
	"lower":                  func(s string) string { return ifLong(s, strings.ToLower(s)) },
	"byte array":             func(s string) string { return ifLong(s, numbers(s, "%d", ",")) },
	"byte array with blanks": func(s string) string { return ifLong(s, "["+numbers(s, "%d", ", ")+"]") },
	"byte array in lines":    func(s string) string { return ifLong(s, numbers(s, "%d", ",\r\n    ")) },
	"hex with colons":        func(s string) string { return ifLong(s, numbers(s, "%02x", ":")) },
	"HEX with blanks":        func(s string) string { return ifLong(s, numbers(s, "%02X", " ")) },
	"hex with hyphens":       func(s string) string { return ifLong(s, numbers(s, "%02x", "-")) },
	"hex of C":               func(s string) string { return ifLong(s, numbers(s, "0x%02x", ", ")) },
	"hex of Python":          func(s string) string { return ifLong(s, numbers(s, `\x%02x`, "")) },
	"as user":                func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s + ":")) },
}

// ifLong returns form for a long secret. For a short one, which is not searched for in that form,
// it returns s.
func ifLong(s, form string) string {
	if len(s) < longSecret {
		return s
	}
	return form
}

func numbers(s, format, between string) string {
	var out []string
	for _, b := range []byte(s) {
		out = append(out, fmt.Sprintf(format, b))
	}
	return strings.Join(out, between)
}

func lowerEscapes(s string) string {
	b := []byte(s)
	for i := range b {
		if b[i] == '%' {
			copy(b[i:], strings.ToLower(s[i:i+3]))
		}
	}
	return string(b)
}

func asciiJSON(s string) string {
	q := fmt.Sprintf("%+q", s)
	return strings.NewReplacer(`\U0001f600`, `\ud83d\ude00`).Replace(q)
}

func TestRedactor(t *testing.T) {
	for about, value := range values {
		t.Run(about, func(t *testing.T) {
			for name, encode := range encodings {
				t.Run(name, func(t *testing.T) {
					r := &Redactor{}
					r.Add("NAME", value)
					encoded := encode(value)
					for _, around := range [][2]string{{"", ""}, {"before ", " after"}, {`{"k": "`, `"}`}, {"?a=", "&b=1"}} {
						text := around[0] + encoded + around[1]
						got := r.String(text)
						if strings.Contains(got, encoded) || strings.Contains(got, value) {
							t.Errorf("%q as %s is left in %q", value, name, got)
						}
						if !strings.Contains(got, Mark("NAME")) {
							t.Errorf("%q as %s: no mark in %q", value, name, got)
						}
					}
					b, err := json.Marshal(map[string]any{"a": encoded, encoded: []any{encoded}})
					if err != nil {
						t.Fatal(err)
					}
					got := r.JSON(b)
					var back map[string]any
					if err := json.Unmarshal(got, &back); err != nil {
						t.Fatalf("%q as %s: %v in %s", value, name, err, got)
					}
					if s := fmt.Sprint(back); strings.Contains(s, encoded) || strings.Count(s, "••••") != 3 {
						t.Errorf("%q as %s is left in JSON: %s", value, name, got)
					}
				})
			}
		})
	}
}

// TestStream checks that a secret is found however the text is split, and that all other text
// arrives.
func TestStream(t *testing.T) {
	for about, value := range values {
		t.Run(about, func(t *testing.T) {
			for name, encode := range encodings {
				t.Run(name, func(t *testing.T) {
					text := "before: " + encode(value) + " :after " + strings.Repeat("x", 300) + " " + encode(value)
					for _, size := range []int{1, 7, 64} {
						r := &Redactor{}
						r.Add("NAME", value)
						s := &Stream{Redactor: r}
						var got strings.Builder
						for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
							got.WriteString(s.Write(rest[:min(size, len(rest))]))
						}
						got.WriteString(s.Rest())
						shown := got.String()
						if strings.Contains(shown, encode(value)) || strings.Contains(shown, value) || strings.Count(shown, Mark("NAME")) != 2 ||
							!strings.HasPrefix(shown, "before: ") || !strings.Contains(shown, " :after "+strings.Repeat("x", 300)) {
							t.Fatalf("%q as %s in pieces of %d: %q", value, name, size, shown)
						}
					}
				})
			}
		})
	}
	s := &Stream{Redactor: &Redactor{}}
	if got := s.Write("at once"); got != "at once" {
		t.Errorf("held back without a secret: %q", got)
	}
}

// TestStreamIsLive checks that text which cannot become a secret is returned at once, however long
// the secrets are.
func TestStreamIsLive(t *testing.T) {
	r := &Redactor{}
	r.Add("KEY", "ghp_"+strings.Repeat("0123456789abcdef", 100))
	r.Add("WORD", "🛫 secret words")
	s := &Stream{Redactor: r}
	for _, tt := range []struct{ piece, want string }{
		{"part 1 ", "part 1 "},
		{"{\"a\":1}\n", "{\"a\":1}\n"},
		{"two 🛫 ", "two "},
		{"birds, ", "🛫 birds, "},
		{"100%", "100"},
		{" of 2 &", "% of 2 "},
		{" \u65e5\u672c ", "& \u65e5\u672c "},
		{"🛫 secret wo", ""},
		{"rk. ", "🛫 secret work. "},
		{"a 🛫 secret words b ", "a " + Mark("WORD") + " b "},
	} {
		t.Run(tt.piece, func(t *testing.T) {
			if got := s.Write(tt.piece); got != tt.want {
				t.Errorf("%q: %q, want %q", tt.piece, got, tt.want)
			}
		})
	}
	if rest := s.Rest(); rest != "" {
		t.Errorf("%q is held back", rest)
	}
}

func TestRedactorLeavesTheRest(t *testing.T) {
	r := &Redactor{}
	r.Add("A", "secret-one")
	r.Add("B", "secret-one-and-more")
	r.Add("PIN", "123456")
	r.Add("EMPTY", "")
	for text, want := range map[string]string{
		"":                                       "",
		"nothing here, 100% + \\ & more;":        "nothing here, 100% + \\ & more;",
		"x secret-one y":                         "x ••••(A) y",
		"x secret-one-and-more y":                "x ••••(B) y",
		"secret-onesecret-one":                   "••••(A)••••(A)",
		"%zz%4 secret%2Done%":                    "%zz%4 ••••(A)%",
		"Basic dXNlcjpzZWNyZXQtb25lMQ==\nDone\n": "Basic ••••(A)\nDone\n",
		"?token=dXNlcjpzZWNyZXQtb25lMQ==&x=1":    "?token=••••(A)&x=1",
		"Basic dXNlcjpzZWNyZXQtb25l end":         "Basic ••••(A) end",
		"secret-one\nnext\nsecret-\none":         "••••(A)\nnext\n••••(A)",
		"secret-one\r\nnext\r\nsecret-\r\none":   "••••(A)\r\nnext\r\n••••(A)",
		"30\n31\n32\n33\n34\n35\n36\n37":         "30\n31\n32\n33\n34\n35\n36\n37", // bytes of the PIN
	} {
		t.Run(text, func(t *testing.T) {
			if got := r.String(text); got != want {
				t.Errorf("%q: got %q, want %q", text, got, want)
			}
		})
	}
	for raw, want := range map[string]string{
		`{"id": 10.50, "n":123456, "e":[1.0e400, -0.10]}`:  `{"id": 10.50, "n":"••••(PIN)", "e":[1.0e400, -0.10]}`,
		`[true,null,{"a":"b\u0041"}]`:                      `[true,null,{"a":"b\u0041"}]`,
		`"secret\u002done <&>"`:                            `"••••(A) <&>"`,
		`{"a":[1,115,101,99,114,101,116,45,111,110,101]}`:  `{"a":[1,"••••(A)"]}`,
		"[115 , 101,\n 99,114,101,116,45,111,110,101 ,2]":  "[\"••••(A)\" ,2]",
		`["\u0061",115,101,99,114,101,116,45,111,110,101]`: `["\u0061","••••(A)"]`,
		`["115,101,99,114,101,116,45,111,110,101"]`:        `["••••(A)"]`,
		`[115,101,99,114,101,116,45,111,110,1012]`:         `[115,101,99,114,101,116,45,111,110,1012]`,
		`[2115,101,99,114,101,116,45,111,110,101]`:         `[2115,101,99,114,101,116,45,111,110,101]`,
		`[49,50,51,52,53,54]`:                              `[49,50,51,52,53,54]`,
	} {
		t.Run(raw, func(t *testing.T) {
			if got := string(r.JSON(json.RawMessage(raw))); got != want {
				t.Errorf("%s: got %s, want %s", raw, got, want)
			}
		})
	}
}

// TestJSONAsAWhole checks that JSON without backslashes is redacted as a whole if possible, with
// the same outcome as token by token.
func TestJSONAsAWhole(t *testing.T) {
	r := &Redactor{}
	for name, value := range map[string]string{
		"WORD": "token-value", "NUMBER": "1234567", "LITERAL": "true", "SHORT": "ab", "QUOTED": `a","b`, "ODD\"NAME": "other value", "SPACE": "x y z w",
	} {
		r.Add(name, value)
	}
	parts := []any{
		"token-value", "x token-value y", "token%2Dvalue", "dG9rZW4tdmFsdWU=", "1234567", json.Number("1234567"), json.Number("812345670"), true, "true",
		"ab", "abc", "a", "b", "other value", "other+value", "x+y+z+w", "x&#32;y z w", nil, json.Number("1"), "%", "+&",
	}
	for range 5000 {
		doc := map[string]any{}
		for range rand.IntN(4) {
			key := fmt.Sprint(parts[rand.IntN(len(parts))])
			doc[key] = []any{parts[rand.IntN(len(parts))], parts[rand.IntN(len(parts))]}
		}
		raw, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		got, want := r.JSON(raw), r.tokens(string(raw))
		if string(got) != string(want) || !json.Valid(got) {
			t.Fatalf("%s (-want +got):\n%s", raw, cmp.Diff(string(want), string(got)))
		}
	}
}

func TestShortSecrets(t *testing.T) {
	r := &Redactor{}
	r.Add("S", "ab")
	r.Add("N", "42")
	for text, want := range map[string]string{
		"Bearer ab":         "Bearer ••••(S)",
		"ab,abc cab (ab)":   "••••(S),abc cab (••••(S))",
		"all about the lab": "all about the lab",
	} {
		t.Run(text, func(t *testing.T) {
			if got := r.String(text); got != want {
				t.Errorf("%q: got %q, want %q", text, got, want)
			}
		})
	}
	if got := string(r.JSON(json.RawMessage(`{"n":42,"s":"42"}`))); got != `{"n":42,"s":"••••(N)"}` {
		t.Error(got)
	}
}

func TestRedactorIsLinear(t *testing.T) {
	r := &Redactor{}
	r.Add("A", strings.Repeat("a", 30)+"b"+strings.Repeat("a", 30))
	for _, unit := range []string{"a", "%61", `\u0061`, "&#97;", "61", "YWFh"} {
		t.Run(unit, func(t *testing.T) {
			text := strings.Repeat(unit, 4<<20/len(unit))
			if got := r.String(text); got != text {
				t.Errorf("%s: changed", unit)
			}
		})
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ".env")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("A=file\nB=file\nC='two words'\nEMPTY=\n")
	env := map[string]string{"A": "env", "B": "env", "EMPTY": ""}
	providers := []Provider{
		Given{"A": "given"},
		Env(func(name string) (string, bool) { v, ok := env[name]; return v, ok }),
		Dotenv(path),
	}
	for name, want := range map[string]string{"A": "given", "B": "env", "C": "two words", "EMPTY": "", "D": ""} {
		t.Run(name, func(t *testing.T) {
			got, ok, err := Find(t.Context(), providers, name)
			if err != nil || got != want || ok != (want != "") {
				t.Errorf("%s: %q %v %v, want %q", name, got, ok, err, want)
			}
		})
	}

	write("\ufeffD=marked\n") // as editors on Windows write it
	if got, ok, err := Find(t.Context(), providers[2:], "D"); got != "marked" || !ok || err != nil {
		t.Errorf("behind a byte-order mark: %q %v %v", got, ok, err)
	}

	write("A=1\nthis is hunter2 !\n")
	if _, _, err := Find(t.Context(), providers[2:], "A"); err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), path) {
		t.Errorf("bad file: %v", err)
	}
	if _, ok, err := Find(t.Context(), []Provider{Dotenv(path + ".not"), Dotenv("")}, "A"); ok || err != nil {
		t.Errorf("no file: %v %v", ok, err)
	}
	if _, _, err := Find(t.Context(), []Provider{Dotenv(dir)}, "A"); err == nil {
		t.Error("a folder was read")
	}
}
