package lsp_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// command executes a command and decodes the answer.
func (w *workspace) command(name, argument string, answer any) error {
	w.t.Helper()
	var raw protocol.LSPAny
	err := w.Call(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
		Command: name, Arguments: []protocol.LSPAny{protocol.LSPAny(argument)},
	}, &raw)
	if err != nil || answer == nil {
		return err
	}
	if err := json.Unmarshal(raw, answer); err != nil {
		w.t.Fatalf("%s: %v", raw, err)
	}
	return nil
}

const testedCases = `get_thing:
  - name: the 🚀
    tags: [smoke]
    args: {id: rocket}
    expect:
      value: value.price == 10.50
  - name: wrong 🛫
    args: {id: "2"}
    expect: {ok: true, value: 'value == {"id": "3"}'}
  - name: later
    skip: not 🛫 yet
  - name: to fail
    args: {id: "2"}
    expect:
      ok: false
  - name: no arguments
make_thing:
  - name: ask first
    args: {name: a}
`

type caseRow struct {
	Tool, Name, Skip string
	URI              uri.URI
	Range            protocol.Range
	Tags             []string
	Args             map[string]any
	Environment      string
}

// TestListCases checks that saved cases are listed for their own file and for the file
// with their tools, with positions in the open text.
func TestListCases(t *testing.T) {
	w := openWorkspace(t)
	w.write("lib.cases.yaml", testedCases)
	cases := uri.File(filepath.Join(w.dir, "lib.cases.yaml"))
	var fromFile, fromTools, none []caseRow
	for of, answer := range map[uri.URI]*[]caseRow{cases: &fromFile, w.lib: &fromTools, w.agent: &none} {
		if err := w.command("abl.cases", fmt.Sprintf(`{"uri":%q}`, of), answer); err != nil {
			t.Fatal(err)
		}
	}
	if len(fromFile) != 6 || fmt.Sprint(fromFile) != fmt.Sprint(fromTools) || none == nil || len(none) != 0 {
		t.Fatalf("%v\n%v\n%v", fromFile, fromTools, none)
	}
	first := fromFile[0]
	if first.Tool != "get_thing" || first.Name != "the 🚀" || first.URI != cases || !slices.Equal(first.Tags, []string{"smoke"}) || first.Range != rangeInLine(1, 10, 16) {
		t.Errorf("%+v", first)
	}
	if first.Args["id"] != "rocket" || fromFile[4].Args != nil {
		t.Errorf("%v, %v", first.Args, fromFile[4].Args)
	}
	if fromFile[2].Skip != "not 🛫 yet" || fromFile[3].Skip != "" || fromFile[1].Tags == nil {
		t.Errorf("%+v", fromFile[2])
	}
	w.Open(cases, "\n"+testedCases)
	if err := w.command("abl.cases", fmt.Sprintf(`{"uri":%q}`, cases), &fromFile); err != nil || fromFile[0].Range != rangeInLine(2, 10, 16) {
		t.Errorf("%+v %v", fromFile[0], err)
	}
}

