package analysis_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// TestCaseArguments checks that a new case gives what the tool's schema requires, for every tool of
// the corpus whose defaults fit the schema.
func TestCaseArguments(t *testing.T) {
	seen := 0
	for _, w := range corpusProjects(t) {
		for _, path := range w.Paths() {
			for _, x := range refactoringsIn(w, path) {
				if x.refactoring.Name == "case" && !strings.Contains(path, "broken") && !strings.Contains(path, "odd") {
					seen++
					checkCase(t, x)
				}
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d tools", seen)
	}
}

func checkCase(t *testing.T, x refactoringTrial) {
	t.Helper()
	edits, err := x.refactoring.Edits(t.Context(), withMissingFiles(x.w, x.refactoring.Reads))
	if err != nil {
		t.Fatal(err)
	}
	var cases map[string][]struct {
		Args map[string]any `yaml:"args"`
	}
	if err := yaml.Unmarshal([]byte(edits[0].NewText), &cases); err != nil {
		t.Fatalf("%v\n%s", err, edits[0].NewText)
	}
	for name, all := range cases {
		lowered, ok := model.Lower(x.w, x.path, name)
		raw, err := json.Marshal(all[0].Args)
		if !ok || err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := validate(lowered, raw); err != nil {
			t.Errorf("%s: %s: %v\n%s", x.path, name, err, edits[0].NewText)
		}
	}
}

func validate(l model.LoweredTool, args []byte) error {
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(l.Tool.ArgumentSchema()))
	if err != nil {
		return err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("tool.json", schema); err != nil {
		return err
	}
	compiled, err := c.Compile("tool.json")
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(args))
	if err != nil {
		return err
	}
	return compiled.Validate(value)
}
