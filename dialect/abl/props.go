package abl

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/literal"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// properties are what a tool says besides its signature, by canonical name: the
// JSON names of a tool's fields are those of the schema table.
func properties(t tool.Tool) map[string]foreign.Node {
	props := map[string]foreign.Node{}
	for _, m := range parse(exactjson.Of(t.Common)).Members {
		props[m.Key] = m.Value
	}
	for _, m := range props["extra"].Members {
		props[m.Key] = m.Value
	}
	delete(props, "extra")
	if t.Spec != nil {
		for _, m := range parse(exactjson.Of(t.Spec)).Members {
			props[m.Key] = m.Value
		}
	}
	for name, s := range map[string]string{"description": t.Description, "version": t.Version, "service": t.Namespace} {
		if s != "" {
			props[name] = foreign.Node{Kind: foreign.String, Text: s}
		}
	}
	return props
}

// parse is JSON as a tree. What is none is null.
func parse(raw []byte) foreign.Node {
	n, _ := literal.JSON(string(raw))
	return n
}

// laid takes care of what only a library's shared defaults can say: the base URL
// goes in front of the endpoint, the rest is named.
func (w *writer) laid(t *tool.Tool, props map[string]foreign.Node) {
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
			w.lose("%s has no place in a tool of this type.", row.Name)
		}
	}
}
