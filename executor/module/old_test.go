package module_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor/module"
)

// TestOldNode checks that a Node that is too old says so before it loads anything.
func TestOldNode(t *testing.T) {
	t.Parallel()
	needs(t)
	cmd := exec.Command("node", "-e", `Object.defineProperty(process, "versions", { value: { node: "18.20.4" } });`+module.Host())
	cmd.Stdin = strings.NewReader(`{"word": "w", "url": "file:///none.mjs"}` + "\n")
	out, err := cmd.Output()
	if want := `w{"error":{"kind":"old","message":"18.20.4"}}`; err != nil || strings.TrimSpace(string(out)) != want {
		t.Errorf("%q, %v; want %q", out, err, want)
	}
}
