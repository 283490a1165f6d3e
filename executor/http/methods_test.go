package http_test

import (
	"encoding/json"
	nethttp "net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestHeadersAreTheAnswer checks HEAD and OPTIONS, whose answers have no body.
func TestHeadersAreTheAnswer(t *testing.T) {
	s := newServer(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		w.Header().Set("Content-Encoding", "gzip") // of the body that GET has
		w.Header()["Allow"] = []string{"GET", "HEAD"}
		if r.Method == nethttp.MethodOptions {
			w.WriteHeader(nethttp.StatusNoContent)
		}
	})
	for method, status := range map[string]float64{"HEAD": 200, "options": 204} {
		t.Run(method, func(t *testing.T) {
			spec := tool.HTTP{Method: method, Endpoint: "/file", BodyTemplate: `{"a": "{{a}}"}`}
			e := s.run(t, a(&spec, "a"), `{"a": "x y"}`)
			succeeds(t, e)
			got := s.one(t)
			if got.Method != strings.ToUpper(method) || got.URI != "/file?a=x+y" || got.Body != "" {
				t.Errorf("%s: sent %s %s %q", method, got.Method, got.URI, got.Body)
			}
			var value struct {
				Status  float64
				Headers map[string]string
			}
			if err := json.Unmarshal(e.Value, &value); err != nil || value.Status != status || value.Headers["allow"] != "GET, HEAD" {
				t.Errorf("%s: %s, %v", method, e.Value, err)
			}
		})
	}
	s = newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) { _, _ = w.Write([]byte(`{"can": "all"}`)) })
	e := s.run(t, a(&tool.HTTP{Method: "OPTIONS", Endpoint: "/"}), `{}`)
	succeeds(t, e)
	if string(e.Value) != `{"can": "all"}` {
		t.Errorf("an answer with a body: %s", e.Value)
	}
}

// TestHeadIsRetried checks that HEAD is retried like GET.
func TestHeadIsRetried(t *testing.T) {
	var n atomic.Int64
	s := newServer(t, answers(&n, nil, 503, 200))
	e := s.run(t, a(&tool.HTTP{Method: "HEAD", Endpoint: "/", Retry: "2"}), `{}`)
	succeeds(t, e)
	if n.Load() != 2 {
		t.Errorf("%d calls", n.Load())
	}
}

// TestIdempotencyHeader checks that all attempts of one call carry the same key, and that a
// failure may be retried although the method changes something.
func TestIdempotencyHeader(t *testing.T) {
	var n atomic.Int64
	s := newServer(t, answers(&n, nil, 0, 500, 200, 200))
	tl := a(&tool.HTTP{Method: "POST", Endpoint: "/", Retry: "3", IdempotencyHeader: "x-request-key"}, "a")
	keys := map[string]int{}
	for range 2 {
		succeeds(t, s.run(t, tl, `{"a": 1}`))
	}
	for _, r := range s.requests() {
		keys[r.Header.Get("X-Request-Key")]++
	}
	if len(keys) != 2 || keys[""] > 0 {
		t.Errorf("keys %v", keys)
	}
	own := *tl.Spec.(*tool.HTTP)
	own.Headers = map[string]string{"X-Request-Key": "{{a}}"}
	succeeds(t, s.run(t, a(&own, "a"), `{"a": "mine"}`))
	if got := s.one(t).Header.Get("X-Request-Key"); got != "mine" {
		t.Errorf("the author's own key became %q", got)
	}
}

// TestKeyIsNotShown checks that a preview only says that there will be a key, and that two
// requests for a confirmation have the same digest.
func TestKeyIsNotShown(t *testing.T) {
	s := newServer(t, nil)
	tl := a(&tool.HTTP{Method: "POST", Endpoint: "/", IdempotencyHeader: "Idempotency-Key"})
	ask := func(confirm string) executor.Envelope {
		r := s.request(tl, `{}`)
		r.Yes, r.Confirm = false, confirm
		return newExecutor().Run(t.Context(), r)
	}
	first := ask("")
	if first.Needs == nil || first.Needs.Confirmation == nil || !strings.Contains(string(first.Request), "a key of its own") {
		t.Fatalf("%+v, %s", first.Needs, first.Request)
	}
	e := ask(first.Needs.Confirmation.Digest)
	succeeds(t, e)
	if key := s.one(t).Header.Get("Idempotency-Key"); len(key) < 20 || strings.Contains(string(e.Request), key) {
		t.Errorf("key %q, shown %s", key, e.Request)
	}
}

// TestReservedHeader checks that a reserved header gets no key, with a warning, and that the call
// is not retried.
func TestReservedHeader(t *testing.T) {
	var n atomic.Int64
	s := newServer(t, answers(&n, nil, 500))
	for _, name := range []string{"Authorization", "x-amz-date", "no header"} {
		t.Run(name, func(t *testing.T) {
			n.Store(0)
			e := s.run(t, a(&tool.HTTP{Method: "POST", Endpoint: "/", Retry: "3", IdempotencyHeader: name}), `{}`)
			if e.OK || n.Load() != 1 || !strings.Contains(strings.Join(e.Warnings, " "), "no key is sent") {
				t.Errorf("%s: %d calls, warnings %q", name, n.Load(), e.Warnings)
			}
			if got := s.one(t); got.Header.Get(name) != "" {
				t.Errorf("%s: sent %q", name, got.Header)
			}
		})
	}
}

// TestErrorsAsData checks that an error status can be the result.
func TestErrorsAsData(t *testing.T) {
	var n atomic.Int64
	s := newServer(t, answers(&n, nil, 404))
	e := s.run(t, a(&tool.HTTP{Method: "GET", Endpoint: "/", Retry: "2", OnHTTPError: "data"}), `{}`)
	succeeds(t, e)
	if string(e.Value) != `{"n": 0}` || e.Attempts[0].Status != 404 || n.Load() != 1 {
		t.Errorf("%s, %+v", e.Value, e.Attempts)
	}
	wants(t, s.run(t, a(&tool.HTTP{Method: "GET", Endpoint: "/", OnHTTPError: "error"}), `{}`), executor.KindRemote)
}

// TestConfirmedBeforeItsHostIsAllowed checks that a call whose host is refused does not use up its
// confirmation, since nothing was sent.
func TestConfirmedBeforeItsHostIsAllowed(t *testing.T) {
	s := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) { _, _ = w.Write([]byte(`{}`)) })
	tl := a(&tool.HTTP{Method: "POST", Endpoint: "/"})
	x := newExecutor()
	request := s.request(tl, `{}`)
	request.Yes, request.AllowHosts = false, nil
	request.Confirm = x.Run(t.Context(), request).Needs.Confirmation.Digest
	if e := x.Run(t.Context(), request); e.Error == nil || e.Error.Code != "private-address" {
		t.Fatalf("%+v", e.Error)
	}
	request.AllowHosts = []string{"127.0.0.1"}
	succeeds(t, x.Run(t.Context(), request))
}
