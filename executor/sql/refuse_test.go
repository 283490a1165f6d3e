package sql_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestRefused checks the statements that are never run, whoever wrote or confirmed them.
func TestRefused(t *testing.T) {
	outside := filepath.ToSlash(filepath.Join(t.TempDir(), "outside"))
	for _, tt := range []struct {
		systems, statement, part string
	}{
		{"sqlite postgres mariadb", "SELECT 1; DROP TABLE precious", "several"},
		{"sqlite postgres mariadb", "SELECT 1;;SELECT 2", "several"},
		{"sqlite postgres mariadb", "SELECT 1 /* ; */ ; -- ;\nDROP TABLE precious", "several"},
		{"sqlite postgres mariadb", "SELECT ';' ; DELETE FROM precious", "several"},
		{"sqlite postgres", `SELECT '\'; DELETE FROM precious; --'`, "several"},
		{"sqlite", "SELECT 1 AS [']; DELETE FROM precious; --']", "several"},
		{"postgres", "SELECT $ü$'$ü$; DELETE FROM precious; --'", "several"},
		{"postgres", "SELECT 1 /* /* */ ; */ ; DELETE FROM precious", "several"},
		{"mariadb", "SELECT 1 --;\n; DELETE FROM precious", "several"},
		{"mariadb", `SELECT "\"" ; DELETE FROM precious`, "several"},
		{"mariadb", "SELECT 1 /*! ; DELETE FROM precious */", "comment"},
		{"mariadb", "SELECT 1 /*M!100100 + 1 */", "comment"},
		{"sqlite", "CREATE TRIGGER x AFTER INSERT ON precious BEGIN DELETE FROM precious; END; DELETE FROM precious", "several"},
		{"sqlite", "CREATE TRIGGER x AFTER INSERT ON precious BEGIN DELETE FROM precious; END; DELETE FROM precious; END", "several"},
		{"sqlite", "CREATE TABLE trigger_ (a); DELETE FROM precious; END", "several"},
		{"sqlite", "CREATE TRIGGER x; DELETE FROM precious; END", "several"},
		{"sqlite", "CREATE TABLE c AS SELECT 1 AS trigger, 2 AS begin; DELETE FROM precious; END", "several"},
		{"sqlite", "CREATE TRIGGER x AFTER INSERT ON precious BEGIN SELECT load_extension('x'); END; INSERT INTO precious VALUES (1)", "several"},
		{"mariadb", "CREATE PROCEDURE x() BEGIN SELECT 1; END; DELETE FROM precious; BEGIN NOT ATOMIC SELECT 1; END", "syntax"},
		{"postgres", "CREATE FUNCTION x() RETURNS int BEGIN ATOMIC SELECT 1; END; DELETE FROM precious; COMMIT; END", "multiple commands"},
		{"sqlite postgres mariadb", "", ""},
		{"sqlite postgres mariadb", "-- nothing", "no SQL"},
		{"sqlite postgres mariadb", "COMMIT", "transaction"},
		{"sqlite postgres mariadb", "/* x */ rollback", "transaction"},
		{"sqlite postgres mariadb", "SET x = 1", "SET"},
		{"sqlite", "ATTACH '" + outside + "' AS o", "ATTACH"},
		{"sqlite", "DETACH main", "DETACH is not run"},
		{"sqlite", "VACUUM INTO '" + outside + "'", "VACUUM"},
		{"sqlite", "CREATE TEMP TABLE precious AS SELECT 7 AS a", "temporary"},
		{"sqlite", "CREATE TABLE temp.precious (a)", "temporary"},
		{"sqlite", "CREATE TEMPORARY VIEW precious AS SELECT 7 AS a", "temporary"},
		{"sqlite", "CREATE TEMP TRIGGER x AFTER INSERT ON precious BEGIN DELETE FROM precious; END", "temporary"},
		{"sqlite", "CREATE VIRTUAL TABLE temp.precious USING fts5(a)", "temporary"},
		{"sqlite", "PRAGMA writable_schema = 1", "PRAGMA writable_schema"},
		{"sqlite", "PRAGMA query_only = 0", "PRAGMA query_only"},
		{"sqlite", "PRAGMA temp_store_directory = '/'", "PRAGMA temp_store_directory"},
		{"sqlite", "PRAGMA user_version = 7", "PRAGMA user_version"},
		{"sqlite", "SELECT load_extension('" + outside + "')", "extension"},
		{"sqlite", "SELECT Load_Extension('" + outside + "')", "extension"},
		{"sqlite", "SELECT writefile('" + outside + "', 'x')", "no such function"},
		{"sqlite", "SELECT readfile('/etc/hostname')", "no such function"},
		{"postgres", "COPY precious TO PROGRAM 'touch " + outside + "'", "COPY"},
		{"postgres", "COPY (SELECT 1) TO '" + outside + "'", "COPY"},
		{"postgres", "copy precious from stdin", "COPY"},
		{"postgres", "LOAD 'x'", "LOAD"},
		{"postgres", "PREPARE TRANSACTION 'x'", "PREPARE TRANSACTION"},
		{"postgres", "SELECT pg_read_file('/etc/hostname')", "files of the server"},
		{"postgres", `SELECT pg_catalog."pg_read_file" ('/etc/hostname')`, "files of the server"},
		{"postgres", `SELECT U&"pg_read\005ffile"('/etc/hostname')`, "U&"},
		{"postgres", "SELECT pg_ls_dir('/')", "files of the server"},
		{"postgres", "SELECT size FROM pg_stat_file('/etc/passwd')", "files of the server"},
		{"postgres", "SELECT lo_import('/etc/hostname')", "files of the server"},
		{"postgres", "SELECT lo_export(1, '" + outside + "')", "files of the server"},
		{"postgres", "--\rCOPY (SELECT 1) TO PROGRAM 'touch " + outside + "' /*\nSELECT 1 -- */", "COPY"},
		{"postgres", "SELECT E'x'\n'\\'' , pg_ls_dir('/') -- '", "files of the server"},
		{"sqlite", "SELECT @a('), 1; DELETE FROM precious; --'", ""},
		{"sqlite", "SELECT #ü('), 1; DELETE FROM precious; --'", ""},
		{"mariadb", "SELECT LOAD_FILE('/etc/hostname')", "files of the server"},
		{"mariadb", "SELECT 1 INTO OUTFILE '" + outside + "'", "INTO OUTFILE"},
		{"mariadb", "SELECT 1.5INTO/**/OUTFILE '" + outside + "'", "INTO OUTFILE"},
		{"mariadb", "SELECT 1 INTO DUMPFILE '" + outside + "'", "INTO DUMPFILE"},
		{"mariadb", "LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE precious", "LOAD"},
		{"mariadb", "USE mysql", "USE"},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.statement), func(t *testing.T) {
			for system := range strings.FieldsSeq(tt.systems) {
				s := sessionOf(t, system)
				s.ok(sqlTool("CREATE TABLE IF NOT EXISTS precious (a INTEGER)"), "")
				byCaller := sqlTool("{{.sql}}")
				byCaller.Spec = &tool.SQL{Source: "db", Statement: "{{.sql}}", TemplateParameters: []byte(`{"sql": {"type": "string"}}`)}
				for name, run := range map[string]executor.Envelope{
					"by the author": s.run(sqlTool(tt.statement), ""),
					"by the caller": s.run(byCaller, string(mustJSON(map[string]string{"sql": tt.statement}))),
				} {
					t.Run(name, func(t *testing.T) {
						if run.OK || !strings.Contains(run.Error.Message, tt.part) {
							t.Errorf("%s: %s: %s %+v", system, tt.statement, run.Value, run.Error)
						}
					})
				}
				s.ok(sqlTool("SELECT a FROM precious"), "")
			}
		})
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("a file was written")
	}
}

