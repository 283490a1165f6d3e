package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// completionClient sets the client's capabilities for completion, given as JSON.
func completionClient(capabilities string) func(*protocol.InitializeParams) {
	return func(p *protocol.InitializeParams) {
		p.Capabilities.TextDocument = &protocol.TextDocumentClientCapabilities{Completion: &protocol.CompletionClientCapabilities{}}
		if err := json.Unmarshal([]byte(capabilities), p.Capabilities.TextDocument.Completion); err != nil {
			panic(err)
		}
	}
}

// completionsAt returns the completions at the | of a text. typed is the character that
// triggers the request, or "" if the person asks.
func completionsAt(t *testing.T, c testClient, u uri.URI, source, typed string) (list protocol.CompletionList) {
	t.Helper()
	before, after, _ := strings.Cut(source, "|")
	c.Open(u, before+after)
	in := converter{text.NewLines(before + after).Positions(), c.server.session.load().encoding}
	params := &protocol.CompletionParams{Context: protocol.CompletionContext{TriggerKind: protocol.CompletionTriggerKindInvoked}}
	if typed != "" {
		params.Context = protocol.CompletionContext{TriggerKind: protocol.CompletionTriggerKindTriggerCharacter, TriggerCharacter: &typed}
	}
	params.TextDocument.URI, params.Position = u, in.position(len(before))
	if err := c.Call(protocol.MethodTextDocumentCompletion, params, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestBraces checks that a brace that triggers completion by itself offers nothing, so
// that Enter does not accept an item.
func TestBraces(t *testing.T) {
	c := startClient(t)
	c.Initialize()
	for i, test := range []struct {
		source, typed string
		some          bool
	}{
		{"TOOLS:\n  a(x: string) -> string\n    hints: {|}", "{", false},
		{"TOOLS:\n  a(x: string) -> string\n    hints: {|}", "", true},
		{"TOOLS:\n  a(x: string) -> string\n    type: http\n    body_template: \"{{|}}\"", "{", true},
		{"TOOLS:\n  a(x: string) -> string\n    type: http\n    endpoint: \"https://a.example.com/{|}\"", "{", true},
		{"TOOLS:\n  a(x: string) -> string\n    type: http\n    body_template: \"{|}\"", "{", false},
	} {
		t.Run(fmt.Sprintf("%.60s", test.source), func(t *testing.T) {
			u := uri.URI(fmt.Sprintf("file:///w/%d.tools.abl", i))
			if got := completionsAt(t, c, u, test.source, test.typed); len(got.Items) > 0 != test.some {
				t.Errorf("%q, typed %q: %d items", test.source, test.typed, len(got.Items))
			}
		})
	}
}

// acceptCompletion returns an item, and the text after the item was accepted as plain
// text.
func acceptCompletion(t *testing.T, c testClient, u uri.URI, source, label string) (protocol.CompletionItem, string) {
	t.Helper()
	before, after, _ := strings.Cut(source, "|")
	in := converter{text.NewLines(before + after).Positions(), c.server.session.load().encoding}
	for _, item := range completionsAt(t, c, u, source, "").Items {
		if item.Label != label {
			continue
		}
		edit := item.TextEdit.(*protocol.TextEdit)
		got, err := text.Apply(before+after, text.Edit{Span: in.span(edit.Range), NewText: edit.NewText})
		if err != nil {
			t.Fatal(err)
		}
		return item, got
	}
	t.Fatalf("no %q at %q", label, source)
	return protocol.CompletionItem{}, ""
}

const newTool = `get_thing(id: string) -> object
  description: "What it does, when to call it and what comes back"
  type: http
  endpoint: "/things/{id}"
  method: GET`

// TestSnippets accepts a whole tool in clients with different capabilities. A client that
// does not indent lines gets them indented.
func TestSnippets(t *testing.T) {
	indented := func(by string) string { return strings.ReplaceAll(newTool, "\n", "\n"+by) }
	for _, tt := range []struct {
		name, capabilities, source, want string
		format                           protocol.InsertTextFormat
		mode                             protocol.InsertTextMode
	}{
		{"plain", `{}`, "TOOLS:\n  |\n", "TOOLS:\n  " + indented("  ") + "\n", protocol.InsertTextFormatPlainText, 0},
		{"plain, a tab", `{}`, "TOOLS:\n\t|\n", "TOOLS:\n\t" + indented("\t") + "\n", protocol.InsertTextFormatPlainText, 0},
		{"plain, half typed", `{}`, "TOOLS:\n  ne|\n", "TOOLS:\n  " + indented("  ") + "\n", protocol.InsertTextFormatPlainText, 0},
		{"plain, CRLF", `{}`, "TOOLS:\r\n  |\r\n", "TOOLS:\r\n  " + strings.ReplaceAll(indented("  "), "\n", "\r\n") + "\r\n", protocol.InsertTextFormatPlainText, 0},
		{"plain, modes", `{"completionItem":{"insertTextModeSupport":{"valueSet":[1,2]}}}`, "TOOLS:\n  |\n", "TOOLS:\n  " + indented("  ") + "\n",
			protocol.InsertTextFormatPlainText, protocol.InsertTextModeAsIs},
		{"snippets", `{"completionItem":{"snippetSupport":true}}`, "TOOLS:\n  |\n", "", protocol.InsertTextFormatSnippet, 0},
		{"snippets, modes", `{"completionItem":{"snippetSupport":true,"insertTextModeSupport":{"valueSet":[1,2]}}}`, "TOOLS:\n  |\n", "",
			protocol.InsertTextFormatSnippet, protocol.InsertTextModeAdjustIndentation},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := startClient(t)
			c.Initialize(completionClient(tt.capabilities))
			item, got := acceptCompletion(t, c, "file:///w/x.tools.abl", tt.source, "new tool")
			if item.InsertTextFormat != tt.format || item.InsertTextMode != tt.mode {
				t.Errorf("format %d, mode %d", item.InsertTextFormat, item.InsertTextMode)
			}
			if tt.want != "" && got != tt.want {
				t.Errorf("text\n%q, want\n%q", got, tt.want)
			}
			if edit := item.TextEdit.(*protocol.TextEdit); tt.want == "" && !strings.HasPrefix(edit.NewText, "${1:get_thing}(${2:id}") {
				t.Errorf("snippet %q", edit.NewText)
			}
		})
	}
}

