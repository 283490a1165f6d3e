package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

const hintsText = `AGENT: A
GOAL: "x"
TOOLS:
  file: "./lib.tools.abl"
  own(a: string)
    type: http
    endpoint: "/x"
    method: GET
FLOW:
  s:
    REASONING: false
    CALL: quick("🚀")
`

// hintsClient is a session with an agent that shows hints.
type hintsClient struct {
	testClient
	agent, lib, project uri.URI
}

func openHints(t *testing.T, options ...func(*protocol.InitializeParams)) hintsClient {
	f := newTestFolder(t)
	f.write("lib.tools.abl", "TOOLS:\n  quick(to: string) -> string\n")
	f.write("abl.yaml", "base_url: https://a\n")
	c := startClient(t)
	c.Initialize(append(options, lsptest.WithFolders(f.path), func(p *protocol.InitializeParams) {
		p.Capabilities.Workspace = &protocol.WorkspaceClientCapabilities{
			InlayHint: &protocol.InlayHintWorkspaceClientCapabilities{RefreshSupport: new(true)},
		}
	})...)
	h := hintsClient{c, uri.File(f.join("a.agent.abl")), uri.File(f.join("lib.tools.abl")), uri.File(f.join("abl.yaml"))}
	c.Open(h.agent, hintsText)
	return h
}

// hints returns the labels of all hints of the agent.
func (h hintsClient) hints(t *testing.T) string {
	t.Helper()
	var hints []protocol.InlayHint
	params := &protocol.InlayHintParams{TextDocument: protocol.TextDocumentIdentifier{URI: h.agent}}
	params.Range.End.Line = 1000
	if err := h.Call(protocol.MethodTextDocumentInlayHint, params, &hints); err != nil {
		t.Fatal(err)
	}
	var labels []string
	for _, hint := range hints {
		labels = append(labels, hint.Label.(protocol.InlayHintLabelPartSlice)[0].Value)
	}
	return strings.Join(labels, " ")
}

func TestInlayHintSettings(t *testing.T) {
	h := openHints(t, lsptest.WithOptions(`{"inlayHints":{"types":false}}`))
	if got := h.hints(t); got != "https://a to:" {
		t.Errorf("without types: %s", got)
	}
	h.Send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"abl":{"inlayHints":{"types":true,"urls":false,"parameterNames":false}}}}}`)
	h.waitForRefresh(t, 1)
	if got := h.hints(t); got != "-> object" {
		t.Errorf("types alone: %s", got)
	}
}

// waitForRefresh waits until the client was asked so many times to get the hints again.
func (h hintsClient) waitForRefresh(t *testing.T, times int) {
	t.Helper()
	h.Until("a refresh of the hints", func(all []lsptest.Message) bool {
		count := 0
		for _, m := range all {
			if m.Method == protocol.MethodWorkspaceInlayHintRefresh {
				count++
			}
		}
		return count >= times
	})
}

// TestHintsFollowOtherFiles changes other files on which hints depend.
func TestHintsFollowOtherFiles(t *testing.T) {
	h := openHints(t)
	if got := h.hints(t); got != "-> object https://a to:" {
		t.Fatalf("at first: %s", got)
	}
	h.Open(h.lib, "TOOLS:\n  quick(where: string) -> string\n")
	h.waitForRefresh(t, 1)
	if got := h.hints(t); got != "-> object https://a where:" {
		t.Errorf("after a change of an import: %s", got)
	}
	h.Open(h.project, "base_url: https://b\n")
	h.waitForRefresh(t, 2)
	if got := h.hints(t); got != "-> object https://b where:" {
		t.Errorf("after a change of abl.yaml: %s", got)
	}
}

// TestLensSettings switches lenses on and off.
func TestLensSettings(t *testing.T) {
	for options, want := range map[string]string{
		`{}`: "brings 1 tool: quick,Run,Preview",
		`{"codeLens":{"run":false,"imports":false}}`:                       "Preview",
		`{"codeLens":{"run":false,"preview":false,"references":true}}`:     "brings 1 tool: quick,0 references",
		`{"codeLens":{"run":false,"preview":false,"imports":false,"x":1}}`: "",
	} {
		t.Run(fmt.Sprintf("%.60s", options), func(t *testing.T) {
			h := openHints(t, lsptest.WithOptions(options))
			var lenses []protocol.CodeLens
			params := &protocol.CodeLensParams{TextDocument: protocol.TextDocumentIdentifier{URI: h.agent}}
			if err := h.Call(protocol.MethodTextDocumentCodeLens, params, &lenses); err != nil {
				t.Fatal(err)
			}
			var titles []string
			for _, l := range lenses {
				resolved := l
				if err := h.Call(protocol.MethodCodeLensResolve, &l, &resolved); err != nil {
					t.Fatal(err)
				}
				titles = append(titles, resolved.Command.Title)
			}
			if got := strings.Join(titles, ","); !strings.HasPrefix(got, want) || len(want) == 0 && got != "" {
				t.Errorf("%s: %s, want %s", options, got, want)
			}
		})
	}
}

// TestViewFeaturesOfClosedDocument makes requests about a document that is not open.
func TestViewFeaturesOfClosedDocument(t *testing.T) {
	h := openHints(t)
	h.Close(h.agent)
	for _, method := range []string{
		protocol.MethodTextDocumentFoldingRange, protocol.MethodTextDocumentSelectionRange, protocol.MethodTextDocumentDocumentLink,
		protocol.MethodTextDocumentLinkedEditingRange, protocol.MethodTextDocumentInlayHint,
		protocol.MethodTextDocumentSemanticTokensFull, protocol.MethodTextDocumentSemanticTokensFullDelta,
		protocol.MethodTextDocumentSemanticTokensRange,
	} {
		t.Run(method, func(t *testing.T) {
			var result protocol.LSPAny
			raw := protocol.LSPAny(`{"textDocument":{"uri":"` + string(h.agent) + `"},"position":{"line":9,"character":9},"positions":[],"previousResultId":"1","range":{"start":{"line":0,"character":0},"end":{"line":9,"character":9}}}`)
			if err := h.Call(method, &raw, &result); err != nil {
				t.Errorf("%s: %v", method, err)
			}
			if !slices.Contains([]string{"", "null", "[]"}, string(result)) {
				t.Errorf("%s: %s", method, result)
			}
		})
	}
}
