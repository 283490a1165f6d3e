package dialect_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// The lines that a tool in ABL may have. A tool always has the lines of its kind that begin with +;
// all others are chosen at random.
var (
	commonLines = []string{
		"description: |\n  Finds 🛫 it\n  with lines", "description: \"One line\"", "version: \"1.0\"", "service: github", "pii_access: user", "store_result: false",
		"hints:\n  timeout: 1500", "hints:\n  cacheable: true\n  latency: slow", "hints:\n  side_effects: false", "hints:\n  requires_auth: true",
		"confirmation:\n  require: always", "confirmation:\n  require: never", "context_access:\n  read: [user.id]", "on_result:\n  set:\n    last: result.id",
		"effect: read_only", "effect: side_effect", "mutation: true", "mutation: false", "risk_level: safe", "risk_level: confirm", "enabled: false", "enabled: true", "streaming: true",
		"auth_required: [google]", "permissions: [\"web:get:*.example.com\"]", "content_type: text/markdown", "verify: \"result != null\"",
		"revert:\n  type: http\n  endpoint: \"https://a.example.com/undo\"\n  method: POST", "category: search", "render: table", "render: react\ncomponent: Chart",
		"input_schema: |\n  {\"type\": \"object\", \"properties\": {\"near\": {\"type\": \"string\", \"minLength\": 2}}}",
		"output_schema: |\n  {\"type\": \"object\", \"minProperties\": 1}", "input_schema: \"./a.schema.json\"",
	}
	kindLines = map[string][]string{
		"": nil,
		"http": {"+endpoint: \"https://a.example.com/v1/{near}?x=1\"\nmethod: GET", "+endpoint: \"https://a.example.com/v1\"\nmethod: POST", "+endpoint: \"/v1/{near}\"\nmethod: DELETE", "+source: api\nendpoint: \"/v1/{near}\"\nmethod: PUT",
			"timeout: 2500", "timeout: 3000", "retry: 2", "retry_delay: 100", "headers:\n  X-Key: \"{{secrets.KEY}}\"\n  Near: \"{{near}}\"", "headers:\n  X-Tenant: \"{{env.tenant}}\"", "query_params:\n  q: \"{{near}}\"\n  fixed: \"1\"",
			"query_params:\n  near: \"{{near}}\"", "body_template: '{\"a\": \"{{near}}\"}'", "body_template: \"{{input.near}}\"", "auth: bearer", "auth: api_key\nauth_config:\n  header_name: X-Auth", "rate_limit: 3", "circuit_breaker:\n  threshold: 3\n  resetMs: 100", "body_type: form", "body_mode: none"},
		"sql":     {"+source: pg\nstatement: \"SELECT * FROM t WHERE a = $1\"", "+source: my\nstatement: |\n  DELETE FROM t\n  WHERE a = ?", "+source: nowhere\nstatement: \"SELECT 1\"", "template_parameters:\n  table:\n    type: string\n    description: \"Which\"\n    allowed_values: [a, b]\n  cols:\n    type: string[]\n    escape: double-quotes", "template_parameters:\n  n:\n    type: integer\n    default: 3\n    min_value: 1"},
		"cli":     {"+binary: kubectl", "allowed_commands: [get, logs]", "env:\n  TOKEN: \"{{secrets.KEY}}\"", "env:\n  A: \"{{env.a}}\"", "timeout: 15000", "timeout: 1250"},
		"builtin": {"+builtin: wait", "+builtin: datetime", "+builtin: web_search"},
		"mcp":     {"+server: brave", "+server: nowhere", "server_tool: brave_web_search", "headers:\n  X-A: \"{{secrets.KEY}}\""},
		"lambda":  {"+function: f", "timeout: 900"},
		"module":  {"+module: ./h.mjs", "handler: run", "timeout: 900"},
		"sandbox": {"+runtime: javascript\ncode: |\n  return {a: 1}", "timeout: 900", "memory_mb: 64"},
	}
	paramTypes = []string{"string", "number", "integer", "float", "boolean", "date", "datetime", "object", "array", "map", "map<integer>", "string[]", "integer[]", "{a: string}[]", "{a: string, b?: number}", "enum<[km, mi]>", "Invoice"}
	results    = []string{"", " -> object", " -> string", " -> object[]", " -> {id: string, n?: number}", " -> {id: integer}[]", " -> Invoice", " -> string[]"}
	paramLines = []string{"description: \"What is 😀\"", "hidden: true\ndefault: \"x\"", "allowed_values: [a, b]", "allowed_values: [\"a.*\"]", "excluded_values: [x]", "min_value: 1\nmax_value: 9",
		"auth_services: [{name: google, field: sub}]", "source: config\nvalue: \"{{config.T}}\"", "source: system\nvalue: now", "visibility:\n  model: false", "escape: single-quotes", "required: false"}
	projectText = tool.Object{
		{Name: "sources", Value: tool.Object{{Name: "pg", Value: tool.Object{{Name: "kind", Value: "postgres"}}}, {Name: "my", Value: tool.Object{{Name: "kind", Value: "mysql"}}}, {Name: "lite", Value: tool.Object{{Name: "kind", Value: "sqlite"}}}, {Name: "api", Value: tool.Object{{Name: "kind", Value: "http"}, {Name: "base_url", Value: "https://b.example.com"}}}}},
		{Name: "auth_services", Value: tool.Object{{Name: "google", Value: tool.Object{{Name: "kind", Value: "google"}, {Name: "client_id", Value: "c"}}}}},
		{Name: "servers", Value: tool.Object{{Name: "brave", Value: tool.Object{{Name: "transport", Value: "http"}, {Name: "url", Value: "https://m.example.com"}}}}},
	}
)

