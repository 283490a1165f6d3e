package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// runner runs http tools. The tool slow runs until it is stopped, every other one ends at
// once.
type runner struct {
	entered, stopped chan struct{}
}

func newRunner() *runner {
	return &runner{make(chan struct{}, 10), make(chan struct{}, 10)}
}

func (r *runner) serve(s *server) {
	s.opts.Executor = executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{tool.KindHTTP: r}})
}

func (r *runner) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	if call.Tool.Name != "slow" {
		return executor.Result{Value: json.RawMessage(`{"price": 10.50, "id": 9007199254740993, "note": "<ü>"}`)}, nil
	}
	r.entered <- struct{}{}
	<-ctx.Done()
	r.stopped <- struct{}{}
	return executor.Result{}, ctx.Err()
}

func (r *runner) Preview(call executor.Call) (any, error) {
	return map[string]string{"would call": call.Tool.Name}, nil
}

const agentText = `AGENT: Shop

GOAL: "Sell 東京 things 😀"

TOOLS:
  file: "./lib.tools.abl" [quick]
  slow(city: string = "😀 東京") -> {price: number}
    description: "Takes its time"
    type: http
    endpoint: "https://api.example.com/slow/{city}"
    method: GTE
  writes(name: string) -> object
    description: "Changes something"
    type: http
    endpoint: "https://api.example.com/{name}"
    method: POST
`

const libText = `TOOLS:
  quick() -> object
    description: "Answers 東京 😀 at once"
    type: http
    endpoint: "https://api.example.com/quick"
    method: GET
`

// shop is a session with an agent and a library in a folder on disk.
type shop struct {
	testClient
	*runner
	agent, lib uri.URI
	lines      *text.Lines // of the agent
	encoding   text.Encoding
}

func openShop(t *testing.T, agent string, options ...func(*protocol.InitializeParams)) shop {
	t.Helper()
	f := newTestFolder(t)
	f.write("lib.tools.abl", libText)
	f.write("shop.agent.abl", agent)
	r := newRunner()
	c := startClient(t, r.serve)
	options = append([]func(*protocol.InitializeParams){lsptest.WithFolders(f.path), lsptest.WithOptions(`{"trusted":true}`)}, options...)
	c.Initialize(options...)
	s := shop{
		testClient: c, runner: r,
		agent: uri.File(f.join("shop.agent.abl")), lib: uri.File(f.join("lib.tools.abl")),
		lines: text.NewLines(agent), encoding: c.server.session.load().encoding,
	}
	c.Open(s.agent, agent)
	return s
}

// at returns the position in the agent where a text begins.
func (s shop) at(t *testing.T, find string) protocol.TextDocumentPositionParams {
	t.Helper()
	i := strings.Index(s.lines.Text(), find)
	if i < 0 {
		t.Fatalf("%q is not in the agent", find)
	}
	var p protocol.TextDocumentPositionParams
	p.TextDocument.URI = s.agent
	p.Position = converter{s.lines.Positions(), s.encoding}.position(i)
	return p
}

func (s shop) hover(t *testing.T, find string) *protocol.Hover {
	t.Helper()
	var h *protocol.Hover
	if err := s.Call(protocol.MethodTextDocumentHover, &protocol.HoverParams{TextDocumentPositionParams: s.at(t, find)}, &h); err != nil {
		t.Fatal(err)
	}
	return h
}

func (s shop) execute(command, argument string) lsptest.Pending {
	return s.Start(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
		Command: command, Arguments: []protocol.LSPAny{protocol.LSPAny(argument)},
	})
}

// run waits for the envelope of abl.run.
func (s shop) run(t *testing.T, argument string) answer {
	t.Helper()
	return envelope(t, s.execute(runCommand, argument))
}

// answer is the part of an envelope that these tests read.
type answer struct {
	OK    bool            `json:"ok"`
	Value json.RawMessage `json:"value"`
	Error *executor.Error `json:"error"`
	Needs *executor.Needs `json:"needs"`
}

