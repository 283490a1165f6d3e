package sandbox_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/sandbox"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
	"github.com/abl-lsp/abl-lsp/tool"
)

func TestMain(m *testing.M) {
	if code, served := sandbox.Main(os.Stdin, os.Stdout, os.Stderr); served {
		os.Exit(code)
	}
	code := m.Run()
	if err := shared().Close(); err != nil {
		panic(err)
	}
	os.RemoveAll(filepath.Dir(program()))
	os.Exit(code)
}

// shared holds the Runner of all tests that do not test waiting processes, because starting Python
// takes most of a test's time.
var shared = sync.OnceValue(func() *sandbox.Runner {
	return sandbox.New(sandbox.Options{CacheDir: cache, Program: program()})
})

// sharedRunner returns the shared Runner.
func sharedRunner(t *testing.T) *sandbox.Runner {
	t.Helper()
	built(t)
	return shared()
}

// program returns the path of testdata/program, which is built once.
var program = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "sandbox")
	if err != nil {
		panic(err)
	}
	path := filepath.Join(dir, "program.exe")
	if out, err := exec.Command("go", "build", "-o", path, "./testdata/program").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%v\n%s", err, out))
	}
	return path
})

// built skips a test if this program does not contain the WebAssembly.
func built(t testing.TB) {
	t.Helper()
	if _, err := os.Stat("wasm/javascript.saved.zst"); err != nil {
		testdeps.SkipOrFail(t, "executor/sandbox/wasm is empty")
	}
}

// cache is the folder that all tests share, because Python takes seconds to compile.
const cache = "../../.cache/abl-lsp"

