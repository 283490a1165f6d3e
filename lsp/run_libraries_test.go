package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

const unboundText = `AGENT: Desk
GOAL: "🧭 Helps"
TOOLS:
  find_order(number: string) -> object
    description: "Finds 🧭"
    type: http
  refund(number: string) -> object
    description: "Two libraries bind it 🧭"
`

const boundText = `TOOLS:
  %s(number: string) -> object
    description: "🧭"
    type: http
    endpoint: "https://%s.example.com/orders/{number}"
    method: GET
`

// library writes a library that binds a tool to a host.
func (f testFolder) library(name, tool, host string) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Dir(f.join(name)), 0o700); err != nil {
		f.t.Fatal(err)
	}
	f.write(name, fmt.Sprintf(boundText, tool, host))
}

// TestToolBoundByLibrary runs a tool that is declared without a binding. The library of
// its workspace binds it, in a folder of the editor and outside of all folders. Hover and
// definition show the library, and nothing is reported.
func TestToolBoundByLibrary(t *testing.T) {
	for name, folders := range map[string]bool{"in a folder": true, "outside": false} {
		t.Run(name, func(t *testing.T) {
			f := newTestFolder(t)
			f.library("tools/orders.tools.abl", "find_order", "api")
			f.library("tools/refund.tools.abl", "refund", "api")
			f.library("tools/more/refund.tools.abl", "refund", "other")
			f.write("desk.agent.abl", unboundText)
			c := startClient(t, newRunner().serve)
			options := []func(*protocol.InitializeParams){lsptest.WithOptions(`{"trusted":true}`)}
			if folders {
				options = append(options, lsptest.WithFolders(f.path))
			}
			c.Initialize(options...)
			s := shop{testClient: c, agent: uri.File(f.join("desk.agent.abl"))}
			c.Open(s.agent, unboundText)
			wantCodes(t, c, s.agent)

			if got := s.run(t, s.argument("find_order", `,"args":{"number":"1"}`)); !got.OK {
				t.Errorf("run: %+v", got)
			}
			at := protocol.TextDocumentPositionParams{
				TextDocument: protocol.TextDocumentIdentifier{URI: s.agent}, Position: protocol.Position{Line: 3, Character: 5},
			}
			var h *protocol.Hover
			if err := c.Call(protocol.MethodTextDocumentHover, &protocol.HoverParams{TextDocumentPositionParams: at}, &h); err != nil {
				t.Fatal(err)
			}
			if said, _ := json.Marshal(h); !strings.Contains(string(said), "Bound by `tools/orders.tools.abl`, line 2: `type: http`.") {
				t.Errorf("hover: %s", said)
			}
			var places []protocol.Location
			if err := c.Call(protocol.MethodTextDocumentDefinition, &protocol.DefinitionParams{TextDocumentPositionParams: at}, &places); err != nil {
				t.Fatal(err)
			}
			if len(places) != 1 || places[0].URI != uri.File(f.join("tools/orders.tools.abl")) {
				t.Errorf("definition: %+v", places)
			}

			got := s.run(t, s.argument("refund", `,"args":{"number":"1"}`))
			if got.Error == nil || got.Error.Code != "ambiguous-binding" || !strings.Contains(got.Error.Message, "tools/more/refund.tools.abl:2, tools/refund.tools.abl:2") {
				t.Errorf("run with two bindings: %+v", got.Error)
			}
		})
	}
}

// TestRunByService runs tools by their name with the service. A name that two services
// have is refused without the service.
func TestRunByService(t *testing.T) {
	const text = `AGENT: Desk
GOAL: "🧭"
TOOLS:
  file: "./github.tools.abl"
  file: "./gitlab.tools.abl"
`
	library := func(service string) string {
		return fmt.Sprintf("TOOLS:\n  list() -> object\n    description: \"🧭\"\n    service: %s\n    type: http\n    endpoint: \"https://%[1]s.example.com\"\n    method: GET\n", service)
	}
	f := newTestFolder(t)
	f.write("github.tools.abl", library("github"))
	f.write("gitlab.tools.abl", library("gitlab"))
	c := startClient(t, newRunner().serve)
	c.Initialize(lsptest.WithFolders(f.path), lsptest.WithOptions(`{"trusted":true}`))
	s := shop{testClient: c, agent: uri.File(f.join("desk.agent.abl"))}
	c.Open(s.agent, text)
	for _, name := range []string{"github_list", "gitlab_list"} {
		t.Run(name, func(t *testing.T) {
			if got := s.run(t, s.argument(name, "")); !got.OK {
				t.Errorf("%s: %+v", name, got)
			}
		})
	}
	err := s.execute(runCommand, s.argument("list", "")).Wait(nil)
	if err == nil || !strings.Contains(err.Error(), `several services have a tool "list"; name github_list or gitlab_list`) {
		t.Errorf("list: %v", err)
	}
}
