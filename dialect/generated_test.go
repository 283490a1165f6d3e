package dialect_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/dialect/abl"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// generator makes random files of a system.
type generator struct {
	*rand.Rand
	system string
	n      int // of names
}

func (g *generator) one(options ...string) string { return options[g.IntN(len(options))] }
func (g *generator) coin() bool                   { return g.IntN(2) == 0 }

func (g *generator) name() string {
	g.n++
	return fmt.Sprintf("%s%d", g.one("get_", "x", "Zoo_", "n"), g.n)
}

// text returns a random text without white space around it.
func (g *generator) text() string {
	return g.one("Finds flights", "it's \"so\"", "a: b # c", "yes", "0123", "- x", "{{ text }}", "{\"a\": [1]}", "*x", "größe 😀 of it",
		"First line\n  second: |\n\nthird {{\n  \"airline\": \"CY\",\n}}", "ends with :", "back\\slash \\n", "!tag", "%", "@", "a\tb", "100 %, `code`")
}

// file returns a random file of the system.
func (g *generator) file() (name, source string) {
	switch g.system {
	case "toolbox":
		return "a.yaml", g.toolbox()
	case "corail":
		return g.corail()
	case "service":
		return "a.json", g.service()
	}
	return "a.json", g.nao()
}

func (g *generator) toolbox() string {
	sources := tool.Object{
		{Name: "lite", Value: tool.Object{{Name: "kind", Value: "sqlite"}, {Name: "database", Value: g.one("./a.db", ":memory:")}}},
		{Name: "pg", Value: tool.Object{{Name: "kind", Value: "postgres"}, {Name: "port", Value: json.Number("5432")}, {Name: "password", Value: "${PG}"}}},
		{Name: "my", Value: tool.Object{{Name: "kind", Value: "mysql"}, {Name: "queryParams", Value: tool.Object{{Name: "a_b", Value: g.text()}}}}},
		{Name: "keys", Value: tool.Object{{Name: "kind", Value: "redis"}, {Name: "address", Value: []any{g.one("localhost:6379", "[::1]:7000", "${ADDRESS}", "${HOST}:${PORT}")}}, {Name: "username", Value: "app"},
			{Name: "password", Value: "${PW}"}, {Name: "tls", Value: tool.Object{{Name: "enabled", Value: g.coin()}}}}},
		{Name: "api", Value: tool.Object{{Name: "kind", Value: "http"}, {Name: "baseUrl", Value: "https://api.example.com"}}},
	}
	services := tool.Object{{Name: "google", Value: tool.Object{{Name: "kind", Value: "google"}, {Name: "clientId", Value: "${ID}"}}}}
	var tools tool.Object
	for range 1 + g.IntN(4) {
		tools = append(tools, tool.Member{Name: g.name(), Value: g.toolboxTool()})
	}
	if g.coin() {
		for _, table := range []tool.Object{sources, services, tools} {
			g.renameKindKeys(table)
		}
		return foreign.YAML(tool.Object{{Name: "sources", Value: sources}, {Name: "authServices", Value: services}, {Name: "tools", Value: tools}})
	}
	var docs []string
	for _, section := range []tool.Member{{Name: "sources", Value: sources}, {Name: "authServices", Value: services}, {Name: "tools", Value: tools}} {
		for _, m := range section.Value.(tool.Object) {
			o := tool.Object{{Name: "kind", Value: section.Name}, {Name: "name", Value: m.Name}}
			for _, p := range m.Value.(tool.Object) {
				if p.Name == "kind" {
					p.Name = "type"
				}
				o = append(o, p)
			}
			docs = append(docs, foreign.YAML(o))
		}
	}
	return strings.Join(docs, "---\n")
}

// renameKindKeys writes `type` for `kind` in some entries of a table.
func (g *generator) renameKindKeys(table tool.Object) {
	for _, m := range table {
		if entry := m.Value.(tool.Object); g.coin() && entry[0].Name == "kind" {
			entry[0].Name = "type"
		}
	}
}