// TestToolsOfCases checks that for a file of cases the tools of the files next to it are
// listed, each once.
func TestToolsOfCases(t *testing.T) {
	w := openWorkspace(t)
	tool := "  %s() -> string\n    description: \"🔎\"\n    type: http\n    method: GET\n    endpoint: \"https://example.com/\"\n"
	w.write("a.tools.abl", "TOOLS:\n"+fmt.Sprintf(tool, "find"))
	w.write("a.agent.abl", "AGENT: A\nTOOLS:\n  file: \"./a.tools.abl\" [find]\n"+fmt.Sprintf(tool, "seek"))
	w.write("a.cases.yaml", "find:\n  - name: 🔎\n")
	at := func(name string) string { return filepath.Join(w.dir, name) }
	cases := uri.File(at("a.cases.yaml"))
	w.Open(cases, "find:\n  - name: 🔎\n")
	var tools []struct{ Name, File string }
	if err := w.command("abl.tools", fmt.Sprintf(`{"uri":%q}`, cases), &tools); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(tools), fmt.Sprintf("[{seek %s} {find %s}]", at("a.agent.abl"), at("a.tools.abl")); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestSchemaInFile checks that a schema in a file is the schema of the arguments. Outside
// of the workspace's folders it is read only if the workspace is trusted.
func TestSchemaInFile(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "out.json")
	schema := `{"type": "object", "properties": {"sku": {"type": "string"}}}`
	if err := os.WriteFile(outside, []byte(schema), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ options, file, want string }{
		{`{"trusted":true}`, "🛫.json", "[count sku]"},
		{`{"trusted":true}`, outside, "[count sku]"},
		{`{"trusted":false}`, "🛫.json", "[count sku]"},
		{`{"trusted":false}`, outside, "[count]"},
		{`{}`, "🛫.json", "[count sku]"},
		{`{}`, "gone.json", "[count]"},
	} {
		t.Run(row.options, func(t *testing.T) {
			w := openWorkspace(t, lsptest.WithOptions(row.options))
			w.write("🛫.json", schema)
			text := fmt.Sprintf("TOOLS:\n  order(count: integer) -> string\n    type: http\n    method: POST\n    endpoint: \"https://example.com/\"\n    input_schema: %q\n", filepath.ToSlash(row.file))
			file := uri.File(filepath.Join(w.dir, "a.tools.abl"))
			w.Open(file, text)
			var tools []struct {
				Parameters struct{ Properties map[string]any }
			}
			if err := w.command("abl.tools", fmt.Sprintf(`{"uri":%q}`, file), &tools); err != nil || len(tools) != 1 {
				t.Fatal(err, tools)
			}
			if got := fmt.Sprint(slices.Sorted(maps.Keys(tools[0].Parameters.Properties))); got != row.want {
				t.Errorf("%v: %s", row, got)
			}
			var preview struct{ Value struct{ Body map[string]any } }
			if err := w.command("abl.preview", fmt.Sprintf(`{"uri":%q,"tool":"order","args":{"count":1,"sku":"a"}}`, file), &preview); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(slices.Sorted(maps.Keys(preview.Value.Body))); got != row.want {
				t.Errorf("%v: a preview sends %s", row, got)
			}
		})
	}
}

// rangeInLine returns a range in one line.
func rangeInLine(line, from, to uint32) protocol.Range {
	return protocol.Range{Start: protocol.Position{Line: line, Character: from}, End: protocol.Position{Line: line, Character: to}}
}

type testRow struct {
	Status   string
	Failures []struct {
		Message, Expected, Actual string
		URI                       uri.URI
		Range                     protocol.Range
	}
	Result *envelope
}

// TestTestCommand checks that the result of each case is reported, with the place of the
// expectation that was not met.
func TestTestCommand(t *testing.T) {
	w := openWorkspace(t, lsptest.WithOptions(`{"trusted":true,"allowHosts":["127.0.0.1"]}`))
	w.write("lib.cases.yaml", testedCases+"nobody:\n  - name: gone 🛫\n")
	cases := uri.File(filepath.Join(w.dir, "lib.cases.yaml"))
	run := func(of uri.URI, tool, name, more string) (row testRow) {
		t.Helper()
		if err := w.command("abl.test", fmt.Sprintf(`{"uri":%q,"tool":%q,"case":%q%s}`, of, tool, name, more), &row); err != nil {
			t.Fatal(err)
		}
		return row
	}
	if r := run(cases, "get_thing", "the 🚀", ""); r.Status != "passed" || r.Failures == nil || len(r.Failures) != 0 || !r.Result.OK {
		t.Errorf("%+v", r)
	}
	if r := run(w.agent, "get_thing", "the 🚀", ""); r.Status != "passed" {
		t.Errorf("%+v", r)
	}
	r := run(w.lib, "get_thing", "wrong 🛫", "")
	if f := r.Failures; r.Status != "failed" || len(f) != 1 || f[0].URI != cases || f[0].Range != rangeInLine(8, 30, 52) ||
		f[0].Expected != "{\n  \"id\": \"3\"\n}" || f[0].Actual != "{\n  \"id\": \"2\",\n  \"price\": 10.50,\n  \"name\": \"東京 😀\"\n}" || !strings.Contains(f[0].Message, "`value.id` is \"2\", not \"3\"") {
		t.Errorf("%+v", r)
	}
	if r := run(cases, "get_thing", "later", ""); r.Status != "skipped" || r.Failures[0].Message != "not 🛫 yet" || r.Result != nil {
		t.Errorf("%+v", r)
	}
	if r := run(cases, "get_thing", "to fail", ""); r.Status != "failed" || r.Failures[0].Range != rangeInLine(14, 10, 15) || r.Failures[0].Expected != "it fails" {
		t.Errorf("%+v", r)
	}
	if r := run(cases, "get_thing", "no arguments", ""); r.Status != "failed" || r.Result.Needs == nil || r.Result.Needs.Arguments == nil {
		t.Errorf("%+v", r)
	}
	r = run(cases, "nobody", "gone 🛫", "")
	if f := r.Failures; r.Status != "errored" || r.Result != nil || f[0].Message != "no file beside lib.cases.yaml has a tool \"nobody\"" || f[0].URI != cases || f[0].Range != rangeInLine(20, 10, 17) {
		t.Errorf("%+v", r)
	}
	asked := run(cases, "make_thing", "ask first", "")
	if asked.Status != "errored" || asked.Result.Needs == nil || asked.Result.Needs.Confirmation == nil {
		t.Fatalf("%+v", asked)
	}
	if r := run(cases, "make_thing", "ask first", fmt.Sprintf(`,"confirm":%q`, asked.Result.Needs.Confirmation.Digest)); r.Status != "passed" {
		t.Errorf("%+v %+v", r, r.Failures)
	}
	if err := w.command("abl.test", fmt.Sprintf(`{"uri":%q,"tool":"get_thing","case":"none"}`, cases), nil); err == nil || !strings.Contains(err.Error(), `has no case "none"`) {
		t.Error(err)
	}
}

