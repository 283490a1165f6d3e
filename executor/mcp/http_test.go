package mcp_test

import (
	"encoding/json"
	"io"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/mcp"
	"github.com/abl-lsp/abl-lsp/internal/conformance"
	"github.com/abl-lsp/abl-lsp/tool"
)

func TestHeaders(t *testing.T) {
	r := newFixture(t, mcp.Options{Version: "1.2"}, one(tool.Server{
		Transport: "http", URL: newRemote(t, newWatch().called).URL + "/mcp?a={{env.a}}&key={{secrets.KEY}}",
		Headers: map[string]string{"X-Server": "{{env.tenant}}", "x-both": "server", "Authorization": "Bearer {{secrets.KEY}}"},
	}))
	r.request.Environment.Variables = map[string]string{"tenant": "acme", "a": "b"}
	r.request.Secrets = map[string]string{"KEY": "a secret & more"}
	tl := reading("headers")
	tl.Params = []tool.Param{{Name: "who", Type: &tool.Type{Name: "string"}}}
	tl.Spec = &tool.MCP{Server: "s", Headers: map[string]string{"X-Both": "tool", "X-Who": "{{who}}"}}
	for _, who := range []string{"ada", "grace"} {
		t.Run(who, func(t *testing.T) {
			var got nethttp.Header
			if err := json.Unmarshal([]byte(r.value(tl, `{"who": "`+who+`"}`)), &got); err != nil {
				t.Fatal(err)
			}
			for name, want := range map[string]string{
				"X-Server": "acme", "X-Both": "tool", "X-Who": who, "Authorization": "Bearer ••••(KEY)", "User-Agent": "abl-lsp/1.2",
			} {
				if got.Get(name) != want {
					t.Errorf("%s: %q, want %q", name, got.Get(name), want)
				}
			}
		})
	}
	if len(r.found) != 1 {
		t.Errorf("%d sessions, want 1", len(r.found))
	}
	r.fails(tl, `{"who": "a\r\nX-Evil: 1"}`, executor.KindArguments, "headers.X-Who")
}

// TestCredentials checks that the project's credential for a server's host is sent there, and
// nowhere else.
func TestCredentials(t *testing.T) {
	srv := newRemote(t, newWatch().called)
	host := srv.Listener.Addr().String()
	bearer := tool.Credential{Bearer: "{{secrets.TOKEN}}", Headers: map[string]string{"X-Org": "acme"}}
	for name, tt := range map[string]struct {
		credentials executor.Credentials
		server, own map[string]string
		needs       bool
		want        map[string]string
		missing     string
	}{
		"of the host and port":     {credentials: executor.Credentials{host: bearer}, want: map[string]string{"Authorization": "Bearer ••••(TOKEN)", "X-Org": "acme"}},
		"of the host":              {credentials: executor.Credentials{"127.0.0.1": {APIKey: "{{secrets.TOKEN}}"}}, want: map[string]string{"X-Api-Key": "••••(TOKEN)"}},
		"of another host":          {credentials: executor.Credentials{"api.example.com": bearer}, want: map[string]string{"Authorization": "", "X-Org": ""}},
		"the server's own first":   {credentials: executor.Credentials{host: bearer}, server: map[string]string{"authorization": "Basic eDp5"}, want: map[string]string{"Authorization": "Basic ••••(servers.s.headers.authorization)", "X-Org": "acme"}},
		"the tool's own first":     {credentials: executor.Credentials{host: bearer}, own: map[string]string{"Authorization": "Basic eDp5"}, want: map[string]string{"Authorization": "Basic eDp5"}},
		"of the tool":              {credentials: executor.Credentials{host: {Bearer: "other"}, "headers": bearer}, want: map[string]string{"Authorization": "Bearer ••••(TOKEN)"}},
		"none, and it needs some":  {needs: true, missing: "127_0_0_1_BEARER"},
		"some, and it needs some":  {credentials: executor.Credentials{host: bearer}, needs: true, want: map[string]string{"Authorization": "Bearer ••••(TOKEN)"}},
		"a secret is missing":      {credentials: executor.Credentials{host: {Bearer: "{{secrets.OTHER}}"}}, missing: "OTHER"},
		"in plain text, not shown": {credentials: executor.Credentials{host: {Bearer: "plain-token"}}, want: map[string]string{"Authorization": "Bearer ••••(credentials." + host + ".bearer)"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newFixture(t, mcp.Options{}, one(tool.Server{Transport: "http", URL: srv.URL + "/mcp", Headers: tt.server}))
			r.request.Environment.Credentials = tt.credentials
			r.request.Secrets = map[string]string{"TOKEN": "hunter2hunter2"}
			tl := reading("headers")
			tl.Spec = &tool.MCP{Server: "s", Headers: tt.own}
			if tt.needs {
				tl.Hints.RequiresAuth = "true"
			}
			if tt.missing != "" {
				if e := r.fails(tl, "", executor.KindNeeds, tt.missing); !slices.Equal(e.Needs.Secrets, []string{tt.missing}) {
					t.Errorf("%+v", e.Needs)
				}
				return
			}
			var got nethttp.Header
			if err := json.Unmarshal([]byte(r.value(tl, "")), &got); err != nil {
				t.Fatal(err)
			}
			for name, want := range tt.want {
				if got.Get(name) != want {
					t.Errorf("%s: %q, want %q", name, got.Get(name), want)
				}
			}
		})
	}
	r := newFixture(t, mcp.Options{}, one(tool.Server{URL: asSocket(srv.URL) + "/ws"}))
	r.request.Environment.Credentials = executor.Credentials{host: {Bearer: conformance.Token}}
	if got := r.value(reading("leak"), ""); strings.Contains(got, "did not come") || strings.Contains(got, conformance.Token) {
		t.Errorf("over a WebSocket: %s", got)
	}
	r = newFixture(t, mcp.Options{}, one(ourProcess(t, newWatch())))
	r.request.Environment.Credentials = executor.Credentials{"texts": bearer, "127.0.0.1": bearer}
	r.value(reading("texts"), "") // a process gets none
}

