package yaml

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	goccy "github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
)

// TestDifferential writes random texts and compares the values with those of goccy, if
// goccy accepts the text. It does not write what goccy reads otherwise than YAML 1.2:
// numbers like 1e3, 012 and 1_000 without a point, and spaces at the end of a text
// after |- or >-.
func TestDifferential(t *testing.T) {
	taken := 0
	for seed := range uint64(4000) {
		w := writer{rand.New(rand.NewPCG(seed, 7))}
		source := w.document()
		want, err := theirs(source)
		if err != nil {
			continue
		}
		taken++
		agree(t, source, want)
		if t.Failed() {
			return
		}
	}
	if taken < 1000 {
		t.Errorf("goccy takes %d texts only", taken)
	}
}

// differences are the files of the suite that we read otherwise, with the reason.
var differences = map[string]string{
	"allowed-characters-in-alias":                         "an alias ends before a colon at its end",
	"anchors-with-colon-in-name":                          "an alias ends before a colon at its end",
	"anchor-before-zero-indented-sequence":                "anchors and tags stand with their value",
	"node-anchor-and-tag-on-seperate-lines":               "anchors and tags stand with their value", //nolint:misspell // so it is called
	"node-and-mapping-key-anchors":                        "anchors and tags stand with their value",
	"spec-example-8-21-block-scalar-nodes":                "anchors and tags stand with their value",
	"various-combinations-of-tags-and-anchors":            "anchors and tags stand with their value",
	"colon-at-the-beginning-of-adjacent-flow-scalar":      "in brackets, a colon follows a key",
	"flow-mapping-edge-cases":                             "in brackets, a colon follows a key",
	"scalars-in-flow-start-with-syntax-char/00":           "in brackets, a colon follows a key",
	"spec-example-7-10-plain-characters":                  "in brackets, a colon follows a key",
	"multiline-plain-flow-mapping-key":                    "a key is on one line",
	"spec-example-7-20-single-pair-explicit-entry":        "a key is on one line",
	"spec-example-9-4-explicit-documents":                 "a key is on one line",
	"spec-example-6-28-non-specific-tags":                 "the tag `!` says nothing",
	"spec-example-9-3-bare-documents":                     "a line `...` ends the text unless `---` follows",
	"scalar-doc-with-in-content/01":                       "a line that begins with `...` ends a text in quotes",
	"tab-at-beginning-of-line-followed-by-a-flow-mapping": "tabs are reported wherever they indent",
	"tab-indented-top-flow":                               "tabs are reported wherever they indent",
	"tabs-that-look-like-indentation/00":                  "tabs are reported wherever they indent",
	"tabs-that-look-like-indentation/01":                  "no YAML, and its values are not those of the file",
	"tabs-that-look-like-indentation/06":                  "no YAML, and its values are not those of the file",
}

// agree compares our values of a text with those of another reader.
func agree(t *testing.T, source string, want []any) {
	t.Helper()
	if got, faults := ours(source); len(faults) > 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("%s (-want +got):\n%s\nfaults %+v", source, cmp.Diff(shown(want), shown(got)), faults)
	}
}

func ours(source string) (all []any, faults []Fault) {
	d := Parse(source)
	for _, root := range d.Roots() {
		all = append(all, valueOf(root))
	}
	return all, d.Faults()
}

func shown(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// theirs returns the values that goccy reads from the documents in a text.
func theirs(source string) (all []any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	d := goccy.NewDecoder(strings.NewReader(source))
	for {
		var v any
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, normal(v))
	}
}

// normal returns a value with numbers of one type.
func normal(v any) any {
	switch v := v.(type) {
	case []any:
		list := []any{}
		for _, item := range v {
			list = append(list, normal(item))
		}
		return list
	case map[string]any:
		out := map[string]any{}
		for k, item := range v {
			out[k] = normal(item)
		}
		return out
	case map[any]any:
		out := map[string]any{}
		for k, item := range v {
			out[fmt.Sprint(k)] = normal(item)
		}
		return out
	case uint64:
		return float64(v)
	case int64:
		return float64(v)
	}
	return v
}

