package sql_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/sql"
	"github.com/abl-lsp/abl-lsp/internal/conformance"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestHosts checks that only servers that the guard allows are reached.
func TestHosts(t *testing.T) {
	for _, kind := range []string{"postgres", "mysql"} {
		t.Run(kind, func(t *testing.T) {
			conformance.RunHosts(t, conformance.Transport{
				Runner: func(d *dial.Dialer) executor.Runner { return sql.New(sql.Options{Dialer: d}) },
				Request: func(text string) executor.Request {
					u, err := url.Parse(text)
					if err != nil {
						t.Fatal(err)
					}
					port := u.Port()
					if port == "" {
						port = map[string]string{"https": "443"}[u.Scheme]
					}
					if port == "" {
						port = "80"
					}
					tl := sqlTool("SELECT 1")
					return executor.Request{Tool: &tl, Environment: executor.Environment{Sources: map[string]tool.Source{
						"db": {Kind: kind, Host: u.Hostname(), Port: port, User: "u", Database: "d"},
					}}}
				},
				SkipReason: func(text string) string {
					u, err := url.Parse(text)
					switch {
					case err != nil:
						return "it is no URL, so it has no host"
					case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "", u.User != nil, strings.Contains(u.Path, `\`):
						return "what is wrong with it is not its host"
					}
					return ""
				},
			})
		})
	}
}
