package dialect_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/tool"
)

// shownName matches the names that OpenAI accepts for functions, and MCP for tools.
var shownName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// TestShown checks all that models and callers see of random tools: schemas are valid in the draft
// that they name, names are valid, and there is nothing of parameters that callers do not give.
func TestShown(t *testing.T) {
	forms := map[string]func(tools []tool.Tool, project tool.Object) string{}
	for _, f := range dialect.Forms() {
		forms[f.Name] = func(tools []tool.Tool, project tool.Object) string { return f.Write(tools, project).Text }
	}
	for seed := range uint64(200) {
		source, tools := randomTools(seed, 3)
		for _, form := range []string{"mcp", "openai", "json-schema"} {
			written := forms[form](tools, projectText)
			var v any
			if err := json.Unmarshal([]byte(written), &v); err != nil {
				t.Fatal(err)
			}
			checkShown(t, form, v)
			for _, one := range tools {
				for _, p := range one.Arguments() {
					if strings.HasPrefix(p.Name, "p") && !p.Shown() && strings.Contains(written, `"`+p.Name+`"`) {
						t.Errorf("%s: %s is shown\n%s\nof\n%s", form, p.Name, written, source)
					}
				}
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
}

// checkShown reports invalid schemas and invalid names in what was written.
func checkShown(t *testing.T, form string, v any) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			checkShown(t, form, item)
		}
	case map[string]any:
		if name, ok := v["name"].(string); ok && !shownName.MatchString(name) {
			t.Errorf("%s: the name %q", form, name)
		}
		for key, inner := range v {
			if key == "inputSchema" || key == "outputSchema" || key == "parameters" {
				c := jsonschema.NewCompiler()
				c.DefaultDraft(jsonschema.Draft2020)
				err := c.AddResource("a.json", inner)
				if err == nil {
					_, err = c.Compile("a.json")
				}
				if err != nil {
					t.Errorf("%s: %v\n%v", form, err, inner)
				}
			} else {
				checkShown(t, form, inner)
			}
		}
	}
}