func TestListEnvironments(t *testing.T) {
	w := openWorkspace(t, lsptest.WithOptions(`{"environment":"prod"}`))
	list := func() string {
		t.Helper()
		var all []map[string]any
		if err := w.command("abl.environments", fmt.Sprintf(`{"uri":%q}`, w.agent), &all); err != nil || all == nil {
			t.Fatal(all, err)
		}
		return strings.ReplaceAll(fmt.Sprint(all), "map", "")
	}
	if got := list(); got != "[]" {
		t.Error(got)
	}
	w.write("abl.yaml", "environments:\n  dev 🛫: {}\n  prod: {protected: true}\ndefault_environment: dev 🛫\n")
	if got, want := list(), "[[current:false default:true name:dev 🛫 protected:false] [current:true default:false name:prod protected:true]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for what, wrong := range map[string]string{"of the default": "default_environment: stage\n", "in another one": "default_environment: dev\n", "without one": ""} {
		t.Run(what, func(t *testing.T) {
			w.write("abl.yaml", "environments:\n  dev: {limits: nothing}\n  prod: {protected: true}\n"+wrong)
			if got := list(); !strings.Contains(got, "current:true default:false name:prod protected:true") {
				t.Errorf("a mistake %s: %s", what, got) // a mistake in another environment does not affect a run in prod
			}
		})
	}
	w.write("abl.yaml", "environments: [\n")
	if got := list(); got != "[]" {
		t.Error(got)
	}
}