// answers returns a server that does not, or not properly, speak the protocol.
func answers(t *testing.T, h nethttp.HandlerFunc) tool.Server {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return tool.Server{Transport: "http", URL: srv.URL + "/mcp"}
}

func TestWhatIsNoServer(t *testing.T) {
	status := func(code int, body string) nethttp.HandlerFunc {
		return func(w nethttp.ResponseWriter, _ *nethttp.Request) {
			w.WriteHeader(code)
			io.WriteString(w, body)
		}
	}
	for _, tt := range []struct {
		name, transport string
		handler         nethttp.HandlerFunc
		kind            executor.ErrorKind
		code, part      string
	}{
		{"401", "http", status(401, "who are you?"), executor.KindRemote, "http-401", "answered 401 Unauthorized"},
		{"404 in both forms", "http", status(404, "nothing here"), executor.KindRemote, "http-404", "answered 404 Not Found"},
		{"503", "http", status(503, ""), executor.KindRemote, "http-503", "answered 503"},
		{"a page", "http", status(200, "<html>"), executor.KindRemote, "no-mcp", "does not answer as an MCP server"},
		{"no gzip", "http", func(w nethttp.ResponseWriter, _ *nethttp.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, "this is no gzip at all")
		}, executor.KindRemote, "content-encoding", "not compressed as its header says"},
		{"no WebSocket", "websocket", status(200, "<html>"), executor.KindRemote, "no-mcp", "does not answer as a WebSocket"},
		{"403 to a WebSocket", "websocket", status(403, ""), executor.KindRemote, "http-403", "answered 403 Forbidden"},
		{"a redirect to another host", "http", func(w nethttp.ResponseWriter, r *nethttp.Request) {
			nethttp.Redirect(w, r, "http://localhost:1/mcp", nethttp.StatusTemporaryRedirect)
		}, executor.KindDenied, "redirect", "leads to http://localhost:1"},
		{"a redirect to a file", "http", func(w nethttp.ResponseWriter, r *nethttp.Request) {
			nethttp.Redirect(w, r, "file:///etc/passwd", nethttp.StatusTemporaryRedirect)
		}, executor.KindDenied, "unsafe-url", "file"},
		{"a redirect of a WebSocket", "websocket", func(w nethttp.ResponseWriter, r *nethttp.Request) {
			nethttp.Redirect(w, r, "http://localhost:1/mcp", nethttp.StatusTemporaryRedirect)
		}, executor.KindDenied, "redirect", "leads to http://localhost:1"},
		{"an event that leads elsewhere", "http", func(w nethttp.ResponseWriter, r *nethttp.Request) {
			if r.Method == nethttp.MethodPost {
				w.WriteHeader(nethttp.StatusMethodNotAllowed)
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "event: endpoint\ndata: http://localhost:1/steal\n\n")
			w.(nethttp.Flusher).Flush()
			<-r.Context().Done()
		}, executor.KindDenied, "redirect", "leads to http://localhost:1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := answers(t, tt.handler)
			s.Transport = tt.transport
			r := newFixture(t, mcp.Options{}, one(s))
			r.request.AllowHosts = append(r.request.AllowHosts, "localhost")
			if e := r.fails(reading("echo"), "", tt.kind, tt.part); e.Error.Code != tt.code {
				t.Errorf("%+v", e.Error)
			}
		})
	}
}