// newRunner returns a Runner without waiting processes.
func newRunner(t testing.TB) *sandbox.Runner {
	t.Helper()
	built(t)
	r := sandbox.New(sandbox.Options{CacheDir: cache, Program: program()})
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// patient is the timeout of code in tests that do not test timeouts, since a busy machine is slow.
const patient = "60000"

// call describes a run of code. Its tool is in /x/a.tools.abl, and its code begins at line 8.
type call struct {
	runtime, code, args string
	timeout, memory     tool.Number
	change              func(*executor.Request)
}

func (c call) request() executor.Request {
	s := &tool.Sandbox{Runtime: c.runtime, Code: c.code, Timeout: cmp.Or(c.timeout, patient), MemoryMB: c.memory}
	for i := range strings.Count(c.code, "\n") + 1 {
		s.Lines = append(s.Lines, 8+i)
	}
	tl := &tool.Tool{
		Name: "it", Kind: tool.KindSandbox, Spec: s,
		Params: []tool.Param{
			{Name: "text", Type: &tool.Type{Name: "string"}, Optional: true},
			{Name: "n", Type: &tool.Type{Name: "number"}, Optional: true},
			{Name: "all", Optional: true},
		},
		Origin: tool.Origin{System: "abl", File: "/x/a.tools.abl", Line: 2},
	}
	r := executor.Request{Tool: tl, Args: json.RawMessage(c.args), Trusted: true}
	if c.change != nil {
		c.change(&r)
	}
	return r
}

func newExecutor(r executor.Runner) *executor.Executor {
	return executor.New(executor.Options{
		Runners:   map[tool.Kind]executor.Runner{tool.KindSandbox: r},
		LookupEnv: func(string) (string, bool) { return "", false },
	})
}

// do runs a call with a shared Runner.
func do(t *testing.T, r *sandbox.Runner, c call) executor.Envelope {
	t.Helper()
	return newExecutor(r).Run(t.Context(), c.request())
}

const (
	js = "javascript"
	py = "python"
)

func TestValues(t *testing.T) {
	r := sharedRunner(t)
	for _, tt := range []struct {
		name, runtime, code, args, want string
	}{
		{"parameters", js, "return text + n", `{"text": "a", "n": 1}`, `"a1"`},
		{"left out", js, "return [text === undefined, n === undefined]", ``, `[true,true]`},
		{"nothing", js, "", ``, ``},
		{"no return", js, "text", ``, `null`},
		{"await", js, "const x = await Promise.resolve(2); return x * 2", ``, `4`},
		{"jobs in turn", js, "let s = ''; const a = async (x) => { await 0; s += x }; await Promise.all([a(1), a(2)]); return s", ``, `"12"`},
		{"an id of 64 bits", js, "return [n, typeof n, all.deep[0]]", `{"n": 9223372036854775807, "all": {"deep": [-12345678901234567890]}}`, `[9223372036854775807,"bigint",-12345678901234567890]`},
		{"the last exact integer", js, "return n + 0", `{"n": 9007199254740991}`, `9007199254740991`},
		{"decimals", js, "return [n, n * 2]", `{"n": 10.50}`, `[10.5,21]`},
		{"a date", js, "return {at: new Date(0)}", ``, `{"at":"1970-01-01T00:00:00.000Z"}`},
		{"undefined inside", js, "return {a: undefined, b: [undefined]}", ``, `{"b":[null]}`},
		{"other characters", js, "return text + 'é😀\\u2028'", `{"text": "ü\"\\"}`, `"ü\"\\é😀\u2028"`},
		{"built-ins", js, "return [new Set([1,1]).size, [3,1,2].toSorted(), Object.groupBy([1,2], x => x % 2 ? 'odd' : 'even')]", ``, `[1,[1,2,3],{"odd":[1],"even":[2]}]`},
		{"its own names", js, "const job = 1, run = 2, host = 3; return [job, run, host, typeof hostPrint, typeof globalThis.run]", ``, `[1,2,3,"undefined","undefined"]`},
		{"its own promises", js, "Promise.prototype.then = () => { throw 1 }; return 1", ``, `1`},
		{"time zone", js, "return new Date(2026, 0, 1).toISOString()", ``, `"2026-01-01T00:00:00.000Z"`},
		{"no template", js, "return '{{secrets.KEY}} {{text}}'", ``, `"{{secrets.KEY}} {{text}}"`},
		{"comment at the end", js, "return 1 // done", ``, `1`},

		{"parameters", py, "return text + str(n)", `{"text": "a", "n": 1}`, `"a1"`},
		{"left out", py, "return [text is None, n is None]", ``, `[true,true]`},
		{"no return", py, "text", ``, `null`},
		{"comments alone", py, "# nothing", ``, `null`},
		{"exact integers", py, "return n * 10**20", `{"n": 12345678901234567890}`, `1234567890123456789000000000000000000000`},
		{"long integers", py, "return [n % 10, 10**5000 - 10**5000 + n]", `{"n": ` + strings.Repeat("7", 5000) + `}`, `[7,` + strings.Repeat("7", 5000) + `]`},
		{"decimals", py, "from decimal import Decimal\nreturn [n, Decimal('10.50'), 0.1 + 0.2]", `{"n": 10.50}`, `[10.5,10.50,0.30000000000000004]`},
		{"dates", py, "import datetime\nreturn [datetime.date(2026, 1, 2), datetime.datetime(2026, 1, 2, 3)]", ``, `["2026-01-02","2026-01-02T03:00:00"]`},
		{"tuples and keys", py, "return {1: (1, 2), 'a': {}}", ``, `{"1":[1,2],"a":{}}`},
		{"other characters", py, "return text + 'é😀'", `{"text": "ü\"\\"}`, `"ü\"\\é😀"`},
		{"text of several lines", py, "x = '''a\n  b\n'''\nreturn x", ``, `"a\n  b\n"`},
		{"standard library", py, "import re, json, math, datetime, statistics, collections, itertools, hashlib, random, uuid, base64, csv, html, textwrap, zoneinfo, unicodedata\nreturn statistics.mean([1, 2])", ``, `1.5`},
		{"sleep", py, "import time\nstart = time.monotonic()\ntime.sleep(0.02)\nreturn time.monotonic() - start >= 0.02", ``, `true`},
		{"closures", py, "def f(): return text\nreturn [f() for _ in range(2)]", `{"text": "a"}`, `["a","a"]`},
		{"a console of its own", py, "import sys\nsys.stdout = None\nreturn 1", ``, `1`},
		{"a console that fails", py, "import sys\nclass Out:\n  def flush(self): raise ValueError\nsys.stdout = Out()\nreturn 1", ``, `1`},
		{"its own JSON", py, "import functools, json\njson.dumps = functools.partial(json.dumps, indent=2)\nreturn {'a': [1]}", ``, `{"a":[1]}`},
		{"noise", py, "import os\nos.write(2, b'noise')\nreturn 1", ``, `1`},
		{"no environment", py, "import os, sys\nreturn [dict(os.environ), sys.argv]", ``, `[{},["-c"]]`},
	} {
		t.Run(tt.runtime+"/"+tt.name, func(t *testing.T) {
			t.Parallel()
			e := do(t, r, call{runtime: tt.runtime, code: tt.code, args: tt.args})
			switch {
			case tt.want == "" && e.OK:
				t.Errorf("value %s, want an error", e.Value)
			case tt.want != "" && !e.OK:
				t.Errorf("%s: %s", e.Error.Kind, e.Error.Message)
			case tt.want != "" && !same(e.Value, tt.want):
				t.Errorf("value %s, want %s", e.Value, tt.want)
			}
		})
	}
}

// same reports whether two JSON texts are equal, numbers digit by digit.
func same(got json.RawMessage, want string) bool {
	return canonical(string(got)) == canonical(want)
}

func canonical(text string) string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err.Error()
	}
	b, _ := json.Marshal(v) // it came from JSON
	return string(b)
}

