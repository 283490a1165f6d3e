package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// fixable is a document with something to mend in each line from the fourth on.
const fixable = "TOOLS:\r\n  file: \"./lib.tools.abl\"\r\n  file: \"./new.tools.abl\"\r\n  # 😀 wrong wrong\r\n  # elsewhere\r\n  # absent\r\n  timeout: 5\r\n"

// actionsClient is a session with the document fixable, and with checks that find its
// words.
type actionsClient struct {
	testClient
	testFolder
	doc uri.URI
}

func openActions(t *testing.T, options ...func(*protocol.InitializeParams)) actionsClient {
	t.Helper()
	f := newTestFolder(t)
	f.write("lib.tools.abl", "TOOLS:\n")
	other := func(name, s string) []model.FileEdit {
		return []model.FileEdit{{Path: f.join(name), Edit: text.Edit{NewText: s}}}
	}
	word := text.Span{End: len("wrong")}
	words := []model.Diagnostic{
		{Code: "wrong", Fixes: []model.Fix{model.ReplaceFix("Right it", word, "right\n  # !"), {Title: "Forget it"}}},
		{Code: "elsewhere", Fixes: []model.Fix{{Title: "Change the library", Best: true, Edits: other("lib.tools.abl", "# a\n# b\n")}}},
		{Code: "timeout", Fixes: []model.Fix{model.ReplaceFix("Retry it", word, "retry")}},
		{Code: "absent", Fixes: []model.Fix{{Title: "Create the file", Edits: other("new.tools.abl", "TOOLS:\n")}}},
	}
	c := startClient(t, func(s *server) {
		s.check = func(_ context.Context, snap *snapshot, path string) []model.Diagnostic {
			return diagnosticsOfWords(snap.workspace.File(path), words)
		}
	})
	c.Initialize(append([]func(*protocol.InitializeParams){lsptest.WithFolders(f.path), lsptest.WithOptions(`{"trusted":true}`)}, options...)...)
	b := actionsClient{c, f, uri.File(f.join("a.agent.abl"))}
	c.Open(b.doc, fixable)
	return b
}

// diagnosticsOfWords returns a diagnostic wherever its code appears in a file.
func diagnosticsOfWords(f *model.File, words []model.Diagnostic) []model.Diagnostic {
	var found []model.Diagnostic
	for _, d := range words {
		d.Severity, d.Span = model.Warning, text.Span{End: len(d.Code)}
		for _, at := range regexp.MustCompile(d.Code).FindAllStringIndex(f.Text(), -1) {
			found = append(found, d.Shift(f.Path, at[0]))
		}
	}
	return found
}

// requestActions asks for the actions in a range of a line. context is JSON.
func (b actionsClient) requestActions(t *testing.T, line, from, to int, context string) []map[string]any {
	t.Helper()
	params, err := json.Marshal(map[string]any{
		"textDocument": map[string]any{"uri": b.doc},
		"range":        map[string]any{"start": map[string]any{"line": line, "character": from}, "end": map[string]any{"line": line, "character": to}},
		"context":      json.RawMessage(context),
	})
	if err != nil {
		t.Fatal(err)
	}
	var raw protocol.LSPAny
	if err := b.Call(protocol.MethodTextDocumentCodeAction, protocol.LSPAny(params), &raw); err != nil {
		t.Fatal(err)
	}
	var found []map[string]any
	if err := json.Unmarshal(raw, &found); err != nil {
		t.Fatal(err)
	}
	return found
}

// titles returns the titles of actions, in their order.
func titles(found []map[string]any) string {
	var all []string
	for _, a := range found {
		all = append(all, a["title"].(string))
	}
	return strings.Join(all, " | ")
}

const everything = "Fix all that has one obvious answer"

