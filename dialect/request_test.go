package dialect

import (
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/dialect/abl"
)

const requests = `
sources:
  api: {kind: http, baseUrl: "https://a.example.com"}
tools:
  find:
    kind: http
    source: api
    description: Finds 🛫
    method: GET
    path: /find/{{.id}}
    pathParams:
      - {name: id, type: string, description: D}
    queryParams:
      - {name: page-size, type: integer, description: D}
    headerParams:
      - {name: X-Request-Id, type: string, description: D}
      - {name: Language, type: string, description: D}
  save:
    kind: http
    source: api
    description: Saves
    method: POST
    path: /save
    headers: {Content-Type: application/json}
    queryParams:
      - {name: dry-run, type: boolean, description: D}
    bodyParams:
      - {name: title, type: string, description: D}
      - {name: tags, type: array, description: D, items: {name: item, type: string, description: One of the list}}
      - {name: plain, type: string, description: D}
    requestBody: '{"title": {{json .title}}, "tags": {{json .tags}}, "plain": "it is {{.plain}} \" {{.plain}}"}'
  list:
    kind: http
    source: api
    description: Lists
    method: PUT
    path: /list
    headers: {Content-Type: application/json}
    bodyParams:
      - {name: title, type: string, description: D}
    requestBody: "{{json .title}}"
  say:
    kind: http
    source: api
    description: Says
    method: PUT
    path: /say
    headers: {Content-Type: text/plain}
    bodyParams:
      - {name: title, type: string, description: D}
    requestBody: "{{.title}}"
  text:
    kind: http
    source: api
    description: Says
    method: PUT
    path: /text
    headers: {Content-Type: text/plain}
    bodyParams:
      - {name: title, type: string, description: D}
    requestBody: "title={{.title}}"
`

// TestRequests checks that Toolbox sends the same request for a tool after it was read and written
// again: JSON values stay JSON, and each parameter goes to the same place.
func TestRequests(t *testing.T) {
	f := Read("tools.yaml", requests)
	thereAndBack(t, f)
	w := write(t, "toolbox", f)
	for _, want := range []string{
		"    queryParams:\n      - name: page-size\n",
		"    headerParams:\n      - name: X-Request-Id\n",
		"      - name: Language\n",
		"    queryParams:\n      - name: dry-run\n",
		`{\"title\": {{json .title}}, \"tags\": {{json .tags}}, \"plain\": \"it is {{.plain}} \\\" {{.plain}}\"}`,
		`requestBody: "{{json .title}}"`,
		`requestBody: "{{.title}}"`,
		`requestBody: "title={{.title}}"`,
	} {
		if !strings.Contains(w.Text, want) {
			t.Errorf("%s is missing in\n%s", want, w.Text)
		}
	}
}

// TestRenamed checks that a parameter whose name is invalid in ABL is still sent under that name.
func TestRenamed(t *testing.T) {
	f := Read("tools.yaml", requests)
	text := abl.Library(abl.Entries(f.Tools))
	for _, want := range []string{
		"    query_params:\n      page-size: \"{{page_size}}\"\n",
		"      X-Request-Id: \"{{X_Request_Id}}\"\n",
		"    query_params:\n      dry-run: \"{{dry_run}}\"\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing in\n%s", want, text)
		}
	}
}

// TestRenamedElsewhere checks that the new name is reported if ABL cannot express the old one.
func TestRenamedElsewhere(t *testing.T) {
	const note = "# What runs the tool is given user_id, and no user-id any more.\n"
	for name, tt := range map[string]struct {
		source string
		want   bool
	}{
		"github.tools.json": {`{"service": "github", "tools": {"list": {"description": "🛫", "inputSchema": {"type": "object", "properties": {"user-id": {"type": "string"}}}}}}`, true},
		"cli.json":          {`[{"name": "list", "type": "cli", "binary": "ls", "parameters": [{"name": "user-id", "type": "string"}]}]`, false},
		"mcp.json":          {`[{"name": "list", "type": "mcp", "mcpEndpoint": "https://a.example.com", "parameters": [{"name": "user-id", "type": "string"}]}]`, true},
		"sql.yaml":          {"tools:\n  list:\n    kind: sqlite-sql\n    source: s\n    description: 🛫\n    statement: SELECT $1\n    parameters:\n      - {name: user-id, type: string, description: D}\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			text := abl.Library(abl.Entries(Read(name, tt.source).Tools))
			if !strings.Contains(text, "# The parameter user_id was called user-id.\n") || strings.Contains(text, note) != tt.want {
				t.Errorf("%s:\n%s", name, text)
			}
		})
	}
}

// TestJSONInText checks that a placeholder for JSON is accepted where JSON has a value, and
// reported in any other text.
func TestJSONInText(t *testing.T) {
	f := Read("tools.yaml", strings.Replace(requests, `"title={{.title}}"`, `"title={{json .title}}"`, 1))
	var got []string
	for _, fault := range f.Faults {
		got = append(got, fault.Code+" "+fault.Message)
	}
	if want := "template-syntax `{{json .title}}` is written as text here: only a body that is JSON has values of JSON."; strings.Join(got, "\n") != want {
		t.Errorf("%q", got)
	}
}

// TestActions checks that only fields of Go's templates are accepted, and that others are reported.
func TestActions(t *testing.T) {
	f := Read("tools.yaml", "tools:\n  one:\n    kind: http\n    source: s\n    description: 🛫\n    method: POST\n    path: /{{.a}}{{with .a}}\n"+
		"    headers: {X: '{{.a}}', Y: '{{ .a | js }}', Z: '${SECRET}'}\n    requestBody: '{{if .a}}{{json .a}}{{end}}'\n    bodyParams:\n      - {name: a, type: string, description: D}\n")
	var got []string
	for _, fault := range f.Faults {
		word, _, _ := strings.Cut(fault.Message, " is not understood here")
		got = append(got, fault.Code+" "+word)
	}
	if all, want := strings.Join(got, "; "), "template-syntax `{{ .a | js }}`; template-syntax `{{with .a}}`; template-syntax `{{if .a}}`; "+
		"template-syntax `{{json .a}}` is written as text here: only a body that is JSON has values of JSON."; all != want {
		t.Errorf("%s", all)
	}
}
