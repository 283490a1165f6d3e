package toolbox

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/literal"
	"github.com/abl-lsp/abl-lsp/tool"
)

// writeParams writes the entries of parameters: all of them or none, since a statement numbers
// them.
func (w *writer) writeParams(t tool.Tool, params []tool.Param) (list []any, why string) {
	for _, p := range params {
		isElsewhere := p.Hidden || p.Visibility != nil || !p.FromCaller()
		if isElsewhere && copiedFrom(p) == "" && !isSecure(p) {
			return nil, "its parameter " + p.Name + " is hidden from the model or comes from elsewhere"
		}
		o, ok := typeEntry(p.Type)
		if !ok {
			return nil, "its parameter " + p.Name + " can be " + p.Type.String()
		}
		if near := approximatedType(p.Type); near != "" {
			w.Note(t.QualifiedName(), "the type of %s is %s now, not %s", p.Name, near, p.Type)
		}
		p.Description = w.descriptionOf(t, p.Name, p.Description)
		list = append(list, paramEntry(p, o))
	}
	return list, ""
}

// paramEntry writes a parameter with its type.
func paramEntry(p tool.Param, typed tool.Object) tool.Object {
	o := tool.Object{{Name: "name", Value: p.Name}, typed[0], {Name: "description", Value: p.Description}}
	o = append(o, typed[1:]...)
	constraints := constraintsOf(p)
	if last := &o[len(o)-1]; last.Name == "items" { // it constrains each item
		last.Value, constraints = append(last.Value.(tool.Object), constraints...), nil
	}
	if p.Default != nil {
		o = append(o, tool.Member{Name: "default", Value: literal.Parse(p.Default).Value()})
	}
	switch from := copiedFrom(p); {
	case from != "":
		o = append(o, tool.Member{Name: "valueFromParam", Value: from})
	case isSecure(p):
		o = append(o, tool.Member{Name: "secure", Value: true})
	case p.Optional && p.Default == nil:
		o = append(o, tool.Member{Name: "required", Value: false})
	}
	o = append(o, constraints...)
	var services []any
	for _, s := range p.AuthServices {
		services = append(services, tool.Object{{Name: "name", Value: s.Name}, {Name: "field", Value: s.Field}})
	}
	return addList(o, "authServices", services)
}

// constraintsOf returns the constraints on the value of a parameter.
func constraintsOf(p tool.Param) (o tool.Object) {
	o = addList(o, "allowedValues", valuesOf(p.AllowedValues))
	o = addList(o, "excludedValues", valuesOf(p.ExcludedValues))
	for _, bound := range []struct {
		key   string
		value tool.Number
	}{{"minValue", p.MinValue}, {"maxValue", p.MaxValue}} {
		if bound.value != "" {
			o = append(o, tool.Member{Name: bound.key, Value: json.Number(bound.value)})
		}
	}
	if p.Escape != "" {
		o = append(o, tool.Member{Name: "escape", Value: p.Escape})
	}
	return o
}

func valuesOf(raws []json.RawMessage) (list []any) {
	for _, raw := range raws {
		list = append(list, literal.Parse(raw).Value())
	}
	return list
}

// nearestTypes maps type words that Toolbox does not have to the nearest ones that it has.
var nearestTypes = map[string]string{"number": "float", "date": "string", "datetime": "string", "object": "map"}

// approximatedType returns Toolbox's word for a type if the word says less than the type; "" if it
// says all.
func approximatedType(t *tool.Type) string {
	switch {
	case t.Nullable || t.Name == "object" || t.Name == "date" || t.Name == "datetime":
		return nearestTypes[t.Name] + map[bool]string{true: t.Name}[nearestTypes[t.Name] == ""]
	case t.Elem != nil:
		return approximatedType(t.Elem)
	}
	return ""
}

// typeEntry writes the type of a parameter; ok is false if Toolbox has no word for it.
func typeEntry(t *tool.Type) (o tool.Object, ok bool) {
	if t == nil || len(t.Union) > 0 {
		return nil, false
	}
	name := t.Name
	if word := nearestTypes[name]; word != "" {
		name = word
	}
	if !slices.Contains(types, name) {
		return nil, false
	}
	o = tool.Object{{Name: "type", Value: name}}
	switch {
	case name == "array":
		items, ok := typeEntry(t.Elem)
		if !ok {
			return nil, false
		}
		item := tool.Object{{Name: "name", Value: "item"}, items[0], {Name: "description", Value: "One of the list"}} // Toolbox demands them
		return append(o, tool.Member{Name: "items", Value: append(item, items[1:]...)}), true
	case name == "map" && t.Elem != nil:
		each, ok := typeEntry(t.Elem)
		if !ok || !slices.Contains(types[:4], each[0].Value.(string)) {
			return nil, false
		}
		return append(o, tool.Member{Name: "valueType", Value: each[0].Value}), true
	case len(t.Enum) > 0:
		var allowed []any
		for _, word := range t.Enum {
			allowed = append(allowed, regexp.QuoteMeta(word))
		}
		return append(o, tool.Member{Name: "allowedValues", Value: allowed}), true
	}
	return o, true
}

// writeTemplateParams writes the parameters that are pasted into the statement.
func (w *writer) writeTemplateParams(t tool.Tool, s *tool.SQL) (list []any, why string) {
	if len(bytes.TrimSpace(s.TemplateParameters)) == 0 {
		return nil, ""
	}
	for _, m := range literal.Parse(s.TemplateParameters).Members {
		p, ok := w.writeTemplateParam(t, m)
		if !ok {
			return nil, "its template parameter " + m.Key + " is none that Toolbox has"
		}
		list = append(list, p)
	}
	return list, ""
}

func (w *writer) writeTemplateParam(t tool.Tool, m foreign.Member) (o tool.Object, ok bool) {
	p := tool.Param{Name: m.Key, Description: m.Value.Get("description").Text}
	if p.Description == "" {
		w.Note(t.QualifiedName(), "template_parameters: Toolbox demands a description of %s: its name stands there", m.Key)
		p.Description = m.Key
	}
	source, _ := m.Value.Value().(tool.Object)
	props := map[string]any{}
	for _, member := range source {
		props[member.Name] = member.Value
	}
	if len(p.Enrich(props)) > 0 {
		return nil, false
	}
	if d := m.Value.Get("default"); d.IsSet() {
		p.Default = d.JSON()
	}
	kind := tool.Type{Name: m.Value.Get("type").Text}
	if kind.Name == "string[]" {
		kind = tool.Type{Name: "array", Elem: &tool.Type{Name: "string"}}
	}
	typed, ok := typeEntry(&kind)
	if !ok {
		return nil, false
	}
	return paramEntry(p, typed), true
}
