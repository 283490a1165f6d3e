package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// The codes that a schema can know of.
var formCodes = []string{"unknown-property", "missing-property", "misplaced-property", "invalid-value"}

// agreement compares the answer of a schema with that of the diagnostics.
type agreement struct{ project, cases *jsonschema.Schema }

func newAgreement(t *testing.T) agreement {
	return agreement{compiled(t, "docs/schemas/abl.schema.json"), compiled(t, "docs/schemas/cases.schema.json")}
}

// compare compares the two on a text and says whether it is good.
func (a agreement) compare(t *testing.T, path, source string) (good bool) {
	t.Helper()
	var w model.Workspace
	w = w.With(path, syntax.Parse(source))
	found := check.Run(context.Background(), w, path, check.Options{})
	found = slices.DeleteFunc(found, func(d model.Diagnostic) bool { return !slices.Contains(formCodes, d.Code) })
	s := a.project
	if model.IsCases(path) {
		s = a.cases
	}
	err := s.Validate(plain(yaml.Parse(source).Root()))
	if (err == nil) != (len(found) == 0) {
		t.Errorf("%s\n%s\nthe diagnostics are %+v, the schema says %v", path, source, found, err)
	}
	return err == nil
}

// plain returns a node as JSON has it.
func plain(n *yaml.Node) any {
	switch n.Kind {
	case yaml.Null:
		return nil
	case yaml.Bool:
		return strings.EqualFold(n.Text, "true")
	case yaml.Int, yaml.Float:
		return json.Number(n.Text)
	case yaml.List:
		list := []any{}
		for _, item := range n.Items {
			list = append(list, plain(item))
		}
		return list
	case yaml.Map:
		object := map[string]any{}
		for _, m := range slices.Backward(n.Members) { // what is merged gives way
			object[m.Key.Text] = plain(m.Value)
		}
		return object
	}
	return n.Text
}

