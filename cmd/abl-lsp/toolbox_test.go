package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/internal/redistest"
	"github.com/abl-lsp/abl-lsp/internal/sqltest"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// toolboxCall is a call of a tool of a file that MCP Toolbox itself runs as well.
type toolboxCall struct {
	name, tool, args string

	// If the answers differ, theirs and ours are what each contains: its result in JSON, or its
	// error. docs/systems/toolbox.md gives the reasons.
	theirs, ours string

	unordered bool // lists in the answers may have another order, also those in texts of JSON
	onlyNames bool // only the names of the columns are the same
}

// toolboxRun runs the tools of one file by MCP Toolbox and by this program.
type toolboxRun struct {
	toolbox, file string
	env           []string
	flags         []string // of each of this program's runs
	secret        string
	reset         func() // makes the data anew, before each call; nil: nothing changes them
}

// newToolboxRun writes the file. secret is the value of the variable SECRET, which is in double quotes
// there.
func newToolboxRun(t *testing.T, text, secret string) toolboxRun {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "tools.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+dir)
	return toolboxRun{toolbox: testdeps.FindToolbox(t), file: file, env: env, secret: secret}
}

// answers returns the answer of each program to a call: its result as JSON in one line, or what it
// says of a failure.
func (r toolboxRun) answers(t *testing.T, call toolboxCall) (theirs, ours string) {
	t.Helper()
	inYAML := strings.ReplaceAll(r.secret, `\`, `\\`) // Toolbox reads the YAML after it inserted the value
	theirs = r.answer(t, inYAML, r.toolbox, "--config", r.file, "--disable-version-check", "--log-level", "ERROR", "invoke", call.tool, call.args)
	ours = r.answer(t, r.secret, os.Args[0], append([]string{"run", r.file, call.tool, "--args", call.args, "--allow-host", "127.0.0.1"}, r.flags...)...)
	return theirs, ours
}

func (r toolboxRun) answer(t *testing.T, secret, program string, words ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, words...)
	cmd.Env = append(slices.Clone(r.env), "SECRET="+secret)
	if r.reset != nil {
		r.reset()
	}
	var failure strings.Builder
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		return failure.String()
	}
	var value any
	if err := json.Unmarshal(out, &value); err != nil {
		t.Fatalf("%q: %v\n%s", words, err, out)
	}
	line, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// check compares the answers to calls, in their order.
func (r toolboxRun) check(t *testing.T, calls []toolboxCall) {
	t.Helper()
	for _, call := range calls {
		t.Run(cmp.Or(call.name, call.tool+" "+call.args), func(t *testing.T) {
			theirs, ours := r.answers(t, call)
			switch {
			case call.theirs != "":
			case call.unordered:
				theirs, ours = sorted(t, theirs), sorted(t, ours)
			case call.onlyNames:
				theirs, ours = columnNames(t, theirs), columnNames(t, ours)
			}
			if call.theirs == "" {
				if diff := gocmp.Diff(theirs, ours); diff != "" {
					t.Errorf("(-Toolbox +here):\n%s", diff)
				}
				return
			}
			if !strings.Contains(theirs, call.theirs) || !strings.Contains(ours, call.ours) {
				t.Errorf("Toolbox: %s\nwant %s\nhere: %s\nwant %s", theirs, call.theirs, ours, call.ours)
			}
		})
	}
}

// columnNames returns the names of the columns of rows in JSON, of which there must be some.
func columnNames(t *testing.T, answer string) string {
	t.Helper()
	var rows []map[string]any
	if err := json.Unmarshal([]byte(answer), &rows); err != nil || len(rows) == 0 {
		t.Fatalf("%v: %s", err, answer)
	}
	return strings.Join(slices.Sorted(maps.Keys(rows[0])), ", ")
}

// sorted returns JSON with its lists in the order of their items' texts.
func sorted(t *testing.T, answer string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(answer), &value); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	line, err := json.MarshalIndent(sortLists(value), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

func sortLists(value any) any {
	switch v := value.(type) {
	case string:
		var inner map[string]any
		if json.Unmarshal([]byte(v), &inner) == nil {
			return sortLists(inner)
		}
	case map[string]any:
		for key := range v {
			v[key] = sortLists(v[key])
		}
	case []any:
		for i := range v {
			v[i] = sortLists(v[i])
		}
		slices.SortFunc(v, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	}
	return value
}

const redisTools = `sources:
  keys: {kind: redis, address: ["%s"], password: "${SECRET}", database: 3}
tools:
  keep:
    kind: redis
    source: keys
    description: Keeps a session 🧭
    commands: [[DEL, $id, "list:", $items], [HSET, $id, name, $name, "$", $id], [EXPIRE, $id, 600], [RPUSH, "list:", $items], [SADD, set, "{1}", a b], [HGETALL, $id], [LRANGE, "list:", 0, -1]]
    parameters:
      - {name: id, type: string, description: Which}
      - {name: name, type: string, description: Whose}
      - {name: items, type: array, description: Items, items: {name: item, type: string, description: One}}
  read:
    kind: redis
    source: keys
    description: Has answers of all types
    commands: [[TTL, none], [SADD, set, a], [SMISMEMBER, set, a, b], [ZADD, z, 1.50, m], [ZSCORE, z, m], [ZRANGE, z, 0, -1, WITHSCORES], [TYPE, z], [PING, $pong], [CONFIG, GET, port, databases]]
    parameters:
      - {name: pong, type: string, description: A default, default: "$id"}
  count:
    kind: redis
    source: keys
    description: Counts 🧭
    commands: [[SET, n, 1], [INCRBY, n, $by], [GET, n]]
    parameters:
      - {name: by, type: integer, description: By how much}
  missing: {kind: redis, source: keys, description: Reads nothing, commands: [[GET, none], [HGETALL, none], [LRANGE, none, 0, -1]]}
  refused: {kind: redis, source: keys, description: Fails, commands: [[DBSIZE], [DEL], [PING]]}
  optional:
    kind: redis
    source: keys
    description: Sends what it is given
    commands: [[PING, $text]]
    parameters:
      - {name: text, type: string, description: A text, required: false}
`

// TestToolboxRedis checks that the commands of a file have the same answers as with MCP Toolbox
// itself.
func TestToolboxRedis(t *testing.T) {
	server := redistest.Start(t)
	run := newToolboxRun(t, fmt.Sprintf(redisTools, server.Address()), redistest.Password)
	client := server.Client(t)
	run.flags = []string{"--yes"}
	run.reset = func() {
		if err := client.FlushAll(t.Context()).Err(); err != nil {
			t.Error(err)
		}
	}
	run.check(t, []toolboxCall{
		{name: "what changes", tool: "keep", args: `{"id": "a:1", "name": "Zoë \" \n *3", "items": ["x", "", "y z"]}`},
		{name: "an injection", tool: "keep", args: `{"id": "a:1", "name": "\r\nFLUSHALL\r\n", "items": ["$id", "${SECRET}", "{{id}}"]}`},
		{name: "types and a default", tool: "read", args: `{}`},
		{name: "an empty list", tool: "keep", args: `{"id": "a:1", "name": "n", "items": []}`,
			theirs: `"error from executing command at index 3: ERR wrong number`, ours: "RPUSH: ERR wrong number"},
		{name: "a number", tool: "count", args: `{"by": 41}`, theirs: `"error from executing command at index 1: ERR value is not an integer`, ours: `["OK",42,"42"]`},
		{name: "what is missing", tool: "missing", args: `{}`, theirs: `["error from executing command at index 0: redis: nil",{},[]]`, ours: `[null,{},[]]`},
		{name: "a refused command", tool: "refused", args: `{}`, theirs: `"error from executing command at index 1: ERR wrong number of arguments for 'del' command","PONG"]`, ours: "DEL: ERR wrong number of arguments for 'del' command\nIt is command 2; the commands before it were run."},
		{name: "what is left out", tool: "optional", args: `{}`, theirs: `["%!s(\u003cnil\u003e)"]`, ours: `[""]`},
		{name: "no argument", tool: "keep", args: `{"id": "a"}`, theirs: `parameter "name" is required`, ours: "name"},
		{name: "another type", tool: "count", args: `{"by": "x"}`, theirs: `unable to parse value for "by"`, ours: "by"},
	})
}