// TestSchemaQueries checks that a tool may ask SQLite about its schema and settings.
func TestSchemaQueries(t *testing.T) {
	s := sqliteSession(t)
	s.ok(sqlTool("CREATE TABLE t (a INTEGER)"), "")
	for statement, want := range map[string]string{
		"PRAGMA table_info(t)":                    `[{"cid":0,"name":"a","type":"INTEGER","notnull":0,"dflt_value":null,"pk":0}]`,
		"SELECT name FROM pragma_table_info('t')": `[{"name":"a"}]`,
		"PRAGMA user_version":                     `[{"user_version":0}]`,
		"SELECT name FROM sqlite_master":          `[{"name":"t"}]`,
		"EXPLAIN QUERY PLAN SELECT * FROM t":      "",
	} {
		t.Run(statement, func(t *testing.T) {
			if got := s.ok(sqlTool(statement), ""); got != want && want != "" {
				t.Errorf("%s: %s", statement, got)
			}
		})
	}
	s.ok(sqlTool("CREATE VIRTUAL TABLE words USING fts5(text)"), "")
	s.ok(sqlTool("INSERT INTO words VALUES ('one two')"), "")
	if got := s.ok(sqlTool("SELECT text FROM words WHERE words MATCH 'two'"), ""); got != `[{"text":"one two"}]` {
		t.Error(got)
	}
}

