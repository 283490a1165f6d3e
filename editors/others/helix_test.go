package others_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// TestHelix opens the demo's agent in a real Helix inside tmux, sees the mistake, goes to
// a tool's declaration in another file, and completes a word there.
func TestHelix(t *testing.T) {
	hx, tmux := testdeps.FindProgram(t, "hx"), testdeps.FindProgram(t, "tmux")
	m := newTestMachine(t)
	m.write(t, filepath.Join(m.home, ".config", "helix", "languages.toml"), readSettings(t, "Helix", "toml"))
	s := newScreen(t, m, tmux, hx, "agents/trip_planner.agent.abl")

	s.waitFor(t, "did you mean `GET`?", "Space", "d")
	s.keys(t, "Escape")
	s.waitFor(t, "1 sel  21:", "/", "get_weather", "Enter")
	s.waitFor(t, "weather.tools.abl  ", "g", "d")
	s.waitFor(t, "rate_limit", "j", "o", "rate_l") // completed as it is typed
	s.keys(t, "Escape")
	s.waitFor(t, "NOR   agents/desk.agent.yaml", ":", "open agents/desk.agent.yaml", "Enter")
	s.waitFor(t, "is not written in YAML", "Space", "d")
}

// screen is a terminal in which a program runs.
type screen struct {
	tmux, socket string
	env          []string
}

func newScreen(t *testing.T, m testMachine, tmux string, command ...string) screen {
	t.Helper()
	s := screen{tmux: tmux, socket: filepath.Join(t.TempDir(), "tmux"), env: m.env}
	t.Cleanup(func() { s.run(t, "kill-server") })
	start := append([]string{"-f", "/dev/null", "new-session", "-d", "-x", "160", "-y", "40", "-c", m.demo}, command...)
	s.run(t, start...)
	s.waitFor(t, "NOR")
	return s
}

func (s screen) run(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.tmux, append([]string{"-S", s.socket}, args...)...)
	cmd.Env = s.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (s screen) keys(t *testing.T, keys ...string) {
	t.Helper()
	s.run(t, append([]string{"send-keys"}, keys...)...)
	time.Sleep(200 * time.Millisecond) // a key too soon after Escape is read together with it
}

// waitFor presses keys until the screen shows a text: an editor drops them while its server
// is starting. Before it presses them again it closes what they have opened.
func (s screen) waitFor(t *testing.T, text string, keys ...string) {
	t.Helper()
	shown := ""
	for range 15 {
		if len(keys) > 0 {
			s.keys(t, "Escape")
			s.keys(t, keys...)
		}
		for range 10 {
			if shown = s.run(t, "capture-pane", "-p"); strings.Contains(shown, text) {
				return
			}
			time.Sleep(200 * time.Millisecond)
		}
	}
	t.Fatalf("%q is not shown:\n%s", text, shown)
}
