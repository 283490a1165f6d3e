package toolbox

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// paramKeys are the keys of a parameter that ABL has as well, with ABL's names.
var paramKeys = map[string]string{
	"allowedValues": "allowed_values", "excludedValues": "excluded_values",
	"minValue": "min_value", "maxValue": "max_value", "escape": "escape",
	"authServices": "auth_services", "authSources": "auth_services",
}

var knownParamKeys = tool.FieldNames(parameterRows)

// readParams reads a list of parameters.
func (r *reader) readParams(key string) {
	for _, n := range r.file.List(r.entry.body, key, "parameters") {
		if m, has := n.Member("escape"); has {
			r.file.Report(foreign.Warning, "misplaced-property", m.KeySpan, "`escape` is ignored: it is for template parameters; what is bound needs no quotes.")
		}
		if p, at, ok := r.readParam(n); ok {
			r.tool.Tool.Params = append(r.tool.Tool.Params, p)
			r.tool.Params = append(r.tool.Params, at)
		}
	}
}

// hasParam reports whether a parameter was already read, from any list.
func (r *reader) hasParam(name string) bool {
	return hasParam(r.tool.Tool, name) ||
		slices.ContainsFunc(r.tool.Pasted, func(p foreign.Name) bool { return p.Text == name })
}

func (r *reader) readParam(n foreign.Node) (p tool.Param, at text.Span, ok bool) {
	name := n.Get("name")
	if !name.IsSingle() {
		r.report("missing-property", n.Head(), "`name` is missing in this parameter.")
		return p, at, false
	}
	if r.hasParam(name.Text) {
		r.report("duplicate-parameter", name.Span, "The parameter `%s` is there twice.", name.Text)
		return p, at, false
	}
	p = tool.Param{Name: name.Text, Type: r.readType(n, name.Text), Description: strings.TrimSpace(n.Get("description").Text)}
	if p.Description == "" {
		r.file.Report(foreign.Warning, "missing-property", name.Span, "`description` is missing in the parameter `%s`: the model reads it.", p.Name)
	}
	if d := n.Get("default"); d.IsSet() {
		p.Default = d.JSON()
		if accepted := p.Type.AcceptedType(); !foreign.MatchesType(d, accepted) {
			r.file.Report(foreign.Warning, "default-type", d.Span, "The default of `%s` is no `%s`; change one of the two.", p.Name, accepted)
		}
	}
	required := n.Get("required")
	if p.Optional = required.Text == "false"; required.IsSet() && required.Kind != foreign.Bool {
		r.report("invalid-value", required.Span, "`required` is true or false, not `%s`.", required.Text)
	}
	constraints, places := map[string]any{}, map[string]foreign.Member{}
	for _, m := range slices.Concat(itemConstraints(n), n.Members) {
		if to := paramKeys[m.Key]; to != "" && m.Value.IsSet() {
			constraints[to], places[to] = m.Value.Value(), m
		}
	}
	r.reportErrors(p.Enrich(constraints), places)
	if p.NoneBetween() {
		r.file.Report(foreign.Warning, "invalid-value", places["min_value"].Value.Span, "`minValue` is more than `maxValue`: no number is allowed.")
	}
	if want := p.ViolatedDefaultLimit(); want != "" {
		r.file.Report(foreign.Warning, "default-type", n.Get("default").Span, "The default of `%s` must be %s; change one of the two.", p.Name, want)
	}
	r.checkAuthServices(places["auth_services"].Value)
	r.readOrigin(n, &p)
	r.checkTypeKeys(n)
	unknown := foreign.Unknown(n, knownParamKeys...)
	for _, other := range unknown {
		r.reportLoss(p.Name+"."+other.Text, other.Span)
	}
	r.file.ReportUnknown("A parameter", unknown, knownParamKeys)
	return p, name.Span, true
}

// itemConstraints returns the constraints on each item of an array that the array does not have
// itself.
func itemConstraints(n foreign.Node) (all []foreign.Member) {
	for items := n.Get("items"); items.Kind == foreign.Map; items = items.Get("items") {
		for _, m := range items.Members {
			if slices.Contains(constraintKeys, m.Key) && !n.Has(m.Key) {
				all = append(all, m)
			}
		}
	}
	return all
}

// constraintKeys are the keys that constrain the value of a parameter, or each item of an array.
var constraintKeys = []string{"allowedValues", "excludedValues", "minValue", "maxValue", "escape"}

// checkAuthServices checks that auth services have names, and that the claims to take from their
// tokens are named.
func (r *reader) checkAuthServices(list foreign.Node) {
	for _, n := range list.Items {
		for _, row := range authServiceRows {
			if !n.Get(row.Name).IsSingle() {
				r.report("missing-property", n.Head(), "`%s` is missing in this auth service.", row.Name)
			}
		}
		known := tool.FieldNames(authServiceRows)
		r.file.ReportUnknown("An auth service of a parameter", foreign.Unknown(n, known...), known)
	}
}

// checkTypeKeys reports keys that a parameter of its type does not use.
func (r *reader) checkTypeKeys(n foreign.Node) {
	kind := n.Get("type").Text
	if kind == "array" {
		kind = n.Get("items").Get("type").Text
	}
	for _, m := range n.Members {
		row := foreign.Row(parameterRows, m.Key)
		if row == nil || row.IsUsedBy(n.Get("type").Text) || row.IsUsedBy(kind) {
			continue
		}
		r.file.Report(foreign.Warning, "misplaced-property", m.KeySpan, "`%s` is ignored: it goes with the type %s.", m.Key, strings.Join(row.With, ", "))
	}
}