// TestPrograms checks that a trigger or a procedure is one statement, whatever it contains.
func TestPrograms(t *testing.T) {
	l := sqliteSession(t)
	l.ok(sqlTool("CREATE TABLE t (a)"), "")
	for name, statement := range map[string]string{
		"a condition":             "CREATE TRIGGER one AFTER INSERT ON t BEGIN UPDATE t SET a = CASE a WHEN 1 THEN 2 ELSE a END; UPDATE t SET a = a; END",
		"a text with a semicolon": "CREATE TRIGGER IF NOT EXISTS two AFTER DELETE ON t WHEN old.a = 7 BEGIN\n  SELECT RAISE(ABORT, ';');\nEND ;\n-- that is all",
		"lower case":              "create trigger three after update on t begin select 1; end",
	} {
		t.Run(name, func(t *testing.T) {
			if got := l.in(t).ok(sqlTool(statement), ""); got != `{"affected":0}` {
				t.Error(got)
			}
		})
	}
	l.ok(sqlTool("INSERT INTO t VALUES (1)"), "")
	if got := l.ok(sqlTool("SELECT a FROM t"), ""); got != `[{"a":2}]` {
		t.Error(got)
	}
	m := serverSession(t, mariadbServer)
	m.ok(sqlTool("CREATE OR REPLACE PROCEDURE program_() BEGIN IF 1 THEN SELECT 1 AS a; END IF; END"), "")
	p := serverSession(t, postgresServer)
	p.ok(sqlTool("CREATE OR REPLACE FUNCTION program_() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 2; END;"), "")
	if got := p.ok(sqlTool("SELECT program_() AS a"), ""); got != `[{"a":2}]` {
		t.Error(got)
	}
}

// pasting returns a tool with template parameters.
func pasting(statement, templates string, params ...tool.Param) tool.Tool {
	tl := sqlTool(statement, params...)
	tl.Spec = &tool.SQL{Source: "db", Statement: statement, TemplateParameters: []byte(templates)}
	return tl
}

