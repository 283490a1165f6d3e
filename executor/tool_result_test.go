package executor

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/tool"
)

// TestReturned checks that the value which a tool's code returns is the result, unless it is a
// ToolResult.
func TestReturned(t *testing.T) {
	object := &tool.Type{Name: "object"}
	text := &tool.Type{Name: "string"}
	own := `{"type": "object", "properties": {"success": {"type": "boolean"}, "output": {}}}`
	for name, tt := range map[string]struct {
		returns       *tool.Type
		schema        string
		value         string
		want, failure string
		render        *Render
	}{
		"value":              {value: `{"a": 1}`, want: `{"a": 1}`},
		"output":             {value: `{"success": true, "output": "🧭"}`, want: `"🧭"`},
		"output is JSON":     {value: `{"success": true, "output": " [1.50]", "error": null}`, want: `[1.50]`},
		"output is text":     {returns: text, value: `{"success": true, "output": "[1.50]"}`, want: `"[1.50]"`},
		"output is none":     {value: `{"success": true, "output": null}`, want: `null`},
		"output is object":   {returns: object, value: `{"success": true, "output": {"a": 1}, "render": "json"}`, want: `{"a": 1}`, render: &Render{Kind: "json"}},
		"failed":             {value: `{"success": false, "output": "", "error": "no such city 🧭"}`, want: `""`, failure: "t failed: no such city 🧭"},
		"failed alone":       {value: `{"success": false, "error": "no"}`, failure: "t failed: no"},
		"failed silently":    {value: `{"success": false, "output": "half"}`, want: `"half"`, failure: "t failed: half"},
		"failed for nothing": {value: `{"success": false, "output": null}`, want: `null`, failure: "t failed: it does not say why"},
		"hints": {
			value: `{"success": true, "output": "{\"columns\": []}", "render": "react", "component": "Chart", "props": {"x": 1}}`, want: `{"columns": []}`,
			render: &Render{Kind: "react", Component: "Chart", Props: json.RawMessage(`{"x": 1}`)},
		},
		"no hints":         {value: `{"success": true, "output": 1, "render": "", "component": "", "props": {}}`, want: `1`},
		"strange hints":    {value: `{"success": true, "output": 1, "render": "hologram"}`, want: `1`},
		"of its own type":  {returns: object, value: `{"success": true, "output": 1}`, want: `{"success": true, "output": 1}`},
		"of its schema":    {schema: own, value: `{"success": false, "output": 1}`, want: `{"success": false, "output": 1}`},
		"more than that":   {value: `{"success": true, "output": 1, "more": 2}`, want: `{"success": true, "output": 1, "more": 2}`},
		"less than that":   {value: `{"success": true}`, want: `{"success": true}`},
		"no boolean":       {value: `{"success": "yes", "output": 1}`, want: `{"success": "yes", "output": 1}`},
		"of another shape": {schema: `{"properties": {"a": {}}}`, value: `{"success": true, "output": {"a": 1}}`, want: `{"a": 1}`},
	} {
		t.Run(name, func(t *testing.T) {
			tl := &tool.Tool{Name: "t", Returns: tt.returns, Common: tool.Common{OutputSchema: json.RawMessage(tt.schema)}}
			got, err := ParseReturnValue(tl, json.RawMessage(tt.value))
			if string(got.Value) != tt.want {
				t.Errorf("value %s, want %s", got.Value, tt.want)
			}
			if diff := cmp.Diff(tt.render, got.Render); diff != "" {
				t.Errorf("render (-want +got):\n%s", diff)
			}
			if strange := name == "strange hints"; strange != (len(got.Warnings) > 0) {
				t.Errorf("warnings %q", got.Warnings)
			}
			switch {
			case tt.failure == "" && err != nil, tt.failure != "" && (err == nil || err.Error() != tt.failure):
				t.Errorf("error %v, want %q", err, tt.failure)
			}
		})
	}
}
