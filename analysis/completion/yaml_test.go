package completion

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

const (
	projectFile = "/p/abl.yaml"
	casesFile   = "/p/lib.cases.yaml"
)

const caseLibrary = `TOOLS:
  find(q: string, unit: enum<[km, mi]>, loud: boolean = false, at: object) -> {hits: {price: number}[], total: number}
    description: "Finds."
    parameters:
      q:
        description: "What to look for"
        allowed_values: [rome, paris]
      at:
        lat: number
        sea: boolean
    context_access:
      read: [user.id]
  book(id: string) -> string
  list(near: string, who: string, tenant: string) -> object[]
    type: sql
    source: db
    statement: "SELECT {{array .columns}} FROM {{.table}} WHERE near = $1 AND who = $2 AND tenant = $3"
    template_parameters:
      table:
        type: string
        allowed_values: [flights]
      columns:
        type: string[]
        default: [id]
    parameters:
      who:
        auth_services: [{name: google, field: sub}]
      tenant:
        hidden: true
        default: demo
  plan(city: string) -> string
    input_schema: {"properties": {"nights": {"type": "integer"}, "board": {"enum": ["half", "full"]}}, "required": ["nights"]}
`

// completeIn asks for completion at the mark, in a workspace with a library, an abl.yaml and a
// .env.
func completeIn(t *testing.T, path, source string) (items []Item, plain string) {
	t.Helper()
	before, after, ok := strings.Cut(source, cursorMark)
	if !ok {
		t.Fatalf("no cursor in %q", source)
	}
	w := model.Workspace{}.With("/p/lib.tools.abl", syntax.Parse(caseLibrary))
	w = w.With(projectFile, syntax.Parse("environments: {dev: {}, \"pro d\": {}}\n")).With("/p/.env", syntax.Parse("API_KEY=1\nTOKEN=2\n"))
	w = w.WithEnvironmentVariables(nil).With(path, syntax.Parse(before+after))
	return Complete(t.Context(), w, path, len(before), cursor.Host{List: folders}), before + after
}

// TestCompletionOfVersions checks that a case names the version that it is of, if there are
// several.
func TestCompletionOfVersions(t *testing.T) {
	const notes = `{"tools": [
  {"name": "put", "version": "1.0", "description": "🛫", "parameters": {"id": {"type": "string"}}, "binding": {"type": "http", "endpoint": "https://x.example.com/{id}", "method": "PUT"}},
  {"name": "put", "version": "2", "description": "🛫", "binding": {"type": "http", "endpoint": "https://x.example.com/", "method": "PUT"}},
  {"name": "say", "version": "2", "description": "🛫", "binding": {"type": "http", "endpoint": "https://x.example.com/", "method": "PUT"}}]}`
	w := model.Workspace{}.With("/n/notes.tools.json", syntax.Parse(notes)).With("/n/notes.cases.yaml", syntax.Parse("put@2:\n  - name: x\n"))
	items := Complete(t.Context(), w, "/n/notes.cases.yaml", len("put@2:\n  - name: x\n"), cursor.Host{})
	if got := labels(items); !slices.Equal(got, []string{"put@1.0", "say"}) {
		t.Errorf("%q", got)
	}
}

