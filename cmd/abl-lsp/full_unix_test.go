//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFullDisk checks that a run is made, and warns, if the journal has no room for it.
func TestFullDisk(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.tools.abl")
	const text = "TOOLS:\n  now() -> object\n    type: builtin\n    builtin: datetime\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `ulimit -f 0; exec "$0" run "$1" now --format json`, os.Args[0], file)
	cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+t.TempDir())
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), `"ok": true`) || strings.Count(stderr.String(), "warning: the journal of runs cannot be written: ") != 1 {
		t.Errorf("%v, %s\n%s", err, &stderr, out)
	}
}