// TestEnvironmentsOfFolders checks that each folder of a session has the environment that
// was chosen for it: in lists, runs, copied lines and hovers.
func TestEnvironmentsOfFolders(t *testing.T) {
	w := openWorkspace(t, lsptest.WithOptions(`{"trusted":true,"environment":"dev"}`))
	project := "base_url: https://any.example.com\nenvironments:\n  dev: {base_url: \"https://dev.example.com\"}\n  prod: {base_url: \"https://prod.example.com\"}\n"
	text := "TOOLS:\n  a() -> string\n    type: http\n    method: GET\n    endpoint: \"/a\"\n"
	inner, tools := filepath.Join(w.dir, "in 🛫"), map[string]uri.URI{}
	if err := os.Mkdir(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	w.write("abl.yaml", project)
	w.write("in 🛫/abl.yaml", project)
	for _, folder := range []string{w.dir, inner} {
		tools[folder] = uri.File(filepath.Join(folder, "a.tools.abl"))
		w.open(tools[folder], text)
	}
	choose := func(environments string) {
		w.Notify(protocol.MethodWorkspaceDidChangeConfiguration, map[string]any{"settings": map[string]any{"abl": json.RawMessage(`{"environments":` + environments + `}`)}})
	}
	has := func(folder, want string) {
		t.Helper()
		var all []struct {
			Name    string
			Current bool
		}
		if err := w.command("abl.environments", fmt.Sprintf(`{"uri":%q}`, tools[folder]), &all); err != nil {
			t.Fatal(err)
		}
		for _, e := range all {
			if e.Current != (e.Name == want) {
				t.Errorf("of the environments of %s %+v, want %q", folder, all, want)
			}
		}
		var copied struct{ Text string }
		if err := w.command("abl.copy", fmt.Sprintf(`{"uri":%q,"tool":"a","as":"command"}`, tools[folder]), &copied); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(copied.Text, "--environment "+want); got != (want != "") {
			t.Errorf("%s, want the environment %q", copied.Text, want)
		}
		host := "https://" + cmp.Or(want, "any") + ".example.com/a"
		var sent struct{ Value struct{ URL string } }
		if err := w.command("abl.preview", fmt.Sprintf(`{"uri":%q,"tool":"a"}`, tools[folder]), &sent); err != nil || sent.Value.URL != host {
			t.Errorf("%+v, %v, want %s", sent, err, host)
		}
		var h protocol.Hover
		params := &protocol.HoverParams{}
		params.TextDocument.URI, params.Position = tools[folder], protocol.Position{Line: 1, Character: 2}
		if err := w.Call(protocol.MethodTextDocumentHover, params, &h); err != nil || !strings.Contains(fmt.Sprint(h.Contents), host) {
			t.Errorf("%v, %v, want %s", h.Contents, err, host)
		}
	}
	has(w.dir, "dev")
	has(inner, "dev")
	choose(fmt.Sprintf(`{%q: "prod"}`, uri.File(inner)))
	has(w.dir, "dev")
	has(inner, "prod")
	choose(fmt.Sprintf(`{%q: "prod", %q: ""}`, uri.File(w.dir), uri.File(inner)))
	has(w.dir, "prod")
	has(inner, "")
	choose(fmt.Sprintf(`{%q: "prod"}`, uri.File(w.dir)))
	has(inner, "prod") // it is named no more
	choose(`{}`)
	has(inner, "dev")
}

func TestCopyCommand(t *testing.T) {
	t.Setenv("SESSION_TEST_TOKEN", "looked-up-value")
	w := openWorkspace(t, lsptest.WithOptions(`{"trusted":true,"environment":"here","allowHosts":["127.0.0.1"]}`))
	w.write("abl.yaml", "environments: {here: {}, dev: {}}\n")
	w.write("lib.cases.yaml", testedCases+"  - name: its own\n    environment: dev\n  - name: \"null\"\n    environment: dev\n")
	path := func(name string) string { return filepath.Join(w.dir, name) }
	for name, tt := range map[string]struct{ argument, want string }{
		"a secret":                   {fmt.Sprintf(`{"uri":%q,"tool":"private","as":"curl"}`, w.agent), `-H 'Authorization: Bearer '"$SESSION_TEST_TOKEN"`},
		"the method and the address": {fmt.Sprintf(`{"uri":%q,"tool":"make_thing","args":{"name":"it's 🛫"},"as":"curl"}`, w.agent), `curl -X POST ` + w.api.URL + `/things -H`},
		"the body":                   {fmt.Sprintf(`{"uri":%q,"tool":"make_thing","args":{"name":"it's 🛫"},"as":"curl"}`, w.agent), ` --data-raw '{"name":"it'\''s 🛫","count":1}'`},
		"a saved case":               {fmt.Sprintf(`{"uri":%q,"tool":"get_thing","case":"the 🚀","as":"curl"}`, uri.File(path("lib.cases.yaml"))), w.api.URL + "/things/rocket"},
		"every option": {fmt.Sprintf(`{"uri":%q,"tool":"get_thing","args":{"id":"it's"},"environment":"dev","allowHosts":["127.0.0.1","localhost:1"],"grant":[{"kind":"web","op":"get","resource":"*"}],"as":"command"}`, w.agent),
			"abl-lsp run " + path("shop.agent.abl") + ` get_thing --args '{"id":"it'\''s"}' --environment dev --grant 'web:get:*' --allow-host 127.0.0.1 --allow-host localhost:1`},
		"a saved case as a command":     {fmt.Sprintf(`{"uri":%q,"tool":"get_thing","case":"the 🚀","as":"command"}`, uri.File(path("lib.cases.yaml"))), "abl-lsp run " + path("lib.tools.abl") + " get_thing --case 'the 🚀' --environment here --allow-host 127.0.0.1"},
		"a case of another environment": {fmt.Sprintf(`{"uri":%q,"tool":"make_thing","case":"its own","as":"command"}`, w.agent), " make_thing --case 'its own' --allow-host 127.0.0.1"},
		"a case called null":            {fmt.Sprintf(`{"uri":%q,"tool":"make_thing","case":"null","args":null,"session":null,"as":"command"}`, w.agent), " make_thing --case null --allow-host 127.0.0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			var answer struct{ Text string }
			if err := w.command("abl.copy", tt.argument, &answer); err != nil || !strings.Contains(answer.Text, tt.want) || strings.Contains(answer.Text, "looked-up") {
				t.Errorf("%s\n%s %v, want %s", tt.argument, answer.Text, err, tt.want)
			}
		})
	}
	for name, tt := range map[string]struct{ argument, want string }{
		"an argument missing":       {fmt.Sprintf(`{"uri":%q,"tool":"get_thing","as":"curl"}`, w.agent), "id"},
		"an error in the tool":      {fmt.Sprintf(`{"uri":%q,"tool":"slow","as":"curl"}`, w.agent), "GTE"},
		"no such form":              {fmt.Sprintf(`{"uri":%q,"tool":"slow","as":"wget"}`, w.agent), "curl or command"},
		"no such tool":              {fmt.Sprintf(`{"uri":%q,"tool":"none","as":"curl"}`, w.agent), `no tool "none"`},
		"no such tool as a command": {fmt.Sprintf(`{"uri":%q,"tool":"none","as":"command"}`, w.agent), `no tool "none"`},

		"no such case":             {fmt.Sprintf(`{"uri":%q,"tool":"get_thing","case":"no","as":"command"}`, w.agent), `no case "no"`},
		"a file that is not saved": {`{"uri":"untitled:New 🛫","tool":"any","as":"command"}`, "is not saved yet"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := w.command("abl.copy", tt.argument, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %s", tt.argument, err, tt.want)
			}
		})
	}
}

