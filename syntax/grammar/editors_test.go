package grammar_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// TestNeovim loads the parser and every query into a real Neovim, the newest and
// the oldest version that README.md names, and checks what it shows.
func TestNeovim(t *testing.T) {
	for _, program := range []string{"nvim", "nvim-0.10"} {
		t.Run(program, func(t *testing.T) {
			nvim := testdeps.FindProgram(t, program)
			dir := t.TempDir()
			buildParser(t, filepath.Join(dir, "parser", "abl.so"))
			copyQueries(t, filepath.Join(dir, "queries", "abl"))
			cmd := command(t, nvim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-l", "test/editors/neovim.lua")
			cmd.Env = append(cmd.Env,
				"ABL_RUNTIME="+dir,
				"ABL_SAMPLE="+filepath.FromSlash("test/editors/sample.abl"),
				"ABL_CORPUS="+filepath.FromSlash("../../testdata/corpus"))
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "ok    ") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestHelix lets a real Helix build the grammar as README.md says, and checks its
// first screen: if Helix rejected a query, all would have one colour.
func TestHelix(t *testing.T) {
	hx := testdeps.FindProgram(t, "hx")
	home := helixHome(t)
	run := func(program string, args ...string) *exec.Cmd {
		cmd := command(t, program, args...)
		cmd.Env = append(cmd.Env, "HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, ".config"), "TERM=xterm-256color", "COLORTERM=truecolor")
		return cmd
	}
	if out, err := run(hx, "--grammar", "build").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	health, err := run(hx, "--health", "abl").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, health)
	}
	for _, line := range []string{"Tree-sitter parser", "Highlight queries", "Textobject queries", "Indent queries"} {
		t.Run(line, func(t *testing.T) {
			if !regexp.MustCompile(line + ":.*✓").Match(health) {
				t.Errorf("not healthy: %s\n%s", line, health)
			}
		})
	}

	if runtime.GOOS != "linux" {
		t.Skip("script(1) has other options here")
	}
	script := testdeps.FindProgram(t, "script") // gives it a terminal
	screen := firstScreen(t, run(script, "-qec", "stty cols 120 rows 60; exec '"+hx+"' test/editors/sample.abl", "/dev/null"))
	for text, color := range map[string]int{
		"TOOLS": 1, "REASONING": 1, "Night_Desk": 2, "description": 3, "entry_point": 3, "3": 4, "nights": 5, "book": 5, "well": 6,
	} {
		t.Run(text, func(t *testing.T) {
			if shown := fmt.Sprintf("\x1b[38;2;%d;0;0m%s", color, text); !strings.Contains(screen, shown) {
				t.Errorf("%s is not shown in the color %d", text, color)
			}
		})
	}
	if t.Failed() {
		t.Logf("%q", screen)
	}
}

// helixHome returns a home folder with the settings of README.md, except for the
// grammar's source, and a theme whose colours differ from the default.
func helixHome(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	config := filepath.Join(home, ".config", "helix")
	queries := filepath.Join(config, "runtime", "queries", "abl")
	copyQueries(t, queries)
	if err := os.Mkdir(filepath.Join(config, "runtime", "grammars"), 0o755); err != nil {
		t.Fatal(err)
	}
	source, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		filepath.Join(queries, "highlights.scm"): string(read(t, "queries/highlights.scm")) + string(read(t, "queries/helix/highlights.scm")),
		filepath.Join(config, "config.toml"):     "theme = \"test\"\n",
		filepath.Join(config, "languages.toml"): `use-grammars = { only = ["abl"] }
[[language]]
name = "abl"
scope = "source.abl"
file-types = ["abl"]
[[grammar]]
name = "abl"
source = { path = '` + source + `' }
`,
		filepath.Join(config, "themes", "test.toml"): `inherits = "onedark"
"keyword" = "#010000"
"type" = "#020000"
"variable.other.member" = "#030000"
"constant.numeric" = "#040000"
"function" = "#050000"
"comment" = "#060000"
`,
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// firstScreen returns the output of a program up to the last line of its sample.
func firstScreen(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	keys, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var screen strings.Builder
	quit := false
	for buffer := make([]byte, 1<<12); ; {
		n, err := output.Read(buffer)
		screen.Write(buffer[:n])
		if !quit && strings.Contains(screen.String(), "today") {
			quit = true
			if _, err := io.WriteString(keys, ":q!\r"); err != nil {
				t.Error(err)
			}
		}
		if err != nil {
			break
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%q", err, screen.String())
	}
	return screen.String()
}

// command returns a command that ends within a minute and has no settings of the user.
func command(t *testing.T, program string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = 5 * time.Second
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home, "XDG_STATE_HOME="+home, "XDG_CACHE_HOME="+home)
	return cmd
}

// buildParser compiles the parser as editors do.
func buildParser(t *testing.T, out string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		t.Fatal(err)
	}
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	text, err := command(t, cc, "-shared", "-fPIC", "-o", out, "-Isrc", "src/parser.c", "src/scanner.c").CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cc, err, text)
	}
}

func copyQueries(t *testing.T, dir string) {
	t.Helper()
	if err := os.CopyFS(dir, os.DirFS("queries")); err != nil {
		t.Fatal(err)
	}
}