func envelope(t *testing.T, p lsptest.Pending) answer {
	t.Helper()
	var raw protocol.LSPAny
	var e answer
	if err := p.Wait(&raw); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return e
}

func (s shop) argument(tool, more string) string {
	return fmt.Sprintf(`{"uri":%q,"tool":%q%s}`, s.agent, tool, more)
}

const placesText = `AGENT: Places
GOAL: "東京 😀"
TOOLS:
  one(text: string = "😀 東京", city: string) -> object
    description: "😀"
    type: http
    endpoint: "https://example.com/東京/😀/{city}"
    headers: {"X-東京": "😀"}
    method: GTE # 😀
`

// TestPlacesInEveryEncoding asks for positions after emoji and CJK, with both line ends.
func TestPlacesInEveryEncoding(t *testing.T) {
	for _, encoding := range []protocol.PositionEncodingKind{"utf-8", "utf-16", "utf-32"} {
		for name, end := range map[string]string{"LF": "\n", "CRLF": "\r\n"} {
			t.Run(string(encoding)+" "+name, func(t *testing.T) {
				s := openShop(t, strings.ReplaceAll(placesText, "\n", end), lsptest.WithEncodings(encoding))
				if found := s.Diagnostics(s.agent, 1); len(found) == 0 || found[0].Range.Start != s.at(t, "GTE").Position {
					t.Errorf("diagnostics = %+v", found)
				}
				use, declared := s.at(t, "city}"), s.at(t, "city:")
				var places []protocol.Location
				if err := s.Call(protocol.MethodTextDocumentDefinition, &protocol.DefinitionParams{TextDocumentPositionParams: use}, &places); err != nil {
					t.Fatal(err)
				}
				if len(places) != 1 || places[0].URI != s.agent || places[0].Range.Start != declared.Position {
					t.Errorf("definition = %+v, want %+v", places, declared.Position)
				}
				if h := s.hover(t, "city}"); h == nil || h.Range == nil || h.Range.Start != use.Position {
					t.Errorf("hover = %+v, want it at %+v", h, use.Position)
				}
			})
		}
	}
}

func TestRun(t *testing.T) {
	s := openShop(t, agentText)
	s.Diagnostics(s.agent, 1)

	e := s.run(t, s.argument("quick", ""))
	if !e.OK || string(e.Value) != `{"price":10.50,"id":9007199254740993,"note":"<ü>"}` {
		t.Errorf("an imported tool: %+v, value %s", e, e.Value)
	}
	e = s.run(t, s.argument("slow", ""))
	if e.Error == nil || e.Error.Kind != executor.KindDefinition || e.Error.Code != "invalid-value" || !strings.Contains(e.Error.Message, "shop.agent.abl:11: ") {
		t.Errorf("a tool with an error: %+v", e.Error)
	}
	e = s.run(t, s.argument("writes", `,"args":{"name":"x"}`))
	if e.Needs == nil || e.Needs.Confirmation == nil {
		t.Fatalf("a tool that writes: %+v", e)
	}
	e = s.run(t, s.argument("writes", fmt.Sprintf(`,"args":{"name":"x"},"confirm":%q`, e.Needs.Confirmation.Digest)))
	if !e.OK {
		t.Errorf("confirmed: %+v", e.Error)
	}
	e = envelope(t, s.execute(previewCommand, s.argument("quick", "")))
	if string(e.Value) != `{"would call":"quick"}` {
		t.Errorf("preview = %s", e.Value)
	}
}

// TestRunOfUnopenedFile runs a tool of a file that is not open.
func TestRunOfUnopenedFile(t *testing.T) {
	s := openShop(t, "AGENT: Alone\n")
	if e := s.run(t, fmt.Sprintf(`{"uri":%q,"tool":"quick","args":null}`, s.lib)); !e.OK {
		t.Errorf("run = %+v", e.Error)
	}
}