func TestIntl(t *testing.T) {
	r := sharedRunner(t)
	for name, tt := range map[string][2]string{
		"dollars":             {"new Intl.NumberFormat('en-US', {style: 'currency', currency: 'USD'}).format(1234.5)", "$1,234.50"},
		"euros":               {"new Intl.NumberFormat('de-DE', {style: 'currency', currency: 'EUR'}).format(1234.5)", "1.234,50\u00a0€"},
		"yen":                 {"new Intl.NumberFormat('ja-JP', {style: 'currency', currency: 'JPY'}).format(1234)", "￥1,234"},
		"compact":             {"new Intl.NumberFormat('en', {notation: 'compact'}).format(12345)", "12K"},
		"blanks of French":    {"(1234567.891).toLocaleString('fr')", "1\u202f234\u202f567,891"},
		"a long date":         {"new Intl.DateTimeFormat('es', {dateStyle: 'long'}).format(new Date(0))", "1 de enero de 1970"},
		"a weekday in Tokyo":  {"new Date(0).toLocaleDateString('en-US', {timeZone: 'Asia/Tokyo', weekday: 'long'})", "Thursday"},
		"a time in New York":  {"new Intl.DateTimeFormat('en-GB', {timeStyle: 'short', timeZone: 'America/New_York'}).format(new Date(0))", "19:00"},
		"a plural":            {"new Intl.PluralRules('en').select(1)", "one"},
		"a canonical name":    {"Intl.getCanonicalLocales('EN-us')[0]", "en-US"},
		"an unknown language": {"new Intl.NumberFormat('xx').resolvedOptions().locale", "en"},
	} {
		t.Run(name, func(t *testing.T) {
			e := do(t, r, call{runtime: js, code: "return " + tt[0]})
			if want := strconv.Quote(tt[1]); !e.OK || !same(e.Value, want) {
				t.Errorf("%s: %s %+v, want %s", tt[0], e.Value, e.Error, want)
			}
		})
	}
}

