package sql_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/sql"
	"github.com/abl-lsp/abl-lsp/internal/sqltest"
	"github.com/abl-lsp/abl-lsp/internal/testcert"
	"github.com/abl-lsp/abl-lsp/tool"
)

// remotely returns a session that behaves as if the server were on another machine.
func remotely(t *testing.T, address string) session {
	t.Helper()
	d := dial.New(dial.Options{Connect: func(ctx context.Context, _ *net.Dialer, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}})
	x := executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{tool.KindSQL: sql.New(sql.Options{Dialer: d})}})
	t.Cleanup(func() { _ = x.Close() })
	return session{t, x, executor.Request{}}
}

// TestTLS checks that a source that asks for encryption gets an encrypted connection to the right
// server, and that this is the default for another machine.
func TestTLS(t *testing.T) {
	const unknownAuthority, none = "unknown authority", "TLS"
	for kind, tt := range map[string]struct {
		plain, encrypted *sqltest.Server
		asks             string // whether the connection is encrypted
		ca               string
		cases            []tlsCase
	}{
		"postgres": {
			postgresServer, sqltest.WithTLS(sqltest.Postgres()), "SELECT ssl AS e FROM pg_stat_ssl WHERE pid = pg_backend_pid()", "sslrootcert",
			[]tlsCase{
				{},
				{params: "sslmode=disable"},
				{params: "sslmode=prefer"},
				{params: "sslmode=require", plain: none},
				{params: "sslmode=verify-full", plain: none, encrypted: unknownAuthority},
				{params: "ca", plain: none},
				{params: "ca sslmode=verify-ca", plain: none},
				{params: "ca sslmode=verify-full", plain: none},
				{params: "sslrootcert=absent.pem", plain: "absent.pem", encrypted: "absent.pem"},
				{remote: testcert.Name, plain: none, encrypted: unknownAuthority},
				{remote: testcert.Name, params: "ca", plain: none},
				{remote: "other.example.com", params: "ca", plain: none, encrypted: "other.example.com"},
				{remote: "other.example.com", params: "sslmode=require", plain: none},
				{remote: "other.example.com", params: "sslmode=prefer"},
				{remote: "other.example.com", params: "sslmode=disable"},
			},
		},
		"mysql": {
			mariadbServer, sqltest.WithTLS(sqltest.MariaDB()), "SELECT VARIABLE_VALUE <> '' AS e FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'SSL_CIPHER'", "ssl_ca",
			[]tlsCase{
				{},
				{params: "tls=false"},
				{params: "tls=preferred"},
				{params: "tls=skip-verify", plain: none},
				{params: "tls=true", plain: none, encrypted: unknownAuthority},
				{params: "ca", plain: none},
				{params: "ca tls=true", plain: none},
				{params: "ca tls=skip-verify", plain: none},
				{params: "ca tls=preferred", plain: "goes with tls", encrypted: "goes with tls"},
				{params: "tls=maybe", plain: "maybe", encrypted: "maybe"},
				{params: "ssl_ca=absent.pem", plain: "absent.pem", encrypted: "absent.pem"},
				{params: "ssl_cert=absent.pem", plain: "absent.pem", encrypted: "absent.pem"},
				{remote: testcert.Name, plain: none, encrypted: unknownAuthority},
				{remote: testcert.Name, params: "ca", plain: none},
				{remote: "other.example.com", params: "ca", plain: none, encrypted: "other.example.com"},
				{remote: "other.example.com", params: "tls=skip-verify", plain: none},
				{remote: "other.example.com", params: "tls=preferred"},
				{remote: "other.example.com", params: "tls=false"},
			},
		},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Cleanup(tt.encrypted.Close)
			plain, encrypted := tt.plain.Source(t), tt.encrypted.Source(t)
			root := t.TempDir()
			pem, err := os.ReadFile(tt.encrypted.CA())
			if err == nil {
				err = os.WriteFile(filepath.Join(root, "ca.pem"), pem, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range tt.cases {
				off := strings.Contains(c.params, "disable") || strings.Contains(c.params, "false")
				c.run(t, root, plain, tt.asks, tt.ca, c.plain, false)
				c.run(t, root, encrypted, tt.asks, tt.ca, c.encrypted, !off)
			}
		})
	}
}

// tlsCase holds the settings of a source, and the expected errors of a server without and with
// TLS; "" means that it is reached.
type tlsCase struct {
	remote           string // the host, where it is not this machine
	params           string
	plain, encrypted string
}

func (c tlsCase) run(t *testing.T, root string, src tool.Source, asks, ca, fault string, encrypted bool) {
	t.Helper()
	s := session{t, newExecutor(t), executor.Request{AllowHosts: []string{"127.0.0.1"}}}
	if c.remote != "" {
		s = remotely(t, net.JoinHostPort(src.Host, src.Port))
		src.Host = c.remote
	}
	src.QueryParams = map[string]string{}
	for word := range strings.FieldsSeq(c.params) {
		if word == "ca" {
			word = ca + "=./ca.pem"
		}
		name, value, _ := strings.Cut(word, "=")
		src.QueryParams[name] = value
	}
	s.req.Environment = executor.Environment{Root: root, Sources: map[string]tool.Source{"db": src}}
	e := s.run(sqlTool(asks), "")
	switch got := string(e.Value); {
	case fault != "" && (e.OK || !strings.Contains(e.Error.Message, fault)):
		t.Errorf("%+v: %s %+v, want %s", c, got, e.Error, fault)
	case fault == "" && !e.OK:
		t.Errorf("%+v: %+v", c, e.Error)
	case fault == "" && (got == `[{"e":true}]` || got == `[{"e":1}]`) != encrypted:
		t.Errorf("%+v: encrypted: %s, want %v", c, got, encrypted)
	}
}
