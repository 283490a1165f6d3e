package lsp

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// refactorable is a document with a signature in its third line, and one in the
// fifth to which nothing more can be added.
const refactorable = "# 😀\r\nTOOLS:\r\n  send(to: string, what: string) -> string\r\n    type: cli\r\n" +
	"  sent() -> string\r\n    confirmation: {require: always}\r\n"

const (
	confirming = "Ask for confirmation before `send` runs"
	breaking   = "Put each parameter on a line of its own"
	anything   = `{"diagnostics":[]}`
	rewriting  = `{"diagnostics":[],"only":["refactor.rewrite"]}`
)

func openRefactorable(t *testing.T, options ...func(*protocol.InitializeParams)) actionsClient {
	t.Helper()
	f := newTestFolder(t)
	c := startClient(t, func(s *server) {
		s.check = func(context.Context, *snapshot, string) []model.Diagnostic { return nil }
	})
	c.Initialize(append([]func(*protocol.InitializeParams){lsptest.WithFolders(f.path)}, options...)...)
	b := actionsClient{c, f, uri.File(f.join("a.tools.abl"))}
	c.Open(b.doc, refactorable)
	return b
}

// resolve asks for the edit of an action.
func (b actionsClient) resolve(t *testing.T, action map[string]any) (map[string]any, error) {
	t.Helper()
	raw, err := json.Marshal(action)
	if err != nil {
		t.Fatal(err)
	}
	var answer protocol.LSPAny
	if err := b.Call(protocol.MethodCodeActionResolve, protocol.LSPAny(raw), &answer); err != nil {
		return nil, err
	}
	resolved := map[string]any{}
	if err := json.Unmarshal(answer, &resolved); err != nil {
		t.Fatal(err)
	}
	return resolved, nil
}

func TestRefactoringsOffered(t *testing.T) {
	resolving, plain := openRefactorable(t, lsptest.WithResolvedActions), openRefactorable(t, lsptest.WithActions)
	both := confirming + " | Say that `send` changes nothing (`side_effects: false`) | " + breaking
	sentActions := "Ask for confirmation before `sent` runs | Say that `sent` changes nothing (`side_effects: false`)"
	for name, tt := range map[string]struct {
		actionsClient
		line    int
		context string
		want    string
	}{
		"asked for":               {resolving, 2, anything, both},
		"by kind":                 {resolving, 2, rewriting, both},
		"of another kind":         {resolving, 2, `{"diagnostics":[],"only":["refactor.inline"]}`, ""},
		"for a light bulb":        {resolving, 2, `{"diagnostics":[],"triggerKind":2}`, both},
		"elsewhere":               {resolving, 3, anything, ""},
		"what cannot be done":     {resolving, 4, anything, sentActions},
		"that for a light bulb":   {resolving, 4, `{"diagnostics":[],"triggerKind":2}`, ""},
		"at once":                 {plain, 2, anything, both},
		"at once, for the bulb":   {plain, 2, `{"diagnostics":[],"triggerKind":2}`, ""},
		"at once, not to be done": {plain, 4, anything, ""},
	} {
		t.Run(name, func(t *testing.T) {
			found := tt.requestActions(t, tt.line, 4, 4, tt.context)
			if got := titles(found); got != tt.want {
				t.Errorf("%s: got %q, want %q", name, got, tt.want)
			}
			for _, a := range found {
				_, disabled := a["disabled"]
				if a["edit"] != nil != (tt.actionsClient == plain) || a["data"] != nil != (tt.actionsClient == resolving && !disabled) {
					t.Errorf("%s: got %v", name, a)
				}
			}
		})
	}
}

// TestResolveRefactoring resolves an action on the text that it was offered for, while
// other files change, and never on another text.
func TestResolveRefactoring(t *testing.T) {
	b := openRefactorable(t, lsptest.WithResolvedActions, lsptest.WithDocumentChanges())
	actions := b.requestActions(t, 2, 4, 4, rewriting)
	b.Open(uri.File(b.join("b.tools.abl")), "TOOLS:\n")
	resolved, err := b.resolve(t, actions[1])
	raw, _ := json.Marshal(resolved["edit"])
	if err != nil || strings.Count(string(raw), `\r\n    `) != 2 || !strings.Contains(string(raw), `"version":1`) {
		t.Errorf("got %s, %v", raw, err)
	}
	for name, change := range map[string]func(){
		"a change": func() { b.Change(b.doc, 2, lsptest.Replace(0, 0, 0, 0, "# ")) },
		"closing":  func() { b.Close(b.doc) },
	} {
		t.Run(name, func(t *testing.T) {
			change()
			if _, err := b.resolve(t, actions[1]); !isModified(err) {
				t.Errorf("after %s: got %v", name, err)
			}
		})
	}
}

func isModified(err error) bool {
	coded, ok := err.(*jsonrpc2.Error) //nolint:errorlint // the error as the client received it
	return ok && coded.Code == jsonrpc2.Code(protocol.LSPErrorCodesContentModified)
}

func TestResolveForeign(t *testing.T) {
	b := openRefactorable(t, lsptest.WithResolvedActions)
	action := b.requestActions(t, 2, 4, 4, rewriting)[0]
	for name, data := range map[string]any{"another server's": 7, "of another shape": map[string]any{"uri": 7}} {
		t.Run(name, func(t *testing.T) {
			action["data"] = data
			if _, err := b.resolve(t, action); err == nil {
				t.Errorf("%s: no error", name)
			}
		})
	}
	delete(action, "data")
	if resolved, err := b.resolve(t, action); err != nil || resolved["edit"] != nil {
		t.Errorf("without data: got %v, %v", resolved, err)
	}
}

