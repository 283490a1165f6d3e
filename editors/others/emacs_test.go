package others_test

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// TestEmacs opens the demo's agent in a real Emacs with eglot, sees the mistake, and
// goes to a tool's declaration in another file.
func TestEmacs(t *testing.T) {
	emacs := testdeps.FindProgram(t, "emacs")
	m := newTestMachine(t)
	init := filepath.Join(m.home, "init.el")
	m.write(t, init, readSettings(t, "Emacs", "elisp"))

	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, emacs, "--batch", "--load", "emacs.el")
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = append(m.env, "ABL_SETTINGS="+init, "ABL_AGENT="+filepath.Join(m.demo, "agents", "trip_planner.agent.abl"))
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("ok    YAML")) {
		t.Errorf("%v\n%s", err, out)
	}
}
