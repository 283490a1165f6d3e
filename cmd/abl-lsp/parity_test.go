package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/abl-lsp/abl-lsp/internal/sqltest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// dialectWords has the words that differ in the statements of the databases.
var dialectWords = map[string][]string{
	"sqlite":   {"BYTES", "BLOB", "HEX", "x'00ff'", "AMONG", "airline IN (SELECT value FROM json_each($1))", "MAP", "$1"},
	"postgres": {"BYTES", "BYTEA", "HEX", `'\x00ff'`, "AMONG", "airline = ANY($1)", "MAP", "$1::jsonb"},
	"mysql":    {"BYTES", "BLOB", "HEX", "x'00ff'", "AMONG", "JSON_CONTAINS($1, JSON_QUOTE(airline))", "MAP", "$1"},
}

// TestToolboxParity checks that one tools.yaml gives the same answers on each of the
// databases.
func TestToolboxParity(t *testing.T) {
	on := func(make func() *sqltest.Server) func(*testing.T) tool.Source {
		return func(t *testing.T) tool.Source {
			server := make()
			t.Cleanup(server.Close)
			return server.Source(t)
		}
	}
	for name, source := range map[string]func(*testing.T) tool.Source{
		"sqlite":   func(*testing.T) tool.Source { return tool.Source{Kind: "sqlite", Database: "./flights.db"} },
		"postgres": on(sqltest.Postgres),
		"mariadb":  on(sqltest.MariaDB),
	} {
		t.Run(name, func(t *testing.T) {
			s := source(t)
			scripts(t, "testdata/parity", func(env *testscript.Env) { writeDialectFiles(t, env, s) })
		})
	}
}

// wireKinds are the databases that speak the protocol of another one, and whether Toolbox has a tool
// for any statement on them.
var wireKinds = map[string]map[string]bool{
	"postgres": {"cockroachdb": true, "yugabytedb": false},
	"mysql":    {"tidb": true, "singlestore": true, "mindsdb": true},
}

// TestToolboxWireKinds runs the tools of databases that speak PostgreSQL's or MySQL's protocol, on a
// server of each.
func TestToolboxWireKinds(t *testing.T) {
	for name, make := range map[string]func() *sqltest.Server{"postgres": sqltest.Postgres, "mysql": sqltest.MariaDB} {
		t.Run(name, func(t *testing.T) {
			server := make()
			t.Cleanup(server.Close)
			source, dir := server.Source(t), t.TempDir()
			mark := map[string]string{"postgres": "$1", "mysql": "?"}[name]
			for kind, executes := range wireKinds[name] {
				file := filepath.Join(dir, kind+".yaml")
				text := "sources:\n  db: {kind: " + kind + ", host: " + source.Host + ", port: " + source.Port + ", user: " + source.User +
					", database: " + source.Database + ", password: \"${DB_PASSWORD}\"}\ntools:\n" +
					"  twice: {kind: " + kind + "-sql, source: db, description: Twice 🧭, statement: \"SELECT 2 * " + mark + " AS n\", parameters: [{name: n, type: integer, description: N}]}\n"
				if executes {
					text += "  any: {kind: " + kind + "-execute-sql, source: db, description: Any}\n"
				}
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				run := func(words ...string) {
					t.Helper()
					cmd := exec.CommandContext(t.Context(), os.Args[0], words...)
					cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+dir, "DB_PASSWORD="+source.Password)
					if out, err := cmd.CombinedOutput(); err != nil || words[0] == "run" && !strings.Contains(string(out), `"n": 42`) {
						t.Errorf("%s: %q: %v\n%s", kind, words, err, out)
					}
				}
				run("check", "--fail-level", "warning", file)
				run("run", file, "twice", "--arg", "n=21", "--allow-host", source.Host, "--yes")
				if executes {
					run("run", file, "any", "--arg", "sql=SELECT 42 AS n", "--allow-host", source.Host, "--yes")
				}
			}
		})
	}
}

// writeDialectFiles writes the files of a script for one database. They take the port and the
// password from the environment.
func writeDialectFiles(t *testing.T, env *testscript.Env, s tool.Source) {
	t.Helper()
	if s.Password != "" {
		env.Setenv("DB_PASSWORD", s.Password)
		env.Setenv("DB_PORT", s.Port)
		s.Password, s.Port = "${DB_PASSWORD}", "${DB_PORT}"
	}
	source, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	flat := "type: " + s.Kind
	for _, line := range [][2]string{{"host", s.Host}, {"port", s.Port}, {"user", s.User}, {"password", s.Password}, {"database", s.Database}} {
		if line[1] != "" {
			flat += "\n" + line[0] + ": " + line[1]
		}
	}
	words := strings.NewReplacer(append(dialectWords[s.Kind], "KIND", s.Kind, "SOURCE", string(source), "OPENED", flat)...)
	for _, name := range []string{"tools.yaml", "flat.yaml"} {
		file := filepath.Join(env.WorkDir, name)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out := words.Replace(string(text))
		if s.Kind == "mysql" {
			out = numbered.ReplaceAllString(out, "?")
		}
		if err := os.WriteFile(file, []byte(out), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// numbered matches a placeholder that MySQL does not support.
var numbered = regexp.MustCompile(`\$[0-9]`)
