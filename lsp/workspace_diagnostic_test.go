package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// pulled is the answer to workspace/diagnostic as it is on the wire.
type pulled struct {
	Items []struct {
		Kind, ResultID string
		URI            uri.URI
		Version        *int32
		Items          []struct{ Code string }
	}
}

func (p *pulled) UnmarshalJSON(raw []byte) error {
	type plain pulled
	return json.Unmarshal(raw, (*plain)(p))
}

// show is each report: file, version, kind and codes.
func (p *pulled) show() string {
	var out []string
	for _, i := range p.Items {
		version := "closed"
		if i.Version != nil {
			version = fmt.Sprint(*i.Version)
		}
		line := fmt.Sprintf("%s %s %s", i.URI.FsPath()[strings.LastIndexByte(i.URI.FsPath(), '/')+1:], version, i.Kind)
		for _, d := range i.Items {
			line += " " + d.Code
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func pullWorkspace(c fake, last *pulled) lsptest.Pending {
	params := &protocol.WorkspaceDiagnosticParams{PreviousResultIds: []protocol.PreviousResultId{}}
	for _, i := range last.Items {
		if i.ResultID != "" {
			params.PreviousResultIds = append(params.PreviousResultIds, protocol.PreviousResultId{URI: i.URI, Value: i.ResultID})
		}
	}
	return c.Start(protocol.MethodWorkspaceDiagnostic, params)
}

// answered waits for an answer.
func answered(t *testing.T, p lsptest.Pending) *pulled {
	t.Helper()
	var raw protocol.LSPAny
	if err := p.Wait(&raw); err != nil {
		t.Fatal(err)
	}
	out := new(pulled)
	if err := json.Unmarshal(raw, out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPullOfWorkspace(t *testing.T) {
	f := newFolder(t)
	f.write("open.agent.abl", "AGENT: A\n")
	f.write("lib.tools.abl", "TOOLS:\n  one() -> string\n  one() -> string\n")
	f.write("user.agent.abl", "AGENT: B\nGOAL: \"x\"\nTOOLS:\n  file: \"./lib.tools.abl\" [none]\n")
	c := startFake(t)
	c.Initialize(lsptest.WithPull(), lsptest.WithFolders(f.path))
	open := uri.File(f.at("open.agent.abl"))
	c.Open(open, "AGENT: A\n")

	first := answered(t, pullWorkspace(c, &pulled{}))
	const want = "lib.tools.abl closed full duplicate-tool\nopen.agent.abl 1 full missing-section\nuser.agent.abl closed full unknown-import-name"
	if got := withoutHints(first.show()); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}

	waiting := pullWorkspace(c, first)
	c.echo(t) // it does not keep others waiting
	c.Change(open, 2, lsptest.ReplaceAll("AGENT: A\nGOAL: \"x\"\n"))
	second := answered(t, waiting)
	const then = "lib.tools.abl closed unchanged\nopen.agent.abl 2 full\nuser.agent.abl closed unchanged"
	if got := second.show(); got != then {
		t.Fatalf("after a change got\n%s\nwant\n%s", got, then)
	}

	waiting = pullWorkspace(c, second)
	if err := os.Remove(f.at("lib.tools.abl")); err != nil {
		t.Fatal(err)
	}
	c.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{
		Changes: []protocol.FileEvent{{URI: uri.File(f.at("lib.tools.abl")), Type: protocol.FileChangeTypeDeleted}},
	})
	third := answered(t, waiting)
	const gone = "lib.tools.abl closed full\nopen.agent.abl 2 unchanged\nuser.agent.abl closed full unresolved-import"
	if got := withoutHints(third.show()); got != gone {
		t.Fatalf("after a file is gone got\n%s\nwant\n%s", got, gone)
	}

	waiting = pullWorkspace(c, third)
	waiting.Cancel()
	wantCode(t, waiting.Wait(nil), jsonrpc2.Code(protocol.LSPErrorCodesRequestCancelled))
}

// withoutHints leaves out what is only a remark.
func withoutHints(s string) string {
	return strings.NewReplacer(" no-description", "", " unused-tool", "", " unused-import", "").Replace(s)
}
