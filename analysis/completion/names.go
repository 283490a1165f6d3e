package completion

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// completeRefs offers what a value may refer to.
func completeRefs(t cursor.Line, field *tool.Field, p insertion) []Item {
	switch field.Ref {
	case tool.RefTool:
		return completeCallable(t, p)
	case tool.RefStep:
		words := completeWords(t, model.FlowTargetWords(field), ValueItem, p)
		for i := range words {
			words[i].rank = usualRank(usualTargets, words[i].Label)
		}
		return append(completeSteps(t, p), words...)
	case tool.RefTemplate:
		return completeTemplateCalls(t, p)
	case tool.RefAgent:
		return completeAgents(t, p)
	case tool.RefProfile:
		return completePlainNames(t, model.ProfileNames(fullWorkspace(t), t.File.Path), "behaviour profile", p)
	case tool.RefAction:
		if field.Name == "ACTION" {
			return completePlainNames(t, namesInSections(t.File, model.ActionHandlers, model.Reads), "action", p)
		}
		return completeHandledActions(t, p)
	case tool.RefField:
		return completeVariables(t, p, model.FieldVariable)
	case tool.RefVariable:
		return completeVariables(t, p)
	case tool.RefPersistent:
		return completeVariables(t, p, model.PersistentVariable)
	case tool.RefConnection:
		return completeExported(t, model.ConnectionNameKind, nil, "connection of the exported project", p)
	case tool.RefServerTool:
		return completeServerTools(t, p)
	case tool.RefServer, tool.RefFunction, tool.RefSource, tool.RefAuthService, tool.RefEnvironment:
		return completeProjectNames(t, field.Ref, p)
	case tool.RefForeignTool:
		return completePlainNames(t, t.File.Foreign.ToolNames(), "tool", p)
	case tool.RefResource:
		return completePlainNames(t, siblingResources(t), "tool", p)
	case tool.RefParameter:
		if t.YAML == nil {
			return completeParamNames(t, p)
		}
		return completePlainNames(t, schemaProperties(t), "property", p)
	case tool.RefProperty:
		return completePlainNames(t, schemaProperties(t), "property", p)
	}
	if section := model.RefSections[field.Ref]; section != "" {
		items := completeNamesOf(t, section, p)
		if field.Ref == tool.RefMessage {
			items = append(items, completeExported(t, model.TextNameKind, nil, "text of the exported project", p)...)
		}
		return items
	}
	return nil
}

// usualTargets are the words that transitions have most, instead of a step.
var usualTargets = []string{"COMPLETE"}

// completeAgents offers the other agents; those that the file names come first.
func completeAgents(t cursor.Line, p insertion) []Item {
	return rankNearest(t, completePlainNames(t, otherAgents(t), "agent", p), model.AgentRef, model.RouteRef)
}

// completeSteps offers the steps of the flow, those that follow the cursor's step first.
func completeSteps(t cursor.Line, p insertion) []Item {
	flow := t.File.FlowAt(t.Offset)
	if flow == nil {
		return nil
	}
	var items []Item
	for i, name := range flow.Names() {
		step, _ := flow.Step(name)
		if slices.Contains(p.listed, name) || step.NameSpan.Touches(t.Offset) {
			continue
		}
		item := newItem(t, p, Item{Label: name, Kind: StepItem, Detail: "step", Documentation: step.Markdown(), rank: i + 1})
		if step.NameSpan.Start < t.Offset {
			item.rank += len(flow.Steps)
		}
		items = append(items, item)
	}
	return items
}

// completePlainNames offers names without documentation; what is the noun for them.
func completePlainNames(t cursor.Line, names []string, what string, p insertion) []Item {
	var items []Item
	for _, name := range names {
		if name == "" || slices.Contains(p.listed, name) {
			continue
		}
		items = append(items, newItem(t, p, Item{Label: name, Kind: NameItem, Detail: what}))
	}
	return items
}

// completeNamesOf offers the names that a section of the file declares.
func completeNamesOf(t cursor.Line, section string, p insertion) []Item {
	info, _ := model.LookupSection(section)
	var items []Item
	for _, n := range t.File.DeclaredNames(info.Name) {
		items = append(items, completePlainNames(t, []string{n.Name}, info.Name, p)...)
	}
	return items
}

// completeTemplateCalls offers a call of each template.
func completeTemplateCalls(t cursor.Line, p insertion) []Item {
	if p.quote != 0 {
		return nil
	}
	var items []Item
	for _, n := range t.File.Templates() {
		items = append(items, newItem(t, p, Item{
			Label: "TEMPLATE(" + n.Name + ")", Kind: NameItem, Detail: "template", Documentation: describe.TemplateMarkdown(n),
		}))
	}
	return items
}

var typedTemplate = lazyregexp.New(`\bTEMPLATE\([ \t]*["']?([\w.-]*)$`)

