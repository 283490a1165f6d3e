package http_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/http"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// answers returns a handler that gives these statuses in turn, and repeats the last one.
func answers(n *atomic.Int64, header nethttp.Header, statuses ...int) nethttp.HandlerFunc {
	return func(w nethttp.ResponseWriter, r *nethttp.Request) {
		if r.URL.Path == "/warm" {
			return
		}
		i := min(int(n.Add(1)), len(statuses)) - 1
		for k, v := range header {
			w.Header()[k] = v
		}
		if statuses[i] == 0 { // the connection is lost
			panic(nethttp.ErrAbortHandler)
		}
		w.WriteHeader(statuses[i])
		fmt.Fprintf(w, `{"n": %d}`, i)
	}
}

func TestRetry(t *testing.T) {
	again := nethttp.Header{"Retry-After": {"0"}}
	tests := []struct {
		name     string
		effect   string // side_effects
		retry    tool.Number
		header   nethttp.Header
		statuses []int
		calls    int
		ok       bool
	}{
		{"no retry", "false", "", nil, []int{503, 200}, 1, false},
		{"retry 1", "false", "1", nil, []int{503, 200}, 2, true},
		{"retry 3 is three more", "false", "3", nil, []int{500}, 4, false},
		{"408 429 502", "false", "3", nil, []int{408, 429, 502, 200}, 4, true},
		{"404 is an answer", "false", "3", nil, []int{404}, 1, false},
		{"a lost connection", "false", "3", nil, []int{0, 0, 200}, 3, true},
		{"placeholder", "false", "{{env.TRIES}}", nil, []int{503, 503, 200}, 3, true},
		{"mutating: 500", "true", "3", nil, []int{500}, 1, false},
		{"mutating: 503", "true", "3", nil, []int{503}, 1, false},
		{"mutating: 503 with Retry-After", "true", "3", again, []int{503, 429, 200}, 3, true},
		{"mutating: 500 with Retry-After", "true", "3", again, []int{500}, 1, false},
		{"mutating: a lost connection", "true", "3", nil, []int{0}, 1, false},
		{"unknown: 500", "{{env.NONE}}", "3", nil, []int{500}, 1, false},
		{"asked to wait longer than there is time", "false", "3", nethttp.Header{"Retry-After": {"3600"}}, []int{503}, 1, false},
	}
	for _, method := range []string{"GET", "POST"} {
		for _, tt := range tests {
			t.Run(method+" "+tt.name, func(t *testing.T) {
				var n atomic.Int64
				s := newServer(t, answers(&n, tt.header, tt.statuses...))
				tl := a(&tool.HTTP{Method: method, Endpoint: "/", Retry: tt.retry, RetryDelay: "1"})
				tl.Hints.SideEffects = tool.Flag(tt.effect)
				r := s.request(tl, `{}`)
				r.Environment.Variables = map[string]string{"TRIES": "2"}
				// A connection that is used again is one that may be lost.
				succeeds(t, s.run(t, a(&tool.HTTP{Method: "GET", Endpoint: "/warm"}), `{}`))
				e := newExecutor().Run(t.Context(), r)
				if got := int(n.Load()); got != tt.calls || e.OK != tt.ok {
					t.Errorf("%d calls, ok %v; want %d, %v: %+v", got, e.OK, tt.calls, tt.ok, e.Error)
				}
				if method == "GET" && tt.name == "a lost connection" {
					return // the transport itself sends again what an idle connection lost
				}
				if len(e.Attempts) != tt.calls {
					t.Errorf("attempts %+v", e.Attempts)
				}
				for i, row := range e.Attempts {
					if want := tt.statuses[min(i, len(tt.statuses)-1)]; row.Status != want || (row.Error == "") != (want == 200) {
						t.Errorf("attempt %d: %+v", i, row)
					}
				}
			})
		}
	}
}

// TestRetryBeforeAnythingWasSent checks that a call that changes something is retried if nothing
// was sent.
func TestRetryBeforeAnythingWasSent(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close() // nothing listens there any more
	tl := a(&tool.HTTP{Method: "POST", Endpoint: "http://" + addr + "/", Retry: "2"})
	e := newExecutor().Run(t.Context(), executor.Request{Tool: tl, Trusted: true, Yes: true, AllowHosts: []string{addr}})
	err2 := wants(t, e, executor.KindNetwork)
	if len(e.Attempts) != 3 || err2.Code != "connect" || !err2.Retryable || !strings.Contains(err2.Message, addr) {
		t.Errorf("%d attempts, %+v", len(e.Attempts), err2)
	}
}

