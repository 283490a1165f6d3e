package model_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/model"
	"github.com/abl-lsp/abl-lsp/tool"
)

// openAITool is a function as it appears in a call to OpenAI's models.
type openAITool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string         `json:"name"`
		Description string         `json:"description"`
		Strict      *bool          `json:"strict"`
		Parameters  map[string]any `json:"parameters"`
	} `json:"function"`
}

func functions(t *testing.T, tools ...tool.Tool) (list []openAITool, notes []string) {
	t.Helper()
	w := model.WriteOpenAI(tools, nil)
	d := json.NewDecoder(strings.NewReader(w.Text))
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil {
		t.Fatal(err)
	}
	return list, append(w.Notes, foreign.LossTexts(w.Lost)...)
}

// TestOpenAI checks that functions follow the documented rules for names and for strict schemas.
func TestOpenAI(t *testing.T) {
	strict := 0
	all, _ := functions(t, examples(t)...)
	for _, f := range all {
		if f.Type != "function" || !regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`).MatchString(f.Function.Name) || f.Function.Strict == nil {
			t.Errorf("%+v", f)
		}
		if f.Function.Parameters["type"] != "object" {
			t.Errorf("%s: parameters of the type %v", f.Function.Name, f.Function.Parameters["type"])
		}
		if *f.Function.Strict {
			strict++
			isStrict(t, f.Function.Name, f.Function.Parameters, 1)
		}
	}
	if strict == 0 || strict == len(all) {
		t.Errorf("%d of %d are strict", strict, len(all))
	}
}

// strictKeywords are the keywords that OpenAI documents for strict schemas.
var strictKeywords = []string{
	"type", "description", "title", "enum", "const", "anyOf", "properties", "required", "additionalProperties", "items", "$defs", "$ref",
	"pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems",
}

func isStrict(t *testing.T, at string, schema map[string]any, depth int) {
	t.Helper()
	for key := range schema {
		if !slices.Contains(strictKeywords, key) {
			t.Errorf("%s: a strict schema has no %s", at, key)
		}
	}
	if depth == 1 && schema["anyOf"] != nil {
		t.Errorf("%s: anyOf at the root", at)
	}
	if depth > 10 {
		t.Errorf("%s: too deep", at)
	}
	if kinds := fmt.Sprint(schema["type"]); strings.Contains(kinds, "object") {
		props, _ := schema["properties"].(map[string]any)
		required, _ := schema["required"].([]any)
		if schema["additionalProperties"] != false || len(required) != len(props) {
			t.Errorf("%s: %v", at, schema)
		}
		for name, p := range props {
			if !slices.Contains(required, any(name)) {
				t.Errorf("%s.%s is not required", at, name)
			}
			isStrict(t, at+"."+name, p.(map[string]any), depth+1)
		}
	}
	if items, ok := schema["items"].(map[string]any); ok {
		isStrict(t, at+"[]", items, depth+1)
	}
	choices, _ := schema["anyOf"].([]any)
	for _, c := range choices {
		isStrict(t, at, c.(map[string]any), depth+1)
	}
}

// TestOpenAINames checks that a tool whose name no function can have is left out and reported.
func TestOpenAINames(t *testing.T) {
	long := strings.Repeat("a", 65)
	named := func(name, service string) tool.Tool {
		return tool.Tool{Name: name, Namespace: service, Description: "d"}
	}
	all, notes := functions(t, named("search-flights", ""), named("crm.find", ""), named(long, ""), named("find", "github"), named("github_find", ""))
	var names []string
	for _, f := range all {
		names = append(names, f.Function.Name)
	}
	if got := strings.Join(names, " "); got != "search-flights github_find" {
		t.Errorf("got %s", got)
	}
	messages := strings.Join(notes, "\n")
	for _, want := range []string{"crm.find: the whole tool, since a name has", long + ": the whole tool", "github_find: the whole tool, since another one is called so"} {
		if !strings.Contains(messages, want) {
			t.Errorf("no %q in\n%s", want, messages)
		}
	}
}

// TestStrict checks which schemas of tools cannot be strict.
func TestStrict(t *testing.T) {
	for _, tt := range []struct{ schema, note string }{
		{`{"type": "object", "properties": {"a": {"type": "string", "minLength": 2}}}`, ""},
		{`{"type": "object", "properties": {"a": {"enum": ["x", 1]}}}`, ""},
		{`{"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}`, ""},
		{`{"type": "object", "properties": {}}`, ""},
		{`{"type": "object", "properties": {"a": {}}}`, "anything may stand in a"},
		{`{"type": "object", "properties": {"a": {"type": "object"}}}`, "any properties may stand in a"},
		{`{"type": "object", "properties": {"a": {"type": "array"}}}`, "a list may hold anything in a"},
		{`{"type": "object", "properties": {"a": {"type": ["object", "null"]}}}`, "several types may stand, one of which has parts in a"},
		{`{"type": "object", "properties": {"a": {"type": "object", "properties": {}, "additionalProperties": {"type": "string"}}}}`, "more properties than are named may stand in a"},
		{`{"type": "object", "properties": {"a": {"allOf": [{"type": "string"}], "type": "string"}}}`, "`allOf` is in its schema in a"},
		{`{"type": "object", "properties": {"a": {"$ref": "#/$defs/x", "type": "string"}}}`, "`$ref` is in its schema in a"},
		{`{"type": "object", "properties": {"a": ` + strings.Repeat(`{"type": "array", "items": `, 12) + `{"type": "string"}` + strings.Repeat("}", 12) + `}}`, "its values stand more than 10 deep"},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.schema), func(t *testing.T) {
			all, notes := functions(t, tool.Tool{Name: "f", Common: tool.Common{InputSchema: json.RawMessage(tt.schema)}})
			if got := *all[0].Function.Strict; got != (tt.note == "") || !strings.Contains(strings.Join(notes, "\n"), tt.note) {
				t.Errorf("%s: strict %v, %q", tt.schema, got, notes)
			}
			if tt.note == "" {
				isStrict(t, "f", all[0].Function.Parameters, 1)
			}
		})
	}
}