func TestRunRefuses(t *testing.T) {
	s := openShop(t, agentText)
	for name, p := range map[string]lsptest.Pending{
		"unknown tool":    s.execute(runCommand, s.argument("nothing", "")),
		"unknown file":    s.execute(runCommand, `{"uri":"file:///none.abl","tool":"quick"}`),
		"no argument":     s.Start(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{Command: runCommand}),
		"wrong argument":  s.execute(runCommand, `[]`),
		"unknown command": s.execute("abl.unheardOf", `{}`),
	} {
		t.Run(name, func(t *testing.T) {
			if err := p.Wait(nil); err == nil {
				t.Errorf("%s: no error", name)
			}
		})
	}
}

func TestCancelByProgress(t *testing.T) {
	s := openShop(t, strings.Replace(agentText, "GTE", "GET", 1), lsptest.WithProgress())
	slow := s.execute(runCommand, s.argument("slow", ""))
	<-s.entered
	s.Notify(protocol.MethodWindowWorkDoneProgressCancel, &protocol.WorkDoneProgressCancelParams{Token: protocol.String("abl-lsp/1")})
	<-s.stopped
	if e := envelope(t, slow); e.OK {
		t.Errorf("the cancelled run = %+v", e)
	}
	if got := kinds(t, s.testClient, "abl-lsp/1"); got != "begin end" {
		t.Errorf("reports = %q", got)
	}
}

func TestTrust(t *testing.T) {
	tests := map[string]struct {
		answer any // to the question
		fails  bool
		want   bool
	}{
		"yes":     {answer: protocol.MessageActionItem{Title: "Trust"}, want: true},
		"no":      {answer: protocol.MessageActionItem{Title: "Do not trust"}},
		"closed":  {answer: nil},
		"refused": {fails: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := openShop(t, agentText, lsptest.WithOptions(`{}`))
			s.Answer(protocol.MethodWindowShowMessageRequest, func(jsonrpc2.RawMessage) (any, error) {
				if tt.fails {
					return nil, jsonrpc2.ErrInternal
				}
				return tt.answer, nil
			})
			runs := []lsptest.Pending{s.execute(runCommand, s.argument("quick", "")), s.execute(runCommand, s.argument("quick", ""))}
			for _, p := range runs {
				if e := envelope(t, p); e.OK != tt.want || !tt.want && (e.Needs == nil || !e.Needs.Trust) {
					t.Errorf("run = %+v", e)
				}
			}
			if n := len(s.Messages(protocol.MethodWindowShowMessageRequest)); n != 1 {
				t.Errorf("asked %d times", n)
			}
			if err := s.execute(trustCommand, `{"trusted":true}`).Wait(nil); err != nil {
				t.Fatal(err)
			}
			if e := s.run(t, s.argument("quick", "")); !e.OK {
				t.Errorf("after abl.trust: %+v", e.Error)
			}
		})
	}
}

