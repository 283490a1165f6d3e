//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// completionFiles is a project whose names have characters that shells treat in their own ways.
var completionFiles = map[string]string{
	"abl.yaml": "environments:\n  development: {}\n  production: {protected: true}\n",
	"shop.tools.abl": "TOOLS:\n  order(size: string, gift: boolean, note?: string) -> object\n    description: \"Orders: one 🧭\"\n" +
		"    type: http\n    endpoint: \"http://127.0.0.1:1/\"\n    method: POST\n    parameters:\n      size: {allowed_values: [small, \"very large\", \"a:b\"]}\n",
	"shop.cases.yaml": "order:\n  - {name: in june, args: {size: small}, tags: [quick]}\n  - {name: \"a:b=c\", args: {size: small}}\n",
}

// completions are what a person types before Tab, and the line after it.
var completions = []struct{ typed, want string }{
	{"abl-lsp ch", "abl-lsp check "},
	{"abl-lsp --vers", "abl-lsp --version "},
	{"abl-lsp run shop.to", "abl-lsp run shop.tools.abl "},
	{"abl-lsp run shop.tools.abl o", "abl-lsp run shop.tools.abl order "},
	{"abl-lsp run shop.tools.abl order --arg g", "abl-lsp run shop.tools.abl order --arg gift="},
	{"abl-lsp run shop.tools.abl order --arg gift=t", "abl-lsp run shop.tools.abl order --arg gift=true "},
	{"abl-lsp run shop.tools.abl order --arg=gift=t", "abl-lsp run shop.tools.abl order --arg=gift=true "},
	{"abl-lsp run shop.tools.abl order --arg size=v", `abl-lsp run shop.tools.abl order --arg size=very\ large `},
	{"abl-lsp run shop.tools.abl order --arg size=a", "abl-lsp run shop.tools.abl order --arg size=a:b "},
	{"abl-lsp run shop.tools.abl order --case i", `abl-lsp run shop.tools.abl order --case in\ june `},
	{"abl-lsp run shop.tools.abl order --case a", "abl-lsp run shop.tools.abl order --case a:b=c "},
	{"abl-lsp run shop.tools.abl order --environment d", "abl-lsp run shop.tools.abl order --environment development "},
	{"abl-lsp check --format=js", "abl-lsp check --format=json "},
	{"abl-lsp check --color al", "abl-lsp check --color always "},
	{"abl-lsp export --to op", "abl-lsp export --to openai "},
	{"abl-lsp explain undefined-st", "abl-lsp explain undefined-step "},
	{"abl-lsp test --tag q", "abl-lsp test --tag quick "},
	{"abl-lsp test --filter o", "abl-lsp test --filter order/"},
	{"abl-lsp secrets rem", "abl-lsp secrets remove "},
}

// TestCompletionInShells types the beginnings of command lines in real shells, and presses Tab.
func TestCompletionInShells(t *testing.T) {
	// zsh from Debian's package, unpacked, does not find its own files.
	const zshFiles = "[[ -z $ZSH_ROOT ]] || { module_path=($ZSH_ROOT/usr/lib/*/zsh/*(/)) fpath=($ZSH_ROOT/usr/share/zsh/functions/**/*(/)); zmodload zsh/zle && setopt zle }; "
	for _, shell := range []struct{ name, options, setUp string }{
		{"bash", "--norc --noprofile -i", "source <(abl-lsp completion bash)"},
		{"zsh", "-f -i", zshFiles + "autoload -Uz compinit; compinit -u -D; source <(abl-lsp completion zsh)"},
		{"fish", "--private --no-config", "set -g fish_autosuggestion_enabled 0; abl-lsp completion fish | source"},
	} {
		t.Run(shell.name, func(t *testing.T) {
			program := testdeps.FindProgram(t, shell.name)
			if shell.name == "zsh" && exec.Command(program, "-f", "-c", zshFiles+"zmodload zsh/zle").Run() != nil {
				testdeps.SkipOrFail(t, "zsh has no line editor")
			}
			s := startShell(t, exec.Command(program, strings.Fields(shell.options)...))
			s.enter(t, shell.setUp+"; echo is-''ready")
			s.screen.await(t, "is-ready")
			for _, tt := range completions {
				t.Run(tt.typed, func(t *testing.T) { s.complete(t, tt.typed, tt.want) })
			}
		})
	}
}

// shellSession is a shell in a terminal, in a folder of its own.
type shellSession struct {
	tty    *os.File
	screen *screen
}

func startShell(t *testing.T, cmd *exec.Cmd) shellSession {
	t.Helper()
	chdirToFiles(t, completionFiles)
	bin := t.TempDir()
	if err := os.Symlink(os.Args[0], filepath.Join(bin, "abl-lsp")); err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+t.TempDir(), "HOME="+t.TempDir(),
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "TERM=xterm", "PS1=$ ", "LC_ALL=C.UTF-8")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: 200})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it has nothing to save
		_ = cmd.Wait()
		_ = tty.Close()
	})
	return shellSession{tty, watch(tty)}
}

func (s shellSession) enter(t *testing.T, line string) {
	t.Helper()
	typeLine(t, s.tty, line)
}

// complete types the beginning of a line and Tab, and waits until the line is as wanted.
func (s shellSession) complete(t *testing.T, typed, want string) {
	t.Helper()
	before := len(s.screen.String())
	if _, err := s.tty.WriteString(typed + "\t"); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		got := visible(s.screen.String()[before:])
		if strings.HasSuffix(got, want) {
			break
		}
		if time.Now().After(end) {
			t.Errorf("%q becomes %q, want %q", typed, got, want)
			break
		}
	}
	if _, err := s.tty.WriteString("\x15"); err != nil { // delete the line
		t.Fatal(err)
	}
}

// visible returns what a terminal shows of the last line, from its first word on.
func visible(output string) string {
	output = output[strings.LastIndex(output, "\n")+1:]
	if i := strings.LastIndex(output, "abl-lsp "); i >= 0 {
		output = output[i:]
	}
	var b strings.Builder
	for len(output) > 0 {
		if output[0] == '\r' { // the cursor goes back to the end of what is shown
			break
		}
		if rest, isEscape := strings.CutPrefix(output, "\x1b["); isEscape {
			output = strings.TrimLeft(rest, "0123456789;?")
			output = output[min(1, len(output)):]
			continue
		}
		b.WriteByte(output[0])
		output = output[1:]
	}
	return b.String()
}
