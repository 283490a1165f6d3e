package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/creack/pty"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// askingTools returns a file with tools of the protocol's reference server, which ask the person.
func askingTools(t *testing.T) (file string) {
	t.Helper()
	node, modules := testdeps.FindNPMPackage(t, "@modelcontextprotocol/server-everything")
	dir := t.TempDir()
	file = filepath.Join(dir, "asking.tools.abl")
	for path, text := range map[string]string{
		filepath.Join(dir, "abl.yaml"): "servers:\n  everything: {transport: stdio, command: '" + node + "', args: ['" +
			filepath.Join(modules, "@modelcontextprotocol", "server-everything", "dist", "index.js") + "']}\n",
		file: `TOOLS:
  introduce() -> string
    description: "Asks who the person is 🧭"
    type: mcp
    server: "everything"
    server_tool: "trigger-elicitation-request"
    hints:
      side_effects: false
  visit(url: string, errorPath: boolean) -> string
    description: "Leads to a page"
    type: mcp
    server: "everything"
    server_tool: "trigger-url-elicitation"
    hints:
      side_effects: false
`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

// TestQuestionOfNestedServer checks that abl-lsp mcp passes the question of a server that it calls to
// its own client, and the answer back.
func TestQuestionOfNestedServer(t *testing.T) {
	file := askingTools(t)
	for _, version := range []string{"2025-11-25", ""} {
		t.Run("version "+version, func(t *testing.T) {
			t.Parallel()
			var questions []string
			client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
				Capabilities: &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{Form: &sdk.FormElicitationCapabilities{}, URL: &sdk.URLElicitationCapabilities{}}},
				ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
					questions = append(questions, r.Params.Message+r.Params.URL)
					if r.Params.URL != "" {
						return &sdk.ElicitResult{Action: "accept"}, nil
					}
					return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada 🧭"}}, nil
				},
			})
			cmd := exec.CommandContext(t.Context(), os.Args[0], "mcp", file)
			cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+t.TempDir())
			session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, &sdk.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			for _, call := range []struct {
				name            string
				args            any
				asked, answered string
			}{
				{"introduce", nil, "everything asks: Please provide inputs", "Ada 🧭"},
				{"visit", map[string]any{"url": "https://abl.example/page", "errorPath": true}, "https://abl.example/page", "completed the URL elicitation"},
			} {
				t.Run(call.name, func(t *testing.T) {
					result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: call.name, Arguments: call.args})
					if err != nil {
						t.Fatal(err)
					}
					raw, _ := result.MarshalJSON()
					if all := strings.Join(questions, "\n"); !strings.Contains(all, call.asked) || !strings.Contains(string(raw), call.answered) {
						t.Errorf("asked %q, answered %s", all, raw)
					}
				})
			}
		})
	}
}

// TestServerAsksAtTerminal answers a server's form at a terminal.
func TestServerAsksAtTerminal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a pseudo-terminal of Unix is needed; Windows has none")
	}
	cmd := exec.Command(os.Args[0], "run", askingTools(t), "introduce")
	cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+t.TempDir(), "NO_COLOR=1")
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	screen := watch(tty)
	screen.await(t, "everything asks: Please provide inputs")
	screen.await(t, "String, Your full, legal name (string): ")
	typeLine(t, tty, "Ada")
	screen.await(t, "Boolean, Agree to the terms and conditions (boolean; ")
	typeLine(t, tty, "y")
	for range 20 { // the other fields are optional
		typeLine(t, tty, "")
	}
	screen.await(t, "Name: Ada")
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, screen)
	}
}
