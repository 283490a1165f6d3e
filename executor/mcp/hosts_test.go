package mcp_test

import (
	nethttp "net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/mcp"
	"github.com/abl-lsp/abl-lsp/internal/conformance"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestHosts checks all the ways in which remote servers are asked.
func TestHosts(t *testing.T) {
	redirected := func(transport, home string) func(string) tool.Server {
		return func(to string) tool.Server {
			return tool.Server{Transport: transport, URL: home + "?to=" + url.QueryEscape(to)}
		}
	}
	for name, w := range map[string]struct {
		server  func(url string) tool.Server
		home    nethttp.HandlerFunc
		without func(string) string
	}{
		"http":                  {server: func(url string) tool.Server { return tool.Server{Transport: "http", URL: url} }},
		"websocket":             {server: func(url string) tool.Server { return tool.Server{Transport: "websocket", URL: asSocket(url)} }},
		"http, redirected":      {redirected("http", conformance.Home), conformance.Redirect, conformance.NoRedirectReason},
		"websocket, redirected": {redirected("websocket", asSocket(conformance.Home)), conformance.Redirect, conformance.NoRedirectReason},
		"sse endpoint":          {redirected("http", conformance.Home), sse, conformance.NoRedirectReason},
	} {
		t.Run(name, func(t *testing.T) {
			conformance.RunHosts(t, conformance.Transport{
				Runner: func(d *dial.Dialer) executor.Runner { return mcp.New(mcp.Options{Dialer: d}) },
				Request: func(url string) executor.Request {
					return executor.Request{
						Tool:        &tool.Tool{Name: "ask", Kind: tool.KindMCP, Spec: &tool.MCP{Server: "s"}},
						Environment: executor.Environment{Servers: map[string]tool.Server{"s": w.server(url)}},
					}
				},
				Home:       w.home,
				SkipReason: w.without,
				NeverDials: w.home != nil, // servers do not send us elsewhere
			})
		})
	}
}

// asSocket returns a URL as one of a WebSocket.
func asSocket(url string) string {
	if rest, ok := strings.CutPrefix(url, "http"); ok {
		return "ws" + rest
	}
	return url
}

// sse is a server of the older form, which says where messages are to be sent.
func sse(w nethttp.ResponseWriter, r *nethttp.Request) {
	if r.Method != nethttp.MethodGet {
		w.WriteHeader(nethttp.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = w.Write([]byte("event: endpoint\ndata: " + r.URL.Query().Get("to") + "\n\n"))
	_ = nethttp.NewResponseController(w).Flush()
	<-r.Context().Done()
}
