//go:build unix

package main

import (
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/tools/txtar"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/journal"
	"github.com/abl-lsp/abl-lsp/internal/secretservice"
)

// TestEveryCommandHasExamples checks the help of each command that a person can type.
func TestEveryCommandHasExamples(t *testing.T) {
	for _, cmd := range allCommands(completeRoot()) {
		if len(exampleLines(cmd)) == 0 {
			t.Errorf("%s --help has no example", cmd.CommandPath())
		}
		for _, line := range exampleLines(cmd) {
			if !strings.Contains(line, strings.TrimPrefix(cmd.CommandPath(), "abl-lsp ")) {
				t.Errorf("an example of %s is about another command: %s", cmd.CommandPath(), line)
			}
		}
	}
}

// completeRoot returns the program's command with all commands below it.
func completeRoot() *cobra.Command {
	root := newRoot()
	refuseUnknownCommands(root)
	addExamples(root)
	return root
}

func allCommands(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, below := range cmd.Commands() {
		all = append(all, allCommands(below)...)
	}
	return all
}

// exampleLines returns the command lines among a command's examples.
func exampleLines(cmd *cobra.Command) (lines []string) {
	for line := range strings.Lines(cmd.Example) {
		if command, ok := strings.CutPrefix(strings.TrimSpace(line), "$ "); ok {
			lines = append(lines, command)
		}
	}
	return lines
}

// TestExamples runs the examples in the help of all commands, in a project that has what they
// name.
func TestExamples(t *testing.T) {
	for _, cmd := range allCommands(completeRoot()) {
		for _, line := range exampleLines(cmd) {
			t.Run(line, func(t *testing.T) {
				p := newExampleProject(t)
				if strings.HasPrefix(cmd.CommandPath(), "abl-lsp secrets") {
					t.Setenv("DBUS_SESSION_BUS_ADDRESS", secretservice.Start(t))
					p.run(t, "echo hunter22 | abl-lsp secrets set SHOP_TOKEN", 0)
				}
				if strings.Contains(line, "history compare") {
					p.run(t, "abl-lsp run shop.tools.abl place_order --arg item=coffee --yes --allow-host 127.0.0.1", 0)
				}
				for _, run := range runID.FindAllString(line, -1) {
					p.run(t, "abl-lsp run shop.tools.abl place_order --arg item=tea --yes --allow-host 127.0.0.1", 0)
					line = strings.ReplaceAll(line, run, newestRun(t))
				}
				p.run(t, strings.Replace(line, "--http 8080", "--http 0", 1), exampleExit(line))
			})
		}
	}
}

// runID matches the id of a run.
var runID = regexp.MustCompile(`\b\d{8}T\S+`)

// newestRun returns the id of the last run in the journal.
func newestRun(t *testing.T) string {
	t.Helper()
	rows, _, err := journal.Read(executor.JournalDir(os.Getenv("ABL_STATE_DIR")), 1)
	if err != nil || len(rows) != 1 {
		t.Fatalf("the journal: %v, %v", rows, err)
	}
	return rows[0].Run
}

// exampleExit returns how an example ends here: an editor and a terminal are missing.
func exampleExit(line string) int {
	switch {
	case strings.Contains(line, "abl-lsp serve"):
		return exitFound // no editor says goodbye
	case strings.Contains(line, "--http"):
		return exitInterrupted
	}
	return exitOK
}

type exampleProject struct{ env []string }

// newExampleProject changes to a folder with the files that examples name, and starts their API.
func newExampleProject(t *testing.T) exampleProject {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/examples.txtar")
	if err != nil {
		t.Fatal(err)
	}
	api := httptest.NewServer(newAPI())
	t.Cleanup(api.Close)
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = strings.ReplaceAll(string(f.Data), "API", api.URL)
	}
	chdirToFiles(t, files)
	t.Setenv("ABL_STATE_DIR", t.TempDir())
	t.Setenv("CORAIL_TOOLS", `[{"name": "get_weather", "type": "http", "description": "🧭", "endpoint": "https://weather.example.com/"}]`)
	bin, err := filepath.Abs("bin")
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{os.Symlink(os.Args[0], filepath.Join(bin, "abl-lsp")), os.Chmod(filepath.Join(bin, "pass"), 0o700)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return exampleProject{[]string{asProgram + "=1", "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")}}
}

// run runs a line in a shell. A server that waits for Ctrl-C gets it.
func (p exampleProject) run(t *testing.T, line string, want int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", "exec "+line)
	if strings.Contains(line, "|") {
		cmd = exec.CommandContext(ctx, "sh", "-c", line)
	}
	cmd.Env = append(os.Environ(), p.env...)
	if strings.HasSuffix(line, "secrets set SHOP_TOKEN") {
		cmd.Stdin = strings.NewReader("hunter22\n")
	}
	output := &screen{}
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if want == exitInterrupted {
		output.await(t, "serving at")
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	_ = cmd.Wait() // its code counts
	if code := cmd.ProcessState.ExitCode(); code != want {
		t.Errorf("exit %d, want %d:\n%s", code, want, output)
	}
}