// catalogData are the statements that make what the tools list.
var catalogData = map[string][]string{
	"postgres": {
		"CREATE SCHEMA s",
		"CREATE TABLE s.flights (id serial PRIMARY KEY, airline text NOT NULL DEFAULT 'none', price numeric(10,2), seats int CHECK (seats > 0))",
		"COMMENT ON TABLE s.flights IS 'Flights 🛫'",
		"COMMENT ON COLUMN s.flights.airline IS 'Two letters'",
		"CREATE TABLE bookings (id bigint, flight int REFERENCES s.flights(id), who text UNIQUE, PRIMARY KEY (id, who))",
		"CREATE INDEX by_airline ON s.flights (airline, seats)",
		"CREATE VIEW s.cheap AS SELECT * FROM s.flights WHERE price < 10",
		"CREATE FUNCTION s.f() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NEW; END$$",
		"CREATE TRIGGER each_row BEFORE INSERT ON s.flights FOR EACH ROW EXECUTE FUNCTION s.f()",
		"CREATE TRIGGER at_once AFTER INSERT OR DELETE OR UPDATE ON bookings FOR EACH STATEMENT EXECUTE FUNCTION s.f()",
		"ALTER TABLE bookings DISABLE TRIGGER at_once",
		"CREATE TABLE part (a int) PARTITION BY LIST (a)",
		"CREATE TABLE part1 PARTITION OF part FOR VALUES IN (1)",
		"CREATE ROLE flyer", "CREATE ROLE pilot LOGIN", "GRANT flyer TO pilot", "GRANT USAGE ON SCHEMA s TO flyer",
		"CREATE PUBLICATION news FOR TABLE bookings",
	},
	"mysql": {
		"CREATE TABLE flights (id INT AUTO_INCREMENT PRIMARY KEY, airline VARCHAR(4) NOT NULL DEFAULT 'none' COMMENT 'Two letters', seats INT, KEY by_airline (airline, seats)) COMMENT 'Flights 🛫'",
		"CREATE TABLE bookings (flight INT, who TEXT, CONSTRAINT fk FOREIGN KEY (flight) REFERENCES flights(id), CHECK (flight > 0))",
		"CREATE VIEW cheap AS SELECT * FROM flights",
		"CREATE TRIGGER each_row BEFORE INSERT ON flights FOR EACH ROW SET NEW.seats = 1",
	},
}

