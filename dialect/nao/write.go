package nao

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/literal"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Write writes tools as records. What Nao has no field for stands in the binding.
func Write(tools []tool.Tool, _ tool.Object) foreign.Written {
	var w foreign.Written
	list := []any{}
	for _, t := range tools {
		list = append(list, record(&w, t))
	}
	w.Text = foreign.Indented(tool.Object{{Name: "tools", Value: list}})
	return w
}

func record(w *foreign.Written, t tool.Tool) tool.Object {
	said := foreign.Said(t)
	o := tool.Object{{Name: "name", Value: t.Name}}
	for _, key := range []string{"description", "version", "contentType", "permissions", "verify", "revert", "origin"} {
		if raw, has := said[plain[key]]; has {
			o = append(o, tool.Member{Name: key, Value: valueOf(raw)})
		}
		delete(said, plain[key])
	}
	if params := parameters(w, t); params != nil {
		o = append(o, tool.Member{Name: "parameters", Value: params})
	}
	if s, ok := t.Spec.(*tool.HTTP); ok && s.BaseURL != "" && strings.HasPrefix(s.Endpoint, "/") {
		said["endpoint"] = foreign.Marshal(strings.TrimSuffix(s.BaseURL, "/") + s.Endpoint)
	}
	if binding := bindingOf(t, said); binding != nil {
		o = append(o, tool.Member{Name: "binding", Value: binding})
	}
	content, _ := literal.JSON(string(foreign.Said(t)["content_type"]))
	if want := returnsOf(content.Text); t.Returns != nil && t.Returns.String() != want.String() {
		w.Lose(foreign.Outside(t), "what it returns: %s", t.Returns)
	}
	return o
}

func valueOf(raw json.RawMessage) any {
	n, _ := literal.JSON(string(raw))
	return n.Value()
}

// parameters is the schema of those that callers see.
func parameters(w *foreign.Written, t tool.Tool) any {
	if len(t.Params) == 0 {
		return nil
	}
	w.LoseParams(t)
	t.InputSchema = nil // it stands in the binding
	for _, p := range t.Params {
		if p.Escape != "" || len(p.ExcludedValues) > 0 || strings.Contains(p.Type.String(), "float") {
			w.Lose(foreign.Outside(t), "a part of what %s can be", p.Name)
		}
	}
	return valueOf(t.ArgumentSchema())
}

// bindingOf has all that is left, in the order of the schema table.
func bindingOf(t tool.Tool, said map[string]json.RawMessage) (o tool.Object) {
	for _, row := range slices.Concat(tool.CommonFields(), tool.Fields(t.Kind)) {
		if raw, has := said[row.Name]; has {
			n, _ := literal.JSON(string(raw))
			o = append(o, tool.Member{Name: row.Name, Value: foreign.Plain(row, n)})
		}
	}
	return o
}
