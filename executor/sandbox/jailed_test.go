package sandbox_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/sandbox"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// jails returns the engines with a jail on this machine. It fails if the test run must have all.
func jails(t testing.TB) []string {
	t.Helper()
	if goruntime.GOOS != "linux" {
		t.Skip("bubblewrap and gVisor need Linux")
	}
	var out []string
	for _, e := range [][2]string{{executor.EngineBubblewrap, "bwrap"}, {executor.EngineGVisor, "runsc"}} {
		if engine, program := e[0], e[1]; testdeps.HasProgram(t, program) {
			out = append(out, engine)
		}
	}
	if len(out) == 0 {
		testdeps.SkipOrFail(t, "neither bwrap nor runsc is on PATH")
	}
	return out
}

// TestJails checks that the engines with a jail behave like the default one.
func TestJails(t *testing.T) {
	r := sharedRunner(t)
	for _, tt := range []struct {
		name string
		one  bool // jail will do, since the interpreter does it
		call call
		want string             // the value; "" for an error
		kind executor.ErrorKind // of that
		code string
		part string // of the message
	}{
		{name: "parameters", one: true, call: call{runtime: js, code: "return text + n", args: `{"text": "a", "n": 1}`}, want: `"a1"`},
		{name: "parameters", one: true, call: call{runtime: py, code: "return text + str(n)", args: `{"text": "a", "n": 1}`}, want: `"a1"`},
		{name: "exact", one: true, call: call{runtime: js, code: "return n", args: `{"n": 9223372036854775807}`}, want: `9223372036854775807`},
		{name: "exact", one: true, call: call{runtime: py, code: "return n * 10", args: `{"n": 12345678901234567890}`}, want: `123456789012345678900`},
		{name: "other characters", one: true, call: call{runtime: js, code: "return text", args: `{"text": "é😀\u2028"}`}, want: `"é😀\u2028"`},
		{name: "other characters", one: true, call: call{runtime: py, code: "return text", args: `{"text": "é😀"}`}, want: `"é😀"`},
		{name: "long", call: call{runtime: js, code: "return text.length", args: `{"text": "` + strings.Repeat("x", 1<<20) + `"}`}, want: `1048576`},
		{name: "await", one: true, call: call{runtime: js, code: "await new Promise((done) => setTimeout(done, 5)); return 1"}, want: `1`},
		{name: "its own folder", call: call{runtime: py, code: "import os\nopen('a', 'w').write('x')\nreturn [os.getcwd(), os.listdir('.')]"}, want: `["/tmp", ["a"]]`},
		{name: "files", call: call{runtime: py, code: fileCode}, want: fileResult},
		{name: "no environment", call: call{runtime: py, code: "import os\nreturn sorted(os.environ.keys() - {'LANG', 'TZ', 'LC_CTYPE', 'PWD', 'HOME'})"}, want: `[]`},
		{name: "Intl", one: true, call: call{runtime: js, code: "return new Intl.NumberFormat('en-US', {style: 'currency', currency: 'USD'}).format(1234.5)"}, want: `"$1,234.50"`},

		{name: "an exception", one: true, call: call{runtime: js, code: "const f = () => {\n  throw new TypeError('no')\n}\nf()"}, kind: executor.KindSandbox, code: "threw", part: "a.tools.abl:9: TypeError: no"},
		{name: "an exception", one: true, call: call{runtime: py, code: "def f():\n  raise ValueError('no')\nf()"}, kind: executor.KindSandbox, code: "threw", part: "a.tools.abl:9: ValueError: no"},
		{name: "syntax", one: true, call: call{runtime: js, code: "return ]"}, kind: executor.KindSandbox, code: "syntax", part: "SyntaxError"},
		{name: "syntax", one: true, call: call{runtime: py, code: "x = 1\nreturn ]"}, kind: executor.KindSandbox, code: "syntax", part: "a.tools.abl:9: SyntaxError"},
		{name: "a promise for ever", one: true, call: call{runtime: js, code: "await new Promise(() => {})"}, kind: executor.KindSandbox, code: "never-settles"},
		{name: "a lost promise", one: true, call: call{runtime: js, code: "Promise.reject(new Error('lost')); await new Promise((done) => setTimeout(done, 5)); return 1"}, want: `1`},
		{name: "noise", one: true, call: call{runtime: js, code: "(await import('node:process')).stderr.write('noise'); return 1"}, want: `1`},
		{name: "a late exception", one: true, call: call{runtime: js, code: "setTimeout(() => { throw new Error('late') }); await new Promise((done) => setTimeout(done, 60000))"}, kind: executor.KindSandbox, code: "threw", part: "a.tools.abl:8: Error: late"},
		{name: "the end", call: call{runtime: js, code: "(await import('node:process')).exit(0)"}, kind: executor.KindSandbox, code: "ended"},
		{name: "the end", call: call{runtime: py, code: "import os\nos._exit(3)"}, kind: executor.KindSandbox, code: "ended"},

		{name: "network", call: call{runtime: js, code: "const net = await import('node:net')\nawait new Promise((_, fail) => net.connect(80, '127.0.0.1').on('error', fail))"}, kind: executor.KindSandbox, code: "threw", part: "EPERM"},
		{name: "network", call: call{runtime: py, code: "import socket\nsocket.create_connection(('127.0.0.1', 80))"}, kind: executor.KindSandbox, code: "threw"},
		{name: "a file", call: call{runtime: js, code: "return (await import('node:fs')).readFileSync(" + strconv.Quote(secretFile(t)) + ")"}, kind: executor.KindSandbox, code: "threw", part: "ENOENT"},
		{name: "a file", call: call{runtime: py, code: "return open(" + strconv.Quote(secretFile(t)) + ").read()"}, kind: executor.KindSandbox, code: "threw", part: "No such file"},
		{name: "processes", call: call{runtime: js, code: "return String((await import('node:child_process')).execSync('ls'))"}, kind: executor.KindSandbox, code: "threw", part: "EPERM"},
		{name: "processes", call: call{runtime: py, code: "import subprocess\nsubprocess.run(['ls'])"}, kind: executor.KindSandbox, code: "threw", part: "not permitted"},
		{name: "a fork bomb", call: call{runtime: py, code: "import os\nwhile True: os.fork()"}, kind: executor.KindSandbox, code: "threw", part: "not permitted"},
		{name: "Node", one: true, call: call{runtime: js, code: "return process.env"}, kind: executor.KindSandbox, code: "threw", part: "process"},
		{name: "an endless loop", call: call{runtime: js, code: "while (true);", timeout: "300"}, kind: executor.KindTimeout, code: "timeout", part: "300ms"},
		{name: "an endless expression", one: true, call: call{runtime: py, code: "import re\nre.match('(a+)+$', 'a' * 60 + 'b')", timeout: "300"}, kind: executor.KindTimeout, code: "timeout"},
		{name: "memory", call: call{runtime: js, code: "const a = []; while (true) a.push({a: [a.length]})", timeout: "60000"}, kind: executor.KindLimit, code: "memory", part: "128 MB"},
		{name: "memory in buffers", call: call{runtime: js, code: "const a = []; while (true) { a.push(new Uint8Array(8 << 20).fill(1)); await new Promise((done) => setTimeout(done, 5)) }", timeout: "60000"}, kind: executor.KindLimit, code: "memory"},
		{name: "memory", call: call{runtime: py, code: "a = []\nwhile True: a.append('a' * 1000000 + str(len(a)))", timeout: "60000"}, kind: executor.KindLimit, code: "memory", part: "128 MB"},
		{name: "a flood", one: true, call: call{runtime: js, code: "while (true) console.log('x'.repeat(10000))", timeout: "60000"}, kind: executor.KindLimit, code: "output"},
		{name: "a flood", one: true, call: call{runtime: py, code: "while True: print('x' * 10000)", timeout: "60000"}, kind: executor.KindLimit, code: "output"},
		{name: "recursion", one: true, call: call{runtime: js, code: "const f = () => f() + 1; return f()"}, kind: executor.KindSandbox},
		{name: "recursion", one: true, call: call{runtime: py, code: "def f(): return f()\nf()"}, kind: executor.KindSandbox, code: "recursion"},
	} {
		for i, engine := range jails(t) {
			if tt.one && i > 0 {
				break
			}
			t.Run(engine+"/"+tt.call.runtime+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				c := tt.call
				c.change = func(q *executor.Request) { q.Environment.SandboxEngine = engine }
				e := do(t, r, c)
				switch {
				case tt.want != "" && (!e.OK || !same(e.Value, tt.want)):
					t.Errorf("%s %+v, want %s", e.Value, e.Error, tt.want)
				case tt.want == "" && (e.OK || e.Error.Kind != tt.kind || tt.code != "" && e.Error.Code != tt.code || !strings.Contains(e.Error.Message, tt.part)):
					t.Errorf("%s %+v", e.Value, e.Error)
				}
			})
		}
	}
}