// TestTrustGivenMeanwhile gives trust by a setting while the question is open. The
// question is then closed without an answer.
func TestTrustGivenMeanwhile(t *testing.T) {
	s := openShop(t, agentText, lsptest.WithOptions(`{}`))
	asked, given := make(chan struct{}), make(chan struct{})
	s.Answer(protocol.MethodWindowShowMessageRequest, func(jsonrpc2.RawMessage) (any, error) {
		close(asked)
		<-given
		return nil, nil
	})
	run := s.execute(runCommand, s.argument("quick", ""))
	<-asked
	s.Send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"abl":{"trusted":true}}}}`)
	s.echo(t)
	close(given)
	if e := envelope(t, run); !e.OK {
		t.Errorf("run = %+v", e.Error)
	}
	if trusted := s.server.session.load().settings.Trusted; trusted == nil || !*trusted {
		t.Error("the closed question took the trust away")
	}
}

// TestTrustCancelled cancels a run while the person is asked about trust. That is not a
// refusal, and the next run asks again.
func TestTrustCancelled(t *testing.T) {
	s := openShop(t, agentText, lsptest.WithOptions(`{}`))
	asked, answered := make(chan struct{}, 2), make(chan struct{})
	s.Answer(protocol.MethodWindowShowMessageRequest, func(jsonrpc2.RawMessage) (any, error) {
		asked <- struct{}{}
		<-answered
		return protocol.MessageActionItem{Title: "Trust"}, nil
	})
	run := s.execute(runCommand, s.argument("quick", ""))
	<-asked
	run.Cancel()
	if e := envelope(t, run); e.Error == nil || e.Error.Code != "cancelled" || e.Needs != nil {
		t.Errorf("run = %+v", e)
	}
	close(answered)
	if e := s.run(t, s.argument("quick", "")); !e.OK {
		t.Errorf("the next run = %+v", e.Error)
	}
}

// TestPathsOfUntitled completes a path in a document that is in no folder.
func TestPathsOfUntitled(t *testing.T) {
	c := startClient(t)
	c.Initialize(lsptest.WithOptions(`{"trusted":true}`))
	for _, typed := range []string{"", "./", "../"} {
		t.Run(typed, func(t *testing.T) {
			const u = "untitled:Untitled-1"
			c.Open(u, "AGENT: A\nTOOLS:\n  file: \""+typed)
			var list *protocol.CompletionList
			params := &protocol.CompletionParams{}
			params.TextDocument.URI, params.Position = u, protocol.Position{Line: 2, Character: uint32(9 + len(typed))}
			if err := c.Call(protocol.MethodTextDocumentCompletion, params, &list); err != nil {
				t.Fatal(err)
			}
			for _, item := range list.Items {
				if item.Kind != protocol.CompletionItemKindFolder || item.Label != "../" {
					t.Errorf("%q: %s", typed, item.Label)
				}
			}
		})
	}
}

// TestLensesFollowImports edits an imported file. The client is asked to get the lenses
// of the importer again, once for each change in them.
func TestLensesFollowImports(t *testing.T) {
	s := openShop(t, agentText, func(p *protocol.InitializeParams) {
		p.Capabilities.Workspace = &protocol.WorkspaceClientCapabilities{CodeLens: &protocol.CodeLensWorkspaceClientCapabilities{RefreshSupport: new(true)}}
	})
	refreshes := func() int { return len(s.Messages(protocol.MethodWorkspaceCodeLensRefresh)) }
	titles := func() string {
		params := &protocol.CodeLensParams{}
		params.TextDocument.URI = s.agent
		var lenses []protocol.CodeLens
		if err := s.Call(protocol.MethodTextDocumentCodeLens, params, &lenses); err != nil {
			t.Fatal(err)
		}
		return lenses[0].Command.Title
	}
	if got := titles(); got != "brings 1 tool: quick" {
		t.Fatalf("lens = %s", got)
	}
	s.Open(s.lib, libText)
	s.Change(s.lib, 2, lsptest.Replace(0, 0, 0, 0, "# no other tools\n"))
	s.Diagnostics(s.lib, 2)
	s.Change(s.lib, 3, lsptest.ReplaceAll(strings.Replace(libText, "quick", "fast", 1)))
	s.Await(protocol.MethodWorkspaceCodeLensRefresh, nil)
	if got := titles(); got != "brings no tools" {
		t.Errorf("lens = %s", got)
	}
	s.Change(s.agent, 2, lsptest.Replace(0, 0, 0, 0, "# its own lenses are asked for by the client\n"))
	s.Diagnostics(s.agent, 2)
	if got := titles(); got != "brings no tools" {
		t.Errorf("lens = %s", got)
	}
	s.Change(s.lib, 4, lsptest.Replace(0, 0, 0, 0, "# the same tools\n"))
	s.Diagnostics(s.lib, 4)
	s.Change(s.lib, 5, lsptest.ReplaceAll(libText))
	s.Until("a second refresh", func(messages []lsptest.Message) bool {
		isRefresh := func(m lsptest.Message) bool { return m.Method == protocol.MethodWorkspaceCodeLensRefresh }
		first := slices.IndexFunc(messages, isRefresh)
		return first >= 0 && slices.ContainsFunc(messages[first+1:], isRefresh)
	})
	if got := titles(); got != "brings 1 tool: quick" {
		t.Errorf("lens = %s", got)
	}
	if n := refreshes(); n != 2 {
		t.Errorf("%d refreshes, want one for each change of the tools", n)
	}
}

func TestCompletion(t *testing.T) {
	s := openShop(t, strings.Replace(agentText, "    method: GTE\n", "    method: \n    \n", 1))
	ask := func(p protocol.TextDocumentPositionParams) *protocol.CompletionList {
		t.Helper()
		var list *protocol.CompletionList
		if err := s.Call(protocol.MethodTextDocumentCompletion, &protocol.CompletionParams{TextDocumentPositionParams: p}, &list); err != nil {
			t.Fatal(err)
		}
		return list
	}
	value := s.at(t, "    method: \n")
	value.Position.Character += uint32(len("    method: "))
	for _, item := range ask(value).Items {
		if item.InsertTextFormat == protocol.InsertTextFormatSnippet {
			t.Errorf("%s is a snippet for a client that knows none", item.Label)
		}
		if edit := item.TextEdit.(*protocol.TextEdit); edit.Range.Start.Line != value.Position.Line || strings.ContainsAny(edit.NewText, "${}") {
			t.Errorf("%s: edit %+v", item.Label, edit)
		}
	}
	path := s.at(t, "lib.tools.abl\"")
	var labels []string
	for _, item := range ask(path).Items {
		labels = append(labels, item.Label)
	}
	if !slices.ContainsFunc(labels, func(l string) bool { return strings.Contains(l, "lib.tools.abl") }) {
		t.Errorf("paths = %q", labels)
	}
}

func TestSnippetAsPlainText(t *testing.T) {
	for snippet, want := range map[string]string{
		"plain":                          "plain",
		"a(${1:x}, ${2}) $0":             "a(x, ) ",
		`price: \$5 in \}`:               "price: $5 in }",
		"name(${1}) -> ${2:string}\n $0": "name() -> string\n ",
	} {
		t.Run(snippet, func(t *testing.T) {
			if got := snippetAsPlainText(snippet); got != want {
				t.Errorf("%q became %q, want %q", snippet, got, want)
			}
		})
	}
}

func TestSymbols(t *testing.T) {
	type node struct {
		Name     string `json:"name"`
		Children []node `json:"children"`
	}
	var walk func([]node) string
	walk = func(nodes []node) string {
		var names []string
		for _, n := range nodes {
			name := n.Name
			if len(n.Children) > 0 {
				name += "(" + walk(n.Children) + ")"
			}
			names = append(names, name)
		}
		return strings.Join(names, " ")
	}
	ask := func(s shop) string {
		params := &protocol.DocumentSymbolParams{}
		params.TextDocument.URI = s.agent
		var nodes []node
		if err := s.Call(protocol.MethodTextDocumentDocumentSymbol, params, &nodes); err != nil {
			t.Fatal(err)
		}
		return walk(nodes)
	}
	tree := openShop(t, agentText, func(p *protocol.InitializeParams) {
		p.Capabilities.TextDocument = &protocol.TextDocumentClientCapabilities{
			DocumentSymbol: &protocol.DocumentSymbolClientCapabilities{HierarchicalDocumentSymbolSupport: new(true)},
		}
	})
	if got := ask(tree); !strings.Contains(got, "slow(city") {
		t.Errorf("tree = %s", got)
	}
	if got := ask(openShop(t, agentText)); !strings.Contains(got, "slow city") {
		t.Errorf("flat = %s", got)
	}
}

func TestCodeLenses(t *testing.T) {
	for name, option := range map[string]string{
		"":         `{"trusted":true}`,
		"abl.open": `{"trusted":true,"clientCommands":["abl.open"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := openShop(t, agentText, lsptest.WithOptions(option))
			params := &protocol.CodeLensParams{}
			params.TextDocument.URI = s.agent
			var lenses []protocol.CodeLens
			if err := s.Call(protocol.MethodTextDocumentCodeLens, params, &lenses); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, l := range lenses {
				got = append(got, fmt.Sprintf("%d %s %s %s", l.Range.Start.Line, l.Command.Title, l.Command.Command, l.Command.Arguments))
			}
			run := fmt.Sprintf(`[{"uri":"%s","tool":"slow"}]`, s.agent)
			opens := ""
			if name != "" {
				opens = fmt.Sprintf(`[{"uri":"%s"}]`, s.lib)
			}
			if len(got) != 6 || !strings.HasPrefix(got[5], "5 Run quick abl.run") || !strings.Contains(got[5], string(s.lib)) || !strings.HasSuffix(got[0], name+" "+orEmpty(opens)) || got[1] != "6 Run (1 error) abl.run "+run || got[2] != "6 Preview (1 error) abl.preview "+run || !strings.HasPrefix(got[3], "11 Run abl.run") {
				t.Errorf("lenses =\n%s", strings.Join(got, "\n"))
			}
			if run, preview := lenses[1].Range.Start, lenses[2].Range.Start; run.Character >= preview.Character {
				t.Errorf("Preview begins at %v, not after Run at %v", preview, run)
			}
		})
	}
}

