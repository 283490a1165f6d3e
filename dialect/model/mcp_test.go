package model_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/model"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// examples returns the tools in the example files of all systems.
func examples(t *testing.T) (tools []tool.Tool) {
	t.Helper()
	names, err := filepath.Glob("../testdata/*.*")
	if err != nil || len(names) == 0 {
		t.Fatal("no examples", err)
	}
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range dialect.Read(name, string(source)).Tools {
			tools = append(tools, d.Tool)
		}
	}
	return tools
}

// TestMCP checks that the protocol's own library reads what is written as a list of tools, and that
// a client of a server with these tools gets them.
func TestMCP(t *testing.T) {
	w := model.WriteMCP(examples(t), nil)
	var list mcp.ListToolsResult
	d := json.NewDecoder(bytes.NewReader([]byte(w.Text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) < 10 {
		t.Fatalf("%d tools", len(list.Tools))
	}
	listed := tell(t, list.Tools)
	if len(listed) != len(list.Tools) {
		t.Errorf("%d tools were told of %d", len(listed), len(list.Tools))
	}
	for _, one := range list.Tools {
		if diff := cmp.Diff(asJSON(t, one), asJSON(t, listed[one.Name])); diff != "" {
			t.Errorf("(-written +listed):\n%s", diff)
		}
	}
}

// tell returns the tools that a client gets from a server that offers them.
func tell(t *testing.T, tools []*mcp.Tool) map[string]*mcp.Tool {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil)
	for _, one := range tools {
		server.AddTool(one, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{}, nil
		})
	}
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), here, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "c"}, nil).Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	listed := map[string]*mcp.Tool{}
	for one, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		listed[one.Name] = one
	}
	return listed
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	var plain any
	if err := json.Unmarshal(exactjson.EncodeOrNil(v), &plain); err != nil {
		t.Fatal(err)
	}
	return string(exactjson.EncodeOrNil(plain))
}

// TestInputWithoutType checks that the arguments are an object even if their schema has no type.
func TestInputWithoutType(t *testing.T) {
	one := tool.Tool{Name: "f", Description: "d", Common: tool.Common{InputSchema: json.RawMessage(`{"properties": {"🛫": {"type": "string"}}, "required": ["🛫"]}`)}}
	for name, write := range map[string]func([]tool.Tool, tool.Object) foreign.WriteResult{
		"MCP":    model.WriteMCP,
		"OpenAI": model.WriteOpenAI,
	} {
		t.Run(name, func(t *testing.T) {
			if w := write([]tool.Tool{one}, nil); !strings.Contains(w.Text, `"🛫": {`) || strings.Contains(strings.Join(foreign.LossTexts(w.Lost), ""), "input_schema") {
				t.Errorf("%s\n%s", w.Text, w.Lost)
			}
		})
	}
}

// TestReferredInput checks that parameters in a part to which the schema refers are shown, except
// those that callers do not see.
func TestReferredInput(t *testing.T) {
	text := &tool.Type{Name: "string"}
	one := tool.Tool{
		Name: "f", Description: "d", Params: []tool.Param{{Name: "seen", Type: text}, {Name: "unseen", Type: text, Hidden: true}},
		Common: tool.Common{InputSchema: json.RawMessage(`{"$ref": "#/$defs/In", "$defs": {"In": {"type": "object", "properties": {"seen": {}, "unseen": {}}, "required": ["seen", "unseen"]}}}`)},
	}
	for name, write := range map[string]func([]tool.Tool, tool.Object) foreign.WriteResult{
		"MCP":    model.WriteMCP,
		"OpenAI": model.WriteOpenAI,
	} {
		t.Run(name, func(t *testing.T) {
			w := write([]tool.Tool{one}, nil)
			messages := strings.Join(append(foreign.LossTexts(w.Lost), w.Notes...), "\n")
			if !strings.Contains(w.Text, `"seen": {}`) || strings.Contains(w.Text, "unseen") || !strings.Contains(w.Text, `"type": "object",`) || strings.Contains(messages, "not one of an object") {
				t.Errorf("%s\n%s", w.Text, messages)
			}
		})
	}
}
