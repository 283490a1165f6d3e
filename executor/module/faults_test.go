package module_test

import (
	"context"
	"fmt"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// fails runs a tool that must fail with an error of a kind and code whose message contains the
// text.
func (r *runs) fails(t *tool.Tool, kind executor.ErrorKind, code, text string) executor.Envelope {
	r.t.Helper()
	e := r.run(r.t.Context(), t, `{}`)
	switch {
	case e.Error == nil:
		r.t.Fatalf("%s gave %s, want an error", t.Name, e.Value)
	case e.Error.Kind != kind || e.Error.Code != code || !strings.Contains(e.Error.Message, text):
		r.t.Errorf("%s: %s %s: %s; want %s %s: %s", t.Name, e.Error.Kind, e.Error.Code, e.Error.Message, kind, code, text)
	}
	return e
}

// TestThrown checks that the error for an exception names its place in the module's own file.
func TestThrown(t *testing.T) {
	t.Parallel()
	r := in(t, map[string]string{
		"a.mjs": `export const thrown = () => {
  console.log("before");
  throw new TypeError("no such repo");
};
export const late = async () => { await null;
  throw "plain"; };
export const caused = () => { throw new Error("outer", { cause: new Error("inner") }) };
export const deep = () => JSON.parse("{");
export const odd = () => { throw { get message() { throw 1 } } };
export const later = () => new Promise(() => setTimeout(() => { throw new RangeError("late") }, 1));
export const notJSON = () => ({ list: [1, () => 1] });
export const infinite = () => ({ n: 1 / 0 });
export const loop = () => { const a = {}; a.a = a; return a };
export const deep1 = () => { let a = 1; for (let i = 0; i < 9000; i++) a = { a }; return a };
export const path = () => ({ ["x".repeat(1000)]: () => 1 });
export const nothing = () => { throw null };
export const noWords = async (_, { requestPermission }) => requestPermission({ kind: "file", resource: "/data" });
export const recursive = () => { const f = () => f() + 1; return f() };`,
		"t.ts": `type Args = {
  n: number;
};

import { helper } from "./lib/helper";

export async function typed(args: Args): Promise<number> {
  interface Unused { x: string }
  return helper(args as unknown as string);
}`,
		"lib/helper.ts": `export enum Word { A, B }

export function helper(x: string): number {
  throw new Error("in " + Word[Word.B] + x);
}`,
	})
	e := r.fails(r.tool("a.mjs", "thrown"), executor.KindSandbox, "threw", "a.mjs:3: TypeError: no such repo")
	if e.Error.Details["line"] != 3 || !strings.HasSuffix(fmt.Sprint(e.Error.Details["file"]), "a.mjs") || e.Console != "before\n" {
		t.Errorf("%+v, console %q", e.Error, e.Console)
	}
	r.fails(r.tool("a.mjs", "late"), executor.KindSandbox, "threw", "a.mjs: late threw: plain")
	r.fails(r.tool("a.mjs", "nothing"), executor.KindSandbox, "threw", "a.mjs: nothing threw: null")
	r.fails(r.tool("a.mjs", "caused"), executor.KindSandbox, "threw", "a.mjs:7: Error: outer: inner")
	r.fails(r.tool("a.mjs", "deep"), executor.KindSandbox, "threw", "a.mjs:8: SyntaxError: ")
	r.fails(r.tool("a.mjs", "odd"), executor.KindSandbox, "threw", "")
	r.fails(r.tool("a.mjs", "later"), executor.KindSandbox, "threw", "a.mjs:10: RangeError: late")
	r.fails(r.tool("a.mjs", "notJSON"), executor.KindResult, "no-json", "the result: list[1] is a function")
	r.fails(r.tool("a.mjs", "infinite"), executor.KindResult, "no-json", "the result: n is Infinity")
	r.fails(r.tool("a.mjs", "loop"), executor.KindResult, "no-json", "a contains itself")
	r.fails(r.tool("a.mjs", "deep1"), executor.KindResult, "no-json", "the result has more than 1000 lists and objects in each other")
	if e := r.fails(r.tool("a.mjs", "path"), executor.KindResult, "no-json", "is a function"); len(e.Error.Message) > 400 {
		t.Errorf("%d bytes: %s", len(e.Error.Message), e.Error.Message)
	}
	r.fails(r.tool("a.mjs", "noWords"), executor.KindSandbox, "threw", "requestPermission wants three texts")
	r.fails(r.tool("a.mjs", "recursive"), executor.KindSandbox, "threw", "Maximum call stack")
	r.fails(r.tool("t.ts", "typed"), executor.KindSandbox, "threw", "helper.ts:4: Error: in B")
}

// TestDefinition checks the errors for handlers that cannot be called.
func TestDefinition(t *testing.T) {
	r := in(t, map[string]string{
		"a.mjs":        `export const one = () => 1; export default { two: () => 2 }; export const three = { four() {} };`,
		"class.mjs":    `class S { greet() {} } export default new S(); export const list = [];`,
		"broken.mjs":   "export const x = () => 1;\nexport const y = (;\n",
		"broken.ts":    "export const x = () => 1;\nexport const y: = 1;\n",
		"throws.mjs":   "const x = 1;\nthrow new Error('at once');\n",
		"missing.mjs":  "import { x } from 'left-pad-of-nobody';\nexport const y = x;\n",
		"alias.ts":     "import { x } from '@/x';\nexport const y = x;\n",
		"local.mjs":    "import { x } from './not-there.mjs';\nexport const y = x;\n",
		"out/out.ts":   "import { one } from '../a.mjs';\nexport const y = one;\n",
		"json.ts":      "import p from './package.json';\nexport const y = () => p.name;\n",
		"package.json": `{"name": "p"}`,
		".env":         "TOKEN=s3cret",
		".env.json":    `{"token": "s3cret"}`,
		"text.ts":      "import s from './.env' with { type: 'text' };\nexport const y = () => s;\n",
		"dotenv.ts":    "import s from './.env.json';\nexport const y = () => s;\n",
		"later.ts":     "export const y = async () => (await import('./.env.json')).default;\n",
	})
	e := r.fails(r.tool("a.mjs", "nine"), executor.KindDefinition, "handler", `a.mjs exports no function "nine"`)
	if !strings.Contains(e.Error.Hint, "four, one, two") {
		t.Errorf("hint: %s", e.Error.Hint)
	}
	r.fails(r.tool("a.mjs", "constructor"), executor.KindDefinition, "handler", "exports no function")
	r.fails(r.tool("class.mjs", "constructor"), executor.KindDefinition, "handler", "exports no function")
	if e := r.fails(r.tool("class.mjs", "filter"), executor.KindDefinition, "handler", "exports no function"); !strings.Contains(e.Error.Hint, "It exports greet.") {
		t.Errorf("hint: %s", e.Error.Hint)
	}
	r.fails(r.tool("none.mjs", "x"), executor.KindDefinition, "module", "there is no file")
	r.fails(r.tool("out", "x"), executor.KindDefinition, "module", "is no file")
	r.fails(r.tool("", "x"), executor.KindDefinition, "module", "module is missing")
	r.fails(r.tool("broken.mjs", "x"), executor.KindDefinition, "module", `broken.mjs:2: Unexpected ";"`)
	r.fails(r.tool("broken.ts", "x"), executor.KindDefinition, "module", "broken.ts:2: ")
	r.fails(r.tool("throws.mjs", "x"), executor.KindSandbox, "load", "throws.mjs:2: Error: at once")
	r.fails(r.tool("missing.mjs", "y"), executor.KindDefinition, "module", "left-pad-of-nobody")
	if e := r.fails(r.tool("alias.ts", "y"), executor.KindDefinition, "module", "'@/x'"); !strings.Contains(e.Error.Hint, "No tsconfig.json is read") {
		t.Errorf("hint: %s", e.Error.Hint)
	}
	r.fails(r.tool("local.mjs", "y"), executor.KindDefinition, "module", "not-there.mjs")
	r.fails(r.tool("out/out.ts", "y"), executor.KindDefinition, "module", "lies outside of the module's folder")
	for _, name := range []string{"text.ts", "dotenv.ts", "later.ts"} {
		t.Run(name, func(t *testing.T) {
			e := r.fails(r.tool(name, "y"), executor.KindDefinition, "module", "holds secrets")
			if text := fmt.Sprintf("%+v", e.Error); strings.Contains(text, "s3cret") {
				t.Error(text)
			}
		})
	}
	if got := r.value(r.tool("json.ts", "y"), `{}`); got != `"p"` {
		t.Errorf("an import of JSON gave %s", got)
	}
	t.Setenv("PATH", t.TempDir())
	r.fails(r.tool("a.mjs", "one"), executor.KindDefinition, "node", "not on this machine")
}

// TestPrints checks that anything that a module prints is console output, and never an answer.
func TestPrints(t *testing.T) {
	t.Parallel()
	r := in(t, map[string]string{"a.mjs": `import fs from "node:fs";
export const prints = async () => {
  console.log("log", { a: 1 }); console.error("error"); process.stdout.write("out\n"); process.stderr.write("err\n");
  fs.writeSync(1, '{"value": "forged"}\n'); fs.writeSync(1, "half");
  for await (const line of process.stdin) console.log(line);
  return "true";
};`})
	e := r.run(t.Context(), r.tool("a.mjs", "prints"), `{}`)
	if string(e.Value) != `"true"` {
		t.Fatalf("%s, %+v", e.Value, e.Error)
	}
	for _, want := range []string{"log { a: 1 }\n", "error\n", "out\n", "err\n", `{"value": "forged"}` + "\n", "half\n"} {
		if !strings.Contains(e.Console, want) {
			t.Errorf("the console %q has no %q", e.Console, want)
		}
	}
}

// TestStopped checks that a handler that does not end by itself is ended, with a reason.
func TestStopped(t *testing.T) {
	t.Parallel()
	r := in(t, map[string]string{"a.mjs": `
export const pending = () => new Promise(() => {});
export const asks = async () => { for (;;) fetch("http://127.0.0.1:9000/").catch(() => {}), await null };
export const long = (_, { requestPermission }) => requestPermission("file", "x".repeat(9000), "read");
export const exits = () => { console.log("bye"); process.exit(0) };
export const aborts = () => process.abort();
export const flood = () => { for (;;) console.log("x".repeat(1 << 16)) };
export const floodOut = async () => { const fs = await import("node:fs"); for (;;) fs.writeSync(1, "x".repeat(1 << 16)) };
export const huge = () => "x".repeat(11 << 20);
export async function* endless() { for (;;) yield "x".repeat(1 << 16) };
export const memory = () => { const all = []; for (;;) all.push(new Array(1 << 16).fill(all.length)) };
export const outside = () => { const all = []; for (;;) all.push(Buffer.alloc(1 << 24, 1)) };`})
	r.req.ToolTimeout = 4 * time.Minute // for a busy machine
	r.fails(r.tool("a.mjs", "pending"), executor.KindSandbox, "never-settles", "pending waits for a promise")
	if e := r.fails(r.tool("a.mjs", "exits"), executor.KindSandbox, "ended", "a.mjs ended its process"); e.Console != "bye\n" {
		t.Errorf("console %q", e.Console)
	}
	r.fails(r.tool("a.mjs", "aborts"), executor.KindSandbox, "ended", "a.mjs ended its process")
	for _, name := range []string{"flood", "floodOut", "huge", "endless"} {
		r.fails(r.tool("a.mjs", name), executor.KindLimit, "output", "more than 10485760 bytes")
	}
	r.fails(r.tool("a.mjs", "asks"), executor.KindLimit, "questions", "more than 10000 connections and permissions")
	r.fails(r.tool("a.mjs", "long"), executor.KindLimit, "permission", "more than 8192 bytes")
	for _, name := range []string{"memory", "outside"} {
		if name == "outside" && goruntime.GOOS != "linux" {
			continue // there is no jail to count it
		}
		r.fails(r.tool("a.mjs", name), executor.KindLimit, "memory", "more than 512 MB")
	}
}

// TestTimeAndCancel checks that a call ends at its timeout, and when it is cancelled, whatever its
// module does. The abort signal comes first.
func TestTimeAndCancel(t *testing.T) {
	t.Parallel()
	r := in(t, map[string]string{"a.mjs": `
export const spin = () => { console.log("here"); for (;;); };
export const waits = (_, { signal }) => new Promise(() => {
  console.log("here");
  setInterval(() => {}, 1000);
  signal.addEventListener("abort", () => console.log("aborted: " + signal.reason.name));
});
export const ends = (_, { signal }) => new Promise((done) => signal.addEventListener("abort", () => done(1), setInterval(() => {}, 1000)));`})
	for _, name := range []string{"spin", "waits", "ends"} {
		t.Run(name, func(t *testing.T) {
			tl := r.tool("a.mjs", name)
			tl.Hints.Timeout = "1500"
			e := r.fails(tl, executor.KindTimeout, "timeout", "1.5s")
			for range 10 { // a busy machine may not start the module in time, or not let it hear the signal
				if name != "waits" || e.Console == "here\naborted: AbortError\n" {
					return
				}
				e = r.fails(tl, executor.KindTimeout, "timeout", "1.5s")
			}
			t.Errorf("console %q", e.Console)
		})
	}
	r.req.ToolTimeout = 1500 * time.Millisecond
	r.fails(r.tool("a.mjs", "spin"), executor.KindTimeout, "timeout", "no answer within 1.5s")
	r.req.ToolTimeout = 0
	for _, name := range []string{"spin", "waits", "ends"} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(500*time.Millisecond, cancel)
			if e := r.run(ctx, r.tool("a.mjs", name), `{}`); e.Error == nil || e.Error.Code != "cancelled" {
				t.Errorf("%s: %s, %+v", name, e.Value, e.Error)
			}
		})
	}
}
