package projectfile

import (
	"encoding/json"
	"testing"

	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

func TestTables(t *testing.T) {
	const source = `
base_url: https://one.example.com
sources:
  pg: {kind: postgres, port: 5432, password: "{{secrets.PG}}"}
  lite: {kind: sqlite}
environments:
  dev: {base_url: "https://two.example.com", sources: {pg: {kind: sqlite}}}
default_environment: dev
`
	tables := Tables(yaml.Parse(source))
	got := map[string]any{}
	for _, m := range tables {
		got[m.Name] = m.Value
	}
	raw, err := json.Marshal([]any{got["base_url"], got["sources"]})
	if want := `["https://two.example.com",{"pg":{"kind":"sqlite","port":5432,"password":"{{secrets.PG}}"},"lite":{"kind":"sqlite"}}]`; err != nil || string(raw) != want {
		t.Errorf("got %s (%v)\nwant %s", raw, err, want)
	}
	for _, odd := range []string{"", "a", "- b", "default_environment: none"} {
		Tables(yaml.Parse(odd))
	}
}
