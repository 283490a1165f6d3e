//go:build linux

package module_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// only sets PATH to a folder with a link to Node and these programs, each a file with the given
// text.
func only(t *testing.T, programs map[string]string) {
	t.Helper()
	node := testdeps.FindProgram(t, "node")
	dir := t.TempDir()
	if err := os.Symlink(node, filepath.Join(dir, "node")); err != nil {
		t.Fatal(err)
	}
	for name, text := range programs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
}

// TestWithoutJail checks that, without bubblewrap, a module runs as an ordinary process after a
// person has confirmed that.
func TestWithoutJail(t *testing.T) {
	r := in(t, map[string]string{"a.mjs": `import { execFileSync } from "node:child_process";
export const plain = async () => { console.log("here"); return execFileSync("/bin/sh", ["-c", "echo $0"]).toString() };
export const fetched = async ({ url }) => (await fetch(url)).text();
export const spin = () => { for (;;); };`})
	only(t, nil)
	r.req.Yes = false
	tl := r.tool("a.mjs", "plain")
	tl.Mutation = "false"
	e := r.fails(tl, executor.KindNeeds, "confirmation", "plain must be confirmed")
	if e.Needs.Confirmation == nil || !strings.Contains(e.Needs.Confirmation.Summary, "without a jail") || !strings.Contains(e.Needs.Confirmation.Summary, "apt install bubblewrap") {
		t.Errorf("needs %+v", e.Needs)
	}
	r.req.Confirm = e.Needs.Confirmation.Digest
	e = r.run(t.Context(), tl, `{}`)
	if string(e.Value) != `"/bin/sh\n"` || e.Console != "here\n" || len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], "apt install bubblewrap") {
		t.Errorf("%s, %+v, %q, %q", e.Value, e.Error, e.Console, e.Warnings)
	}
	r.req.Yes = true
	tl = r.tool("a.mjs", "spin")
	tl.Hints.Timeout = "1000"
	r.fails(tl, executor.KindTimeout, "timeout", "1s")
	plain, _ := servers(t)
	asked := r.tool("a.mjs", "fetched", "url")
	args := `{"url": "` + plain.URL + `"}`
	if e := r.run(t.Context(), asked, args); e.Error == nil || e.Error.Kind != executor.KindDenied {
		t.Errorf("past the guard: %s, %+v", e.Value, e.Error)
	}
	r.req.AllowHosts = []string{plain.Listener.Addr().String()}
	if e := r.run(t.Context(), asked, args); string(e.Value) != `"hello 0"` {
		t.Errorf("%s, %+v", e.Value, e.Error)
	}
}

// TestBrokenJail checks that a module does not run if bubblewrap is installed but does not work.
func TestBrokenJail(t *testing.T) {
	r := in(t, map[string]string{"a.mjs": `export const one = () => 1;`})
	only(t, map[string]string{"bwrap": "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n"})
	e := r.fails(r.tool("a.mjs", "one"), executor.KindDefinition, "jail", "which does not work here: bubblewrap: bwrap: No permissions")
	if len(e.Warnings) != 0 || !strings.Contains(e.Error.Hint, "user namespaces") {
		t.Errorf("%q %q", e.Warnings, e.Error.Hint)
	}
}
