package mcpserver

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestTooEarly checks that a request on a stream before the session begins gets a code of JSON-RPC.
func TestTooEarly(t *testing.T) {
	d := newServerFixture(t)
	for _, method := range []string{"tools/list", "tools/call", "prompts/list"} {
		t.Run(method, func(t *testing.T) {
			var out bytes.Buffer
			in := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"name":"get_thing","arguments":{}}}`
			if err := d.server.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
				t.Error(err)
			}
			var answer struct {
				ID    int
				Error struct{ Code int64 }
			}
			if err := json.Unmarshal(out.Bytes(), &answer); err != nil || answer.ID != 1 || answer.Error.Code != -32600 {
				t.Errorf("%s %v", out.String(), err)
			}
		})
	}
}

// TestPlainOutputs checks that the schema of a list is listed where the protocol has it, and that of a
// text nowhere.
func TestPlainOutputs(t *testing.T) {
	d := newServerFixture(t)
	d.set("TOOLS:\n  all() -> number[]\n    description: \"🧭\"\n    type: http\n    endpoint: \"API/list\"\n    method: GET\n  words() -> string\n    description: \"🧭\"\n    type: http\n    endpoint: \"API/words\"\n    method: GET\n")
	for version, want := range map[string]string{"2025-06-18": "null", "2025-11-25": "null", firstRoundsVersion: `"type":"array"`} {
		t.Run(version, func(t *testing.T) {
			s := d.connect(version, nil)
			list, err := s.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != 2 {
				t.Fatal(list, err)
			}
			output, _ := json.Marshal(list.Tools[0].OutputSchema)
			if !strings.Contains(string(output), want) || list.Tools[1].OutputSchema != nil {
				t.Errorf("%s %v", output, list.Tools[1].OutputSchema)
			}
		})
	}
}

// TestServerToolIsListed checks that a tool of another server is listed with the title and the icons
// that this server gives it.
func TestServerToolIsListed(t *testing.T) {
	const path, icons = "/project/a.tools.abl", `[{"src":"https://mcp.example/look.svg","mimeType":"image/svg+xml","sizes":["any"],"theme":"dark"}]`
	d := newServerFixture(t)
	w := model.Workspace{}.With(path, syntax.Parse("TOOLS:\n  see() -> object\n    description: \"Ours\"\n    type: mcp\n    server: \"s\"\n    server_tool: \"look\"\n")).
		With("/project/abl.yaml", syntax.Parse("servers:\n  s: {command: x}\n")).
		WithServers("/project", map[string]model.ServerListing{"s": {Tools: []tool.ServerTool{{Name: "look", Title: "Look around 🧭", Icons: json.RawMessage(icons)}}}})
	d.server.Set(invoke.All(w, path, func(string) []model.Diagnostic { return nil }), nil)
	list, err := d.connect("", nil).ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 1 {
		t.Fatal(list, err)
	}
	got := list.Tools[0]
	if raw, _ := json.Marshal(got.Icons); got.Title != "Look around 🧭" || got.Description != "Ours" || string(raw) != icons {
		t.Errorf("%+v %s", got, raw)
	}
}

// TestToolsetsShareKey checks that the state of a call's questions is valid at every path of a process.
func TestToolsetsShareKey(t *testing.T) {
	d := newServerFixture(t)
	d.server.SetToolsets([]Toolset{{Name: "writes", Tools: d.tools}})
	endpoint := d.serving()
	call := func(path string, p *sdk.CallToolParams) *sdk.CallToolResult {
		s := d.join(&sdk.StreamableClientTransport{Endpoint: endpoint + path}, firstRoundsVersion, &sdk.ClientOptions{
			Capabilities:   &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{Form: &sdk.FormElicitationCapabilities{}}},
			MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true},
		})
		defer s.Close()
		if path != "" && s.InitializeResult().ServerInfo.Title != "writes" {
			t.Errorf("the server is called %q", s.InitializeResult().ServerInfo.Title)
		}
		p.Name, p.Arguments = "make_thing", json.RawMessage(`{"name":"a"}`)
		r, err := s.CallTool(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	asked := call("/writes", &sdk.CallToolParams{})
	yes := sdk.InputResponseMap{"confirm": &sdk.ElicitResult{Action: "accept"}}
	if r := call("", &sdk.CallToolParams{RequestState: asked.RequestState, InputResponses: yes}); r.IsError || r.NeedsInput() {
		t.Errorf("%+v", r)
	}
}
