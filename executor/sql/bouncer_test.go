package sql_test

import (
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/sqltest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestBouncer checks runs through PgBouncer, which uses another connection for each transaction,
// and refuses most settings of a connection.
func TestBouncer(t *testing.T) {
	server := sqltest.PgBouncer(postgresServer)
	t.Cleanup(server.Close)
	s, other := serverSession(t, server), serverSession(t, postgresServer)
	for statement, want := range map[string]string{
		`SELECT interval '1 day 2 hours' AS v`:                    `[{"v":"1 day 02:00:00"}]`,
		`SELECT '\x00ff'::bytea AS v`:                             `[{"v":"AP8="}]`,
		"DROP TABLE IF EXISTS bounced":                            `{"affected":0}`,
		"CREATE TEMP TABLE bounced AS SELECT 7 AS a":              `{"affected":1}`,
		"SELECT nothing FROM pg_catalog.pg_class, bounced":        "",
		"SELECT set_config('search_path', 'nowhere', false) AS v": `[{"v":"nowhere"}]`,
	} {
		t.Run(statement, func(t *testing.T) {
			for range 3 {
				if e := s.run(sqlTool(statement), ""); string(e.Value) != want {
					t.Errorf("%s: %s %+v", statement, e.Value, e.Error)
				}
			}
		})
	}
	done, cancel := s.begin(sqlTool("SELECT pg_sleep(600)"))
	other.await(sleeping["postgres"], `[{"n":1}]`)
	cancel()
	if e := <-done; e.OK || e.Error.Code != "cancelled" {
		t.Errorf("%+v", e.Error)
	}
	other.await(sleeping["postgres"], `[{"n":0}]`)
}

// TestReadBy checks that settings of a database or a role do not change answers.
func TestReadBy(t *testing.T) {
	s := serverSession(t, postgresServer)
	settings := map[string]string{
		"standard_conforming_strings": "off", "client_encoding": "LATIN1", "datestyle": "German", "intervalstyle": "iso_8601", "bytea_output": "escape", "extra_float_digits": "-5",
	}
	for name, v := range settings {
		s.ok(sqlTool("ALTER ROLE abl SET "+name+" = "+v), "")
	}
	defer s.ok(sqlTool("ALTER ROLE abl RESET ALL"), "")
	fresh := serverSession(t, postgresServer)
	got := fresh.ok(sqlTool(`SELECT '\', 'ü😀' AS u, timestamp '2024-01-02 03:04:05' AS t, interval '1 day' AS i, '\x00ff'::bytea AS b, 0.1234567890123456::float8 AS f`), "")
	if want := `[{"?column?":"\\","u":"ü😀","t":"2024-01-02T03:04:05","i":"1 day","b":"AP8=","f":0.1234567890123456}]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for name, v := range settings {
		t.Run(name, func(t *testing.T) {
			src := fresh.req.Environment.Sources["db"]
			src.QueryParams = map[string]string{name: v}
			s := fresh
			s.req.Environment.Sources = map[string]tool.Source{"db": src}
			if name == "intervalstyle" {
				if got := s.ok(sqlTool("SELECT interval '1 day' AS i"), ""); got != `[{"i":"P1D"}]` {
					t.Error(got)
				}
				return
			}
			s.fails(sqlTool("SELECT 1"), "", executor.KindDefinition, "sources.db.query_params."+name)
		})
	}
}
