package sql_test

import (
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/sqltest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// system is one of the databases, with the differences in its statements.
type system struct {
	name    string
	session func(testing.TB) session
	text    string // the type of a text column
	forever string // a statement that does not end
	numbers string // one that gives 3,000 rows
}

const counting = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3000) SELECT n FROM r"

func systems() []system {
	on := func(s *sqltest.Server) func(testing.TB) session {
		return func(t testing.TB) session { return serverSession(t, s) }
	}
	return []system{
		{"sqlite", sqliteSession, "TEXT", "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r", counting},
		{"postgres", on(postgresServer), "TEXT", "SELECT pg_sleep(600)", counting},
		{"mariadb", on(mariadbServer), "VARCHAR(100)", "SELECT SLEEP(600)", "SELECT seq AS n FROM seq_1_to_3000"},
	}
}

// onEachDatabase runs a test on each of the databases.
func onEachDatabase(t *testing.T, test func(t *testing.T, sys system, s session)) {
	for _, sys := range systems() {
		t.Run(sys.name, func(t *testing.T) { test(t, sys, sys.session(t)) })
	}
}

// TestValues checks the value of every type, digit by digit.
func TestValues(t *testing.T) {
	for _, tt := range []struct {
		system string
		values map[string]string // expressions, and the JSON that they become
	}{
		{"sqlite", map[string]string{
			"'0123'": `"0123"`, "'888'": `"888"`, "9223372036854775807": `9223372036854775807`, "1.0": `1.0`, "1e300": `1e+300`, "0.1": `0.1`,
			"9e999": `"Infinity"`, "NULL": `null`, "x'00ff'": `"AP8="`, "x''": `""`, "1 = 1": `1`, "'ü😀\"\\'": `"ü😀\"\\"`,
			"json('{\"a\": 1}')": `"{\"a\":1}"`, "CAST(x'ff' AS TEXT)": `"�"`, "'<&>'": `"<&>"`,
		}},
		{"postgres", map[string]string{
			"'0123'::text": `"0123"`, "'888'::varchar": `"888"`, "9223372036854775807": `9223372036854775807`, "10.50": `10.50`,
			"12345678901234567890.123456789": `12345678901234567890.123456789`, "'NaN'::numeric": `"NaN"`, "'Infinity'::float8": `"Infinity"`,
			"0.1::float4": `0.1`, "1e100::float8": `1e+100`, "NULL": `null`, "true": `true`, `'\x00ff'::bytea`: `"AP8="`,
			`'{"a": 1.50, "b": [1]}'::json`: `{"a": 1.50, "b": [1]}`, `'{"a": 1.50}'::jsonb`: `{"a": 1.50}`, "'null'::jsonb": `null`,
			"'2024-01-02 03:04:05.5+02'::timestamptz": `"2024-01-02T01:04:05.5Z"`, "'infinity'::timestamptz": `"infinity"`,
			"'2024-01-02 03:04:05'::timestamp": `"2024-01-02T03:04:05"`, "'2024-01-02'::date": `"2024-01-02"`, "'03:04'::time": `"03:04:00"`,
			"'1 day 2 hours'::interval": `"1 day 02:00:00"`, "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'::uuid": `"6ba7b810-9dad-11d1-80b4-00c04fd430c8"`,
			"ARRAY[1,2,NULL]": `[1,2,null]`, "ARRAY[[1,2],[3,4]]": `[[1,2],[3,4]]`, "'{}'::text[]": `[]`, "'[0:1]={1,2}'::int[]": `[1,2]`,
			`ARRAY['a,b','c"d','e\f','{','','NULL',NULL]`: `["a,b","c\"d","e\\f","{","","NULL",null]`, "ARRAY[1.50]": `[1.50]`, "ARRAY[true]": `[true]`,
			`ARRAY['{"a":1}'::jsonb]`: `[{"a": 1}]`, "'10.10.0.1'::inet": `"10.10.0.1"`, "12.34::numeric::money": `"$12.34"`, "int4range(1,5)": `"[1,5)"`,
			"ARRAY[box '(1,1),(0,0)', box '(2,2),(1,1)']": `["(1,1),(0,0)","(2,2),(1,1)"]`,
		}},
		{"mariadb", map[string]string{
			"'0123'": `"0123"`, "'888'": `"888"`, "18446744073709551615": `18446744073709551615`, "CAST(10.50 AS DECIMAL(10,2))": `10.50`,
			"CAST('1234567890123456789012345678.1234567890' AS DECIMAL(38,10))": `1234567890123456789012345678.1234567890`,
			"CAST(0.1 AS DOUBLE)": `0.1`, "CAST(1 AS DOUBLE)": `1.0`, "NULL": `null`, "TRUE": `1`, "x'00ff'": `"AP8="`, "b'101'": `"BQ=="`,
			"CAST('2024-01-02 03:04:05.5' AS DATETIME(1))": `"2024-01-02T03:04:05.5"`, "CAST('2024-01-02' AS DATE)": `"2024-01-02"`, "CAST('-12:00:01' AS TIME)": `"-12:00:01"`,
			"'ü😀'": `"ü😀"`, "JSON_OBJECT('a', 1)": `"{\"a\": 1}"`,
		}},
	} {
		t.Run(tt.system, func(t *testing.T) {
			s := sessionOf(t, tt.system)
			for expression, want := range tt.values {
				if got := s.ok(sqlTool("SELECT "+expression+" AS v"), ""); got != `[{"v":`+want+`}]` {
					t.Errorf("%s: %s, want %s", expression, got, want)
				}
			}
		})
	}
}