func TestExportCommand(t *testing.T) {
	w := openWorkspace(t)
	var answer struct {
		Text        string
		Left, Notes []string
	}
	if err := w.command("abl.export", fmt.Sprintf(`{"uri":%q,"to":"mcp"}`, w.lib), &answer); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(answer.Text, `"name": "get_thing"`) || len(answer.Left) == 0 || answer.Notes == nil {
		t.Errorf("%+v", answer)
	}
	for name, tt := range map[string]struct{ argument, want string }{
		"no such form":       {fmt.Sprintf(`{"uri":%q,"to":"xml"}`, w.lib), `no form "xml"; there are `},
		"an error in a tool": {fmt.Sprintf(`{"uri":%q,"to":"mcp"}`, w.agent), "shop.agent.abl:"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := w.command("abl.export", tt.argument, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %s", tt.argument, err, tt.want)
			}
		})
	}
}

// supportEdits announces that the client applies edits of the server, and creates files.
func supportEdits(p *protocol.InitializeParams) {
	lsptest.WithDocumentChanges(protocol.ResourceOperationKindCreate)(p)
	p.Capabilities.Workspace.ApplyEdit = new(true)
}

// applyServerEdits applies the edits that the server asks for to files on disk.
func (w *workspace) applyServerEdits() {
	w.Answer(protocol.MethodWorkspaceApplyEdit, func(raw jsonrpc2.RawMessage) (any, error) {
		var params struct {
			Edit struct {
				DocumentChanges []struct {
					Kind         string
					URI          uri.URI
					TextDocument struct{ URI uri.URI }
					Edits        []protocol.TextEdit
				}
			}
		}
		if err := json.Unmarshal(raw, &params); err != nil {
			return nil, err
		}
		for _, c := range params.Edit.DocumentChanges {
			if c.Kind == "create" {
				w.write(filepath.Base(c.URI.Path()), "")
				continue
			}
			path := filepath.Join(w.dir, filepath.Base(c.TextDocument.URI.Path()))
			before, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			w.write(filepath.Base(path), applyEdits(string(before), c.Edits))
		}
		return &protocol.ApplyWorkspaceEditResult{Applied: true}, nil
	})
}

