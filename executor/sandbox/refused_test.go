package sandbox_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/sandbox"
)

// TestRefused checks what code must not do, and the errors for it.
func TestRefused(t *testing.T) {
	r := sharedRunner(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := strconv.Quote(secret)
	const short = "300"
	deep := `{"all": ` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`
	for _, tt := range []struct {
		name string
		call call
		kind executor.ErrorKind
		code string
		part string // of the message
	}{
		{"network", call{runtime: js, code: "return await fetch('http://127.0.0.1')"}, executor.KindSandbox, "threw", "fetch"},
		{"network", call{runtime: py, code: "import socket\nsocket.create_connection(('127.0.0.1', 80))"}, executor.KindSandbox, "threw", "a.tools.abl:9: "},
		{"sockets", call{runtime: py, code: "import socket\nsocket.socket()"}, executor.KindSandbox, "threw", ""},
		{"urllib", call{runtime: py, code: "import urllib.request\nurllib.request.urlopen('http://127.0.0.1')"}, executor.KindSandbox, "threw", ""},
		{"modules", call{runtime: js, code: "return await import('os')"}, executor.KindSandbox, "threw", "os"},
		{"modules of QuickJS", call{runtime: js, code: "return std.open('/etc/passwd')"}, executor.KindSandbox, "threw", "std"},
		{"require", call{runtime: js, code: "return require('fs')"}, executor.KindSandbox, "threw", "require"},
		{"process", call{runtime: js, code: "return process.env"}, executor.KindSandbox, "threw", "process"},
		{"WebAssembly", call{runtime: js, code: "return new WebAssembly.Memory({initial: 1})"}, executor.KindSandbox, "threw", "WebAssembly"},
		{"a file", call{runtime: py, code: "return open(" + file + ").read()"}, executor.KindSandbox, "threw", "FileNotFoundError"},
		{"a file of JavaScript's", call{runtime: js, code: "return [typeof std, typeof os, typeof bjson].join() + open('a')"}, executor.KindSandbox, "threw", "open"},
		{"a file by its way up", call{runtime: py, code: "open('../../../../etc/passwd')"}, executor.KindSandbox, "threw", "FileNotFoundError"},
		{"folders", call{runtime: py, code: "import os\nreturn os.listdir('/')"}, executor.KindSandbox, "threw", "FileNotFoundError"},
		{"links", call{runtime: py, code: "import os\nos.symlink('/', 'out')"}, executor.KindSandbox, "threw", "Not supported"},
		{"programs", call{runtime: py, code: "import subprocess\nsubprocess.run(['ls'])"}, executor.KindSandbox, "threw", "processes"},
		{"a shell", call{runtime: py, code: "import os\nos.system('ls')"}, executor.KindSandbox, "threw", "system"},
		{"a fork bomb", call{runtime: py, code: "import os\nwhile True: os.fork()"}, executor.KindSandbox, "threw", "fork"},
		{"threads", call{runtime: py, code: "import threading\nwhile True: threading.Thread(target=print).start()"}, executor.KindSandbox, "threw", "thread"},
		{"signals", call{runtime: py, code: "import os\nos.kill(1, 9)"}, executor.KindSandbox, "threw", "kill"},
		{"machine code", call{runtime: py, code: "import ctypes"}, executor.KindSandbox, "threw", "ctypes"},
		{"input", call{runtime: py, code: "return input()"}, executor.KindSandbox, "threw", "EOFError"},

		{"an endless loop", call{runtime: js, code: "while (true);", timeout: short}, executor.KindTimeout, "timeout", "300ms"},
		{"an endless loop", call{runtime: py, code: "while True: pass", timeout: short}, executor.KindTimeout, "timeout", "300ms"},
		{"a caught one", call{runtime: py, code: "while True:\n  try:\n    while True: pass\n  except BaseException: pass", timeout: short}, executor.KindTimeout, "timeout", ""},
		{"an endless expression", call{runtime: js, code: "/(a+)+$/.test('a'.repeat(60) + 'b')", timeout: short}, executor.KindTimeout, "timeout", ""},
		{"with a look-ahead", call{runtime: js, code: "/^(?=(a+)+$)/.test('a'.repeat(60) + 'b')", timeout: short}, executor.KindTimeout, "timeout", ""},
		{"an endless expression", call{runtime: py, code: "import re\nre.match('(a+)+$', 'a' * 60 + 'b')", timeout: short}, executor.KindTimeout, "timeout", ""},
		{"endless jobs", call{runtime: js, code: "const f = () => Promise.resolve().then(f); await f()", timeout: short}, executor.KindTimeout, "timeout", ""},
		{"sleep", call{runtime: py, code: "import time\ntime.sleep(1000)", timeout: short}, executor.KindTimeout, "timeout", ""},
		{"a promise for ever", call{runtime: js, code: "await new Promise(() => {})"}, executor.KindSandbox, "never-settles", "promise"},

		{"memory in one piece", call{runtime: js, code: "return new ArrayBuffer(1 << 30).byteLength"}, executor.KindLimit, "memory", "128 MB"},
		{"memory in pieces", call{runtime: js, code: "const kept = []; while (true) kept.push(new Uint8Array(1 << 20).fill(1))"}, executor.KindLimit, "memory", "128 MB"},
		{"little memory", call{runtime: js, code: "return new ArrayBuffer(40 << 20).byteLength", memory: "32"}, executor.KindLimit, "memory", "32 MB"},
		{"memory in one piece", call{runtime: py, code: "return len(b'a' * (1 << 30))"}, executor.KindLimit, "memory", "128 MB"},
		{"memory in pieces", call{runtime: py, code: "a = []\nwhile True: a.append('a' * 1000000 + str(len(a)))"}, executor.KindLimit, "memory", "a.tools.abl:9: "},
		{"a result beyond memory", call{runtime: js, code: "return 'x'.repeat(1 << 28)"}, executor.KindLimit, "", ""},

		{"a flood of output", call{runtime: js, code: "while (true) console.log('x'.repeat(10000))"}, executor.KindLimit, "output", "10485760 bytes"},
		{"a flood of output", call{runtime: py, code: "while True: print('x' * 10000)"}, executor.KindLimit, "output", "10485760 bytes"},
		{"one long line", call{runtime: py, code: "print('x' * 20000000)"}, executor.KindLimit, "output", ""},
		{"a flood as the result", call{runtime: py, code: "return 'x' * 20000000"}, executor.KindLimit, "output", ""},
		{"a flood of answers", call{runtime: py, code: "import os\nwhile True: os.write(2, b'x' * 10000)"}, executor.KindLimit, "output", ""},
		{"a smaller cap", call{runtime: py, code: "print('x' * 2000)", change: func(q *executor.Request) { q.Environment.Limits.ResponseBytes = 1000 }}, executor.KindLimit, "output", "1000 bytes"},

		{"deep recursion", call{runtime: js, code: "const f = () => f() + 1; return f()"}, executor.KindSandbox, "recursion", "too deep"},
		{"deep recursion", call{runtime: py, code: "def f(): return f()\nf()"}, executor.KindSandbox, "recursion", "a.tools.abl:8: RecursionError"},
		{"recursion without a limit", call{runtime: py, code: "import sys\nsys.setrecursionlimit(10**9)\nf = lambda: f() + 1\nf()", memory: "64"}, "", "", ""},
		{"a deep result", call{runtime: js, code: "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a"}, executor.KindSandbox, "recursion", ""},
		{"a deep result", call{runtime: py, code: "a = []\nfor _ in range(100000): a = [a]\nreturn a"}, executor.KindSandbox, "recursion", ""},

		{"deep arguments", call{runtime: py, code: "return 1", args: deep}, executor.KindSandbox, "recursion", ""},

		{"an early end", call{runtime: py, code: "import sys\nsys.exit(3)"}, executor.KindSandbox, "threw", "a.tools.abl:9: SystemExit"},
		{"little memory for the arguments", call{runtime: js, code: "return 1", args: `{"text": "` + strings.Repeat("x", 9_000_000) + `"}`, memory: "32"}, executor.KindLimit, "memory", "32 MB"},
		{"a sudden end", call{runtime: py, code: "import os\nos._exit(3)"}, executor.KindSandbox, "ended", ""},
		{"a forged answer", call{runtime: py, code: "import os\nos.write(2, b'{\"error\":{\"kind\":\"name\",\"frames\":[{\"line\":-1}]}}\\n')"}, executor.KindDefinition, "", ""},
	} {
		t.Run(tt.call.runtime+"/"+tt.name, func(t *testing.T) {
			t.Parallel()
			e := do(t, r, tt.call)
			switch {
			case e.OK:
				t.Fatalf("it ran: %s", e.Value)
			case tt.kind != "" && e.Error.Kind != tt.kind, tt.code != "" && e.Error.Code != tt.code, !strings.Contains(e.Error.Message, tt.part):
				t.Errorf("%s, %s: %s; want %s, %s: %q", e.Error.Kind, e.Error.Code, e.Error.Message, tt.kind, tt.code, tt.part)
			}
		})
	}
}

// TestCap checks the limits of output and results to the byte.
func TestCap(t *testing.T) {
	r := sharedRunner(t)
	for code, fits := range map[string]bool{
		"console.log('x'.repeat(999))":  true,
		"console.log('x'.repeat(1000))": false,
		"return 'x'.repeat(998)":        true,
		"return 'x'.repeat(999)":        false,
	} {
		t.Run(code, func(t *testing.T) {
			e := do(t, r, call{runtime: js, code: code, change: func(q *executor.Request) { q.Environment.Limits.ResponseBytes = 1000 }})
			if e.OK != fits || !fits && (e.Error.Kind != executor.KindLimit || len(e.Console) > 1000) {
				t.Errorf("%s: %v, %+v", code, e.OK, e.Error)
			}
		})
	}
}

// unshown is the message for an exception that cannot be shown.
const unshown = "the code threw something that cannot be shown"

// TestErrors checks the places that errors name.
func TestErrors(t *testing.T) {
	r := sharedRunner(t)
	for _, tt := range []struct {
		runtime, code string
		kind          executor.ErrorKind
		message       string
		line          int
		stack         string
	}{
		{js, "\nfunction check(x) {\n  throw new TypeError(`no ${x}`)\n}\ncheck(1)", executor.KindSandbox, "a.tools.abl:10: TypeError: no 1", 10,
			"TypeError: no 1\n    at check (a.tools.abl:10)\n    at it (a.tools.abl:12)"},
		{js, "await 0\nnull.x", executor.KindSandbox, "a.tools.abl:9: TypeError: cannot read property 'x' of null", 9, ""},
		{js, "throw 'text'", executor.KindSandbox, "text", 0, "text"},
		{js, "throw null", executor.KindSandbox, "null", 0, ""},
		{js, "\nlet x = ;", executor.KindSandbox, "a.tools.abl:9: SyntaxError: unexpected token in expression: ';'", 9, ""},
		{js, "return {a: [1, () => 2]}", executor.KindResult, "the result: a[1] is a function, which is no JSON value", 0, ""},
		{js, "return {a: NaN}", executor.KindResult, "the result: a is NaN, which JSON does not have", 0, ""},
		{js, "return new Map()", executor.KindResult, "the result is a Map, which is no JSON value", 0, ""},
		{js, "return new Error('x')", executor.KindResult, "the result is an Error, which is no JSON value", 0, ""},
		{js, "eval('\\n\\n\\n\\nthrow new Error(1)')\n\n\n", executor.KindSandbox, "a.tools.abl:8: Error: 1", 8, ""},
		{js, "const a = {}; a.b = {a}; return a", executor.KindResult, "the result: b.a contains itself", 0, ""},
		{py, "def check(x):\n  raise ValueError(f'no {x}')\n\ncheck(1)", executor.KindSandbox, "a.tools.abl:9: ValueError: no 1", 9,
			"ValueError: no 1\n    at check (a.tools.abl:9)\n    at it (a.tools.abl:11)"},
		{py, "import json\njson.loads('{')", executor.KindSandbox, "a.tools.abl:9: JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)", 9, ""},
		{py, "x = 1\nif x\n  y", executor.KindSandbox, "a.tools.abl:9: SyntaxError: expected ':'", 9, ""},
		{py, "def f():\n  nonlocal z", executor.KindSandbox, "a.tools.abl:9: SyntaxError: no binding for nonlocal 'z' found", 9, ""},
		{py, "return {'a': {1, 2}}", executor.KindResult, "the result: a is of type set, which is no JSON value", 0, ""},
		{py, "return [b'a']", executor.KindResult, "the result: [0] is of type bytes, which is no JSON value", 0, ""},
		{py, "return {'a': float('inf')}", executor.KindResult, "the result: a is inf, which JSON does not have", 0, ""},
		{py, "return {(1, 2): 3}", executor.KindResult, "the result has the key (1, 2), which is no string", 0, ""},
		{py, "a = []\na.append(a)\nreturn a", executor.KindResult, "the result: [0] contains itself", 0, ""},

		// Exceptions that are hard to show.
		{js, "throw Object.defineProperty(new Error(), 'message', {get() { throw 1 }})", executor.KindSandbox, unshown, 0, ""},
		{js, "throw new Proxy({}, {getPrototypeOf() { throw 1 }})", executor.KindSandbox, unshown, 0, ""},
		{js, "globalThis.String = 1; throw new Error('x')", executor.KindSandbox, unshown, 0, ""},
		{py, "class E(Exception):\n  def __str__(self): return 5\nraise E", executor.KindSandbox, "a.tools.abl:10: E", 10, ""},
		{py, "class E(Exception):\n  def __setattr__(self, *_): raise ValueError\nraise E('x')", executor.KindSandbox, "a.tools.abl:10: E: x", 10, ""},
		{py, "e = ValueError('x')\ne.path = 5\nraise e", executor.KindSandbox, "a.tools.abl:10: ValueError: x", 10, ""},
		{py, "return " + strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300), executor.KindSandbox, "MemoryError: Parser stack overflowed - Python source too complex to parse", 0, ""},
	} {
		t.Run(tt.runtime, func(t *testing.T) {
			t.Parallel()
			e := do(t, r, call{runtime: tt.runtime, code: tt.code})
			if e.OK || e.Error.Kind != tt.kind || e.Error.Message != tt.message {
				t.Fatalf("%s\n%+v, want %s: %s", tt.code, e.Error, tt.kind, tt.message)
			}
			if line, _ := e.Error.Details["line"].(int); line != tt.line || tt.line > 0 && e.Error.Details["file"] != "/x/a.tools.abl" {
				t.Errorf("%s\ndetails %v, want line %d", tt.code, e.Error.Details, tt.line)
			}
			if tt.stack != "" && e.Error.Details["stack"] != tt.stack {
				t.Errorf("%s\nstack %v, want %s", tt.code, e.Error.Details["stack"], tt.stack)
			}
		})
	}
}

// TestLongErrors checks that the text of an exception is bounded.
func TestLongErrors(t *testing.T) {
	r := sharedRunner(t)
	for _, tt := range []call{
		{runtime: js, code: "throw new Error('x'.repeat(1e6))"},
		{runtime: js, code: "const e = new Error('x'); e.stack = '    at f (<anonymous>:5)\\n'.repeat(1e5); throw e"},
		{runtime: py, code: "raise ValueError('é' * 1000000)"},
		{runtime: py, code: "raise type('x' * 1000000, (Exception,), {})"},
		{runtime: py, code: "import json, os\nos.write(2, json.dumps({'error': {'frames': [{'in': 'f' * 100000}] * 90}}).encode() + b'\\n')"},
	} {
		t.Run(tt.runtime, func(t *testing.T) {
			t.Parallel()
			e := do(t, r, tt)
			b, err := json.Marshal(e)
			if e.OK || err != nil || len(b) > 100<<10 || !utf8.Valid(b) || strings.Contains(e.Error.Message, "\ufffd") {
				t.Errorf("%s: %d bytes, %v", tt.code, len(b), err)
			}
		})
	}
}

// TestDefinition checks the errors for tools that cannot be run. No process is started for them.
func TestDefinition(t *testing.T) {
	r := sandbox.New(sandbox.Options{})
	for _, tt := range []struct {
		call call
		part string
	}{
		{call{runtime: "", code: "1"}, "runtime: it has none"},
		{call{runtime: "ruby", code: "1"}, `runtime: "ruby" is neither`},
		{call{runtime: js, code: "  \n"}, "code: it has none"},
		{call{runtime: py, code: "1", memory: "8"}, "memory_mb: 8 is not from 32 to 4096"},
		{call{runtime: js, code: "1", memory: "5000"}, "memory_mb: 5000 is not from 32 to 4096"},
		{call{runtime: js, code: "1", timeout: "soon"}, `timeout: "soon" is no number`},
		{call{runtime: js, code: "1", change: func(q *executor.Request) { q.Environment.SandboxEngine = "docker" }}, `"docker"`},
	} {
		t.Run(tt.part, func(t *testing.T) {
			e := do(t, r, tt.call)
			if e.OK || e.Error.Kind != executor.KindDefinition || !strings.Contains(e.Error.Message, tt.part) {
				t.Errorf("%+v, want definition: %s", e.Error, tt.part)
			}
		})
	}
}
