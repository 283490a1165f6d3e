package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// nestedServers are two programs that serve tools: a client calls the outer one, whose tools are
// those of the inner one, which makes tasks of their calls.
type nestedServers struct {
	t       *testing.T
	file    string // of the outer one
	entered chan struct{}
	left    chan struct{}

	mu    sync.Mutex
	asked []string // what the inner one is asked over HTTP: the headers Mcp-Method and Mcp-Name
}

const innerTools = `TOOLS:
  look() -> {trace: string}
    description: "Returns the trace that arrives 🧭"
    type: http
    endpoint: "API/look"
    method: GET
    hints:
      latency: slow
  book(hotel: string) -> {booked: string}
    description: "Books a room"
    type: http
    endpoint: "API/book"
    method: POST
    hints:
      latency: slow
  hang() -> object
    description: "Never ends"
    type: http
    endpoint: "API/hang"
    method: GET
    hints:
      latency: slow
  break() -> object
    description: "Fails"
    type: http
    endpoint: "API/break"
    method: GET
    hints:
      latency: slow
`

// outerTool is a tool of the inner server, as the outer one declares it.
const outerTool = `  %s -> object
    description: "Of the inner server"
    type: mcp
    server: "inner"
    hints:
      side_effects: false
`

// nest writes the files of both servers. Over HTTP, it starts the inner one; else the outer one does.
func nest(t *testing.T, transport string) *nestedServers {
	t.Helper()
	n := &nestedServers{t: t, entered: make(chan struct{}, 1), left: make(chan struct{}, 1)}
	api := httptest.NewServer(http.HandlerFunc(n.answer))
	t.Cleanup(api.Close)
	dir := t.TempDir()
	inner := filepath.Join(dir, "inner.tools.abl")
	n.file = filepath.Join(dir, "outer.tools.abl")
	outer := "TOOLS:\n"
	for _, signature := range []string{"look()", "book(hotel: string)", "hang()", "break()"} {
		outer += fmt.Sprintf(outerTool, signature)
	}
	writeFiles(t, map[string]string{inner: strings.ReplaceAll(innerTools, "API", api.URL), n.file: outer})
	server := "{transport: stdio, command: '" + os.Args[0] + "', args: [mcp, '" + inner + "', --allow-host, 127.0.0.1], env: {" + asProgram + ": '1', ABL_STATE_DIR: '" + t.TempDir() + "'}}"
	if transport == "http" {
		server = "{transport: http, url: '" + n.watch(serveHTTP(t, "mcp", inner, "--allow-host", "127.0.0.1")) + "'}"
	}
	writeFiles(t, map[string]string{filepath.Join(dir, "abl.yaml"): "servers:\n  inner: " + server + "\n"})
	return n
}

func writeFiles(t *testing.T, files map[string]string) {
	t.Helper()
	for path, text := range files {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// answer is the API that the inner tools call.
func (n *nestedServers) answer(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/look":
		fmt.Fprintf(w, `{"trace":%q}`, r.Header.Get("traceparent")+" "+r.Header.Get("tracestate"))
	case "/book":
		_, _ = io.WriteString(w, `{"booked":"the room 🛏"}`)
	case "/hang":
		n.entered <- struct{}{}
		<-r.Context().Done()
		n.left <- struct{}{}
	default:
		http.Error(w, `{"why":"no rooms"}`, http.StatusTeapot)
	}
}

// watch returns a URL at which the inner server's URL is served, and notes what it is asked.
func (n *nestedServers) watch(endpoint string) string {
	to, err := url.Parse(endpoint)
	if err != nil {
		n.t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{FlushInterval: -1, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError), Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Host, r.Out.URL.Scheme = to.Host, to.Scheme
		r.Out.Host = to.Host
		n.mu.Lock()
		defer n.mu.Unlock()
		n.asked = append(n.asked, r.In.Header.Get("Mcp-Method")+" "+r.In.Header.Get("Mcp-Name"))
	}}
	server := httptest.NewServer(proxy)
	n.t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL + to.Path
}