func sessionOf(t *testing.T, name string) session {
	t.Helper()
	for _, sys := range systems() {
		if sys.name == name {
			return sys.session(t)
		}
	}
	t.Fatal(name)
	return session{}
}

// TestColumns checks values of declared columns whose type differs from that of an expression.
func TestColumns(t *testing.T) {
	t.Run("mariadb", func(t *testing.T) {
		s := serverSession(t, mariadbServer)
		s.ok(sqlTool("CREATE OR REPLACE TABLE columns_ (a TIMESTAMP(3) NULL, b BIT(10), c BLOB, d YEAR, e BIGINT UNSIGNED, f DATETIME, g TEXT, h FLOAT, i ENUM('x','y'))"), "")
		s.ok(sqlTool("INSERT INTO columns_ VALUES ('2024-01-02 03:04:05.25', b'1000000001', 'ab', 2024, 18446744073709551615, '2024-01-02 03:04:05', '0123', 1.5, 'y')"), "")
		want := `[{"a":"2024-01-02T03:04:05.25Z","b":513,"c":"YWI=","d":2024,"e":18446744073709551615,"f":"2024-01-02T03:04:05","g":"0123","h":1.5,"i":"y"}]`
		if got := s.ok(sqlTool("SELECT * FROM columns_"), ""); got != want {
			t.Error(got)
		}
	})
	t.Run("postgres", func(t *testing.T) {
		s := serverSession(t, postgresServer)
		s.ok(sqlTool("DO $$ BEGIN DROP TABLE IF EXISTS columns_; DROP TYPE IF EXISTS mood; CREATE TYPE mood AS ENUM ('sad', 'so so'); "+
			"DROP DOMAIN IF EXISTS price; DROP DOMAIN IF EXISTS amount; CREATE DOMAIN amount AS numeric(10,2); CREATE DOMAIN price AS amount; "+
			"CREATE TABLE columns_ (a mood, b mood[], c char(3), d price, e price[]); END $$"), "")
		s.ok(sqlTool("INSERT INTO columns_ VALUES ('sad', ARRAY['so so','sad']::mood[], 'x', 1.5, '{2.5}')"), "")
		for range 2 { // the types are known then
			if got, want := s.ok(sqlTool("SELECT * FROM columns_"), ""), `[{"a":"sad","b":["so so","sad"],"c":"x  ","d":1.50,"e":[2.50]}]`; got != want {
				t.Error(got)
			}
		}
	})
	t.Run("sqlite", func(t *testing.T) {
		s := sqliteSession(t)
		s.ok(sqlTool("CREATE TABLE t (a DATETIME, b TIMESTAMP, c DATE)"), "")
		s.ok(sqlTool("INSERT INTO t VALUES ('2024-01-02', 'soon', 5), ('2023-01-02 03:04', NULL, '1')"), "")
		if got, want := s.ok(sqlTool("SELECT *, a AS a FROM t ORDER BY a"), ""), `[{"a":"2023-01-02 03:04","b":null,"c":1,"a_2":"2023-01-02 03:04"},{"a":"2024-01-02","b":"soon","c":5,"a_2":"2024-01-02"}]`; got != want {
			t.Error(got)
		}
		for _, one := range [][2]string{
			{"INSERT INTO t VALUES ('2024-01-02', '2024-01-02 03:04', 7) RETURNING *, b -- 🛫\n", `[{"a":"2024-01-02","b":"2024-01-02 03:04","c":7,"b_2":"2024-01-02 03:04"}]`},
			{"UPDATE t SET a = '2025-01-02 03:04:05Z' WHERE c = 7 RETURNING t.a, (b) x, upper(c) AS \"c\"\"d\", coalesce(a, b)", `[{"a":"2025-01-02 03:04:05Z","x":"2024-01-02 03:04","c\"d":"7","coalesce(a, b)":"2025-01-02 03:04:05Z"}]`},
			{"DELETE FROM t WHERE a IN (SELECT a FROM t WHERE c = 7) RETURNING a AS b, ('a,b') AS l;", `[{"b":"2025-01-02 03:04:05Z","l":"a,b"}]`},
		} {
			if got := s.ok(sqlTool(one[0]), ""); got != one[1] {
				t.Errorf("%s: %s", one[0], got)
			}
		}
		tl := sqlTool("SELECT a FROM t WHERE c = 5")
		tl.Mutation = "true"
		if got, want := s.ok(tl, ""), `[{"a":"2024-01-02"}]`; got != want {
			t.Error(got)
		}
	})
}