func orEmpty(arguments string) string {
	if arguments == "" {
		return "[]"
	}
	return arguments
}

func TestFeaturesOfClosedDocument(t *testing.T) {
	s := openShop(t, agentText)
	s.Close(s.agent)
	for _, method := range []string{
		protocol.MethodTextDocumentHover, protocol.MethodTextDocumentCompletion, protocol.MethodTextDocumentDefinition,
		protocol.MethodTextDocumentDocumentSymbol, protocol.MethodTextDocumentCodeLens,
	} {
		t.Run(method, func(t *testing.T) {
			if err := s.Call(method, s.at(t, "quick]"), nil); err != nil {
				t.Errorf("%s: %v", method, err)
			}
		})
	}
}

// TestOtherLanguages opens files whose names are not those of ABL, with any language id.
// No diagnostics are published for them.
func TestOtherLanguages(t *testing.T) {
	c := startClient(t)
	c.Initialize()
	for name, abl := range map[string]bool{
		"/w/tools.yaml": false, "/w/x.tools.json": false, "/w/notes.md": false, "/w/x.abl.orig": false,
		"/w/x.abl": true, "/w/X.TOOLS.ABL": true, "/w/without-ending": true,
	} {
		t.Run(name, func(t *testing.T) {
			u := uri.File(name)
			c.Open(u, "base_url: http://x\n- x\n")
			if found := c.Diagnostics(u, 1); (len(found) > 0) != abl {
				t.Errorf("%s: %+v", name, found)
			}
			params := &protocol.CompletionParams{}
			params.TextDocument.URI = u
			var list *protocol.CompletionList
			if err := c.Call(protocol.MethodTextDocumentCompletion, params, &list); err != nil || (len(list.Items) > 0) != abl {
				t.Errorf("%s: %+v, %v", name, list, err)
			}
			c.Change(u, 2, lsptest.ReplaceAll("AGENT: A\nGOAL: x\n"))
			c.Diagnostics(u, 2)
			c.Close(u)
		})
	}
	c.Open("untitled:Untitled-1", "- x")
	if found := c.Diagnostics("untitled:Untitled-1", 1); len(found) == 0 {
		t.Error("nothing is wrong with an untitled document")
	}
}

// TestRunReadsTheDisk runs an imported tool after its file has changed, in a client that
// reports no changes of files.
func TestRunReadsTheDisk(t *testing.T) {
	s := openShop(t, agentText)
	s.Diagnostics(s.agent, 1)
	if err := os.WriteFile(pathOf(s.lib), []byte(strings.Replace(libText, "method: GET", "method: POST", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if e := s.run(t, s.argument("quick", "")); e.Needs == nil || e.Needs.Confirmation == nil {
		t.Errorf("what is now a POST ran without a question: %+v", e)
	}
}