// library returns a random tool library in ABL.
func (g *generator) library() string {
	b := strings.Builder{}
	b.WriteString("TOOLS:\n")
	for range 1 + g.IntN(4) {
		g.ablTool(&b)
	}
	return b.String()
}

// randomTools returns the tools of a random library, and its text.
func randomTools(seed, stream uint64) (source string, tools []tool.Tool) {
	g := generator{Rand: rand.New(rand.NewPCG(seed, stream))}
	source = g.library()
	for _, l := range lowered(source) {
		tools = append(tools, l.Tool)
	}
	return source, tools
}

func lowered(source string) []model.LoweredTool {
	const path = "/x.tools.abl"
	return model.LowerAll(model.Workspace{}.With(path, syntax.Parse(source)), path)
}

func (g *generator) ablTool(b *strings.Builder) {
	names, params := []string{"near"}, []string{"near: string"}
	for range g.IntN(4) {
		g.n++
		name := fmt.Sprintf("p%d", g.n)
		names = append(names, name)
		params = append(params, name+g.one("", "", "?")+": "+g.one(paramTypes...))
	}
	kinds := slices.Sorted(func(yield func(string) bool) {
		for kind := range kindLines {
			if !yield(kind) {
				return
			}
		}
	})
	kind := g.one(kinds...)
	fmt.Fprintf(b, "  %s(%s)%s\n", g.name(), strings.Join(params, ", "), g.one(results...))
	addLine := func(depth int, lines string) {
		for line := range strings.SplitSeq(lines, "\n") {
			b.WriteString(strings.Repeat("  ", depth) + line + "\n")
		}
	}
	seen := map[string]bool{}
	readLines := func(lines string) {
		key, _, _ := strings.Cut(strings.TrimPrefix(lines, "+"), ":")
		if !seen[key] {
			seen[key] = true
			addLine(2, strings.TrimPrefix(lines, "+"))
		}
	}
	if kind != "" {
		addLine(2, "type: "+kind)
		var must []string
		for _, l := range kindLines[kind] {
			if strings.HasPrefix(l, "+") {
				must = append(must, l)
			}
		}
		readLines(g.one(must...))
		for _, l := range kindLines[kind] {
			if !strings.HasPrefix(l, "+") && g.IntN(3) == 0 {
				readLines(l)
			}
		}
	}
	for _, l := range commonLines {
		if g.IntN(8) == 0 {
			readLines(l)
		}
	}
	addLine(2, "parameters:")
	for _, name := range names {
		addLine(3, name+":")
		addLine(4, "description: \"D\"")
		for _, l := range paramLines[1:] {
			if g.IntN(12) == 0 {
				addLine(4, l)
			}
		}
	}
}

// roundForms maps the forms that can be read again to the file names for reading.
var roundForms = map[string]string{"json-schema": "a.json", "toolbox": "a.yaml", "crd": "a.yaml", "corail": "a.json", "nao": "a.json"}

// FuzzLosses checks that random tools which are written in any form and read again differ only in
// what was reported as lost.
func FuzzLosses(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		source, tools := randomTools(seed, 2)
		for _, form := range dialect.Forms() {
			written := form.Write(tools, projectText)
			if again := form.Write(tools, projectText); again.Text != written.Text || !slices.Equal(again.Lost, written.Lost) || !slices.Equal(again.Notes, written.Notes) {
				t.Errorf("%s: written twice it differs\n%s", form.Name, source)
			}
			name, isRead := roundForms[form.Name]
			if !isRead {
				continue
			}
			back := dialect.Read(name, written.Text)
			for _, fault := range back.Faults {
				if fault.Severity == foreign.Error {
					t.Errorf("%s: %s\n%s\nof\n%s", form.Name, fault.Message, written.Text, source)
				}
			}
			for _, of := range tools {
				for _, lack := range unnamed(of, back, written) {
					t.Errorf("%s: %s: %s is lost without a word\n%s\nlost %q\nnotes %q\nof\n%s", form.Name, of.Name, lack, written.Text, written.Lost, written.Notes, source)
				}
			}
		}
	})
}