// answerFrom returns an executor whose connections are not answered before the one with this
// number. It uses no network, so that a test can have a fake clock.
func answerFrom(number int64) *executor.Executor {
	var n atomic.Int64
	connect := func(context.Context, *net.Dialer, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go func() {
			defer far.Close()
			if n.Add(1) < number {
				_, _ = io.Copy(io.Discard, far)
				return
			}
			if _, err := nethttp.ReadRequest(bufio.NewReader(far)); err == nil {
				_, _ = io.WriteString(far, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\n\r\n{}")
			}
		}()
		return near, nil
	}
	runner := http.New(rest.Options{Dialer: dial.New(dial.Options{Connect: connect})})
	return executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{tool.KindHTTP: runner}})
}

// TestAttemptTimeout checks that an attempt that takes too long ends, and that the next one may
// succeed.
func TestAttemptTimeout(t *testing.T) {
	for name, tt := range map[string]struct {
		retry    tool.Number
		ok       bool
		attempts int
	}{
		"the second answers": {"1", true, 2},
		"there is no second": {"", false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tl := a(&tool.HTTP{Method: "GET", Endpoint: "http://api.example.com/", Timeout: "100", Retry: tt.retry})
				e := answerFrom(2).Run(t.Context(), executor.Request{Tool: tl, Trusted: true})
				if e.OK != tt.ok || len(e.Attempts) != tt.attempts || !strings.Contains(e.Attempts[0].Error, "timeout") {
					t.Errorf("%+v %+v", e.Attempts, e.Error)
				}
				if !tt.ok && (e.Error.Kind != executor.KindTimeout || !e.Error.Retryable) {
					t.Errorf("%+v", e.Error)
				}
			})
		})
	}
}

func TestRemoteError(t *testing.T) {
	s := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		w.WriteHeader(nethttp.StatusUnprocessableEntity)
		io.WriteString(w, `{"error": "no such room"}`+strings.Repeat("ä", 5000))
	})
	tl := a(&tool.HTTP{Method: "GET", Endpoint: "/"})
	tl.OnError = &tool.Outcome{Set: tool.Assignments{{Name: "why", Expr: "error.message"}, {Name: "status", Expr: "error.details.status"}, {Name: "bad", Expr: "nope("}}}
	tl.OnResult = &tool.Outcome{Set: tool.Assignments{{Name: "never", Expr: "1"}}}
	e := s.run(t, tl, `{}`)
	err := wants(t, e, executor.KindRemote)
	body, ok := err.Details["body"].(string)
	if err.Details["status"] != 422 || !ok || !strings.HasPrefix(body, `{"error": "no such room"}`) || len(body) > 2100 {
		t.Errorf("%+v", err)
	}
	if set, err := json.Marshal(e.Set); err != nil || string(set) != fmt.Sprintf(`{"why":"%s answered 422 Unprocessable Entity","status":422}`, s.addr()) {
		t.Errorf("set %s", set)
	}
	if len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], "on_error: bad") {
		t.Errorf("warnings %q", e.Warnings)
	}
}

