package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/internal/conformance"
)

// TestMain also runs the server of the tests, as a process of this test binary.
func TestMain(m *testing.M) {
	if odd := os.Getenv("ABL_TEST_ODD"); odd != "" {
		runOddServer(odd)
		return
	}
	if os.Getenv("ABL_TEST_SUITE") != "" {
		if err := runSuiteClient(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if os.Getenv("ABL_TEST_SERVER") == "" {
		os.Exit(m.Run())
	}
	fmt.Fprintln(os.Stderr, "the server has begun")
	if greeting := os.Getenv("ABL_TEST_GREETING"); greeting != "" {
		fmt.Println(greeting)
	}
	if os.Getenv("ABL_TEST_DEAF") != "" {
		select {}
	}
	s := newServer(inProcess)
	if err := s.Run(context.Background(), &sdk.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// hooks are what the tools of the server do outside of the protocol.
type hooks struct {
	called func(tool string)                      // is told of each call
	token  func(*sdk.CallToolRequest) string      // the secret that came along
	flood  func(context.Context) *sdk.TextContent // answers with far too much
}

// inProcess returns the hooks of the server that is a process. The test that started it listens at
// a URL.
var inProcess = hooks{
	called: func(tool string) {
		resp, err := nethttp.Get(os.Getenv("ABL_TEST_SERVER") + "?tool=" + url.QueryEscape(tool))
		if err == nil {
			resp.Body.Close()
		}
	},
	token: func(*sdk.CallToolRequest) string { return os.Getenv("TOKEN") },
	flood: func(context.Context) *sdk.TextContent {
		chunk := []byte(strings.Repeat("x", 1<<20))
		for range 1024 {
			os.Stdout.Write(chunk)
		}
		return nil
	},
}

var anything = json.RawMessage(`{"type": "object"}`)

// newServer returns a server with the tools that the tests call.
func newServer(h hooks) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ServerOptions{PageSize: 5})
	for name, run := range handlers(h) {
		t := &sdk.Tool{Name: name, Description: "Does " + name + ".", InputSchema: anything}
		if name == "destroy" {
			t.Annotations = &sdk.ToolAnnotations{DestructiveHint: new(true)}
		}
		s.AddTool(t, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			h.called(name)
			return run(ctx, req)
		})
	}
	s.AddTool(&sdk.Tool{Name: "grow", InputSchema: anything}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		s.AddTool(&sdk.Tool{Name: "grown", InputSchema: anything}, handlers(h)["echo"])
		return textResult("there is one more"), nil
	})
	kept := "nothing"
	s.AddTool(&sdk.Tool{Name: "keep", InputSchema: anything}, func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		kept = req.Extra.Header.Get("X-Key")
		s.AddTool(&sdk.Tool{Name: "kept", Description: "Gives back " + kept, InputSchema: anything}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return textResult(kept), nil
		})
		return textResult("it is kept"), nil
	})
	return s
}

func textResult(texts ...string) *sdk.CallToolResult {
	r := &sdk.CallToolResult{Content: []sdk.Content{}}
	for _, text := range texts {
		r.Content = append(r.Content, &sdk.TextContent{Text: text})
	}
	return r
}

