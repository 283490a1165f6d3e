// Package schema turns JSON Schemas into the types and parameters of tools. It returns
// only what ABL can write: what a schema says beyond that is left out, and [MeansSame]
// tells whether that happened.
package schema

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/literal"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// Read parses a schema. It returns the zero Node if raw is no valid JSON.
func Read(raw json.RawMessage) foreign.Node {
	n, problems := literal.JSON(string(raw))
	if len(problems) > 0 {
		return foreign.Node{}
	}
	return n
}

// Params returns the parameters that n, the schema of an object, describes, and the place of the
// name of each.
func Params(n foreign.Node) (params []tool.Param, names []text.Span) {
	r := newReader(n)
	n = ResolveRoot(n)
	required := words(n.Get("required"))
	for _, m := range n.Get("properties").Members {
		if slices.ContainsFunc(params, func(p tool.Param) bool { return p.Name == m.Key }) {
			continue
		}
		p := r.param(m.Key, m.Value)
		p.Optional = p.Default != nil || !slices.Contains(required, m.Key)
		params = append(params, p)
		names = append(names, m.KeySpan)
	}
	return params, names
}

// maxFollowed is how many references lead to a schema's own properties.
const maxFollowed = 10

// ResolveRoot follows a reference at the top of the schema n, which generators write, up to a
// schema with properties. It returns n itself if the reference is not to a part of n.
func ResolveRoot(n foreign.Node) foreign.Node {
	at := n
	for range maxFollowed {
		to, ok := part(n, at.Get("$ref").Text)
		if !ok || at.Has("properties") {
			return at
		}
		at = to
	}
	return n
}

// Param returns the required parameter called name that the schema n describes.
func Param(name string, n foreign.Node) tool.Param { return newReader(n).param(name, n) }

// ParamIn is [Param] for a schema n that is a part of root, to which its references lead.
func ParamIn(root foreign.Node, name string, n foreign.Node) tool.Param {
	return newReader(root).param(name, n)
}

func (r *reader) param(name string, n foreign.Node) tool.Param {
	p := tool.Param{Name: name, Type: r.typeOf(n, true)}
	n = r.whole(n)
	p.Description = Line(n.Get("description"))
	if d := n.Get("default"); d.IsSet() && !d.IsComputed() {
		p.Default = d.JSON()
	}
	if values := n.Get("enum"); len(p.Type.Enum) == 0 && len(values.Items) > 0 && !values.IsComputed() {
		for _, v := range values.Items {
			p.AllowedValues = append(p.AllowedValues, v.JSON())
		}
	}
	p.MinValue, p.MaxValue = number(n.Get("minimum")), number(n.Get("maximum"))
	return p
}

func number(n foreign.Node) tool.Number {
	if n.Kind != foreign.Number {
		return ""
	}
	return tool.Number(n.Text)
}

// Line returns a text without the white space around it.
func Line(n foreign.Node) string {
	if !n.IsSingle() {
		return ""
	}
	return string(bytes.TrimSpace([]byte(n.Text)))
}

// Type returns the type that the schema n describes. It leaves out what a signature cannot express.
func Type(n foreign.Node) *tool.Type { return newReader(n).typeOf(n, false) }

// typeOf returns the type of a schema. It keeps the descriptions of fields if describe is true, but
// never those of nested fields.
func (r *reader) typeOf(n foreign.Node, describe bool) *tool.Type {
	if target, ref := r.target(n); ref != "" {
		defer r.enter(ref)()
		return r.typeOf(target, describe)
	}
	if options := slices.Concat(n.Get("anyOf").Items, n.Get("oneOf").Items); len(options) > 0 {
		return r.unionOf(options)
	}
	kind := n.Get("type")
	if kind.Kind == foreign.List {
		var options []foreign.Node
		for _, word := range kind.Items {
			options = append(options, withType(n, word))
		}
		return r.unionOf(options)
	}
	switch kind.Text {
	case "", "string":
		return r.textType(n)
	case "array":
		t := &tool.Type{Name: "array"}
		if items := n.Get("items"); items.Kind == foreign.Map {
			t.Elem = r.typeOf(items, describe)
		}
		return t
	case "object":
		return r.objectType(n, describe)
	case "number", "integer", "boolean":
		return &tool.Type{Name: kind.Text}
	}
	return tool.Any()
}

// withType returns the schema with a single type out of several.
func withType(n, word foreign.Node) foreign.Node {
	n.Members = slices.Clone(n.Members)
	for i := range n.Members {
		if n.Members[i].Key == "type" {
			n.Members[i].Value = word
		}
	}
	return n
}