func applyEdits(source string, edits []protocol.TextEdit) string {
	lines := text.NewLines(source)
	at := func(p protocol.Position) int {
		return lines.Offset(text.Position{Line: int(p.Line), Character: int(p.Character)}, text.UTF16)
	}
	for _, e := range slices.Backward(edits) {
		source = source[:at(e.Range.Start)] + e.NewText + source[at(e.Range.End):]
	}
	return source
}

// TestSaveCase writes the first case of a file, adds another case to a file, and runs the
// cases that it has written.
func TestSaveCase(t *testing.T) {
	w := openWorkspace(t, lsptest.WithOptions(`{"trusted":true,"allowHosts":["127.0.0.1"]}`), supportEdits)
	w.applyServerEdits()
	cases := uri.File(filepath.Join(w.dir, "lib.cases.yaml"))
	save := func(more string) (at struct {
		URI   uri.URI
		Range protocol.Range
	}, err error) {
		err = w.command("abl.saveCase", fmt.Sprintf(`{"uri":%q,"tool":"get_thing"%s}`, w.agent, more), &at)
		return at, err
	}
	at, err := save(`,"name":"it's 🛫: one","args":{"id":"5","deep":{"n":[10.50,12345678901234567890,null,true,"two words"]}},"environment":"dev","session":{"user.id":"7"},"expect":{"ok":true,"value":"value.id == \"5\""}`)
	if err != nil || at.URI != cases || at.Range != rangeInLine(1, 10, 24) {
		t.Fatalf("%+v %v", at, err)
	}
	first := `get_thing:
  - name: "it's 🛫: one"
    args: {id: "5", deep: {"n": [10.50, 12345678901234567890, null, true, two words]}}
    environment: dev
    session: {"user.id": "7"}
    expect:
      ok: true
      value: 'value.id == "5"'
`
	if got := w.read("lib.cases.yaml"); got != first {
		t.Errorf("%s", got)
	}
	var fields []struct {
		Path, How string
		Ticked    bool
	}
	const answer = `{"id":"a1","name":"東京 😀"}`
	if err := w.command("abl.caseFields", `{"answer":`+answer+`}`, &fields); err != nil || len(fields) != 2 || fields[0].How != "matches" || !fields[1].Ticked {
		t.Fatalf("%+v %v", fields, err)
	}
	w.write("lib.cases.yaml", "get_thing:\n")
	if _, err := save(`,"answer":` + answer + `,"expect":[{"path":"value.id","how":"matches"},{"path":"value.name","how":"equal"}]`); err != nil {
		t.Fatal(err)
	}
	if got := w.read("lib.cases.yaml"); !strings.Contains(got, `value: 'value.id matches "^a\\d+$" && value.name == "東京 😀"'`) {
		t.Errorf("%s", got)
	}
	w.write("lib.cases.yaml", strings.ReplaceAll("# kept 🛫\n"+first+"# below\nmake_thing:\n", "\n", "\r\n"))
	at, err = save(`,"name":" ","args":{"id":"6"}`)
	if err != nil || at.Range != rangeInLine(9, 10, 19) {
		t.Fatalf("%+v %v\n%s", at, err, w.read("lib.cases.yaml"))
	}
	want := "# kept 🛫\n" + first + "  - name: get thing\n    args: {id: \"6\"}\n# below\nmake_thing:\n"
	if got := w.read("lib.cases.yaml"); got != strings.ReplaceAll(want, "\n", "\r\n") {
		t.Errorf("%q", got)
	}
	var row testRow
	if err := w.command("abl.test", fmt.Sprintf(`{"uri":%q,"tool":"get_thing","case":"get thing"}`, cases), &row); err != nil || row.Status != "passed" {
		t.Errorf("%+v %v", row, err)
	}
	w.write("lib.cases.yaml", "get_thing: [ ] # none 🛫\nmake_thing: []\n")
	if at, err = save(`,"session":{},"args":null`); err != nil || at.Range != rangeInLine(1, 10, 19) {
		t.Errorf("%+v %v", at, err)
	}
	if got := w.read("lib.cases.yaml"); got != "get_thing:\n  - name: get thing # none 🛫\nmake_thing: []\n" {
		t.Errorf("%s", got)
	}
	if _, err := save(`,"name":"get thing"`); err == nil || !strings.Contains(err.Error(), "already") {
		t.Error(err)
	}
	w.Answer(protocol.MethodWorkspaceApplyEdit, func(jsonrpc2.RawMessage) (any, error) {
		return &protocol.ApplyWorkspaceEditResult{FailureReason: new("it is read-only 🛫")}, nil
	})
	if _, err := save(`,"name":"another"`); err == nil || !strings.Contains(err.Error(), "it is read-only 🛫") {
		t.Error(err)
	}
}

