package foreign_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

func TestYAML(t *testing.T) {
	v := tool.Object{
		{Name: "kind", Value: "sqlite"},
		{Name: "a key", Value: []any{}},
		{Name: "list", Value: []any{"a", tool.Object{{Name: "x", Value: json.Number("1.50")}, {Name: "z", Value: "two\nlines"}}, []any{true, nil}}},
		{Name: "text", Value: "one\n  two\n\nthree\n"},
		{Name: "empty", Value: tool.Object{}},
	}
	const want = `kind: sqlite
a key: []
list:
  - a
  - x: 1.50
    z: |-
      two
      lines
  - - true
    - null
text: |
  one
    two

  three
empty: {}
`
	if diff := cmp.Diff(want, foreign.YAML(v)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzYAML checks that a text is read back unchanged when it is written as a value or as a key.
func FuzzYAML(f *testing.F) {
	for _, s := range []string{
		"", "a", "true", "No", "1", "1.0", "0x1", "2026-01-01", "~", "- a", "a: b", "a #b", "#", "'", `"`, "\\", "{}", "[a", "*a", "&a", "!t", "%x", "@x",
		"a\nb", "a\n", "\na", " a\nb", "a\n b\n", "a\n\n", "a \nb", "\ta\nb", "a\r\nb", "\x00", "\x7f", "\u0085", "\u2028", "\ufeff", "😀", "a\n---\nb", "---", "<<", "?", "a\n#b", "-", ":", ".inf", "=",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s = string([]rune(s)); s != string(json.RawMessage(s)) {
			return
		}
		written := foreign.YAML(tool.Object{{Name: "v", Value: s}, {Name: "list", Value: []any{s, tool.Object{{Name: "k", Value: s}}}}})
		doc := yaml.Parse(written)
		for _, fault := range doc.Faults() {
			t.Fatalf("%q: %s\n%s", s, fault.Message, written)
		}
		root := doc.Root()
		for _, n := range []*yaml.Node{root.Get("v"), root.Get("list").Items[0], root.Get("list").Items[1].Get("k")} {
			if n.Kind != yaml.String || n.Text != s {
				t.Fatalf("%q became %q\n%s", s, n.Text, written)
			}
		}
	})
}
