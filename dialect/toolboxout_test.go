package dialect_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
)

// toToolbox writes the tools of an ABL library for Toolbox.
func toToolbox(source string, project tool.Object) foreign.WriteResult {
	var tools []tool.Tool
	for _, l := range lowered(source) {
		tools = append(tools, l.Tool)
	}
	forms := dialect.Forms()
	i := slices.IndexFunc(forms, func(f dialect.Form) bool { return f.Name == "toolbox" })
	return forms[i].Write(tools, project)
}

// TestHeadersOut checks that a parameter becomes a header of its own name, because Toolbox fills
// in no other headers.
func TestHeadersOut(t *testing.T) {
	const head = "TOOLS:\n  find(key: string, q: string)\n    description: \"🛫\"\n    type: http\n    endpoint: \"https://a.example.com/find\"\n    method: GET\n    headers:\n"
	for _, tt := range []struct{ headers, want, lost, note string }{
		{"      X-Key: \"{{key}}\"\n", "headerParams:\n      - name: X-Key\n", "", "find: headers: the parameter key is called X-Key there"},
		{"      Key: \"{{key}}\"\n", "headerParams:\n      - name: Key\n", "", "find: headers: the parameter key is called Key there"},
		{"      X-Key: \"Bearer {{key}}\"\n", "", "find: the whole tool, since it takes {{key}} in the header X-Key", ""},
		{"      X-Key: \"{{key}}\"\n      Y-Key: \"{{key}}\"\n", "", "find: the whole tool, since its parameter key goes to more than one place", ""},
	} {
		t.Run(tt.headers, func(t *testing.T) {
			w := toToolbox(head+tt.headers, projectText)
			if !strings.Contains(w.Text, tt.want) || strings.Contains(w.Text, "{{") {
				t.Errorf("%s: %s", tt.headers, w.Text)
			}
			if got := strings.Join(foreign.LossTexts(w.Lost), "\n"); !strings.Contains(got, tt.lost) {
				t.Errorf("%s: lost %s", tt.headers, got)
			}
			if got := strings.Join(w.Notes, "\n"); !strings.Contains(got, tt.note) {
				t.Errorf("%s: notes %s", tt.headers, got)
			}
		})
	}
}

// TestStatementsOut checks that the parameters of a statement are numbered, because Toolbox has no
// names for them.
func TestStatementsOut(t *testing.T) {
	for _, tt := range []struct{ source, statement, want, lost string }{
		{"pg", "SELECT {{n}} + 1 WHERE a = {{a}} OR {{input.a}} = '{{a}}'", "SELECT $2 + 1 WHERE a = $1 OR $1 = '{{a}}'", ""},
		{"pg", "SELECT $2, '{{1,2},{3,4}}'::int[], j ? 'x' WHERE a = $1", "SELECT $2, '{{1,2},{3,4}}'::int[], j ? 'x' WHERE a = $1", ""},
		{"pg", "SELECT {{session.user}}, {{a}}, {{n}}", "", "one: the whole tool, since its statement takes {{session.user}}"},
		{"lite", "SELECT {{n}}, :a, @a, $n, ?1, '12:a' -- :a\n", "SELECT ?2, ?1, ?1, ?2, ?1, '12:a' -- :a", ""},
		{"lite", "SELECT ?, ? AS b", "SELECT ?, ? AS b", ""},
		{"my", "SELECT {{n}}, 'it\\'s {{a}}', {{a}}", "SELECT ?, 'it\\'s {{a}}', ?", ""},
		{"my", "SELECT {{n}}, {{a}}, {{a}}", "", "one: the whole tool, since Toolbox binds each parameter once on MySQL, and its statement does not"},
		{"my", "SELECT @a, ?, ?", "SELECT @a, ?, ?", ""},
	} {
		t.Run(tt.statement, func(t *testing.T) {
			w := toToolbox("TOOLS:\n  one(a: string, n: integer) -> object[]\n    description: \"🛫\"\n    type: sql\n    source: "+tt.source+"\n    statement: |\n      "+strings.TrimSpace(tt.statement)+"\n", projectText)
			back := dialect.Read("a.yaml", w.Text)
			got := ""
			if len(back.Tools) > 0 {
				got = back.Tools[0].Spec.(*tool.SQL).Statement
			}
			if lost := strings.Join(foreign.LossTexts(w.Lost), "\n"); got != tt.want || !strings.Contains(lost, tt.lost) {
				t.Errorf("%s: %s: %s; lost %s", tt.source, tt.statement, got, lost)
			}
		})
	}
	w := toToolbox("TOOLS:\n  one(a: string, n: integer) -> object[]\n    description: \"🛫\"\n    type: sql\n    source: my\n    statement: \"SELECT {{n}}, {{a}} FROM {{t}}\"\n    template_parameters:\n      t:\n        type: string\n", projectText)
	if n, a := strings.Index(w.Text, `- name: "n"`), strings.Index(w.Text, "- name: a"); n < 0 || a < n || !strings.Contains(w.Text, "SELECT ?, ? FROM {{.t}}") {
		t.Errorf("the parameters are not in the order of the statement\n%s", w.Text)
	}
}