func (g *generator) toolboxTool() tool.Object {
	describe := tool.Member{Name: "description", Value: g.text()}
	switch g.IntN(7) {
	case 6:
		kind, source, _ := strings.Cut(g.one("postgres-list-tables:pg", "postgres-list-active-queries:pg", "postgres-list-installed-extensions:pg", "mysql-list-table-fragmentation:my"), ":")
		return tool.Object{{Name: "kind", Value: kind}, {Name: "source", Value: source}, describe}
	case 5:
		o := tool.Object{{Name: "kind", Value: "redis"}, {Name: "source", Value: "keys"}, describe}
		params, commands := g.toolboxParams(), []any{[]any{"SET", g.one("it's \"so\"", "größe 😀", "0123", "yes", "a: b # c", ""), json.Number("1.50")}}
		for _, p := range params {
			commands = append(commands, []any{"GET", "$" + p.(tool.Object).Text("name"), "${PREFIX}x", "$"})
		}
		return append(o, tool.Member{Name: "commands", Value: commands}, tool.Member{Name: "parameters", Value: params})
	case 0:
		return tool.Object{{Name: "kind", Value: "wait"}, describe, {Name: "timeout", Value: g.one("30s", "2m", "1500ms")}}
	case 1:
		return tool.Object{{Name: "kind", Value: "postgres-execute-sql"}, {Name: "source", Value: "pg"}, describe}
	case 2:
		o := tool.Object{{Name: "kind", Value: "http"}, {Name: "source", Value: "api"}, describe, {Name: "method", Value: g.one("GET", "POST", "PUT")}, {Name: "path", Value: "/v1/{{.place}}"}}
		o = append(o, tool.Member{Name: "pathParams", Value: []any{tool.Object{{Name: "place", Value: "place"}, {Name: "name", Value: "place"}, {Name: "type", Value: "string"}, {Name: "description", Value: "Where"}}[1:]}})
		return append(o, tool.Member{Name: "queryParams", Value: g.toolboxParams()})
	}
	kind := g.one("sqlite:lite", "postgres:pg", "mysql:my")
	dialect, source, _ := strings.Cut(kind, ":")
	o := tool.Object{{Name: "kind", Value: dialect + "-sql"}, {Name: "source", Value: source}, describe,
		{Name: "statement", Value: g.one("SELECT 1", "SELECT *\nFROM t\nWHERE a = $1 -- x: y", "DELETE FROM t WHERE a = ANY($1)", "SELECT {{array .cols}} FROM {{.t}}")}}
	o = append(o, tool.Member{Name: "parameters", Value: g.toolboxParams()})
	if g.coin() {
		o = append(o, tool.Member{Name: "templateParameters", Value: []any{
			tool.Object{{Name: "name", Value: "t"}, {Name: "type", Value: "string"}, {Name: "description", Value: g.text()}, {Name: "allowedValues", Value: []any{"a", "b.*"}}},
			tool.Object{{Name: "name", Value: "cols"}, {Name: "type", Value: "array"}, {Name: "description", Value: "Columns"}, {Name: "items", Value: tool.Object{{Name: "name", Value: "c"}, {Name: "type", Value: "string"}, {Name: "description", Value: "One"}}}},
		}})
	}
	if g.coin() {
		o = append(o, tool.Member{Name: "authRequired", Value: []any{"google"}})
	}
	if g.coin() {
		o = append(o, tool.Member{Name: "annotations", Value: tool.Object{{Name: "readOnlyHint", Value: g.coin()}}})
	}
	return o
}

func (g *generator) toolboxParams() []any {
	list := []any{}
	for range g.IntN(4) {
		o := tool.Object{{Name: "name", Value: g.name()}, {Name: "description", Value: g.text()}}
		switch kind := g.one("string", "integer", "float", "boolean", "array", "map", "typed"); kind {
		case "array":
			o = append(o, tool.Member{Name: "type", Value: "array"}, tool.Member{Name: "items", Value: tool.Object{{Name: "name", Value: "i"}, {Name: "type", Value: g.one("string", "integer")}, {Name: "description", Value: "One"}}})
		case "typed":
			o = append(o, tool.Member{Name: "type", Value: "map"}, tool.Member{Name: "valueType", Value: g.one("string", "integer", "float", "boolean")})
		case "integer":
			o = append(o, tool.Member{Name: "type", Value: kind}, tool.Member{Name: "minValue", Value: json.Number("-1")}, tool.Member{Name: "maxValue", Value: json.Number("9007199254740993")}, tool.Member{Name: "default", Value: json.Number("7")})
		case "string":
			o = append(o, tool.Member{Name: "type", Value: kind})
			o = append(o, [][]tool.Member{nil, {{Name: "allowedValues", Value: []any{"a", g.text()}}}, {{Name: "excludedValues", Value: []any{"x.*"}}},
				{{Name: "default", Value: g.one("", "a\nb", "0123", "😀")}}, {{Name: "authServices", Value: []any{tool.Object{{Name: "name", Value: "google"}, {Name: "field", Value: "sub"}}}}}}[g.IntN(5)]...)
		default:
			o = append(o, tool.Member{Name: "type", Value: kind})
			if g.coin() {
				o = append(o, tool.Member{Name: "required", Value: false})
			}
		}
		list = append(list, o)
	}
	return list
}

