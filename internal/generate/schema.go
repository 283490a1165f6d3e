package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/internal/operator"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/indent"
)

const (
	dialect  = "https://json-schema.org/draft/2020-12/schema"
	homePage = "https://raw.githubusercontent.com/abl-lsp/abl-lsp/main/"
)

// schema is a schema table that is written as a JSON Schema.
type schema struct {
	title string
	row   *tool.Field
}

// text returns the text of the schema's file.
func (s schema) text(name string) (string, error) {
	root, defs := s.parts()
	all := object("$schema", dialect, "$id", homePage+name, "title", s.title)
	all = append(all, root...)
	all = append(all, tool.Member{Name: "$defs", Value: defs})
	var b strings.Builder
	err := indent.Encode(&b, all)
	return b.String(), err
}

// parts returns the schema of the whole file and its definitions.
func (s schema) parts() (root, defs tool.Object) {
	if s.row == section.YAMLAgent() {
		return agentSchema(s.row)
	}
	w := schemaWriter{texts: s.row == projectfile.ProjectField()}
	root = w.valueSchema(s.row)
	if s.row == operator.Field() {
		root = withoutNull(root).(tool.Object)
	}
	return root, w.defs
}

// withoutNull returns a schema in which every value must be written.
func withoutNull(schema any) any {
	switch schema := schema.(type) {
	case tool.Object:
		next := slices.Clone(schema)
		for i := range next {
			next[i].Value = withoutNull(next[i].Value)
		}
		return next
	case []any:
		var next []any
		for _, one := range schema {
			if o, isObject := one.(tool.Object); !isObject || len(o) != 1 || o[0] != null[0] {
				next = append(next, withoutNull(one))
			}
		}
		return next
	case []string:
		return slices.DeleteFunc(slices.Clone(schema), func(name string) bool { return name == "null" })
	}
	return schema
}

// object returns an object of keys and values in turn.
func object(pairs ...any) tool.Object {
	var o tool.Object
	for i := 0; i < len(pairs); i += 2 {
		o = append(o, tool.Member{Name: fmt.Sprint(pairs[i]), Value: pairs[i+1]})
	}
	return o
}

// schemaWriter holds the definitions that more than one place refers to.
type schemaWriter struct {
	defs  tool.Object
	texts bool // the values of names that the author chooses are texts
}

// placeholder is the schema of a text with a placeholder, which may replace any single value.
var placeholder = object("type", "string", "pattern", `\{\{`)

// shapes are the JSON types of values; null is a value that is not written yet. Types with
// a schema of their own are not listed.
var shapes = map[tool.FieldType][]string{
	tool.String:    {"string", "number", "boolean", "null"},
	tool.Expr:      {"string", "number", "boolean", "null"},
	tool.MapType:   {"object", "null"},
	tool.Block:     {"object", "null"},
	tool.ListType:  {"array", "null"},
	tool.BlockList: {"array", "null"},
}

// valueSchema returns the schema of a value.
func (w *schemaWriter) valueSchema(row *tool.Field) tool.Object {
	s := object("description", row.Doc)
	switch row.Type {
	case tool.AnyType:
	case tool.WordType:
		s = append(s, tool.Member{Name: "anyOf", Value: append(valueNames(row), placeholder, null)})
	case tool.NumberType:
		s = append(s, tool.Member{Name: "anyOf", Value: []any{numberSchema(row), placeholder, null}})
	case tool.BooleanType:
		s = append(s, tool.Member{Name: "anyOf", Value: []any{object("type", "boolean"), placeholder, null}})
	default:
		s = append(s, singleValueSchema(row)...)
	}
	switch row.Type {
	case tool.Block:
		s = append(s, w.mapSchema(row)...)
	case tool.BlockList:
		s = append(s, tool.Member{Name: "items", Value: append(object("type", shapes[tool.Block]), w.mapSchema(row)...)})
	case tool.MapType:
		if w.texts {
			s = append(s, tool.Member{Name: "additionalProperties", Value: object("type", shapes[tool.String])})
		}
	case tool.ListType:
		s = append(s, tool.Member{Name: "items", Value: w.valueSchema(itemOf(row))})
	}
	if v := defaultOf(row); v != nil {
		s = append(s, tool.Member{Name: "default", Value: v})
	}
	return s
}

// singleValueSchema returns the schema of a single value.
func singleValueSchema(row *tool.Field) tool.Object {
	if row.Pattern != nil {
		types := []string{"string", "null"}
		if row.Pattern.MatchString("1") {
			types = []string{"string", "number", "null"}
		}
		return object("type", types, "pattern", row.Pattern.String()+`|\{\{`)
	}
	if row.OneLine {
		return object("type", append([]string{"string"}, shapes[row.Type]...))
	}
	return object("type", shapes[row.Type])
}

var null = object("type", "null")

func valueNames(row *tool.Field) []any {
	var all []any
	for _, v := range row.Values {
		word := object("const", v.Name)
		if v.Doc != "" {
			word = append(word, object("description", v.Doc)...)
		}
		all = append(all, word)
	}
	return all
}

func numberSchema(row *tool.Field) tool.Object {
	s := object("type", "number")
	if row.Integer {
		s[0].Value = "integer"
	}
	if row.Range != nil {
		s = append(s, object("minimum", row.Range.Min, "maximum", row.Range.Max)...)
	}
	return s
}

// defaultOf returns the default as a value, nil for none.
func defaultOf(row *tool.Field) any {
	switch {
	case row.Default == "", row.Type == tool.NumberType && !json.Valid([]byte(row.Default)):
		return nil
	case row.Type == tool.NumberType:
		return json.Number(row.Default)
	case row.Type == tool.BooleanType:
		return row.Default == "true"
	case row.Type == tool.ListType:
		return strings.Split(row.Default, ", ")
	}
	return row.Default
}
