package lsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

const casesText = `get_thing:
  - name: the 🚀
    args: {id: rocket}
    environment: dev
private:
  - name: as me 🚀
stuck:
  - name: in vain
`

const casesProject = `environments:
  dev: {base_url: "API", variables: {tenant: demo}}
  denied: {permissions: {deny: [{kind: web, op: get, resource: "127.*"}]}}
  prod: {protected: true}
`

func withLensRefresh(p *protocol.InitializeParams) {
	p.Capabilities.Workspace = &protocol.WorkspaceClientCapabilities{CodeLens: &protocol.CodeLensWorkspaceClientCapabilities{RefreshSupport: new(true)}}
}

// caseLenses returns the titles of the lenses of saved cases of the agent, and the
// argument of the last one.
func (w *workspace) caseLenses() (titles []string, last string) {
	w.t.Helper()
	params := &protocol.CodeLensParams{TextDocument: protocol.TextDocumentIdentifier{URI: w.agent}}
	var lenses []protocol.CodeLens
	if err := w.Call(protocol.MethodTextDocumentCodeLens, params, &lenses); err != nil {
		w.t.Fatal(err)
	}
	for _, l := range lenses {
		if strings.HasPrefix(l.Command.Title, "▶") {
			titles = append(titles, l.Command.Title)
			last = fmt.Sprintf("%s %s", l.Command.Command, l.Command.Arguments)
		}
	}
	return titles, last
}

// waitForRefresh waits until the client was asked n times to get the lenses again.
func (w *workspace) waitForRefresh(n int) {
	w.t.Helper()
	w.Until(fmt.Sprintf("refresh %d of the lenses", n), func(messages []lsptest.Message) bool {
		seen := 0
		for _, m := range messages {
			if m.Method == protocol.MethodWorkspaceCodeLensRefresh {
				seen++
			}
		}
		return seen >= n
	})
}

// TestCaseLenses checks that lenses follow the file of cases, whether it is open or not.
func TestCaseLenses(t *testing.T) {
	w := openWorkspace(t, withLensRefresh)
	want := func(step string, titles ...string) {
		t.Helper()
		if got, _ := w.caseLenses(); !slices.Equal(got, titles) {
			t.Errorf("%s: %q, want %q", step, got, titles)
		}
	}
	cases := uri.File(filepath.Join(w.dir, "shop.cases.yaml"))
	changed := func() {
		w.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{
			Changes: []protocol.FileEvent{{URI: cases, Type: protocol.FileChangeTypeChanged}},
		})
	}
	want("none")
	w.write("shop.cases.yaml", casesText)
	changed()
	w.waitForRefresh(1)
	want("written", "▶ as me 🚀", "▶ in vain")
	if _, last := w.caseLenses(); last != fmt.Sprintf(`abl.run [{"uri":%q,"tool":"stuck","case":"in vain"}]`, w.agent) {
		t.Error(last)
	}
	w.Open(cases, casesText)
	var own []protocol.CodeLens
	if err := w.Call(protocol.MethodTextDocumentCodeLens, &protocol.CodeLensParams{TextDocument: protocol.TextDocumentIdentifier{URI: cases}}, &own); err != nil {
		t.Fatal(err)
	}
	if last := own[len(own)-1].Command; fmt.Sprintf("%s %s", last.Command, last.Arguments) != fmt.Sprintf(`abl.run [{"uri":%q,"tool":"stuck","case":"in vain"}]`, w.agent) {
		t.Errorf("%s %s", last.Command, last.Arguments)
	}
	w.Change(cases, 2, lsptest.Replace(5, 13, 5, 15, "I"))
	w.waitForRefresh(2)
	want("typed", "▶ as I 🚀", "▶ in vain")
	w.Change(cases, 3, lsptest.Replace(6, 0, 6, 0, "  x: [\n"))
	want("half a line", "▶ as I 🚀", "▶ in vain")
	w.Close(cases)
	w.waitForRefresh(3)
	want("closed", "▶ as me 🚀", "▶ in vain")
	if err := os.Remove(filepath.Join(w.dir, "shop.cases.yaml")); err != nil {
		t.Fatal(err)
	}
	changed()
	w.waitForRefresh(4)
	want("removed")
	w.write("shop.cases.yaml", casesText)
	w.Notify(protocol.MethodWorkspaceDidChangeConfiguration, &protocol.DidChangeConfigurationParams{
		Settings: protocol.LSPAny(`{"abl":{"codeLens":{"cases":false}}}`),
	})
	want("switched off")
}