// TestCompletionYAMLOffers checks which items must be there and which must not.
func TestCompletionYAMLOffers(t *testing.T) {
	for _, tt := range []struct{ name, path, source, want, not string }{
		{"keys of the file", projectFile, "‸", "servers base_url environments limits", "protected transport"},
		{"keys half typed", projectFile, "base_url: x\nser‸", "servers services", "base_url"},
		{"keys between others", projectFile, "base_url: x\n‸\nservers: {}\n", "sources", "base_url servers"},
		{"keys of a server", projectFile, "servers:\n  a:\n    ‸", "transport command url", "servers kind"},
		{"keys of a server that is a process", projectFile, "servers:\n  a:\n    transport: stdio\n    ‸", "command args env", "url headers transport"},
		{"keys in brackets", projectFile, "servers:\n  a: {transport: http, ‸}\n", "url headers", "command transport"},
		{"keys in open brackets", projectFile, "servers:\n  a: {transport: http, ‸\n", "url", "command"},
		{"keys half typed in brackets", projectFile, "servers:\n  a: {transport: http, ur‸}\n", "url", "transport"},
		{"keys of an environment", projectFile, "environments:\n  dev:\n    ‸", "protected variables servers base_url", "environments default_environment"},
		{"keys of a server in an environment", projectFile, "environments:\n  dev:\n    servers:\n      a:\n        ‸", "transport", "servers"},
		{"keys of an access", projectFile, "permissions:\n  allow:\n    - ‸", "kind op resource", "allow"},
		{"more keys of an access", projectFile, "permissions:\n  allow:\n    - kind: web\n      ‸", "op resource", "kind"},
		{"names of servers", projectFile, "servers:\n  ‸", ",new server (stdio)", "transport"},
		{"names of environments", projectFile, "environments:\n  ‸", ",new environment", "protected"},
		{"no further server within the name of one", projectFile, "servers:\n  mine‸:\n    transport: stdio\n", "", ",new server (stdio)"},
		{"no further environment within the name of one", projectFile, "environments: {de‸: {}}\n", "", ",new environment"},
		{"names of servers above another", projectFile, "servers:\n  mi‸\n  other:\n    transport: stdio\n", ",new server (stdio)", ""},
		{"transports", projectFile, "servers:\n  a:\n    transport: ‸", "stdio http websocket", "command"},
		{"transports half typed", projectFile, "servers: {a: {transport: st‸}}", "stdio http", ""},
		{"engines", projectFile, "sandbox: {engine: ‸}", "wasm gvisor", ""},
		{"providers of secrets", projectFile, "secrets: {providers: [env, ‸]}", "dotenv keychain command", "env"},
		{"providers of secrets, one a line", projectFile, "secrets:\n  providers:\n    - env\n    - ‸", "dotenv", "env"},
		{"booleans", projectFile, "environments: {dev: {protected: ‸}}", "true false", ""},
		{"the default environment", projectFile, "environments: {dev: {}, prod: {}}\ndefault_environment: ‸", "dev prod", "true"},
		{"modules", projectFile, "services:\n  a:\n    module: ./sub/‸", "run.mjs", "in.json"},
		{"databases", projectFile, "sources:\n  a:\n    kind: sqlite\n    database: \"./sub/‸\"", "in.json", ""},
		{"no file for a server's database", projectFile, "sources:\n  a:\n    kind: postgres\n    database: ‸", "", "./sub/"},
		{"namespaces", projectFile, "servers:\n  a:\n    env:\n      K: \"{{‸\"", "secrets", "API_KEY"},
		{"secrets", projectFile, "credentials:\n  x:\n    bearer: \"{{secrets.‸}}\"", "API_KEY TOKEN", "secrets"},
		{"secrets in brackets", projectFile, "credentials: {x: {bearer: \"{{secrets.A‸", "API_KEY", "secrets"},
		{"nothing in a comment", projectFile, "servers: {}\n# ‸", "", "sources"},
		{"nothing behind a value", projectFile, "base_url: x ‸", "", "sources true"},
		{"nothing for free text", projectFile, "base_url: ‸", "", "sources servers"},
		{"keys below a line that is no YAML", projectFile, "servers:\n  a: {b: [\nsources:\n  x:\n    ‸", "kind", "transport"},
		{"variables of Corail", "/p/a.yaml", "apiVersion: agents.recif.dev/v1\nkind: Tool\nspec:\n  name: a\n  type: http\n  headers: {A: \"Bearer $K‸\"}\n", "API_KEY TOKEN", ""},
		{"tools", casesFile, "‸", "find book", "name"},
		{"tools that have none yet", casesFile, "find:\n  - name: x\n‸", "book", "find name"},
		{"tools half typed", casesFile, "bo‸", "book", ""},
		{"keys of a case", casesFile, "find:\n  - ‸", "name args environment expect", "find"},
		{"more keys of a case", casesFile, "find:\n  - name: x\n    ‸", "args session tags", "name"},
		{"a case without a dash", casesFile, "find:\n  ‸", ",- new case", "book"},
		{"a further case without a dash", casesFile, "find:\n  - name: x\n  ‸", ",- new case", "name args"},
		{"a further access without a dash", projectFile, "permissions:\n  allow:\n    - kind: web\n    ‸", ",- kind", ""},
		{"keys of a case in brackets", casesFile, "find:\n  - {name: x, ‸}", "args expect", "name"},
		{"arguments", casesFile, "find:\n  - args:\n      ‸", "q unit loud at", "name id"},
		{"arguments in brackets", casesFile, "find:\n  - args: {q: x, ‸}", "unit loud", "q"},
		{"arguments half typed", casesFile, "find:\n  - args: {u‸", "unit", ""},
		{"fields of an argument", casesFile, "find:\n  - args:\n      at: {‸}", "lat sea", "q"},
		{"values of a field of an argument", casesFile, "find:\n  - args:\n      at:\n        sea: ‸", "true false", "q"},
		{"booleans of an argument", casesFile, "find:\n  - args: {loud: ‸}", "true false", ""},
		{"words of an argument", casesFile, "find:\n  - args:\n      unit: ‸", "km mi", "true"},
		{"allowed values of an argument", casesFile, "find:\n  - args:\n      q: ‸", "rome paris", ""},
		{"environments", casesFile, "find:\n  - environment: ‸", "dev,pro d", "true"},
		{"variables of the session", casesFile, "find:\n  - session: {‸}", "user.id", "q"},
		{"keys of what is expected", casesFile, "find:\n  - expect:\n      ‸", "ok value", "name"},
		{"an outcome", casesFile, "find:\n  - expect: {ok: ‸}", "true false", ""},
		{"names of an expression", casesFile, "find:\n  - expect:\n      value: ‸", "value result set error args duration_ms len", "session find"},
		{"members of a result", casesFile, "find:\n  - expect:\n      value: \"value.‸\"", "hits total", "price"},
		{"members of an element", casesFile, "find:\n  - expect: {value: \"len(value.hits) > 0 && value.hits[0].‸\"}", "price", "hits"},
		{"arguments of an input_schema", casesFile, "plan:\n  - args: {‸}", "city nights board", "input"},
		{"words of one", casesFile, "plan:\n  - args: {board: ‸}", "half full", "city"},
		{"members of them", casesFile, "plan:\n  - expect:\n      value: args.‸", "city nights board", "input"},
		{"names of an expression of a tool that is not there", casesFile, "none:\n  - expect:\n      value: ‸", "value result error", "find"},
		{"members of the arguments", casesFile, "find:\n  - expect:\n      value: args.‸", "q unit", "hits"},
		{"operators", casesFile, "find:\n  - expect:\n      value: value.total ‸", "== > AND", "value"},
		{"no arguments of a tool that is not there", casesFile, "none:\n  - args:\n      ‸", "", "q"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			checkOffers(t, tt.source, tt.want, tt.not, func(t *testing.T, source string) []Item {
				items, _ := completeIn(t, tt.path, source)
				return items
			})
		})
	}
}

