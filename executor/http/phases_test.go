package http_test

import (
	"compress/gzip"
	"crypto/tls"
	"crypto/x509"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/http"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// phaseNames returns the names of an attempt's phases, and fails if one does not lie within the attempt.
func phaseNames(t *testing.T, a executor.Attempt) string {
	t.Helper()
	var names []string
	last := 0.0
	for _, p := range a.Phases {
		names = append(names, p.Name)
		if p.StartMS < last || p.DurationMS < 0 || p.StartMS+p.DurationMS > a.DurationMS+0.01 {
			t.Errorf("%+v is not within the attempt of %v ms", p, a.DurationMS)
		}
		last = p.StartMS
	}
	return strings.Join(names, " ")
}

// TestPhasesOfTLS checks the phases of a first request over TLS to a host with a name, and of a
// second one, which uses the same connection.
func TestPhasesOfTLS(t *testing.T) {
	s := httptest.NewTLSServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header()["X-Echo"] = []string{"one", r.Header.Get("X-Key")}
		_, _ = w.Write([]byte(`{"balance": 12.5}`))
	}))
	defer s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	dialer := dial.New(dial.Options{TLS: &tls.Config{RootCAs: roots, ServerName: "example.com"}})
	x := executor.New(executor.Options{
		Runners:   map[tool.Kind]executor.Runner{tool.KindHTTP: http.New(rest.Options{Dialer: dialer})},
		LookupEnv: func(string) (string, bool) { return "", false },
	})
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	req := executor.Request{
		Tool:    a(&tool.HTTP{Method: "GET", Endpoint: "https://localhost:" + port + "/", Headers: map[string]string{"X-Key": "{{secrets.KEY}}"}}),
		Trusted: true, AllowHosts: []string{"localhost"}, Secrets: map[string]string{"KEY": "hidden-value"}, KeepRaw: true,
	}
	for _, want := range []string{"secrets dns connect tls first-byte body", "secrets first-byte body"} {
		e := x.Run(t.Context(), req)
		succeeds(t, e)
		if got := phaseNames(t, e.Attempts[0]); got != want {
			t.Errorf("phases %s, want %s", got, want)
		}
		delete(e.Response.Headers, "date")
		if diff := cmp.Diff(&executor.Response{
			Status: 200, Bytes: 17, Raw: `{"balance": 12.5}`,
			Headers: map[string]string{"content-type": "application/json", "content-length": "17", "x-echo": "one, ••••(KEY)"},
		}, e.Response, cmp.AllowUnexported(executor.Response{})); diff != "" {
			t.Error(diff)
		}
	}
}

// TestPhasesOfAttempts checks that each attempt has its own phases, redirects included, and that
// the response is that of the last one.
func TestPhasesOfAttempts(t *testing.T) {
	failed := false
	s := newServer(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		switch {
		case r.URL.Path == "/start":
			nethttp.Redirect(w, r, "/end", nethttp.StatusFound)
		case !failed:
			failed = true
			w.WriteHeader(nethttp.StatusServiceUnavailable)
			_, _ = w.Write([]byte("not yet"))
		default:
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = z.Write([]byte(strings.Repeat("well ", 100)))
			_ = z.Close()
		}
	})
	e := s.run(t, a(&tool.HTTP{Method: "GET", Endpoint: "/start", Retry: "1"}), "{}")
	succeeds(t, e)
	if len(e.Attempts) != 2 {
		t.Fatalf("%d attempts", len(e.Attempts))
	}
	for i, want := range []string{"connect first-byte first-byte body", "first-byte first-byte body"} {
		if got := phaseNames(t, e.Attempts[i]); got != want {
			t.Errorf("attempt %d: phases %s, want %s", i, got, want)
		}
	}
	if r := e.Response; r.Status != 200 || r.Bytes != 500 || r.Raw != "" {
		t.Errorf("response %+v", r)
	}
}

// TestResponseOfFailures checks the response and the phases where the call fails.
func TestResponseOfFailures(t *testing.T) {
	s := newServer(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		switch r.URL.Path {
		case "/refused":
			w.WriteHeader(nethttp.StatusNotFound)
			_, _ = w.Write([]byte(strings.Repeat("no ", 1000)))
		case "/slow":
			<-r.Context().Done()
		case "/binary":
			_, _ = w.Write([]byte("\xff\x00\xfe"))
		}
	})
	run := func(spec *tool.HTTP) executor.Envelope {
		req := s.request(a(spec), "{}")
		req.KeepRaw = true
		return newExecutor().Run(t.Context(), req)
	}
	e := run(&tool.HTTP{Method: "GET", Endpoint: "/refused"})
	wants(t, e, executor.KindRemote)
	if r := e.Response; r.Status != 404 || r.Bytes != 3000 || len(r.Raw) != 3000 {
		t.Errorf("an error status: %+v", r)
	}
	e = run(&tool.HTTP{Method: "GET", Endpoint: "/slow", Timeout: "50"})
	wants(t, e, executor.KindTimeout)
	if got := phaseNames(t, e.Attempts[0]); !strings.HasSuffix(got, "first-byte") || e.Response != nil {
		t.Errorf("a timeout: phases %s, response %+v", got, e.Response)
	}
	if p := e.Attempts[0].Phases; p[len(p)-1].DurationMS < 30 {
		t.Errorf("the wait that timed out took %v ms", p[len(p)-1].DurationMS)
	}
	e = run(&tool.HTTP{Method: "GET", Endpoint: "/binary"})
	if r := e.Response; r.Bytes != 3 || r.Raw != "/wD+" || r.RawEncoding != executor.Base64 {
		t.Errorf("a binary body: %+v", r)
	}
	s.Close()
	e = run(&tool.HTTP{Method: "GET", Endpoint: "/"})
	wants(t, e, executor.KindNetwork)
	if got := phaseNames(t, e.Attempts[0]); !strings.HasSuffix(got, "connect") || e.Response != nil {
		t.Errorf("no server: phases %s, response %+v", got, e.Response)
	}
}

// TestRawIsCutAfterSecrets checks that the raw answer is cut to 1 MB, and not within a secret.
func TestRawIsCutAfterSecrets(t *testing.T) {
	const secret = "a-long-secret-value"
	s := newServer(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		_, _ = w.Write([]byte(strings.Repeat("x", 1<<20-5) + r.Header.Get("X-Key")))
	})
	req := s.request(a(&tool.HTTP{Method: "GET", Endpoint: "/", Headers: map[string]string{"X-Key": "{{secrets.KEY}}"}}), "{}")
	req.KeepRaw, req.Secrets = true, map[string]string{"KEY": secret}
	r := newExecutor().Run(t.Context(), req).Response
	if !r.RawCut || len(r.Raw) > 1<<20 || strings.Contains(r.Raw, secret[:5]) || r.Bytes != int64(1<<20-5+len(secret)) {
		t.Errorf("cut %v, %d bytes, ends in %q", r.RawCut, len(r.Raw), r.Raw[len(r.Raw)-20:])
	}
}
