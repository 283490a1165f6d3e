//go:build linux

package module_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/jail"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestJail checks that a module sees its folder and what Node looks for above it, and reaches
// nothing else. Each handler returns something that it must not get.
func TestJail(t *testing.T) {
	t.Setenv("MODULE_SECRET", "s3cret")
	r := in(t, map[string]string{
		"outside.txt":                           "s3cret",
		"project/.env":                          "TOKEN=s3cret",
		"project/.env.local":                    "TOKEN=s3cret",
		"project/src/.env":                      "TOKEN=s3cret",
		"project/beside.txt":                    "s3cret",
		"project/src/data/own.txt":              "mine",
		"project/package.json":                  `{"name": "p"}`,
		"project/node_modules/dep/package.json": `{"name": "dep", "type": "module", "exports": "./i.js"}`,
		"project/node_modules/dep/i.js":         `export const dep = "dep";`,
		"node_modules/above/index.js":           `exports.above = "above";`,
		"project/src/run.mjs": `
import fs from "node:fs"; import net from "node:net"; import { spawn, execSync } from "node:child_process"; import path from "node:path";
import { Worker } from "node:worker_threads"; import dgram from "node:dgram"; import dns from "node:dns/promises";
import { dep } from "dep"; import above from "above";
export const packages = () => [dep, above.above, process.cwd().split("/").pop(), fs.readFileSync(import.meta.dirname + "/data/own.txt", "utf8")];
export const outside = ({ dir }) => fs.readFileSync(dir + "/outside.txt", "utf8");
export const beside = ({ dir }) => fs.readFileSync(dir + "/project/beside.txt", "utf8");
export const dotenv = ({ dir }) => fs.readFileSync(dir + "/project/src/.env", "utf8") || null.empty;
export const list = ({ dir }) => fs.readdirSync(dir).includes("outside.txt") || null.hidden;
export const home = () => fs.readdirSync("/root").concat(fs.readdirSync("/home"));
export const passwd = () => fs.readFileSync("/etc/passwd", "utf8");
export const write = ({ dir }) => fs.writeFileSync(dir + "/project/src/new.txt", "x");
export const variable = () => process.env.MODULE_SECRET.length;
export const spawns = () => new Promise((done, fail) => spawn("/usr/bin/true").on("error", fail).on("exit", done));
export const executes = () => execSync("/bin/true");
export const kills = ({ pid }) => process.kill(pid, 0);
export const processes = () => fs.readdirSync("/proc").filter((n) => +n > 0).length < 4 ? null.few : 1;
export const tcp = ({ port }) => new Promise((done, fail) => { const { TCP, TCPConnectWrap, constants } = process.binding("tcp_wrap"); const t = new TCP(constants.SOCKET);
  const r = new TCPConnectWrap(); r.oncomplete = (s) => s === 0 ? done(1) : fail(new Error("status " + s)); const e = t.connect(r, "127.0.0.1", port); if (e) fail(new Error("code " + e)) });
export const udp = () => new Promise((done, fail) => dgram.createSocket("udp4").on("error", fail).send("x", 53, "127.0.0.1", (e) => e ? fail(e) : done(1)));
export const resolves = () => dns.lookup("example.com");
export const unix = () => new Promise((done, fail) => net.connect("/run/dbus/system_bus_socket", () => done(1)).on("error", fail));
export const worker = () => new Promise((done, fail) => new Worker('fetch("http://example.com").then(() => process.exit(0), () => process.exit(1))', { eval: true }).on("exit", (c) => c ? fail(new Error("exit " + c)) : done(1)));
export const kernel = () => fs.openSync("/proc/sys/kernel/core_pattern", "r+");
export const scratch = () => { fs.writeFileSync("/tmp/x", "1"); return fs.readdirSync("/tmp").filter((n) => n === "x").length };
export const told = () => [process.argv, process.execArgv, process.env, fs.readFileSync("/proc/self/cmdline", "utf8"), fs.readFileSync("/proc/self/environ", "utf8"), fs.readFileSync("/proc/1/cmdline", "utf8")];
`,
	})
	r.req.Environment.Root = filepath.Join(r.dir, "project")
	r.req.Environment.Secrets.Dotenv = filepath.Join(r.dir, "project", ".env")
	plain, _ := servers(t)
	port := plain.Listener.Addr().(*net.TCPAddr).Port
	call := func(name string) executor.Envelope {
		tl := r.tool("project/src/run.mjs", name, "dir", "pid", "port")
		return r.run(t.Context(), tl, fmt.Sprintf(`{"dir": %q, "pid": %d, "port": %d}`, r.dir, os.Getpid(), port))
	}
	if e := call("packages"); string(e.Value) != `["dep","above","project","mine"]` {
		t.Errorf("packages: %s, %+v", e.Value, e.Error)
	}
	if e := call("scratch"); string(e.Value) != `1` {
		t.Errorf("scratch: %s, %+v", e.Value, e.Error)
	}
	for _, name := range []string{
		"outside", "beside", "dotenv", "list", "home", "passwd", "write", "variable", "spawns", "executes", "kills", "processes",
		"tcp", "udp", "resolves", "unix", "worker", "kernel",
	} {
		t.Run(name, func(t *testing.T) {
			if e := call(name); e.Error == nil || e.Error.Kind != executor.KindSandbox {
				t.Errorf("%s: %s, %+v", name, e.Value, e.Error)
			} else {
				t.Logf("%s: %s", name, e.Error.Message)
			}
		})
	}
	r.req.Secrets = map[string]string{"TOKEN": "s3cret-of-the-call"}
	r.req.Environment.Services = map[string]tool.Service{"s": {Auth: []byte(`{"token": "{{secrets.TOKEN}}"}`)}}
	told := r.tool("project/src/run.mjs", "told")
	told.Namespace = "s"
	e := r.run(t.Context(), told, `{}`)
	if e.Error != nil || strings.Contains(string(e.Value), "s3cret") || strings.Contains(string(e.Value), "TOKEN") {
		t.Errorf("told: %s, %+v", e.Value, e.Error)
	}
}