// TestDisabledNeedsSupport checks that a client that cannot show why an action is
// disabled does not get it.
func TestDisabledNeedsSupport(t *testing.T) {
	b := openRefactorable(t, lsptest.WithResolvedActions, func(p *protocol.InitializeParams) {
		p.Capabilities.TextDocument.CodeAction.DisabledSupport = nil
	})
	if got := titles(b.requestActions(t, 4, 4, 4, anything)); got != "" {
		t.Errorf("got %q", got)
	}
}

// TestRefactoringOfOtherFile checks that a refactoring that needs a file is offered to
// clients that can create it, and to all clients if the file exists.
func TestRefactoringOfOtherFile(t *testing.T) {
	adding := "Add a case for `sent` to a.cases.yaml"
	for name, tt := range map[string]struct {
		there, makes bool
		want         string
	}{
		"made":              {false, true, `"kind":"create"`},
		"neither":           {false, false, ""},
		"there":             {true, false, `"newText":"\n\nsent:\n`},
		"there, though not": {true, true, `"newText":"\n\nsent:\n`},
	} {
		t.Run(name, func(t *testing.T) {
			operations := []protocol.ResourceOperationKind{}
			if tt.makes {
				operations = append(operations, protocol.ResourceOperationKindCreate)
			}
			b := openRefactorable(t, lsptest.WithResolvedActions, lsptest.WithDocumentChanges(operations...))
			if tt.there {
				b.write("a.cases.yaml", "# cases")
			}
			found := b.requestActions(t, 4, 4, 4, rewriting)
			if (tt.want == "") != !strings.Contains(titles(found), adding) {
				t.Errorf("%s: offered %q", name, titles(found))
			}
			if tt.want == "" {
				return
			}
			resolved, err := b.resolve(t, found[len(found)-1])
			if raw, _ := json.Marshal(resolved["edit"]); err != nil || !strings.Contains(string(raw), tt.want) {
				t.Errorf("%s: got %s, %v", name, raw, err)
			}
		})
	}
}

// TestShowCreatedFile checks that a created file is shown by the client's own command,
// otherwise by the server's if the client shows documents, otherwise not at all.
func TestShowCreatedFile(t *testing.T) {
	changes := lsptest.WithDocumentChanges(protocol.ResourceOperationKindCreate)
	shows := func(p *protocol.InitializeParams) {
		p.Capabilities.Window = &protocol.WindowClientCapabilities{ShowDocument: &protocol.ShowDocumentClientCapabilities{Support: true}}
	}
	opens := lsptest.WithOptions(`{"clientCommands":["abl.open"]}`)
	for name, tt := range map[string]struct {
		options []func(*protocol.InitializeParams)
		want    any
	}{
		"neither":   {nil, nil},
		"documents": {[]func(*protocol.InitializeParams){shows}, "abl.show"},
		"a command": {[]func(*protocol.InitializeParams){shows, opens}, "abl.open"},
	} {
		t.Run(name, func(t *testing.T) {
			b := openRefactorable(t, append(tt.options, lsptest.WithResolvedActions, changes)...)
			found := b.requestActions(t, 4, 4, 4, rewriting)
			command, _ := found[len(found)-1]["command"].(map[string]any)
			if command["command"] != tt.want {
				t.Errorf("%s: got %v", name, found)
			}
			if tt.want != "abl.show" {
				return
			}
			if err := b.Call(protocol.MethodWorkspaceExecuteCommand, command, nil); err != nil {
				t.Error(err)
			}
			if asked := b.Messages(protocol.MethodWindowShowDocument); len(asked) != 1 || !strings.Contains(string(asked[0].Params), "a.cases.yaml") {
				t.Errorf("%s: asked for %v", name, asked)
			}
		})
	}
}

// TestShowConvertedFile checks that the created library is shown, even if there was one
// already.
func TestShowConvertedFile(t *testing.T) {
	opens := lsptest.WithOptions(`{"clientCommands":["abl.open"]}`)
	for name, option := range map[string]func(*protocol.InitializeParams){"resolved": lsptest.WithResolvedActions, "at once": lsptest.WithActions} {
		t.Run(name, func(t *testing.T) {
			b := openRefactorable(t, option, opens, lsptest.WithDocumentChanges(protocol.ResourceOperationKindCreate))
			b.write("words.tools.abl", "TOOLS:\n")
			b.doc = uri.File(b.join("words.tools.json"))
			b.Open(b.doc, `{"tools": [{"name": "count", "description": "Counts", "parameters": {"text": {"type": "string"}}, "binding": {"type": "http", "method": "GET", "endpoint": "https://a.example.com/{text}"}}]}`)
			found := b.requestActions(t, 0, 0, 0, rewriting)
			if name == "resolved" {
				resolved, err := b.resolve(t, found[0])
				if err != nil {
					t.Fatal(err)
				}
				found[0] = resolved
			}
			raw, _ := json.Marshal(found[0]["command"])
			if !strings.Contains(string(raw), "words-2.tools.abl") {
				t.Errorf("%s: shows %s", name, raw)
			}
		})
	}
}