func (w *workspace) read(name string) string {
	w.t.Helper()
	raw, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(raw)
}

// TestSaveCaseWithoutEdits checks the error for a client that applies no edits.
func TestSaveCaseWithoutEdits(t *testing.T) {
	w := openWorkspace(t)
	err := w.command("abl.saveCase", fmt.Sprintf(`{"uri":%q,"tool":"get_thing","name":"x"}`, w.agent), nil)
	if err == nil || !strings.Contains(err.Error(), "cannot make") {
		t.Error(err)
	}
}

// TestNoSideEffects writes the hint into the file that declares the tool. Then the tool
// runs without a question.
func TestNoSideEffects(t *testing.T) {
	w := openWorkspace(t, lsptest.WithOptions(`{"trusted":true,"allowHosts":["127.0.0.1"]}`), supportEdits)
	w.applyServerEdits()
	if e := w.run("make_thing", `,"args":{"name":"a"}`); e.Needs == nil || e.Needs.Confirmation == nil {
		t.Fatalf("%+v", e)
	}
	argument := fmt.Sprintf(`{"uri":%q,"tool":"make_thing"}`, w.agent)
	checked := strings.Replace(argument, "}", `,"check":true}`, 1)
	if err := w.command("abl.noSideEffects", checked, nil); err != nil || w.read("lib.tools.abl") != w.source(sessionLib) {
		t.Fatal(err)
	}
	if err := w.command("abl.noSideEffects", argument, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.command("abl.noSideEffects", checked, nil); err == nil {
		t.Error("it can be written again")
	}
	if got := w.read("lib.tools.abl"); got != w.source(sessionLib)+"    hints:\n      side_effects: false\n" {
		t.Errorf("%s", got)
	}
	if e := w.run("make_thing", `,"args":{"name":"a"}`); !e.OK {
		t.Errorf("%+v", e.Error)
	}
	for _, tool := range []string{"make_thing", "none"} {
		t.Run(tool, func(t *testing.T) {
			if err := w.command("abl.noSideEffects", fmt.Sprintf(`{"uri":%q,"tool":%q}`, w.agent, tool), nil); err == nil {
				t.Errorf("%s: no error", tool)
			}
		})
	}
}

// TestBadArguments checks that each command reports what is wrong with its argument, with
// an error code of the protocol.
func TestBadArguments(t *testing.T) {
	w := openWorkspace(t, lsptest.WithOptions(`{"trusted":true}`), supportEdits)
	w.write("more.tools.abl", "TOOLS:\n  slow() -> string\n")
	with := func(more string) string { return fmt.Sprintf(`{"uri":%q%s}`, w.agent, more) }
	ofFile := []string{"run", "preview", "test", "tools", "cases", "saveCase", "noSideEffects", "environments", "export", "refresh"}
	for _, name := range ofFile {
		t.Run(name, func(t *testing.T) {
			for what, tt := range map[string]struct{ argument, want string }{
				"an empty object":      {`{}`, "uri is missing"},
				"null":                 {`null`, "uri is missing"},
				"a list":               {`[]`, "it cannot be of the type array"},
				"a number for the uri": {`{"uri":5}`, "uri cannot be of the type number"},
			} {
				t.Run(what, func(t *testing.T) {
					if err := w.command("abl."+name, tt.argument, nil); err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "Go ") {
						t.Errorf("abl.%s %s: %v, want %s", name, tt.argument, err, tt.want)
					}
				})
			}
		})
	}
	for _, tt := range []struct{ name, argument, want string }{
		{"run", with(""), "tool is missing"},
		{"run", with(`,"grant":"x","tool":"slow"`), "grant cannot be of the type string"},
		{"run", fmt.Sprintf(`{"uri":%q,"tool":"a"}`, uri.File(filepath.Join(w.dir, "gone 🛫.tools.abl"))), "gone 🛫.tools.abl is not there any more"},
		{"run", fmt.Sprintf(`{"uri":%q,"tool":"get_thing"}`, uri.File(filepath.Join(w.dir, "gone 🛫.tools.abl"))), "it was renamed or deleted; a tool get_thing is in lib.tools.abl"},
		{"preview", fmt.Sprintf(`{"uri":%q,"tool":"slow"}`, w.lib), "has no tool \"slow\"; a tool slow is in more.tools.abl and in shop.agent.abl"},
		{"noSideEffects", with(`,"tool":"nowhere 🛫"`), "has no tool \"nowhere 🛫\""},
		{"saveCase", with(`,"tool":"nowhere 🛫"`), "has no tool \"nowhere 🛫\""},
		{"saveCase", with(`,"tool":"get_thing","expect":{"ok":"maybe"}`), "ok cannot be of the type string"},
		{"saveCase", with(`,"tool":"get_thing","session":[1]`), "session is an object"},
		{"saveCase", with(`,"tool":"get_thing","args":5`), "args is an object, or a text"},
		{"saveCase", with(`,"tool":"get_thing","expect":{"value":"len(value"}`), "expect.value: "},
		{"saveCase", with(`,"tool":"get_thing","expect":{"value":"valu == 5"}`), "expect.value: "},
		{"saveCase", with(`,"tool":"get_thing","answer":{},"expect":[{"path":"value.id","how":"less"}]`), "expect: value.id: how is one of"},
		{"saveCase", with(""), "tool is missing"},
		{"trust", `{}`, "trusted is missing"},
		{"trust", `{"trusted":null}`, "trusted is missing"},
		{"history", `{"limit":1.5}`, "limit cannot be of the type number 1.5"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := w.command("abl."+tt.name, tt.argument, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("abl.%s %s: %v, want %s", tt.name, tt.argument, err, tt.want)
			}
		})
	}
	if e := w.run("get_thing", `,"args":{"id":"a"}`); e.kind() == "needs" {
		t.Errorf("trust is gone: %+v", e.Error)
	}
	if err := w.command("abl.refresh", with(`,"tool":"get_thing","case":"none"`), nil); err != nil {
		t.Errorf("a refresh knows no cases: %v", err)
	}
}

