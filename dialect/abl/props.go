package abl

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/literal"
	"github.com/abl-lsp/abl-lsp/tool"
)

// blockProperties are what a tool says besides its signature, by canonical name.
func blockProperties(t tool.Tool) map[string]foreign.Node {
	props := map[string]foreign.Node{}
	for name, raw := range foreign.SetProperties(t) {
		props[name] = literal.Parse(raw)
	}
	return props
}

// mergeLibraryDefaults takes care of what only a library's shared defaults can say: the base URL
// goes in front of the endpoint, the rest is named.
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
