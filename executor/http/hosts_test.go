package http_test

import (
	"context"
	nethttp "net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/dial/dialtest"
	"github.com/abl-lsp/abl-lsp/executor/http"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/internal/conformance"
	"github.com/abl-lsp/abl-lsp/tool"
)

// sentRequest is one of the requests that a call may send, for itself or to prepare for it.
type sentRequest struct {
	spec     func(url string) tool.HTTP
	services func(url string) tool.AuthService // called "svc"
	home     nethttp.HandlerFunc
	without  func(url string) string
	never    bool
}

func sentRequests() map[string]sentRequest {
	home := func(c tool.AuthConfig, auth string) func(string) tool.HTTP {
		return func(url string) tool.HTTP {
			c := c
			c.TokenURL = strings.ReplaceAll(c.TokenURL, "URL", url)
			return tool.HTTP{Endpoint: conformance.Home, Auth: auth, AuthConfig: &c}
		}
	}
	svc := tool.AuthConfig{Provider: "svc"}
	client := tool.AuthConfig{TokenURL: "URL", ClientID: "c", ClientSecret: "s"}
	return map[string]sentRequest{
		"endpoint": {spec: func(url string) tool.HTTP { return tool.HTTP{Endpoint: url} }},
		"variable": {spec: func(string) tool.HTTP { return tool.HTTP{Endpoint: "{{env.URL}}"} }},
		"base_url": {
			spec: func(url string) tool.HTTP { return tool.HTTP{BaseURL: url, Endpoint: "x"} },
			without: func(url string) string {
				if strings.ContainsAny(url, "?#") {
					return "no path can follow it"
				}
				return ""
			},
		},
		"redirect": {
			spec:    func(to string) tool.HTTP { return tool.HTTP{Endpoint: conformance.Home + "?to=" + url.QueryEscape(to)} },
			home:    conformance.Redirect,
			without: conformance.NoRedirectReason,
		},
		"token_url": {spec: home(client, "oauth2_client")},
		"token_url, redirected": {
			spec: func(to string) tool.HTTP {
				c := client
				c.TokenURL = conformance.Home + "?to=" + url.QueryEscape(to)
				return tool.HTTP{Endpoint: conformance.Home, Auth: "oauth2_client", AuthConfig: &c}
			},
			home:    conformance.Redirect,
			never:   true, // a sign-in is not sent on
			without: conformance.NoRedirectReason,
		},
		"assertion": {
			spec: home(svc, "saml"),
			services: func(url string) tool.AuthService {
				return tool.AuthService{Kind: "saml", TokenURL: url, Assertion: "PHNhbWw+"}
			},
		},
		"issuer": {
			spec: home(svc, "oauth2_user"),
			services: func(url string) tool.AuthService {
				return tool.AuthService{Kind: "oidc", Issuer: url, ClientID: "c"}
			},
		},
		"device": {
			spec: home(svc, "oauth2_user"),
			services: func(url string) tool.AuthService {
				return tool.AuthService{Kind: "oauth2", DeviceAuthorizationURL: url, TokenURL: conformance.Home, ClientID: "c"}
			},
		},
		"code": {
			spec: home(svc, "oauth2_user"),
			services: func(url string) tool.AuthService {
				return tool.AuthService{Kind: "oauth2", AuthorizationURL: conformance.Home, TokenURL: url, ClientID: "c"}
			},
		},
	}
}

// browser signs a person in who agrees at once.
func browser(ctx context.Context, page string) error {
	u, err := url.Parse(page)
	if err != nil {
		return err
	}
	q := u.Query()
	back := q.Get("redirect_uri") + "?" + url.Values{"code": {"c"}, "state": {q.Get("state")}}.Encode()
	req, err := nethttp.NewRequestWithContext(ctx, nethttp.MethodGet, back, nil)
	if err != nil {
		return err
	}
	resp, err := (&nethttp.Client{Transport: &nethttp.Transport{}}).Do(req) // to the listener of the sign-in, on loopback
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func TestHosts(t *testing.T) {
	for name, w := range sentRequests() {
		t.Run(name, func(t *testing.T) {
			conformance.RunHosts(t, conformance.Transport{
				Runner: func(d *dial.Dialer) executor.Runner {
					return http.New(rest.Options{Dialer: d, Tokens: oauth.New(oauth.Options{Dialer: d})})
				},
				Request:    func(url string) executor.Request { return w.request(url) },
				Home:       w.home,
				SkipReason: w.without,
				NeverDials: w.never,
			})
		})
	}
}

func (w sentRequest) request(url string) executor.Request {
	spec := w.spec(url)
	spec.Method = "GET"
	env := executor.Environment{Variables: map[string]string{"URL": url}}
	if w.services != nil {
		env.AuthServices = map[string]tool.AuthService{"svc": w.services(url)}
	}
	return executor.Request{
		Tool:        &tool.Tool{Name: "ask", Kind: tool.KindHTTP, Spec: &spec},
		Environment: env,
		OpenURL:     browser,
	}
}

// TestSignInListensOnLoopback checks that the listener of a sign-in is on loopback only.
func TestSignInListensOnLoopback(t *testing.T) {
	runner := http.New(rest.Options{Dialer: dialtest.New().Dialer()})
	req := sentRequests()["code"].request(conformance.Home)
	opened := false
	req.Trusted = true
	req.OpenURL = func(ctx context.Context, page string) error {
		opened = true
		conformance.RequireLoopback(t)
		return browser(ctx, page)
	}
	executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{tool.KindHTTP: runner}}).Run(t.Context(), req)
	if !opened {
		t.Error("nobody was asked")
	}
}
