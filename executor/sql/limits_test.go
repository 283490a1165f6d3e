package sql_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/sql"
	"github.com/abl-lsp/abl-lsp/internal/sqltest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// fails runs a tool that must fail with an error of a kind whose message contains part.
func (s session) fails(tl tool.Tool, args string, kind executor.ErrorKind, part string) executor.Envelope {
	s.t.Helper()
	e := s.run(tl, args)
	if e.OK || e.Error.Kind != kind || !strings.Contains(e.Error.Message, part) {
		s.t.Errorf("%+v, want %s: %s", e.Error, kind, part)
	}
	return e
}

func TestRowCap(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, sys system, s session) {
		e := s.run(sqlTool(sys.numbers), "")
		var rows []any
		if err := json.Unmarshal(e.Value, &rows); err != nil || len(rows) != 1000 || !e.OK {
			t.Fatalf("%d rows, %v, %+v", len(rows), err, e.Error)
		}
		if e.Truncated == nil || e.Truncated.Kept != 1000 || e.Truncated.Total != nil || len(e.Warnings) != 1 {
			t.Errorf("%+v %q", e.Truncated, e.Warnings)
		}
		s.req.Environment.Limits.Rows = 3000
		if e := s.run(sqlTool(sys.numbers), ""); !e.OK || e.Truncated != nil {
			t.Errorf("%+v %+v", e.Error, e.Truncated)
		}
		s.req.Environment.Limits.Rows = 2
		if e := s.run(sqlTool("SELECT 1 AS a UNION SELECT 2"), ""); !e.OK || e.Truncated != nil {
			t.Errorf("%+v %+v", e.Error, e.Truncated)
		}
		// What a write gives back is counted to its end, and all of it is done.
		s.ok(sqlTool("DROP TABLE IF EXISTS capped"), "")
		s.ok(sqlTool("CREATE TABLE capped (a INTEGER)"), "")
		e = s.run(sqlTool("INSERT INTO capped VALUES (1), (2), (3) RETURNING a"), "")
		if string(e.Value) != `[{"a":1},{"a":2}]` || e.Truncated == nil || e.Truncated.Total == nil || *e.Truncated.Total != 3 {
			t.Errorf("%s %+v %+v", e.Value, e.Truncated, e.Error)
		}
		if got := s.ok(sqlTool("SELECT count(*) AS n FROM capped"), ""); got != `[{"n":3}]` {
			t.Error(got)
		}
	})
}

func TestByteCap(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, sys system, s session) {
		s.req.Environment.Limits.ResponseBytes = 5000
		s.fails(sqlTool(sys.numbers), "", executor.KindLimit, "larger than 5000 bytes")
		s.ok(sqlTool("DROP TABLE IF EXISTS full_"), "")
		s.ok(sqlTool("CREATE TABLE full_ (a INTEGER)"), "")
		e := s.fails(sqlTool("INSERT INTO full_ "+sys.numbers+" RETURNING a, a, a"), "", executor.KindLimit, "larger than 5000 bytes")
		if e.Error != nil && e.Error.Kind != executor.KindLimit {
			t.Errorf("%+v", e.Error)
		}
		if got := s.ok(sqlTool("SELECT count(*) AS n FROM full_"), ""); got != `[{"n":0}]` {
			t.Errorf("a run over its limit has changed something: %s", got)
		}
	})
}

// TestReadOnly checks that the transaction stops a statement that writes although the tool declares
// that it reads.
func TestReadOnly(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, sys system, s session) {
		s.ok(sqlTool("DROP TABLE IF EXISTS held"), "")
		s.ok(sqlTool("CREATE TABLE held (a INTEGER)"), "")
		for _, statement := range []string{"INSERT INTO held VALUES (1)", "DELETE FROM held", "DROP TABLE held", "CREATE TABLE held_too (a INTEGER)"} {
			t.Run(statement, func(t *testing.T) {
				tl := sqlTool(statement)
				tl.Hints.SideEffects = "false"
				e := s.run(tl, "")
				if e.OK || e.Error.Kind != executor.KindDenied || e.Error.Code != "read-only" {
					t.Errorf("%s: %s %+v", statement, e.Value, e.Error)
				}
			})
		}
		// `require: never` asks no question; that is all.
		tl := sqlTool("INSERT INTO held VALUES (1)")
		tl.Confirmation = &tool.Confirmation{Require: "never"}
		if got := s.ok(tl, ""); got != `{"affected":1}` {
			t.Error(got)
		}
	})
	s := serverSession(t, postgresServer)
	s.ok(sqlTool("DO $$ BEGIN DROP SEQUENCE IF EXISTS seq; CREATE SEQUENCE seq; CREATE OR REPLACE FUNCTION sly() RETURNS int LANGUAGE sql AS 'CREATE TABLE sly_table (a int); SELECT 1'; END $$"), "")
	for name, statement := range map[string]string{
		"a sequence":             "SELECT nextval('seq')",
		"a function that writes": "SELECT sly()",
		"a setting":              "SELECT set_config('transaction_read_only', 'off', true), nextval('seq')",
	} {
		t.Run(name, func(t *testing.T) {
			s := s.in(t)
			if e := s.run(sqlTool(statement), ""); e.OK || e.Error.Code == "read-only" && !strings.Contains(e.Error.Hint, "side_effects: true") {
				t.Errorf("%s: %s %+v", statement, e.Value, e.Error)
			}
		})
	}
	tl := sqlTool("SELECT nextval('seq') AS n")
	tl.Mutation = "true"
	s.ok(tl, "")
}