// TestFresh checks that a run sees nothing of the previous one.
func TestFresh(t *testing.T) {
	r := sharedRunner(t)
	for _, tt := range []call{
		{runtime: js, code: "const old = globalThis.left; globalThis.left = 1; Array.prototype.left = 2; return [old ?? null, ([]).left ?? null]"},
		{runtime: py, code: "import builtins, sys\nold = [getattr(builtins, 'left', None), 'left' in sys.modules]\nbuiltins.left = 1\nsys.modules['left'] = sys\nreturn old"},
	} {
		t.Run(tt.runtime, func(t *testing.T) {
			first := do(t, r, tt)
			second := do(t, r, tt)
			if !first.OK || string(first.Value) != string(second.Value) {
				t.Errorf("%s: %s, then %s (%+v)", tt.runtime, first.Value, second.Value, first.Error)
			}
		})
	}
	a, b := do(t, r, call{runtime: js, code: "return Math.random()"}), do(t, r, call{runtime: js, code: "return Math.random()"})
	if !a.OK || string(a.Value) == string(b.Value) {
		t.Errorf("two runs have the same random number %s", a.Value)
	}
}

func TestConsole(t *testing.T) {
	r := sharedRunner(t)
	for _, tt := range []struct{ runtime, code, want string }{
		{js, "console.log('a', 1, {b: [2n]}, null, undefined); console.error(new TypeError('x')); console.warn(); console.info(() => 1)", "a 1 {\"b\":[\"2n\"]} null undefined\nTypeError: x\n\n[function ]\n"},
		{js, "console.log('before'); throw 1", "before\n"},
		{py, "import sys\nprint('a', 1)\nprint('b', file=sys.stderr)\nprint('ü', end='')", "a 1\nb\nü"},
		{py, "import sys\nsys.stdout.close()", ""},
		{py, "print('before')\nraise ValueError", "before\n"},
		{py, "import os\nprint('a')\nos.write(1, b'b')\nos.write(2, b'noise')", "a\nb"},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.code), func(t *testing.T) {
			if e := do(t, r, call{runtime: tt.runtime, code: tt.code}); e.Console != tt.want {
				t.Errorf("%s\nconsole %q, want %q; %+v", tt.code, e.Console, tt.want, e.Error)
			}
		})
	}
}

// TestToolResult checks that code in both languages may return a ToolResult of Corail.
func TestToolResult(t *testing.T) {
	r := sharedRunner(t)
	for runtime, code := range map[string]string{
		js: `return {success: true, output: '{"columns": ["🧭"], "rows": [[1]]}', render: "table", props: {a: 1}}`,
		py: `return {"success": True, "output": '{"columns": ["🧭"], "rows": [[1]]}', "render": "table", "props": {"a": 1}}`,
	} {
		t.Run(runtime, func(t *testing.T) {
			e := do(t, r, call{runtime: runtime, code: code})
			if string(e.Value) != `{"columns": ["🧭"], "rows": [[1]]}` || e.Render == nil || e.Render.Kind != "table" || len(e.Render.Props) < 5 {
				t.Errorf("%s: %s %+v %+v", runtime, e.Value, e.Render, e.Error)
			}
		})
	}
}

func TestContext(t *testing.T) {
	r := sharedRunner(t)
	e := do(t, r, call{runtime: py, code: "return [user, lang, text]", args: `{"text": "own"}`, change: func(q *executor.Request) {
		q.Tool.ContextAccess = &tool.ContextAccess{Read: []string{"user.name", "user.address.city", "lang", "text.x"}}
		q.Session = json.RawMessage(`{"user": {"name": "Ada", "age": 3, "address": {"city": "Paris"}}, "lang": "fr", "text": {"x": 1}}`)
	}})
	if want := `[{"name": "Ada", "address": {"city": "Paris"}}, "fr", "own"]`; !e.OK || !same(e.Value, want) {
		t.Errorf("%s %+v, want %s", e.Value, e.Error, want)
	}
}

func TestPreview(t *testing.T) {
	r := sandbox.New(sandbox.Options{})
	q := call{runtime: py, code: "return n", args: `{"n": 10.50}`, timeout: "2000"}.request()
	q.Trusted = false
	e := newExecutor(r).Preview(t.Context(), q)
	want := `{"runtime": "python", "engine": "wasm", "timeout_ms": 2000, "memory_mb": 128, "code": "return n", "arguments": {"n": 10.50}}`
	if !e.OK || !same(e.Value, want) {
		t.Errorf("%s %+v, want %s", e.Value, e.Error, want)
	}
}

