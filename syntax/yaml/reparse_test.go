package yaml

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// reparseSeeds are texts in which an edit can change the reading of many lines.
var reparseSeeds = map[string]string{
	"a project file":           "# ✈️\nsources:\n  pg: {kind: postgres, password: \"${PG}\"}\n  lite: # 🛫\n    kind: sqlite\ntools:\n  a:\n    kind: wait\n    statement: |\n      SELECT 1\n\n      -- b:\n  b:\n    list:\n    - {x: 1}\n    - y: 'z\n        w'\n  c: >-\n    folded\n    text\ntoolsets: {all: [a, b]}\n",
	"documents":                "kind: tools\nname: a\ntype: wait\n---\nkind: sources\nname: b\n...\n---\n# c\nkind: tools\nname: c\nparameters:\n  - name: d\n    type: string\n",
	"CRLF and lines in quotes": "a: 1\r\nb:\r\n  c: 2\r\n  d: \"x\r\n\r\n    y\"\r\ne:\r\n- 1\r\n- 2\r\n",
	"broken":                   "\ufeffa: 1\nb:\n\tc: 2\n  d: {e: [\n  f: 3\ng: 'open\nh: i: j\n? k\n: l\n",
	"anchors":                  "a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 2\n",
	"merge keys and tags":      "d:\n  <<: {a: 1}\n  e: 2\n  a: 3\n  e: 4\nf:\n  !str g: 5\n  h: 6\n",
	"blocks of text":           "a: 1\n# c\n  # d\nb: |2\n   x\n  y\n\n\nc: >+\n  z\n\n\nd: 'x\n  y\n\n  z'\ne: [a,\n  b,\n c]\nf: {a: 1,\n  b: 2}\n",
	"directives":               "%YAML 1.2\n---\na: 1\nb: 2\n...\n%TAG ! x\n---\n- a\n- b: 1\n  c: 2\n- d\n",
	"lists of maps":            "agent: a\ntools:\n  - name: a # c\n    parameters:\n      - name: p\n        type: string\n  # d\n  - name: b\n    list:\n    - 1\n    -\n    - - x\n      - y\n  -\n    name: c\n  - |\n    d\n\n  - {e: 1}\ngather:\n- name: f\n- g\n",
	"CR alone":                 "tools:\r  a:\r    kind: wait\r  b:\r    x: |\r      y\r\r      z\r  c: 1\r",
}

var reparsePieces = []string{
	"", "\n", "  ", "x", "\"", "'", "[", "]", "{", "}", ":", ": ", "- ", "#", " # c\n", "|", "\t", "\r", "\r\n", "😀",
	"\n  z:\n    kind: wait\n", "\n---\n", "\n...\n", "&x ", "*x", "<<: {q: 1}\n", "\ufeff", "\n? k\n", "kind: tools\n",
	"%YAML 1.2\n", "--- |\n", "...\r\n", "!!str ", " |2\n", " >-\n", " |+\n", "  # c\r", "\n\n\n", "'\n", "\\", "[\n", "- - ", "\n: v",
}

// TestReparse: of a text that was edited the same is read as if it were new, edit
// after edit.
func TestReparse(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 60
	}
	for name, seed := range reparseSeeds {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(6, 1))
			for range rounds {
				d := Parse(seed)
				for range 8 {
					source := d.lines.Text()
					at := r.IntN(len(source) + 1)
					end := min(len(source), at+r.IntN(9)*r.IntN(3))
					piece := reparsePieces[r.IntN(len(reparsePieces))]
					d = checkReread(t, d, source[:at]+piece+source[end:])
				}
			}
		})
	}
}

func checkReread(t *testing.T, before *Document, source string) *Document {
	t.Helper()
	got, want := Reparse(before, text.NewLines(source)), Parse(source)
	for _, part := range []struct {
		name      string
		got, want any
	}{
		{"starts", got.starts, want.starts},
		{"faults", fmt.Sprint(got.faults), fmt.Sprint(want.faults)},
		{"comments", fmt.Sprint(got.comments), fmt.Sprint(want.comments)},
		{"roots", anew(got), anew(want)},
	} {
		if !reflect.DeepEqual(part.got, part.want) {
			t.Fatalf("%s of %q after %q:\ngot  %v\nwant %v", part.name, source, before.lines.Text(), part.got, part.want)
		}
	}
	return got
}

