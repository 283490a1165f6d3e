package yaml

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// show returns a tree on one line.
func show(n *Node) string {
	var b strings.Builder
	if n.Anchor != "" {
		fmt.Fprintf(&b, "&%s ", n.Anchor)
	}
	if n.Alias != "" {
		fmt.Fprintf(&b, "*%s=", n.Alias)
	}
	switch n.Kind {
	case Null:
		b.WriteString("~")
	case String:
		fmt.Fprintf(&b, "%q", n.Text)
	case List:
		b.WriteString("[")
		for i, item := range n.Items {
			b.WriteString(strings.Repeat(" ", min(i, 1)) + show(item))
		}
		b.WriteString("]")
	case Map:
		b.WriteString("{")
		for i, m := range n.Members {
			b.WriteString(strings.Repeat(" ", min(i, 1)))
			if m.Merged {
				b.WriteString("<")
			}
			b.WriteString(m.Key.Text)
			if m.Duplicate {
				b.WriteString("!")
			}
			b.WriteString(":" + show(m.Value))
		}
		b.WriteString("}")
	default:
		b.WriteString(n.Text)
	}
	if n.Incomplete {
		b.WriteString("…")
	}
	return b.String()
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{"", "~"},
		{"# nothing\n", "~"},
		{"a: 1\nb: two words # said\nc:\nd: \"q\"\n", `{a:1 b:"two words" c:~ d:"q"}`},
		{"a: 2026-06-01\nb: yes\nc: 1e3\nd: 0x1F\ne: 12345678901234567890123\nf: 10.50\ng: .inf\nh: True\ni: ~\n", `{a:"2026-06-01" b:"yes" c:1e3 d:0x1F e:12345678901234567890123 f:10.50 g:.inf h:True i:~}`},
		{"a:\n- x\n- y: 1\n  z: 2\n-\n- - p\n  - q\nb: 1\n", `{a:["x" {y:1 z:2} ~ ["p" "q"]] b:1}`},
		{"a: {b: , c: [1, x y, {d: 2}], \"e\":1,}\n", `{a:{b:~ c:[1 "x y" {d:2}] e:1}}`},
		{"a: {\n  b: 1,\n  c: 2\n}\nd: [\n  1\n]\n", `{a:{b:1 c:2} d:[1]}`},
		{"a: [b: 1, {c}]", `{a:[{b:1} {c:~}]}`},
		{"a: one\n  two\n\n  three\nb: x", `{a:"one two\nthree" b:"x"}`},
		{"a: [one\n  two, three]", `{a:["one two" "three"]}`},
		{"a: http://x:1/y?z=#a\nb: a:b\n", `{a:"http://x:1/y?z=#a" b:"a:b"}`},
		{"a: 'it''s'\nb: \"x\\n\\u00e9\\ty\"\nc: \"one\n  two\"\n", `{a:"it's" b:"x\né\ty" c:"one two"}`},
		{"a: |\n  foo\n\n    bar\n\nb: >-\n  x\n  y\n\n  z\nc: |+\n  k\n\nd: |2-\n    m\n", `{a:"foo\n\n  bar\n" b:"x y\nz" c:"k\n\n" d:"  m"}`},
		{"- |\n  # text\n  a: 1\n- b", `["# text\na: 1\n" "b"]`},
		{"a: >\n  x\n   y\n   z\n  w\n", `{a:"x\n y\n z\nw\n"}`},
		{"a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 1\nf: {<<: [*x, {g: 2}], b: 3}\n", `{a:&x {b:1} c:*x={b:1} d:{e:1 <b:1} f:{b:3 <g:2}}`},
		{"a: &x\n  b: 1\nc: !!str 1\nd: !own y\n&k e: *x\n", `{a:&x {b:1} c:"1" d:"y" e:*x={b:1}}`},
		{"? a\n: b\n? - c\n", `{a:"b" :~}`},
		{"a: 1\r\nb:\r\n  - c\r\n  - \"d\r\n    e\"\r\nf: |\r\n  g\r\n  h\r\n", `{a:1 b:["c" "d e"] f:"g\nh\n"}`},
		{"a: 1\rb: 2\r", `{a:1 b:2}`},
		{"\ufeffa: 1\nb: 2\n", `{a:1 b:2}`},
		{"😀: 日本\n\"😀\": {é: 'ü'}\n", `{😀:"日本" 😀!:{é:"ü"}}`},
		{"{\"a\": [1, true, null, \"x\"], \"b\": {}}", `{a:[1 true ~ "x"] b:{}}`},
		{"a: 1\na: 2\n", `{a:1 a!:2}`},
		{"text", `"text"`},
		{"- a\n#c\n- b\n", `["a" "b"]`},
		{"a:   \n\n  # c\n  b: 1\n", `{a:{b:1}}`},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.source), func(t *testing.T) {
			d := Parse(tt.source)
			if diff := cmp.Diff(tt.want, show(d.Root())); diff != "" || len(d.Faults()) > 0 {
				t.Errorf("%q: faults %v (-want +got):\n%s", tt.source, d.Faults(), diff)
			}
		})
	}
}