// catalogCalls are calls of the tools that list what a database has, by the kinds of databases and
// by what follows list- in those of the tools. The first one needs a statement that is running.
var catalogCalls = map[string][]toolboxCall{
	"postgres": {
		{tool: "active-queries", args: `{"min_duration": "0 seconds"}`, onlyNames: true},
		{tool: "tables", args: `{}`, unordered: true},
		{tool: "tables", args: `{"table_names": "flights, nothing"}`, unordered: true},
		{tool: "tables", args: `{"output_format": "simple"}`},
		{tool: "tables", args: `{"output_format": "odd"}`, theirs: "must be 'simple' or 'detailed'", ours: "output_format"},
		{tool: "views", args: `{}`},
		{tool: "views", args: `{"view_name": "hea", "schema_name": "s%"}`},
		{tool: "views", args: `{"view_name": "'; DROP VIEW s.cheap; --"}`},
		{tool: "schemas", args: `{}`},
		{tool: "schemas", args: `{"schema_name": "s", "limit": 1}`},
		{tool: "indexes", args: `{}`},
		{tool: "indexes", args: `{"table_name": "light", "only_unused": true}`},
		{tool: "sequences", args: `{}`},
		{tool: "triggers", args: `{}`},
		{tool: "triggers", args: `{"trigger_name": "each"}`},
		{tool: "available-extensions", args: `{}`},
		{tool: "installed-extensions", args: `{}`},
		{tool: "roles", args: `{"role_name": "i"}`},
		{tool: "tablespaces", args: `{"tablespace_name": "global"}`},
		{tool: "publication-tables", args: `{}`},
		{tool: "publication-tables", args: `{"table_names": "x, bookings", "publication_names": "news", "schema_names": "public"}`},
		{tool: "active-queries", args: `{"min_duration": "1 hour"}`},
	},
	"mysql": {
		{tool: "active-queries", args: `{}`, onlyNames: true},
		{tool: "tables", args: `{}`, unordered: true},
		{tool: "tables", args: `{"table_names": "flights, nothing"}`, unordered: true},
		{tool: "tables", args: `{"output_format": "simple"}`},
		{tool: "tables-missing-unique-indexes", args: `{}`},
		{tool: "table-fragmentation", args: `{"data_free_threshold_bytes": 0}`, theirs: `"fragmentation_percentage":"0.00"`, ours: `"fragmentation_percentage":0,`},
		{tool: "table-fragmentation", args: `{"data_free_threshold_bytes": 0}`, onlyNames: true},
		{tool: "table-fragmentation", args: `{}`},
	},
}

