package sql_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/sql"
	"github.com/abl-lsp/abl-lsp/tool"
)

// newExecutor returns an executor that runs only SQL tools.
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

// in is the session in a subtest, which it then fails.
func (s session) in(t testing.TB) session {
	s.t = t
	return s
}

func (s session) run(tl tool.Tool, args string) executor.Envelope {
	s.t.Helper()
	r := s.req
	r.Tool, r.Args, r.Trusted, r.Yes = &tl, json.RawMessage(args), true, true
	return s.x.Run(s.t.Context(), r)
}

// ok runs a tool that must succeed, and returns its value.
func (s session) ok(tl tool.Tool, args string) string {
	s.t.Helper()
	e := s.run(tl, args)
	if !e.OK {
		s.t.Fatalf("%+v", e.Error)
	}
	return string(e.Value)
}

func sqliteSession(t testing.TB) session {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a b#?%.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return session{t, newExecutor(t), executor.Request{Environment: executor.Environment{
		Root:    root,
		Sources: map[string]tool.Source{"db": {Kind: "sqlite", Database: "a b#?%.db"}},
	}}}
}

// TestCancelledWrites checks that a write which is cancelled at any moment leaves no transaction
// open, which would prevent others from writing.
func TestCancelledWrites(t *testing.T) {
	s := sqliteSession(t)
	s.ok(sqlTool("CREATE TABLE a (x)"), `{}`)
	write := sqlTool("INSERT INTO a VALUES (1)")
	began := time.Now()
	s.ok(write, `{}`)
	longest := time.Since(began)
	for range 150 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.Int64N(int64(longest))))
		req := s.req
		req.Tool, req.Args, req.Trusted, req.Yes = &write, json.RawMessage(`{}`), true, true
		s.x.Run(ctx, req)
		cancel()
		s.ok(write, `{}`)
	}
}

// TestColumnBecomesATime checks that the text of a column stays as it is, even if the column is
// declared as a time after the statement has run once.
func TestColumnBecomesATime(t *testing.T) {
	s := sqliteSession(t)
	read := sqlTool("SELECT a FROM changing")
	for _, typ := range []string{"TEXT", "DATETIME", "TEXT", "DATE"} {
		t.Run(typ, func(t *testing.T) {
			s.t = t
			s.ok(sqlTool("DROP TABLE IF EXISTS changing"), `{}`)
			s.ok(sqlTool("CREATE TABLE changing (a "+typ+")"), `{}`)
			s.ok(sqlTool("INSERT INTO changing VALUES ('2026-01-02')"), `{}`)
			for range 2 {
				if got, want := s.ok(read, `{}`), `[{"a":"2026-01-02"}]`; got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}
		})
	}
}