// TestNeverTaken checks that a note names each parameter that the statement does not use, because
// Toolbox binds it anyway.
func TestNeverTaken(t *testing.T) {
	for _, tt := range []struct{ source, statement, never string }{
		{"pg", "SELECT $2", "a"}, {"pg", "SELECT {{a}}", "n"}, {"pg", "SELECT '$1', $2 -- $1", "a"}, {"pg", "SELECT $1, $2", ""},
		{"lite", "SELECT ?", "n"}, {"lite", "SELECT :n", "a"}, {"lite", "SELECT ?2, ?1", ""}, {"my", "SELECT ?", "n"}, {"my", "SELECT ?, ?", ""},
	} {
		t.Run(tt.source, func(t *testing.T) {
			w := toToolbox("TOOLS:\n  one(a: string, n: integer) -> object[]\n    description: \"🛫\"\n    type: sql\n    source: "+tt.source+"\n    statement: |\n      "+tt.statement+"\n", projectText)
			want := "one: Toolbox binds " + tt.never + " too, which its statement never takes: a database may refuse that"
			if notes := strings.Join(w.Notes, "\n"); strings.Contains(notes, "Toolbox binds") != (tt.never != "") || tt.never != "" && !strings.Contains(notes, want) {
				t.Errorf("%s: %s: %s", tt.source, tt.statement, notes)
			}
		})
	}
}

// TestSourcesOut checks that a source is written in Toolbox's spelling, and that what Toolbox
// cannot read is reported.
func TestSourcesOut(t *testing.T) {
	forms := dialect.Forms()
	i := slices.IndexFunc(forms, func(f dialect.Form) bool { return f.Name == "toolbox" })
	w := forms[i].Write(nil, tool.Object{{Name: "sources", Value: tool.Object{
		{Name: "api", Value: tool.Object{{Name: "kind", Value: "http"}, {Name: "base_url", Value: "https://{{env.host}}/🛫"}, {Name: "timeout", Value: json.Number("1500")}}},
		{Name: "pg", Value: tool.Object{{Name: "kind", Value: "postgres"}, {Name: "host", Value: "db"}, {Name: "user", Value: "{{secrets.USER}}"}, {Name: "password", Value: "p"}}},
	}}})
	if !strings.Contains(w.Text, `timeout: "1500ms"`) {
		t.Error(w.Text)
	}
	if got, want := strings.Join(w.Notes, "; "), "nothing fills {{env.host}} in base_url of api: write it out; pg has no `database`, `port`, which Toolbox demands"; got != want {
		t.Error(got)
	}
}