// toolboxPath returns a file of Toolbox with a path, and with a parameter of that.
func toolboxPath(path string) string {
	return "tools:\n  fetch:\n    kind: http\n    path: " + path + "\n    pathParams: [{name: id, type: string, description: 🛫}]\n"
}

// TestCompletionYAMLEdits checks the text after accepting an item, as plain text and as a snippet.
func TestCompletionYAMLEdits(t *testing.T) {
	for _, tt := range []struct{ name, path, label, source, plain, snippet string }{
		{"a value key", projectFile, "base_url", "ba‸", "base_url: ", ""},
		{"a block key", projectFile, "servers", "‸", "servers:", "servers:\n  $1"},
		{"a key in place", projectFile, "base_url", "ba‸se: x", "base_url: x", ""},
		{"a key in brackets", projectFile, "headers", "servers: {a: {h‸}}", "servers: {a: {headers: }}", "servers: {a: {headers: {$1}}}"},
		{"a list", projectFile, "providers", "secrets:\n  ‸", "secrets:\n  providers: ", "secrets:\n  providers: [$1]"},
		{"a word of a list", projectFile, "env", "secrets:\n  providers: ‸", "secrets:\n  providers: [env]", ""},
		{"a word of a list on its own line", projectFile, "- env", "secrets:\n  providers:\n    ‸", "secrets:\n  providers:\n    - env", ""},
		{"a further word of a list", projectFile, "- dotenv", "secrets:\n  providers:\n    - env\n    ‸", "secrets:\n  providers:\n    - env\n    - dotenv", ""},
		{"a value without a space", projectFile, "stdio", "servers:\n  a:\n    transport:‸", "servers:\n  a:\n    transport: stdio", ""},
		{"a value in quotes", projectFile, "stdio", "servers: {a: {transport: \"s‸\"}}", "servers: {a: {transport: \"stdio\"}}", ""},
		{"a secret", projectFile, "TOKEN", "credentials: {x: {bearer: \"{{secrets.T‸\"}}", "credentials: {x: {bearer: \"{{secrets.TOKEN}}\"}}", ""},
		{"a secret that needs quotes", projectFile, "TOKEN", "credentials:\n  x:\n    bearer: {{secrets.T‸", "credentials:\n  x:\n    bearer: \"{{secrets.TOKEN}}\"", ""},
		{"a secret that is closed", projectFile, "TOKEN", "search:\n  url: \"x{{ secrets.T‸ }}\"", "search:\n  url: \"x{{ secrets.TOKEN }}\"", ""},
		{"a server", projectFile, "new server (http)", "servers:\n  ‸", "servers:\n  ${1:server}:\n  transport: http\n  url: ${2:url}", ""},
		{"a tool", casesFile, "book", "bo‸", "book:", "book:\n  - name: ${1:first}\n    args:\n      id: ${2}"},
		{"a tool with template parameters", casesFile, "list", "li‸", "list:", "list:\n  - name: ${1:first}\n    args:\n      near: ${2}\n      table: ${3}"},
		{"a case", casesFile, "- new case", "book:\n  ‸", "book:\n  - name: ${1:first}\n  args:\n    id: ${2}", ""},
		{"an argument", casesFile, "unit", "find:\n  - args: {u‸}", "find:\n  - args: {unit: }", ""},
		{"a block below a dash", casesFile, "expect", "find:\n  - e‸", "find:\n  - expect:", "find:\n  - expect:\n    $1"},
		{"an environment that needs quotes", casesFile, "pro d", "find:\n  - environment: ‸", "find:\n  - environment: \"pro d\"", ""},
		{"a placeholder of Toolbox", "/p/tools.yaml", "id", toolboxPath("/a/{{‸"), toolboxPath("/a/{{.id}}"), ""},
		{"a placeholder of Toolbox that is closed", "/p/tools.yaml", "id", toolboxPath("/a/{{ ‸ }}"), toolboxPath("/a/{{ .id }}"), ""},
		{"a placeholder of Toolbox with its dot", "/p/tools.yaml", "id", toolboxPath("/a/{{.i‸"), toolboxPath("/a/{{.id}}"), ""},
		{"a word of an expression", casesFile, "total", "find:\n  - expect: {value: \"value.to‸ > 1\"}", "find:\n  - expect: {value: \"value.total > 1\"}", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			items, source := completeIn(t, tt.path, tt.source)
			i := slices.IndexFunc(items, func(i Item) bool { return i.Label == tt.label })
			if i < 0 {
				t.Fatalf("no %q in %q", tt.label, labels(items))
			}
			edit := items[i].Edit
			got, err := text.Apply(source, edit)
			if diff := cmp.Diff(tt.plain, got); err != nil || diff != "" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
			if edit.NewText = items[i].SnippetText; edit.NewText == "" && tt.snippet == "" {
				return
			}
			got, err = text.Apply(source, edit)
			if diff := cmp.Diff(tt.snippet, got); err != nil || diff != "" {
				t.Errorf("with placeholders: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}
