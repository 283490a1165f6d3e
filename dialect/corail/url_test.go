package corail_test

import (
	"testing"

	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestURL checks that an entry may write `url`, as Corail's own class does, for `endpoint`.
func TestURL(t *testing.T) {
	for name, tt := range map[string]struct{ file, text, fault string }{
		"list":     {"tools.json", `[{"name": "w", "type": "http", "description": "🧭", "url": "https://a.example/{city}", "parameters": [{"name": "city"}]}]`, ""},
		"resource": {"w.yaml", "apiVersion: agents.recif.dev/v1\nkind: Tool\nmetadata: {name: w}\nspec: {name: w, type: http, description: 🧭, url: 'https://a.example/{city}', parameters: [{name: city}]}", ""},
		"both":     {"tools.json", `[{"name": "w", "type": "http", "description": "🧭", "url": "https://b.example", "endpoint": "https://a.example/{city}"}]`, "duplicate-property"},
	} {
		t.Run(name, func(t *testing.T) {
			f := dialect.Read(tt.file, tt.text)
			if got := f.Tools[0].Spec.(*tool.HTTP).Endpoint; got != "https://a.example/{city}" {
				t.Errorf("endpoint: %q", got)
			}
			fault := ""
			for _, one := range f.Faults {
				fault += one.Code
			}
			if fault != tt.fault {
				t.Errorf("%v", f.Faults)
			}
		})
	}
	f := dialect.Read("tools.json", `[{"name": "w", "type": "cli", "binary": "ls", "description": "🧭", "url": "x"}, {"name": "s", "type": "slack", "description": "🧭", "url": "x"}]`)
	if len(f.Faults) != 2 || f.Faults[0].Code != "unknown-property" || f.Tools[1].Spec.(*tool.Custom).Properties[0].Name != "url" {
		t.Errorf("%+v", f.Faults)
	}
}