// TestArguments checks that the database gets the values that were given to a statement.
func TestArguments(t *testing.T) {
	list := tool.Param{Name: "list", Type: &tool.Type{Name: "array", Elem: &tool.Type{Name: "string"}}, Optional: true}
	whole := tool.Param{Name: "whole", Type: &tool.Type{Name: "array", Elem: &tool.Type{Name: "integer"}}, Optional: true}
	for _, tt := range []struct{ system, statement, args, want string }{
		{"sqlite", "SELECT ? AS a, ? AS b, ? AS c, ? AS d", `{"s": "0123", "i": 3.0, "f": 1, "b": true}`, `[{"a":"0123","b":3,"c":1.0,"d":1}]`},
		{"sqlite", "SELECT {{i}} AS i", `{"i": 1.5e2}`, `[{"i":150}]`},
		{"sqlite", "SELECT $4 AS d, :s AS a, @s AS b, ?2 AS c", `{"s": "x", "i": 9223372036854775807, "b": false}`, `[{"d":0,"a":"x","b":"x","c":9223372036854775807}]`},
		{"sqlite", "SELECT {{s}} AS a, {{input.i}} AS b, {{session.user}} AS c", `{"s": "{{i}}", "i": 1}`, `[{"a":"{{i}}","b":1,"c":"u"}]`},
		{"sqlite", "SELECT ? AS a, ? AS b", `{}`, `[{"a":null,"b":null}]`},
		{"sqlite", "SELECT {{m}} AS m", `{"m": {"a": 1.50, "b": true}}`, `[{"m":"{\"a\":1.50,\"b\":true}"}]`},
		{"postgres", "SELECT $1 AS a, $2::int4 AS b, $3::numeric AS c, $4::bool AS d", `{"s": "0123", "i": 3.0, "f": 10.50, "b": true}`, `[{"a":"0123","b":3,"c":10.50,"d":true}]`},
		{"postgres", "SELECT $2::int4 AS i, {{whole}}::int[] AS l", `{"i": 1.5e2, "whole": [1e2, 3.0]}`, `[{"i":150,"l":[100,3]}]`},
		{"postgres", "SELECT $3::text AS c, $1::text AS a, $1::text AS b", `{"s": "x", "f": 10.50}`, `[{"c":"10.50","a":"x","b":"x"}]`},
		{"postgres", "SELECT x FROM (VALUES ('a'), ('b,\"'), (NULL)) AS t(x) WHERE x = ANY({{list}}) ORDER BY x", `{"list": ["b,\"", "c\\"]}`, `[{"x":"b,\""}]`},
		{"postgres", "SELECT {{list}}::text[] AS l", `{"list": ["{", "NULL", ""]}`, `[{"l":["{","NULL",""]}]`},
		{"postgres", "SELECT {{list}}::jsonb AS l", `{"list": ["{", "NULL", ""]}`, `[{"l":["{", "NULL", ""]}]`},
		{"postgres", "SELECT {{m}}::jsonb AS m, $1::jsonb AS s, $4 AND true AS n", `{"m": {"a": 1.50}, "s": "x\""}`, `[{"m":{"a": 1.50},"s":"x\"","n":null}]`},
		{"postgres", "SELECT '{\"a\":1}'::jsonb ? 'a' AS has, '{{1,2},{3,4}}'::int[] AS l", `{}`, `[{"has":true,"l":[[1,2],[3,4]]}]`},
		{"mariadb", "SELECT ? AS a, ? AS b, ? AS c, ? AS d", `{"s": "0123", "i": 18446744073709551615, "f": 10.50, "b": true}`, `[{"a":"0123","b":18446744073709551615,"c":10.5,"d":1}]`},
		{"mariadb", "SELECT JSON_VALUE('[9]', '$[0]') > {{f}} AS more, {{f}} = 10.50 AS same, JSON_ARRAY({{f}}) AS l", `{"f": 10.50}`, `[{"more":0,"same":1,"l":"[10.5]"}]`},
		{"mariadb", "SELECT {{f}} AS f", `{"f": 0.30000000000000004}`, `[{"f":0.30000000000000004}]`},
		{"mariadb", "SELECT {{f}} AS f", `{"f": 1234567890.12345678}`, `[{"f":"1234567890.12345678"}]`},
		{"mariadb", "SELECT {{i}} AS i, {{whole}} AS l", `{"i": 1e19, "whole": [1e2, 3.0]}`, `[{"i":10000000000000000000,"l":"[100,3]"}]`},
		{"mariadb", "SELECT {{s}} AS a, {{m}} AS m, {{session.user}} AS u", `{"s": "'; DROP TABLE x; --", "m": {"a": 1}}`, `[{"a":"'; DROP TABLE x; --","m":"{\"a\":1}","u":"u"}]`},
		{"mariadb", "SELECT 1 AS a # it's a comment?\n, ? AS b -- ? it's\n", `{"s": "x"}`, `[{"a":1,"b":"x"}]`},
	} {
		t.Run(tt.want, func(t *testing.T) {
			s := sessionOf(t, tt.system)
			s.req.Session = []byte(`{"user": "u"}`)
			tl := sqlTool(tt.statement, param("s", "string"), param("i", "integer"), param("f", "float"), param("b", "boolean"), list, param("m", "map"), whole)
			if got := string(s.run(tl, tt.args).Value); got != tt.want {
				t.Errorf("%s: %s: %s, want %s; %+v", tt.system, tt.statement, got, tt.want, s.run(tl, tt.args).Error)
			}
		})
	}
}

