package webhook_test

import (
	"net/url"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/executor/webhook"
	"github.com/abl-lsp/abl-lsp/internal/conformance"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestHosts checks all requests that a call may send first.
func TestHosts(t *testing.T) {
	webhooks := map[string]func(url string) tool.AsyncWebhook{
		"endpoint": func(url string) tool.AsyncWebhook { return tool.AsyncWebhook{Endpoint: url} },
		"redirect": func(to string) tool.AsyncWebhook {
			return tool.AsyncWebhook{Endpoint: conformance.Home + "?to=" + url.QueryEscape(to)}
		},
		"token_url": func(url string) tool.AsyncWebhook {
			c := &tool.AuthConfig{TokenURL: url, ClientID: "c", ClientSecret: "s"}
			return tool.AsyncWebhook{Endpoint: conformance.Home, Auth: "oauth2_client", AuthConfig: c}
		},
	}
	for name, spec := range webhooks {
		t.Run(name, func(t *testing.T) {
			transport := conformance.Transport{
				Runner: func(d *dial.Dialer) executor.Runner {
					return webhook.New(webhook.Options{Options: rest.Options{Dialer: d, Tokens: oauth.New(oauth.Options{Dialer: d})}})
				},
				Request: func(url string) executor.Request {
					s := spec(url)
					s.Method = "POST"
					return executor.Request{Tool: &tool.Tool{Name: "order", Kind: tool.KindAsyncWebhook, Spec: &s}}
				},
			}
			if name == "redirect" {
				transport.Home, transport.SkipReason = conformance.Redirect, conformance.NoRedirectReason
			}
			conformance.RunHosts(t, transport)
		})
	}
}

// TestListensOnLoopback checks that the callback listener is on loopback only.
func TestListensOnLoopback(t *testing.T) {
	d := startFixture(t)
	done := d.start(d.request(d.tool()))
	o := receive(t, d.orders)
	conformance.RequireLoopback(t)
	send(t, "POST", o.callback, `{"report_url": "u", "status": "done"}`)
	if e := receive(t, done); !e.OK {
		t.Errorf("%+v", e.Error)
	}
}
