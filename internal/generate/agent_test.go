package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

const agentSchemaFile = "docs/schemas/agent.schema.json"

// agentPlace is a value in an agent in YAML.
type agentPlace struct {
	path string
	row  *tool.Field
	file func(value any) any // a whole agent with a value at the place
}

// agentPlaces returns all places of the table, without those below a place of the same row.
func agentPlaces() []agentPlace {
	root := section.YAMLAgent()
	w := placeWalker{above: map[*tool.Field]bool{}}
	w.below(agentPlace{row: root, file: func(v any) any { return v }})
	return w.places
}

type placeWalker struct {
	places []agentPlace
	above  map[*tool.Field]bool
}

func (w *placeWalker) add(p agentPlace) {
	w.places = append(w.places, p)
	w.below(p)
}

func (w *placeWalker) below(p agentPlace) {
	for i := range p.row.Fields {
		row := &p.row.Fields[i]
		if p.row.Type == tool.BlockList || w.above[row] {
			break
		}
		w.above[row] = true
		w.add(agentPlace{p.path + "." + row.Name, row, func(v any) any { return p.file(withKey(p.row, row.Name, v)) }})
		delete(w.above, row)
	}
	if item := projectfile.ItemField(p.row); item != nil {
		w.add(agentPlace{p.path + "[]", item, func(v any) any { return p.file([]any{v}) }})
	}
	if p.row.Each != nil {
		w.add(agentPlace{p.path + ".*", p.row.Each, func(v any) any { return p.file(map[string]any{"x": v}) }})
	}
}

// withKey returns a block of row with a value of one key, and with the others that it needs.
func withKey(row *tool.Field, key string, value any) any {
	block := map[string]any{}
	if required, ok := sample(row).(map[string]any); ok {
		block = required
	}
	if row, _ := tool.Find(row.Fields, key); row != nil && row.Needs != nil {
		block["action"] = row.Needs[0]
	}
	block[key] = value
	return block
}

// sample returns a good value.
func sample(row *tool.Field) any {
	switch row.Type {
	case tool.Block:
		block := map[string]any{}
		for i := range row.Fields {
			_, isNeedless := block[row.Fields[i].Unless]
			if row.Fields[i].Required && !isNeedless {
				block[row.Fields[i].Name] = sample(&row.Fields[i])
			}
		}
		return block
	case tool.BlockList, tool.ListType:
		return []any{}
	case tool.MapType:
		return map[string]any{}
	case tool.NumberType:
		if row.Range != nil {
			return row.Range.Min
		}
		return 1
	case tool.BooleanType:
		return true
	case tool.WordType:
		return row.Values[0].Name
	case tool.AnyType:
		return nil
	}
	if row.Pattern != nil {
		return "session:start"
	}
	return "some_text"
}

// badValues returns values that the place must not have, by what is wrong with them.
func badValues(row *tool.Field) map[string]any {
	if row.Deprecated != "" && row.Refused {
		return map[string]any{"a removed key": "text"}
	}
	list, text, number, mapping := []any{[]any{}}, "no such word", 5, map[string]any{"no_such_key": 1}
	bad := map[string]any{}
	isOpen := row.Pattern != nil && row.Pattern.MatchString(text) // the words are not all
	switch row.Type {
	case tool.AnyType:
		return nil
	case tool.Block:
		if row.Items == nil {
			bad["a list"] = list
		}
	case tool.MapType:
		bad["a list"] = list
	case tool.BlockList, tool.ListType:
		bad["a map"] = mapping
	default:
		bad["a list"], bad["a map"] = list, mapping
	}
	switch {
	case row.Type == tool.BooleanType:
		bad["a text"], bad["a number"] = text, number
	case row.Type == tool.NumberType:
		bad["a text"], bad["a boolean"] = text, true
		bad["too small"] = -1.5
		if row.Signed {
			delete(bad, "too small")
		}
	case len(row.Values) > 0 && !isOpen:
		bad["another word"] = text
	case row.Type == tool.String && row.OnlyText:
		bad["a number"], bad["a boolean"] = number, true
	case row.Type == tool.String && row.Pattern != nil:
		bad["another form"] = text
	case !row.Type.IsSingle() && !row.OneLine:
		bad["a text"], bad["a number"] = text, number
	}
	return bad
}

