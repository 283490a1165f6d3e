package http_test

import (
	"encoding/json"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/http"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/internal/conformance"
	"github.com/abl-lsp/abl-lsp/tool"
)

func TestConformance(t *testing.T) {
	var calls atomic.Int64
	hanging := make(chan struct{}, 16)
	mux := nethttp.NewServeMux()
	mux.HandleFunc("/echo", func(w nethttp.ResponseWriter, r *nethttp.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.Copy(w, r.Body)
	})
	mux.HandleFunc("/hang", func(_ nethttp.ResponseWriter, r *nethttp.Request) {
		io.Copy(io.Discard, r.Body) // so that the server notices when the client goes
		hanging <- struct{}{}
		<-r.Context().Done()
	})
	mux.HandleFunc("/flood", func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		chunk := make([]byte, 1<<20)
		for range 1024 {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/refuse", func(w nethttp.ResponseWriter, _ *nethttp.Request) { w.WriteHeader(nethttp.StatusTeapot) })
	leak := func(status int) nethttp.HandlerFunc {
		return func(w nethttp.ResponseWriter, r *nethttp.Request) {
			if got := r.Header.Get("Authorization"); got != "Bearer "+conformance.Token {
				t.Errorf("Authorization: %q", got)
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			json.NewEncoder(w).Encode(map[string]any{"list": conformance.Encodings(), conformance.Token: true})
		}
	}
	mux.HandleFunc("/leak", leak(200))
	mux.HandleFunc("/broken", leak(500))
	srv := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		calls.Add(1)
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)

	make := func(path string, change func(*tool.Tool, *tool.HTTP)) tool.Tool {
		spec := &tool.HTTP{Endpoint: path, BaseURL: srv.URL, Method: "POST"}
		tl := tool.Tool{Name: strings.Trim(path, "/"), Kind: tool.KindHTTP, Spec: spec, Params: conformance.Params()}
		tl.Hints.SideEffects = "false"
		if change != nil {
			change(&tl, spec)
		}
		return tl
	}
	secret := func(_ *tool.Tool, s *tool.HTTP) {
		s.Headers = map[string]string{"Authorization": "Bearer {{secrets." + conformance.Secret + "}}"}
	}
	conformance.Run(t, conformance.Kind{
		Runner:      http.New(rest.Options{}),
		Request:     executor.Request{AllowHosts: []string{srv.Listener.Addr().String()}},
		Echo:        make("/echo", nil),
		Write:       make("/echo", func(tl *tool.Tool, _ *tool.HTTP) { tl.Hints.SideEffects = "" }),
		Hang:        make("/hang", nil),
		Flood:       make("/flood", nil),
		Refuse:      make("/refuse", nil),
		Leak:        make("/leak", secret),
		Broken:      make("/broken", secret),
		Calls:       func() int { return int(calls.Load()) },
		HangArrived: hanging,
	})
}
