package sql_test

import (
	stdsql "database/sql"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/sqltest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// globally changes a setting of MariaDB for all sessions that begin while a test runs.
func globally(t *testing.T, name, value string) {
	t.Helper()
	src := mariadbServer.Source(t)
	c := mysql.NewConfig()
	c.Net, c.Addr, c.User, c.Passwd = "tcp", net.JoinHostPort(src.Host, src.Port), src.User, sqltest.Password
	connector, err := mysql.NewConnector(c)
	if err != nil {
		t.Fatal(err)
	}
	db := stdsql.OpenDB(connector)
	var was string
	if err := db.QueryRowContext(t.Context(), "SELECT @@GLOBAL."+name).Scan(&was); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "SET GLOBAL "+name+" = ?", value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := db.Exec("SET GLOBAL "+name+" = ?", was); err != nil {
			t.Error(err)
		}
		_ = db.Close()
	})
}

// inMode returns a session of MariaDB with an sql_mode.
func inMode(t *testing.T, mode string) session {
	t.Helper()
	s := serverSession(t, mariadbServer)
	src := s.req.Environment.Sources["db"]
	src.QueryParams = map[string]string{"sql_mode": mode}
	s.req.Environment.Sources = map[string]tool.Source{"db": src}
	return s
}

// TestModes checks that the guard and MariaDB read quotes and backslashes alike in each sql_mode.
func TestModes(t *testing.T) {
	s := serverSession(t, mariadbServer)
	s.ok(sqlTool("CREATE TABLE IF NOT EXISTS precious (a INTEGER)"), "")
	quoted := pasting("SELECT {{.v}} AS v", `{"v": {"type": "string", "escape": "single-quotes"}}`)
	named := pasting("SELECT 1 AS {{.v}}", `{"v": {"type": "string", "escape": "double-quotes"}}`)
	for mode, statements := range map[string]map[string]string{
		"ANSI_QUOTES": {
			`SELECT "a" FROM (SELECT 1 AS a) AS t`:                  `[{"a":1}]`,
			`SELECT 1 AS "\"`:                                       `[{"\\":1}]`,
			`SELECT 1 AS "\"; DELETE FROM precious; -- "`:           "several",
			`SELECT '\'; DELETE FROM precious; -- ' AS v`:           `[{"v":"'; DELETE FROM precious; -- "}]`,
			`SELECT "load_file"('/etc/hostname') AS "a"`:            "files of the server",
			`SELECT 1 AS "x" , '"' AS y -- ; DELETE FROM x ` + "\n": `[{"x":1,"y":"\""}]`,
		},
		"ansi,NO_ZERO_DATE": {
			`SELECT 1 AS "\"; DELETE FROM precious; -- "`: "several",
		},
		"NO_BACKSLASH_ESCAPES": {
			`SELECT '\' AS v`: `[{"v":"\\"}]`,
			`SELECT "\" AS v`: `[{"v":"\\"}]`,
			`SELECT '\'; DELETE FROM precious; -- ' AS v`: "several",
		},
		"ANSI_QUOTES,NO_BACKSLASH_ESCAPES": {
			`SELECT '\' AS "\"`: `[{"\\":"\\"}]`,
		},
	} {
		t.Run(mode, func(t *testing.T) {
			s := inMode(t, mode)
			for statement, want := range statements {
				t.Run(fmt.Sprintf("%.40s", statement), func(t *testing.T) {
					s := s.in(t)
					e := s.run(sqlTool(statement), "")
					if e.OK && string(e.Value) != want || !e.OK && !strings.Contains(e.Error.Message, want) {
						t.Errorf("%s: %s: %s %+v, want %s", mode, statement, e.Value, e.Error, want)
					}
				})
			}
			for name, v := range map[string]string{
				"a word":                      "x",
				"a quote":                     "it's",
				"a backslash and a statement": `\'; DELETE FROM precious; -- `,
				"only a backslash":            `\`,
				"two backslashes":             `a\\`,
			} {
				t.Run(name, func(t *testing.T) {
					s := s.in(t)
					if got, want := s.ok(quoted, string(mustJSON(map[string]string{"v": v}))), `[{"v":`+string(mustJSON(v))+`}]`; got != want {
						t.Errorf("%s: %s, want %s", mode, got, want)
					}
				})
			}
			if strings.Contains(strings.ToUpper(mode), "ANSI") {
				if got := s.ok(named, `{"v": "a\" \\ b"}`); got != `[{"a\" \\ b":1}]` {
					t.Errorf("%s: %s", mode, got)
				}
			}
		})
	}
}

// TestServerModes checks the error for a server whose settings differ from those of the source.
func TestServerModes(t *testing.T) {
	t.Run("sql_mode", func(t *testing.T) {
		globally(t, "sql_mode", "ANSI_QUOTES")
		s := serverSession(t, mariadbServer)
		e := s.fails(sqlTool(`SELECT "a" AS "a"`), "", executor.KindDefinition, "sources.db: the server's sql_mode")
		if !strings.Contains(e.Error.Hint, `sql_mode: "ANSI_QUOTES"`) {
			t.Error(e.Error.Hint)
		}
		if got := inMode(t, "ANSI_QUOTES").ok(sqlTool(`SELECT 1 AS "a"`), ""); got != `[{"a":1}]` {
			t.Error(got)
		}
		inMode(t, "{{secrets.MODE}}").fails(sqlTool("SELECT 1"), "", executor.KindDefinition, "sources.db.query_params.sql_mode")
		if got := inMode(t, "STRICT_TRANS_TABLES").ok(sqlTool(`SELECT "a" AS a`), ""); got != `[{"a":"a"}]` {
			t.Error(got)
		}
	})
	t.Run("charset", func(t *testing.T) {
		s := serverSession(t, mariadbServer)
		for name, value := range map[string]string{
			"charset": "gbk", "collation": "gbk_chinese_ci", "character_set_client": "sjis", "character_set_results": "latin1", "collation_connection": "big5_chinese_ci",
		} {
			src := s.req.Environment.Sources["db"]
			src.QueryParams = map[string]string{name: value}
			s.req.Environment.Sources = map[string]tool.Source{"db": src}
			s.fails(sqlTool("SELECT 1"), "", executor.KindDefinition, "sources.db.query_params."+name)
		}
		src := s.req.Environment.Sources["db"]
		src.QueryParams = map[string]string{"charset": "utf8mb4", "collation": "utf8mb4_bin"}
		s.req.Environment.Sources = map[string]tool.Source{"db": src}
		s.ok(sqlTool("SELECT 1"), "")
	})
}