// TestPaste checks which values can be pasted into a statement.
func TestPaste(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, sys system, s session) {
		s.ok(sqlTool("DROP TABLE IF EXISTS flights"), "")
		s.ok(sqlTool("CREATE TABLE flights (id INTEGER, name "+sys.text+")"), "")
		s.ok(sqlTool("INSERT INTO flights VALUES (1, 'x'), (2, 'it''s')"), "")
		tl := pasting("SELECT {{array .columns}} FROM {{.table}} WHERE id = {{id}} ORDER BY {{.table}}.id LIMIT {{.most}}",
			`{"table": {"type": "string"}, "columns": {"type": "array<string>"}, "most": {"type": "integer", "default": 5, "max_value": 10}}`, param("id", "integer"))
		if got, want := s.ok(tl, `{"table": "flights", "columns": ["id", "name"], "id": 2}`), `[{"id":2,"name":"it's"}]`; got != want {
			t.Error(got)
		}
		for _, bad := range []string{
			"flights; DROP TABLE flights", "flights--", "flights/*", "flights WHERE 1=1 OR id", "(SELECT 1)", "flights,flights", "", " ", "fl ights", "flights\x00",
			"a.b.c.d.e", "1flights", "sleep(1)", "'a' OR 'a'", `"a" OR "a"`, `"a""`, "`a`b`", "'it''s'", `'\'`, "$$x$$", "flights\n", "[a] b", "x'y", "*", "{{id}}", "?",
		} {
			t.Run(bad, func(t *testing.T) {
				e := s.run(tl, string(mustJSON(map[string]any{"table": bad, "columns": []string{"id"}, "id": 1})))
				if e.OK || e.Error.Kind != executor.KindArguments || e.Error.Code != "not-allowed" || !strings.HasPrefix(e.Error.Message, "table: ") {
					t.Errorf("%q: %s %+v", bad, e.Value, e.Error)
				}
			})
		}
		s.fails(tl, `{"table": "flights", "columns": ["id", "id; x"], "id": 1}`, executor.KindArguments, "columns[1]: ")
		s.fails(tl, `{"table": "flights", "columns": [1], "id": 1}`, executor.KindArguments, "columns[0]: must be a string")
		s.fails(tl, `{"table": "flights", "columns": ["id"], "most": 11}`, executor.KindArguments, "most: must be at most 10")
		s.fails(tl, `{"columns": ["id"]}`, executor.KindNeeds, "table")

		quoted := pasting("SELECT {{.v}} AS v", `{"v": {"type": "string", "escape": "single-quotes"}}`)
		for name, v := range map[string]string{
			"a word":                       "x",
			"a quote":                      "it's",
			"a backslash and a quote":      `\'; DROP TABLE flights; --`,
			"two backslashes":              `\\`,
			"only a quote":                 "'",
			"two quotes":                   "''",
			"a question mark":              "?",
			"braces":                       "{{v}}",
			"a name after a colon":         ":x",
			"a number after a dollar sign": "$1",
		} {
			t.Run(name, func(t *testing.T) {
				s := s.in(t)
				if got, want := s.ok(quoted, string(mustJSON(map[string]string{"v": v}))), `[{"v":`+string(mustJSON(v))+`}]`; got != want {
					t.Errorf("%s: %s, want %s", v, got, want)
				}
			})
		}
		allowed := pasting("SELECT name FROM flights ORDER BY {{.order}}", `{"order": {"type": "string", "allowed_values": ["id DESC", "id ASC"]}}`)
		if got := s.ok(allowed, `{"order": "id DESC"}`); got != `[{"name":"it's"},{"name":"x"}]` {
			t.Error(got)
		}
		s.fails(allowed, `{"order": "id DESC, 1"}`, executor.KindArguments, "order: must be one of id DESC, id ASC")
		// A regular expression lets more through than was meant: it does not list a value.
		loose := pasting("SELECT name FROM flights ORDER BY {{.order}}", `{"order": {"type": "string", "allowed_values": ["id.*"]}}`)
		s.fails(loose, `{"order": "id; DROP TABLE flights"}`, executor.KindArguments, "must be a name")
		inside := pasting("SELECT name FROM flights WHERE name LIKE '%{{.part}}%'", `{"part": {"type": "string"}}`)
		if got := s.ok(inside, `{"part": "t"}`); got != `[]` && got != `[{"name":"it's"}]` {
			t.Error(got)
		}
		s.fails(inside, `{"part": "' OR '1' = '1"}`, executor.KindArguments, "part: ")
		s.fails(inside, `{"part": "\\"}`, executor.KindArguments, "may not hold quotes")
		twice := pasting("SELECT '{{.v}}' AS v", `{"v": {"type": "string", "escape": "single-quotes"}}`)
		s.fails(twice, `{"v": "x"}`, executor.KindDefinition, "stands inside quotes")
		minus := pasting("SELECT 5 -{{.n}} AS n", `{"n": {"type": "integer"}}`)
		if got := s.ok(minus, `{"n": -3}`); got != `[{"n":8}]` {
			t.Error(got)
		}
		s.fails(pasting("SELECT {{.nope}}", `{"v": {"type": "string"}}`), `{"v": "x"}`, executor.KindDefinition, `no template parameter "nope"`)
		s.fails(pasting("SELECT {{array .vs}}", `{"vs": {"type": "array"}}`), `{"vs": []}`, executor.KindArguments, "vs: is empty")
		s.fails(pasting("SELECT {{.vs}}", `{"vs": {"type": "array"}}`), `{"vs": ["x"]}`, executor.KindDefinition, "{{array .vs}}")
		for _, statement := range []string{"SELECT {{array .v}}", "{{array .v}}", "SELECT '{{array .v}}'"} {
			s.fails(pasting(statement, `{"v": {"type": "string"}}`), `{"v": "x"}`, executor.KindDefinition, "{{array .v}} is no array; write {{.v}}")
		}
	})
	s := serverSession(t, postgresServer)
	s.fails(pasting("SELECT 1 AS {{.v}}", `{"v": {"type": "string", "escape": "backticks"}}`), `{"v": "x"}`, executor.KindDefinition, "PostgreSQL does not quote with backticks")
	s.fails(pasting("SELECT 1 AS {{.v}}", `{"v": {"type": "string", "escape": "square-brackets"}}`), `{"v": "x"}`, executor.KindDefinition, "square-brackets")
	if got := s.ok(pasting("SELECT 1 AS {{.v}}", `{"v": {"type": "string", "escape": "double-quotes"}}`), `{"v": "a\" b"}`); got != `[{"a\" b":1}]` {
		t.Error(got)
	}
	program := pasting("DO $$ BEGIN {{.v}} END $$", `{"v": {"type": "string"}}`)
	s.fails(program, `{"v": "DELETE FROM flights;"}`, executor.KindArguments, "must be a name")
	s.fails(program, `{"v": "\"$$\""}`, executor.KindArguments, "must be a name")
	l := sqliteSession(t)
	l.fails(pasting("SELECT 1 AS {{.v}}", `{"v": {"type": "string", "escape": "square-brackets"}}`), `{"v": "a] b"}`, executor.KindArguments, "cannot be quoted")
	if got := l.ok(pasting("SELECT 1 AS {{.v}}", `{"v": {"type": "string", "escape": "square-brackets"}}`), `{"v": "a ' b"}`); got != `[{"a ' b":1}]` {
		t.Error(got)
	}
}

