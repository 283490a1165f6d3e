package foreign

import (
	"math"
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

// MatchesType reports whether n can be a value of type t. It is true for null, for a missing value
// and for a type that is not known here.
func MatchesType(n Node, t *tool.Type) bool {
	kind, known := kindOf[typeName(t)]
	switch {
	case n.IsSet() && t != nil && len(t.Union) > 0:
		return slices.ContainsFunc(t.Union, func(u *tool.Type) bool { return MatchesType(n, u) })
	case !n.IsSet() || !known:
		return true
	case n.Kind != kind:
		return false
	case len(t.Enum) > 0:
		return slices.Contains(t.Enum, n.Text)
	case t.Name == "integer":
		f, _ := tool.Number(n.JSON()).Float()
		return f == math.Trunc(f)
	}
	for _, item := range n.Items {
		if !MatchesType(item, t.Elem) {
			return false
		}
	}
	for _, m := range n.Members {
		if t.Name == "map" && !MatchesType(m.Value, t.Elem) {
			return false
		}
	}
	return true
}

func typeName(t *tool.Type) string {
	if t == nil {
		return ""
	}
	return t.Name
}

// kindOf maps types to the kinds of their values. Values of other types may have any kind.
var kindOf = map[string]Kind{
	"string": String, "date": String, "datetime": String, "boolean": Bool, "array": List, "map": Map, "object": Map,
	"number": Number, "float": Number, "integer": Number,
}
