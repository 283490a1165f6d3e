package schema

import (
	"encoding/json"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
)

// RenameProperties renames properties in raw, the schema of a tool's arguments. names maps old
// names to new ones. It returns raw unchanged if raw is no object, or if names is
// empty.
func RenameProperties(raw json.RawMessage, names map[string]string) json.RawMessage {
	n := Read(raw)
	if n.Kind != foreign.Map || len(names) == 0 {
		return raw
	}
	renameIn(ResolveRoot(n), names)
	renameRefs(n, names)
	return n.JSON()
}

// renameIn renames in a schema of all arguments. Values share their parts, so that the whole schema
// changes.
func renameIn(n foreign.Node, names map[string]string) {
	for _, m := range n.Members {
		switch m.Key {
		case "properties":
			renameKeys(m.Value, names)
		case "required":
			renameItems(m.Value, names)
		case "dependentRequired", "dependentSchemas", "dependencies":
			renameKeys(m.Value, names)
			for _, of := range m.Value.Members {
				renameItems(of.Value, names)
				renameIn(of.Value, names)
			}
		case "if", "then", "else", "not":
			renameIn(m.Value, names)
		case "allOf", "anyOf", "oneOf":
			for _, item := range m.Value.Items {
				renameIn(item, names)
			}
		}
	}
}

func renameKeys(n foreign.Node, names map[string]string) {
	for i := range n.Members {
		if name, ok := names[n.Members[i].Key]; ok {
			n.Members[i].Key = name
		}
	}
}

func renameItems(n foreign.Node, names map[string]string) {
	for i := range n.Items {
		if name, ok := names[n.Items[i].Text]; ok && n.Items[i].Kind == foreign.String {
			n.Items[i].Text = name
		}
	}
}

// renameRefs renames in the references that lead to or through an argument.
func renameRefs(n foreign.Node, names map[string]string) {
	for _, item := range n.Items {
		renameRefs(item, names)
	}
	for i, m := range n.Members {
		renameRefs(m.Value, names)
		path, ok := strings.CutPrefix(m.Value.Text, "#/properties/")
		if !ok || m.Key != "$ref" {
			continue
		}
		was, _, _ := strings.Cut(path, "/")
		if name, ok := names[was]; ok {
			n.Members[i].Value.Text = "#/properties/" + name + path[len(was):]
		}
	}
}