// TestSlowStart checks that a person is told about a slow start, that the time of the code begins
// after it, and what is cached for the next time.
func TestSlowStart(t *testing.T) {
	built(t)
	dir := t.TempDir() + "/cache"
	r := sandbox.New(sandbox.Options{CacheDir: dir, Program: program()})
	defer r.Close()
	var messages []string
	c := call{runtime: js, code: "return 1", timeout: "2000", change: func(q *executor.Request) {
		q.Report = func(p executor.Progress) { messages = append(messages, p.Message) }
	}}
	if e := do(t, r, c); !e.OK {
		t.Fatalf("%+v", e.Error)
	}
	t.Logf("told %q", messages) // a fast machine has nothing to tell
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		t.Fatalf("nothing was kept: %v", err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read what was compiled: %v %v", info.Mode(), err)
	}
}

// TestAtOnce checks that concurrent runs do not affect each other.
func TestAtOnce(t *testing.T) {
	r := sharedRunner(t)
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			want := strconv.Itoa(n)
			e := newExecutor(r).Run(t.Context(), call{runtime: js, code: "console.log(n); return n", args: `{"n": ` + want + `}`}.request())
			if !e.OK || string(e.Value) != want || e.Console != want+"\n" {
				t.Errorf("run %d: %s, console %q, %+v", n, e.Value, e.Console, e.Error)
			}
		})
	}
	wait.Wait()
}

// TestAgentsTime checks that the agent's tool_timeout applies if the tool sets no timeout, and
// that it also begins with the code.
func TestAgentsTime(t *testing.T) {
	x := newExecutor(sharedRunner(t))
	for name, tt := range map[string]struct {
		own  tool.Number
		want string
	}{
		"of the agent": {"", "the code ran for more than 20ms (EXECUTION.tool_timeout)"},
		"of the tool":  {"300", "the code ran for more than 300ms (timeout)"},
	} {
		t.Run(name, func(t *testing.T) {
			q := call{runtime: js, code: "while (true);"}.request()
			q.Tool.Spec.(*tool.Sandbox).Timeout = tt.own
			q.ToolTimeout = 20 * time.Millisecond
			if e := x.Run(t.Context(), q); e.OK || e.Error.Kind != executor.KindTimeout || e.Error.Message != tt.want {
				t.Errorf("%q: %+v", tt.own, e.Error)
			}
		})
	}
}

// TestWaits checks that there are no more concurrent runs than allowed, and that others wait.
func TestWaits(t *testing.T) {
	built(t)
	r := sandbox.New(sandbox.Options{CacheDir: cache, Program: program(), MaxRuns: 1})
	defer r.Close()
	x := newExecutor(r)
	waiting := make(chan struct{}, 2)
	first, stop := context.WithCancel(t.Context())
	defer stop()
	done := make(chan executor.Envelope, 3)
	go func() { done <- x.Run(first, call{runtime: js, code: "while (true);"}.request()) }()
	for r.Running() == 0 {
		time.Sleep(time.Millisecond)
	}
	second, give := context.WithCancel(t.Context())
	defer give()
	tell := func(q *executor.Request) {
		q.Report = func(p executor.Progress) {
			if strings.HasPrefix(p.Message, "Waiting") {
				waiting <- struct{}{}
			}
		}
	}
	go func() { done <- x.Run(second, call{runtime: js, code: "return 2", change: tell}.request()) }()
	<-waiting
	give()
	if e := <-done; e.OK || e.Error.Code != "cancelled" {
		t.Errorf("the one that waits: %s %+v", e.Value, e.Error)
	}
	go func() { done <- x.Run(t.Context(), call{runtime: js, code: "return 3", change: tell}.request()) }()
	<-waiting
	stop()
	if e := <-done; e.OK || e.Error.Code != "cancelled" {
		t.Errorf("the first one: %s %+v", e.Value, e.Error)
	}
	if e := <-done; !e.OK {
		t.Errorf("the last one: %+v", e.Error)
	}
}