// TestByCaller checks that a statement that the caller writes must be confirmed unless it only
// reads.
func TestByCaller(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, sys system, s session) {
		tl := pasting("{{.sql}}", `{"sql": {"type": "string", "description": "The SQL to execute"}}`)
		ask := func(statement string) executor.Envelope {
			t.Helper()
			r := s.req
			r.Tool, r.Trusted, r.Args = &tl, true, mustJSON(map[string]string{"sql": statement})
			return s.x.Run(t.Context(), r)
		}
		if e := ask("SELECT 1 AS a;"); string(e.Value) != `[{"a":1}]` {
			t.Errorf("%s %+v", e.Value, e.Error)
		}
		s.ok(sqlTool("DROP TABLE IF EXISTS asked"), "")
		for name, statement := range map[string]string{
			"a table":                  "CREATE TABLE asked (a INTEGER)",
			"a deletion after WITH":    "WITH x AS (SELECT 1) DELETE FROM asked",
			"a selection into a table": "SELECT 1 INTO asked",
		} {
			t.Run(name, func(t *testing.T) {
				if e := ask(statement); e.OK || e.Needs == nil || e.Needs.Confirmation == nil {
					t.Errorf("%s: %+v", statement, e.Error)
				}
			})
		}
		if e := ask(`SELECT '{{secrets.X}}' AS a`); string(e.Value) == `[{"a":""}]` {
			t.Errorf("%s %+v", e.Value, e.Error)
		}
		for name, statement := range map[string]string{
			"a blank":                   " ",
			"only a comment":            "-- nothing",
			"two statements":            "SELECT 1; SELECT 2",
			"an end of the transaction": "COMMIT",
			"a comment that runs":       "SELECT 1 /*! + 1 */; SELECT 2",
			"a zero byte":               "\x00",
		} {
			t.Run(name, func(t *testing.T) {
				if e := ask(statement); e.Error == nil || !strings.HasPrefix(e.Error.Message, "sql: ") {
					t.Errorf("%q: %+v", statement, e.Error)
				}
			})
		}
		if e := ask("SELECT ? AS a"); sys.name != "postgres" && (e.Error == nil || e.Error.Kind != executor.KindArguments || !strings.HasPrefix(e.Error.Message, "sql: ? stands for a value")) {
			t.Errorf("%+v", e.Error)
		}
		if sys.name == "sqlite" {
			if e := ask("SELECT load_extension('x')"); e.Error == nil || !strings.HasPrefix(e.Error.Message, "sql: it loads an extension") {
				t.Errorf("%+v", e.Error)
			}
		}
		if s.ok(tl, `{"sql": "CREATE TABLE asked (a INTEGER)"}`) != `{"affected":0}` {
			t.Error("a confirmed statement does not run")
		}
	})
}

