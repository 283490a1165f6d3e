//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/docs"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/journal"
)

// shellFiles are files for which each command has something to say.
var shellFiles = map[string]string{
	"abl.yaml":        "environments: {dev: {}}\n",
	"shop.cases.yaml": "wait_little:\n  - {name: passes, args: {duration: 1ms}}\n  - {name: fails 🧭, args: {duration: 1ms}, expect: {ok: false}}\n",
	"shop.tools.abl": `TOOLS:
  wait_little(duration: string) -> string
    description: "Waits 🧭"
    type: builtin
    builtin: wait
  purge()   -> object
    type: http
    endpoint: "http://127.0.0.1:1/"
    method: DELETE
`,
	"wrong.tools.abl": "TOOLS:\n  look() -> object\n    type: http\n    method: GTE\n    endpoint: \"https://🧭.example.com\"\n",
}

// inTerminal returns what the program shows in a terminal of 60 columns, and its exit code.
// The lines end as in files.
func inTerminal(t *testing.T, env []string, args ...string) (string, int) {
	t.Helper()
	command := exec.Command(os.Args[0], args...)
	command.Env = append(append(os.Environ(), asProgram+"=1", "TERM=xterm"), env...)
	tty, err := pty.StartWithSize(command, &pty.Winsize{Rows: 40, Cols: 60})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	var shown bytes.Buffer
	_, _ = shown.ReadFrom(tty) // it ends with an error when the program ends
	_ = command.Wait()         // its code counts
	return strings.ReplaceAll(shown.String(), "\r\n", "\n"), command.ProcessState.ExitCode()
}

// withoutTerminal returns what the program writes into a pipe, and its exit code.
func withoutTerminal(t *testing.T, args ...string) (string, int) {
	t.Helper()
	command := exec.Command(os.Args[0], args...)
	command.Env = append(os.Environ(), asProgram+"=1")
	shown, _ := command.CombinedOutput() // its code counts
	return string(shown), command.ProcessState.ExitCode()
}

// TestColours checks that each command that writes text for people colours it in a terminal, that
// the text is the same otherwise, and that NO_COLOR and --color count.
func TestColours(t *testing.T) {
	chdirToFiles(t, shellFiles)
	t.Setenv("ABL_STATE_DIR", t.TempDir())
	for _, tt := range []struct{ args, want string }{
		{"check wrong.tools.abl", "\x1b[1;31merror:\x1b[0m `method` cannot be `GTE`"},
		{"check shop.tools.abl", "0 errors, 0 warnings\n"},
		{"tools shop.tools.abl", "\x1b[1mpurge\x1b[0m() -> object\n    http, \x1b[1;33mconfirm\x1b[0m"},
		{"run shop.tools.abl wait_little --arg duration=1ms", "Waited 1ms.\n"},
		{"run shop.tools.abl wait_little --arg duration=1ms --dry-run", "\x1b[1;34m\"builtin\"\x1b[0m"},
		{"run shop.tools.abl wait_little --arg dration=1ms", "\x1b[1marguments:\x1b[0m wait_little has no argument `dration`"},
		{"run wrong.tools.abl look", "\x1b[1;31merror:\x1b[0m"},
		{"test .", "\x1b[32mpass\x1b[0m  \x1b[2m./shop.cases.yaml:2\x1b[0m  wait_little/passes\n\x1b[1;31mfail\x1b[0m"},
		{"fmt --diff shop.tools.abl", "\x1b[31m-  purge()   -> object\x1b[0m\n\x1b[32m+  purge() -> object\x1b[0m\n"},
		{"export --to mcp wrong.tools.abl", "\x1b[1;31merror:\x1b[0m"},
		{"chekc", "\x1b[1;31mabl-lsp:\x1b[0m there is no command \"chekc\"; did you mean check?\n"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			args := strings.Fields(tt.args)
			shown, code := inTerminal(t, []string{"NO_COLOR="}, args...)
			if !strings.Contains(shown, tt.want) {
				t.Errorf("%q is not in %q", tt.want, shown)
			}
			piped, pipedCode := withoutTerminal(t, args...)
			if diff := cmp.Diff(piped, sequence.ReplaceAllString(shown, "")); diff != "" || code != pipedCode || strings.Contains(piped, "\x1b") {
				t.Errorf("exit %d and %d; in a pipe -, in a terminal +:\n%s", pipedCode, code, diff)
			}
			for _, without := range [][]string{{"NO_COLOR=1"}, {"TERM=dumb"}} {
				if plain, _ := inTerminal(t, without, args...); plain != piped {
					t.Errorf("with %s: %q", without, plain)
				}
			}
			if plain, _ := inTerminal(t, []string{"NO_COLOR="}, append(args, "--color", "never")...); plain != piped {
				t.Errorf("--color never: %q", plain)
			}
			if forced, _ := withoutTerminal(t, append(args, "--color", "always")...); forced != shown {
				t.Errorf("--color always: %q, want %q", forced, shown)
			}
		})
	}
}