// TestDigest checks that a confirmation covers the engine.
func TestDigest(t *testing.T) {
	r := sandbox.New(sandbox.Options{})
	digest := func(engine string) string {
		e := newExecutor(r).Run(t.Context(), call{runtime: py, code: "return 1", change: func(q *executor.Request) {
			q.Tool.Confirmation = &tool.Confirmation{Require: "always"}
			q.Environment.SandboxEngine = engine
		}}.request())
		if e.Needs == nil || e.Needs.Confirmation == nil {
			t.Fatalf("%+v", e)
		}
		return e.Needs.Confirmation.Digest
	}
	if digest("") != digest(executor.EngineWASM) || digest("") == digest(executor.EngineGVisor) {
		t.Error("it does not, or names more than that")
	}
}

func TestCancel(t *testing.T) {
	r := sharedRunner(t)
	for _, runtime := range []string{js, py} {
		t.Run(runtime, func(t *testing.T) {
			endless := map[string]string{js: "console.log(1); while (true);", py: "print(1)\nwhile True: pass"}
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan executor.Envelope, 1)
			go func() {
				done <- newExecutor(r).Run(ctx, call{runtime: runtime, code: endless[runtime], timeout: "60000"}.request())
			}()
			time.Sleep(50 * time.Millisecond) // somewhere on its way; each moment must do
			cancel()
			if e := <-done; e.OK || e.Error.Code != "cancelled" {
				t.Errorf("%s: %+v", runtime, e.Error)
			}
		})
	}
}

// TestNames checks that the program and the runtimes accept the same names of variables.
func TestNames(t *testing.T) {
	r := sharedRunner(t)
	names := strings.Fields(`a a1 1a _ $ a$ a-b a.b ñ 日本 a‿b 🛫 let static yield of async await switch case enum class
		def lambda from match type print None null undefined self this arguments eval import in is __debug__ __proto__ true True`)
	for runtime, code := range map[string]string{
		js: "const F = (async () => {}).constructor; return names.filter((n) => { try { F(n, ''); return true } catch { return false } })",
		py: "def f(n):\n  try:\n    compile(f'def _({n}): pass', '', 'exec')\n    return True\n  except SyntaxError:\n    return False\nreturn [n for n in names if f(n)]",
	} {
		t.Run(runtime, func(t *testing.T) {
			s := &tool.Sandbox{Runtime: runtime}
			can := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !s.CanName(name) })
			given, _ := json.Marshal(map[string]any{"names": names})
			e := do(t, r, call{runtime: runtime, code: code, args: string(given), change: func(q *executor.Request) {
				q.Tool.Params = []tool.Param{{Name: "names"}}
			}})
			if want, _ := json.Marshal(can); string(e.Value) != string(want) {
				t.Errorf("%s takes %s, %+v, not %s", runtime, e.Value, e.Error, want)
			}
		})
	}
}

