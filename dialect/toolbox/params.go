package toolbox

import (
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

var goField = regexp.MustCompile(`\{\{\s*(?:json\s+)?\.(\w+)\s*\}\}`)

// paramKeys are those of a parameter, and what ABL calls those that mean the same.
var paramKeys = map[string]string{
	"allowedValues": "allowed_values", "excludedValues": "excluded_values",
	"minValue": "min_value", "maxValue": "max_value", "escape": "escape",
	"authServices": "auth_services", "authSources": "auth_services",
}

var knownParamKeys = foreign.Names(parameterRows)

// parameters reads a list of parameters.
func (r *reader) parameters(key string) {
	list := r.entry.body.Get(key)
	if list.IsSet() && list.Kind != foreign.List {
		r.report("invalid-value", list.Span, "`%s` wants a list of parameters.", key)
	}
	for _, n := range list.Items {
		p, at, ok := r.parameter(n)
		if !ok {
			continue
		}
		if slices.ContainsFunc(r.tool.Tool.Params, func(q tool.Param) bool { return q.Name == p.Name }) {
			r.report("duplicate-parameter", at, "The parameter `%s` is there twice.", p.Name)
			continue
		}
		r.tool.Tool.Params = append(r.tool.Tool.Params, p)
		r.tool.Params = append(r.tool.Params, at)
	}
}

func (r *reader) parameter(n foreign.Node) (p tool.Param, at text.Span, ok bool) {
	name := n.Get("name")
	if !name.IsSingle() {
		r.report("missing-property", start(n), "`name` is missing in this parameter.")
		return p, at, false
	}
	p = tool.Param{Name: name.Text, Type: r.typeOf(n, name.Text), Description: strings.TrimSpace(n.Get("description").Text)}
	if p.Description == "" {
		r.file.Report(foreign.Warning, "missing-property", name.Span, "`description` is missing in the parameter `%s`: the model reads it.", p.Name)
	}
	if d := n.Get("default"); d.IsSet() {
		p.Default = d.JSON()
	}
	p.Optional = n.Get("required").Text == "false"
	said, places := map[string]any{}, map[string]foreign.Node{}
	for _, m := range n.Members {
		if to := paramKeys[m.Key]; to != "" && m.Value.IsSet() {
			said[to], places[to] = m.Value.Value(), m.Value
		}
	}
	for _, err := range p.Enrich(said) {
		r.report("invalid-value", places[err.Path[0]].At(err.Path[1:]...).Span, "`%s` is wrong: %s.", err.Path[0], strings.TrimSuffix(err.Msg, "."))
	}
	for _, other := range foreign.Unknown(n, knownParamKeys...) {
		r.lose(p.Name+"."+other.Text, other.Span)
		r.file.Report(foreign.Warning, "unknown-property", other.Span, "A parameter has no `%s`.", other.Text)
		r.file.Knowing(other.Text, knownParamKeys)
	}
	return p, name.Span, true
}

// start is where a value begins: its first key.
func start(n foreign.Node) text.Span {
	if len(n.Members) > 0 {
		return n.Members[0].KeySpan
	}
	return n.Span
}

// types are the words for types.
var types = foreign.Words(typeWords)

// typeOf is the type of a parameter, or of the items of one.
func (r *reader) typeOf(n foreign.Node, name string) *tool.Type {
	kind := n.Get("type")
	switch {
	case !kind.IsSet():
		r.report("missing-property", start(n), "`type` is missing in `%s`: %s.", name, strings.Join(types, ", "))
		return &tool.Type{Name: "string"}
	case !slices.Contains(types, kind.Text):
		r.report("invalid-value", kind.Span, "`type` cannot be `%s`; it is one of %s.", kind.Text, strings.Join(types, ", "))
		return &tool.Type{Name: "string"}
	case kind.Text == "array":
		return &tool.Type{Name: "array", Elem: r.items(n, name)}
	case kind.Text == "map" && n.Get("valueType").IsSet():
		return &tool.Type{Name: "map", Elem: r.valueType(n.Get("valueType"))}
	}
	return &tool.Type{Name: kind.Text}
}

func (r *reader) valueType(n foreign.Node) *tool.Type {
	if !slices.Contains(types[:singleTypes], n.Text) {
		r.report("invalid-value", n.Span, "`valueType` cannot be `%s`; it is one of %s.", n.Text, strings.Join(types[:singleTypes], ", "))
		return nil
	}
	return &tool.Type{Name: n.Text}
}

// items is the type of an array's items. What else is said of them has no place
// in ABL.
func (r *reader) items(n foreign.Node, name string) *tool.Type {
	items := n.Get("items")
	if items.Kind != foreign.Map {
		r.report("missing-property", start(n), "`items` is missing in the array `%s`: what is in it?", name)
		return nil
	}
	for _, m := range items.Members {
		switch m.Key {
		case "default", "required":
			r.file.Report(foreign.Warning, "misplaced-property", m.KeySpan, "`%s` of an array's items is ignored; take it away.", m.Key)
		case "type", "items", "valueType":
		case "name", "description":
			r.lose(name+".items."+m.Key+": "+m.Value.Text, m.KeySpan)
		default:
			r.lose(name+".items."+m.Key, m.KeySpan)
		}
	}
	return r.typeOf(items, name+".items")
}

// templates reads the parameters that are pasted into the statement.
func (r *reader) templates() {
	var all tool.Object
	for _, n := range r.entry.body.Get("templateParameters").Items {
		p, at, ok := r.parameter(n)
		if !ok {
			continue
		}
		if p.Type.Name == "array" && p.Type.Elem != nil && p.Type.Elem.Name != "string" {
			r.report("invalid-value", at, "The items of the template parameter `%s` can only be strings.", p.Name)
		}
		row := tool.Object{{Name: "type", Value: p.Type.String()}}
		if p.Description != "" {
			row = append(row, tool.Member{Name: "description", Value: p.Description})
		}
		if p.Optional && p.Default == nil {
			row = append(row, tool.Member{Name: "required", Value: false})
		}
		for _, m := range n.Members {
			to := paramKeys[m.Key]
			if m.Key == "default" {
				to = "default"
			}
			if to != "" && to != "auth_services" && m.Value.IsSet() {
				row = append(row, tool.Member{Name: to, Value: m.Value.Value()})
			}
		}
		all = append(all, tool.Member{Name: p.Name, Value: row})
		r.tool.Pasted = append(r.tool.Pasted, foreign.Name{Text: p.Name, Span: at})
	}
	if all != nil {
		r.props["template_parameters"] = all
		r.places["template_parameters"] = r.entry.body.Get("templateParameters")
	}
}
