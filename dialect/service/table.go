package service

import (
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/tool"
)

// definitionRows are the keys of a ToolDefinition.
var definitionRows = []tool.Field{
	{Name: "name", Type: tool.String, Required: true, Ref: tool.RefForeignTool, Declares: true, Doc: "What the tool is called; its outside name begins with that of the service."},
	{Name: "description", Type: tool.String, Required: true, Doc: "What the model reads when it picks a tool."},
	schema.InputRow("inputSchema", "The JSON Schema of what the tool takes."),
	schema.Row("outputSchema", "The JSON Schema of what the tool answers."),
	{Name: "streaming", Type: tool.BooleanType, Default: "false", Doc: "Whether the answer comes in parts."},
	{Name: "mutation", Type: tool.BooleanType, Required: true, Doc: "Whether the tool changes something."},
}

var (
	definition = &tool.Field{Name: "ToolDefinition", Type: tool.Block, Fields: definitionRows, Ref: tool.RefForeignTool, Declares: true, Doc: "A tool of a service."}
	byName     = tool.Field{Name: "tools", Type: tool.Block, Open: true, Each: definition, Doc: "ToolDefinitions, by name."}
	inList     = tool.Field{Name: "tools", Type: tool.BlockList, Fields: definitionRows, Doc: "ToolDefinitions."}
)

// rowOf returns the schema of the whole value.
func rowOf(root foreign.Node) *tool.Field {
	within := &byName
	if toolsOf(root).Kind == foreign.List {
		within = &inList
	}
	if !root.Has("tools") && !root.Has("service") {
		return within
	}
	return &tool.Field{Name: "service", Type: tool.Block, Doc: "A service with its tools.", Fields: []tool.Field{
		{Name: "service", Type: tool.String, Doc: "What the service is called: its tools are `service_tool` outside."}, *within,
	}}
}
