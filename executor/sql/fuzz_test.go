package sql

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/sqltext"
)

// FuzzPaste checks that, whatever a caller gives for a template parameter, the tokens around it are
// those that the author wrote.
func FuzzPaste(f *testing.F) {
	for _, v := range []string{"flights", `a"b`, "a'b", `\`, "]", "`", "a--", "/*", "$$", "a.b", "'x'", "\x00", "ü"} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v string) {
		for kind, d := range dialects {
			for _, escape := range append([]string{""}, d.escapes...) {
				templates, _ := json.Marshal(map[string]any{"v": map[string]string{"type": "string", "escape": escape}})
				if escape == "" {
					templates = []byte(`{"v": {"type": "string"}}`)
				}
				call := executor.Call{
					Tool:  &tool.Tool{Name: "t"},
					Scope: &template.Scope{Params: []string{"v"}, Args: map[string]any{"v": v}},
				}
				s, err := compose(d, call, &tool.SQL{Statement: "SELECT {{.v}} , 'end'", TemplateParameters: templates})
				if err != nil {
					continue
				}
				tokens := slices.DeleteFunc(d.lex(s.text), func(t token) bool { return t.shape == blank })
				n := len(tokens)
				if n < 4 || tokens[0].text != "SELECT" || tokens[n-1].text != "'end'" || tokens[n-2].text != "," {
					t.Errorf("%s, %q: %q becomes %q", kind, escape, v, s.text)
				}
				for _, one := range tokens[1 : n-2] {
					if one.shape == sign && one.text != "." || one.shape == mark || one.shape == filled {
						t.Errorf("%s, %q: %q becomes %q", kind, escape, v, s.text)
					}
				}
			}
		}
	})
}

// FuzzLex checks that the tokens of any statement are its whole text.
func FuzzLex(f *testing.F) {
	for _, s := range []string{"SELECT 'a' -- x\n, $1", "{{", "$a$ $b$", "/* /* */", "E'\\''", "[", "\xff?", "1.5INTO"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for kind, d := range dialects {
			var all strings.Builder
			for _, one := range d.lex(s) {
				if one.text == "" {
					t.Fatalf("%s: an empty token in %q", kind, s)
				}
				all.WriteString(one.text)
			}
			if all.String() != s {
				t.Errorf("%s: %q becomes %q", kind, s, all.String())
			}
		}
	})
}

// FuzzReads checks that a statement that is taken for read-only is so for each database, whatever
// that database reads as comments and quotes.
func FuzzReads(f *testing.F) {
	for _, s := range []string{
		"SELECT 1 #>'\n INTO t -- '", "SELECT 1 --\rINTO t", "SELECT 1 /* /* */ '*/ INTO t -- '", "SELECT @a('), 1 INTO t --'", "SELECT [a'] INTO t --'",
		"SELECT $a$'$a$ INTO t --'", "SELECT 1 #> \"'\" '\n INTO t -- '", `SELECT E'x'` + "\n" + `'\'' INTO t -- '`, "SELECT 1 --' INTO t", "SELECT ::a('), INTO --'",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !sqltext.OnlyReads(s) {
			return
		}
		for kind, d := range dialects {
			for _, w := range wordsOf(d.lex(s)) {
				if w == "INTO" || w == "DELETE" {
					t.Errorf("%s has %s in %q", kind, w, s)
				}
			}
		}
	})
}