func TestCodeActionsForDiagnostics(t *testing.T) {
	b := openActions(t, lsptest.WithActions, lsptest.WithDocumentChanges(protocol.ResourceOperationKindCreate))
	second := `[{"range":{"start":{"line":3,"character":13},"end":{"line":3,"character":18}},"code":"wrong","message":""},` +
		`{"range":{"start":{"line":9,"character":0},"end":{"line":9,"character":9}},"code":7,"message":{"kind":"markdown","value":""}}]`
	right := "Right it | Forget it"
	for name, tt := range map[string]struct {
		line, from, to int
		context, want  string
	}{
		"the cursor inside":     {3, 9, 9, `{"diagnostics":[]}`, right + " | " + everything},
		"the cursor at the end": {3, 12, 12, `{"diagnostics":[]}`, right + " | " + everything},
		"the cursor before":     {3, 4, 4, `{"diagnostics":[]}`, everything},
		"named, not touched":    {3, 4, 4, `{"diagnostics":` + second + `}`, right + " | " + everything},
		"a range over both":     {3, 0, 30, `{"diagnostics":[]}`, right + " | " + right + " | " + everything},
		"quick fixes":           {3, 9, 9, `{"diagnostics":[],"only":["quickfix"]}`, right},
		"fixes of a whole file": {3, 9, 9, `{"diagnostics":[],"only":["source.fixAll"]}`, everything},
		"those of this server":  {3, 9, 9, `{"diagnostics":[],"only":["source.fixAll.abl"],"triggerKind":2}`, everything},
		"of a language's kin":   {3, 9, 9, `{"diagnostics":[],"only":["source.fixAll.ab"]}`, ""},
		"all of source":         {3, 9, 9, `{"diagnostics":[],"only":["source"]}`, everything},
		"any kind":              {3, 9, 9, `{"diagnostics":[],"only":[""]}`, right + " | " + everything},
		"refactorings":          {3, 9, 9, `{"diagnostics":[],"only":["refactor"]}`, ""},
		"for a light bulb":      {3, 9, 9, `{"diagnostics":[],"triggerKind":2}`, right},
		"another file":          {4, 5, 5, `{"diagnostics":[],"only":["quickfix"]}`, "Change the library"},
		"a suppression":         {6, 5, 5, `{"diagnostics":[],"only":["quickfix"]}`, "Retry it | Suppress `timeout` here"},
		"none for a light bulb": {6, 5, 5, `{"diagnostics":[],"triggerKind":2}`, "Retry it"},
		"a new file":            {5, 5, 5, `{"diagnostics":[],"only":["quickfix"]}`, "Create the file"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := titles(b.requestActions(t, tt.line, tt.from, tt.to, tt.context)); got != tt.want {
				t.Errorf("%s: got %q, want %q", name, got, tt.want)
			}
		})
	}
	if b.doc = "file:///nowhere"; len(b.requestActions(t, 0, 0, 0, `{"diagnostics":[]}`)) > 0 {
		t.Error("actions in a document that is not open")
	}
}

// TestCodeActionEdits checks that edits have the form that the client takes, and the line
// ends of each file.
func TestCodeActionEdits(t *testing.T) {
	const quick = `{"diagnostics":[],"only":["quickfix"]}`
	right := `[{"newText":"right\r\n  # !","range":{"end":{"character":12,"line":3},"start":{"character":7,"line":3}}}]`
	library := `[{"newText":"# a\n# b\n","range":{"end":{"character":0,"line":0},"start":{"character":0,"line":0}}}]`
	created := `[{"newText":"TOOLS:\r\n","range":{"end":{"character":0,"line":0},"start":{"character":0,"line":0}}}]`
	full, plain := openActions(t, lsptest.WithActions, lsptest.WithDocumentChanges("create")), openActions(t, lsptest.WithActions)
	some := openActions(t, lsptest.WithActions, lsptest.WithDocumentChanges("rename"))
	for _, tt := range []struct {
		actionsClient
		line int
		want string
	}{
		{full, 3, `{"documentChanges":[{"edits":` + right + `,"textDocument":{"uri":"A","version":1}}]}`},
		{full, 4, `{"documentChanges":[{"edits":` + library + `,"textDocument":{"uri":"LIB","version":null}}]}`},
		{full, 5, `{"documentChanges":[{"kind":"create","uri":"NEW"},{"edits":` + created + `,"textDocument":{"uri":"NEW","version":null}}]}`},
		{plain, 3, `{"changes":{"A":` + right + `}}`},
		{plain, 4, `{"changes":{"LIB":` + library + `}}`},
		{plain, 5, ""},
		{some, 5, ""},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.want), func(t *testing.T) {
			want := strings.NewReplacer(`"A"`, `"`+string(tt.doc)+`"`, `"LIB"`, `"`+string(uri.File(tt.join("lib.tools.abl")))+`"`,
				`"NEW"`, `"`+string(uri.File(tt.join("new.tools.abl")))+`"`).Replace(tt.want)
			got := ""
			if found := tt.requestActions(t, tt.line, 8, 8, quick); len(found) > 0 {
				raw, _ := json.Marshal(found[0]["edit"])
				got = string(raw)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("line %d (-want +got):\n%s", tt.line, diff)
			}
		})
	}
	first := full.requestActions(t, 3, 8, 8, quick)[0]
	about, _ := first["diagnostics"].([]any)
	if first["isPreferred"] != true || first["kind"] != "quickfix" || len(about) != 1 {
		t.Errorf("got %v", first)
	}
}