func (g *generator) corail() (name, source string) {
	var list []any
	var docs []string
	for range 1 + g.IntN(4) {
		spec := g.corailTool()
		list = append(list, spec)
		docs = append(docs, foreign.YAML(tool.Object{{Name: "apiVersion", Value: "agents.recif.dev/v1"}, {Name: "kind", Value: "Tool"},
			{Name: "metadata", Value: tool.Object{{Name: "name", Value: g.name()}}}, {Name: "spec", Value: spec}}))
	}
	if g.coin() {
		return "a.json", foreign.IndentedJSON(list)
	}
	return "a.yaml", strings.Join(docs, "---\n")
}

func (g *generator) corailTool() tool.Object {
	o := tool.Object{{Name: "name", Value: g.name()}, {Name: "description", Value: g.text()}}
	switch g.IntN(4) {
	case 0:
		o = append(o, tool.Member{Name: "type", Value: "http"}, tool.Member{Name: "endpoint", Value: "https://api.example.com/{a}"}, tool.Member{Name: "method", Value: g.one("GET", "POST")},
			tool.Member{Name: "headers", Value: tool.Object{{Name: "Authorization", Value: g.one("Bearer $KEY", "${KEY}x", "plain")}}})
	case 1:
		o = append(o, tool.Member{Name: "type", Value: "cli"}, tool.Member{Name: "binary", Value: "kubectl"}, tool.Member{Name: g.one("allowedCommands", "allowed_commands"), Value: []any{"get", "logs"}})
	case 2:
		o = append(o, tool.Member{Name: "type", Value: "mcp"}, tool.Member{Name: g.one("mcpEndpoint", "server"), Value: "https://mcp.example.com"})
	default:
		o = append(o, tool.Member{Name: "type", Value: "builtin"}, tool.Member{Name: "builtin", Value: g.one("datetime", "calculator", "web_search", "fetch_url")})
	}
	for _, m := range []tool.Member{{Name: "timeout", Value: json.Number(g.one("30", "1.5", "0.25"))}, {Name: "enabled", Value: g.coin()}, {Name: "category", Value: g.text()},
		{Name: g.one("risk_level", "riskLevel"), Value: g.one("safe", "confirm", "blocked")}, {Name: "render", Value: g.one("table", "react")}, {Name: "component", Value: "Chart"}} {
		if g.coin() {
			o = append(o, m)
		}
	}
	params := []any{}
	for range g.IntN(4) {
		params = append(params, tool.Object{{Name: "name", Value: g.name()}, {Name: "type", Value: g.one("string", "integer", "number", "boolean", "array", "object")},
			{Name: "description", Value: g.text()}, {Name: "required", Value: g.coin()}})
	}
	return append(o, tool.Member{Name: "parameters", Value: params})
}

// schema returns a random JSON Schema. It sometimes contains more than a signature can express.
func (g *generator) schema(depth int) tool.Object {
	if depth == 0 || g.IntN(3) == 0 {
		o := tool.Object{{Name: "type", Value: g.one("string", "number", "integer", "boolean", "object", "array")}}
		return append(o, [][]tool.Member{nil, {{Name: "description", Value: g.text()}}, {{Name: "title", Value: g.text()}}}[g.IntN(3)]...)
	}
	switch g.IntN(4) {
	case 0:
		return tool.Object{{Name: "type", Value: "array"}, {Name: "items", Value: g.schema(depth - 1)}}
	case 1:
		return tool.Object{{Name: "type", Value: "string"}, {Name: "enum", Value: []any{"a b", g.text(), "c"}}}
	case 2:
		return tool.Object{{Name: "anyOf", Value: []any{g.schema(depth - 1), tool.Object{{Name: "type", Value: "null"}}}}}
	}
	return g.object(depth)
}

func (g *generator) object(depth int) tool.Object {
	props, required := tool.Object{}, []any{}
	for range g.IntN(4) {
		name := g.name()
		props = append(props, tool.Member{Name: name, Value: g.schema(depth - 1)})
		if g.coin() {
			required = append(required, name)
		}
	}
	o := tool.Object{{Name: "type", Value: "object"}, {Name: "properties", Value: props}}
	return append(o, [][]tool.Member{{{Name: "required", Value: required}}, {{Name: "required", Value: required}, {Name: "additionalProperties", Value: false}},
		{{Name: "$schema", Value: "http://json-schema.org/draft-07/schema#"}, {Name: "minProperties", Value: json.Number("1")}}}[g.IntN(3)]...)
}

func (g *generator) service() string {
	tools := tool.Object{}
	for range 1 + g.IntN(3) {
		name := g.name()
		o := tool.Object{{Name: "name", Value: name}, {Name: "description", Value: g.text()}, {Name: "inputSchema", Value: g.object(3)}, {Name: "outputSchema", Value: g.schema(3)}}
		for _, key := range []string{"streaming", "mutation"} {
			if g.coin() {
				o = append(o, tool.Member{Name: key, Value: g.coin()})
			}
		}
		tools = append(tools, tool.Member{Name: name, Value: o})
	}
	file := tool.Object{{Name: "tools", Value: tools}}
	if g.coin() {
		file = append(tool.Object{{Name: "service", Value: "github"}}, file...)
	}
	return foreign.IndentedJSON(file)
}

