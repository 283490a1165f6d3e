package dialect

import (
	"github.com/abl-lsp/abl-lsp/dialect/corail"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/model"
	"github.com/abl-lsp/abl-lsp/dialect/nao"
	"github.com/abl-lsp/abl-lsp/dialect/service"
	"github.com/abl-lsp/abl-lsp/dialect/toolbox"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Form is a file format in which tools can be written.
type Form struct {
	Name string
	Doc  string

	// Write writes tools, with what the tables of their project say. A form that
	// cannot say something leaves it out and names it.
	Write func(tools []tool.Tool, project tool.Object) foreign.WriteResult
}

// Forms returns all file formats in which tools can be written.
func Forms() []Form {
	return []Form{
		{"json-schema", "ToolDefinitions: JSON Schemas of what each tool takes and gives", service.Write},
		{"mcp", "what an MCP server answers to tools/list", model.WriteMCP},
		{"openai", "the functions of a call to OpenAI's models, strict where they can be", model.WriteOpenAI},
		{"toolbox", "a tools.yaml of MCP Toolbox", toolbox.Write},
		{"crd", "Tool resources of Récif", corail.WriteResources},
		{"corail", "the JSON list in CORAIL_TOOLS", corail.WriteList},
		{"prompt", "the part of a system prompt that tells a model of its tools", corail.WritePrompt},
		{"nao", "Nao's records", nao.Write},
	}
}
