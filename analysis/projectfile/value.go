package projectfile

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// value returns a node as JSON has it: nil, a scalar as leaf has it, a []any, or a tool.Object.
func value(n *yaml.Node, leaf func(*yaml.Node) any) any {
	switch n.Kind {
	case yaml.Null:
		return nil
	case yaml.List:
		list := make([]any, 0, len(n.Items))
		for _, item := range n.Items {
			list = append(list, value(item, leaf))
		}
		return list
	case yaml.Map:
		object := make(tool.Object, 0, len(n.Members))
		for _, m := range n.Members {
			if !m.Merged || !object.Has(m.Key.Text) {
				object = object.With(m.Key.Text, value(m.Value, leaf))
			}
		}
		return object
	default:
		return leaf(n)
	}
}

// asWritten takes every scalar for a text.
func asWritten(n *yaml.Node) any { return n.Text }

// typedScalar returns a bool, a string, or a json.Number with its digits as written.
func typedScalar(n *yaml.Node) any {
	switch n.Kind {
	case yaml.Bool:
		return strings.EqualFold(n.Text, "true")
	case yaml.Int, yaml.Float:
		return number(n.Text)
	default:
		return n.Text
	}
}

// NumberInJSON returns the text of a number of YAML as JSON writes it, such as 31 for 0x1F. What JSON
// has no number for stays.
func NumberInJSON(text string) string {
	if n, ok := number(text).(json.Number); ok {
		return n.String()
	}
	return text
}

// number returns a number of YAML as JSON writes it. What JSON has no number for stays text.
func number(text string) any {
	s := strings.TrimPrefix(text, "+")
	if n, ok := new(big.Int).SetString(s, 0); ok && strings.ContainsAny(s, "xo") {
		return json.Number(n.String())
	}
	sign, digits := "", s
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		sign, digits = "-", rest
	}
	whole, fraction, dotted := strings.Cut(digits, ".")
	if whole = strings.TrimLeft(whole, "0"); whole == "" || strings.ContainsAny(whole[:1], "eE") {
		whole = "0" + whole
	}
	if dotted && (fraction == "" || strings.ContainsAny(fraction[:1], "eE")) {
		fraction = "0" + fraction
	}
	if dotted {
		whole += "." + fraction
	}
	if s = sign + whole; json.Valid([]byte(s)) {
		return json.Number(s)
	}
	return text
}

// mergeOver returns a value with another one merged over it: maps key by key, everything else as a
// whole. A missing value overrides nothing.
func mergeOver(below, above any) any {
	top, isMap := above.(tool.Object)
	bottom, both := below.(tool.Object)
	switch {
	case above == nil:
		return below
	case !isMap || !both:
		return above
	}
	out := slices.Clone(bottom)
	for _, m := range top {
		out = out.With(m.Name, mergeOver(out.Get(m.Name), m.Value))
	}
	return out
}