// TestCalledByService checks that commands accept a tool of a service by the name that
// lenses and abl.tools have, with its version, and from the file of its cases.
func TestCalledByService(t *testing.T) {
	w := openWorkspace(t, lsptest.WithOptions(`{"trusted":true,"allowHosts":["127.0.0.1"]}`), supportEdits)
	w.applyServerEdits()
	tool := "  put(id: string) -> object\n    description: \"🛫\"\n    type: http\n    method: POST\n    endpoint: \"API/things\"\n    service: shop\n    version: \"%d\"\n"
	w.write("put.tools.abl", w.source("TOOLS:\n"+fmt.Sprintf(tool, 1)+fmt.Sprintf(tool, 2)))
	w.write("put.cases.yaml", "put@1:\n  - {name: first, args: {id: a}}\n")
	for _, name := range []string{"put.tools.abl", "put.cases.yaml"} {
		t.Run(name, func(t *testing.T) {
			for what, called := range map[string]string{
				"name@version":             `"put@2"`,
				"name and version":         `"put","version":"2"`,
				"service_name@version":     `"shop_put@2"`,
				"service_name and version": `"shop_put","version":"2"`,
			} {
				t.Run(what, func(t *testing.T) {
					for command, with := range map[string]string{"run": "", "preview": "", "copy": `,"as":"curl"`, "saveCase": "", "history": "", "noSideEffects": `,"check":true`} {
						t.Run(command, func(t *testing.T) {
							argument := fmt.Sprintf(`{"uri":%q,"tool":%s,"args":{"id":"b"}%s}`, uri.File(filepath.Join(w.dir, name)), called, with)
							if err := w.command("abl."+command, argument, nil); err != nil {
								t.Errorf("abl.%s %s: %v", command, argument, err)
							}
						})
					}
				})
			}
		})
	}
	saved := w.read("put.cases.yaml")
	if strings.Count(saved, "\n  - name: ") != 8 || strings.Count(saved, "\nput@2:\n") != 1 || strings.Contains(saved, "shop") {
		t.Errorf("%s", saved)
	}
}