// sequence matches what sets a colour.
var sequence = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestHistoryInTerminal checks that the comparison of two runs and the plot have colours in a
// terminal, and that the plot is as wide as it.
func TestHistoryInTerminal(t *testing.T) {
	chdirToFiles(t, shellFiles)
	t.Setenv("ABL_STATE_DIR", t.TempDir())
	for _, line := range []string{"wait_little --arg duration=1ms", "wait_little --arg duration=2ms", "purge --yes"} {
		withoutTerminal(t, append([]string{"run", "shop.tools.abl"}, strings.Fields(line)...)...)
	}
	rows, _, err := journal.Read(executor.JournalDir(os.Getenv("ABL_STATE_DIR")), 0)
	if err != nil || len(rows) != 3 {
		t.Fatalf("%v, %v", rows, err)
	}
	for line, want := range map[string][]string{
		"history compare " + rows[1].Run: {"\x1b[1m--- ", "\n\x1b[31m-  \"duration\": \"1ms\"\x1b[0m\n\x1b[32m+  \"duration\": \"2ms\"\x1b[0m\n"},
		"history --plot":                 {"\x1b[1mwait_little\x1b[0m  shop.tools.abl\n2 runs, none failed, median ", "\x1b[32m•\x1b[0m", "\x1b[1mpurge\x1b[0m  "},
		"history --plot --outcome " + executor.OutcomeOf(rows[0]): {"\x1b[1mpurge\x1b[0m  "},
	} {
		t.Run(line, func(t *testing.T) {
			args := strings.Fields(line)
			shown, code := inTerminal(t, []string{"NO_COLOR="}, args...)
			for _, part := range want {
				if code != 0 || !strings.Contains(shown, part) {
					t.Errorf("exit %d, %q is not in %q", code, part, shown)
				}
			}
			plain := sequence.ReplaceAllString(shown, "")
			for row := range strings.Lines(plain) {
				if strings.HasPrefix(line, "history --plot") && utf8.RuneCountInString(strings.TrimSpace(row)) > 60 {
					t.Errorf("wider than the terminal: %s", row)
				}
			}
			if got, _ := inTerminal(t, []string{"NO_COLOR=1"}, args...); got != plain {
				t.Errorf("with NO_COLOR: %q", got)
			}
			if got, _ := withoutTerminal(t, args...); strings.Contains(got, "\x1b") {
				t.Errorf("without a terminal: %q", got)
			}
		})
	}
}

// TestFormatsForPrograms checks that what programs read is the same in a terminal, byte by byte.
func TestFormatsForPrograms(t *testing.T) {
	chdirToFiles(t, shellFiles)
	t.Setenv("ABL_STATE_DIR", t.TempDir())
	t.Setenv("NO_COLOR", "")
	unstable := regexp.MustCompile(`"(run|started|duration_ms|start_ms)": [^\n]*|time(stamp)?="[^"]*"`)
	for _, line := range []string{
		"check . --format json", "check . --format sarif", "check . --format junit", "check . --format github",
		"tools . --format json", "run shop.tools.abl wait_little --arg duration=600ms --format json",
		"run shop.tools.abl purge --format json", "run shop.tools.abl wait_little --format json --arg drtion=1s",
		"test . --format json", "test . --format junit", "history --format json", "history --plot --format json", "version --format json",
		"history revert none --format json", "export --to mcp shop.tools.abl",
		"check . --format json --color always", "test . --format json --color always",
	} {
		t.Run(line, func(t *testing.T) {
			args := strings.Fields(line)
			piped, code := withoutTerminal(t, args...)
			shown, shownCode := inTerminal(t, nil, args...)
			normal := func(text string) string { return unstable.ReplaceAllString(text, "$1") }
			if diff := cmp.Diff(normal(piped), normal(shown)); diff != "" || code != shownCode || strings.Contains(shown, "\x1b[") {
				t.Errorf("exit %d and %d; in a pipe -, in a terminal +:\n%s", code, shownCode, diff)
			}
		})
	}
}