// awaitTask waits until the outer server asks for the task of a call of a tool.
func (n *nestedServers) awaitTask(tool string) {
	for range 6000 {
		n.mu.Lock()
		called := slices.Index(n.asked, "tools/call "+tool)
		asked := called >= 0 && slices.ContainsFunc(n.asked[called:], func(s string) bool { return strings.HasPrefix(s, "tasks/get ") })
		n.mu.Unlock()
		if asked {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	n.t.Errorf("no task of %s in %q", tool, n.asked)
}

// wasAsked reports whether the inner server got a message about a task.
func (n *nestedServers) wasAsked(method string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.ContainsFunc(n.asked, func(s string) bool {
		name, ok := strings.CutPrefix(s, method+" ")
		return ok && name != ""
	})
}

// connect returns a client of the outer server, whose person answers each question by action.
func (n *nestedServers) connect(version, action string) (session *sdk.ClientSession, questions *[]string) {
	n.t.Helper()
	questions = new([]string)
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{Form: &sdk.FormElicitationCapabilities{}}},
		ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			*questions = append(*questions, r.Params.Message)
			return &sdk.ElicitResult{Action: action, Content: map[string]any{}}, nil
		},
	})
	cmd := exec.CommandContext(n.t.Context(), os.Args[0], "mcp", n.file, "--allow-host", "127.0.0.1")
	cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+n.t.TempDir())
	session, err := client.Connect(n.t.Context(), &sdk.CommandTransport{Command: cmd}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() { _ = session.Close() })
	return session, questions
}

// call calls a tool and returns what a model reads.
func (n *nestedServers) call(s *sdk.ClientSession, params *sdk.CallToolParams) (text string, failed bool) {
	n.t.Helper()
	r, err := s.CallTool(n.t.Context(), params)
	if err != nil {
		n.t.Fatal(err)
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError
}

// TestTasksOfNestedServer checks that a run waits for the tasks of a server of the newest version: for
// results, failures, and questions to the person. A cancelled run cancels its task.
func TestTasksOfNestedServer(t *testing.T) {
	for _, transport := range []string{"http", "stdio"} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			n := nest(t, transport)
			s, questions := n.connect("", "accept")
			const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
			if text, failed := n.call(s, &sdk.CallToolParams{Name: "look", Meta: sdk.Meta{"traceparent": parent, "tracestate": "a=1"}}); failed || text != `{"trace":"`+parent+` a=1"}` {
				t.Errorf("look: %s", text)
			}
			if text, failed := n.call(s, &sdk.CallToolParams{Name: "break"}); !failed || !strings.Contains(text, "no rooms") {
				t.Errorf("break: %s", text)
			}
			if text, failed := n.call(s, &sdk.CallToolParams{Name: "book", Arguments: map[string]any{"hotel": "東京"}}); failed || !strings.Contains(text, "the room 🛏") {
				t.Errorf("book: %s", text)
			}
			if len(*questions) != 1 || !strings.Contains((*questions)[0], "東京") {
				t.Errorf("the person is asked %q", *questions)
			}

			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				defer cancel()
				<-n.entered
				if transport == "http" {
					n.awaitTask("hang") // a call that is cancelled before it has a task cancels only itself
				}
			}()
			if _, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "hang"}); err == nil {
				t.Error("the call is not cancelled")
			}
			select {
			case <-n.left:
			case <-time.After(time.Minute):
				t.Error("the task goes on")
			}
			for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
				if transport == "http" && !n.wasAsked(method) {
					t.Errorf("no %s in %q", method, n.asked)
				}
			}
		})
	}
}

// TestDeclinedTaskOfNestedServer checks that the person's no to a question of a task ends the call, in
// each version of the client.
func TestDeclinedTaskOfNestedServer(t *testing.T) {
	n := nest(t, "http")
	for _, version := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(version, func(t *testing.T) {
			s, questions := n.connect(version, "decline")
			text, failed := n.call(s, &sdk.CallToolParams{Name: "book", Arguments: map[string]any{"hotel": "x"}})
			if !failed || !strings.Contains(text, "said no") || len(*questions) != 1 {
				t.Errorf("%s %q", text, *questions)
			}
		})
	}
}
