package http_test

import (
	"encoding/json"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/http"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// seen is a request that the server received.
type seen struct {
	Method, URI, Host, Body string
	Header                  nethttp.Header
}

// server records its requests, and answers with a handler of the test.
type server struct {
	*httptest.Server
	mu  sync.Mutex
	got []seen
}

func newServer(t *testing.T, h nethttp.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.got = append(s.got, seen{r.Method, r.RequestURI, r.Host, string(body), r.Header.Clone()})
		s.mu.Unlock()
		if h != nil {
			h(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) addr() string { return s.Listener.Addr().String() }

// requests returns the requests so far, and forgets them.
func (s *server) requests() []seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	got := s.got
	s.got = nil
	return got
}

// one returns the only request that arrived.
func (s *server) one(t *testing.T) seen {
	t.Helper()
	got := s.requests()
	if len(got) != 1 {
		t.Fatalf("%d requests, want one: %+v", len(got), got)
	}
	return got[0]
}

// a returns a tool with string parameters of these names.
func a(spec *tool.HTTP, params ...string) *tool.Tool {
	t := &tool.Tool{Name: "get_it", Kind: tool.KindHTTP, Spec: spec}
	for _, name := range params {
		t.Params = append(t.Params, tool.Param{Name: name, Type: &tool.Type{Name: "any"}, Optional: true})
	}
	return t
}

var shared = dial.New(dial.Options{})

func newExecutor() *executor.Executor {
	return executor.New(executor.Options{
		Runners:   map[tool.Kind]executor.Runner{tool.KindHTTP: http.New(rest.Options{Dialer: shared})},
		LookupEnv: func(string) (string, bool) { return "", false },
	})
}

// request returns a call that nothing stops, and that may reach only the server.
func (s *server) request(tl *tool.Tool, args string) executor.Request {
	return executor.Request{
		Tool: tl, Args: json.RawMessage(args), Trusted: true, Yes: true,
		AllowHosts:  []string{s.addr()},
		Environment: executor.Environment{BaseURL: s.URL},
	}
}

func (s *server) run(t *testing.T, tl *tool.Tool, args string) executor.Envelope {
	t.Helper()
	return newExecutor().Run(t.Context(), s.request(tl, args))
}

func succeeds(t *testing.T, e executor.Envelope) {
	t.Helper()
	if !e.OK {
		t.Fatalf("%s %s: %s", e.Error.Kind, e.Error.Code, e.Error.Message)
	}
}

func wants(t *testing.T, e executor.Envelope, kind executor.ErrorKind) *executor.Error {
	t.Helper()
	if e.OK {
		t.Fatalf("ran, want %s", kind)
	}
	if e.Error.Kind != kind {
		t.Fatalf("%s %s: %s; want %s", e.Error.Kind, e.Error.Code, e.Error.Message, kind)
	}
	return e.Error
}
