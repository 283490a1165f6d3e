package nao

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/literal"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// Write writes tools as records. Properties for which Nao has no field are in the binding.
func Write(tools []tool.Tool, _ tool.Object) foreign.WriteResult {
	var w foreign.WriteResult
	list := []any{}
	for _, t := range tools {
		list = append(list, writeTool(&w, t))
	}
	w.Text = foreign.IndentedJSON(tool.Object{{Name: "tools", Value: list}})
	return w
}

func writeTool(w *foreign.WriteResult, t tool.Tool) tool.Object {
	inRecord := foreign.SetProperties(t)
	o := tool.Object{{Name: "name", Value: t.Name}}
	for _, key := range []string{"description", "version", "contentType", "permissions", "verify", "revert", "origin"} {
		if raw, has := inRecord[sameValueKeys[key]]; has {
			o = append(o, tool.Member{Name: key, Value: literal.Parse(raw).Value()})
		}
		delete(inRecord, sameValueKeys[key])
	}
	if params, whole := writeParams(w, t); params != nil {
		o = append(o, tool.Member{Name: "parameters", Value: params})
		if whole {
			delete(inRecord, "input_schema")
		}
	}
	if s, ok := t.Spec.(*tool.HTTP); ok && s.BaseURL != "" && strings.HasPrefix(s.Endpoint, "/") {
		inRecord["endpoint"] = exactjson.EncodeOrNil(strings.TrimSuffix(s.BaseURL, "/") + s.Endpoint)
	}
	if custom, ok := t.Spec.(*tool.Custom); ok {
		w.ReportLoss(t.QualifiedName(), "%s", strings.Join(custom.PropertyLines(), ", "))
		delete(inRecord, "type")
	}
	if binding := writeBinding(t, inRecord); binding != nil {
		o = append(o, tool.Member{Name: "binding", Value: binding})
	}
	w.LoseReturns(t, tool.Any())
	return o
}

// writeParams writes the schema of the parameters that callers see. whole is true if that is the
// tool's complete schema; otherwise the complete schema is in the binding.
func writeParams(w *foreign.WriteResult, t tool.Tool) (params any, whole bool) {
	if len(t.Arguments()) == 0 {
		return nil, false
	}
	ownParams := t
	ownParams.Spec = nil // it contains the template parameters with all their keys
	w.LoseParams(ownParams)
	if whole = hasWholeSchema(t); !whole {
		t.InputSchema = nil
	}
	for _, p := range t.Params {
		if strings.Contains(p.Type.String(), "float") || len(p.ExcludedValues) > 0 && !whole && ownParams.InputSchema != nil {
			w.ReportLoss(t.QualifiedName(), "a part of what %s can be", p.Name)
		}
	}
	return literal.Parse(t.ArgumentSchema()).Value(), whole
}

// hasWholeSchema reports whether the input_schema that a tool contains names exactly the tool's
// arguments.
func hasWholeSchema(t tool.Tool) bool {
	named, _ := schema.Params(literal.Parse(t.InlineInput()))
	byName := func(p, q tool.Param) int { return strings.Compare(p.Name, q.Name) }
	return len(t.InlineInput()) > 0 &&
		slices.CompareFunc(slices.SortedFunc(slices.Values(named), byName), slices.SortedFunc(slices.Values(t.Arguments()), byName), byName) == 0
}

// writeBinding writes the remaining properties, in the order of the schema table.
func writeBinding(t tool.Tool, inRecord map[string]json.RawMessage) (o tool.Object) {
	for _, row := range slices.Concat(tool.CommonFields(), tool.Fields(t.Kind)) {
		if raw, has := inRecord[row.Name]; has {
			o = append(o, tool.Member{Name: row.Name, Value: foreign.PlainValue(row, literal.Parse(raw))})
		}
	}
	return o
}