// TestAgentSchema gives each place of the table a good value and all bad ones.
func TestAgentSchema(t *testing.T) {
	schema := compiled(t, agentSchemaFile)
	places := agentPlaces()
	for _, p := range places {
		if p.row.Deprecated == "" {
			if err := schema.Validate(asJSON(t, p.file(sample(p.row)))); err != nil {
				t.Errorf("%s: %v", p.path, err)
			}
		}
		for what, bad := range badValues(p.row) {
			if schema.Validate(asJSON(t, p.file(bad))) == nil {
				t.Errorf("%s may be %s", p.path, what)
			}
		}
	}
	if len(places) < 1000 {
		t.Errorf("%d places", len(places))
	}
}

func asJSON(t *testing.T, v any) any {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	v, err = jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestAgentSchemaAgrees: the diagnostics find each wrong value that the schema finds, and nothing
// where a value is right.
func TestAgentSchemaAgrees(t *testing.T) {
	const path = "/p/a.agent.yaml"
	for name, p := range examplePlaces() {
		if source := asYAML(t, p.file(sample(p.row))); len(faultsOf(path, source)) > 0 && p.row.Deprecated == "" {
			t.Errorf("%s\n%s%+v", name, source, faultsOf(path, source))
		}
	}
	for _, p := range agentPlaces() {
		for what, bad := range badValues(p.row) {
			if source := asYAML(t, p.file(bad)); len(faultsOf(path, source)) == 0 {
				t.Errorf("%s may be %s in\n%s", p.path, what, source)
			}
		}
	}
}

// TestAgentSchemaInYAMLServer checks the schema in the language server for YAML that editors use: it
// has no complaint about agents without an error, and finds each kind of value that is wrong.
func TestAgentSchemaInYAMLServer(t *testing.T) {
	y := startYAMLServer(t)
	good, bad := agentFiles(t), map[string]string{}
	for name, p := range examplePlaces() {
		good[name] = asYAML(t, p.file(sample(p.row)))
		for what, value := range badValues(p.row) {
			bad[name+" as "+what] = asYAML(t, p.file(value))
		}
	}
	for _, files := range []map[string]string{good, bad} {
		for name, source := range files {
			y.open(name, source)
		}
	}
	for name, source := range good {
		if found := y.complaints(name); len(found) > 0 {
			t.Errorf("%s\n%s\n%s", name, source, strings.Join(found, "\n"))
		}
	}
	for name, source := range bad {
		if len(y.complaints(name)) == 0 {
			t.Errorf("%s: no complaint about\n%s", name, source)
		}
	}
	if len(good) < 90 || len(bad) < 150 {
		t.Errorf("%d good files, %d bad ones", len(good), len(bad))
	}
}

// examplePlaces returns one place for each closed set, each range and each shape of the table.
func examplePlaces() map[string]agentPlace {
	examples, seen := map[string]agentPlace{}, map[string]bool{}
	for _, p := range agentPlaces() {
		r := p.row
		kind := fmt.Sprint(r.Type, r.OneLine, r.Items != nil, r.Each != nil, r.Named, r.OnlyText, r.AnyCase, r.Range, r.Signed, r.Pattern != nil, tool.WordNames(r.Values), r.Refused && r.Deprecated != "")
		if !seen[kind] && r.Deprecated == "" || r.Deprecated != "" && r.Refused {
			seen[kind] = true
			examples[p.path] = p
		}
	}
	return examples
}

// asYAML returns a whole agent as YAML, each key of its root on a line.
func asYAML(t *testing.T, agent any) string {
	t.Helper()
	var b strings.Builder
	keys := agent.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		raw, err := json.Marshal(keys[key])
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s: %s\n", key, raw)
	}
	return b.String()
}

