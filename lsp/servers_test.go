package lsp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/mcp"
	"github.com/abl-lsp/abl-lsp/internal/servercache"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
	"github.com/abl-lsp/abl-lsp/lsp"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestMain runs the tests. With a folder in its environment, the process is the MCP
// server of these tests.
func TestMain(m *testing.M) {
	dir := os.Getenv("LSP_TEST_SERVER")
	if dir == "" {
		os.Exit(m.Run())
	}
	if err := serveTools(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serveTools serves the tools in the current tools.json of the folder, and records in the
// folder that it was started. Without that file it does not answer.
func serveTools(dir string) error {
	starts, err := os.OpenFile(filepath.Join(dir, "starts"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	fmt.Fprintln(starts, "started")
	starts.Close()
	s := sdk.NewServer(&sdk.Implementation{Name: "maps", Version: "1"}, &sdk.ServerOptions{
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	s.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			switch method {
			case "tools/list":
				return listed(ctx, dir)
			case "tools/call":
				return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "{}"}}}, nil
			}
			return next(ctx, method, req)
		}
	})
	return s.Run(context.Background(), &sdk.StdioTransport{})
}

func listed(ctx context.Context, dir string) (sdk.Result, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "tools.json"))
	if errors.Is(err, os.ErrNotExist) {
		if err := os.WriteFile(filepath.Join(dir, "asked"), nil, 0o600); err != nil {
			return nil, err
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}
	var page sdk.ListToolsResult
	return &page, json.Unmarshal(raw, &page.Tools)
}

const serverAgent = `AGENT: Guide

GOAL: "Show the way 😀"

TOOLS:
  route(from: number) -> object
    description: "The way 😀"
    type: mcp
    server: maps
  other() -> object
    description: "Of a server that is not there"
    type: mcp
    server: broken
  half() -> object
    description: "Half typed"
    type: mcp
    server: maps
    server_tool: "loc"
`

const toolsNow = `[
  {"name": "route", "description": "DESCRIPTION", "inputSchema": {"type": "object", "properties": {"from": {"type": "string"}}, "required": ["from"]}},
  {"name": "locate", "description": "Finds 東京 🧭", "inputSchema": {"type": "object", "properties": {}}}
]`

// guide is an editor with a project whose server is a process.
type guide struct {
	*workspace
	project uri.URI
}

// openGuide opens the agent in an editor that stores its state in a folder.
func openGuide(t *testing.T, dir, state string, options ...func(*protocol.InitializeParams)) *guide {
	t.Helper()
	store := servercache.New(state, time.Now)
	runs := executor.New(executor.Options{
		Runners:     map[tool.Kind]executor.Runner{tool.KindMCP: mcp.New(mcp.Options{})},
		OnDiscovery: store.AddDiscovery,
	})
	t.Cleanup(func() {
		if err := runs.Close(); err != nil {
			t.Error(err)
		}
	})
	g := &guide{project: uri.File(filepath.Join(dir, "abl.yaml"))}
	g.workspace = &workspace{
		t: t, dir: dir, agent: uri.File(filepath.Join(dir, "guide.agent.abl")),
		texts: map[uri.URI]string{}, versions: map[uri.URI]int32{},
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server, _ := json.Marshal(map[string]any{"transport": "stdio", "command": program, "env": map[string]string{"LSP_TEST_SERVER": dir}})
	g.write("abl.yaml", fmt.Sprintf("servers:\n  maps: %s\n  broken: {transport: stdio, command: ./not-there}\n", server))
	g.Client = lsptest.Start(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
		return lsp.Serve(ctx, lsp.Options{In: in, Out: out, Executor: runs, Servers: store})
	})
	g.Initialize(append([]func(*protocol.InitializeParams){lsptest.WithFolders(dir), lsptest.WithActions}, options...)...)
	g.open(g.agent, serverAgent)
	return g
}

// starts returns how often the server was started.
func (g *guide) starts() int {
	raw, _ := os.ReadFile(filepath.Join(g.dir, "starts"))
	return strings.Count(string(raw), "\n")
}

func (g *guide) command(name, argument string) lsptest.Pending {
	g.t.Helper()
	g.runs++
	return g.StartID(jsonrpc2.NewStringID(fmt.Sprintf("command %d", g.runs)), protocol.MethodWorkspaceExecuteCommand,
		&protocol.ExecuteCommandParams{Command: name, Arguments: []protocol.LSPAny{protocol.LSPAny(argument)}})
}

func (g *guide) refresh(of uri.URI) error {
	g.t.Helper()
	var answer protocol.LSPAny
	g.runs++
	err := g.StartID(jsonrpc2.NewStringID(fmt.Sprintf("refresh %d", g.runs)), protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
		Command: "abl.refresh", Arguments: []protocol.LSPAny{protocol.LSPAny(fmt.Sprintf(`{"uri":%q}`, of))},
		WorkDoneProgressParams: protocol.WorkDoneProgressParams{WorkDoneToken: protocol.String("asking")},
	}).Wait(&answer)
	if err == nil && string(answer) != "null" {
		g.t.Errorf("the answer is %s", answer)
	}
	return err
}

