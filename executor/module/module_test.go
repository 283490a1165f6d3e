package module_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/module"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
	"github.com/abl-lsp/abl-lsp/tool"
)

// needs finds the programs that run modules, or skips the test.
func needs(t testing.TB) {
	t.Helper()
	programs := []string{"node"}
	if goruntime.GOOS == "linux" {
		programs = append(programs, "bwrap")
	}
	for _, program := range programs {
		testdeps.FindProgram(t, program)
	}
}

// files writes files below a new folder, and returns the folder. The texts are by name.
func files(t testing.TB, named map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range named {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// runs makes calls of the handlers in one folder.
type runs struct {
	t   testing.TB
	dir string
	ex  *executor.Executor
	req executor.Request // what every call has
}

func in(t testing.TB, named map[string]string) *runs {
	t.Helper()
	needs(t)
	r := &runs{t: t, dir: files(t, named)}
	r.with(module.Options{})
	r.req = executor.Request{Trusted: true, Yes: true}
	r.req.Environment.Root = r.dir
	return r
}

// with returns runs that use another Runner.
func (r *runs) with(o module.Options) {
	r.ex = executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{tool.KindModule: module.New(o)}})
}

// tool returns a tool whose handler has the tool's name.
func (r *runs) tool(file, handler string, params ...string) *tool.Tool {
	t := &tool.Tool{Name: handler, Kind: tool.KindModule, Spec: &tool.Module{Module: file}}
	t.Origin.File = filepath.Join(r.dir, "x.tools.abl")
	for _, name := range params {
		t.Params = append(t.Params, tool.Param{Name: name, Optional: true, Type: &tool.Type{Name: "any"}})
	}
	return t
}

func (r *runs) run(ctx context.Context, t *tool.Tool, args string) executor.Envelope {
	req := r.req
	req.Tool, req.Args = t, json.RawMessage(args)
	return r.ex.Run(ctx, req)
}

func (r *runs) value(t *tool.Tool, args string) string {
	r.t.Helper()
	e := r.run(r.t.Context(), t, args)
	if !e.OK {
		r.t.Fatalf("%s: %+v\n%s", t.Name, e.Error, e.Console)
	}
	return string(e.Value)
}

