package sql_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/internal/sqltest"
	"github.com/abl-lsp/abl-lsp/tool"
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

// serverSession returns a session on a server.
func serverSession(t testing.TB, s *sqltest.Server) session {
	t.Helper()
	return session{t, newExecutor(t), executor.Request{
		AllowHosts:  []string{"127.0.0.1"},
		Environment: executor.Environment{Sources: map[string]tool.Source{"db": s.Source(t)}},
	}}
}

func mustJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// callOf returns a call of a tool on a session's source.
func callOf(t testing.TB, s session, tl tool.Tool) executor.Call {
	t.Helper()
	guard, err := dial.NewGuard(s.req.AllowHosts)
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, len(tl.Params))
	for i, p := range tl.Params {
		names[i] = p.Name
	}
	return executor.Call{Tool: &tl, Guard: guard, Environment: &s.req.Environment, Scope: &template.Scope{Params: names, Args: map[string]any{}}}
}
