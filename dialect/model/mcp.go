package model

import (
	"regexp"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/tool"
)

// WriteMCP writes what an MCP server answers to tools/list.
func WriteMCP(tools []tool.Tool, _ tool.Object) foreign.WriteResult {
	var w foreign.WriteResult
	list := []any{}
	forEachOffered(&w, tools, func(_ int, t tool.Tool) {
		list = append(list, mcpTool(&w, t))
		w.LoseParams(t)
		w.LoseFiles(t)
		w.LoseRest(t, "description", "service", "mutation", "effect", "input_schema", "output_schema")
	})
	w.Text = foreign.IndentedJSON(tool.Object{{Name: "tools", Value: list}})
	return w
}

// MCPTool is a tool as an MCP server lists it.
type MCPTool struct {
	Object tool.Object
	Output tool.Object // the outputSchema of a list, a number or a boolean, which the protocol has from 2026-07-28 on; nil for other results
	Index  int         // among the tools that were given
}

// ListMCP returns the tools that an MCP server can offer. notOffered says of each other tool why
// not.
func ListMCP(tools []tool.Tool) (list []MCPTool, notOffered []string) {
	var w, discarded foreign.WriteResult
	forEachOffered(&w, tools, func(i int, t tool.Tool) { list = append(list, MCPTool{mcpTool(&discarded, t), plainOutput(t), i}) })
	return list, foreign.LossTexts(w.Lost)
}

// forEachOffered calls do for the tools that can be offered.
func forEachOffered(w *foreign.WriteResult, tools []tool.Tool, do func(i int, t tool.Tool)) {
	names := nameRule{regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`), "letters, digits, `_`, `-` and `.`, 128 at most", map[string]bool{}}
	for i, t := range tools {
		if !w.NeverRuns(t) && names.claimName(w, t) {
			do(i, t)
		}
	}
}

// plainOutput returns the schema of a result that is a list, a number or a boolean. A text has none:
// it is the text of the answer.
func plainOutput(t tool.Tool) tool.Object {
	output, _ := schema.Read(t.ModelSchema()).Value().(tool.Object)
	switch output.Text("type") {
	case "array", "number", "integer", "boolean":
		return output
	}
	return nil
}

func mcpTool(w *foreign.WriteResult, t tool.Tool) tool.Object {
	o := tool.Object{{Name: "name", Value: t.QualifiedName()}}
	if t.Description != "" {
		o = append(o, tool.Member{Name: "description", Value: t.Description})
	}
	input := argumentSchema(t)
	if input.Text("type") != "object" {
		w.ReportLoss(t.QualifiedName(), "its input_schema, which is not one of an object")
		input = tool.Object{{Name: "type", Value: "object"}}
	}
	o = append(o, tool.Member{Name: "inputSchema", Value: input})
	if output, ok := schema.Read(t.ModelSchema()).Value().(tool.Object); ok {
		if output.Text("type") == "object" {
			o = append(o, tool.Member{Name: "outputSchema", Value: output})
		} else {
			w.ReportLoss(t.QualifiedName(), "what it returns, since that need not be an object: %s", t.Returns)
		}
	}
	if mutates := t.Mutates(); mutates != nil {
		hints := tool.Object{{Name: "readOnlyHint", Value: !*mutates}}
		if s, ok := t.Spec.(*tool.HTTP); ok && *mutates && strings.EqualFold(s.Method, "DELETE") {
			hints = append(hints, tool.Member{Name: "destructiveHint", Value: true})
		}
		o = append(o, tool.Member{Name: "annotations", Value: hints})
	}
	return o
}
