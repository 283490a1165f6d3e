package schema

import (
	"github.com/abl-lsp/abl-lsp/tool"
)

// Row returns the row of a property whose value is a JSON Schema. Unknown keys are allowed in it.
func Row(name, doc string) tool.Field {
	return tool.Field{Name: name, Type: tool.Block, Open: true, Fields: schemaRows, Doc: doc}
}

// InputRow is [Row] for the schema of a tool's arguments: its properties are the parameters of the
// tool.
func InputRow(name, doc string) tool.Field {
	row := Row(name, doc)
	row.Fields = append([]tool.Field(nil), row.Fields...)
	for i := range row.Fields {
		if f := &row.Fields[i]; f.Name == "properties" {
			each := *f.Each
			each.Ref, each.Declares = tool.RefParameter, true
			f.Each = &each
		}
	}
	return row
}

// Keys returns the names of the known keys of a schema.
func Keys() []string { return tool.FieldNames(schemaRows) }

// Types returns the names of the types of JSON Schema.
func Types() []tool.Word { return types }

var types = []tool.Word{
	{Name: "string", Doc: "A text."},
	{Name: "number", Doc: "A number."},
	{Name: "integer", Doc: "A whole number."},
	{Name: "boolean", Doc: "`true` or `false`."},
	{Name: "object", Doc: "Values by name, as `properties` says."},
	{Name: "array", Doc: "A list, of what `items` says."},
	{Name: "null", Doc: "Nothing."},
}

var formats = []tool.Word{
	{Name: "date", Doc: "A day: 2026-06-01."}, {Name: "date-time", Doc: "A day and a time, with its zone."},
	{Name: "time", Doc: "A time, with its zone."}, {Name: "email", Doc: "An address of e-mail."},
	{Name: "uri", Doc: "An address with its scheme."}, {Name: "uuid", Doc: "A UUID."},
}

var schemaRows = nested()

// nested returns the rows of the known keys of a schema. The rows of keys that contain schemas have
// the same rows again.
func nested() []tool.Field {
	inner := &tool.Field{Name: "schema", Type: tool.Block, Open: true, Doc: "What one value is."}
	below := func(name, doc string) tool.Field {
		return tool.Field{Name: name, Type: tool.Block, Open: true, Each: inner, Doc: doc}
	}
	of := func(name, doc string) tool.Field {
		row := *inner
		row.Name, row.Doc, row.Each = name, doc, nil
		return row
	}
	rows := []tool.Field{
		{Name: "type", Type: tool.WordType, Values: types, Doc: "What the value is."},
		{Name: "description", Type: tool.String, Doc: "What the model reads of it."},
		below("properties", "The members of an object, by name."),
		{Name: "required", Type: tool.ListType, Ref: tool.RefProperty, Doc: "The members that must be there."},
		{Name: "additionalProperties", Type: tool.BooleanType, Default: "true", Doc: "Whether an object may have other members."},
		of("items", "What the items of an array are."),
		{Name: "enum", Type: tool.ListType, Doc: "The values that there are."},
		{Name: "const", Type: tool.AnyType, Doc: "The only value that there is."},
		{Name: "default", Type: tool.AnyType, Doc: "The value where none is given."},
		{Name: "format", Type: tool.WordType, Values: formats, Doc: "What a text looks like."},
		{Name: "pattern", Type: tool.String, Doc: "A regular expression that a text fits."},
		{Name: "minLength", Type: tool.NumberType, Doc: "How many characters a text has at least."},
		{Name: "maxLength", Type: tool.NumberType, Doc: "How many characters a text has at most."},
		{Name: "minimum", Type: tool.NumberType, Signed: true, Doc: "The smallest number."},
		{Name: "maximum", Type: tool.NumberType, Signed: true, Doc: "The largest number."},
		{Name: "minItems", Type: tool.NumberType, Doc: "How many items an array has at least."},
		{Name: "maxItems", Type: tool.NumberType, Doc: "How many items an array has at most."},
		{Name: "title", Type: tool.String, Doc: "A short name for it."},
		{Name: "anyOf", Type: tool.BlockList, Doc: "Schemas of which one at least holds."},
		{Name: "oneOf", Type: tool.BlockList, Doc: "Schemas of which exactly one holds."},
		{Name: "allOf", Type: tool.BlockList, Doc: "Schemas that all hold."},
		below("$defs", "Schemas to which `$ref` leads, by name."),
		{Name: "$ref", Type: tool.String, Doc: "Another part of this schema, such as `#/$defs/name`."},
	}
	inner.Fields = rows
	for i := range rows {
		if rows[i].Name == "items" || rows[i].Type == tool.BlockList {
			rows[i].Fields = rows
		}
	}
	return rows
}