func handlers(h hooks) map[string]sdk.ToolHandler {
	leak := func(req *sdk.CallToolRequest) *sdk.CallToolResult {
		if h.token(req) != conformance.Token {
			return textResult("the token did not come")
		}
		raw, _ := json.Marshal(map[string]any{"list": conformance.Encodings(), conformance.Token: true})
		return textResult(string(raw))
	}
	echo := func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{StructuredContent: req.Params.Arguments, Content: []sdk.Content{}}, nil
	}
	return map[string]sdk.ToolHandler{
		"echo": echo, "write": echo, "destroy": echo,
		"hang": func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			<-ctx.Done()
			h.called("cancelled")
			return nil, ctx.Err()
		},
		"flood": func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{h.flood(ctx)}}, nil
		},
		"refuse": func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			r := textResult("no rooms on that day")
			r.IsError = true
			return r, nil
		},
		"leak": func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return leak(req), nil
		},
		"broken": func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			r := leak(req)
			r.IsError = true
			return r, nil
		},
		"texts": func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			var args struct{ Texts []string }
			err := json.Unmarshal(req.Params.Arguments, &args)
			return textResult(args.Texts...), err
		},
		"blocks": func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			r := textResult("a picture")
			r.Content = append(r.Content, &sdk.ImageContent{Data: []byte{1, 2, 3}, MIMEType: "image/png"})
			return r, nil
		},
		"described": func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			r := textResult("three rooms")
			r.StructuredContent = json.RawMessage(`{"rooms":3}`)
			return r, nil
		},
		"picture": func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.ImageContent{Data: []byte{1, 2, 3}, MIMEType: "image/png"}}}, nil
		},
		"progress": func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			if err := req.Session.Log(ctx, &sdk.LoggingMessageParams{Level: "warning", Logger: "steps", Data: map[string]any{"n": 3}}); err != nil { //nolint:staticcheck // it is still there
				return nil, err
			}
			for i := range 3 {
				err := req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
					ProgressToken: req.Params.GetProgressToken(), Message: "step", Progress: float64(i + 1), Total: 3,
				})
				if err != nil {
					return nil, err
				}
			}
			return textResult("done"), nil
		},
		"ask": ask, "elicit": elicit,
		"die": func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			fmt.Fprintln(os.Stderr, "out of cheese")
			os.Exit(3)
			return nil, nil
		},
		"pid": func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return textResult(fmt.Sprint(os.Getpid())), nil
		},
		"chatter": func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			for range 64 {
				fmt.Fprintln(os.Stderr, strings.Repeat("chatter ", 1024))
			}
			<-time.After(time.Minute) // far more than the console takes by then
			return textResult("done"), nil
		},
		"announce": func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			fmt.Fprint(os.Stderr, announcement)
			return textResult("done"), nil
		},
		"environment": func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			dir, err := os.Getwd()
			raw, _ := json.Marshal(map[string]any{"env": os.Environ(), "dir": dir})
			return textResult(string(raw)), err
		},
		"headers": func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			raw, err := json.Marshal(req.Extra.Header)
			return textResult(string(raw)), err
		},
	}
}

// ask asks the client for a model, and returns its answer.
//
//nolint:staticcheck // older servers may
func ask(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	_, err := req.Session.CreateMessage(ctx, &sdk.CreateMessageParams{MaxTokens: 1, Messages: []*sdk.SamplingMessage{}})
	return textResult(fmt.Sprint(err)), nil
}

// roomForm asks for a room.
var roomForm = &sdk.ElicitParams{
	Mode: "form", Message: "Which room? 🧭",
	RequestedSchema: json.RawMessage(`{"type":"object","properties":{"beds":{"type":"integer","minimum":1}},"required":["beds"]}`),
}

// elicit asks the person by a request of its own, in versions that have that, else in its answer; and
// for the folders of the workspace.
//
//nolint:staticcheck // older servers may ask for folders
func elicit(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	answers := req.Params.InputResponses
	if req.Session.InitializeParams().ProtocolVersion < "2026-07-28" {
		room, err := req.Session.Elicit(ctx, roomForm)
		if err != nil {
			return nil, err
		}
		folders, err := req.Session.ListRoots(ctx, nil)
		if err != nil {
			return nil, err
		}
		answers = sdk.InputResponseMap{"room": room, "folders": folders}
	}
	if answers == nil {
		return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{"room": roomForm, "folders": &sdk.ListRootsParams{}}, RequestState: "7"}, nil
	}
	room := answers["room"].(*sdk.ElicitResult)
	return textResult(fmt.Sprintf("%s %v in %d folder", room.Action, room.Content["beds"], len(answers["folders"].(*sdk.ListRootsResult).Roots))), nil
}

// announcement is printed by a server right before it answers. It is no longer than a pipe can
// hold before anyone reads.
var announcement = strings.Repeat("a", 60<<10) + "!"

