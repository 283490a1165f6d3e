package corail_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/dialect/corail"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// published maps the fields in the schema of the resource to their kinds.
var published = map[string]yaml.Kind{
	"name": yaml.String, "type": yaml.String, "category": yaml.String, "description": yaml.String, "endpoint": yaml.String,
	"method": yaml.String, "headers": yaml.Map, "binary": yaml.String, "allowedCommands": yaml.List, "mcpEndpoint": yaml.String,
	"parameters": yaml.List, "timeout": yaml.Int, "enabled": yaml.Bool,
}

var publishedParam = map[string]yaml.Kind{
	"name": yaml.String, "type": yaml.String, "description": yaml.String, "required": yaml.Bool, "default": yaml.String,
}

// resourceName turns a name into a valid name of a resource.
var resourceName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

// TestResources checks that a cluster accepts the resources that are written for the tools of all
// systems: they have only fields of the schema of the resource, and no two have the same name.
func TestResources(t *testing.T) {
	names, err := filepath.Glob("../testdata/*.*")
	if err != nil || len(names) == 0 {
		t.Fatal("no examples", err)
	}
	tools := []tool.Tool{
		{Name: "Search_flights", Kind: tool.KindHTTP, Spec: &tool.HTTP{Endpoint: "https://a.example.com", Method: "GET"}},
		{Name: "search-flights", Kind: tool.KindHTTP, Spec: &tool.HTTP{Endpoint: "https://a.example.com", Method: "GET", Timeout: "1500"}},
	}
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range dialect.Read(name, string(source)).Tools {
			tools = append(tools, d.Tool)
		}
	}
	written := corail.WriteResources(tools, nil).Text
	seen := map[string]bool{}
	for _, root := range yaml.Parse(written).Roots() {
		name := root.Get("metadata").Get("name").Text
		if !resourceName.MatchString(name) || seen[name] || root.Get("apiVersion").Text != "agents.recif.dev/v1" || root.Get("kind").Text != "Tool" {
			t.Errorf("%s: %s %s", name, root.Get("apiVersion").Text, root.Get("kind").Text)
		}
		seen[name] = true
		spec := root.Get("spec")
		holds(t, name, spec, published)
		params := spec.Get("parameters")
		if params == nil {
			continue
		}
		for _, p := range params.Items {
			holds(t, name+".parameters", p, publishedParam)
			if !slices.Contains([]string{"string", "integer", "number", "boolean"}, p.Get("type").Text) {
				t.Errorf("%s: a parameter of the type %s", name, p.Get("type").Text)
			}
		}
	}
	if len(seen) < 5 {
		t.Errorf("%d resources", len(seen))
	}
}

func holds(t *testing.T, name string, n *yaml.Node, fields map[string]yaml.Kind) {
	t.Helper()
	for _, m := range n.Members {
		if kind, ok := fields[m.Key.Text]; !ok || m.Value.Kind != kind {
			t.Errorf("%s: %s is of the kind %v", name, m.Key.Text, m.Value.Kind)
		}
	}
	for _, key := range []string{"name", "type"} {
		if n.Member(key) == nil {
			t.Errorf("%s: no %s", name, key)
		}
	}
}

// TestListNames checks that an entry has the field names that the operator writes, because Corail
// accepts no others.
func TestListNames(t *testing.T) {
	git := tool.Tool{Name: "git", Kind: tool.KindCLI, Spec: &tool.CLI{Binary: "git", AllowedCommands: []string{"log"}}}
	git.RiskLevel = "safe"
	written := corail.WriteList([]tool.Tool{git}, nil).Text
	for _, want := range []string{`"allowedCommands": [`, `"risk_level": "safe"`} {
		if !strings.Contains(written, want) {
			t.Errorf("%s is missing in %s", want, written)
		}
	}
}
