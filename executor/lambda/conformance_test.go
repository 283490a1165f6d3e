package lambda_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/lambda"
	"github.com/abl-lsp/abl-lsp/internal/conformance"
	"github.com/abl-lsp/abl-lsp/tool"
)

// call returns a tool that calls a function and changes nothing.
func call(function string) tool.Tool {
	t := tool.Tool{Name: function, Kind: tool.KindLambda, Spec: &tool.Lambda{Function: function}, Params: conformance.Params()}
	t.Hints.SideEffects = "false"
	return t
}

func mutating(function string) tool.Tool {
	t := call(function)
	t.Hints.SideEffects = ""
	return t
}

func newRunner(t *testing.T, o lambda.Options) *lambda.Runner {
	r := lambda.New(o)
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func TestConformanceOfLocal(t *testing.T) {
	e := newCallListener(t)
	runSuite(t, executor.Request{Environment: executor.Environment{Functions: e.functions()}}, &e.calls, e.hanging)
}

// runSuite runs the suite with the functions of a request. calls counts their calls, and
// hanging gets a value when a call of hang has arrived.
func runSuite(t *testing.T, request executor.Request, calls *atomic.Int64, hanging chan struct{}) {
	conformance.Run(t, conformance.Kind{
		Runner:      newRunner(t, lambda.Options{}),
		Request:     request,
		Echo:        call("echo"),
		Write:       mutating("echo"),
		Hang:        call("hang"),
		Flood:       call("flood"),
		Refuse:      call("refuse"),
		Leak:        call("leak"),
		Broken:      call("broken"),
		Calls:       func() int { return int(calls.Load()) },
		HangArrived: hanging,
	})
}

// TestConformanceOfWeb runs the suite with functions of Google or Azure, which are servers that
// get the payload.
func TestConformanceOfWeb(t *testing.T) {
	var calls atomic.Int64
	hanging := make(chan struct{}, 64)
	mux := http.NewServeMux()
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		hanging <- struct{}{}
		<-r.Context().Done()
	})
	mux.HandleFunc("/flood", func(w http.ResponseWriter, _ *http.Request) { io.Copy(w, io.LimitReader(zeros{}, 1<<30)) })
	mux.HandleFunc("/refuse", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no such page", http.StatusInternalServerError)
	})
	leak := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("code") != conformance.Token || r.Header.Get("Authorization") != "Bearer "+conformance.Token {
				t.Errorf("%s %v", r.URL, r.Header)
			}
			w.WriteHeader(status)
			json.NewEncoder(w).Encode(map[string]any{"list": conformance.Encodings(), conformance.Token: true})
		}
	}
	mux.HandleFunc("/leak", leak(200))
	mux.HandleFunc("/broken", leak(500))
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	for _, provider := range []string{"gcp", "azure"} {
		t.Run(provider, func(t *testing.T) {
			functions := map[string]tool.Function{}
			for _, name := range []string{"echo", "hang", "flood", "refuse"} {
				functions[name] = tool.Function{Provider: provider, URL: srv.URL + "/" + name}
			}
			for _, name := range []string{"leak", "broken"} {
				secret := "{{secrets." + conformance.Secret + "}}"
				functions[name] = tool.Function{
					Provider: provider, URL: srv.URL + "/" + name + "?code=" + secret, Headers: map[string]string{"Authorization": "Bearer " + secret},
				}
			}
			runSuite(t, executor.Request{
				AllowHosts:  []string{srv.Listener.Addr().String()},
				Environment: executor.Environment{Functions: functions},
			}, &calls, hanging)
		})
	}
}
