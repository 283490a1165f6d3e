package dialect

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/dialect/abl"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// TestSystems checks that the system of a file is recognized by its content.
func TestSystems(t *testing.T) {
	tests := []struct{ name, source, system, tools string }{
		{"a.yaml", "tools:\n  a: {kind: wait}", "toolbox", "a"},
		{"a.yml", "sources: {}", "toolbox", ""},
		{"a.yaml", "kind: sources\nname: s\n---\nkind: tool\nname: b\ntype: wait", "toolbox", "b"},
		{"a.yaml", "apiVersion: agents.recif.dev/v1\nkind: Tool\nspec: {name: c, type: cli, binary: ls}", "corail", "c"},
		{"a.yaml", "prompts:\n  review:\n    messages: [{content: Look 🧭}]", "toolbox", ""},
		{"a.yaml", "kind: prompt\nname: review\nmessages: [{content: Look 🧭}]", "toolbox", ""},
		{"a.yaml", "prompts: [one, two]", "", ""},
		{"a.yaml", "prompts: {hello: Say hello 🧭}", "", ""},
		{"a.yaml", "kind: prompt", "", ""},
		{"a.yaml", "apiVersion: apps/v1\nkind: Deployment", "", ""},
		{"a.yaml", "- a\n- b", "", ""},
		{"a.json", `{"service": "s", "tools": {"d": {}}}`, "service", "d"},
		{"a.json", `{"d": {"inputSchema": {}}, "e": {}}`, "service", "d e"},
		{"a.json", `[{"name": "f", "inputSchema": {}}]`, "service", "f"},
		{"a.json", `{"tools": [{"name": "g", "inputSchema": {}}]}`, "service", "g"},
		{"a.json", `{"tools": [{"name": "h", "permissions": []}]}`, "nao", "h"},
		{"a.json", `[{"name": "i", "type": "cli", "binary": "ls"}]`, "corail", "i"},
		{"a.json", `[{"name": "i", "type": "http"}, {"name": "j", "type": "slack"}, {"name": "k"}]`, "corail", "i j k"},
		{"a.json", `[{"name": "i", "type": "htp", "endpoint": "https://x"}]`, "corail", "i"},
		{"a.json", `[{"name": "calculator", "type": "calculator"}]`, "corail", "calculator"},
		{"a.json", `[{"name": "created", "type": "datetime"}, {"name": "sum", "type": "number"}]`, "", ""},
		{"a.json", `{"name": "package", "version": "1"}`, "", ""},
		{"a.json", `{`, "", ""},
		{"a.ts", `export const TOOLS = {j: {inputSchema: {}}}`, "service", "j"},
		{"a.js", `module.exports = {}`, "", ""},
		{"a.js", `module.exports = {j: {inputSchema: {}}}`, "service", "j"},
		{"a.ts", "const tools = {j: {inputSchema: {}}};\nexport default tools satisfies Tools;", "service", "j"},
		{"a.ts", `export default {service: "🛫", tools: {j: {}}}`, "service", "j"},
		{"a.ts", "const T = {j: {inputSchema: {}}};\nexport default { TOOLS: T };", "service", "j"},
		{"a.ts", `export default { j: async () => ({ inputSchema: {} }), TOOLS: 1 };`, "", ""},
		{"a.ts", `export default async function j() { return {inputSchema: {}} }`, "", ""},
		{"a.ts", "export const TOOLS = {};\nexport default {j: {inputSchema: {}}}", "service", ""},
		{"a.abl", "TOOLS:\n  a() -> string", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := Read(tt.name, tt.source)
			var names []string
			for _, d := range f.Tools {
				names = append(names, d.Tool.Name)
			}
			if got := strings.Join(names, " "); f.System != tt.system || got != tt.tools {
				t.Errorf("%s %q: %s %q, want %s %q", tt.name, tt.source, f.System, got, tt.system, tt.tools)
			}
		})
	}
}

// TestFaults checks the faults of JSON and of programs. Those of YAML are in the fixtures of the
// checks.
func TestFaults(t *testing.T) {
	tests := map[string]struct{ name, source, want string }{
		"values of other types": {"a.json", `{"service": "s", "tools": {"a": {"name": "a", "description": "d", "inputSchema": {"$ref": "https://x"}, "outputSchema": 1, "mutation": "yes",}}}`,
			`0 syntax-error ","; 0 invalid-value "\"yes\""; 0 invalid-value "\"https://x\""; 0 invalid-value "1"`},
		"properties missing": {"a.json", `{"service": "s", "tools": {"a": {"name": "a"}, "b": 1}}`,
			`0 missing-property "\"a\""; 0 missing-property "\"a\""; 1 missing-property "\"a\""; 1 missing-property "\"a\""; 0 invalid-value "\"b\": 1"`},
		"expressions": {"a.ts", "export const TOOLS = {a: {name: \"a\", description: `d`, inputSchema: schema, outputSchema: {x: f()}, mutation: false}, ...more}",
			`1 invalid-value "schema"; 1 invalid-value "f()"; 1 invalid-value "...more"`},
		"duplicates and literals": {"a.ts", "import { shape } from './shapes';\nexport const TOOLS = {a: 2, a: {name: 1, description: `d ${x}`, inputSchema: shape, outputSchema: {}, mutation: !0}}",
			`1 duplicate-property "a"; 0 invalid-value "1"; 1 invalid-value "` + "`d ${x}`" + `"; 1 invalid-value "!0"; 1 invalid-value "shape"`},
		"a variable": {"a.ts", "const s = {x: f()};\nexport const TOOLS = {a: {name: 'a', description: 'd', inputSchema: s, outputSchema: s, mutation: false}}", `1 invalid-value "f()"`},
		"a call":     {"a.ts", "export const TOOLS = define({a: {inputSchema: {}}})", `1 invalid-value "define({a: {inputSchema: {}}})"`},
		"a binding": {"a.json", `{"tools": [{"description": "d", "binding": {"type": "htp", "endpont": 1}}, {"name": "a", "description": "b"}, {"name": "a", "description": "c"}]}`,
			`0 missing-property "{"; 0 invalid-value "\"htp\""; 1 unknown-property "\"endpont\""; 0 duplicate-tool "\"a\""`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, fault := range Read(tt.name, tt.source).Faults {
				got = append(got, fmt.Sprintf("%d %s %q", fault.Severity, fault.Code, tt.source[fault.Span.Start:fault.Span.End]))
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.source, diff)
			}
		})
	}
}