// unnamed returns the differences between a tool and the tool that was read again, except for those
// that were reported.
func unnamed(of tool.Tool, back foreign.File, w foreign.WriteResult) (lacks []string) {
	var covered []string
	for _, text := range slices.Concat(foreign.LossTexts(w.Lost), w.Notes) {
		if rest, ok := strings.CutPrefix(text, of.QualifiedName()+": "); ok {
			covered = append(covered, rest)
		}
	}
	all := strings.Join(covered, "\n")
	i := slices.IndexFunc(back.Tools, func(d foreign.Tool) bool { return d.QualifiedName() == of.QualifiedName() })
	if i < 0 {
		if !strings.Contains(all, "the whole tool") {
			lacks = append(lacks, "the whole tool")
		}
		return lacks
	}
	got := back.Tools[i].Tool
	before, after := foreign.SetProperties(of), foreign.SetProperties(got)
	for key, v := range before {
		row, _, known := tool.Lookup(slices.Concat(tool.CommonFields(), tool.Fields(of.Kind)), key)
		if sameMeaning(key, of, got) || mentionsWord(all, key) || key == "hints" && mentionsWord(all, "timeout") {
			continue
		}
		isUsual := known && strings.Trim(string(v), `"`) == row.Default
		if !isUsual && plainJSON(v) != plainJSON(after[key]) {
			lacks = append(lacks, fmt.Sprintf("%s (%s, now %s)", key, v, after[key]))
		}
	}
	if want, have := plainJSON(of.ReturnSchema()), plainJSON(got.ReturnSchema()); want != have && !strings.Contains(all, "what it returns") && !mentionsWord(all, "output_schema") {
		lacks = append(lacks, fmt.Sprintf("the type of the result (%s, now %s)", want, have))
	}
	wants, haves := argumentsOf(of), argumentsOf(got)
	for name, want := range wants {
		if have := haves[name]; want != have && !mentionsWord(all, name) && !strings.Contains(all, "input_schema") {
			lacks = append(lacks, fmt.Sprintf("of the parameter %s (%s, now %s)", name, want, have))
		}
	}
	slices.Sort(lacks)
	return lacks
}

// sameMeaning reports whether a property of two tools has the same meaning although it is written in
// another way.
func sameMeaning(key string, a, b tool.Tool) bool {
	switch key {
	case "service": // they were found by their outside names
		return true
	case "input_schema", "output_schema": // which are looked at below
		return true
	case "mutation":
		return reflect.DeepEqual(a.Mutates(), b.Mutates())
	}
	one, ok1 := a.Spec.(*tool.HTTP)
	two, ok2 := b.Spec.(*tool.HTTP)
	switch {
	case !ok1 || !ok2:
	case key == "endpoint": // a host may be a source now
		path := strings.TrimRight(strings.TrimSuffix(two.Endpoint, "fixed=1"), "?&") // it contains a constant of query_params
		return strings.HasSuffix(one.Endpoint, path) && two.Source != ""
	case key == "headers": // they now contain the Content-Type that a run sends anyway
		headers := maps.Clone(two.Headers)
		delete(headers, "Content-Type")
		return one.Headers["Content-Type"] == "" && maps.Equal(one.Headers, headers)
	case key == "query_params": // what is left goes there anyway
		return !slices.ContainsFunc(one.QueryParams, func(p tool.Pair) bool { return p.Value != "{{"+p.Key+"}}" })
	}
	return false
}

// argumentsOf returns for each parameter its schema, and the properties that no schema expresses.
func argumentsOf(t tool.Tool) map[string]string {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	_ = json.Unmarshal(t.ArgumentSchema(), &schema) // one that is no object has none
	out := map[string]string{}
	for name, one := range schema.Properties {
		out[name] = fmt.Sprintf("%s, required %v", valuesOnly(one), slices.Contains(schema.Required, name))
	}
	for _, p := range t.Arguments() {
		more := tool.Param{
			Hidden: p.Hidden, Visibility: p.Visibility, Source: p.Source, Value: p.Value, Escape: p.Escape, AuthServices: p.AuthServices,
			AllowedValues: patterns(p.AllowedValues), ExcludedValues: patterns(p.ExcludedValues),
		}
		if !reflect.ValueOf(more).IsZero() {
			out[p.Name] += " and " + string(exactjson.EncodeOrNil(more))
		}
	}
	return out
}

// valuesOnly returns a schema without the type and the format if it lists the values.
func valuesOnly(raw json.RawMessage) string {
	var all map[string]json.RawMessage
	if json.Unmarshal(raw, &all) == nil && all["enum"] != nil {
		delete(all, "type")
		delete(all, "format")
		raw = exactjson.EncodeOrNil(all)
	}
	return plainJSON(raw)
}

// patterns returns the values that may be regular expressions.
func patterns(values []json.RawMessage) []json.RawMessage {
	var all []json.RawMessage
	for _, v := range values {
		if regexp.QuoteMeta(string(v)) != string(v) {
			all = append(all, v)
		}
	}
	return all
}

// plainJSON returns JSON with sorted keys.
func plainJSON(raw []byte) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	return string(exactjson.EncodeOrNil(v))
}

// mentionsWord reports whether a text contains a word.
func mentionsWord(text, word string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(word) + `\b`).MatchString(text)
}
