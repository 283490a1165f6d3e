package executor

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/tool"
)

func TestFillPrompt(t *testing.T) {
	p := &tool.Prompt{Name: "review", Messages: []tool.PromptMessage{
		{Role: "user", Content: "Review {{.code}} in {{.lang}}{{if .strict}}, strictly{{end}}.{{range .files}} [{{.}}]{{end}}"},
		{Role: "assistant", Content: "{{.count}} {{.options}} {{.ratio}}"},
	}, Arguments: []tool.Param{
		{Name: "code", Type: &tool.Type{Name: "string"}},
		{Name: "lang", Type: &tool.Type{Name: "string"}, Default: json.RawMessage(`"go"`), AllowedValues: []json.RawMessage{json.RawMessage(`"go"`), json.RawMessage(`"^py"`)}},
		{Name: "strict", Type: &tool.Type{Name: "boolean"}, Optional: true},
		{Name: "files", Type: &tool.Type{Name: "array", Elem: &tool.Type{Name: "string"}}, Optional: true},
		{Name: "count", Type: &tool.Type{Name: "integer"}, Optional: true, MinValue: "2"},
		{Name: "ratio", Type: &tool.Type{Name: "float"}, Optional: true},
		{Name: "options", Type: &tool.Type{Name: "map"}, Optional: true},
	}}
	for name, tt := range map[string]struct {
		args map[string]string
		want []string
	}{
		"required only": {map[string]string{"code": "x < {{.lang}} 🧭"}, []string{"Review x < {{.lang}} 🧭 in go.", "  "}},
		"all": {
			map[string]string{"code": "y", "lang": "python", "strict": "true", "files": `["a", "b"]`, "count": "9007199254740993", "ratio": "1.50", "options": `{"k": 1}`},
			[]string{"Review y in python, strictly. [a] [b]", "9007199254740993 map[k:1] 1.5"},
		},
		"empty texts are no arguments":       {map[string]string{"code": "", "lang": "", "strict": "", "files": ""}, []string{"Review  in go.", "  "}},
		"a boolean that is false":            {map[string]string{"code": "y", "strict": "false"}, []string{"Review y in go.", "  "}},
		"an argument that nobody has":        {map[string]string{"code": "y", "other": "z"}, []string{"Review y in go.", "  "}},
		"a list without elements":            {map[string]string{"code": "y", "files": "[]"}, []string{"Review y in go.", "  "}},
		"a text that looks like a number":    {map[string]string{"code": "12"}, []string{"Review 12 in go.", "  "}},
		"a text that looks like a statement": {map[string]string{"code": `"a"`}, []string{`Review "a" in go.`, "  "}},
	} {
		t.Run(name, func(t *testing.T) {
			messages, err := FillPrompt(p, tt.args)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]tool.PromptMessage{{Role: "user", Content: tt.want[0]}, {Role: "assistant", Content: tt.want[1]}}, messages); diff != "" {
				t.Error(diff)
			}
		})
	}
	for name, tt := range map[string]struct {
		args map[string]string
		want string
	}{
		"missing":          {map[string]string{"lang": "go"}, "review needs code"},
		"not allowed":      {map[string]string{"code": "a", "lang": "rust"}, `lang: must be one of go, ^py, not "rust"`},
		"no boolean":       {map[string]string{"code": "a", "strict": "perhaps"}, `strict: must be true or false, not "perhaps"`},
		"no whole number":  {map[string]string{"code": "a", "count": "2.5"}, "count: must be a whole number, not 2.5"},
		"too small":        {map[string]string{"code": "a", "count": "1"}, "count: must be at least 2, not 1"},
		"no list":          {map[string]string{"code": "a", "files": "a"}, `files: must be an array, not "a"`},
		"a list of others": {map[string]string{"code": "a", "files": "[1]"}, "files[0]: must be a string, not 1"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := FillPrompt(p, tt.args)
			if fault, ok := errors.AsType[*Error](err); !ok || fault.Kind != KindArguments || fault.Message != tt.want {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
	broken := &tool.Prompt{Name: "loop", Messages: []tool.PromptMessage{{Content: "{{range 1000000}}{{end}}"}}}
	if _, err := FillPrompt(broken, nil); err == nil || err.Error() != "loop: message 1: its loops make more than 100000 rounds" {
		t.Error(err)
	}
}
