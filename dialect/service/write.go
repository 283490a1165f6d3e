package service

import (
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Write writes tools as ToolDefinitions. If all tools are of one service, they are below its name;
// otherwise they have their outside names.
func Write(tools []tool.Tool, _ tool.Object) foreign.WriteResult {
	var w foreign.WriteResult
	service, shared := sharedService(tools)
	definitions, names := tool.Object{}, map[string]bool{}
	for _, t := range tools {
		name := t.QualifiedName()
		if shared {
			name = t.Name
		}
		if names[name] {
			w.ReportLoss(name, "the whole tool, since another one is called so")
			continue
		}
		names[name] = true
		definitions = append(definitions, tool.Member{Name: name, Value: writeDefinition(&w, t, name)})
	}
	file := tool.Object{{Name: "tools", Value: definitions}}
	if service != "" {
		file = append(tool.Object{{Name: "service", Value: service}}, file...)
	}
	w.Text = foreign.IndentedJSON(file)
	return w
}

// mutationKey returns the key with which a tool declares whether it changes something.
func mutationKey(t tool.Tool) string {
	if t.Origin.InYAML {
		return "hints.side_effects"
	}
	return "mutation"
}

// sharedService returns the service of all tools, "" if they have none. shared is false if they
// have different ones.
func sharedService(tools []tool.Tool) (name string, shared bool) {
	for i, t := range tools {
		if i > 0 && t.Namespace != name {
			return "", false
		}
		name = t.Namespace
	}
	return name, true
}

// writeDefinition writes one definition. If a tool does not declare whether it changes something,
// its binding decides.
func writeDefinition(w *foreign.WriteResult, t tool.Tool, name string) tool.Object {
	o := tool.Object{{Name: "name", Value: name}, {Name: "description", Value: t.Description}}
	o = append(o, tool.Member{Name: "inputSchema", Value: t.ArgumentSchema()})
	if returns := t.ModelSchema(); returns != nil {
		o = append(o, tool.Member{Name: "outputSchema", Value: returns})
	}
	if t.Streaming != "" {
		o = append(o, tool.Member{Name: "streaming", Value: t.Streaming.Is(true)})
	}
	if mutates := t.Mutates(); mutates != nil {
		o = append(o, tool.Member{Name: "mutation", Value: *mutates})
	} else {
		w.Note(t.QualifiedName(), "nobody can know whether it changes something: say `%s` in the tool", mutationKey(t))
	}
	w.LoseParams(t)
	w.LoseFiles(t)
	w.LoseRest(t, "description", "service", "streaming", "mutation", "input_schema", "output_schema")
	return o
}