// flooded is replaced by a gigabyte of text when it is sent.
const flooded = "FLOODED"

func floods(context.Context) *sdk.TextContent { return &sdk.TextContent{Text: flooded} }

// remote serves the server over HTTP, in both forms, and over WebSockets.
type remote struct {
	*httptest.Server
	called func(string)
}

func newRemote(t testing.TB, called func(string)) *remote {
	r := &remote{called: called}
	fromHeader := hooks{called: called, flood: floods, token: func(req *sdk.CallToolRequest) string {
		return strings.TrimPrefix(req.Extra.Header.Get("Authorization"), "Bearer ")
	}}
	shared := newServer(fromHeader)
	get := func(*nethttp.Request) *sdk.Server { return shared }
	mux := nethttp.NewServeMux()
	mux.Handle("/mcp", sdk.NewStreamableHTTPHandler(get, nil))
	mux.Handle("/json", sdk.NewStreamableHTTPHandler(get, &sdk.StreamableHTTPOptions{JSONResponse: true}))
	mux.Handle("/sse", sdk.NewSSEHandler(func(req *nethttp.Request) *sdk.Server {
		header := req.Header
		h := fromHeader
		h.token = func(*sdk.CallToolRequest) string { return strings.TrimPrefix(header.Get("Authorization"), "Bearer ") }
		return newServer(h)
	}, nil))
	mux.HandleFunc("/ws", r.webSocket)
	r.Server = httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, req *nethttp.Request) {
		mux.ServeHTTP(&flooding{ResponseWriter: w}, req)
	}))
	t.Cleanup(func() {
		r.CloseClientConnections()
		r.Close()
	})
	return r
}

// flooding is a ResponseWriter that writes a gigabyte in place of flooded.
type flooding struct{ nethttp.ResponseWriter }

func (f *flooding) Unwrap() nethttp.ResponseWriter { return f.ResponseWriter }

func (f *flooding) Flush() { f.ResponseWriter.(nethttp.Flusher).Flush() }

func (f *flooding) Write(p []byte) (int, error) {
	before, _, found := strings.Cut(string(p), flooded)
	if !found {
		return f.ResponseWriter.Write(p)
	}
	_, err := io.WriteString(f.ResponseWriter, before)
	chunk := []byte(strings.Repeat("x", 1<<20))
	for i := 0; i < 1024 && err == nil; i++ {
		_, err = f.ResponseWriter.Write(chunk)
	}
	return len(p), err
}

func (r *remote) webSocket(w nethttp.ResponseWriter, req *nethttp.Request) {
	conn, err := websocket.Accept(w.(*flooding).ResponseWriter, req, &websocket.AcceptOptions{Subprotocols: []string{"mcp"}})
	if err != nil {
		return
	}
	conn.SetReadLimit(-1)
	header := req.Header
	s := newServer(hooks{called: r.called, flood: floods, token: func(*sdk.CallToolRequest) string {
		return strings.TrimPrefix(header.Get("Authorization"), "Bearer ")
	}})
	_ = s.Run(req.Context(), &socket{conn})
}

// socket is the server's end of a WebSocket.
type socket struct{ conn *websocket.Conn }

func (s *socket) Connect(context.Context) (sdk.Connection, error) { return s, nil }

func (s *socket) Read(ctx context.Context) (jsonrpc.Message, error) {
	_, data, err := s.conn.Read(ctx)
	if err != nil {
		return nil, err
	}
	return jsonrpc.DecodeMessage(data)
}

func (s *socket) Write(ctx context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	if !strings.Contains(string(data), flooded) {
		return s.conn.Write(ctx, websocket.MessageText, data)
	}
	w, err := s.conn.Writer(ctx, websocket.MessageText)
	chunk := []byte(strings.Repeat("x", 1<<20))
	for i := 0; i < 1024 && err == nil; i++ {
		_, err = w.Write(chunk)
	}
	return err
}

func (s *socket) Close() error      { return s.conn.CloseNow() }
func (s *socket) SessionID() string { return "" }
