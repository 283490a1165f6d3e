package lambda_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/lambda"
	"github.com/abl-lsp/abl-lsp/internal/conformance"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestHosts checks every request that a call may send. A local function is reached only on
// loopback.
func TestHosts(t *testing.T) {
	credentials(t)
	for name, w := range map[string]struct {
		function func(url string) tool.Function
		home     http.HandlerFunc
		never    bool
		without  func(url string) string
	}{
		"gcp":   {function: func(url string) tool.Function { return tool.Function{Provider: "gcp", URL: url} }},
		"azure": {function: func(url string) tool.Function { return tool.Function{Provider: "azure", URL: url} }},
		"gcp emulator": {function: func(url string) tool.Function {
			return tool.Function{Provider: "gcp", Name: "f", Endpoint: url}
		}},
		"aws": {function: func(url string) tool.Function {
			return tool.Function{Provider: "aws", Name: "f", Region: "eu-west-1", Endpoint: url}
		}},
		"aws, redirected": {
			function: func(to string) tool.Function {
				return tool.Function{Provider: "aws", Name: "f", Region: "eu-west-1", Endpoint: conformance.Home + "?to=" + url.QueryEscape(to) + "&path="}
			},
			home:    conformance.Redirect,
			never:   true, // AWS does not redirect
			without: conformance.NoRedirectReason,
		},
	} {
		t.Run(name, func(t *testing.T) {
			conformance.RunHosts(t, conformance.Transport{
				Runner: func(d *dial.Dialer) executor.Runner { return lambda.New(lambda.Options{Dialer: d}) },
				Request: func(url string) executor.Request {
					return executor.Request{
						Tool: &tool.Tool{Name: "f", Kind: tool.KindLambda, Spec: &tool.Lambda{Function: "f"}},
						Environment: executor.Environment{
							Functions: map[string]tool.Function{"f": w.function(url)},
						},
					}
				},
				Home:       w.home,
				NeverDials: w.never,
				SkipReason: w.without,
			})
		})
	}
}

// TestListensOnLoopback checks that the server for a function is on loopback only.
func TestListensOnLoopback(t *testing.T) {
	r := newFixture(t, lambda.Options{})
	pidOf(t, r)
	conformance.RequireLoopback(t)
}
