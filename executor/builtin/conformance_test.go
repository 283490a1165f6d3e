package builtin_test

import (
	"context"
	"encoding/json"
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/builtin"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/internal/conformance"
	"github.com/abl-lsp/abl-lsp/tool"
)

// counting counts the runs, and signals when the argument is Hang.
type counting struct {
	*builtin.Runner
	calls   *atomic.Int64
	hanging chan<- struct{}
}

func (c counting) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	c.calls.Add(1)
	if call.Tool.Name == "hang" {
		c.hanging <- struct{}{}
	}
	return c.Runner.Run(ctx, call)
}

// echo is a builtin that a program adds, with these parameters.
type echo builtin.Parameters

func (e echo) Parameters() builtin.Parameters { return builtin.Parameters(e) }

func (echo) Run(_ context.Context, call executor.Call) (executor.Result, error) {
	raw, err := json.Marshal(call.Scope.Args)
	return executor.Result{Value: raw}, err
}

func TestConformance(t *testing.T) {
	var calls atomic.Int64
	hanging := make(chan struct{}, 16)
	engine := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Query().Get("q") {
		case "broken":
			w.WriteHeader(nethttp.StatusInternalServerError)
			fallthrough
		case "leak":
			if got := r.Header.Get("Authorization"); got != "Bearer "+conformance.Token {
				t.Errorf("Authorization: %q", got)
			}
			var results []map[string]string
			for _, text := range conformance.Encodings() {
				results = append(results, map[string]string{"title": text, "url": "https://example.com/", "content": text})
			}
			json.NewEncoder(w).Encode(map[string]any{"results": results})
		case "flood":
			chunk := make([]byte, 1<<20)
			for range 1024 {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		default:
			w.WriteHeader(nethttp.StatusTeapot)
		}
	}))
	t.Cleanup(engine.Close)

	runner := builtin.New(builtin.Options{})
	for name, takes := range map[string]echo{
		"echo": {Required: []string{"text"}, Optional: []string{"n", "scores"}},
		"free": {Optional: []string{"input"}},
	} {
		t.Run(name, func(t *testing.T) {
			if err := runner.Register(name, takes); err != nil {
				t.Fatal(err)
			}
		})
	}
	of := func(name, does, parameter, value string) tool.Tool {
		tl := tool.Tool{Name: name, Kind: tool.KindBuiltin, Spec: &tool.Builtin{Builtin: does}, Params: conformance.Params()}
		if parameter != "" {
			raw, _ := json.Marshal(value)
			tl.Params = append(tl.Params, tool.Param{Name: parameter, Type: &tool.Type{Name: "string"}, Optional: true, Default: raw})
		}
		return tl
	}
	signed := func(tl tool.Tool) tool.Tool {
		tl.Hints.RequiresAuth = "true"
		return tl
	}
	free := of("free", "free", "", "")
	free.Params = nil
	write := of("echo", "echo", "", "")
	write.Hints.SideEffects = "true"
	secret := tool.Credential{Bearer: "{{secrets." + conformance.Secret + "}}"}
	conformance.Run(t, conformance.Kind{
		Runner: counting{runner, &calls, hanging},
		Request: executor.Request{
			AllowHosts: []string{engine.Listener.Addr().String()},
			Environment: executor.Environment{
				Search:      tool.Search{URL: engine.URL},
				Credentials: executor.Credentials{"leak": secret, "broken": secret},
			},
		},
		Echo:        of("echo", "echo", "", ""),
		Write:       write,
		FreeForm:    free,
		Hang:        of("hang", "wait", "duration", "1h"),
		Flood:       of("flood", "web_search", "query", "flood"),
		Refuse:      of("refuse", "fetch_url", "url", engine.URL),
		Leak:        signed(of("leak", "web_search", "query", "leak")),
		Broken:      signed(of("broken", "web_search", "query", "broken")),
		Calls:       func() int { return int(calls.Load()) },
		HangArrived: hanging,
	})
}

// TestHosts checks that pages, the targets of their redirects, and search engines are reached only
// as the guard allows.
func TestHosts(t *testing.T) {
	page := func(url string) executor.Request {
		raw, _ := json.Marshal(map[string]string{"url": url})
		return executor.Request{Tool: toolOf("fetch_url", "url:string"), Args: raw}
	}
	for name, w := range map[string]conformance.Transport{
		"url": {Request: page},
		"redirect": {
			Request:    func(to string) executor.Request { return page(conformance.Home + "?to=" + url.QueryEscape(to)) },
			Home:       conformance.Redirect,
			SkipReason: conformance.NoRedirectReason,
		},
		"search": {Request: func(url string) executor.Request {
			return executor.Request{
				Tool: toolOf("web_search", "query:string"), Args: json.RawMessage(`{"query": "x"}`),
				Environment: executor.Environment{Search: tool.Search{Backend: "searxng", URL: url}},
			}
		}},
	} {
		w.Runner = func(d *dial.Dialer) executor.Runner {
			return builtin.New(builtin.Options{Requests: rest.Options{Dialer: d}})
		}
		t.Run(name, func(t *testing.T) { conformance.RunHosts(t, w) })
	}
}