func TestDocuments(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{"a: 1\n---\nb: 2\n...\n", `{a:1} {b:2}`},
		{"%YAML 1.2\n---\na: |\n  x\n--- # c\n- y\n---\n", `{a:"x\n"} ["y"] ~`},
		{"a: &x 1\n---\n- [1\n---\nb: 1\n", `{a:&x 1} [[1]…] {b:1}`},
	} {
		t.Run(tt.source, func(t *testing.T) {
			var got []string
			for _, root := range Parse(tt.source).Roots() {
				got = append(got, show(root))
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("%q: got %s, want %s", tt.source, s, tt.want)
			}
		})
	}
}

// TestFaults: a line that is no YAML costs no more than itself.
func TestFaults(t *testing.T) {
	for _, tt := range []struct{ source, want, at string }{
		{"a:\n  b: 1\n  cc\n  d: 2\ne: 3\n", `{a:{b:1 d:2}… e:3}`, "cc"},
		{"a:\n  cc\n  d: 2\ne: 3\n", `{a:{d:2}… e:3}`, "cc"},
		{"cc\na: 1\n", `{a:1}…`, "cc"},
		{"a: 1\ncc\n  d: 1\nb: 2\n", `{a:1 b:2}…`, "cc"},
		{"a: {b: 1, c\nd: 2\n", `{a:{b:1 c:~}… d:2}`, "{"},
		{"a: {b: 1, \nd: 2\n", `{a:{b:1}… d:2}`, "{"},
		{"a:\n  - {b: [1, {c: 2\n  - e\n", `{a:[{b:[1 {c:2}…]…}… "e"]}`, "{"},
		{"a: {b: \"x, c: 1}\nd: 2\n", `{a:{b:"x, c: 1}"}… d:2}`, "\""},
		{"a:\n  b: 'x\n  c: y'\nd: 2\n", `{a:{b:"x" c:"y'"} d:2}`, "'"},
		{"a: [1, 2}\nb: 1\n", `{a:[1 2]… b:1}`, "}"},
		{"a: {b: [1}\nc: 1\n", `{a:{b:[1]…} c:1}`, "["},
		{"a: {b: 1 c: 2}\n", `{a:{b:1 c:2}}`, "c: 2}"},
		{"a: b: c\nd: 1\n", `{a:"b: c" d:1}`, ":"},
		{"a: - b\nc: 1\n", `{a:"- b" c:1}`, "- b"},
		{"a:\n\tb: 1\nc: 2\n", `{a:{b:1} c:2}`, "\t"},
		{"a:\n   b: 1\n  c: 2\nd: 1\n", `{a:{b:1} d:1}…`, "c: 2"},
		{"a: 1\n  b: 2\nd: 1\n", `{a:1 d:1}…`, "b: 2"},
		{"a: x\n- b\nd: 1\n", `{a:"x" d:1}…`, "- b"},
		{"a: *x\nb: 1\n", `{a:*x=~… b:1}`, "*x"},
		{"a: &x [*x]\n", `{a:&x [*x=~…]}`, "*x"},
		{"a: @x\n", `{a:"@x"}`, "@x"},
		{"a: \"x\" y\nb: 1\n", `{a:"x" b:1}`, "y"},
		{"a: | x\n  y\nb: 1\n", `{a:"y\n" b:1}`, "| x"},
		{"a: [1,, 2]\n", `{a:[1 2]}`, ","},
		{"a: [\"x\" \"y\"]\n", `{a:["x" "y"]}`, "\"y\"]"},
		{"a: {: 1}\n", `{a:{}}`, ":"},
		{"a: {b: 1}}\n", `{a:{b:1}}`, "}"},
	} {
		t.Run(tt.source, func(t *testing.T) {
			d := Parse(tt.source)
			got, at := show(d.Root()), ""
			if len(d.Faults()) > 0 {
				span := d.Faults()[0].Span
				at = tt.source[span.Start:span.End]
			}
			if at != tt.at || len(d.Faults()) > 1 {
				t.Errorf("%q: faults %v at %q, want %q", tt.source, d.Faults(), at, tt.at)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%q (-want +got):\n%s", tt.source, diff)
			}
		})
	}
}