// TestMarkup checks that documentation has the format that a client prefers.
func TestMarkup(t *testing.T) {
	for _, tt := range []struct {
		formats string
		want    protocol.MarkupKind
	}{
		{`[]`, protocol.MarkupKindMarkdown},
		{`["markdown","plaintext"]`, protocol.MarkupKindMarkdown},
		{`["plaintext","markdown"]`, protocol.MarkupKindPlainText},
		{`["plaintext"]`, protocol.MarkupKindPlainText},
		{`["html"]`, protocol.MarkupKindMarkdown},
	} {
		t.Run(tt.formats, func(t *testing.T) {
			c := startClient(t)
			c.Initialize(func(p *protocol.InitializeParams) {
				completionClient(`{"completionItem":{"documentationFormat":` + tt.formats + `}}`)(p)
				p.Capabilities.TextDocument.Hover = &protocol.HoverClientCapabilities{}
				if err := json.Unmarshal([]byte(`{"contentFormat":`+tt.formats+`}`), p.Capabilities.TextDocument.Hover); err != nil {
					t.Fatal(err)
				}
			})
			const u, source = "file:///w/x.tools.abl", "TOOLS:\n  a_b(x: string) -> string\n    type: http\n    description: \"Sees ![🛫](https://a.example/b.png)\"\n    |\n"
			item, _ := acceptCompletion(t, c, u, source, "method")
			var h *protocol.Hover
			params := &protocol.HoverParams{}
			params.TextDocument.URI, params.Position = u, protocol.Position{Line: 1, Character: 3}
			if err := c.Call(protocol.MethodTextDocumentHover, params, &h); err != nil {
				t.Fatal(err)
			}
			for what, content := range map[string]any{"hover": h.Contents, "completion": item.Documentation} {
				t.Run(what, func(t *testing.T) {
					m := content.(*protocol.MarkupContent)
					if m.Kind != tt.want {
						t.Errorf("%s is %s", what, m.Kind)
					}
					if marked := strings.ContainsAny(m.Value, "*`"); marked != (tt.want == protocol.MarkupKindMarkdown) {
						t.Errorf("%s = %q", what, m.Value)
					}
				})
			}
			value := h.Contents.(*protocol.MarkupContent).Value
			if !strings.Contains(value, "a_b(x: string) -> string") || strings.Contains(value, "![") != (tt.want == protocol.MarkupKindPlainText) {
				t.Errorf("hover = %q, want its image where none is fetched only", value)
			}
		})
	}
}

// TestCompletionImports accepts a tool of a library that is not open.
func TestCompletionImports(t *testing.T) {
	s := openShop(t, agentText)
	other := uri.File(strings.TrimSuffix(pathOf(s.agent), "shop.agent.abl") + "other.agent.abl")
	item, _ := acceptCompletion(t, s.testClient, other, "AGENT: B\nGOAL: \"😀\"\nFLOW:\n  s:\n    REASONING: false\n    CALL: qu|\n", "quick")
	want := "TOOLS:\n  file: \"./lib.tools.abl\" [quick]\n\n"
	if len(item.AdditionalTextEdits) != 1 || item.AdditionalTextEdits[0].NewText != want || item.AdditionalTextEdits[0].Range.Start.Line != 2 {
		t.Errorf("further edits = %+v", item.AdditionalTextEdits)
	}
	if item.Documentation != nil {
		t.Errorf("documented at once: %+v", item.Documentation)
	}
	var resolved protocol.CompletionItem
	if err := s.Call(protocol.MethodCompletionItemResolve, &item, &resolved); err != nil {
		t.Fatal(err)
	}
	if d, ok := resolved.Documentation.(*protocol.MarkupContent); !ok || !strings.Contains(d.Value, "Answers 東京 😀 at once") {
		t.Errorf("documentation = %+v", resolved.Documentation)
	}
	item.Data = protocol.LSPAny(`"of another server"`)
	if err := s.Call(protocol.MethodCompletionItemResolve, &item, nil); err == nil {
		t.Error("an item of another server is resolved")
	}
}

// TestCompletionForeign checks that the path of another system's file that is not open is
// offered by the tools in it.
func TestCompletionForeign(t *testing.T) {
	f := newTestFolder(t)
	f.write("tools.yaml", "tools:\n  a: {kind: wait, description: A}\n")
	f.write("ci.yaml", "jobs: {}\n")
	c := startClient(t)
	c.Initialize()
	source := "AGENT: A\nGOAL: x\nTOOLS:\n  file: \"./|\"\n"
	if _, got := acceptCompletion(t, c, uri.File(f.join("a.agent.abl")), source, "tools.yaml"); !strings.Contains(got, `file: "./tools.yaml"`) {
		t.Errorf("got %q", got)
	}
	params := &protocol.CompletionParams{}
	params.TextDocument.URI, params.Position = uri.File(f.join("a.agent.abl")), protocol.Position{Line: 3, Character: 11}
	var list protocol.CompletionList
	if err := c.Call(protocol.MethodTextDocumentCompletion, params, &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Items) != 1 {
		t.Errorf("more than the file with tools is offered: %+v", list.Items)
	}
}