func TestAnswers(t *testing.T) {
	number, str, object := &tool.Type{Name: "number"}, &tool.Type{Name: "string"}, &tool.Type{Name: "object"}
	tests := []struct {
		media, body string
		status      int
		returns     *tool.Type
		value, text string
		kind        executor.ErrorKind
	}{
		{"application/json", ` {"b": 10.50, "a": [12345678901234567890, 1e400]} `, 200, nil, `{"b":10.50,"a":[12345678901234567890,1e400]}`, "", ""},
		{"application/json; charset=utf-8", "\ufeff" + `"x"`, 200, str, `"x"`, "", ""},
		{"application/problem+json", `3.0`, 200, number, `3.0`, "", ""},
		{"application/json", `{"a": 1}`, 200, str, `{"a":1}`, "", executor.KindResult},
		{"application/json", `not JSON`, 200, nil, `"not JSON"`, "not JSON", ""},
		{"text/plain", `{"a": 1}`, 200, nil, `{"a":1}`, "", ""},
		{"text/plain", `{"a": 1}`, 200, str, `"{\"a\": 1}"`, `{"a": 1}`, ""},
		{"text/plain", `12`, 200, nil, `"12"`, "12", ""},
		{"text/plain", `12`, 200, number, `12`, "", ""},
		{"text/html", "<b>ü</b>\n", 201, nil, `"<b>ü</b>\n"`, "<b>ü</b>\n", ""},
		{"text/html", "<b>", 200, object, `"<b>"`, "<b>", executor.KindResult},
		{"", "", 204, nil, "null", "", ""},
		{"", "", 204, str, `""`, "", ""},
		{"", "", 204, object, "null", "", executor.KindResult},
		{"text/plain", "caf\xe9", 200, nil, "\"caf\ufffd\"", "caf\ufffd", ""},
		{"text/plain; charset=no-such", "caf\xe9", 200, nil, "\"caf\ufffd\"", "caf\ufffd", ""},
		{"text/plain; charset=ISO-8859-1", "caf\xe9", 200, nil, `"café"`, "café", ""},
		{"text/plain; charset=ISO-8859-1", "café 🛫", 200, nil, `"café 🛫"`, "café 🛫", ""}, // it is UTF-8, whatever it says
		{"text/xml", "<?xml version='1.0' encoding='windows-1252'?><a>\x80</a>", 200, nil, `"<?xml version='1.0' encoding='windows-1252'?><a>€</a>"`, "<?xml version='1.0' encoding='windows-1252'?><a>€</a>", ""},
		{"application/json; charset=utf-16", "\xff\xfe{\x00\"\x00a\x00\"\x00:\x001\x00}\x00", 200, nil, `{"a":1}`, "", ""},
		{"application/json; charset=iso-8859-1", "{\"a\": \"\xe9\"}", 200, object, `{"a":"é"}`, "", ""},
		{"application/json", strings.Repeat("[", 20000) + strings.Repeat("]", 20000), 200, str, "", "", ""},
	}
	for i, tt := range tests {
		t.Run(tt.media, func(t *testing.T) {
			s := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
				w.Header()["Content-Type"] = []string{tt.media}
				w.WriteHeader(tt.status)
				io.WriteString(w, tt.body)
			})
			tl := a(&tool.HTTP{Method: "GET", Endpoint: "/"})
			tl.Returns = tt.returns
			e := s.run(t, tl, `{}`)
			if e.OK != (tt.kind == "") || !e.OK && e.Error.Kind != tt.kind {
				t.Errorf("%d: ok %v, %+v", i, e.OK, e.Error)
			}
			var out strings.Builder
			enc := json.NewEncoder(&out)
			enc.SetEscapeHTML(false)
			if err := enc.Encode(e); err != nil {
				t.Errorf("%d: %v", i, err)
			}
			if tt.value != "" && (!strings.Contains(out.String(), `"value":`+tt.value+`,"text"`) || e.Text != tt.text) {
				t.Errorf("%d: %s", i, out.String())
			}
		})
	}
}

func TestLimits(t *testing.T) {
	bomb := func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		chunk := make([]byte, 1<<20)
		for range 1024 {
			if _, err := z.Write(chunk); err != nil {
				return
			}
		}
		z.Close()
	}
	headers := func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		for i := range 1000 {
			w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", 1000))
		}
	}
	for name, h := range map[string]nethttp.HandlerFunc{"gzip bomb": bomb, "headers": headers} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			s := newServer(t, h)
			runtime.ReadMemStats(&before)
			e := wants(t, s.run(t, a(&tool.HTTP{Method: "GET", Endpoint: "/"}), `{}`), executor.KindLimit)
			runtime.ReadMemStats(&after)
			if e.Retryable {
				t.Errorf("%s: %+v", name, e)
			}
			if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 256 {
				t.Errorf("%s: %d MB allocated", name, got)
			}
		})
	}
	exact := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) { io.WriteString(w, "12345678") })
	for limit, ok := range map[int64]bool{7: false, 8: true} {
		t.Run(fmt.Sprintf("%d of 8 bytes", limit), func(t *testing.T) {
			request := exact.request(a(&tool.HTTP{Method: "GET", Endpoint: "/"}), `{}`)
			request.Environment.Limits.ResponseBytes = limit
			if e := newExecutor().Run(t.Context(), request); e.OK != ok {
				t.Errorf("cap %d: ok %v", limit, e.OK)
			}
		})
	}
}