// TestCaseLensesOfVersions checks that a lens names the tool as the key of the case does,
// by which editors recognize the case.
func TestCaseLensesOfVersions(t *testing.T) {
	w := openWorkspace(t)
	tool := `{"name": "note", "version": "%d", "description": "🗒️", "binding": {"type": "http", "method": "GET", "endpoint": "https://example.com/"}}`
	two, both := fmt.Sprintf(tool, 2), fmt.Sprintf(tool, 1)+", "+fmt.Sprintf(tool, 2)
	for i, tt := range []struct{ tools, key string }{{two, "note@2"}, {two, "note"}, {both, "note@2"}, {both, "note"}} {
		t.Run(tt.tools, func(t *testing.T) {
			name := fmt.Sprint("versions", i)
			w.write(name+".cases.yaml", tt.key+":\n  - name: 🗒️\n")
			w.agent = uri.File(filepath.Join(w.dir, name+".tools.json"))
			w.open(w.agent, `{"tools": [`+tt.tools+`]}`)
			if _, last := w.caseLenses(); last != fmt.Sprintf(`abl.run [{"uri":%q,"tool":%q,"case":"🗒️"}]`, w.agent, tt.key) {
				t.Errorf("%s: %s", tt.key, last)
			}
		})
	}
}

func TestRunCase(t *testing.T) {
	w := openWorkspace(t, lsptest.WithOptions(`{"trusted":true,"allowHosts":["127.0.0.1"],"environment":"dev"}`))
	w.write("abl.yaml", w.source(casesProject))
	w.write("shop.cases.yaml", casesText)
	refused := func(tool, more, message string) {
		t.Helper()
		w.runs++
		p := w.start(jsonrpc2.NewStringID(fmt.Sprintf("run %d", w.runs)), "abl.run", tool, more)
		if err := p.Wait(nil); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: %v, want %s", more, err, message)
		}
	}
	if e := w.run("get_thing", `,"case":"the 🚀"`); !e.OK || !strings.Contains(string(e.Value), `"id":"rocket"`) {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
	if e := w.run("get_thing", `,"case":"the 🚀","args":{"id":"mine"},"environment":"prod"`); !e.OK || !strings.Contains(string(e.Value), `"id":"mine"`) {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
	if e := w.run("get_thing", `,"case":"the 🚀","environment":"prod"`); e.Environment != "prod" {
		t.Errorf("it does not say that it ran in prod: %+v", e)
	}
	if e := w.run("get_thing", `,"case":"the 🚀","environment":"denied"`); e.kind() != "denied" {
		t.Errorf("%+v", e.Error)
	}
	refused("get_thing", `,"case":"nothing"`, `get_thing has no case "nothing"; it has the 🚀`)
	refused("huge", `,"case":"nothing"`, "huge has no saved cases")
	refused("get_thing", `,"environment":"staging"`, `there is no environment "staging"; abl.yaml has dev, denied, prod`)

	// What is typed and not saved counts.
	cases, project := uri.File(filepath.Join(w.dir, "shop.cases.yaml")), uri.File(filepath.Join(w.dir, "abl.yaml"))
	w.Open(cases, strings.Replace(casesText, "rocket", "typed", 1))
	if e := w.run("get_thing", `,"case":"the 🚀"`); !e.OK || !strings.Contains(string(e.Value), `"id":"typed"`) {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
	w.Open(project, "environments: {dev: {permissions: {deny: [{}]}}}\n")
	if e := w.run("get_thing", `,"case":"the 🚀"`); e.kind() != "denied" {
		t.Errorf("%+v", e.Error)
	}
	w.Change(project, 2, lsptest.ReplaceAll("environments: {dev: [\n"))
	if e := w.run("get_thing", `,"case":"the 🚀"`); e.kind() != "definition" || !strings.Contains(e.Error.Message, "abl.yaml:1: ") {
		t.Errorf("%+v", e.Error)
	}
}

// TestSessionEnvironmentWithoutProject checks that the session's environment is ignored
// by a project without environments.
func TestSessionEnvironmentWithoutProject(t *testing.T) {
	w := openWorkspace(t, lsptest.WithOptions(`{"trusted":true,"allowHosts":["127.0.0.1"],"environment":"dev"}`))
	if e := w.run("get_thing", `,"args":{"id":"1"}`); !e.OK {
		t.Errorf("%+v", e.Error)
	}
}

// TestSecretIsSentOnlyWhereMeant checks that the person is asked once for each host,
// until trust is withdrawn.
func TestSecretIsSentOnlyWhereMeant(t *testing.T) {
	t.Setenv("SESSION_TEST_TOKEN", "looked-up-value")
	w := openWorkspace(t, lsptest.WithOptions(`{"trusted":true,"allowHosts":["127.0.0.1"]}`))
	asked := `,"grant":[{"kind":"secret","op":"send","resource":"SESSION_TEST_TOKEN 127.0.0.1"}]`
	needs := func() {
		t.Helper()
		e := w.run("private", "")
		if e.kind() != "needs" || len(e.Needs.Permission) != 1 || e.Needs.Permission[0].Resource != "SESSION_TEST_TOKEN 127.0.0.1" {
			t.Fatalf("%+v %+v", e.Error, e.Needs)
		}
	}
	needs()
	if len(w.api.authorization) > 0 {
		t.Error("it was sent")
	}
	for _, more := range []string{asked, "", ""} {
		t.Run(more, func(t *testing.T) {
			if e := w.run("private", more); !e.OK || strings.Contains(string(e.Value), "looked-up") {
				t.Errorf("%s %+v", e.Value, e.Error)
			}
			if got := <-w.api.authorization; got != "Bearer looked-up-value" {
				t.Error(got)
			}
		})
	}
	for _, trusted := range []string{"false", "true"} {
		t.Run(trusted, func(t *testing.T) {
			err := w.Call(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
				Command: "abl.trust", Arguments: []protocol.LSPAny{protocol.LSPAny(`{"trusted":` + trusted + `}`)},
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
		})
	}
	needs()
}

// TestTracesOfARun checks that neither the log nor the messages about a run other than
// its answer have its secrets or arguments.
func TestTracesOfARun(t *testing.T) {
	w := openWorkspace(t)
	core, logs := observer.New(zap.DebugLevel)
	w.logger = zap.New(core)
	w.restart(func(p *protocol.InitializeParams) { p.Trace = protocol.TraceValueVerbose })
	const secret, argument = "s3cr3t-value", "078-05-1120"
	const more = `,"allowHosts":["127.0.0.1"],"secrets":{"SESSION_TEST_TOKEN":"` + secret + `"}`
	w.run("private", more)
	w.run("get_thing", more+`,"args":{"id":"`+argument+`"}`)
	broken := w.StartID(jsonrpc2.NewStringID("broken"), protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
		Command: "abl.run", Arguments: []protocol.LSPAny{protocol.LSPAny(`{"tool":5,"secrets":{"A":"` + secret + `"},"args":"` + argument + `"}`)},
	})
	if err := broken.Wait(nil); err == nil || strings.Contains(err.Error(), secret) {
		t.Errorf("a broken argument: %v", err)
	}
	w.Until("three traces", func(messages []lsptest.Message) bool {
		traces := 0
		for _, m := range messages {
			if m.Method == protocol.MethodLogTrace {
				traces++
			}
			if text := string(m.Params); strings.Contains(text, secret) || strings.Contains(text, argument) {
				t.Errorf("%s tells %s", m.Method, text)
			}
		}
		return traces >= 3
	})
	if logs.Len() == 0 {
		t.Error("nothing was logged")
	}
	for _, entry := range logs.All() {
		if text := fmt.Sprint(entry.Message, entry.ContextMap()); strings.Contains(text, secret) || strings.Contains(text, argument) {
			t.Errorf("the log tells %s", text)
		}
	}
}