// secretFile is a file of the person.
func secretFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte("x"), 0o644); err != nil { // anybody could read it, were it not for the jail
		t.Fatal(err)
	}
	return path
}

// TestJailIsMissing checks that the error for a missing engine names it and says what to do.
func TestJailIsMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	r := sandbox.New(sandbox.Options{})
	defer r.Close()
	for _, engine := range []string{executor.EngineBubblewrap, executor.EngineGVisor, "other"} {
		t.Run(engine, func(t *testing.T) {
			e := do(t, r, call{runtime: py, code: "return 1", change: func(q *executor.Request) { q.Environment.SandboxEngine = engine }})
			if e.OK || e.Error.Kind != executor.KindDefinition || !strings.Contains(e.Error.Message, "sandbox.engine: ") || e.Error.Hint == "" {
				t.Errorf("%s: %+v", engine, e.Error)
			}
		})
	}
}

// TestJailPreview checks that a preview shows the engine that abl.yaml names.
func TestJailPreview(t *testing.T) {
	r := sandbox.New(sandbox.Options{})
	e := newExecutor(r).Preview(t.Context(), call{runtime: py, code: "return 1", change: func(q *executor.Request) {
		q.Environment.SandboxEngine = executor.EngineGVisor
	}}.request())
	var shown struct{ Engine string }
	if err := json.Unmarshal(e.Value, &shown); err != nil || shown.Engine != executor.EngineGVisor {
		t.Errorf("%s: %v", e.Value, err)
	}
}

// BenchmarkJails measures runs in jails whose processes are ready.
func BenchmarkJails(b *testing.B) {
	for _, engine := range jails(b) {
		for runtime, code := range map[string]string{js: "return 1", py: "return 1"} {
			b.Run(engine+"/"+runtime, func(b *testing.B) {
				r := sandbox.New(sandbox.Options{})
				defer r.Close()
				x := newExecutor(r)
				q := call{runtime: runtime, code: code}.request()
				q.Environment.SandboxEngine = engine
				for b.Loop() {
					if e := x.Run(b.Context(), q); !e.OK {
						b.Fatal(e.Error)
					}
				}
			})
		}
	}
}