func TestRedirects(t *testing.T) {
	target := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) { io.WriteString(w, `{"here": true}`) })
	private := newServer(t, nil)
	var s *server
	s = newServer(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		if r.URL.Path == "/here" {
			io.WriteString(w, `{}`)
			return
		}
		status := 302
		if strings.HasPrefix(r.URL.Path, "/307") {
			status = 307
		}
		to := r.URL.Query().Get("to")
		if to == "loop" {
			to = s.URL + "/?to=loop"
		}
		nethttp.Redirect(w, r, to, status)
	})
	tests := []struct {
		name, path, to string
		kind           executor.ErrorKind
		host           string // in details
	}{
		{name: "same host", to: "/here"},
		{name: "another host", to: target.URL},
		{name: "another host, body kept", path: "/307", to: target.URL},
		{name: "private", to: private.URL, kind: executor.KindDenied, host: private.addr()},
		{name: "metadata", to: "http://169.254.169.254/", kind: executor.KindDenied, host: "169.254.169.254"},
		{name: "odd number", to: "http://2130706433/", kind: executor.KindDenied},
		{name: "user", to: "http://user@" + target.addr(), kind: executor.KindDenied},
		{name: "another scheme", to: "file:///etc/passwd", kind: executor.KindDenied},
		{name: "https", to: "https://" + target.addr(), kind: executor.KindDenied, host: target.addr()},
		{name: "loop", to: "loop", kind: executor.KindLimit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tl := a(&tool.HTTP{Method: "POST", Endpoint: tt.path + "/?to=" + url.QueryEscape(tt.to), Auth: "bearer", Retry: "3",
				Headers: map[string]string{"X-Key": "{{secrets.KEY}}", "Cookie": "s=1", "X-Other": "o", "Accept": "text/x"}}, "a")
			r := s.request(tl, `{"a": 1}`)
			r.Secrets = map[string]string{"KEY": "key-value", "127_0_0_1_BEARER": "token-value"}
			r.AllowHosts = append(r.AllowHosts, target.addr())
			e := newExecutor().Run(t.Context(), r)
			got, first := target.requests(), s.requests()
			if tt.kind != "" {
				err := wants(t, e, tt.kind)
				if tt.host != "" && err.Details["host"] != tt.host {
					t.Errorf("details %+v", err.Details)
				}
				if again := tt.name == "private" || tt.name == "metadata"; again && (err.Details["sent"] != s.addr() || !strings.HasPrefix(err.Message, s.addr()+" has got the request")) {
					t.Errorf("it does not say that %s has got the request: %q, details %+v", s.addr(), err.Message, err.Details)
				}
				if n := len(got) + len(private.requests()); n > 0 || len(e.Attempts) != 1 {
					t.Errorf("%d requests to others, attempts %+v", n, e.Attempts)
				}
				if len(first) > 11 {
					t.Errorf("%d redirects were followed", len(first)-1)
				}
				return
			}
			succeeds(t, e)
			if first[0].Header.Get("Authorization") != "Bearer token-value" {
				t.Errorf("%+v", first[0])
			}
			for _, g := range got {
				for _, name := range []string{"Authorization", "Cookie", "X-Key", "X-Other", "Referer"} {
					if v := g.Header.Get(name); v != "" {
						t.Errorf("%s: %s went to another host", name, v)
					}
				}
				if want := map[bool]string{true: `{"a":1}`}[tt.path == "/307"]; g.Body != want || g.Header.Get("Accept") != "text/x" {
					t.Errorf("%+v, want body %q", g, want)
				}
			}
			if tt.to == "/here" && (len(first) != 2 || first[1].Header.Get("X-Key") != "key-value") {
				t.Errorf("%+v", first)
			}
		})
	}

	// A secret in the body stays at home.
	tl := a(&tool.HTTP{Method: "POST", Endpoint: "/307?to=" + url.QueryEscape(target.URL), BodyTemplate: `{"k": "{{secrets.KEY}}"}`})
	r := s.request(tl, `{}`)
	r.Secrets = map[string]string{"KEY": "key-value"}
	r.AllowHosts = append(r.AllowHosts, target.addr())
	wants(t, newExecutor().Run(t.Context(), r), executor.KindDenied)
	if got := target.requests(); len(got) > 0 {
		t.Errorf("%+v", got)
	}
}