// TestTooDeep: a key below the dash of its item has another message than one that is merely too
// deep.
func TestTooDeep(t *testing.T) {
	for source, want := range map[string]string{
		"# 🛫\nfind:\n  - name: x\n  args: {}\n":   "This line stands below the `-` of an item",
		"# 🛫\nfind:\n  - name: x\n   args: {}\n":  "This line is indented deeper",
		"# 🛫\nfind:\n  [x]\n  args: {}\n":         "This line is indented deeper",
		"# 🛫\r\nfind: x\n  args: {}\nlist: [1]\n": "This line is indented deeper",
	} {
		t.Run(source, func(t *testing.T) {
			if faults := Parse(source).Faults(); len(faults) != 1 || !strings.HasPrefix(faults[0].Message, want) {
				t.Errorf("%q: %v, want %q", source, faults, want)
			}
		})
	}
}

func TestSpans(t *testing.T) {
	const source = "a: &x \"b\" # c\n'k': {d: [e, f g]}\nl: |\n  m\n\n  n\n\no: p\n  q\nr:\ns: *x\n"
	var got []string
	var visit func(n *Node)
	visit = func(n *Node) {
		got = append(got, source[n.Span.Start:n.Span.End])
		for _, m := range n.Members {
			visit(m.Key)
			visit(m.Value)
		}
		for _, item := range n.Items {
			visit(item)
		}
	}
	d := Parse(source)
	visit(d.Root())
	want := []string{
		strings.TrimSuffix(source, "\n"), "a", `"b"`, "'k'", "{d: [e, f g]}", "d", "[e, f g]", "e", "f g",
		"l", "|\n  m\n\n  n", "o", "p\n  q", "r", "", "s", "*x",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c := d.Comments(); len(c) != 1 || source[c[0].Start:c[0].End] != "# c" {
		t.Errorf("comments: %v", c)
	}
	if inner := d.Root().Get("a").TextSpan(); source[inner.Start:inner.End] != "b" {
		t.Errorf("inside of quotes: %v", inner)
	}
}

// TestBounds: neither depth nor repetition costs more than the text.
func TestBounds(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := range 30 {
		fmt.Fprintf(&bomb, "a%d: &a%d [%s]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9))
	}
	for name, source := range map[string]string{
		"brackets": strings.Repeat("[", 100_000),
		"braces":   "a: " + strings.Repeat("{a: ", 100_000),
		"dashes":   strings.Repeat("- ", 100_000),
		"steps":    steps(2000),
		"keys":     strings.Repeat("a: 1\n", 100_000),
		"bomb":     bomb.String(),
		"quotes":   strings.Repeat("a: \"\n", 50_000),
		"open":     strings.Repeat("- {\n", 50_000),
		"texts":    strings.Repeat("a\n", 100_000),
	} {
		t.Run(name, func(t *testing.T) {
			if d := Parse(source); size(d.Root()) > 10*maxRepeated {
				t.Errorf("%s: %d nodes", name, size(d.Root()))
			}
		})
	}
}

// steps are maps in maps.
func steps(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func size(n *Node) int {
	all := 1
	for _, item := range n.Items {
		all += size(item)
	}
	for _, m := range n.Members {
		all += size(m.Key) + size(m.Value)
	}
	return all
}

// checkPlaces checks that the span of every node is inside the text and inside that of its parent.
func checkPlaces(t *testing.T, d *Document) {
	size := len(d.Lines().Text())
	var visit func(n *Node, in text.Span)
	visit = func(n *Node, in text.Span) {
		if n.Span.Start < in.Start || n.Span.End > in.End || n.Span.Start > n.Span.End {
			t.Errorf("%q: %s at %v is not inside %v", d.Lines().Text(), show(n), n.Span, in)
		}
		if inner := n.TextSpan(); inner.Start > inner.End || inner.End > n.Span.End {
			t.Errorf("%q: the inside of %v is %v", d.Lines().Text(), n.Span, inner)
		}
		if n.Alias != "" {
			return
		}
		for _, item := range n.Items {
			visit(item, n.Span)
		}
		for _, m := range n.OwnMembers() {
			visit(m.Key, n.Span)
			visit(m.Value, n.Span)
			if m.Colon >= 0 && (m.Colon < n.Span.Start || m.Colon >= n.Span.End || d.Lines().Text()[m.Colon] != ':') {
				t.Errorf("%q: the colon of %s is at %d", d.Lines().Text(), m.Key.Text, m.Colon)
			}
		}
	}
	for _, root := range d.Roots() {
		visit(root, text.Span{End: size})
	}
	for _, f := range d.Faults() {
		if f.Span.Start < 0 || f.Span.End > size || f.Span.Start > f.Span.End {
			t.Errorf("%q: fault at %v", d.Lines().Text(), f)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"a: {b: , c: [1, \"x\n  y\", *z]}\n- |\n  t\n? k\n: v\n---\n<<: &z {q: 'r'}\n",
		"\ufeffa:\r\n  - b: 1\r\n    c: >-\r\n      d\r\n",
		"a: &x !!str 1 # c\nb: *x\n😀: [日, {\"é\":1}]\n\tc: 1\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		checkPlaces(t, Parse(source))
	})
}
