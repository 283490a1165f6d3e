package webhook_test

import (
	"bytes"
	"encoding/json"
	"io"
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/webhook"
	"github.com/abl-lsp/abl-lsp/internal/conformance"
	"github.com/abl-lsp/abl-lsp/tool"
)

func TestConformance(t *testing.T) {
	hanging := make(chan struct{}, 16)
	encodings := func() io.Reader {
		raw, err := json.Marshal(map[string]any{"list": conformance.Encodings(), conformance.Token: true})
		if err != nil {
			t.Error(err)
		}
		return bytes.NewReader(raw)
	}
	o := startRemoteService(t, map[string]handler{
		"/echo": func(o *remoteService, w nethttp.ResponseWriter, order receivedRequest) {
			o.later(order.callback, "application/json", bytes.NewReader(order.rest))
			w.WriteHeader(nethttp.StatusAccepted)
		},
		"/hang": func(_ *remoteService, w nethttp.ResponseWriter, _ receivedRequest) {
			w.WriteHeader(nethttp.StatusAccepted)
			hanging <- struct{}{}
		},
		"/flood": func(o *remoteService, w nethttp.ResponseWriter, order receivedRequest) {
			o.later(order.callback, "text/plain", io.LimitReader(endless{}, 1<<30))
		},
		"/refuse": func(_ *remoteService, w nethttp.ResponseWriter, _ receivedRequest) {
			w.WriteHeader(nethttp.StatusTeapot)
		},
		"/leak": func(o *remoteService, w nethttp.ResponseWriter, order receivedRequest) {
			if got := order.header.Get("Authorization"); got != "Bearer "+conformance.Token {
				t.Errorf("Authorization: %q", got)
			}
			o.later(order.callback, "application/json", encodings())
		},
		"/broken": func(_ *remoteService, w nethttp.ResponseWriter, _ receivedRequest) {
			w.WriteHeader(nethttp.StatusInternalServerError)
			_, _ = io.Copy(w, encodings())
		},
	})
	make := func(path string, change func(*tool.Tool, *tool.AsyncWebhook)) tool.Tool {
		spec := &tool.AsyncWebhook{Endpoint: path, BaseURL: o.URL, Method: "POST"}
		tl := tool.Tool{Name: strings.Trim(path, "/"), Kind: tool.KindAsyncWebhook, Spec: spec, Params: conformance.Params()}
		tl.Hints.SideEffects = "false"
		if change != nil {
			change(&tl, spec)
		}
		return tl
	}
	secret := func(_ *tool.Tool, s *tool.AsyncWebhook) {
		s.Headers = map[string]string{"Authorization": "Bearer {{secrets." + conformance.Secret + "}}"}
	}
	runner := webhook.New(webhook.Options{})
	t.Cleanup(func() { runner.Close() })
	conformance.Run(t, conformance.Kind{
		Runner:      runner,
		Request:     executor.Request{AllowHosts: []string{o.Listener.Addr().String()}},
		Echo:        make("/echo", nil),
		Write:       make("/echo", func(tl *tool.Tool, _ *tool.AsyncWebhook) { tl.Hints.SideEffects = "" }),
		Hang:        make("/hang", nil),
		Flood:       make("/flood", nil),
		Refuse:      make("/refuse", nil),
		Leak:        make("/leak", secret),
		Broken:      make("/broken", secret),
		Calls:       o.calls,
		HangArrived: hanging,
	})
}

// endless is a reader whose text never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
