package sql_test

import (
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
)

// TestActions checks statements with conditions and loops, and that what these paste is guarded as
// everything else that is pasted.
func TestActions(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, sys system, s session) {
		s.ok(sqlTool("DROP TABLE IF EXISTS flights"), "")
		s.ok(sqlTool("CREATE TABLE flights (id INTEGER, name "+sys.text+")"), "")
		s.ok(sqlTool("INSERT INTO flights VALUES (1, 'x'), (2, 'it''s 🧭')"), "")
		tl := pasting("SELECT {{range $i, $c := .columns}}{{if $i}}, {{end}}{{$c}}{{else}}name{{end}} FROM flights WHERE id > {{id}}{{if .order}} ORDER BY {{.order}} {{if .down}}DESC{{end}}{{end}}",
			`{"columns": {"type": "array<string>", "required": false}, "order": {"type": "string", "required": false}, "down": {"type": "boolean", "default": false}}`, param("id", "integer"))
		for args, want := range map[string]string{
			`{"id": 1}`: `[{"name":"it's 🧭"}]`,
			`{"id": 0, "columns": ["id", "name"], "order": "id"}`:       `[{"id":1,"name":"x"},{"id":2,"name":"it's 🧭"}]`,
			`{"id": 0, "columns": ["id"], "order": "id", "down": true}`: `[{"id":2},{"id":1}]`,
		} {
			t.Run(args, func(t *testing.T) {
				if got := s.in(t).ok(tl, args); got != want {
					t.Errorf("%s, want %s", got, want)
				}
			})
		}
		s.fails(tl, `{"id": 0, "columns": ["id", "id FROM flights; DROP TABLE flights; --"]}`, executor.KindArguments, "columns: ")
		s.fails(tl, `{"id": 0, "columns": ["{{.order}}"]}`, executor.KindArguments, "columns: ")
		s.fails(tl, `{"id": 0, "columns": ["id"], "order": "id; DROP TABLE flights"}`, executor.KindArguments, "order: ")

		quoted := pasting("SELECT {{range $i, $v := .values}}{{if $i}}, {{end}}{{$v}} AS v{{end}}", `{"values": {"type": "array<string>", "escape": "single-quotes"}}`)
		if got, want := s.ok(quoted, `{"values": ["it's; -- {{x}} $1 ?"]}`), `[{"v":"it's; -- {{x}} $1 ?"}]`; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		inside := pasting("SELECT '{{range .parts}}<{{.}}>{{end}}' AS v", `{"parts": {"type": "array<string>"}}`)
		if got, want := s.ok(inside, `{"parts": ["a", "b c"]}`), `[{"v":"<a><b c>"}]`; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		s.fails(inside, `{"parts": ["a' || 'b"]}`, executor.KindArguments, "parts: ")

		whole := pasting("{{if .sql}}{{.sql}}{{end}}", `{"sql": {"type": "string"}}`) // which is not written by the caller as a whole
		s.fails(whole, `{"sql": "SELECT 1"}`, executor.KindArguments, "sql: ")
		for statement, want := range map[string]string{
			"SELECT {{if .a}}1{{end}}":                    "there is no template parameter \"a\"",
			"SELECT {{if .x}}1":                           "it is no template of Go: unexpected EOF",
			"SELECT {{if .x}}{{printf \"%s\" .x}}{{end}}": "only a template parameter, or an element of one, can be pasted",
			"SELECT {{range 1000000}}{{end}}1":            "its loops make more than 100000 rounds",
			"SELECT {{range .x}}{{.}}{{end}}1":            "range can't iterate over",
		} {
			t.Run(statement, func(t *testing.T) {
				s.in(t).fails(pasting(statement, `{"x": {"type": "string"}}`), `{"x": "y"}`, executor.KindDefinition, want)
			})
		}
		if sys.name == "postgres" {
			return // which has no ?
		}
		marks := pasting("SELECT {{if .both}}? AS a, {{end}}? AS b", `{"both": {"type": "boolean"}}`, param("a", "integer"), param("b", "integer"))
		if got, want := s.ok(marks, `{"both": true, "a": 1, "b": 2}`), `[{"a":1,"b":2}]`; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		s.fails(marks, `{"both": false, "a": 1, "b": 2}`, executor.KindDefinition, "with these arguments it has 1 ? for 2 parameters")
	})
}