// TestReparseKeepsItems: of a list, only the item that an edit touches is read again.
func TestReparseKeepsItems(t *testing.T) {
	source := "tools:\n" + strings.Repeat("  - name: a\n    list: [b]\n    in: {c: d}\n", 9)
	at := len(source)/2 + strings.Index(source[len(source)/2:], "[b")
	before := Parse(source)
	after := Reparse(before, text.NewLines(source[:at+1]+"x"+source[at+1:]))
	old, now := before.Root().Get("tools").Items, after.Root().Get("tools").Items
	again := 0
	for i := range old {
		if old[i].Origin() != now[i].Origin() {
			again++
		}
	}
	if again != 1 || len(after.parts) != len(before.parts) {
		t.Errorf("%d items are read again; %d parts of %d", again, len(after.parts), len(before.parts))
	}
}

// anew returns the documents without the origins of their nodes.
func anew(d *Document) []*Node {
	var roots []*Node
	for _, root := range d.roots {
		root = Member{Value: root}.shift(0).Value
		for n := range all(root) {
			n.origin = nil
		}
		roots = append(roots, root)
	}
	return roots
}

// all yields a node and the nodes in it.
func all(n *Node) iter.Seq[*Node] {
	return func(yield func(*Node) bool) { each(n, yield) }
}

func each(n *Node, yield func(*Node) bool) bool {
	ok := yield(n)
	for _, item := range n.Items {
		ok = ok && each(item, yield)
	}
	for _, m := range n.Members {
		ok = ok && each(m.Key, yield) && each(m.Value, yield)
	}
	return ok
}

// TestReparseKeeps: what an edit does not touch is not read again.
func TestReparseKeeps(t *testing.T) {
	var b strings.Builder
	b.WriteString("tools:\n")
	for i := range 100 {
		fmt.Fprintf(&b, "  t%d:\n    kind: wait\n", i)
	}
	source := b.String()
	at := strings.Index(source, "t50:") + len("t50:\n    kind: wait")
	before := Parse(source)
	after := Reparse(before, text.NewLines(source[:at]+"x"+source[at:]))
	old, now := before.Root().Get("tools"), after.Root().Get("tools")
	for i := range 49 {
		if old.Members[i].Value != now.Members[i].Value {
			t.Fatalf("t%d is read again", i)
		}
		if old.Members[i+51].Value.Origin() != now.Members[i+51].Value.Origin() {
			t.Fatalf("t%d is read again", i+51)
		}
	}
	if w := now.Get("t50").Get("kind").Text; w != "waitx" || len(after.parts) != len(before.parts) {
		t.Errorf("%q, %d parts of %d", w, len(after.parts), len(before.parts))
	}
}

func FuzzReparse(f *testing.F) {
	for _, seed := range reparseSeeds {
		f.Add(seed, len(seed)/2, 3, "x")
	}
	f.Fuzz(func(t *testing.T, source string, at, length int, insert string) {
		if len(source) > 1<<12 || len(insert) > 1<<10 {
			t.Skip("bounded on purpose")
		}
		at = max(0, min(at, len(source)))
		end := min(len(source), at+max(0, length))
		after := checkReread(t, Parse(source), source[:at]+insert+source[end:])
		checkReread(t, after, source)
	})
}

// BenchmarkReparse types a letter in the middle of a text.
func BenchmarkReparse(b *testing.B) {
	source := "tools:\n" + strings.Repeat("  t:\n    kind: wait\n    description: Waits ⏳\n    parameters:\n      - {name: a, type: string}\n", 400)
	at := strings.Index(source[len(source)/2:], "kind: wait") + len(source)/2 + len("kind: wait")
	before, lines := Parse(source), text.NewLines(source[:at]+"x"+source[at:])
	for name, read := range map[string]func(){
		"anew":  func() { ParseLines(lines) },
		"again": func() { Reparse(before, lines) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				read()
			}
		})
	}
}
