package section

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

// yamlTools returns the keys with tools and with the information to collect.
func yamlTools() []tool.Field {
	tools := tool.Field{Name: "tools", Type: tool.BlockList, Twin: &tool.Field{Name: "TOOLS", Fields: toolFields(), Doc: "The tools of the agent."}}
	tools.Doc = tools.Twin.Doc
	tools.Fields = withTwins(yamlToolFields(), tools.Twin, false)
	return []tool.Field{tools, {
		Name: "gather", Type: tool.Block, Items: yamlGather(), Fields: []tool.Field{
			{Name: "fields", Type: tool.BlockList, Required: true, Fields: yamlGather()},
		},
	}}
}

// toolFields returns the properties that a tool of any kind may have in ABL.
func toolFields() []tool.Field {
	fields := slices.Clone(tool.CommonFields())
	for _, kind := range tool.Kinds() {
		for _, field := range tool.Fields(tool.Kind(kind.Name)) {
			if known, _ := tool.Find(fields, field.Name); known == nil {
				fields = append(fields, field)
			}
		}
	}
	return fields
}

func yamlToolFields() []tool.Field {
	method := tool.Field{Name: "method", Type: tool.WordType, AnyCase: true}
	return []tool.Field{
		{Name: "name", Required: true, Ref: tool.RefTool, Declares: true, Doc: "The tool's name."},
		{Name: "description"},
		{Name: "parameters", Type: tool.BlockList, Doc: "The parameters, one an item.", Twin: twin("parameters"), Fields: []tool.Field{
			{Name: "name", Required: true, Doc: "The parameter's name."},
			{Name: "type", Type: tool.TypeType, Default: "string"},
			{Name: "required", Type: tool.BooleanType, Default: "true"},
			{Name: "default", Type: tool.AnyType},
			{Name: "description"},
			{Name: "validate", Doc: "What an argument must fit."},
		}},
		yamlReturns(),
		{Name: "type", Type: tool.WordType, Values: words("http", "mcp", "lambda", "sandbox")},
		{Name: "hints", Type: tool.Block, Fields: append(rowsOf(tool.BooleanType, "cacheable", "side_effects", "requires_auth"),
			tool.Field{Name: "latency", Type: tool.WordType}, tool.Field{Name: "timeout", Type: tool.NumberType})},
		{Name: "compaction", Type: tool.Block, Fields: inCamelCase(append(rowsOf(tool.ListType, "essential_fields"), rowsOf(tool.NumberType, "max_description_length")...))},
		yamlBinding(tool.KindHTTP, tool.Field{Name: "endpoint", Required: true, Refused: true}, withDefault(method, "GET"),
			tool.Field{Name: "timeout", Type: tool.NumberType}, tool.Field{Name: "retry", Type: tool.NumberType}),
		yamlBinding(tool.KindMCP, tool.Field{Name: "server", Required: true, Refused: true}, tool.Field{Name: "tool"}, tool.Field{Name: "headers", Type: tool.MapType}),
		{Name: "endpoint", Undocumented: true}, undocumented(method),
	}
}

// yamlBinding returns the binding of a kind of tool.
func yamlBinding(kind tool.Kind, rows ...tool.Field) tool.Field {
	word, _ := tool.LookupWord(tool.Kinds(), string(kind))
	abl := &tool.Field{Name: "type: " + word.Name, Fields: tool.Fields(kind), Doc: word.Doc}
	return tool.Field{Name: word.Name + "_binding", Type: tool.Block, Fields: withTwins(rows, abl, false), Twin: abl, Doc: word.Doc}
}

func withDefault(row tool.Field, value string) tool.Field {
	row.Default = value
	return row
}

func undocumented(row tool.Field) tool.Field {
	row.Undocumented = true
	return row
}

// yamlReturns returns the type of a result: a word, or a map of what is in it, each again such a type.
func yamlReturns() tool.Field {
	row := tool.Field{Name: "returns", Type: tool.Block, OneLine: true, Doc: "What the tool returns: a type, or a map. Without it nothing is returned."}
	items := tool.Field{Name: "items", Type: tool.Block, OneLine: true, Doc: "What the items of an array are: a type, or such a map."}
	fields := []tool.Field{
		{Name: "type", Type: tool.TypeType, Default: "object", Doc: "The type."},
		{Name: "fields", Type: tool.Block, Open: true, Doc: "The fields of an object, by name: a type each, or such a map."},
		items,
		{Name: "optional", Type: tool.BooleanType, Default: "false", Doc: "Whether it may be missing."},
	}
	returned := tool.ReturnsField()
	row.Twin, row.Fields, fields[2].Fields = &returned, fields, fields
	fields[1].Each = &tool.Field{Name: "field of a result", Type: tool.Block, OneLine: true, Fields: fields, Doc: "What is in the field: a type, or such a map."}
	return row
}

// yamlGather returns the keys of a field to collect.
func yamlGather() []tool.Field {
	return slices.Concat(
		[]tool.Field{{Name: "name", Required: true, Ref: tool.RefField, Declares: true, Doc: "The field's name."}},
		collectedFields(),
		[]tool.Field{{Name: "validate"}},
	)
}

// yamlStepGather returns the keys of a field that a step collects.
func yamlStepGather() []tool.Field {
	return slices.Concat(
		[]tool.Field{{Name: "name", Required: true, Ref: tool.RefField, Declares: true, Doc: "The field's name."}},
		collectedFields(),
		[]tool.Field{{Name: "validation"}, {Name: "extraction_hints", Type: tool.ListType}, yamlRichContent("richContent")},
	)
}

// collectedFields returns the keys of a field in both places.
func collectedFields() []tool.Field {
	return slices.Concat([]tool.Field{
		{Name: "prompt"},
		{Name: "type", Type: tool.WordType},
		{Name: "required", Type: tool.BooleanType},
		{Name: "default", Type: tool.AnyType},
		{Name: "message_key"},
		{Name: "validation_process", Type: tool.WordType, AnyCase: true},
		{Name: "retry_prompt"},
		{Name: "max_retries", Type: tool.NumberType},
	}, rowsOf(tool.BooleanType, "infer", "range", "list", "preferences"), []tool.Field{
		{Name: "depends_on", Type: tool.ListType},
		{Name: "prompt_mode", Type: tool.WordType},
	})
}