// TestJailLinks checks that links of a project show no file of the person, and do not make its
// secrets readable.
func TestJailLinks(t *testing.T) {
	r := in(t, map[string]string{
		"home/keys/id":                   "s3cret",
		"shared/node_modules/p/index.js": `exports.p = "p";`,
		"real/sub/[id]/.env":             "TOKEN=s3cret",
		"real/sub/[id]/conf/own":         "TOKEN=s3cret",
		"real/sub/[id]/keys/env":         "TOKEN=s3cret",
		"real/sub/[id]/run.mjs": `import fs from "node:fs";
export const read = ({ path }) => fs.readFileSync(path, "utf8") || null.empty;
export const find = async ({ name }) => Object.keys(await import(name));`,
	})
	link := func(to, at string) {
		t.Helper()
		if err := os.Symlink(filepath.Join(r.dir, to), filepath.Join(r.dir, at)); err != nil {
			t.Fatal(err)
		}
	}
	link("home", "real/node_modules")
	link("home/keys/id", "real/package.json")
	link("home/keys/id", "real/sub/[id]/id")
	link("shared/node_modules", "real/sub/node_modules")
	link("real/sub/[id]/keys/env", "real/sub/[id]/.env.local")
	link("real", "project")
	r.req.Environment.Root = filepath.Join(r.dir, "project")
	r.req.Environment.Secrets.Dotenv = filepath.Join(r.dir, "project/sub/[id]/conf/own")
	for _, path := range []string{
		"real/node_modules/keys/id", "real/package.json", "real/sub/[id]/id",
		"real/sub/[id]/.env", "real/sub/[id]/.env.local", "real/sub/[id]/keys/env", "real/sub/[id]/conf/own",
	} {
		t.Run(path, func(t *testing.T) {
			e := r.run(t.Context(), r.tool("project/sub/[id]/run.mjs", "read", "path"), fmt.Sprintf(`{"path": %q}`, filepath.Join(r.dir, path)))
			if e.Error == nil || e.Error.Kind != executor.KindSandbox {
				t.Errorf("%s: %s, %+v", path, e.Value, e.Error)
			}
		})
	}
	if got := r.value(r.tool("project/sub/[id]/run.mjs", "find", "name"), `{"name": "p"}`); !strings.Contains(got, `"p"`) {
		t.Errorf("packages by a link: %s", got)
	}
}

// TestSharedFolder checks that a module in a folder that everyone shares is refused.
func TestSharedFolder(t *testing.T) {
	r := in(t, nil)
	f, err := os.CreateTemp(jail.Dir, "abl-lsp-*.mjs")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = os.Remove(f.Name()) })
	_, err = f.WriteString("export const one = () => 1;")
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	r.fails(r.tool(f.Name(), "one"), executor.KindDefinition, "module", "lies in /tmp, all of which it would see")
}