// TestCommandsOut checks what is written of commands and of their servers: Toolbox fills whole words
// only, and has no other settings.
func TestCommandsOut(t *testing.T) {
	project := tool.Object{{Name: "sources", Value: tool.Object{
		{Name: "keys", Value: tool.Object{{Name: "kind", Value: "redis"}, {Name: "host", Value: "r.example.com"}, {Name: "user", Value: "app"}, {Name: "database", Value: json.Number("2")},
			{Name: "timeout", Value: "1s"}, {Name: "query_params", Value: tool.Object{{Name: "tls", Value: "skip-verify"}, {Name: "ssl_ca", Value: "ca.pem"}}}}},
		{Name: "cache", Value: tool.Object{{Name: "kind", Value: "valkey"}, {Name: "port", Value: json.Number("7000")}, {Name: "query_params", Value: tool.Object{{Name: "tls", Value: "false"}}}}},
		{Name: "lite", Value: tool.Object{{Name: "kind", Value: "sqlite"}, {Name: "database", Value: "./a.db"}}},
	}}}
	sources := strings.Join([]string{
		"sources:", "  keys:", "    kind: redis", "    address:", `      - "r.example.com:6379"`, "    username: app", "    database: 2", "    tls:", "      enabled: true", "      insecureSkipVerify: true",
		"  cache:", "    kind: valkey", "    address:", `      - "127.0.0.1:7000"`,
	}, "\n")
	lostOfSources := []string{"timeout of the source keys", "query_params.ssl_ca of the source keys", "query_params.tls of the source cache"}
	for _, tt := range []struct{ name, params, source, commands, want, said string }{
		{"words", "id: string, all: string[]", "keys", `[["DEL", "{{id}}", "{{ input.all }}", "{{secrets.P}}x", "$", "$other"]]`, "- - DEL\n        - \"$id\"\n        - \"$all\"\n        - \"${P}x\"\n        - \"$\"\n        - \"$other\"", ""},
		{"of Valkey", "", "cache", `[["PING"]]`, "kind: valkey\n    source: cache", ""},
		{"a part of a word", "id: string", "keys", `[["GET", "user:{{id}}"]]`, "", "f: the whole tool, since Toolbox cannot fill its word user:{{id}}"},
		{"of the session", "", "keys", `[["GET", "{{session.user}}"]]`, "", "f: the whole tool, since Toolbox cannot fill its word {{session.user}}"},
		{"a word that would be filled", "id: string", "keys", `[["GET", "$id"]]`, "", "f: the whole tool, since Toolbox would take its word $id for a parameter"},
		{"a number", "n: integer", "keys", `[["INCRBY", "x", "{{n}}"]]`, `- "$n"`, "f: Toolbox sends n, which is no text, as `%!s(…)`"},
		{"one that may be left out", "id?: string", "keys", `[["GET", "{{id}}"]]`, `- "$id"`, "f: Toolbox wants id, also where it may be left out"},
		{"another source", "", "lite", `[["PING"]]`, "", "f: the whole tool, since nothing declares its source lite as a Redis or Valkey server"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := toToolbox("TOOLS:\n  f("+tt.params+") -> any\n    description: \"🛫\"\n    type: redis\n    source: "+tt.source+"\n    commands: "+tt.commands+"\n", project)
			if !strings.Contains(w.Text, sources) || !strings.Contains(w.Text, tt.want) || tt.want == "" && strings.Contains(w.Text, "tools:") {
				t.Errorf("no %q in\n%s", tt.want, w.Text)
			}
			said := slices.DeleteFunc(slices.Concat(foreign.LossTexts(w.Lost), w.Notes), func(s string) bool {
				return strings.Contains(s, "Toolbox demands") || slices.Contains(lostOfSources, s)
			})
			if got := strings.Join(said, "\n"); got != tt.said {
				t.Errorf("said %q", got)
			}
			if got := foreign.LossTexts(w.Lost); !slices.Equal(got[:min(len(got), 3)], lostOfSources) {
				t.Errorf("lost of the sources: %q", got)
			}
		})
	}
}