// textType returns the type of a text, or of a schema without a type.
func (r *reader) textType(n foreign.Node) *tool.Type {
	t := &tool.Type{Name: "string"}
	switch {
	case n.Has("enum"):
		for _, v := range n.Get("enum").Items {
			if v.Kind != foreign.String {
				return tool.Any()
			}
			t.Enum = append(t.Enum, v.Text)
		}
		return t
	case !n.Has("type") && n.Has("properties"):
		return r.objectType(n, false)
	case !n.Has("type"):
		return tool.Any()
	}
	switch n.Get("format").Text {
	case "date":
		t.Name = "date"
	case "date-time":
		t.Name = "datetime"
	}
	return t
}

// unionOf returns the union of the types that a choice offers. If null is one of them, the type is
// nullable.
func (r *reader) unionOf(options []foreign.Node) *tool.Type {
	var types []*tool.Type
	null := false
	for _, o := range options {
		if o.Get("type").Text == "null" {
			null = true
		} else {
			types = append(types, r.typeOf(o, false))
		}
	}
	switch {
	case len(types) == 0:
		return tool.Any()
	case len(types) > 1 && !null:
		return &tool.Type{Name: "any", Union: types}
	case len(types) > 1:
		return &tool.Type{Name: "any", Union: types, Nullable: true}
	}
	types[0].Nullable = types[0].Nullable || null
	return types[0]
}

var fieldName = lazyregexp.New(`^[A-Za-z_]\w*$`)

// IsName reports whether a name is valid for a field or a parameter of a signature.
func IsName(s string) bool { return fieldName.MatchString(s) }

func (r *reader) objectType(n foreign.Node, describe bool) *tool.Type {
	props := n.Get("properties")
	if props.Kind != foreign.Map {
		if each := n.Get("additionalProperties"); each.Kind == foreign.Map && len(each.Members) > 0 {
			return mapOf(r.typeOf(each, false))
		}
		return &tool.Type{Name: "object"}
	}
	t := &tool.Type{Name: "object", Declared: true}
	required := words(n.Get("required"))
	seen := map[string]bool{}
	for _, m := range props.Members {
		if !IsName(m.Key) || seen[m.Key] {
			return &tool.Type{Name: "object"}
		}
		seen[m.Key] = true
		f := tool.TypeField{Name: m.Key, Type: r.typeOf(m.Value, false), Optional: !slices.Contains(required, m.Key)}
		if describe {
			f.Description = Line(r.whole(m.Value).Get("description"))
		}
		t.Fields = append(t.Fields, f)
	}
	return t
}

// mapOf returns the type of a map whose values have the type each: a map without an element type,
// if that means the same.
func mapOf(each *tool.Type) *tool.Type {
	generic := &tool.Type{Name: "map"}
	if reflect.DeepEqual(generic.AcceptedType().Elem, each) {
		return generic
	}
	return &tool.Type{Name: "map", Elem: each}
}

func words(n foreign.Node) []string {
	var out []string
	for _, item := range n.Items {
		out = append(out, item.Text)
	}
	return out
}

// KeepSchema stores the schema n in t, in addition to the parameters of t that were made of it, if
// they do not express all of it.
func KeepSchema(t *tool.Tool, n foreign.Node) {
	exact := !slices.ContainsFunc(t.Params, func(p tool.Param) bool { return !IsName(p.Name) })
	if raw := n.JSON(); !exact || !MeansSame(raw, t.ArgumentSchema()) {
		t.InputSchema = raw
	}
}

// MeansSame reports whether two schemas mean the same. It is false if one of them is no JSON.
func MeansSame(a, b json.RawMessage) bool {
	one, err1 := exactjson.Decode[any](a)
	two, err2 := exactjson.Decode[any](b)
	return err1 == nil && err2 == nil && reflect.DeepEqual(normalize(one), normalize(two))
}

// normalize returns a schema without what makes no difference: its dialect, the order of required names,
// and empty keywords.
func normalize(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "$schema")
		for name, value := range v {
			v[name] = normalize(value)
		}
		required, isList := v["required"].([]any)
		if isList && len(required) == 0 {
			delete(v, "required")
		}
		slices.SortFunc(required, func(a, b any) int { return bytes.Compare(exactjson.EncodeOrNil(a), exactjson.EncodeOrNil(b)) })
		if props, ok := v["properties"].(map[string]any); ok && len(props) == 0 && v["type"] == "object" {
			delete(v, "properties")
		}
	case []any:
		for i := range v {
			v[i] = normalize(v[i])
		}
	}
	return v
}