// TestCancel checks that a cancelled run also ends in the database.
func TestCancel(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, sys system, s session) {
		done, cancel := s.begin(sqlTool(sys.forever))
		await := func(want string) {
			t.Helper()
			if sleeping[sys.name] == "" {
				time.Sleep(50 * time.Millisecond)
				return
			}
			s.await(sleeping[sys.name], want)
		}
		await(`[{"n":1}]`)
		start := time.Now()
		cancel()
		if e := <-done; e.OK || e.Error.Code != "cancelled" {
			t.Errorf("%+v", e.Error)
		}
		answered := time.Since(start)
		await(`[{"n":0}]`)
		t.Logf("answered %v after the cancel, ended in the database %v", answered, time.Since(start))
		slow := sqlTool(sys.forever)
		slow.Hints.Timeout = "100"
		s.fails(slow, "", executor.KindTimeout, "hints.timeout")
		await(`[{"n":0}]`)
		sources, short := s.req.Environment.Sources, s.req.Environment.Sources["db"]
		short.Timeout = "90ms"
		s.req.Environment.Sources = map[string]tool.Source{"db": short}
		s.fails(sqlTool(sys.forever), "", executor.KindTimeout, "90ms")
		s.req.Environment.Sources = sources // a busy machine may take longer for the next one
		await(`[{"n":0}]`)
		s.ok(sqlTool("SELECT 1 AS a"), "")
	})
}

// TestCommit checks that the work at the end of a transaction is within the time of the run, and
// that a run that ends then has changed nothing.
func TestCommit(t *testing.T) {
	s := serverSession(t, postgresServer)
	s.ok(sqlTool("DROP TABLE IF EXISTS deferred_"), "")
	s.ok(sqlTool("CREATE TABLE deferred_ (a INTEGER)"), "")
	s.ok(sqlTool("CREATE OR REPLACE FUNCTION at_end() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NULL; END'"), "")
	s.ok(sqlTool("CREATE CONSTRAINT TRIGGER last_ AFTER INSERT ON deferred_ DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION at_end()"), "")
	slow := sqlTool("INSERT INTO deferred_ VALUES (1)")
	slow.Hints.Timeout = "100"
	s.fails(slow, "", executor.KindTimeout, "hints.timeout")
	s.await("SELECT count(*) AS n FROM pg_stat_activity WHERE query = 'COMMIT' AND state = 'active'", `[{"n":0}]`)
	if got := s.ok(sqlTool("SELECT count(*) AS n FROM deferred_"), ""); got != `[{"n":0}]` {
		t.Error(got)
	}
}

// TestServerLimit checks that the server ends the statement if this process ends.
func TestServerLimit(t *testing.T) {
	for system, statement := range map[string]string{
		"postgres": "SELECT current_setting('statement_timeout') AS t",
		"mariadb":  "SELECT @@max_statement_time > 30 AND @@max_statement_time <= 31.5 AS t",
	} {
		t.Run(system, func(t *testing.T) {
			got := sessionOf(t, system).ok(sqlTool(statement), "")
			if got != `[{"t":1}]` && !strings.Contains(got, `"30`) && !strings.Contains(got, `"31`) {
				t.Errorf("%s: %s", system, got)
			}
		})
	}
}