// completeInTemplateCall offers the templates between the brackets of TEMPLATE().
func completeInTemplateCall(t cursor.Line) (items []Item, ok bool) {
	m := typedTemplate.FindStringSubmatchIndex(t.Text())
	if m == nil {
		return nil, false
	}
	from := max(t.Start, t.Value) + m[2]
	ends := ""
	if !strings.Contains(t.TextAfter(), ")") {
		ends = ")"
	}
	for _, n := range t.File.Templates() {
		items = append(items, Item{
			Label: n.Name, Kind: NameItem, Detail: "template", Documentation: describe.TemplateMarkdown(n), Edit: t.Replace(from, n.Name+ends),
		})
	}
	return items, true
}

// completeVariables offers the variables of some kinds; without any, all.
func completeVariables(t cursor.Line, p insertion, kinds ...model.VariableKind) []Item {
	var items []Item
	for _, v := range knownVariables(t) {
		here := v.Path == "" && v.Span.Touches(t.Offset) // the name that is being typed
		if here || slices.Contains(p.listed, v.Name) || len(kinds) > 0 && !slices.Contains(kinds, v.Kind) {
			continue
		}
		items = append(items, newItem(t, p, Item{
			Label: v.Name, Kind: VariableItem, Detail: variableDetail(v), Documentation: describe.VariableMarkdown(v),
		}))
	}
	return items
}

// otherAgents returns the names of all agents except the file's own.
func otherAgents(t cursor.Line) []string {
	own := t.File.AgentName().Text
	return slices.DeleteFunc(model.PublicNamesAround(fullWorkspace(t), t.File.Path, model.AgentNameKind), func(name string) bool { return name == own })
}

// knownVariables returns the variables of the file, and those of other files that it can read.
func knownVariables(t cursor.Line) []model.Variable {
	own := t.File.Variables()
	w := t.Workspace
	if t.File.Kind == model.Library || t.File.Kind == model.Profile {
		w = fullWorkspace(t)
	}
	for _, v := range model.SharedVariables(w, t.File) {
		if !slices.ContainsFunc(own, func(o model.Variable) bool { return o.Name == v.Name }) {
			own = append(own, v)
		}
	}
	return own
}

func variableDetail(v model.Variable) string {
	if v.Type != "" {
		return v.Type
	}
	return v.Kind.String()
}

// completeProjectNames offers the entries of abl.yaml, and those that a foreign file declares
// itself.
func completeProjectNames(t cursor.Line, ref tool.Ref, p insertion) []Item {
	key := model.ProjectTables[ref]
	var names []string
	if in, _ := t.Workspace.Project(t.File.Path); in != nil && in.Project != nil {
		table, _ := in.Project.Table(key)
		names = table.Names()
	}
	var items []Item
	if t.File.Foreign != nil {
		own := t.File.DeclaredForeign(ref)
		names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(own, name) })
		items = completePlainNames(t, supportedNames(t, ref, own), model.TableNoun(key), p)
	}
	items = append(items, completePlainNames(t, supportedNames(t, ref, names), projectfile.FileName+" · "+key, p)...)
	if ref != tool.RefServer {
		return items
	}
	for i := range items {
		items[i].Documentation = describe.ServerMarkdown(t.Workspace, t.File.Path, items[i].Label)
	}
	return append(items, completeExported(t, model.ServerNameKind, names, "MCP server of the exported project", p)...)
}

// supportedNames returns the names of sources that the tool at the cursor supports; for other
// references all names.
func supportedNames(t cursor.Line, ref tool.Ref, names []string) []string {
	if ref != tool.RefSource {
		return names
	}
	if t.YAML != nil {
		return model.SupportedSources(names, model.SourceKinds(t.Workspace, t.File), supportedSources(t))
	}
	decl, ok := t.Tool()
	if !ok {
		return names
	}
	return model.SupportedSources(names, model.SourceKinds(t.Workspace, t.File), model.SupportedSourceKinds[string(decl.Kind())])
}

// completeEvents offers the events on which memory is recalled.
func completeEvents(t cursor.Line, p insertion) []Item {
	names := []string{"session:start", "session:end"}
	for _, s := range t.Workspace.Callable(t.File.Path).Names() {
		names = append(names, "tool:"+s+":after")
	}
	if flow := t.File.FlowAt(t.Offset); flow != nil {
		for _, step := range flow.Names() {
			names = append(names, "step:enter:"+step, "step:exit:"+step)
		}
	}
	for _, agent := range model.PublicNamesAround(fullWorkspace(t), t.File.Path, model.AgentNameKind) {
		names = append(names, "agent:"+agent+":before", "agent:"+agent+":after")
	}
	for _, v := range t.File.Variables() {
		if v.Kind == model.FieldVariable {
			names = append(names, "entity:"+v.Name+":extracted")
		}
	}
	items := completePlainNames(t, names, "event", p)
	for i := range items {
		items[i].Edit.End = eventEnd(t)
	}
	return items
}

// eventEnd returns the end of the event under the cursor, colons included.
func eventEnd(t cursor.Line) int {
	rest := t.TextAfter()
	return t.Offset + len(rest) - len(strings.TrimLeft(rest, model.NameBytes+":*"))
}