// TestRedirectThereAndBack checks that credentials that were dropped at a redirect to another host
// stay dropped when a redirect leads back.
func TestRedirectThereAndBack(t *testing.T) {
	var home *server
	other := newServer(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		nethttp.Redirect(w, r, home.URL+"/end", nethttp.StatusFound)
	})
	home = newServer(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		if r.URL.Path != "/end" {
			nethttp.Redirect(w, r, other.URL, nethttp.StatusFound)
		}
	})
	tl := a(&tool.HTTP{Method: "GET", Endpoint: "/", Headers: map[string]string{"X-Key": "{{secrets.KEY}}"}})
	r := home.request(tl, `{}`)
	r.Secrets = map[string]string{"KEY": "key-value"}
	r.AllowHosts = append(r.AllowHosts, other.addr())
	succeeds(t, newExecutor().Run(t.Context(), r))
	if got := home.requests(); len(got) != 2 || got[0].Header.Get("X-Key") == "" || got[1].Header.Get("X-Key") != "" {
		t.Errorf("%+v", got)
	}
}

func TestTLS(t *testing.T) {
	srv := httptest.NewUnstartedServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) { fmt.Fprintf(w, "%q", r.Proto) }))
	srv.EnableHTTP2 = true
	srv.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	srv.StartTLS()
	t.Cleanup(srv.Close)
	addr := srv.Listener.Addr().String()
	req := executor.Request{Tool: a(&tool.HTTP{Method: "GET", Endpoint: srv.URL + "/"}), Trusted: true, AllowHosts: []string{addr}}
	if e := wants(t, newExecutor().Run(t.Context(), req), executor.KindNetwork); e.Code != "connect" {
		t.Errorf("%+v", e)
	}
	roots := x509.NewCertPool()
	roots.AddCert(srv.Certificate())
	runner := http.New(rest.Options{Dialer: dial.New(dial.Options{TLS: &tls.Config{RootCAs: roots}})})
	x := executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{tool.KindHTTP: runner}})
	e := x.Run(t.Context(), req)
	succeeds(t, e)
	if string(e.Value) != `"\"HTTP/2.0\""` {
		t.Errorf("%s", e.Value)
	}
}

// TestEndpointThatNeverAnswers checks an endpoint that accepts the connection and never answers.
func TestEndpointThatNeverAnswers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	tl := a(&tool.HTTP{Method: "GET", Endpoint: "http://" + l.Addr().String() + "/"})
	req := executor.Request{Tool: tl, Trusted: true, AllowHosts: []string{l.Addr().String()}, ToolTimeout: 50 * time.Millisecond}
	e := wants(t, newExecutor().Run(t.Context(), req), executor.KindTimeout)
	if !strings.Contains(e.Message, "EXECUTION.tool_timeout") {
		t.Errorf("%+v", e)
	}
}

// TestRefusalIsCutAfterSecrets checks that the text of a refusal is shortened after secrets are
// removed from it.
func TestRefusalIsCutAfterSecrets(t *testing.T) {
	const secret = "a-token-that-stands-where-the-text-is-cut"
	for _, before := range []int{1960, 1980, 1999, 2000} {
		t.Run(fmt.Sprint(before), func(t *testing.T) {
			s := newServer(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
				w.WriteHeader(nethttp.StatusBadRequest)
				io.WriteString(w, strings.Repeat(".", before)+r.Header.Get("X-Key")+strings.Repeat(".", 100000))
			})
			r := s.request(a(&tool.HTTP{Method: "GET", Endpoint: "/", Headers: map[string]string{"X-Key": "{{secrets.KEY}}"}}), `{}`)
			r.Secrets = map[string]string{"KEY": secret}
			e := wants(t, newExecutor().Run(t.Context(), r), executor.KindRemote)
			if body, ok := e.Details["body"].(string); !ok || strings.Contains(body, secret[:1]) || len(body) > 2100 {
				t.Errorf("after %d bytes: %q", before, body)
			}
		})
	}
}

