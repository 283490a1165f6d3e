package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// pulledReports is the JSON of an answer to workspace/diagnostic.
type pulledReports struct {
	Items []struct {
		Kind, ResultID string
		URI            uri.URI
		Version        *int32
		Items          []struct{ Code string }
	}
}

func (p *pulledReports) UnmarshalJSON(raw []byte) error {
	type plain pulledReports
	return json.Unmarshal(raw, (*plain)(p))
}

// lines returns a line for each report: file, version, kind and codes.
func (p *pulledReports) lines() string {
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

func pullWorkspace(c testClient, last *pulledReports) lsptest.Pending {
	params := &protocol.WorkspaceDiagnosticParams{PreviousResultIds: []protocol.PreviousResultId{}}
	for _, i := range last.Items {
		if i.ResultID != "" {
			params.PreviousResultIds = append(params.PreviousResultIds, protocol.PreviousResultId{URI: i.URI, Value: i.ResultID})
		}
	}
	return c.Start(protocol.MethodWorkspaceDiagnostic, params)
}

// waitForReports waits for an answer.
func waitForReports(t *testing.T, p lsptest.Pending) *pulledReports {
	t.Helper()
	var raw protocol.LSPAny
	if err := p.Wait(&raw); err != nil {
		t.Fatal(err)
	}
	out := new(pulledReports)
	if err := json.Unmarshal(raw, out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPullOfWorkspace(t *testing.T) {
	f := newTestFolder(t)
	f.write("open.agent.abl", "AGENT: A\n")
	f.write("lib.tools.abl", "TOOLS:\n  one() -> string\n  one() -> string\n")
	f.write("user.agent.abl", "AGENT: B\nGOAL: \"x\"\nTOOLS:\n  file: \"./lib.tools.abl\" [none]\n")
	c := startClient(t)
	c.Initialize(lsptest.WithPull(), lsptest.WithFolders(f.path))
	open := uri.File(f.join("open.agent.abl"))
	c.Open(open, "AGENT: A\n")

	first := waitForReports(t, pullWorkspace(c, &pulledReports{}))
	const want = "lib.tools.abl closed full duplicate-tool\nopen.agent.abl 1 full missing-section\nuser.agent.abl closed full unknown-import-name"
	if diff := cmp.Diff(want, withoutHints(first.lines())); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}

	waiting := pullWorkspace(c, first)
	c.echo(t) // other requests do not wait for it
	c.Change(open, 2, lsptest.ReplaceAll("AGENT: A\nGOAL: \"x\"\n"))
	second := waitForReports(t, waiting)
	const then = "lib.tools.abl closed unchanged\nopen.agent.abl 2 full\nuser.agent.abl closed unchanged"
	if diff := cmp.Diff(then, second.lines()); diff != "" {
		t.Fatalf("after a change (-want +got):\n%s", diff)
	}

	waiting = pullWorkspace(c, second)
	if err := os.Remove(f.join("lib.tools.abl")); err != nil {
		t.Fatal(err)
	}
	c.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{
		Changes: []protocol.FileEvent{{URI: uri.File(f.join("lib.tools.abl")), Type: protocol.FileChangeTypeDeleted}},
	})
	third := waitForReports(t, waiting)
	const gone = "lib.tools.abl closed full\nopen.agent.abl 2 unchanged\nuser.agent.abl closed full unresolved-import"
	if diff := cmp.Diff(gone, withoutHints(third.lines())); diff != "" {
		t.Fatalf("after a file is gone (-want +got):\n%s", diff)
	}

	waiting = pullWorkspace(c, third)
	waiting.Cancel()
	wantCode(t, waiting.Wait(nil), jsonrpc2.Code(protocol.LSPErrorCodesRequestCancelled))
}

// TestPullOfClosed has a client that shows the pulled diagnostics of a document after it
// is closed, and no longer sends their id, as VS Code does.
func TestPullOfClosed(t *testing.T) {
	f := newTestFolder(t)
	c := startClient(t)
	c.Initialize(lsptest.WithPull(), lsptest.WithFolders(f.path))
	pull := func(u uri.URI) {
		t.Helper()
		params := &protocol.DocumentDiagnosticParams{TextDocument: protocol.TextDocumentIdentifier{URI: u}}
		var raw protocol.LSPAny
		if err := c.Call(protocol.MethodTextDocumentDiagnostic, params, &raw); err != nil {
			t.Fatal(err)
		}
	}
	cases, agent := uri.File(f.join("old.cases.yaml")), uri.File(f.join("open.agent.abl"))
	c.Open(cases, "none:\n  - name: x\n")
	c.Open(agent, "AGENT: A\n")
	pull(cases)
	pull(agent)
	c.Close(cases)
	const rest = "open.agent.abl 1 full missing-section"
	for _, want := range []string{"old.cases.yaml closed full\n" + rest, "old.cases.yaml closed full\n" + rest, rest} {
		if diff := cmp.Diff(want, waitForReports(t, pullWorkspace(c, &pulledReports{})).lines()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestPartialReports pulls 120 files in parts.
func TestPartialReports(t *testing.T) {
	f := newTestFolder(t)
	for i := range 120 {
		f.write(fmt.Sprintf("a%03d.agent.abl", i), "AGENT: A\n")
	}
	c := startClient(t)
	c.Initialize(lsptest.WithPull(), lsptest.WithFolders(f.path))
	params := &protocol.WorkspaceDiagnosticParams{PreviousResultIds: []protocol.PreviousResultId{}}
	params.PartialResultToken = protocol.String("parts")
	if last := waitForReports(t, c.Start(protocol.MethodWorkspaceDiagnostic, params)); len(last.Items) > 0 {
		t.Errorf("%d reports in the answer, which come twice", len(last.Items))
	}
	var sizes []int
	all := map[uri.URI]bool{}
	for _, m := range c.Messages(protocol.MethodProgress) {
		var part struct {
			Token string
			Value pulledReports
		}
		if err := json.Unmarshal(m.Params, &part); err != nil || part.Token != "parts" {
			t.Fatalf("%s: %v", m.Params, err)
		}
		sizes = append(sizes, len(part.Value.Items))
		for _, i := range part.Value.Items {
			all[i.URI] = true
		}
	}
	if !slices.Equal(sizes, []int{50, 50, 20}) || len(all) != 120 {
		t.Errorf("parts of %v, %d files", sizes, len(all))
	}
}

// TestDetailsOfDiagnostics checks that diagnostics have the details that the client
// announces, in either of two places.
func TestDetailsOfDiagnostics(t *testing.T) {
	const details = `{"relatedInformation":true,"codeDescriptionSupport":true,"tagSupport":{"valueSet":[1]}}`
	for capabilities, want := range map[string]bool{
		`{}`:                                     false,
		`{"publishDiagnostics":` + details + `}`: true,
		`{"publishDiagnostics":` + details + `,"diagnostic":{}}`: true,
		`{"diagnostic":` + details + `}`:                         true,
	} {
		t.Run(capabilities, func(t *testing.T) {
			c := startClient(t)
			c.Send(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"capabilities":{"textDocument":` + capabilities + `}}}`)
			c.Answered(jsonrpc2.NewStringID("i"))
			c.Open(testFile, "AGENT: A\nGOAL: \"x\"\nTOOLS:\n  a()\n  a()\nFLOW:\n  s:\n    REASONING: false\n    THEN: COMPLETE\n  t:\n    REASONING: false\n    THEN: COMPLETE\n")
			var raw protocol.LSPAny
			params := &protocol.DocumentDiagnosticParams{TextDocument: protocol.TextDocumentIdentifier{URI: testFile}}
			if err := c.Call(protocol.MethodTextDocumentDiagnostic, params, &raw); err != nil {
				t.Fatal(err)
			}
			for _, part := range []string{`"codeDescription"`, `"relatedInformation"`, `"tags":[1]`} {
				if got := strings.Contains(string(raw), part); got != want {
					t.Errorf("%s: %s is there: %t\n%s", capabilities, part, got, raw)
				}
			}
		})
	}
}

// withoutHints removes the diagnostics that are only hints.
func withoutHints(s string) string {
	return strings.NewReplacer(" no-description", "", " unused-tool", "", " unused-import", "").Replace(s)
}