// TestSessions checks that the next run does not see what a run did to its session.
func TestSessions(t *testing.T) {
	s := serverSession(t, postgresServer)
	set := sqlTool("SELECT set_config('application_name', 'other', false), pg_advisory_lock(7)")
	set.Mutation = "true"
	s.ok(set, "")
	for range 5 {
		if got := s.ok(sqlTool("SELECT current_setting('application_name') AS a, (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory') AS n"), ""); got != `[{"a":"abl-lsp","n":0}]` {
			t.Error(got)
		}
	}
	other := serverSession(t, postgresServer)
	for range 10 {
		for _, in := range []session{s, other} {
			if got := in.ok(sqlTool("SELECT pg_try_advisory_lock(8) AS l"), ""); got != `[{"l":true}]` {
				t.Errorf("a lock of a run that reads outlives it: %s", got)
			}
		}
	}
	s.ok(sqlTool("CREATE EXTENSION IF NOT EXISTS dblink"), "")
	at := s.req.Environment.Sources["db"]
	word := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(sqltest.Password)
	to, err := json.Marshal(map[string]string{"to": fmt.Sprintf("host=127.0.0.1 port=%s dbname=%s user=%s password='%s'", at.Port, at.Database, at.User, word)})
	if err != nil {
		t.Fatal(err)
	}
	s.ok(sqlTool("SELECT dblink_connect('kept', {{to}})", param("to", "string")), string(to))
	if got := s.ok(sqlTool("SELECT dblink_get_connections() AS c"), ""); got != `[{"c":null}]` {
		t.Errorf("a connection to another server outlives its run: %s", got)
	}
	m := serverSession(t, mariadbServer)
	set = sqlTool("SELECT @x := 1, GET_LOCK('l', 0)")
	for _, mutation := range []tool.Flag{"true", "false"} {
		t.Run("mutation "+string(mutation), func(t *testing.T) {
			m := m.in(t)
			set.Mutation = mutation
			m.ok(set, "")
			for range 5 {
				if got := m.ok(sqlTool("SELECT @x AS x"), ""); got != `[{"x":null}]` {
					t.Error(got)
				}
			}
			m.await("SELECT IS_USED_LOCK('l') AS l", `[{"l":null}]`) // the server looks after it when it can
		})
	}
}

func TestMemory(t *testing.T) {
	s := session{t, newExecutor(t), executor.Request{Environment: executor.Environment{
		Sources: map[string]tool.Source{"db": {Kind: "sqlite", Database: ":memory:"}},
	}}}
	s.ok(sqlTool("CREATE TABLE t (a)"), "")
	s.ok(sqlTool("INSERT INTO t VALUES (1)"), "")
	if got := s.ok(sqlTool("SELECT * FROM t"), ""); got != `[{"a":1}]` {
		t.Error(got)
	}
}

// TestChangedSource checks that a source with changed settings is another database at once.
func TestChangedSource(t *testing.T) {
	s := sqliteSession(t)
	s.ok(sqlTool("CREATE TABLE t (a)"), "")
	for _, file := range []string{"other.db", "a b#?%.db", "other.db"} {
		s.req.Environment.Sources = map[string]tool.Source{"db": {Kind: "sqlite", Database: file}}
		s.ok(sqlTool("CREATE TABLE IF NOT EXISTS t (a)"), "")
		s.ok(sqlTool("INSERT INTO t VALUES (1)"), "")
	}
	if got := s.ok(sqlTool("SELECT count(*) AS n FROM t"), ""); got != `[{"n":2}]` {
		t.Error(got)
	}
}

// TestCheck checks that the database is asked about a statement without running it.
func TestCheck(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, sys system, s session) {
		s.ok(sqlTool("DROP TABLE IF EXISTS checked"), "")
		s.ok(sqlTool("CREATE TABLE checked (a INTEGER)"), "")
		r := sql.New(sql.Options{})
		t.Cleanup(func() { _ = r.Close() })
		for statement, part := range map[string]string{
			"SELECT a FROM checked WHERE a = {{x}}":   "",
			"INSERT INTO checked VALUES (1)":          "",
			"SELECT nothing FROM checked":             "nothing",
			"INSERT INTO checked (nope) VALUES (1)":   "nope",
			"SELECT a FROM missing_table WHERE 1 = 1": "missing_table",
			"SELEKT": "",
		} {
			t.Run(statement, func(t *testing.T) {
				tl := sqlTool(statement, param("x", "integer"))
				err := r.Check(t.Context(), callOf(t, s, tl))
				if statement != "SELEKT" && (err == nil) != (part == "") || err != nil && !strings.Contains(err.Error(), part) || statement == "SELEKT" && err == nil {
					t.Errorf("%s: %v", statement, err)
				}
			})
		}
		if got := s.ok(sqlTool("SELECT count(*) AS n FROM checked"), ""); got != `[{"n":0}]` {
			t.Error(got)
		}
	})
}

func TestNoFile(t *testing.T) {
	s := session{t, newExecutor(t), executor.Request{Environment: executor.Environment{
		Root: t.TempDir(), Sources: map[string]tool.Source{"db": {Kind: "sqlite", Database: "./none.db"}},
	}}}
	s.fails(sqlTool("SELECT 1"), "", executor.KindDefinition, "sources.db.database: there is no file")
	if _, err := os.Stat(filepath.Join(s.req.Environment.Root, "none.db")); err == nil {
		t.Error("a reading statement has made a file")
	}
	if err := os.WriteFile(filepath.Join(s.req.Environment.Root, "none.db"), []byte(strings.Repeat("no database", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	s.fails(sqlTool("SELECT * FROM t"), "", executor.KindDefinition, "file is not a database")
}
