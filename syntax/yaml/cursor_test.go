package yaml

import (
	"fmt"
	"strings"
	"testing"
)

// showCursor returns a cursor in few words.
func showCursor(c Cursor) string {
	var b strings.Builder
	for _, s := range c.Path {
		if s.Index >= 0 {
			fmt.Fprintf(&b, "/%d", s.Index)
		} else {
			b.WriteString("/" + s.Key)
		}
	}
	for _, f := range []struct {
		is   bool
		name string
	}{{c.KeyAllowed, "key"}, {c.ValueAllowed, "value"}, {c.MissingDash, "dash"}, {c.Flow, "flow"}, {c.Quoted, "quoted"}} {
		if f.is {
			b.WriteString(" " + f.name)
		}
	}
	if c.Map != nil {
		b.WriteString(" of")
		for _, m := range c.Map.OwnMembers() {
			b.WriteString(" " + m.Key.Text)
		}
	}
	if !c.Word.Empty() {
		fmt.Fprintf(&b, " %q", c.Prefix)
	}
	return b.String()
}

func TestAt(t *testing.T) {
	const servers = "base_url: x\nservers:\n  a: {transport: http, url: y}\n"
	for _, tt := range []struct{ source, want string }{
		{"^", " key value"},
		{"ser^", ` key value "ser"`},
		{"ser^: 1", ` key of ser "ser"`},
		{"^a: 1\nb: 2", ` key of a b ""`},
		{"a: ^", "/a value"},
		{"a:^", "/a value"},
		{"a: x^y", `/a value "x"`},
		{"a: xy ^", ""},
		{"a: \"x^y\"", `/a value quoted "x"`},
		{"a: x # ^c", ""},
		{"a: x#^c", `/a value "x#"`},
		{servers + "^", " key of base_url servers"},
		{servers + "  ^", "/servers key of a"},
		{servers + "    ^", ""},
		{servers + "se^\n", ` key of base_url servers "se"`},
		{servers + "  b^\n", `/servers key of a "b"`},
		{servers + "\n\n  ^\nz: 1\n", "/servers key of a"},
		{"servers:\n  ^\n", "/servers key value"},
		{"servers:\n  ^\nz: 1\n", "/servers key value"},
		{"servers:\n  ^\n  a: 1\n", "/servers key of a"},
		{"servers:\n  x^\n", `/servers key value "x"`},
		{"servers:\n^\n  a: 1\n", " key of servers"},
		{"a: {b: ^, c: 1}", "/a/b value flow"},
		{"a: {b: 1, ^}", "/a key flow of b"},
		{"a: {^}", "/a key flow of"},
		{"a: {b: 1, c^}", `/a key flow of b c "c"`},
		{"a: {b: 1, ^\nd: 2", "/a key flow of b"},
		{"a: {b: 1, c^\nd: 2", `/a key flow of b c "c"`},
		{"a: {b: ^\nd: 2", "/a/b value flow"},
		{"a: {b: 1 ^}", "/a flow"},
		{"a: {b: 1}^", ""},
		{"a: {b: {c: [x, ^]}}", "/a/b/c/1 value flow"},
		{"a: [^]", "/a/0 value flow"},
		{"a: [x^, y]", `/a/0 value flow "x"`},
		{"a:\n  - ^\n", "/a/0 key value"},
		{"a:\n  - na^\n", `/a/0 key value "na"`},
		{"a:\n  - name: x\n    ^\n", "/a/0 key of name"},
		{"a:\n  - name: x\n  ^\n", "/a/1 key value dash"},
		{"a:\n  -\n    ^\n", "/a/0 key value"},
		{"a:\n  -\n    na^\n", `/a/0 key value "na"`},
		{"a:\n  -\n    ^\n    b: 1\n", "/a/0 key of b"},
		{"a:\n  -\n    na^\n    b: 1\n", `/a/0 key of b "na"`},
		{"a:\n  - &x # y\n\n    na^\n    b: 1\n  - c: 1\n", `/a/0 key of b "na"`},
		{"a:\n  - c: 1\n  - &x\n    na^\n    b: 1\n", `/a/1 key of b "na"`},
		{"a:\n  - c: 1\n    na^\n  -\n    b: 1\n", `/a/0 key of c "na"`},
		{"a:\n  -\n    -\n      ^\n      b: 1\n", "/a/0/0 key of b"},
		{"a:\n- name: x\n^\n", " key of a"},
		{"a:\n- name: x\n  ^", "/a/0 key of name"},
		{"a:\n  - name: x\n    args: {to: 1, ^}\n", "/a/0/args key flow of to"},
		{"a:\n  - name: x\n    args:\n      ^\n", "/a/0/args key value"},
		{"a:\n  - name: x\n    args:\n      to: 1\n      ^\n    expect: {}\n", "/a/0/args key of to"},
		{"a: |\n  tex^t\n", "/a"},
		{"a: |\n  text\n  ^\n", ""},
		{"a: 1\n---\nb: ^\n", "/b value"},
		{"a: 1\n---\n^\nb: 2\n", " key of b"},
		{"😀: {é: ^}\r\n", "/😀/é value flow"},
		{"\ufeff^a: 1\r\n", ` key of a ""`},
		{"a:\r\n  b: 1\r\n  ^\r\n", "/a key of b"},
		{"a: {\n  b: 1,\n  ^\n}\n", "/a key flow of b"},
		{"a: {\n  ^\n", "/a key flow of"},
		{"a: {\n  ^\nb: 1\n", "/a key flow of"},
		{"a: {\n^\nb: 1\n", " key of a b"},
		{"a: {b: 1,\n  ^\n", "/a key flow of b"},
		{"a: {b: 1\n  ^\n", "/a flow"},
		{"a: {\n  b: {\n    ^\n", "/a/b key flow of"},
		{"a: {\n  b: {\n  ^\n", "/a flow"},
		{"a:\n  - {\n    ^\n", "/a/0 key flow of"},
		{"a: [\n  ^\n", "/a/0 value flow"},
		{"a: { # b\n\n  # c\n  ^\n", "/a key flow of"},
		{"a: *x^\n", "/a"},
		{"a: b c^ d\n", `/a value "b c"`},
		{"  ^a: 1\n  b: 2", ` key of a b ""`},
	} {
		t.Run(tt.source, func(t *testing.T) {
			before, after, _ := strings.Cut(tt.source, "^")
			if got := showCursor(Parse(before + after).CursorAt(len(before))); got != tt.want {
				t.Errorf("%q: got %q, want %q", tt.source, got, tt.want)
			}
		})
	}
}

func FuzzAt(f *testing.F) {
	f.Add("a: {b: , c: [1, \"x\n  y\", *z]}\n- |\n  t\n\n? k\n: v\n---\n<<: &z {q: 'r'}\n", 5)
	f.Add("\ufeffa:\r\n  - b: 1\r\n    \r\n    c: >-\r\n      d\r\n", 12)
	f.Fuzz(func(t *testing.T, source string, offset int) {
		d := Parse(source)
		c := d.CursorAt(offset)
		offset = min(max(offset, 0), len(source))
		if (c.KeyAllowed || c.ValueAllowed) && (!c.Word.Touches(offset) || source[c.Word.Start:offset] != c.Prefix) {
			t.Errorf("%q at %d: %s is at %v", source, offset, showCursor(c), c.Word)
		}
	})
}