// TestImportFromUnopened checks that a tool can be imported from a library that is
// neither imported nor open, and that for an open one its text counts, not the file on
// disk.
func TestImportFromUnopened(t *testing.T) {
	f := newTestFolder(t)
	f.write("lib.tools.abl", "TOOLS:\n  weigh() -> number\n")
	f.write("open.tools.abl", "TOOLS:\n  weigh() -> number\n")
	if err := os.Mkdir(f.join("far"), 0o700); err != nil {
		t.Fatal(err)
	}
	f.write("far/lib.tools.abl", "TOOLS:\n  sell() -> number\n")
	c := startClient(t)
	c.Initialize(lsptest.WithFolders(f.path), lsptest.WithActions)
	b := actionsClient{c, f, uri.File(f.join("a.agent.abl"))}
	c.Open(uri.File(f.join("open.tools.abl")), "TOOLS:\n  measure() -> number\n")
	c.Open(b.doc, "AGENT: A\nGOAL: \"g\"\nTOOLS:\nFLOW:\n  entry_point: s\n  s:\n    REASONING: false\n    CALL: weigh\n    THEN: COMPLETE\n")
	const quick = `{"diagnostics":[],"only":["quickfix"]}`
	if got := titles(b.requestActions(t, 7, 12, 12, quick)); got != "Import `weigh` from `./lib.tools.abl` | Suppress `undefined-tool` here" {
		t.Errorf("got %q", got)
	}
	c.Open(uri.File(f.join("b/b.agent.abl")), "AGENT: B\nGOAL: \"g\"\nTOOLS:\n  file: \"./lib.tools.abl\" [weigh]\n")
	there := actionsClient{c, f, uri.File(f.join("b/b.agent.abl"))}
	if got := titles(there.requestActions(t, 3, 10, 10, quick)); got != "Change to `../lib.tools.abl` | Change to `../far/lib.tools.abl` | Suppress `unresolved-import` here" {
		t.Errorf("got %q", got)
	}
	if file := c.server.session.load().workspace.File(f.join("lib.tools.abl")); file != nil {
		t.Error("the session keeps what was read for a question")
	}
}

// TestFixAllEdits fixes the document itself, in one edit.
func TestFixAllEdits(t *testing.T) {
	b := openActions(t, lsptest.WithActions)
	found := b.requestActions(t, 0, 0, 0, `{"diagnostics":[],"only":["source.fixAll"]}`)
	if len(found) != 1 || found[0]["kind"] != "source.fixAll.abl" {
		t.Fatalf("got %v", found)
	}
	raw, _ := json.Marshal(found[0]["edit"])
	if n := strings.Count(string(raw), `right\r\n  # !`); n != 2 || strings.Contains(string(raw), "# a") {
		t.Errorf("got %s", raw)
	}
}

// TestPlainClientGetsNoActions has a client that supports only commands.
func TestPlainClientGetsNoActions(t *testing.T) {
	b := openActions(t)
	if found := b.requestActions(t, 3, 8, 8, `{"diagnostics":[]}`); len(found) > 0 {
		t.Errorf("got %v", found)
	}
}

func TestActionCapability(t *testing.T) {
	c := startClient(t)
	if got := c.Initialize().Capabilities.CodeActionProvider; got != nil {
		t.Errorf("a client without literals is told %v", got)
	}
	c = startClient(t)
	options, ok := c.Initialize(lsptest.WithActions).Capabilities.CodeActionProvider.(*protocol.CodeActionOptions)
	if !ok || !slices.Equal(options.CodeActionKinds, []protocol.CodeActionKind{
		"quickfix", "source.fixAll", "source.fixAll.abl", "source.organizeImports",
		"refactor", "refactor.rewrite", "refactor.extract", "refactor.inline",
	}) || *options.ResolveProvider {
		t.Errorf("got %v", options)
	}
	c = startClient(t)
	options, ok = c.Initialize(lsptest.WithResolvedActions).Capabilities.CodeActionProvider.(*protocol.CodeActionOptions)
	if !ok || !*options.ResolveProvider {
		t.Errorf("a client that resolves edits is told %v", options)
	}
}