// valueOf returns the value of a node in the form of normal.
func valueOf(n *Node) any {
	switch n.Kind {
	case Null:
		return nil
	case Bool:
		return strings.EqualFold(n.Text, "true")
	case Int, Float:
		return numberOf(n.Text)
	case List:
		list := []any{}
		for _, item := range n.Items {
			list = append(list, valueOf(item))
		}
		return list
	case Map:
		out := map[string]any{}
		for i := len(n.Members) - 1; i >= 0; i-- { // what is merged gives way
			out[n.Members[i].Key.Text] = valueOf(n.Members[i].Value)
		}
		return out
	}
	return n.Text
}

func numberOf(s string) any {
	if i, err := strconv.ParseInt(s, 0, 64); err == nil && strings.ContainsAny(s, "xo") {
		return float64(i)
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return f
}

// TestSuite reads the files of the YAML test suite that goccy's module brings.
func TestSuite(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/goccy/go-yaml").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	dir := filepath.Join(strings.TrimSpace(string(out)), "testdata", "yaml-test-suite")
	files, err := filepath.Glob(filepath.Join(dir, "*", "in.yaml"))
	if err != nil || len(files) == 0 {
		t.Skipf("no suite in %s", dir)
	}
	more, _ := filepath.Glob(filepath.Join(dir, "*", "*", "in.yaml"))
	for _, file := range append(files, more...) {
		name, _ := filepath.Rel(dir, filepath.Dir(file))
		name = filepath.ToSlash(name)
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, err := expected(filepath.Join(filepath.Dir(file), "in.json"))
			if err != nil {
				t.Skip("the suite gives no values")
			}
			if differences[name] == "" {
				agree(t, string(raw), want)
			} else if got, faults := ours(string(raw)); len(faults) == 0 && reflect.DeepEqual(got, want) {
				t.Error("there is no difference any more")
			}
		})
	}
}