// wantWarnings waits until the warnings of mcp-schema are these, each given by a part of
// its message.
func (g *guide) wantWarnings(want ...string) {
	g.t.Helper()
	g.Until("the diagnostics "+fmt.Sprint(want), func(messages []lsptest.Message) bool {
		var reported []string
		for _, m := range messages {
			var params protocol.PublishDiagnosticsParams
			if m.Method != protocol.MethodTextDocumentPublishDiagnostics || protocol.Unmarshal(m.Params, &params) != nil || params.URI != g.agent {
				continue
			}
			reported = nil
			for _, d := range params.Diagnostics {
				if fmt.Sprint(d.Code) == "mcp-schema" {
					reported = append(reported, fmt.Sprint(d.Message))
				}
			}
		}
		return slices.EqualFunc(reported, want, strings.Contains)
	})
}

// TestServers checks that the tools of a server are known after it was asked, and not
// before, that they are stored, and that a person accepts later changes.
func TestServers(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	g := openGuide(t, dir, state)
	g.write("tools.json", strings.Replace(toolsNow, "DESCRIPTION", "The first word.", 1))

	// Nothing is asked by editing, nor without trust.
	g.edit(g.agent, "Half typed", "Half")
	if got := g.completionLabels(`server_tool: "loc|`); got != "" || strings.Contains(g.hover("ro|ute("), "word") {
		t.Errorf("known before it was asked: %s", got)
	}
	if err := g.command("abl.trust", `{"trusted":false}`).Wait(nil); err != nil {
		t.Fatal(err)
	}
	if err := g.refresh(g.agent); err == nil || !strings.Contains(err.Error(), "not trusted") {
		t.Errorf("without trust: %v", err)
	}
	if n := g.starts(); n != 0 {
		t.Fatalf("the server was started %d times", n)
	}
	g.wantWarnings()

	if err := g.command("abl.trust", `{"trusted":true}`).Wait(nil); err != nil {
		t.Fatal(err)
	}
	if err := g.refresh(g.agent); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"kind":"begin"`, `"message":"maps"`, `"message":"broken"`, `1 of 2 answered`} {
		g.Await(protocol.MethodProgress, func(raw jsonrpc2.RawMessage) bool { return strings.Contains(string(raw), part) })
	}
	g.Await(protocol.MethodWindowShowMessage, func(raw jsonrpc2.RawMessage) bool {
		return strings.Contains(string(raw), "The server broken: ") && strings.Contains(string(raw), "not-there")
	})
	g.wantWarnings("`from` is of type `number`", "no tool `loc`; its tools are")
	if got := g.completionLabels(`server_tool: "loc|`); got != "route,locate," {
		t.Errorf("completions %s", got)
	}
	if got := g.hover("ro|ute("); !strings.Contains(got, "The first word.") {
		t.Errorf("hover %s", got)
	}
	g.edit(g.agent, "from: number", "from: string")
	g.edit(g.agent, `"loc"`, `"locate"`)
	g.wantWarnings()
	if got := g.hover("loc|ate"); !strings.Contains(got, "Finds 東京 🧭") || !strings.Contains(got, "Asked on ") {
		t.Errorf("hover %s", got)
	}

	// The server lists other tools, and a person accepts them.
	g.write("tools.json", strings.Replace(toolsNow, "DESCRIPTION", "Another word.", 1))
	if err := g.refresh(g.project); err != nil {
		t.Fatal(err)
	}
	g.wantWarnings("has changed `route`")
	other := openGuide(t, dir, state)
	other.edit(other.agent, "from: number", "from: string")
	other.edit(other.agent, `"loc"`, `"locate"`)
	other.wantWarnings("has changed `route`")
	other.accept("ro|ute(")
	other.wantWarnings()
	if err := g.refresh(g.agent); err != nil {
		t.Fatal(err)
	}
	if n := g.starts(); n != 1 {
		t.Errorf("the server was started %d times", n)
	}

	// Another process hears more, and an editor does when it looks at the disk.
	servercache.New(state, time.Now).AddDiscovery(executor.Discovery{Root: dir, Server: "maps"})
	g.Notify(protocol.MethodTextDocumentDidSave, &protocol.DidSaveTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: g.agent}})
	g.wantWarnings("no tool `route`; it has none", "no tool `locate`")
	ask := g.action("ma|ps", "Ask `maps` for its tools")
	if err := g.command(ask.Command, string(ask.Arguments[0])).Wait(nil); err != nil {
		t.Fatal(err)
	}
	g.wantWarnings()
}