// TestInjection checks that any value stays a value.
func TestInjection(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, sys system, s session) {
		s.ok(sqlTool("DROP TABLE IF EXISTS victims"), "")
		s.ok(sqlTool("CREATE TABLE victims (name "+sys.text+")"), "")
		insert := sqlTool("INSERT INTO victims VALUES ({{v}})", param("v", "string"))
		find := sqlTool("SELECT name FROM victims WHERE name = {{v}}", param("v", "string"))
		for _, v := range []string{
			`' OR 1=1 --`, `'; DROP TABLE victims; --`, `\'; DROP TABLE victims; #`, `") UNION SELECT 1 --`, "`; DROP TABLE victims", `$1`, `?`, `{{v}}`, `{{secrets.X}}`,
			`%27 OR 1`, "ʼ OR 1=1", `\`, `/*`, `*/`, "\n--\n", `$$`, `ü😀`,
		} {
			t.Run(v, func(t *testing.T) {
				args := string(mustJSON(map[string]string{"v": v}))
				if got := s.ok(insert, args); got != `{"affected":1}` {
					t.Errorf("%s: %s", v, got)
				}
				if got, want := s.ok(find, args), `[{"name":`+string(mustJSON(v))+`}]`; got != want {
					t.Errorf("%s: %s, want %s", v, got, want)
				}
			})
		}
		switch got := s.run(find, `{"v": "a\u0000b"}`); {
		case got.OK && string(got.Value) != "[]":
			t.Errorf("%s", got.Value)
		case sys.name == "postgres" && (got.OK || got.Error.Kind != executor.KindArguments || !strings.HasPrefix(got.Error.Message, "v: holds a NUL character")):
			t.Errorf("%+v", got.Error)
		}
	})
}

// TestWrites checks the number of rows that a statement changed, or the rows that it returns.
func TestWrites(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, sys system, s session) {
		s.ok(sqlTool("DROP TABLE IF EXISTS written"), "")
		if got := s.ok(sqlTool("CREATE TABLE written (a INTEGER PRIMARY KEY, b "+sys.text+")"), ""); got != `{"affected":0}` {
			t.Error(got)
		}
		if got := s.ok(sqlTool("INSERT INTO written VALUES (1, 'x'), (2, 'y')"), ""); got != `{"affected":2}` {
			t.Error(got)
		}
		if got := s.ok(sqlTool("UPDATE written SET b = 'z' WHERE a = 7"), ""); got != `{"affected":0}` {
			t.Error(got)
		}
		if got := s.ok(sqlTool("INSERT INTO written VALUES (3, 'z') RETURNING a, b"), ""); got != `[{"a":3,"b":"z"}]` {
			t.Error(got)
		}
		e := s.run(sqlTool("INSERT INTO written VALUES (4, 'z'), (1, 'twice')"), "")
		if e.OK || e.Error.Kind != executor.KindRemote || !strings.HasPrefix(e.Error.Message, "db: ") {
			t.Errorf("%+v", e.Error)
		}
		if got := s.ok(sqlTool("SELECT count(*) AS n FROM written"), ""); got != `[{"n":3}]` {
			t.Error(got)
		}
	})
}