// expected returns the values of a file. An empty file has one value, nil.
func expected(file string) (all []any, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d := json.NewDecoder(f)
	for {
		var v any
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			if all == nil {
				all = []any{nil}
			}
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
}

// writer writes documents at random.
type writer struct{ *rand.Rand }

func (w writer) document() string {
	var b strings.Builder
	if w.IntN(4) == 0 {
		b.WriteString("# head\n---\n")
	}
	b.WriteString("anchored: &a {k: 1, l: [x, y]}\n")
	w.block(&b, 0, 0)
	return b.String()
}

// block writes the members of a map at a column.
func (w writer) block(b *strings.Builder, column, depth int) {
	pad := strings.Repeat(" ", column)
	for i := range 1 + w.IntN(4) {
		w.noise(b)
		key := w.pick("key", "k 🚀", "'a b'", `"q"`, "x-y", "1a")
		if strings.HasSuffix(key, "'") || strings.HasSuffix(key, `"`) {
			key = key[:1] + strconv.Itoa(i) + key[1:]
		} else {
			key += strconv.Itoa(i)
		}
		b.WriteString(pad + key + ":")
		w.value(b, column, depth)
	}
}

// value writes a value after a colon or a dash, up to the line's end.
func (w writer) value(b *strings.Builder, column, depth int) {
	kind := w.IntN(9)
	if depth > 3 && kind < 3 {
		kind += 3
	}
	switch kind {
	case 0:
		b.WriteString(w.pick("", " ", " # why") + "\n")
		w.block(b, column+1+w.IntN(3), depth+1)
	case 1:
		b.WriteString("\n")
		w.items(b, column+w.IntN(3), depth+1)
	case 2:
		b.WriteString(" " + w.flow(0) + w.pick("", "  # why") + "\n")
	case 3:
		w.literal(b, column)
	case 4:
		pad := strings.Repeat(" ", column+1)
		b.WriteString(" " + w.pick("plain", `"double \u00e9`, "'single ''q") + "\n" + w.pick("", "\n") + pad + "  goes on")
		s := b.String()
		if at := s[strings.LastIndexByte(strings.TrimSpace(s), ':')+1:]; strings.Contains(at, `"`) {
			b.WriteString(`"`)
		} else if strings.Contains(at, "'") {
			b.WriteString("'")
		}
		b.WriteString("\n")
	case 5:
		b.WriteString(" *a\n")
	default:
		b.WriteString(" " + w.scalar() + w.pick("", "", " ", " # why") + "\n")
	}
}

func (w writer) items(b *strings.Builder, column, depth int) {
	pad := strings.Repeat(" ", column)
	for range 1 + w.IntN(3) {
		w.noise(b)
		switch w.IntN(3) {
		case 0:
			b.WriteString(pad + "- a: " + w.scalar() + "\n" + pad + "  b:")
			w.value(b, column+2, depth+1)
		case 1:
			b.WriteString(pad + "- - " + w.scalar() + "\n" + pad + "  - " + w.flow(1) + "\n")
		default:
			b.WriteString(pad + "-")
			w.value(b, column, depth+1)
		}
	}
}

// noise writes comments and blank lines.
func (w writer) noise(b *strings.Builder) {
	if w.IntN(6) == 0 {
		b.WriteString(w.pick("\n", "# said\n", "   # said: so\n"))
	}
}

// literal writes a block scalar.
func (w writer) literal(b *strings.Builder, column int) {
	indent := 1 + w.IntN(4)
	head := " " + w.pick("|", ">")
	more := w.pick("", "", strconv.Itoa(indent))
	head += w.pick(more, more+"-", more+"+", "-"+more, "+"+more)
	b.WriteString(head + w.pick("", " # why") + "\n")
	pad := strings.Repeat(" ", column+indent)
	b.WriteString(pad + w.pick("one", "# no comment", "- two", "k: v") + "\n")
	for range w.IntN(4) {
		b.WriteString(w.pick("\n", pad+"more\n", pad+"more # x\n", pad+"  deeper\n", pad+"\ttab\n"))
	}
	b.WriteString(w.pick("", "", "\n", "\n\n"))
}

func (w writer) flow(depth int) string {
	if depth > 2 {
		return w.word()
	}
	var parts []string
	for i := range w.IntN(4) {
		part := w.flow(depth + 1 + w.IntN(2))
		if depth%2 == 0 {
			part = w.pick("f", `"g"`, "'h'") + ": " + part
			part = w.renamed(part, i)
		}
		parts = append(parts, part)
	}
	inner := strings.Join(parts, w.pick(", ", ",", " , "))
	if depth%2 == 0 {
		return "{" + w.pick("", " ") + inner + w.pick("", " ") + "}"
	}
	return "[" + inner + w.pick("", " ") + "]"
}

func (w writer) renamed(part string, i int) string {
	quote := strings.IndexAny(part[:1], `"'`)
	return part[:quote+1] + strconv.Itoa(i) + part[quote+1:]
}

func (w writer) word() string {
	return w.pick("1", "-2.5", "true", "word", "two words", `"a, b"`, "'it''s'", "null", "~", `"\t\\ \"q\" \x41 🚀"`, "http://x.y/z", "a#b", "2026-06-01", "*a ")
}

func (w writer) scalar() string {
	return w.pick(w.word(), "a, b", "-x", "?y", "a [b]", "0o17", "0x1F", ".5", "+3", "yes", "No", "''", `""`, "12:30:45", "! x", "é", "&b anchored", "!!str 5", "10.50", "<<", "=")
}

func (w writer) pick(words ...string) string { return words[w.IntN(len(words))] }