// TestEdited checks that a cached answer and a confirmation are valid only while the module's
// file, the files that it imports and the installed packages do not change.
func TestEdited(t *testing.T) {
	t.Parallel()
	r := in(t, map[string]string{
		"a.mjs":                           `export const one = () => "🛫"`,
		"b.mjs":                           `export { one } from "./lib/deep.mjs"`,
		"lib/deep.mjs":                    `import { word } from "./word.mjs"; export const one = () => word`,
		"lib/word.mjs":                    `export const word = "🛫"`,
		"c.cjs":                           `exports.one = () => require("./lib/word.json").word`,
		"lib/word.json":                   `{"word": "🛫"}`,
		"d.ts":                            `export const one = async (): Promise<string> => (await import("./lib/typed")).word`,
		"lib/typed.ts":                    `export const word: string = "🛫"`,
		"e.mjs":                           `export { one } from "dep"`,
		"node_modules/dep/index.mjs":      `export const one = () => "🛫"`,
		"node_modules/dep/package.json":   `{"exports": "./index.mjs"}`,
		"node_modules/.package-lock.json": `{}`,
	})
	for _, tt := range []struct{ module, edited, text string }{
		{"a.mjs", "a.mjs", `export const one = () => "edited"`},
		{"b.mjs", "lib/word.mjs", `export const word = "edited"`},
		{"c.cjs", "lib/word.json", `{"word": "edited"}`},
		{"d.ts", "lib/typed.ts", `export const word: string = "edited"`},
		{"e.mjs", "node_modules/dep/index.mjs", `export const one = () => "edited"`},
	} {
		t.Run(tt.module, func(t *testing.T) {
			edit := func(text string) {
				edited := []string{tt.edited}
				if strings.HasPrefix(tt.edited, "node_modules/") {
					edited = append(edited, "node_modules/.package-lock.json") // as npm does
				}
				for _, name := range edited {
					if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			tl, req := r.tool(tt.module, "one"), r.req
			tl.Hints.Cacheable, tl.Hints.SideEffects = "true", "false"
			r.value(tl, `{}`)
			if e := r.run(t.Context(), tl, `{}`); !e.Cached || string(e.Value) != `"🛫"` {
				t.Errorf("%s: %s %v %+v", tt.module, e.Value, e.Cached, e.Error)
			}
			edit(tt.text)
			if e := r.run(t.Context(), tl, `{}`); e.Cached || string(e.Value) != `"edited"` {
				t.Errorf("%s: %s %v %+v", tt.module, e.Value, e.Cached, e.Error)
			}

			r.req.Yes, tl.Hints.SideEffects = false, ""
			e := r.run(t.Context(), tl, `{}`)
			if e.Needs == nil || e.Needs.Confirmation == nil {
				t.Fatalf("%s: %+v", tt.module, e)
			}
			if strings.HasPrefix(tt.edited, "node_modules/") {
				edit(tt.text + " ")
			} else {
				rewrite(t, filepath.Join(r.dir, tt.edited))
			}
			r.req.Confirm = e.Needs.Confirmation.Digest
			if e := r.run(t.Context(), tl, `{}`); e.OK || e.Needs == nil || e.Needs.Confirmation == nil {
				t.Errorf("%s: %s %+v", tt.module, e.Value, e.Error)
			}
			r.req = req
		})
	}
}

// rewrite changes the content of a file, but neither its size nor its time.
func rewrite(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Repeat([]byte(" "), int(info.Size())), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
}

func TestHandlers(t *testing.T) {
	t.Parallel()
	r := in(t, map[string]string{
		"a.mjs": `export const double = ({ n }, { settings, auth, session }) => ({ twice: n * 2 });
export default { inside() { return [this.word, 1] }, word: "w" };
export const handlers = { deep: async () => 1n };`,
		"b.cjs": `exports.plain = (args) => args; module.exports.other = { inner: () => require("node:path").basename(__filename) };`,
		"c.ts": `import { twice } from "./lib/d";
export const typed = async ({ n }: { n: number }): Promise<number> => twice(n as number);
export enum E { A }`,
		"class.mjs": `class Base { base() { return "base" } }
class Service extends Base { name = "own"; async greet() { return this.name } }
export const list = [1, 2];
export default new Service();`,
		"default.mjs": `export default function only() { return "only" }`,
		"built.cjs": `Object.defineProperty(exports, "__esModule", { value: true });
exports.default = { inner: () => "inner", nested: { deeper: () => "deeper" } };`,
		"lib/d.ts": `export const twice = (n: number): number => n * 2;`,
	})
	for _, tt := range []struct{ file, handler, args, want string }{
		{"a.mjs", "double", `{"n": 21}`, `{"twice":42}`},
		{"a.mjs", "inside", `{}`, `["w",1]`},
		{"a.mjs", "deep", `{}`, `1`},
		{"b.cjs", "plain", `{"n": 12345678901234567890, "s": [9007199254740993]}`, `{"n":12345678901234567890,"s":[9007199254740993]}`},
		{"b.cjs", "inner", `{}`, `"b.cjs"`},
		{"class.mjs", "greet", `{}`, `"own"`},
		{"class.mjs", "base", `{}`, `"base"`},
		{"default.mjs", "only", `{}`, `"only"`},
		{"default.mjs", "default", `{}`, `"only"`},
		{"built.cjs", "inner", `{}`, `"inner"`},
		{"c.ts", "typed", `{"n": 4}`, `8`},
	} {
		t.Run(tt.file, func(t *testing.T) {
			if got := r.value(r.tool(tt.file, tt.handler, "n", "s"), tt.args); got != tt.want {
				t.Errorf("%s %s: %s, want %s", tt.file, tt.handler, got, tt.want)
			}
		})
	}
}