// TestSpinner checks that a long run shows how long it takes, and leaves nothing of that.
func TestSpinner(t *testing.T) {
	chdirToFiles(t, shellFiles)
	t.Setenv("ABL_STATE_DIR", t.TempDir())
	t.Setenv("NO_COLOR", "1")
	for line, want := range map[string]string{
		"run shop.tools.abl wait_little --arg duration=1200ms": "Waited 1.2s.",
		"test . --filter passes":                               "1 passed, 0 failed",
	} {
		t.Run(line, func(t *testing.T) {
			if strings.HasPrefix(line, "test") {
				slow := strings.ReplaceAll(shellFiles["shop.cases.yaml"], "1ms", "1200ms")
				if err := os.WriteFile("shop.cases.yaml", []byte(slow), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			shown, code := inTerminal(t, nil, strings.Fields(line)...)
			if code != exitOK || !regexp.MustCompile(`[⠋-⠿] (wait_little|1 case) \d+\.\d s`).MatchString(shown) {
				t.Errorf("exit %d: %q", code, shown)
			}
			if left := onScreen(shown); !strings.HasSuffix(left, want+"\n") || strings.Contains(left, " s ") {
				t.Errorf("on the screen is %q", left)
			}
		})
	}
}

// onScreen returns the lines that a terminal shows after the output of a program, which may
// have written over them.
func onScreen(output string) string {
	var screen strings.Builder
	for line := range strings.Lines(output) {
		text, _ := strings.CutSuffix(line, "\n")
		var cells []rune
		column := 0
		for _, r := range text {
			switch r {
			case '\r':
				column = 0
			case '\b':
				column = max(0, column-1)
			default:
				cells = slices.Grow(cells, 1)
				if column == len(cells) {
					cells = append(cells, r)
				}
				cells[column] = r
				column++
			}
		}
		screen.WriteString(strings.TrimRight(string(cells), " ") + "\n")
	}
	return screen.String()
}

// TestExplainInTerminal checks that a page fits into the terminal there, and is unchanged elsewhere.
func TestExplainInTerminal(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	for _, args := range [][]string{{"explain", "undefined-step"}, {"explain"}} {
		shown, _ := inTerminal(t, nil, args...)
		for line := range strings.Lines(sequence.ReplaceAllString(shown, "")) {
			if n := columns(strings.TrimRight(line, "\n")); n > 60 && !strings.HasPrefix(line, "    ") {
				t.Errorf("%v has a line of %d columns: %s", args, n, line)
			}
		}
		if strings.ContainsAny(sequence.ReplaceAllString(shown, "")[:1], "#\x1b") || !strings.Contains(shown, "\x1b[1mundefined-step\x1b[0m") {
			t.Errorf("%v shows %q", args, shown)
		}
	}
	page, _ := withoutTerminal(t, "explain", "undefined-step")
	if want, _ := docs.Find("undefined-step"); page != want.Text {
		t.Errorf("in a pipe: %q", page)
	}
}

// TestMarkdownForTerminal checks what becomes of each mark.
func TestMarkdownForTerminal(t *testing.T) {
	const page = "# A `code`\n\nOne two three four\nfive [six](seven.md) **eight 🧭**.\n\n- a `b c` d\n  e\n1. f\n\n```yaml\na:  b # no change here at all\n```\n\n| a | b |\n|---|---|\n<!-- in short: x -->\n"
	const plain = "A `code`\n\nOne two three\nfour five six\neight 🧭.\n\n- a `b c` d e\n1. f\n\n    a:  b # no change here at all\n\n| a | b |\n|---|---|\n"
	if diff := cmp.Diff(plain, textWriter{}.paintMarkdown(page, 13)); diff != "" {
		t.Error(diff)
	}
	coloured := textWriter{coloured: true}.paintMarkdown(page, 80)
	for _, want := range []string{"\x1b[1mA `code`\x1b[0m\n", "six \x1b[1meight 🧭\x1b[0m.", "- a \x1b[36mb c\x1b[0m d e\n", "    \x1b[36ma:  b #"} {
		if !strings.Contains(coloured, want) {
			t.Errorf("%q is not in %q", want, coloured)
		}
	}
}