// TestDefinitions checks the errors for wrong tools, and the places that they name.
func TestDefinitions(t *testing.T) {
	s := sqliteSession(t)
	two := []tool.Param{param("a", "string"), param("b", "string")}
	for statement, part := range map[string]string{
		"SELECT $3":                "statement: $3 has no parameter: t has 2 parameters",
		"SELECT ?, ?, ?":           "statement: the third ? has no parameter: t has 2 parameters",
		"SELECT :c":                "statement: :c: t has no parameter of that name",
		"SELECT {{c}}":             "statement: {{c}} is no parameter of this tool",
		"SELECT '{{a}}'":           "statement: {{a}} stands inside quotes",
		"SELECT {{env.NOPE}}":      "statement: {{env.NOPE}} is no variable",
		"SELECT {{#if a}}1{{/if}}": "statement: {{#if a}} is no placeholder of a statement",
		"SELECT {{end}}":           "statement: {{end}} is no placeholder of a statement",
		"SELECT {{42}}":            "statement: {{42}} is no placeholder of a statement",
		"SELECT {{.a}}":            `there is no template parameter "a"`,
	} {
		s.fails(sqlTool(statement, two...), `{"a": "x"}`, executor.KindDefinition, part)
	}
	e := s.run(sqlTool("SELECT ? AS a", two...), `{"a": "x", "b": "y"}`)
	if !e.OK || len(e.Warnings) != 1 || e.Warnings[0] != "b was not used: the statement has no place for it" {
		t.Errorf("%q %+v", e.Warnings, e.Error)
	}
	for change, part := range map[*tool.Source]string{
		{}:               `sources.db.kind: "" is none of sqlite, postgres, mysql`,
		{Kind: "oracle"}: `sources.db.kind: "oracle" is none of`,
		{Kind: "http"}:   "source: db is an HTTP service",
		{Kind: "sqlite"}: "sources.db.database is missing",
		{Kind: "sqlite", Database: "file:x?mode=memory"}:                           "a path is wanted here",
		{Kind: "sqlite", Database: "{{a}}"}:                                        "sources.db.database: an argument (a) cannot stand here",
		{Kind: "postgres", Port: "x"}:                                              `sources.db.port: "x" is no port`,
		{Kind: "postgres", Host: "/var/run"}:                                       "sources.db.host",
		{Kind: "postgres", Host: "a,b"}:                                            "sources.db.host",
		{Kind: "mysql", QueryParams: map[string]string{"multiStatements": "true"}}: "sources.db.query_params.multiStatements is neither",
		{Kind: "mysql", QueryParams: map[string]string{"allowAllFiles": "true"}}:   "sources.db.query_params.allowAllFiles is neither",
		{Kind: "sqlite", Database: "x", Timeout: "soon"}:                           `sources.db.timeout: "soon" is no time`,
	} {
		s.req.Environment.Sources = map[string]tool.Source{"db": *change}
		s.fails(sqlTool("SELECT 1", two...), `{"a": "x"}`, executor.KindDefinition, part)
	}
	s.req.Environment.Sources = map[string]tool.Source{"other": {}}
	e = s.fails(sqlTool("SELECT 1"), "", executor.KindDefinition, "source: neither abl.yaml nor the tool's own file has db under sources")
	if e.Error.Hint != "It has other." {
		t.Error(e.Error.Hint)
	}
}
