package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// reservedName: the name of a declared tool does not begin with `__`, as those of the platform's
// own tools do. Between words `__` is fine. A tool with a `type` does not have the name of one that
// the platform runs itself. Neither a step nor ON_START sets a variable that the platform sets.
var reservedName = Check{
	Code: "reserved-name",
	Entry: func(out *findings, e Entry) {
		for i := range e.Tools {
			reservedTool(out, &e.Tools[i])
		}
		reservedVariables(out, e)
	},
}

func reservedTool(out *findings, t *model.ToolDecl) {
	_, isPlatforms := tool.LookupPlatformTool(t.Name)
	switch {
	case isPlatforms && t.Kind() != "":
		out.info(t.NameNode().Span(), "The platform has a tool `%s` of its own, and may pass over this one.", t.Name)
	case strings.HasPrefix(t.Name, "__") && model.IsToolName(t.Name):
		out.err(t.NameNode().Span(), "`%s` begins with `__`, as the names of the platform's own tools do; rename it.", t.Name)
	}
}

// Variables that an agent cannot set: those that the runtime overwrites in each turn of a flow, and
// those that identify the session.
var (
	overwrittenVariables = []string{"match", "input"}
	identifyingVariables = []string{"user_id", "session_id", "tenant_id", "project_id"}
)

func reservedVariables(out *findings, e Entry) {
	inStep := e.Section == "FLOW" && !e.Head && !strings.EqualFold(e.Root.Key(), "global_digressions")
	if !inStep && e.Section != "ON_START" {
		return
	}
	for _, m := range e.Maps {
		for _, p := range m.Properties {
			if p.Field == nil || p.Field.Name != "SET" {
				continue
			}
			for _, n := range assignedNames(p) {
				switch name := syntax.Unquote(n.Text()); {
				case inStep && slices.Contains(overwrittenVariables, name):
					out.warn(n.Span(), "The platform overwrites `%s` at each input; set a variable of another name.", name)
				case slices.Contains(identifyingVariables, name):
					out.warn(n.Span(), "`%s` is the platform's own and cannot be set; set a variable of another name.", name)
				}
			}
		}
	}
}

// assignedNames returns the names to which a SET assigns a value.
func assignedNames(set model.Property) []syntax.Node {
	var names []syntax.Node
	if set.Value.Kind() == syntax.Assignment {
		names = append(names, set.Value.Child(syntax.FieldTarget))
	}
	for _, p := range set.Properties() {
		names = append(names, p.Key)
	}
	return names
}