// yamlServer is yaml-language-server with the schema of agents.
type yamlServer struct {
	*lsptest.Client
}

func startYAMLServer(t *testing.T) yamlServer {
	t.Helper()
	node, modules := testdeps.FindNPMPackage(t, "yaml-language-server")
	script := filepath.Join(modules, "yaml-language-server", "bin", "yaml-language-server")
	c := lsptest.Start(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
		server := exec.CommandContext(ctx, node, script, "--stdio")
		server.Stdin, server.Stdout = in, out
		return server.Run()
	})
	schema, err := filepath.Abs(filepath.Join(root, agentSchemaFile))
	if err != nil {
		t.Fatal(err)
	}
	settings := map[string]any{
		"yaml": map[string]any{
			"validate": true, "schemaStore": map[string]any{"enable": false},
			"schemas": map[string]any{string(uri.File(schema)): "*.agent.yaml"},
		},
	}
	c.Answer(protocol.MethodWorkspaceConfiguration, func(jsonrpc2.RawMessage) (any, error) {
		return []any{settings["yaml"], nil, nil, nil, nil}, nil
	})
	c.Initialize()
	c.Notify(protocol.MethodWorkspaceDidChangeConfiguration, map[string]any{"settings": settings})
	return yamlServer{c}
}

// agentURI returns the URI of a file with that name. Patterns of the server match no file that begins
// with a dot.
func agentURI(name string) uri.URI {
	name = strings.NewReplacer("/", "-", "*", "x", "[]", "-", " ", "_").Replace(strings.TrimSuffix(name, agentSuffix))
	return uri.File(filepath.Join(string(filepath.Separator), "p", "at"+name+agentSuffix))
}

const agentSuffix = ".agent.yaml"

func (y yamlServer) open(name, source string) {
	y.Notify(protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{URI: agentURI(name), LanguageID: "yaml", Version: 1, Text: source},
	})
}

// complaints waits for what the server says about a file.
func (y yamlServer) complaints(name string) []string {
	var all []string
	y.Await(protocol.MethodTextDocumentPublishDiagnostics, func(raw jsonrpc2.RawMessage) bool {
		var p protocol.PublishDiagnosticsParams
		if protocol.Unmarshal(raw, &p) != nil || p.URI != agentURI(name) {
			return false
		}
		for _, d := range p.Diagnostics {
			if strings.HasPrefix(fmt.Sprint(d.Message), "Unused anchor") {
				continue // no matter of the schema
			}
			all = append(all, fmt.Sprintf("%d:%d %v", d.Range.Start.Line+1, d.Range.Start.Character+1, d.Message))
		}
		return true
	})
	return all
}

// faultsOf returns what the diagnostics say of the form of an agent in YAML, without what they only
// inform of.
func faultsOf(path, source string) []model.Diagnostic {
	var w model.Workspace
	w = w.With(path, syntax.Parse(source))
	return slices.DeleteFunc(check.Run(context.Background(), w, path, check.Options{}), func(d model.Diagnostic) bool {
		return d.Severity > model.Warning || !slices.Contains(agentFormCodes, d.Code)
	})
}

// agentFormCodes are the codes for which a schema or a reader of YAML complains, too.
var agentFormCodes = []string{"file-suffix", "syntax-error", "duplicate-property", "missing-section", "removed-section", "missing-property", "invalid-value"}

// agentFiles returns the agents in YAML of the corpus whose form is right, by their path.
func agentFiles(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(filepath.Join(root, "testdata", "corpus"), func(path string, d os.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		if err != nil || d.IsDir() || !strings.HasSuffix(name, agentSuffix) {
			return err
		}
		raw, err := os.ReadFile(path)
		if len(faultsOf("/"+name, string(raw))) == 0 {
			all[name] = string(raw)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
