package sql_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/sql"
	"github.com/abl-lsp/abl-lsp/tool"
)

// newExecutor runs SQL tools and nothing else.
func newExecutor(t testing.TB) *executor.Executor {
	t.Helper()
	x := executor.New(executor.Options{
		Runners:   map[tool.Kind]executor.Runner{tool.KindSQL: sql.New(sql.Options{})},
		LookupEnv: func(string) (string, bool) { return "", false },
	})
	t.Cleanup(func() { _ = x.Close() })
	return x
}

func sqlTool(statement string, params ...tool.Param) tool.Tool {
	return tool.Tool{Name: "t", Kind: tool.KindSQL, Spec: &tool.SQL{Source: "db", Statement: statement}, Params: params}
}

func param(name, typ string) tool.Param {
	return tool.Param{Name: name, Type: &tool.Type{Name: typ}, Optional: true}
}

// session runs tools on one source.
type session struct {
	t   testing.TB
	x   *executor.Executor
	req executor.Request
}

func (s session) run(tl tool.Tool, args string) executor.Envelope {
	s.t.Helper()
	r := s.req
	r.Tool, r.Args, r.Trusted, r.Yes = &tl, json.RawMessage(args), true, true
	return s.x.Run(s.t.Context(), r)
}

// ok is the value of a run that succeeds.
func (s session) ok(tl tool.Tool, args string) string {
	s.t.Helper()
	e := s.run(tl, args)
	if !e.OK {
		s.t.Fatalf("%+v", e.Error)
	}
	return string(e.Value)
}

func sqliteSession(t testing.TB) session {
	return session{t, newExecutor(t), executor.Request{Environment: executor.Environment{
		Sources: map[string]executor.Source{"db": {Kind: "sqlite", Database: filepath.Join(t.TempDir(), "a b#?.db")}},
	}}}
}

func TestSQLiteTypes(t *testing.T) {
	s := sqliteSession(t)
	s.ok(sqlTool("CREATE TABLE t (a TEXT, b INTEGER, c REAL, d BLOB, e DATETIME, f BOOLEAN, g, h NUMERIC)"), "")
	got := s.ok(sqlTool("INSERT INTO t VALUES ('0123', 9223372036854775807, 1, x'00ff', '2024-01-02', 2, '888', '10.50')"), "")
	if got != `{"affected":1}` {
		t.Error(got)
	}
	want := `[{"a":"0123","b":9223372036854775807,"c":1.0,"d":"AP8=","e":"2024-01-02","f":2,"g":"888","h":10.5}]`
	if got := s.ok(sqlTool("SELECT * FROM t"), ""); got != want {
		t.Errorf("%s", got)
	}
	if got := s.ok(sqlTool("SELECT * FROM t WHERE a = $1 AND b > ?", param("x", "string"), param("y", "integer")), `{"x": "0123", "y": 5}`); got != want {
		t.Error(got)
	}
	if got := s.ok(sqlTool("SELECT a FROM t WHERE a = 'x'"), ""); got != `[]` {
		t.Error(got)
	}
	if got := s.ok(sqlTool("SELECT value FROM json_each({{list}})", param("list", "array")), `{"list": ["a", 1, null]}`); got != `[{"value":"a"},{"value":1},{"value":null}]` {
		t.Error(got)
	}
}