// TestRetryAfter checks that the wait that the other side can demand is bounded, and that an
// invalid Retry-After does not cause a retry.
func TestRetryAfter(t *testing.T) {
	for _, after := range []string{"3600", "10000000000", "9223372036854775807", "99999999999999999999", "-5", "soon"} {
		t.Run(after, func(t *testing.T) {
			for _, effect := range []tool.Flag{"true", "false"} {
				t.Run("side effects "+string(effect), func(t *testing.T) {
					var n atomic.Int64
					s := newServer(t, answers(&n, nethttp.Header{"Retry-After": {after}}, 503))
					tl := a(&tool.HTTP{Method: "POST", Endpoint: "/", Retry: "1", Timeout: "60000"})
					tl.Hints.SideEffects = effect
					wants(t, s.run(t, tl, `{}`), executor.KindRemote)
					want := int64(1)
					if effect == "false" && (after == "-5" || after == "soon") {
						want = 2 // as if nothing were said
					}
					if n.Load() != want {
						t.Errorf("Retry-After: %s, side effects %s: %d calls, want %d", after, effect, n.Load(), want)
					}
				})
			}
		})
	}
}

// TestStatusOfABrokenAnswer checks that the status is kept of an answer that breaks off.
func TestStatusOfABrokenAnswer(t *testing.T) {
	s := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, "short")
	})
	e := s.run(t, a(&tool.HTTP{Method: "GET", Endpoint: "/"}), `{}`)
	wants(t, e, executor.KindNetwork)
	if len(e.Attempts) != 1 || e.Attempts[0].Status != 200 {
		t.Errorf("%+v", e.Attempts)
	}
}

// TestErrorAfterARedirect checks that the message names the host that failed after a redirect.
func TestErrorAfterARedirect(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone := l.Addr().String()
	l.Close()
	s := newServer(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		nethttp.Redirect(w, r, "http://"+gone+"/", nethttp.StatusFound)
	})
	r := s.request(a(&tool.HTTP{Method: "GET", Endpoint: "/"}), `{}`)
	r.AllowHosts = append(r.AllowHosts, gone)
	e := wants(t, newExecutor().Run(t.Context(), r), executor.KindNetwork)
	if !strings.HasPrefix(e.Message, gone) {
		t.Error(e.Message)
	}
}

// TestBadLocation checks that an invalid redirect target is a faulty answer, and not a lost
// connection.
func TestBadLocation(t *testing.T) {
	var n atomic.Int64
	s := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		n.Add(1)
		w.Header().Set("Location", "http://[::1")
		w.WriteHeader(nethttp.StatusFound)
	})
	wants(t, s.run(t, a(&tool.HTTP{Method: "GET", Endpoint: "/", Retry: "2"}), `{}`), executor.KindRemote)
	if n.Load() != 1 {
		t.Errorf("%d calls", n.Load())
	}
}

// TestRetryOfAConnectionThatTakesTooLong checks that a call that changes something is retried if
// connecting took too long.
func TestRetryOfAConnectionThatTakesTooLong(t *testing.T) {
	hang := func(ctx context.Context, _ *net.Dialer, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	runner := http.New(rest.Options{Dialer: dial.New(dial.Options{Connect: hang})})
	x := executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{tool.KindHTTP: runner}})
	tl := a(&tool.HTTP{Method: "POST", Endpoint: "http://api.example.com/", Timeout: "20", Retry: "2"})
	e := x.Run(t.Context(), executor.Request{Tool: tl, Trusted: true, Yes: true})
	if err := wants(t, e, executor.KindTimeout); len(e.Attempts) != 3 || !err.Retryable {
		t.Errorf("%+v %+v", e.Attempts, err)
	}
}

// TestUnaskedUpgrade checks that a connection is closed at once if the server switches protocols
// without being asked. No timeout would end what follows.
func TestUnaskedUpgrade(t *testing.T) {
	done := make(chan struct{})
	s := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		conn, _, err := nethttp.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
		<-done
	})
	defer close(done)
	e := s.run(t, a(&tool.HTTP{Method: "GET", Endpoint: "/", Timeout: "60000", Retry: "2"}), `{}`)
	if err := wants(t, e, executor.KindRemote); err.Code != "upgrade" || len(e.Attempts) != 1 {
		t.Errorf("%+v %+v", err, e.Attempts)
	}
}
