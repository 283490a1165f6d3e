package sql_test

import (
	"os"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/sql/sqltest"
)

var (
	postgresServer = sqltest.Postgres()
	mariadbServer  = sqltest.MariaDB()
)

func TestMain(m *testing.M) {
	code := m.Run()
	postgresServer.Close()
	mariadbServer.Close()
	os.Exit(code)
}

// serverSession runs tools on a server.
func serverSession(t testing.TB, s *sqltest.Server) session {
	t.Helper()
	return session{t, newExecutor(t), executor.Request{
		AllowHosts:  []string{"127.0.0.1"},
		Environment: executor.Environment{Sources: map[string]executor.Source{"db": s.Source(t)}},
	}}
}

func TestPostgresTypes(t *testing.T) {
	s := serverSession(t, postgresServer)
	got := s.ok(sqlTool("SELECT 1 AS a, '0123'::text AS b, 10.50::numeric AS c, $1::int8 AS d", param("n", "integer")), `{"n": 9223372036854775807}`)
	if want := `[{"a":1,"b":"0123","c":10.50,"d":9223372036854775807}]`; got != want {
		t.Error(got)
	}
}

func TestMariaDBTypes(t *testing.T) {
	s := serverSession(t, mariadbServer)
	got := s.ok(sqlTool("SELECT 1 AS a, '0123' AS b, CAST(10.50 AS DECIMAL(10,2)) AS c, ? AS d", param("n", "integer")), `{"n": 9223372036854775807}`)
	if want := `[{"a":1,"b":"0123","c":10.50,"d":9223372036854775807}]`; got != want {
		t.Error(got)
	}
}
