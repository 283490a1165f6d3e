package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/tool"
)

func reviewPrompts() []tool.Prompt {
	text := &tool.Type{Name: "string"}
	return []tool.Prompt{
		{Name: "review", Description: "Reviews code", Arguments: []tool.Param{
			{Name: "code", Type: text, Description: "The code"},
			{Name: "lang", Type: text, Default: json.RawMessage(`"go"`), AllowedValues: []json.RawMessage{json.RawMessage(`"go"`), json.RawMessage(`"python"`), json.RawMessage(`"^c"`)}},
			{Name: "strict", Type: &tool.Type{Name: "boolean"}, Optional: true},
			{Name: "lines", Type: &tool.Type{Name: "integer"}, Default: json.RawMessage("10")},
		}, Messages: []tool.PromptMessage{{Role: "user", Content: "Review {{.code}} in {{.lang}} 🧭"}, {Role: "assistant", Content: "Gladly"}}},
		{Name: "hidden", Arguments: []tool.Param{{Name: "who", Type: text, Hidden: true}}, Messages: []tool.PromptMessage{{Content: "a"}}},
		{Name: "empty"},
	}
}

// isInvalid checks that an error is that of wrong parameters, with a text.
func isInvalid(t *testing.T, err error, want string) {
	t.Helper()
	fault, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok || fault.Code != jsonrpc.CodeInvalidParams || !strings.Contains(fault.Message, want) {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestPrompts(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			d := newServerFixture(t)
			left := d.server.SetPrompts(reviewPrompts())
			want := []string{"the prompt hidden: the value of its argument who comes from elsewhere, and only tools have such values here", "the prompt empty: it has no messages"}
			if diff := cmp.Diff(want, left); diff != "" {
				t.Error(diff)
			}
			s := d.connect(version, nil)
			list, err := s.ListPrompts(t.Context(), nil)
			if err != nil || len(list.Prompts) != 1 {
				t.Fatalf("%+v, %v", list, err)
			}
			raw, err := json.Marshal(list.Prompts[0])
			if want := `{"arguments":[{"name":"code","description":"The code","required":true},{"name":"lang"},{"name":"strict"},{"name":"lines"}],"description":"Reviews code","name":"review"}`; err != nil || string(raw) != want {
				t.Errorf("%s, %v", raw, err)
			}
			got, err := s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "review", Arguments: map[string]string{"code": "x < y"}})
			if err != nil {
				t.Fatal(err)
			}
			raw, err = json.Marshal(got.Messages)
			if want := `[{"content":{"type":"text","text":"Review x \u003c y in go 🧭"},"role":"user"},{"content":{"type":"text","text":"Gladly"},"role":"assistant"}]`; err != nil || string(raw) != want {
				t.Errorf("%s, %v", raw, err)
			}
			for want, p := range map[string]*sdk.GetPromptParams{
				"review needs code":            {Name: "review"},
				"lang: must be one of":         {Name: "review", Arguments: map[string]string{"code": "a", "lang": "rust"}},
				`unknown prompt "nope"`:        {Name: "nope"},
				`unknown prompt "hidden"`:      {Name: "hidden"},
				"lines: must be a whole numbe": {Name: "review", Arguments: map[string]string{"code": "a", "lines": "few"}},
			} {
				_, err := s.GetPrompt(t.Context(), p)
				isInvalid(t, err, want)
			}
		})
	}
}

// TestPromptsChange checks that clients are told when prompts change, and only then.
func TestPromptsChange(t *testing.T) {
	d := newServerFixture(t)
	prompts := reviewPrompts()[:1]
	d.server.SetPrompts(prompts)
	changed := make(chan struct{}, 10)
	s := d.connect("2025-06-18", &sdk.ClientOptions{PromptListChangedHandler: func(context.Context, *sdk.PromptListChangedRequest) { changed <- struct{}{} }})
	other := reviewPrompts()[:1]
	other[0].Messages[0].Content = "Another text"
	d.server.SetPrompts(other) // which clients do not see in the list
	got, err := s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "review", Arguments: map[string]string{"code": "a"}})
	if err != nil || got.Messages[0].Content.(*sdk.TextContent).Text != "Another text" {
		t.Errorf("%+v, %v", got, err)
	}
	if len(changed) > 0 {
		t.Error("clients are told of the same list")
	}
	d.server.SetPrompts(nil)
	select {
	case <-changed:
	case <-time.After(patience):
		t.Fatal("nothing is told")
	}
	if list, err := s.ListPrompts(t.Context(), nil); err != nil || len(list.Prompts) > 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestResources(t *testing.T) {
	d := newServerFixture(t)
	d.server.SetResources([]Resource{{URI: "abl://files/a.tools.abl", Name: "a.tools.abl", Description: "What it declares", Text: "# Tools 🧭\n"}})
	changed := make(chan struct{}, 10)
	s := d.connect("2025-06-18", &sdk.ClientOptions{ResourceListChangedHandler: func(context.Context, *sdk.ResourceListChangedRequest) { changed <- struct{}{} }})
	list, err := s.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 1 || list.Resources[0].MIMEType != "text/markdown" {
		t.Fatalf("%+v, %v", list, err)
	}
	read := func(uri string) string {
		t.Helper()
		got, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatal(err)
		}
		return got.Contents[0].Text
	}
	if text := read("abl://files/a.tools.abl"); text != "# Tools 🧭\n" {
		t.Error(text)
	}
	templates, err := s.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 1 || templates.ResourceTemplates[0].URITemplate != "abl://tools/{tool}" {
		t.Fatalf("%+v, %v", templates, err)
	}
	if text := read("abl://tools/get_thing"); text != "described: get_thing" {
		t.Error(text)
	}
	for _, uri := range []string{"abl://tools/never", "abl://tools/nope", "abl://files/b.tools.abl", "file:///etc/passwd", "abl://files/..%2Fa"} {
		_, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if fault, ok := errors.AsType[*jsonrpc.Error](err); !ok || fault.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s: %v", uri, err)
		}
	}
	d.server.SetResources(nil)
	select {
	case <-changed:
	case <-time.After(patience):
		t.Fatal("nothing is told")
	}
}