// types are the words for types.
var types = tool.WordNames(typeWords)

// readType reads the type of the parameter called name, or of its items, from n. It reports a
// missing or unknown type and returns string instead.
func (r *reader) readType(n foreign.Node, name string) *tool.Type {
	kind := n.Get("type")
	switch {
	case !kind.IsSet():
		r.report("missing-property", n.Head(), "`type` is missing in `%s`: %s.", name, strings.Join(types, ", "))
		return &tool.Type{Name: "string"}
	case !slices.Contains(types, kind.Text):
		r.file.ReportWord("type", kind, types)
		return &tool.Type{Name: "string"}
	case kind.Text == "array":
		return &tool.Type{Name: "array", Elem: r.readItems(n, name)}
	case kind.Text == "map" && n.Get("valueType").IsSet():
		return &tool.Type{Name: "map", Elem: r.readValueType(n.Get("valueType"))}
	}
	return &tool.Type{Name: kind.Text}
}

func (r *reader) readValueType(n foreign.Node) *tool.Type {
	if !slices.Contains(types[:singleTypes], n.Text) {
		r.file.ReportWord("valueType", n, types[:singleTypes])
		return nil
	}
	return &tool.Type{Name: n.Text}
}

// readItems reads the type of an array's items. ABL has no place for their other keys.
func (r *reader) readItems(n foreign.Node, name string) *tool.Type {
	items := n.Get("items")
	if items.Kind != foreign.Map {
		r.report("missing-property", n.Head(), "`items` is missing in the array `%s`: what is in it?", name)
		return nil
	}
	for _, key := range []string{"name", "description"} {
		if !items.Get(key).IsSingle() {
			r.file.Report(foreign.Warning, "missing-property", items.Head(), "`%s` is missing in the items of `%s`.", key, name)
		}
	}
	for _, m := range items.Members {
		switch {
		case m.Key == "type" || m.Key == "items" || m.Key == "valueType" || slices.Contains(constraintKeys, m.Key):
		case m.Key == "name" || m.Key == "description":
			r.reportLoss(name+".items."+m.Key+": "+m.Value.Text, m.KeySpan)
		case slices.Contains(knownParamKeys, m.Key):
			r.file.Report(foreign.Warning, "misplaced-property", m.KeySpan, "`%s` of an array's items is ignored; take it away.", m.Key)
		default:
			r.reportLoss(name+".items."+m.Key, m.KeySpan)
			r.file.Report(foreign.Warning, "unknown-property", m.KeySpan, "The items of an array have no `%s`.", m.Key)
			r.file.SuggestKnown(m.Key, knownParamKeys)
		}
	}
	return r.readType(items, name+".items")
}

// readTemplateParams reads the parameters that are pasted into the statement.
func (r *reader) readTemplateParams() {
	var all tool.Object
	for _, n := range r.file.List(r.entry.body, "templateParameters", "parameters") {
		p, at, ok := r.readParam(n)
		switch {
		case !ok:
			r.addPasted(n.Get("name")) // the statement may name it
			continue
		case p.Type.Name == "map":
			r.report("invalid-value", n.Get("type").Span, "The template parameter `%s` cannot be a map: nobody knows how one is pasted.", p.Name)
		case p.Type.Name == "array" && p.Type.Elem != nil && p.Type.Elem.Name != "string":
			r.report("invalid-value", at, "The items of the template parameter `%s` can only be strings.", p.Name)
		}
		r.checkPastedDefault(p, n)
		row := tool.Object{{Name: "type", Value: p.Type.String()}}
		if p.Description != "" {
			row = append(row, tool.Member{Name: "description", Value: p.Description})
		}
		if p.Optional && p.Default == nil {
			row = append(row, tool.Member{Name: "required", Value: false})
		}
		for _, m := range slices.Concat(itemConstraints(n), n.Members) {
			to := paramKeys[m.Key]
			if m.Key == "default" {
				to = "default"
			}
			if to != "" && m.Value.IsSet() {
				row = append(row, tool.Member{Name: to, Value: m.Value.Value()})
			}
		}
		row = append(row, originRow(p)...)
		all = append(all, tool.Member{Name: p.Name, Value: row})
		r.addPasted(n.Get("name"))
	}
	if all != nil {
		r.props["template_parameters"] = all
		r.places["template_parameters"], _ = r.entry.body.Member("templateParameters")
	}
}

// addPasted records the name of a pasted parameter, without duplicates.
func (r *reader) addPasted(name foreign.Node) {
	isIt := func(p foreign.Name) bool { return p.Text == name.Text }
	if name.IsSingle() && !slices.ContainsFunc(r.tool.Pasted, isIt) {
		r.tool.Pasted = append(r.tool.Pasted, foreign.Name{Text: name.Text, Span: name.Span})
	}
}

// checkPastedDefault reports a default that cannot be pasted into the statement.
func (r *reader) checkPastedDefault(p tool.Param, n foreign.Node) {
	statement, _ := r.props["statement"].(string)
	if (&tool.SQL{Statement: statement}).Unpasteable(p) {
		r.file.Report(foreign.Warning, "default-type", n.Get("default").Span,
			"The default of `%s` cannot be pasted into the statement; write a name, or give `%s` an `escape` or `allowedValues`.", p.Name, p.Name)
	}
}
