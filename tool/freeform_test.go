package tool_test

import (
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool"
)

// TestFreeFormParam checks that callers see a free-form input if the binding names it.
func TestFreeFormParam(t *testing.T) {
	post := func(body string) tool.Spec {
		return &tool.HTTP{Endpoint: "https://example.com", Method: "POST", BodyTemplate: body}
	}
	for name, tt := range map[string]struct {
		tool       tool.Tool
		wantChange bool
	}{
		"a body":            {tool.Tool{Spec: post(`{"say": "{{ input }} 🛫"}`)}, true},
		"a path":            {tool.Tool{Spec: &tool.HTTP{Endpoint: "https://example.com/{input}"}}, true},
		"code":              {tool.Tool{Spec: &tool.Sandbox{Code: "return input.length"}}, true},
		"code without":      {tool.Tool{Spec: &tool.Sandbox{Code: "return inputs.length"}}, false},
		"nothing":           {tool.Tool{Spec: post("hello")}, false},
		"a parameter":       {tool.Tool{Spec: post("{{input.x}}"), Params: []tool.Param{{Name: "x", Type: &tool.Type{Name: "string"}}}}, false},
		"one of that name":  {tool.Tool{Spec: post("{{input}}"), Params: []tool.Param{{Name: "input", Type: &tool.Type{Name: "object"}}}}, false},
		"no binding at all": {tool.Tool{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			before, after := string(tt.tool.ArgumentSchema()), string(tt.tool.WithFreeFormParam().ArgumentSchema())
			if wantChange := after != before; wantChange != tt.wantChange || wantChange && !strings.Contains(after, `"input":{"type":"string"`) {
				t.Errorf("%s: %s", name, after)
			}
		})
	}
}
