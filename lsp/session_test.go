package lsp_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"github.com/abl-lsp/abl-lsp/executor"
	exechttp "github.com/abl-lsp/abl-lsp/executor/http"
	"github.com/abl-lsp/abl-lsp/executor/mcp"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/lsp"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// api is the API that the tools of the session call.
type api struct {
	*httptest.Server
	entered, cancelled chan struct{} // of /slow
	sent               chan int64    // how many bytes of /huge were read
	authorization      chan string   // of /private
}

func startAPI(t *testing.T) *api {
	a := &api{
		entered: make(chan struct{}, 10), cancelled: make(chan struct{}, 10),
		sent: make(chan int64, 1), authorization: make(chan string, 10),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /things/{id}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"id":%q,"price":10.50,"name":"東京 😀"}`, r.PathValue("id"))
	})
	mux.HandleFunc("POST /things", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.Copy(w, r.Body)
	})
	mux.HandleFunc("GET /slow", func(_ http.ResponseWriter, r *http.Request) {
		a.entered <- struct{}{}
		<-r.Context().Done()
		a.cancelled <- struct{}{}
	})
	mux.HandleFunc("GET /private", func(w http.ResponseWriter, r *http.Request) {
		a.authorization <- r.Header.Get("Authorization")
		fmt.Fprintf(w, `{"said":%q}`, r.Header.Get("Authorization"))
	})
	mux.HandleFunc("GET /huge", func(w http.ResponseWriter, _ *http.Request) {
		n, _ := io.Copy(w, io.LimitReader(endlessReader{}, 1<<30))
		a.sent <- n
	})
	a.Server = httptest.NewServer(mux)
	t.Cleanup(a.Close)
	return a
}

// endlessReader is a text without an end.
type endlessReader struct{}

func (endlessReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func (a *api) host() string {
	u, _ := url.Parse(a.URL)
	return u.Host
}

const sessionAgent = `AGENT: Shop

GOAL: "Sell 東京 things 😀"

TOOLS:
  file: "./lib.tools.abl" [get_thing, make_thing]
  slow(city: string = "😀 東京") -> {price: number}
    description: "Takes its time"
    type: http
    endpoint: "API/slow"
    method: GTE
  private() -> {said: string}
    description: "Needs a token"
    type: http
    endpoint: "API/private"
    method: GET
    headers:
      Authorization: "Bearer {{secrets.SESSION_TEST_TOKEN}}"
  stuck() -> object
    description: "Never answers"
    type: http
    endpoint: "API/slow"
    method: GET
    timeout: 100
  huge() -> string
    description: "Answers with a gigabyte"
    type: http
    endpoint: "API/huge"
    method: GET
`

const sessionLib = `TOOLS:
  get_thing(id: string) -> {id: string, price: number, name: string}
    description: "One thing, 東京 😀"
    type: http
    endpoint: "API/things/{id}"
    method: GET
    hints:
      cacheable: true
  make_thing(name: string, count: number = 1) -> object
    description: "Makes a thing"
    type: http
    endpoint: "API/things"
    method: POST
`

// workspace is an editor with a folder on disk, a server, and an API.
type workspace struct {
	*lsptest.Client
	t          *testing.T
	api        *api
	dir, state string
	agent, lib uri.URI
	texts      map[uri.URI]string // as the editor has them
	versions   map[uri.URI]int32
	runs       int
	logger     *zap.Logger // nil: nothing is logged
}

// openWorkspace writes two files, starts the server and opens the agent.
func openWorkspace(t *testing.T, options ...func(*protocol.InitializeParams)) *workspace {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &workspace{
		t: t, api: startAPI(t), dir: dir,
		agent: uri.File(filepath.Join(dir, "shop.agent.abl")), lib: uri.File(filepath.Join(dir, "lib.tools.abl")),
		texts: map[uri.URI]string{}, versions: map[uri.URI]int32{},
	}
	w.write("shop.agent.abl", w.source(sessionAgent))
	w.write("lib.tools.abl", w.source(sessionLib))
	w.state = t.TempDir()
	w.startClient(options...)
	return w
}

// startClient begins a session.
func (w *workspace) startClient(options ...func(*protocol.InitializeParams)) {
	w.t.Helper()
	tokens := oauth.New(oauth.Options{})
	runs := executor.New(executor.Options{
		Runners: map[tool.Kind]executor.Runner{
			tool.KindHTTP: exechttp.New(rest.Options{Tokens: tokens}),
			tool.KindMCP:  mcp.New(mcp.Options{Tokens: tokens}),
		},
		IdentityVerifier: tokens,
	})
	w.Client = lsptest.Start(w.t, func(ctx context.Context, in io.Reader, out io.Writer) error {
		return lsp.Serve(ctx, lsp.Options{In: in, Out: out, Executor: runs, State: state.New(w.state), Logger: w.logger, Version: "1.2.3"})
	})
	w.Initialize(append([]func(*protocol.InitializeParams){lsptest.WithFolders(w.dir)}, options...)...)
	w.open(w.agent, w.source(sessionAgent))
}

// restart ends the session, and begins another one.
func (w *workspace) restart(options ...func(*protocol.InitializeParams)) {
	w.t.Helper()
	w.Exit()
	w.startClient(options...)
}

func (w *workspace) source(s string) string { return strings.ReplaceAll(s, "API", w.api.URL) }

func (w *workspace) write(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *workspace) open(u uri.URI, text string) {
	w.texts[u], w.versions[u] = text, 1
	w.Open(u, text)
}

// position returns where a text begins or, if the text has a |, the position of the |.
func (w *workspace) position(u uri.URI, find string) protocol.TextDocumentPositionParams {
	w.t.Helper()
	before, after, _ := strings.Cut(find, "|")
	i := strings.Index(w.texts[u], before+after)
	if i < 0 {
		w.t.Fatalf("%q is not in %s", find, u)
	}
	if after != "" || strings.HasSuffix(find, "|") {
		i += len(before)
	}
	return protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: u},
		Position:     place(w.texts[u], i, text.UTF16),
	}
}

func place(source string, offset int, encoding text.Encoding) protocol.Position {
	p := text.NewLines(source).Position(offset, encoding)
	return protocol.Position{Line: uint32(p.Line), Character: uint32(p.Character)}
}

// edit replaces the first occurrence of a text, as typing would, and returns
// the diagnostics of the new version.
func (w *workspace) edit(u uri.URI, old, replacement string) []protocol.Diagnostic {
	w.t.Helper()
	at := strings.Index(w.texts[u], old)
	if at < 0 {
		w.t.Fatalf("%q is not in %s", old, u)
	}
	from, to := place(w.texts[u], at, text.UTF16), place(w.texts[u], at+len(old), text.UTF16)
	w.texts[u] = w.texts[u][:at] + replacement + w.texts[u][at+len(old):]
	w.versions[u]++
	w.Change(u, w.versions[u], lsptest.Replace(from.Line, from.Character, to.Line, to.Character, replacement))
	return warningsAndErrors(w.Diagnostics(u, w.versions[u]))
}

// warningsAndErrors returns the warnings and errors. The test's API has a private address
// and its secret has no value, which is reported as information.
func warningsAndErrors(found []protocol.Diagnostic) []protocol.Diagnostic {
	return slices.DeleteFunc(found, func(d protocol.Diagnostic) bool { return d.Severity > protocol.DiagnosticSeverityWarning })
}

func (w *workspace) ask(method string, params, result any) {
	w.t.Helper()
	if err := w.Call(method, params, result); err != nil {
		w.t.Fatal(err)
	}
}

// completionLabels returns the completions at a position, each followed by a comma.
func (w *workspace) completionLabels(find string) string {
	w.t.Helper()
	var list protocol.CompletionList
	w.ask(protocol.MethodTextDocumentCompletion, &protocol.CompletionParams{TextDocumentPositionParams: w.position(w.agent, find)}, &list)
	var b strings.Builder
	for _, item := range list.Items {
		b.WriteString(item.Label + ",")
	}
	return b.String()
}

func (w *workspace) hover(find string) string {
	w.t.Helper()
	var h *protocol.Hover
	w.ask(protocol.MethodTextDocumentHover, &protocol.HoverParams{TextDocumentPositionParams: w.position(w.agent, find)}, &h)
	if h == nil {
		return ""
	}
	return h.Contents.(*protocol.MarkupContent).Value
}

// envelope is the part of a run's answer that a client reads.
type envelope struct {
	OK       bool            `json:"ok"`
	Value    json.RawMessage `json:"value"`
	Attempts []any           `json:"attempts"`
	Error    *struct {
		Kind    string         `json:"kind"`
		Code    string         `json:"code"`
		Message string         `json:"message"`
		Details map[string]any `json:"details"`
	} `json:"error"`
	Needs       *executor.Needs `json:"needs"`
	Environment string          `json:"environment"`
}

func (e envelope) kind() string {
	if e.Error == nil {
		return ""
	}
	return e.Error.Kind
}

// start starts a command for a tool of the agent. more has further fields of its
// argument.
func (w *workspace) start(id jsonrpc2.ID, command, tool, more string) lsptest.Pending {
	w.t.Helper()
	argument := fmt.Sprintf(`{"uri":%q,"tool":%q%s}`, w.agent, tool, more)
	return w.StartID(id, protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
		Command: command, Arguments: []protocol.LSPAny{protocol.LSPAny(argument)},
	})
}

func (w *workspace) wait(p lsptest.Pending) (e envelope) {
	w.t.Helper()
	var raw protocol.LSPAny
	if err := p.Wait(&raw); err != nil {
		w.t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		w.t.Fatalf("%s: %v", raw, err)
	}
	return e
}

func (w *workspace) run(tool, more string) envelope {
	w.t.Helper()
	w.runs++
	return w.wait(w.start(jsonrpc2.NewStringID(fmt.Sprintf("run %d", w.runs)), "abl.run", tool, more))
}

// waitForDiagnostics waits until the last diagnostics of a document have these codes.
func (w *workspace) waitForDiagnostics(u uri.URI, want ...string) {
	w.t.Helper()
	var got []string
	w.Until(fmt.Sprintf("diagnostics %q of %s", want, u), func(messages []lsptest.Message) bool {
		got = nil
		for _, m := range slices.Backward(messages) {
			var p protocol.PublishDiagnosticsParams
			if m.Method != protocol.MethodTextDocumentPublishDiagnostics || protocol.Unmarshal(m.Params, &p) != nil || p.URI != u {
				continue
			}
			for _, d := range warningsAndErrors(p.Diagnostics) {
				got = append(got, string(d.Code.(protocol.String)))
			}
			return slices.Equal(got, want)
		}
		return false
	})
}

// TestWholeSession is a session of a person with two files and an API, from the first
// mistake to runs.
func TestWholeSession(t *testing.T) {
	w := openWorkspace(t, lsptest.WithOptions(`{"trusted":true}`), lsptest.WithProgress(), withLinksAndTree)
	allowed := fmt.Sprintf(`,"allowHosts":[%q]`, w.api.host())

	t.Run("a mistake is shown, and goes with an edit", func(t *testing.T) {
		found := warningsAndErrors(w.Diagnostics(w.agent, 1))
		if len(found) != 1 || found[0].Code != protocol.String("invalid-value") || found[0].Range.Start != w.position(w.agent, "GTE").Position {
			t.Fatalf("diagnostics = %+v", found)
		}
		if href := string(found[0].CodeDescription.Href); !strings.HasSuffix(href, "/invalid-value.md") {
			t.Errorf("the page of the code is %q", href)
		}
		if left := w.edit(w.agent, "GTE", "GET"); len(left) > 0 {
			t.Errorf("after mending: %+v", left)
		}
	})
	t.Run("hover", func(t *testing.T) {
		for find, want := range map[string]string{
			"get_thing,":        "One thing, 東京 😀",
			"./lib.tools.abl":   "Brings 2 tools",
			"city: string":      "Parameter of `slow`",
			"type: http":        "**type**",
			"http\n":            "**type: http**",
			"secrets.SESSION":   "**secrets**",
			"AGENT":             "**AGENT**",
			"string = \"😀 東京\"": "**string**",
		} {
			t.Run(find, func(t *testing.T) {
				if got := w.hover(find); !strings.Contains(got, want) {
					t.Errorf("hover at %q = %q, want %q", find, got, want)
				}
			})
		}
	})
	t.Run("completion", func(t *testing.T) {
		for _, tt := range []struct{ old, typed, cursor, want, not string }{
			{"\nTOOLS:", "\nGA\nTOOLS:", "GA|\n", "GATHER,", "GOAL,"},
			{"    type: http\n    endpoint: \"" + w.api.URL + "/private\"", "    type: http\n    \n    endpoint: \"" + w.api.URL + "/private\"", "http\n    |\n", "timeout,", "headers,"},
			{"method: GET\n    headers", "method: \n    headers", "method: |", "GET,POST,", "get,"},
			{"slow(city: string", "slow(city: ", "slow(city: |", "string,number,", "GET,"},
			{"[get_thing, make_thing]", "[get_thing, ]", "[get_thing, |]", "make_thing,", "get_thing,"},
			{"\"./lib.tools.abl\"", "\"./\"", "\"./|\"", "lib.tools.abl,", "shop.agent.abl,"},
		} {
			t.Run(tt.old, func(t *testing.T) {
				w.edit(w.agent, tt.old, tt.typed)
				if got := "," + w.completionLabels(tt.cursor); !strings.Contains(got, ","+tt.want) || strings.Contains(got, ","+tt.not) {
					t.Errorf("at %q: %s", tt.cursor, got)
				}
				w.edit(w.agent, tt.typed, tt.old)
			})
		}
	})
	t.Run("definition", func(t *testing.T) {
		for find, want := range map[string]protocol.LocationLink{
			"make_thing]":     {TargetURI: w.lib, TargetSelectionRange: protocol.Range{Start: protocol.Position{Line: 8, Character: 2}, End: protocol.Position{Line: 8, Character: 12}}},
			"./lib.tools.abl": {TargetURI: w.lib},
		} {
			t.Run(find, func(t *testing.T) {
				var links []protocol.LocationLink
				w.ask(protocol.MethodTextDocumentDefinition, &protocol.DefinitionParams{TextDocumentPositionParams: w.position(w.agent, find)}, &links)
				if len(links) != 1 || links[0].TargetURI != want.TargetURI || links[0].TargetSelectionRange != want.TargetSelectionRange {
					t.Errorf("definition of %q = %+v", find, links)
				}
			})
		}
	})
	t.Run("symbols and lenses", func(t *testing.T) {
		params := &protocol.DocumentSymbolParams{TextDocument: protocol.TextDocumentIdentifier{URI: w.agent}}
		var symbols []protocol.DocumentSymbol
		w.ask(protocol.MethodTextDocumentDocumentSymbol, params, &symbols)
		if len(symbols) != 3 || len(symbols[2].Children) != 5 || symbols[2].Children[1].Children[0].Name != "city" {
			t.Errorf("symbols = %+v", symbols)
		}
		var lenses []protocol.CodeLens
		w.ask(protocol.MethodTextDocumentCodeLens, &protocol.CodeLensParams{TextDocument: params.TextDocument}, &lenses)
		want := fmt.Sprintf(`[{"uri":%q,"tool":"slow"}]`, w.agent)
		if len(lenses) != 11 || lenses[1].Command.Title != "Run" || lenses[1].Command.Command != "abl.run" || fmt.Sprintf("%s", lenses[1].Command.Arguments) != want {
			t.Errorf("lenses = %+v", lenses)
		}
	})
	t.Run("a private host is refused by name, until the person allows it", func(t *testing.T) {
		e := w.run("get_thing", `,"args":{"id":"a/b"}`)
		if e.kind() != "denied" || e.Error.Details["host"] == nil {
			t.Fatalf("without allowHosts: %+v", e.Error)
		}
		allowed := fmt.Sprintf(`,"allowHosts":[%q]`, e.Error.Details["host"])
		e = w.run("get_thing", `,"args":{"id":"a/b"}`+allowed)
		if !e.OK || string(e.Value) != `{"id":"a/b","price":10.50,"name":"東京 😀"}` {
			t.Errorf("with the host of the refusal: %s, %+v", e.Value, e.Error)
		}
	})
	t.Run("a run again asks the tool, whatever it answered lately", func(t *testing.T) {
		for more, attempts := range map[string]int{"": 0, `,"fresh":true`: 1} {
			t.Run(more, func(t *testing.T) {
				if e := w.run("get_thing", allowed+`,"args":{"id":"a/b"}`+more); !e.OK || len(e.Attempts) != attempts {
					t.Errorf("%q: %d attempts, %+v", more, len(e.Attempts), e.Error)
				}
			})
		}
	})
	t.Run("missing and wrong arguments", func(t *testing.T) {
		e := w.run("get_thing", allowed)
		if e.kind() != "needs" || e.Needs == nil || !strings.Contains(string(e.Needs.Arguments), `"id"`) {
			t.Errorf("missing: %+v, %+v", e.Error, e.Needs)
		}
		if e := w.run("get_thing", allowed+`,"args":{"id":7}`); e.kind() != "arguments" || !strings.Contains(e.Error.Message, "id") {
			t.Errorf("wrong: %+v", e.Error)
		}
	})
	t.Run("what changes something is confirmed by digest", func(t *testing.T) {
		e := w.run("make_thing", allowed+`,"args":{"name":"ü"}`)
		if e.Needs == nil || e.Needs.Confirmation == nil || e.Needs.Confirmation.Summary == "" {
			t.Fatalf("unconfirmed: %+v", e)
		}
		confirm := fmt.Sprintf(`,"confirm":%q`, e.Needs.Confirmation.Digest)
		if other := w.run("make_thing", allowed+confirm+`,"args":{"name":"other"}`); other.Needs == nil || other.Needs.Confirmation == nil {
			t.Errorf("confirmed for other arguments: %+v", other)
		}
		if e := w.run("make_thing", allowed+confirm+`,"args":{"name":"ü"}`); !e.OK || string(e.Value) != `{"name":"ü","count":1}` {
			t.Errorf("confirmed: %s, %+v", e.Value, e.Error)
		}
	})
	t.Run("a missing secret is given with the call, and never shown", func(t *testing.T) {
		e := w.run("private", allowed)
		if e.Needs == nil || !slices.Equal(e.Needs.Secrets, []string{"SESSION_TEST_TOKEN"}) {
			t.Fatalf("without: %+v", e)
		}
		e = w.run("private", allowed+`,"secrets":{"SESSION_TEST_TOKEN":"s3cr3t-value"}`)
		if got := <-w.api.authorization; got != "Bearer s3cr3t-value" || !e.OK || strings.Contains(string(e.Value), "s3cr3t") {
			t.Errorf("sent %q, answered %s, %+v", got, e.Value, e.Error)
		}
		if e := w.run("private", allowed); e.Needs == nil {
			t.Errorf("the secret was kept: %+v", e)
		}
	})
	t.Run("a preview sends nothing", func(t *testing.T) {
		e := w.wait(w.start(jsonrpc2.NewStringID("preview"), "abl.preview", "private", ""))
		if !e.OK || !strings.Contains(string(e.Value), "••••(SESSION_TEST_TOKEN)") || len(w.api.authorization) > 0 {
			t.Errorf("preview = %s, %+v", e.Value, e.Error)
		}
	})
	for name, id := range map[string]jsonrpc2.ID{"an integer": jsonrpc2.NewNumberID(1 << 40), "a string": jsonrpc2.NewStringID("slow one")} {
		t.Run("a slow run is cancelled while hovering, its id "+name, func(t *testing.T) {
			slow := w.start(id, "abl.run", "slow", allowed)
			<-w.api.entered
			if got := w.hover("slow("); got == "" {
				t.Error("no hover while a tool runs")
			}
			if left := w.edit(w.agent, "Takes its time", "Takes more time"); len(left) > 0 {
				t.Errorf("diagnostics while a tool runs: %+v", left)
			}
			w.edit(w.agent, "Takes more time", "Takes its time")
			slow.Cancel()
			<-w.api.cancelled
			if e := w.wait(slow); e.OK || e.Error == nil {
				t.Errorf("the cancelled run = %+v", e)
			}
		})
	}
	t.Run("a run is cancelled by its progress", func(t *testing.T) {
		slow := w.start(jsonrpc2.NewStringID("by progress"), "abl.run", "slow", allowed+`,"x":1`)
		<-w.api.entered
		token := w.lastToken()
		w.Notify(protocol.MethodWindowWorkDoneProgressCancel, &protocol.WorkDoneProgressCancelParams{Token: token})
		<-w.api.cancelled
		if e := w.wait(slow); e.OK {
			t.Errorf("the cancelled run = %+v", e)
		}
	})
	t.Run("an endpoint that never answers, and one that never ends", func(t *testing.T) {
		if e := w.run("stuck", allowed); e.kind() != "timeout" {
			t.Errorf("stuck = %+v", e.Error)
		}
		if e := w.run("huge", allowed); e.kind() != "limit" || e.Value != nil && string(e.Value) != "null" {
			t.Errorf("huge = %+v, with %d bytes of value", e.Error, len(e.Value))
		}
		if n := <-w.api.sent; n > 100<<20 {
			t.Errorf("%d bytes of the gigabyte were taken", n)
		}
	})
	t.Run("an importer follows the imported file", func(t *testing.T) {
		w.open(w.lib, w.source(sessionLib))
		w.edit(w.lib, "get_thing(", "get_things(")
		w.waitForDiagnostics(w.agent, "unknown-import-name")
		w.edit(w.lib, "get_things(", "get_thing(")
		w.waitForDiagnostics(w.agent)
		w.Close(w.lib)

		w.write("lib.tools.abl", w.source(strings.Replace(sessionLib, "make_thing", "build_thing", 1)))
		w.changedOnDisk()
		w.waitForDiagnostics(w.agent, "unknown-import-name")
		if err := os.Remove(filepath.Join(w.dir, "lib.tools.abl")); err != nil {
			t.Fatal(err)
		}
		w.changedOnDisk()
		w.waitForDiagnostics(w.agent, "unresolved-import")
		w.write("lib.tools.abl", w.source(sessionLib))
		w.changedOnDisk()
		w.waitForDiagnostics(w.agent)
	})
	if err := w.Exit(); err != nil {
		t.Error(err)
	}
	w.wantNoStaleReports()
}

func (w *workspace) changedOnDisk() {
	w.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{
		Changes: []protocol.FileEvent{{URI: w.lib, Type: protocol.FileChangeTypeChanged}},
	})
}

// lastToken returns the token of the progress that began last.
func (w *workspace) lastToken() protocol.ProgressToken {
	created := w.Messages(protocol.MethodWindowWorkDoneProgressCreate)
	var p protocol.WorkDoneProgressCreateParams
	if err := protocol.Unmarshal(created[len(created)-1].Params, &p); err != nil {
		w.t.Fatal(err)
	}
	return p.Token
}

// wantNoStaleReports checks that no version of a document was published after a later
// one.
func (w *workspace) wantNoStaleReports() {
	for u := range w.texts {
		var last int32
		for _, p := range w.Published(u) {
			version, versioned := p.Version.Get()
			if versioned && version < last {
				w.t.Errorf("%s: version %d after %d", u, version, last)
			}
			last = version
		}
	}
}

func withLinksAndTree(p *protocol.InitializeParams) {
	p.Capabilities.TextDocument = &protocol.TextDocumentClientCapabilities{
		PublishDiagnostics: &protocol.PublishDiagnosticsClientCapabilities{
			DiagnosticsCapabilities: protocol.DiagnosticsCapabilities{CodeDescriptionSupport: new(true)},
		},
		Definition:     &protocol.DefinitionClientCapabilities{LinkSupport: new(true)},
		Declaration:    &protocol.DeclarationClientCapabilities{LinkSupport: new(true)},
		TypeDefinition: &protocol.TypeDefinitionClientCapabilities{LinkSupport: new(true)},
		Rename:         &protocol.RenameClientCapabilities{PrepareSupport: new(true)},
		DocumentSymbol: &protocol.DocumentSymbolClientCapabilities{HierarchicalDocumentSymbolSupport: new(true)},
	}
}

// TestWholeSessionUntrusted runs a tool when trust is refused, and when the person is
// asked for it.
func TestWholeSessionUntrusted(t *testing.T) {
	for _, tt := range []struct {
		options, answer string
		asked           int
		ok              bool
	}{
		{`{"trusted":false}`, "", 0, false},
		{`{}`, "Do not trust", 1, false},
		{`{}`, "", 1, false},
		{`{}`, "Trust", 1, true},
	} {
		t.Run(tt.options+cmp.Or(tt.answer, "no answer"), func(t *testing.T) {
			w := openWorkspace(t, lsptest.WithOptions(tt.options))
			w.Answer(protocol.MethodWindowShowMessageRequest, func(jsonrpc2.RawMessage) (any, error) {
				if tt.answer == "" {
					return nil, nil
				}
				return protocol.MessageActionItem{Title: tt.answer}, nil
			})
			more := fmt.Sprintf(`,"args":{"id":"1"},"allowHosts":[%q]`, w.api.host())
			for range 2 {
				if e := w.run("get_thing", more); e.OK != tt.ok || !e.OK && (e.kind() != "needs" || e.Needs == nil || !e.Needs.Trust) {
					t.Errorf("run = %+v, %+v", e, e.Error)
				}
			}
			if n := len(w.Messages(protocol.MethodWindowShowMessageRequest)); n != tt.asked {
				t.Errorf("asked %d times, want %d", n, tt.asked)
			}
		})
	}
}