// TestToolboxCatalog checks that the tools which list what a database has answer as MCP Toolbox does,
// although their statements are others. None of them asks for a confirmation.
func TestToolboxCatalog(t *testing.T) {
	for kind, server := range map[string]func() *sqltest.Server{"postgres": sqltest.Postgres, "mysql": sqltest.MariaDB} {
		t.Run(kind, func(t *testing.T) {
			server := server()
			t.Cleanup(server.Close)
			source := server.Source(t)
			text := fmt.Sprintf("sources:\n  db: {kind: %s, host: %s, port: %s, user: %s, database: %s, password: \"${SECRET}\"}\ntools:\n  any: {kind: %[1]s-execute-sql, source: db, description: Any 🧭}\n",
				kind, source.Host, source.Port, source.User, source.Database)
			for _, call := range catalogCalls[kind] {
				if line := fmt.Sprintf("  %s: {kind: %s-list-%[1]s, source: db, description: Lists}\n", call.tool, kind); !strings.Contains(text, line) {
					text += line
				}
			}
			run := newToolboxRun(t, text, source.Password)
			for _, statement := range catalogData[kind] {
				args, err := json.Marshal(map[string]string{"sql": statement})
				if err != nil {
					t.Fatal(err)
				}
				if got := run.answer(t, source.Password, os.Args[0], "run", run.file, "any", "--args", string(args), "--allow-host", "127.0.0.1", "--yes"); !strings.HasPrefix(got, "{") {
					t.Fatalf("%s: %s", statement, got)
				}
			}
			stop := run.keepBusy(t, catalogCalls[kind][0], map[string]string{"postgres": "SELECT pg_sleep(600)", "mysql": "SELECT SLEEP(600)"}[kind])
			defer stop()
			run.check(t, catalogCalls[kind])
		})
	}
}

// keepBusy runs a statement until stop is called. It returns when the call lists the statement.
func (r toolboxRun) keepBusy(t *testing.T, list toolboxCall, statement string) (stop func()) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "run", r.file, "any", "--args", `{"sql": "`+statement+`"}`, "--allow-host", "127.0.0.1", "--yes")
	cmd.Env = append(slices.Clone(r.env), "SECRET="+r.secret)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if got := r.answer(t, r.secret, os.Args[0], "run", r.file, list.tool, "--args", list.args, "--allow-host", "127.0.0.1"); got != "[]" {
			break
		}
	}
	return func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	}
}
