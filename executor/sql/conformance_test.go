package sql_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/sql"
	"github.com/abl-lsp/abl-lsp/internal/conformance"
	"github.com/abl-lsp/abl-lsp/tool"
)

// counted counts the statements that run.
type counted struct {
	*sql.Runner
	calls   atomic.Int64
	hanging chan struct{}
}

func (c *counted) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	c.calls.Add(1)
	if call.Tool.Name == "hang" {
		c.hanging <- struct{}{}
	}
	return c.Runner.Run(ctx, call)
}

// statements are the suite's statements for each database.
var statements = map[string]map[string]string{
	"sqlite": {
		"echo":   "SELECT {{text}} AS text, {{n}} AS n",
		"flood":  "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 1000) SELECT zeroblob(1000000) AS z FROM r",
		"broken": "SELECT json_extract('{}', {{secrets.CONFORMANCE_TOKEN}})",
	},
	"postgres": {
		"echo":   "SELECT {{text}}::text AS text, {{n}}::numeric AS n",
		"flood":  "SELECT repeat('x', 1000000) AS z FROM generate_series(1, 1000)",
		"broken": "SELECT {{secrets.CONFORMANCE_TOKEN}}::int",
	},
	"mariadb": {
		"echo":   "SELECT {{text}} AS text, CAST({{n}} AS DECIMAL(40,1)) AS n",
		"flood":  "SELECT REPEAT('x', 1000000) AS z FROM seq_1_to_1000",
		"broken": "SELECT EXTRACTVALUE(1, CONCAT('~', {{secrets.CONFORMANCE_TOKEN}}))",
	},
}

func TestConformance(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, sys system, s session) {
		s.ok(sqlTool("DROP TABLE IF EXISTS encodings"), "")
		s.ok(sqlTool("CREATE TABLE encodings (text "+sys.text+")"), "")
		for _, e := range conformance.Encodings() {
			s.ok(sqlTool("INSERT INTO encodings VALUES ({{e}})", param("e", "string")), string(mustJSON(map[string]string{"e": e})))
		}
		c := &counted{Runner: sql.New(sql.Options{}), hanging: make(chan struct{}, 64)}
		t.Cleanup(func() { _ = c.Close() })
		named := func(name, statement string) tool.Tool {
			tl := sqlTool(statement, conformance.Params()...)
			tl.Name = name
			return tl
		}
		words := statements[sys.name]
		write := named("write", words["echo"])
		write.Mutation = "true"
		free := named("free", "SELECT {{input}} AS input")
		free.Params = nil
		without := map[string]string{}
		if sys.name != "postgres" {
			without["Digits"] = "a number that is bound has the type of its own digits nowhere else; see TestArguments"
		}
		conformance.Run(t, conformance.Kind{
			Runner:      c,
			Request:     s.req,
			AnswersRows: true,
			Echo:        named("echo", words["echo"]),
			Write:       write,
			FreeForm:    free,
			Hang:        named("hang", sys.forever),
			Flood:       named("flood", words["flood"]),
			Refuse:      named("refuse", "SELECT no_such_column FROM encodings"),
			Leak:        named("leak", "SELECT text, {{secrets.CONFORMANCE_TOKEN}} AS secret FROM encodings"),
			Broken:      named("broken", words["broken"]),
			SkipReasons: without,
			Calls:       func() int { return int(c.calls.Load()) },
			HangArrived: c.hanging,
		})
	})
}

// TestBigField checks a single value that is larger than the limit.
func TestBigField(t *testing.T) {
	for system, statement := range map[string]string{
		"sqlite":   "SELECT zeroblob(60000000) AS z",
		"postgres": "SELECT repeat('x', 60000000) AS z",
		"mariadb":  "SELECT REPEAT('x', 60000000) AS z",
	} {
		t.Run(system, func(t *testing.T) {
			s := sessionOf(t, system)
			e := s.run(sqlTool(statement), "")
			if e.OK || e.Error.Kind != executor.KindLimit || !strings.Contains(e.Error.Message, "larger than") {
				t.Errorf("%s: %+v", system, e.Error)
			}
			s.ok(sqlTool("SELECT 1 AS a"), "")
		})
	}
}
