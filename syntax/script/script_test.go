package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

func TestParse(t *testing.T) {
	for r, snippets := range map[Runtime][]snippet{Python: pythonSnippets, JavaScript: javaScriptSnippets} {
		t.Run(string(r), func(t *testing.T) {
			for _, s := range snippets {
				t.Run(fmt.Sprintf("%.40s", strings.Join(strings.Fields(s.body), " ")), func(t *testing.T) {
					f := Parse(r, s.body)
					switch {
					case (f == nil) != (s.at == ""):
						t.Errorf("%s %q: the fault is %v", r, s.body, f)
					case f == nil || s.at == placeless:
					case !strings.HasPrefix(s.body[f.Span.Start:], strings.TrimLeft(s.at, " ")) && !strings.HasPrefix(s.body[f.Span.Start:], s.at):
						t.Errorf("%s %q: %q is at %q", r, s.body, f.Message, s.body[f.Span.Start:])
					}
					if f != nil {
						checkFault(t, s.body, *f)
					}
				})
			}
		})
	}
}

func checkFault(t *testing.T, body string, f Fault) {
	t.Helper()
	if f.Span.Start < 0 || f.Span.End > len(body) || f.Span.Empty() {
		t.Errorf("%.60q: the span is %v", body, f.Span)
	}
	if !strings.HasSuffix(f.Message, ".") || len(f.Message) > 900 {
		t.Errorf("%.60q: the message is %q", body, f.Message)
	}
}

// TestPythonAgrees asks the real Python. ast.parse takes a body's `return`s, and
// below an `if` a body that is indented.
func TestPythonAgrees(t *testing.T) {
	agree(t, pythonSnippets, "python3", "-c", `
import ast, json, sys, warnings
warnings.simplefilter("ignore")
def fault(body):
    lines = [l for l in body.split("\n") if l.strip() and not l.strip().startswith("#")]
    indented = lines and lines[0][0] in " \t"
    try:
        tree = ast.parse(("if 1:\n" if indented else "") + body)
    except (SyntaxError, ValueError) as e:
        return str(e)
    return "goes on outside of the body" if indented and len(tree.body) > 1 else ""
if sys.version_info < (3, 11):
    sys.exit("is older than 3.11")
print(json.dumps([fault(body) for body in json.load(sys.stdin)]))
`)
}

// TestNodeAgrees asks Node, which compiles the body and does not run it.
func TestNodeAgrees(t *testing.T) {
	agree(t, javaScriptSnippets, "node", "-e", `
const AsyncFunction = (async () => {}).constructor;
const fault = body => { try { new AsyncFunction(body); return "" } catch (e) { return e.message } };
console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0)).map(fault)));
`)
}

func agree(t *testing.T, snippets []snippet, program string, args ...string) {
	t.Helper()
	program = testdeps.FindProgram(t, program)
	var bodies []string
	for _, s := range snippets {
		bodies = append(bodies, s.body)
	}
	input, err := json.Marshal(bodies)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.Output()
	exit := new(exec.ExitError)
	if errors.As(err, &exit) && bytes.Contains(exit.Stderr, []byte("is older than")) {
		t.Skipf("%s %s", program, exit.Stderr)
	}
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	var faults []string
	if err := json.Unmarshal(out, &faults); err != nil || len(faults) != len(snippets) {
		t.Fatalf("%s answered %q: %v", program, out, err)
	}
	for i, s := range snippets {
		if (faults[i] == "") != (s.at == "") {
			t.Errorf("%q: %s says %q, the table %q", s.body, program, faults[i], s.at)
		}
	}
}

