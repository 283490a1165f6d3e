package main

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/tool"
)

// itemOf returns the row of the items of a list of single values.
func itemOf(row *tool.Field) *tool.Field {
	item := *projectfile.ItemField(row)
	if len(item.Values) > 0 {
		item.Type = tool.WordType
	}
	return &item
}

// mapSchema returns the schema of a map: the keys that it may have, and their values.
func (w *schemaWriter) mapSchema(row *tool.Field) tool.Object {
	var s tool.Object
	if len(row.Fields) > 0 {
		keys := tool.Object{}
		for i := range row.Fields {
			keys = append(keys, tool.Member{Name: row.Fields[i].Name, Value: w.valueSchema(&row.Fields[i])})
		}
		s = append(s, tool.Member{Name: "properties", Value: keys})
	}
	switch {
	case row == projectfile.CasesField():
		s = append(s, object("patternProperties", object("^x-", true), "additionalProperties", w.shareSchema(row.Each))...)
	case row.Each != nil:
		s = append(s, tool.Member{Name: "additionalProperties", Value: w.shareSchema(row.Each)})
	case !row.Open:
		s = append(s, object("patternProperties", object("^x-", true), "additionalProperties", false)...)
	}
	if rules := rulesOf(row); len(rules) > 0 {
		s = append(s, tool.Member{Name: "allOf", Value: rules})
	}
	return s
}

// shareSchema stores a schema in the definitions and returns a reference to it.
func (w *schemaWriter) shareSchema(row *tool.Field) tool.Object {
	name := strings.ReplaceAll(row.Name, " ", "_")
	ref := object("$ref", "#/$defs/"+name)
	for _, d := range w.defs {
		if d.Name == name {
			return ref
		}
	}
	at := len(w.defs)
	w.defs = append(w.defs, tool.Member{Name: name})
	s := w.valueSchema(row)
	w.defs[at].Value = s
	return ref
}

// rulesOf returns the keys that a map must have, and for each kind of it the keys that it
// must have and those that have no effect. An empty map is unfinished and breaks no rule.
func rulesOf(row *tool.Field) []any {
	var rules []any
	always := object("type", "object", "minProperties", 1)
	if then := requiredKeys(row, func(f *tool.Field) bool { return f.Required }); then != nil {
		rules = append(rules, object("if", always, "then", then))
	}
	by := projectfile.KeyField(row, row.By)
	if by == nil {
		return rules
	}
	for _, kind := range by.Values {
		then := requiredKeys(row, func(f *tool.Field) bool { return !f.Required && f.IsNeededBy(kind.Name) })
		if useless := uselessFor(row, kind.Name); len(useless) > 0 {
			then = append(then, tool.Member{Name: "not", Value: object("anyOf", useless)})
		}
		is := object("type", "object", "properties", object(row.By, object("const", kind.Name)), "required", []string{row.By})
		if len(then) > 0 {
			rules = append(rules, object("if", is, "then", then))
		}
	}
	return rules
}

// nonEmptyValue is the schema of a value that is not empty.
var nonEmptyValue = object("not", object("enum", []any{nil, ""}))

// requiredKeys returns the schema that demands the selected keys, nil for none.
func requiredKeys(row *tool.Field, is func(*tool.Field) bool) tool.Object {
	var names []string
	values := tool.Object{}
	for i := range row.Fields {
		if f := &row.Fields[i]; is(f) {
			names = append(names, f.Name)
			values = append(values, tool.Member{Name: f.Name, Value: nonEmptyValue})
		}
	}
	if names == nil {
		return nil
	}
	return object("required", names, "properties", values)
}

// uselessFor returns, for each key that has no effect in a kind, the schema of a map that
// has it.
func uselessFor(row *tool.Field, kind string) []any {
	var all []any
	for i := range row.Fields {
		if f := &row.Fields[i]; !f.IsUsedBy(kind) {
			all = append(all, object("required", []string{f.Name}))
		}
	}
	return all
}
