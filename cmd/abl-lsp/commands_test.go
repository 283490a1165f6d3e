package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

const commandTools = `TOOLS:
  look(id: string) -> {said: string}
    description: "The first 🛫"
    type: http
    endpoint: "API/1/{id}"
    method: GET
    service: shop
    version: "1"
  look(id: string) -> {said: string}
    description: "The second"
    type: http
    endpoint: "API/2/{id}"
    method: GET
    service: shop
    version: "2"
  whose() -> {said: string}
    description: "Whose session it is"
    type: http
    endpoint: "API/whose"
    method: POST
    body: |
      {"user": "{{session.user.id}}"}
    hints:
      side_effects: false
`

// commandSession is an editor connected to the program itself, with a file of tools.
type commandSession struct {
	*lsptest.Client
	t           *testing.T
	state, file string
}

func newCommandSession(t *testing.T) commandSession {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var sent struct{ User string }
		_ = json.NewDecoder(r.Body).Decode(&sent) // a GET sends none
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"said": %q}`, r.URL.Path+sent.User)
	}))
	t.Cleanup(api.Close)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := commandSession{t: t, state: t.TempDir(), file: filepath.Join(dir, "a.tools.abl")}
	if err := os.WriteFile(s.file, []byte(strings.ReplaceAll(commandTools, "API", api.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Client, _ = startProgram(t, s.state, dir)
	return s
}

// command returns the answer to a command, byte by byte.
func (s commandSession) command(name, more string) string {
	s.t.Helper()
	argument := fmt.Sprintf(`{"uri":%q%s}`, uri.File(s.file), more)
	var raw protocol.LSPAny
	if err := s.Call(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
		Command: name, Arguments: []protocol.LSPAny{protocol.LSPAny(argument)},
	}, &raw); err != nil {
		s.t.Fatalf("%s %s: %v", name, argument, err)
	}
	return string(raw)
}

// printed returns the program's output in a shell, as JSON in one line.
func (s commandSession) printed(args ...string) string {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), os.Args[0], append(args, "--format", "json")...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+s.state)
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("%v: %v", args, err)
	}
	return inOneLine(s.t, out)
}

func inOneLine(t *testing.T, raw []byte) string {
	t.Helper()
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestCommandsAnswerNull checks that commands without a result answer with null.
func TestCommandsAnswerNull(t *testing.T) {
	s := newCommandSession(t)
	for name, more := range map[string]string{"abl.trust": `,"trusted":true`, "abl.refresh": ""} {
		t.Run(name, func(t *testing.T) {
			if got := s.command(name, more); got != "null" {
				t.Errorf("%s: %s", name, got)
			}
		})
	}
}

// TestCommandsAsPrinted checks that an editor gets the same fields as the shell prints.
func TestCommandsAsPrinted(t *testing.T) {
	s := newCommandSession(t)
	if got, want := inOneLine(t, []byte(s.command("abl.tools", ""))), s.printed("tools", s.file); got != want {
		t.Errorf("abl.tools: %s, printed is %s", got, want)
	}
	s.command("abl.run", `,"tool":"look","version":"2","args":{"id":"a"}`)
	var told []map[string]any
	if err := json.Unmarshal([]byte(s.command("abl.history", `,"tool":"shop_look@2"`)), &told); err != nil || len(told) != 1 {
		t.Fatalf("%v %v", told, err)
	}
	for _, name := range []string{"uri", "revertible"} { // fields that only editors get
		delete(told[0], name)
	}
	got, err := json.Marshal(told)
	if want := s.printed("history"); err != nil || string(got) != want {
		t.Errorf("abl.history: %s, printed is %s", got, want)
	}
}

// TestCommandsTakeVersionAndSession checks that a run takes the version of a tool, by
// each of its names, and session variables, and that a preview shows them.
func TestCommandsTakeVersionAndSession(t *testing.T) {
	s := newCommandSession(t)
	for _, tt := range []struct{ more, run, preview string }{
		{`,"tool":"look","version":"1","args":{"id":"a"}`, "/1/a", "/1/a"},
		{`,"tool":"look","version":"2","args":{"id":"a"}`, "/2/a", "/2/a"},
		{`,"tool":"look@2","args":{"id":"a"}`, "/2/a", "/2/a"},
		{`,"tool":"shop_look","version":"2","args":{"id":"a"}`, "/2/a", "/2/a"},
		{`,"tool":"shop_look@2","args":{"id":"a"}`, "/2/a", "/2/a"},
		{`,"tool":"whose","session":{"user":{"id":"7 🛫"}}`, "/whose7 🛫", `"user": "7 🛫"`},
		{`,"tool":"whose","session":{"user.id":"8"}`, "/whose8", `"user": "8"`},
	} {
		t.Run(tt.more, func(t *testing.T) {
			var ran struct {
				OK    bool
				Value struct{ Said string }
			}
			raw := s.command("abl.run", tt.more)
			if err := json.Unmarshal([]byte(raw), &ran); err != nil || !ran.OK || ran.Value.Said != tt.run {
				t.Errorf("abl.run %s: %s", tt.more, raw)
			}
			if raw := strings.ReplaceAll(s.command("abl.preview", tt.more), " ", ""); !strings.Contains(raw, strings.ReplaceAll(tt.preview, " ", "")) {
				t.Errorf("abl.preview %s: %s", tt.more, raw)
			}
		})
	}
}