func TestReturns(t *testing.T) {
	for _, tt := range []struct {
		runtime Runtime
		body    string
		want    string // the returns, each its keys or "?"; "no" where nothing is known
	}{
		{JavaScript, "", ""},
		{JavaScript, "x = 1", ""},
		{JavaScript, "return {a: 1, 'b': 2, \"c\": 3, d, 4: 5}", "[a b c d 4]"},
		{JavaScript, "return ({ /* x */ a: 1 });", "[a]"},
		{JavaScript, "return {}", "[]"},
		{JavaScript, "return {a, ...b}", "?"},
		{JavaScript, "return {['a']: 1}", "?"},
		{JavaScript, "return {a() {}}", "?"},
		{JavaScript, "return {'\\x61': 1}", "?"},
		{JavaScript, "return x", "?"},
		{JavaScript, "return", "?"},
		{JavaScript, "return a ? {b: 1} : {c: 1}", "?"},
		{JavaScript, "return a, {b: 1}", "?"},
		{JavaScript, "if (a) { return {b: 1} } else { try { return {c: 1} } finally { return d } }", "[b][c]?"},
		{JavaScript, "const f = () => { return x }; function g() { return y } return {a: xs.map(x => { return x })}", "[a]"},
		{JavaScript, "class A { f() { return 1 } static { } get g() { return 2 } } const o = {h() { return 3 }}; return {a: 1}", "[a]"},
		{JavaScript, "const f = function () { return x }, g = function* () { return y }; async function* h() { return z }", ""},
		{JavaScript, "return {a: 1", "no"},
		{Python, "return {'a': 1, \"b\": 2}", "[a b]"},
		{Python, "return dict(a=1)", "?"},
		{Python, "return {**x, 'a': 1}", "?"},
		{Python, "return {k: 1}", "?"},
		{Python, "return {f'{k}': 1}", "?"},
		{Python, "return {'a' 'b': 1}", "?"},
		{Python, "return {k: v for k, v in x}", "?"},
		{Python, "return {'a'}", "?"},
		{Python, "return ({'a': 1})", "[a]"},
		{Python, "return {'a': 1}, 2", "?"},
		{Python, "return {  # note\n  'a': 1,\n}", "[a]"},
		{Python, "def f():\n  return 1\nclass A:\n  def g(self):\n    return 2\nreturn {'a': lambda: 3}", "[a]"},
		{Python, "yield 1\nreturn {'a': 1}", "no"},
		{Python, "def f():\n  yield 1\nreturn {'a': 1}", "[a]"},
		{Python, "try:\n  return {'a': 1}\nfinally:\n  return", "[a]?"},
		{Python, "return {'a': 1", "no"},
		{Python, "  return {}", "[]"},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.body), func(t *testing.T) {
			returns, ok := Returns(tt.runtime, tt.body)
			got := ""
			for _, r := range returns {
				if !strings.HasPrefix(tt.body[r.Span.Start:r.Span.End], "return") {
					t.Errorf("%s %q: a return is at %q", tt.runtime, tt.body, tt.body[r.Span.Start:r.Span.End])
				}
				if !r.Literal {
					got += "?"
				} else {
					got += fmt.Sprint(r.Keys)
				}
			}
			if !ok {
				got = "no"
			}
			if got != tt.want {
				t.Errorf("%s %q: the returns are %q, not %q", tt.runtime, tt.body, got, tt.want)
			}
		})
	}
}

// TestHostile gives what would take a careless parser very long, or its stack.
func TestHostile(t *testing.T) {
	openers := []string{
		"(", "[", "{", "!", "-", "a?", "x=>", "if(x)", "new ", "`${", "a=>{", "((a,", "await ", "a=b,", "a.b", "({a:", "/*", "/", "'", "\"",
		"f'{", "f'{f\"{", "f'{x:{", "rf'''{", "lambda:", "not ", "if a:\n ", "a\\\n", "[x for x in ", "{{", "}", ")", "\\", "\t", "\n", "\x00", "é", "\r",
		"return {", "return {a:", "def f():\n", "try{", "a?.[", "class{static{", "match x:\n", ":", "elif a:\n", "@", "x = a b\n", "async(",
	}
	for _, r := range []Runtime{JavaScript, Python} {
		t.Run(string(r), func(t *testing.T) {
			for _, open := range openers {
				for _, size := range []int{MaxBytes, MaxBytes + 1} {
					body := strings.Repeat(open, size/len(open)+1)[:size]
					if f := Parse(r, body); f != nil {
						checkFault(t, body, *f)
					}
					Returns(r, body)
				}
			}
		})
	}
	deep := strings.Repeat("(", 5_000) + strings.Repeat(")", 5_000)
	if f := Parse(Python, deep); f != nil {
		t.Errorf("5,000 brackets: %v", f)
	}
	if f := Parse(JavaScript, "return "+strings.ReplaceAll(deep, "()", "(1)")); f != nil {
		t.Errorf("5,000 brackets: %v", f)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range slices.Concat(pythonSnippets, javaScriptSnippets) {
		f.Add(s.body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		for _, r := range []Runtime{JavaScript, Python} {
			fault := Parse(r, body)
			if fault != nil {
				checkFault(t, body, *fault)
			}
			returns, _ := Returns(r, body)
			for _, r := range returns {
				if whole := (text.Span{End: len(body)}); !whole.Touches(r.Span.End) || r.Span.Empty() {
					t.Errorf("%q: a return is at %v", body, r.Span)
				}
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for r, line := range map[Runtime]string{
		JavaScript: "const total = items.filter(i => i.price > 3).map(i => i.price * 1.2).reduce((a, b) => a + b, 0);\n",
		Python:     "total = sum(i['price'] * 1.2 for i in items if i.get('price', 0) > 3) + len(f'{items!r}')\n",
	} {
		body := strings.ReplaceAll(strings.Repeat(line, 200), "const ", "var ")
		b.Run(string(r), func(b *testing.B) {
			for b.Loop() {
				if f := Parse(r, body); f != nil {
					b.Fatal(f)
				}
			}
		})
		b.Run(string(r)+" returns", func(b *testing.B) {
			for b.Loop() {
				Returns(r, body)
			}
		})
	}
}