func (g *generator) nao() string {
	tools := []any{}
	for range 1 + g.IntN(3) {
		o := tool.Object{{Name: "name", Value: g.name()}, {Name: "description", Value: g.text()}}
		for _, m := range []tool.Member{{Name: "version", Value: g.one("1.0", "2", "v3-beta")}, {Name: "contentType", Value: g.one("text/markdown", "application/json")},
			{Name: "permissions", Value: []any{"web:get:*.example.com", tool.Object{{Name: "kind", Value: "file"}, {Name: "op", Value: "read"}, {Name: "resource", Value: "./a"}}}},
			{Name: "verify", Value: g.one(`result != ""`, "args.id == result.id")},
			{Name: "revert", Value: tool.Object{{Name: "type", Value: "http"}, {Name: "endpoint", Value: "https://a.example.com/undo"}, {Name: "method", Value: "POST"}}},
			{Name: "parameters", Value: g.object(2)},
			{Name: "binding", Value: tool.Object{{Name: "type", Value: "http"}, {Name: "endpoint", Value: "https://a.example.com"}, {Name: "method", Value: g.one("GET", "PUT")},
				{Name: "timeout", Value: json.Number("500")}, {Name: "headers", Value: tool.Object{{Name: "X", Value: g.text()}}}, {Name: "hints", Value: tool.Object{{Name: "cacheable", Value: g.coin()}}}}}} {
			if g.coin() {
				o = append(o, m)
			}
		}
		tools = append(tools, o)
	}
	return foreign.IndentedJSON(tool.Object{{Name: "tools", Value: tools}})
}

// ownForms maps the systems to the form, and the file name, in which their tools are written again.
var ownForms = map[string]struct{ form, name string }{
	"toolbox": {"toolbox", "a.yaml"}, "corail": {"corail", "a.json"}, "service": {"json-schema", "a.json"}, "nao": {"nao", "a.json"},
}

// FuzzGenerated checks that the tools of a random file stay the same when they are written and read
// again, in the form of their system and as ABL.
func FuzzGenerated(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		for system, home := range ownForms {
			g := generator{Rand: rand.New(rand.NewPCG(seed, 1)), system: system}
			name, source := g.file()
			read := dialect.Read(name, source)
			if read.System != system || len(read.Tools) == 0 {
				t.Fatalf("%q with %d tools\n%s", read.System, len(read.Tools), source)
			}
			tools := toolsOf(read)
			written := written(t, home.form, tools, read.Project)
			back := dialect.Read(home.name, written)
			if diff := cmp.Diff(texts(tools, read.Project), texts(toolsOf(back), back.Project)); diff != "" {
				t.Fatalf("%s (-want +got):\n%s\nfor\n%s\nof\n%s", system, diff, written, source)
			}
			if diff := cmp.Diff(texts(tools, nil), texts(throughABL(t, read), nil)); diff != "" {
				t.Fatalf("%s as ABL (-want +got):\n%s\nof\n%s", system, diff, source)
			}
		}
	})
}

func toolsOf(f foreign.File) []tool.Tool {
	var tools []tool.Tool
	for _, d := range f.Tools {
		tools = append(tools, d.Tool)
	}
	return tools
}

func written(t *testing.T, form string, tools []tool.Tool, project tool.Object) string {
	t.Helper()
	for _, known := range dialect.Forms() {
		if known.Name == form {
			w := known.Write(tools, project)
			if len(w.Lost) > 0 {
				t.Errorf("%s: lost %q", form, w.Lost)
			}
			return w.Text
		}
	}
	t.Fatal("no form", form)
	return ""
}

// throughABL returns the tools that are read after they were written as ABL.
func throughABL(t *testing.T, f foreign.File) []tool.Tool {
	t.Helper()
	source := abl.Library(abl.Entries(f.Tools))
	var tools []tool.Tool
	for _, l := range lowered(source) {
		for _, d := range l.Diagnostics {
			t.Errorf("%s\n%s", d.Message, source)
		}
		tools = append(tools, l.Tool)
	}
	return tools
}

// texts returns tools as JSON with sorted keys.
func texts(tools []tool.Tool, project tool.Object) string {
	var b strings.Builder
	for _, one := range tools {
		var v any
		if json.Unmarshal(exactjson.EncodeOrNil(one), &v) == nil {
			b.Write(exactjson.EncodeOrNil(v))
		}
		b.WriteByte('\n')
	}
	b.Write(exactjson.EncodeOrNil(project))
	return b.String()
}
