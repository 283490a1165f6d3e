package abl

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/literal"
	"github.com/abl-lsp/abl-lsp/tool"
)

// blockProperties returns the properties of a tool outside its signature, by canonical name.
func blockProperties(t tool.Tool) map[string]foreign.Node {
	props := map[string]foreign.Node{}
	for name, raw := range foreign.SetProperties(t) {
		props[name] = literal.Parse(raw)
	}
	return props
}

// mergeLibraryDefaults handles what only a library's shared defaults can express: it puts the base
// URL before the endpoint and reports the rest.
func (w *writer) mergeLibraryDefaults(t *tool.Tool, props map[string]foreign.Node) {
	base := props["base_url"]
	if path := props["endpoint"]; base.Text != "" && strings.HasPrefix(path.Text, "/") {
		path.Text = strings.TrimSuffix(base.Text, "/") + path.Text
		props["endpoint"] = path
	}
	delete(props, "base_url")
	rows := rowsOf(t.Kind)
	for _, row := range tool.SharedDefaults() {
		_, has := props[row.Name]
		if _, _, known := tool.Lookup(rows, row.Name); has && !known {
			w.reportLoss("%s has no place in a tool of this type.", row.Name)
		}
	}
}