// TestParameters checks which variables the code has.
func TestParameters(t *testing.T) {
	r := sharedRunner(t)
	with := func(names ...string) func(*executor.Request) {
		return func(q *executor.Request) {
			q.Tool.Params = nil
			for _, name := range names {
				q.Tool.Params = append(q.Tool.Params, tool.Param{Name: name, Optional: true})
			}
		}
	}
	withInputSchema := func(schema string) func(*executor.Request) {
		return func(q *executor.Request) { q.Tool.Params, q.Tool.InputSchema = nil, json.RawMessage(schema) }
	}
	for name, tt := range map[string]struct {
		call call
		want string // of the value, or a part of the message
	}{
		"JavaScript, the whole input":            {call{runtime: js, code: "return input", args: `"free"`, change: with()}, `"free"`},
		"Python, the whole input":                {call{runtime: py, code: "return input", args: `"free"`, change: with()}, `"free"`},
		"Python, no input":                       {call{runtime: py, code: "return input", change: with()}, `null`},
		"JavaScript, list":                       {call{runtime: js, code: "return list", args: `{"list": "a"}`, change: with("list")}, `"a"`},
		"Python, list":                           {call{runtime: py, code: "return list", args: `{"list": "a"}`, change: with("list")}, `"a"`},
		"Python, switch":                         {call{runtime: py, code: "return switch", args: `{"switch": "a"}`, change: with("switch")}, `"a"`},
		"JavaScript, switch":                     {call{runtime: js, code: "return 1", args: `{"switch": "a"}`, change: with("switch")}, "switch: a variable of JavaScript cannot be called that"},
		"Python, from":                           {call{runtime: py, code: "return 1", args: `{"from": "a"}`, change: with("from")}, "from: a variable of Python cannot be called that"},
		"JavaScript, constructor and __proto__":  {call{runtime: js, code: "return [constructor, __proto__]", change: with("constructor", "__proto__")}, `[null,null]`},
		"JavaScript, a value of __proto__":       {call{runtime: js, code: "return __proto__", args: `{"__proto__": {"__proto__": 12345678901234567890}}`, change: with("__proto__")}, `{"__proto__":12345678901234567890}`},
		"JavaScript, arguments":                  {call{runtime: js, code: "return arguments", args: `{"arguments": 1}`, change: with("arguments")}, `1`},
		"JavaScript, a dash":                     {call{runtime: js, code: "return 1", args: `{"a-b": 1}`, change: with("a-b")}, "a-b: a variable of JavaScript cannot be called that"},
		"JavaScript, an assignment":              {call{runtime: js, code: "return 1", args: `{"a = 1": 1}`, change: with("a = 1")}, "a = 1: a variable of JavaScript cannot be called that"},
		"JavaScript, a spread":                   {call{runtime: js, code: "return 1", args: `{"...a": 1}`, change: with("...a")}, "...a: a variable of JavaScript cannot be called that"},
		"Python, a dash":                         {call{runtime: py, code: "return 1", args: `{"a-b": 1}`, change: with("a-b")}, "a-b: a variable of Python cannot be called that"},
		"Python, __debug__":                      {call{runtime: py, code: "return 1", args: `{"__debug__": 1}`, change: with("__debug__")}, "__debug__: a variable of Python cannot be called that"},
		"JavaScript, some that have no variable": {call{runtime: js, code: "return [b, 日本]", args: `{"b": 1}`, change: with("a-b", "switch", "b", "日本")}, `[1,null]`},
		"Python, some that have no variable":     {call{runtime: py, code: "return [b, 日本]", args: `{"b": 1}`, change: with("a-b", "from", "b", "日本")}, `[1,null]`},
		"JavaScript, one of a schema":            {call{runtime: js, code: "return n", args: `{"n": 1}`, change: withInputSchema(`{"additionalProperties": true}`)}, `1`},
		"JavaScript, a dash in one of a schema":  {call{runtime: js, code: "return 1", args: `{"n-m": 1}`, change: withInputSchema(`{"additionalProperties": true}`)}, "n-m: a variable of JavaScript cannot be called that"},
		"JavaScript, an unknown name":            {call{runtime: js, code: "return other", args: `{"list": "a"}`, change: with("list")}, "ReferenceError: other is not defined"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := do(t, r, tt.call)
			if e.OK && string(e.Value) != tt.want || !e.OK && !strings.Contains(e.Error.Message, tt.want) {
				t.Errorf("%s: %s %+v, want %s", tt.call.code, e.Value, e.Error, tt.want)
			}
		})
	}
}

// TestMemory checks the least and the most memory that code may ask for.
func TestMemory(t *testing.T) {
	r := sharedRunner(t)
	for _, runtime := range []string{js, py} {
		t.Run(runtime, func(t *testing.T) {
			for _, memory := range []tool.Number{"32", "4096"} {
				t.Run(string(memory)+" MB", func(t *testing.T) {
					if e := do(t, r, call{runtime: runtime, code: "return 1", memory: memory}); !e.OK {
						t.Errorf("%s with %s MB: %+v", runtime, memory, e.Error)
					}
				})
			}
		})
	}
}
