package others_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// TestVim opens the demo's agent in a real Vim with ALE, sees the mistake, goes to a
// tool's declaration in another file, and renames it in both.
func TestVim(t *testing.T) {
	vim, ale := testdeps.FindProgram(t, "vim"), aleFolder(t)
	m := newTestMachine(t)
	vimrc, seen := filepath.Join(m.home, ".vimrc"), filepath.Join(m.home, "seen")
	m.write(t, vimrc, readSettings(t, "Vim", "vim"))

	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, vim, "-u", "NONE", "-i", "NONE", "-n", "-N", "-es", "--not-a-term", "-S", "session.vim")
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = append(m.env, "ABL_ALE="+ale, "ABL_SETTINGS="+vimrc, "ABL_SEEN="+seen,
		"ABL_AGENT="+filepath.Join(m.demo, "agents", "trip_planner.agent.abl"))
	out, err := cmd.CombinedOutput()
	text, err2 := os.ReadFile(seen)
	want := regexp.MustCompile("^abl 29 .*did you mean `GET`\\?\nindented\nget_weather\\(city: string.*\n[1-9] in the agent\n    x\nyaml.abl 1 .*YAML.*\n$")
	if err != nil || err2 != nil || !want.Match(text) {
		t.Errorf("%v, %v\n%s\nseen:\n%s", err, err2, out, text)
	}
}

// aleFolder returns the folder of ALE: the machine's, or the one from scripts/testdeps.sh.
func aleFolder(t *testing.T) string {
	t.Helper()
	for _, dir := range []string{"/usr/share/vim-ale", testdeps.CachePath("vim-ale")} {
		if _, err := os.Stat(filepath.Join(dir, "plugin", "ale.vim")); err == nil {
			return dir
		}
	}
	testdeps.SkipOrFail(t, "Vim's plugin ALE is not there")
	return ""
}