func TestComplete(t *testing.T) {
	d := newServerFixture(t)
	d.server.SetPrompts(reviewPrompts())
	s := d.connect("2025-06-18", nil)
	prompt, tools := &sdk.CompleteReference{Type: "ref/prompt", Name: "review"}, &sdk.CompleteReference{Type: "ref/resource", URI: "abl://tools/{tool}"}
	for name, tt := range map[string]struct {
		ref             *sdk.CompleteReference
		argument, typed string
		want            []string
	}{
		"allowed values":  {prompt, "lang", "", []string{"go", "python"}},
		"begun":           {prompt, "lang", "PY", []string{"python"}},
		"nothing fits":    {prompt, "lang", "x", []string{}},
		"boolean":         {prompt, "strict", "t", []string{"true"}},
		"default":         {prompt, "lines", "", []string{"10"}},
		"any text":        {prompt, "code", "", []string{}},
		"names of tools":  {tools, "tool", "", []string{"drop_thing", "get_thing", "make_thing", "private", "slow", "words"}},
		"begun, of tools": {tools, "tool", "ma", []string{"make_thing"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := s.Complete(t.Context(), &sdk.CompleteParams{Ref: tt.ref, Argument: sdk.CompleteParamsArgument{Name: tt.argument, Value: tt.typed}})
			if err != nil || !slices.Equal(got.Completion.Values, tt.want) || got.Completion.Total != len(tt.want) || got.Completion.HasMore {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	for want, p := range map[string]*sdk.CompleteParams{
		`there is no prompt "nope"`:                 {Ref: &sdk.CompleteReference{Type: "ref/prompt", Name: "nope"}, Argument: sdk.CompleteParamsArgument{Name: "a"}},
		`the prompt "review" has no argument "cod"`: {Ref: prompt, Argument: sdk.CompleteParamsArgument{Name: "cod"}},
		`nothing is known about "x" of`:             {Ref: tools, Argument: sdk.CompleteParamsArgument{Name: "x"}},
	} {
		_, err := s.Complete(t.Context(), p)
		isInvalid(t, err, want)
	}
}

// TestToolsets checks that each toolset has its own path with its tools and prompts.
func TestToolsets(t *testing.T) {
	d := newServerFixture(t)
	d.server.SetPrompts(reviewPrompts())
	d.server.SetToolsets([]Toolset{{Name: "reads", Tools: d.tools[:1], Prompts: reviewPrompts()[:1]}, {Name: "writes", Tools: d.tools[1:3]}})
	endpoint := d.serving()
	names := func(path string) (tools, prompts []string) {
		t.Helper()
		s := d.join(&sdk.StreamableClientTransport{Endpoint: endpoint + path, DisableStandaloneSSE: true}, "2025-06-18", nil)
		defer s.Close()
		for one, err := range s.Tools(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			tools = append(tools, one.Name)
		}
		for one, err := range s.Prompts(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			prompts = append(prompts, one.Name)
		}
		return tools, prompts
	}
	for path, want := range map[string][]string{
		"":        {"drop_thing", "get_thing", "make_thing", "private", "slow", "words", "review"},
		"/reads":  {"get_thing", "review"},
		"/writes": {"drop_thing", "make_thing"},
	} {
		if tools, prompts := names(path); !slices.Equal(append(tools, prompts...), want) {
			t.Errorf("%s: %q %q", path, tools, prompts)
		}
	}
	s := d.join(&sdk.StreamableClientTransport{Endpoint: endpoint + "/reads"}, "2025-06-18", nil)
	defer s.Close()
	if text, r := d.call(s, "get_thing", `{"id":"7"}`); r.IsError {
		t.Error(text)
	}
	if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "make_thing"}); err == nil {
		t.Error("a tool of another toolset is called")
	}
	d.server.SetToolsets([]Toolset{{Name: "writes", Tools: d.tools[1:2]}})
	if tools, _ := names("/writes"); !slices.Equal(tools, []string{"make_thing"}) {
		t.Errorf("%q", tools)
	}
	if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "get_thing"}); err == nil {
		t.Error("a tool of a toolset is called that is gone")
	}
	for _, path := range []string{"/reads", "/nope", "/nope/more"} {
		r, err := http.Post(endpoint+path, "application/json", strings.NewReader(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, r.Status)
		}
	}
}
