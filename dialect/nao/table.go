package nao

import (
	"sync"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/tool"
)

// permissionRows are the keys of a permission that a tool needs.
var permissionRows = []tool.Field{
	{Name: "kind", Type: tool.String, Required: true, Doc: "What is reached, such as `web`, `file` or `secret`."},
	{Name: "op", Type: tool.String, Doc: "What is done there, such as `get`."},
	{Name: "resource", Type: tool.String, Doc: "Which one: a host, a path."},
}

// toolRows are the keys of a tool. They are made on first use.
var toolRows = sync.OnceValue(func() []tool.Field {
	return []tool.Field{
		{Name: "name", Type: tool.String, Required: true, Ref: tool.RefForeignTool, Declares: true, Doc: "The unique name by which the agent calls the tool."},
		{Name: "description", Type: tool.String, Required: true, Doc: "What the model reads when it picks a tool."},
		{Name: "version", Type: tool.String, Doc: "The version, such as `1.0`. Without one the tool fits any that is asked for."},
		{Name: "contentType", Type: tool.String, Default: "text/plain", Doc: "What the tool's output is. It is carried along, and not looked at."},
		{Name: "permissions", Type: tool.BlockList, Fields: permissionRows, Doc: "What the tool must be allowed. It is asked for before each run; where one is denied, the tool does not run."},
		schema.InputRow("parameters", "The JSON Schema of what the tool takes. Without it, the tool takes one free text."),
		{Name: "binding", Type: tool.Block, By: "type", Fields: bindingRows(tool.CommonFields()), Doc: "How the tool runs: a binding as ABL writes it."},
		stepRow("verify", "How a result is checked: an expression over `result` and `args`, or a binding of its own."),
		stepRow("revert", "How what the tool changed is undone: an expression, or a binding of its own."),
		{Name: "origin", Type: tool.AnyType, Doc: "Where the tool comes from."},
	}
})

// stepRow returns the row of `verify` or `revert`, whose value is an expression or a binding.
func stepRow(name, doc string) tool.Field {
	return tool.Field{Name: name, Type: tool.AnyType, By: "type", Doc: doc, Fields: bindingRows(tool.StepFields(name, ""))}
}

// bindingRows returns the given common keys and the keys of every kind of binding.
func bindingRows(common []tool.Field) (rows []tool.Field) {
	for _, f := range common {
		rows = foreign.AddRow(rows, f, "")
	}
	for _, kind := range tool.Kinds() {
		for _, f := range tool.Fields(tool.Kind(kind.Name)) {
			rows = foreign.AddRow(rows, f, kind.Name)
		}
	}
	return rows
}

// fileRow is the schema of a file.
var fileRow = sync.OnceValue(func() *tool.Field {
	return &tool.Field{Name: "Nao", Type: tool.Block, Open: true, Doc: "Tools in the shape of Nao's.", Fields: []tool.Field{
		{Name: "tools", Type: tool.BlockList, Required: true, Fields: toolRows(), Doc: "The tools."},
	}}
})