func TestTooLarge(t *testing.T) {
	f := Read("a.yaml", "tools:\n"+strings.Repeat("#\n", maxBytes))
	if len(f.Faults) != 1 || f.Faults[0].Code != "syntax-error" || len(f.Tools) > 0 {
		t.Errorf("%+v", f)
	}
}

// TestLostDefaults checks that the default of each variable is reported as lost, in tools and in
// sources, because secrets have no defaults.
func TestLostDefaults(t *testing.T) {
	f := Read("a.yaml", "sources:\n  api: {kind: http, baseUrl: \"https://${HOST:a.example.com}\", headers: {A: \"Bearer ${T:x}\", B: \"${U}\"}}\n"+
		"tools:\n  one: {kind: http, source: api, description: 🛫, method: GET, path: /x, headers: {C: \"${V:y} and ${W:}\"}}\n")
	var got []string
	for _, lost := range slices.Concat(f.Lost, f.Tools[0].Lost) {
		got = append(got, lost.Text)
	}
	const want = "the default of HOST in api.baseUrl; the default of T in api.headers.A; the default of V in headers.C; the default of W in headers.C"
	if all := strings.Join(got, "; "); all != want {
		t.Errorf("lost %s", all)
	}
}

// TestLost checks that everything that is left out is reported.
func TestLost(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("testdata", "flights.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	f := Read("flights.yaml", string(source))
	written := abl.Library(abl.Entries(f.Tools))
	for _, note := range []string{
		"# Left out: preferred_airlines.items.description: Name of the airline.",
		"# The tool was called any-sql.",
	} {
		if !strings.Contains(written, note) {
			t.Errorf("no %q in\n%s", note, written)
		}
	}
	if len(f.Lost) != 1 || f.Lost[0].Text != "The toolset all" {
		t.Errorf("lost %v", f.Lost)
	}
	const want = `sources:
  my-pg-instance: {kind: postgres, host: "127.0.0.1", port: 5432, database: flights, user: "{{secrets.PG_USER}}", password: "{{secrets.PG_PASSWORD}}"}
  weather: {kind: http, base_url: "https://weather.example.com", headers: {Authorization: "Bearer {{secrets.WEATHER_TOKEN}}"}}
auth_services:
  my-google-auth: {kind: google, client_id: "{{secrets.GOOGLE_CLIENT_ID}}"}
`
	if diff := cmp.Diff(want, abl.Project(f.Project)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func FuzzRead(f *testing.F) {
	endings := []string{".yaml", ".json", ".ts"}
	names, err := filepath.Glob("testdata/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(slices.Index(endings, filepath.Ext(name))), string(source))
	}
	f.Fuzz(func(t *testing.T, ending uint8, source string) {
		read := Read("a"+endings[int(ending)%len(endings)], source)
		inside := func(s text.Span) {
			if s.Start < 0 || s.End < s.Start || s.End > len(source) {
				t.Fatalf("%v of %d", s, len(source))
			}
		}
		for _, fault := range read.Faults {
			inside(fault.Span)
		}
		for _, d := range read.Tools {
			spansOf(d, inside)
		}
		abl.Library(abl.Entries(read.Tools))
		abl.Project(read.Project)
	})
}

func spansOf(d foreign.Tool, inside func(text.Span)) {
	inside(d.Name)
	inside(d.Span)
	for _, p := range d.Params {
		inside(p)
	}
	for _, l := range d.Lost {
		inside(l.Span)
	}
}

// TestReferredInput checks that a schema may have a reference at its top, as generators write it.
func TestReferredInput(t *testing.T) {
	for schema, want := range map[string]string{
		`{"$ref": "#/definitions/In", "definitions": {"In": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}, "b": {"type": "number"}}}}}`: "a b?",
		`{"$ref": "#/$defs/x~1y", "$defs": {"x/y": {"$ref": "#/$defs/z"}, "z": {"properties": {"c": {}}}}}`:                                                            "c?",
		`{"$ref": "#/$defs/z", "properties": {"own": {}}, "$defs": {"z": {"properties": {"c": {}}}}}`:                                                                  "own?",
		`{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}`:                                                                                                 "",
		`{"$ref": "#/nowhere", "properties": {}}`:                                                                                                                      "",
		`{"$ref": "https://example.com/a.json"}`:                                                                                                                       "",
	} {
		t.Run(fmt.Sprintf("%.60s", schema), func(t *testing.T) {
			f := Read("a.json", `{"service": "s", "tools": {"t": {"name": "t", "description": "d", "mutation": false, "outputSchema": {}, "inputSchema": `+schema+`}}}`)
			var names []string
			for _, p := range f.Tools[0].Tool.Params {
				name := p.Name
				if p.Optional {
					name += "?"
				}
				names = append(names, name)
			}
			if got := strings.Join(names, " "); got != want || len(f.Tools[0].InputSchema) == 0 {
				t.Errorf("%s: %q, want %q", schema, got, want)
			}
		})
	}
}