// TestAgree is a table of good and bad files.
func TestAgree(t *testing.T) {
	a := newAgreement(t)
	for _, tt := range []struct {
		name, source string
		good         bool
	}{
		{"abl.yaml", "", true},
		{"abl.yaml", "base_url:\nservers:\n", true},
		{"abl.yaml", "callback_base_url: 1", true},
		{"abl.yaml", "base_url: 1", false},
		{"abl.yaml", "base_url: [a]", false},
		{"abl.yaml", "- a", false},
		{"abl.yaml", "text", false},
		{"abl.yaml", "base_ulr: x", false},
		{"abl.yaml", "x-mine: {any: [1]}", true},
		{"abl.yaml", "servers: {a: {}}", true},
		{"abl.yaml", "servers: {a: }", true},
		{"abl.yaml", "servers: {a: 5}", false},
		{"abl.yaml", "servers: [a]", false},
		{"abl.yaml", "servers: {a: {transport: stdio, command: x}}", true},
		{"abl.yaml", "servers: {a: {transport: stdio}}", false},
		{"abl.yaml", "servers: {a: {transport: stdio, command: ''}}", false},
		{"abl.yaml", "servers: {a: {transport: stdio, command: }}", false},
		{"abl.yaml", "servers: {a: {transport: stdio, command: x, url: y}}", false},
		{"abl.yaml", "servers: {a: {transport: http, url: y, headers: {X: 1}}}", true},
		{"abl.yaml", "servers: {a: {transport: http, url: y, args: []}}", false},
		{"abl.yaml", "servers: {a: {transport: ftp, url: y}}", false},
		{"abl.yaml", "servers: {a: {transport: '{{env.T}}', url: y}}", true},
		{"abl.yaml", "servers: {a: {url: y}}", false},
		{"abl.yaml", "servers: {a: {transport: , url: y}}", false},
		{"abl.yaml", "servers: {a: {transport: http, url: y, x-note: z}}", true},
		{"abl.yaml", "servers: {a: {transport: http, url: y, note: z}}", false},
		{"abl.yaml", "functions: {f: {provider: local, command: [x]}}", true},
		{"abl.yaml", "functions: {f: {provider: local, command: x}}", false},
		{"abl.yaml", "functions: {f: {provider: aws}}", false},
		{"abl.yaml", "functions: {f: {provider: gcp}}", true},
		{"abl.yaml", "functions: {f: {provider: local, command: [{a: b}]}}", false},
		{"abl.yaml", "sources: {s: {kind: postgres, port: 5432}}", true},
		{"abl.yaml", "sources: {s: {kind: postgres, port: 0}}", false},
		{"abl.yaml", "sources: {s: {kind: postgres, port: '5432'}}", false},
		{"abl.yaml", "sources: {s: {kind: postgres, port: '{{env.P}}'}}", true},
		{"abl.yaml", "sources: {s: {kind: postgres, port: 5.5}}", false},
		{"abl.yaml", "sources: {s: {kind: sqlite}}", false},
		{"abl.yaml", "sources: {s: {kind: http, base_url: https://x, timeout: 5s}}", true},
		{"abl.yaml", "auth_services: {a: {kind: google, client_id: x, scopes: [a]}}", true},
		{"abl.yaml", "auth_services: {a: {kind: saml, token_url: x}}", false},
		{"abl.yaml", "credentials: {h: {bearer: x, headers: {A: b}}}", true},
		{"abl.yaml", "credentials: {h: {token: x}}", false},
		{"abl.yaml", "variables: {a: 1}\nprotected: true", true},
		{"abl.yaml", "environments: {dev: {protected: true, variables: {a: 1}, servers: {a: {transport: http, url: y}}}}", true},
		{"abl.yaml", "environments: {dev: {variables: {a: {b: c}}}}", false},
		{"abl.yaml", "servers: {a: {transport: stdio, command: x, env: {A: [b]}}}", false},
		{"abl.yaml", "callback_port: 65536", false},
		{"abl.yaml", "environments: {dev: {protected: yes}}", false},
		{"abl.yaml", "environments: {dev: {servers: {a: {transport: http}}}}", false},
		{"abl.yaml", "environments: {dev: {environments: {}}}", false},
		{"abl.yaml", "secrets: {providers: [env, command], command: [pass]}", true},
		{"abl.yaml", "secrets: {providers: [env, vault]}", false},
		{"abl.yaml", "secrets: {providers: env}", false},
		{"abl.yaml", "sandbox: {engine: wasm}\nsearch: {backend: searxng, url: x}", true},
		{"abl.yaml", "search: {backend: any}", false},
		{"abl.yaml", "sandbox: {engine: docker}", false},
		{"abl.yaml", "permissions: {allow: [{kind: web}], deny: []}", true},
		{"abl.yaml", "permissions: {allow: [web]}", false},
		{"abl.yaml", "permissions: {deny: [{kin: web}]}", false},
		{"abl.yaml", "limits: {response_bytes: 10MB, rows: 10}", true},
		{"abl.yaml", "limits: {response_bytes: 4096}", true},
		{"abl.yaml", "limits: {response_bytes: much}", false},
		{"abl.yaml", "limits: {response_bytes: true}", false},
		{"abl.yaml", "limits: {rows: 0}", false},
		{"abl.yaml", "services: {s: {module: ./a.mjs, settings: 1, auth: [x]}}", true},
		{"abl.yaml", "services: {s: {modul: ./a.mjs}}", false},
		{"a.cases.yaml", "", true},
		{"a.cases.yaml", "tool:\n  - {name: a, args: {x: [1]}, session: {user.id: 7}, tags: [a], expect: {ok: true, value: \"1 == 1\"}}", true},
		{"a.cases.yaml", "tool:\n  - {}\n  -\n", true},
		{"a.cases.yaml", "tool: [{args: two words 🛫}]\ntool@1.0: [{args: {input: a}}]", true},
		{"a.cases.yaml", "tool: [{args: 5}]", false},
		{"a.cases.yaml", "tool: {args: {}}", false},
		{"a.cases.yaml", "tool: [text]", false},
		{"a.cases.yaml", "tool: [{arg: {}}]", false},
		{"a.cases.yaml", "tool: [{args: [1]}]", false},
		{"a.cases.yaml", "tool: [{expect: {ok: 'true'}}]", false},
		{"a.cases.yaml", "tool: [{expect: {status: 1}}]", false},
		{"a.cases.yaml", "tool: [{tags: a}]", false},
		{"a.cases.yaml", "x-mine: {a: 1}\ntool: [{name: a}]", true},
		{"a.cases.yaml", "- a", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if good := a.in(t, tt.name, tt.source); good != tt.good {
				t.Errorf("%s\n%s\nis good: %t", tt.name, tt.source, good)
			}
		})
	}
}

func (a agreement) in(t *testing.T, name, source string) bool {
	t.Helper()
	return a.compare(t, filepath.Join(string(filepath.Separator), "p", name), source)
}

// example is a fenced block of YAML in a page.
var example = regexp.MustCompile("(?s)```yaml[^\n]*\n(.*?)```")

// TestAgreeOnExamples checks the examples of the pages and the files of the repository.
func TestAgreeOnExamples(t *testing.T) {
	a := newAgreement(t)
	good := 0
	for name, source := range examples(t) {
		if a.compare(t, name, source) {
			good++
		} else if strings.HasPrefix(name, "/docs/abl-yaml.md") || strings.HasPrefix(name, "/docs/runs.md") {
			t.Errorf("%s shows a mistake:\n%s", name, source)
		}
	}
	if good < 15 {
		t.Errorf("only %d good files", good)
	}
}

// examples returns texts by a descriptive name.
func examples(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, dir := range []string{"docs", "testdata"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, _ := filepath.Rel(root, path)
			name = "/" + filepath.ToSlash(name)
			raw, err := os.ReadFile(path)
			switch {
			case model.IsProjectFile(path), model.IsCases(path):
				all[name] = string(raw)
			case filepath.Ext(path) == ".md":
				shown(all, name, string(raw))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// foreign are the pages that show files of other systems.
var foreign = []string{"/docs/foreign.md", "/docs/cli.md"}

func shown(all map[string]string, name, page string) {
	if slices.Contains(foreign, name) {
		return
	}
	for i, m := range example.FindAllStringSubmatch(page, -1) {
		file := "abl.yaml"
		if strings.Contains(m[1], "expect:") || strings.Contains(m[1], "  - name:") {
			file = "a.cases.yaml"
		}
		all[fmt.Sprintf("%s/%d/%s", name, i, file)] = m[1]
	}
}