// action returns the command of the action at a position whose title has the given
// beginning.
func (g *guide) action(at, title string) protocol.Command {
	g.t.Helper()
	p := g.position(g.agent, at)
	var actions []protocol.CodeAction
	g.ask(protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{
		TextDocument: p.TextDocument, Range: protocol.Range{Start: p.Position, End: p.Position},
		Context: protocol.CodeActionContext{Diagnostics: []protocol.Diagnostic{}},
	}, &actions)
	i := slices.IndexFunc(actions, func(a protocol.CodeAction) bool { return strings.HasPrefix(a.Title, title) })
	if i < 0 {
		g.t.Fatalf("no action begins with %q: %+v", title, actions)
	}
	return actions[i].Command
}

// accept runs the action that accepts the server's listing, and then an outdated one.
func (g *guide) accept(at string) {
	g.t.Helper()
	c := g.action(at, "Accept what `maps`")
	if err := g.command(c.Command, string(c.Arguments[0])).Wait(nil); err != nil {
		g.t.Fatal(err)
	}
	stale := strings.Replace(string(c.Arguments[0]), `"digest":"`, `"digest":"0`, 1)
	if err := g.command(c.Command, stale).Wait(nil); err != nil {
		g.t.Fatal(err)
	}
	g.Await(protocol.MethodWindowShowMessage, func(raw jsonrpc2.RawMessage) bool {
		return strings.Contains(string(raw), "has changed its word once more")
	})
}

// TestServersOfARun checks that a run stores the server's listing, too.
func TestServersOfARun(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := openGuide(t, dir, "", lsptest.WithOptions(`{"trusted":true}`))
	g.write("tools.json", toolsNow)
	e := g.run("half", "")
	if e.Needs == nil || e.Needs.Confirmation == nil || g.starts() != 0 {
		t.Fatalf("%+v, %d starts", e, g.starts())
	}
	g.run("half", fmt.Sprintf(`,"confirm":%q`, e.Needs.Confirmation.Digest))
	g.wantWarnings("`from` is of type `number`", "no tool `loc`")
}

// TestRefreshIsCancelled cancels a refresh of a server that never answers.
func TestRefreshIsCancelled(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := openGuide(t, dir, "", lsptest.WithOptions(`{"trusted":true}`))
	asking := g.command("abl.refresh", fmt.Sprintf(`{"uri":%q}`, g.agent))
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "asked")); err == nil {
			break
		} else if time.Now().After(deadline) {
			t.Fatal("the server was never asked")
		}
	}
	asking.Cancel()
	if err := asking.Wait(nil); err == nil {
		t.Error("a refresh that was cancelled is done")
	}
	for _, m := range g.Messages(protocol.MethodWindowShowMessage) {
		if strings.Contains(string(m.Params), "maps") {
			t.Errorf("the person is told what he did: %s", m.Params)
		}
	}
}

// TestServersWithoutExecutor checks the error of a server without an executor.
func TestServersWithoutExecutor(t *testing.T) {
	c := lsptest.Start(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
		return lsp.Serve(ctx, lsp.Options{In: in, Out: out})
	})
	c.Initialize()
	for argument, want := range map[string]string{`{"uri":"file:///a.tools.abl"}`: "runs no tools", `[]`: "argument"} {
		t.Run(argument, func(t *testing.T) {
			err := c.Call(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
				Command: "abl.refresh", Arguments: []protocol.LSPAny{protocol.LSPAny(argument)},
			}, nil)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", argument, err)
			}
		})
	}
}

// TestReferenceServer asks the reference server of MCP.
func TestReferenceServer(t *testing.T) {
	node, modules := testdeps.FindNPMPackage(t, "@modelcontextprotocol/server-everything")
	program := filepath.Join(modules, "@modelcontextprotocol", "server-everything", "dist", "index.js")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := openGuide(t, dir, "", lsptest.WithOptions(`{"trusted":true}`))
	args, _ := json.Marshal([]string{program, "stdio"})
	project := fmt.Sprintf("servers:\n  maps: {transport: stdio, command: %q, args: %s}\n", node, args)
	g.write("abl.yaml", project)
	g.Open(g.project, project)
	if err := g.refresh(g.project); err != nil {
		t.Fatal(err)
	}
	g.edit(g.agent, "route(from: number)", "echo(mesage: string)")
	g.wantWarnings("takes no `mesage`; did you mean `message`?", "no tool `loc`")
	if got := g.completionLabels(`server_tool: "loc|`); !strings.Contains(got, "echo,") || !strings.Contains(got, "get-sum,") {
		t.Errorf("completions %s", got)
	}
	if got := g.hover("ma|ps"); !strings.Contains(got, "`get-sum`") {
		t.Errorf("hover %s", got)
	}
}