// TestRedirectOnTheHost checks that a redirect to a URL with a trailing slash is followed.
func TestRedirectOnTheHost(t *testing.T) {
	handler := sdk.NewStreamableHTTPHandler(func(*nethttp.Request) *sdk.Server { return newServer(hooks{called: func(string) {}}) }, nil)
	r := newFixture(t, mcp.Options{}, one(answers(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		if r.URL.Path == "/mcp" {
			nethttp.Redirect(w, r, "/mcp/", nethttp.StatusTemporaryRedirect)
			return
		}
		handler.ServeHTTP(w, r)
	})))
	r.value(reading("texts"), "")
}

// TestForgottenSession checks that a server which has lost its sessions gets a new one, unnoticed.
func TestForgottenSession(t *testing.T) {
	for name, refuse := range map[string]nethttp.HandlerFunc{
		"by the protocol": func(w nethttp.ResponseWriter, _ *nethttp.Request) { w.WriteHeader(nethttp.StatusNotFound) },
		"by the example": func(w nethttp.ResponseWriter, _ *nethttp.Request) {
			w.WriteHeader(nethttp.StatusBadRequest)
			io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWatch()
			make := func() *sdk.StreamableHTTPHandler {
				return sdk.NewStreamableHTTPHandler(func(*nethttp.Request) *sdk.Server { return newServer(hooks{called: w.called}) }, nil)
			}
			handler, old := make(), ""
			r := newFixture(t, mcp.Options{}, one(answers(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
				id := r.Header.Get("Mcp-Session-Id")
				if id != "" && id == old {
					refuse(w, r)
					return
				}
				if r.Method == nethttp.MethodGet {
					w.WriteHeader(nethttp.StatusMethodNotAllowed)
					return
				}
				if id != "" && old == "" {
					defer func() { old = "seen " + id }()
				}
				handler.ServeHTTP(w, r)
			})))
			tl := reading("texts")
			tl.Hints.SideEffects = "true" // it was not begun, so it may be made again
			r.request.Yes = true
			r.value(tl, "")
			old = strings.TrimPrefix(old, "seen ")
			e := r.run(tl, "")
			if !e.OK || len(e.Attempts) != 1 || w.calls.Load() != 2 {
				t.Errorf("%+v, %d calls", e.Error, w.calls.Load())
			}
		})
	}
}

func TestServerIsNotReached(t *testing.T) {
	s := answers(t, nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.URL = "http://" + l.Addr().String()
	l.Close()
	for _, transport := range []string{"http", "websocket"} {
		t.Run(transport, func(t *testing.T) {
			s.Transport = transport
			r := newFixture(t, mcp.Options{}, one(s))
			writing := reading("echo")
			writing.Hints.SideEffects = "true"
			r.request.Yes = true
			if e := r.fails(writing, "", executor.KindNetwork, l.Addr().String()); e.Error.Code != "connect" || !e.Error.Retryable {
				t.Errorf("%+v", e.Error)
			}
		})
	}
}

// TestNewestProtocolAlone checks a server that knows only the version of the protocol without a
// handshake.
func TestNewestProtocolAlone(t *testing.T) {
	newest := sdk.SupportedProtocolVersions()[:1]
	handler := sdk.NewStreamableHTTPHandler(func(*nethttp.Request) *sdk.Server {
		s := sdk.NewServer(&sdk.Implementation{Name: "new", Version: "1"}, &sdk.ServerOptions{SupportedProtocolVersions: newest})
		s.AddTool(&sdk.Tool{Name: "echo", InputSchema: anything}, handlers(hooks{})["echo"])
		return s
	}, &sdk.StreamableHTTPOptions{Stateless: true})
	var versions []string
	r := newFixture(t, mcp.Options{}, one(answers(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		versions = append(versions, r.Header.Get("Mcp-Protocol-Version"))
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), `"initialize"`) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(nethttp.StatusBadRequest)
			io.WriteString(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"initialize is gone"}}`)
			return
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		handler.ServeHTTP(w, r)
	})))
	tl := reading("echo")
	tl.Params = []tool.Param{{Name: "n", Type: &tool.Type{Name: "number"}}}
	if got := r.value(tl, `{"n": 10.50}`); got != `{"n":10.50}` || !slices.Contains(versions, newest[0]) {
		t.Errorf("%s, by %q", got, versions)
	}
}
