package analysis

import (
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/tool"
)

// completeRefs offers what a value may name.
func completeRefs(t typed, field *tool.Field, p put) []CompletionItem {
	switch field.Ref {
	case tool.RefTool:
		return completeCallable(t, p)
	case tool.RefStep:
		return append(completeSteps(t, p), completeWords(t, targetWords(field), ValueItem, p)...)
	case tool.RefTemplate:
		return completeTemplateCalls(t, p)
	case tool.RefAgent:
		return completePlainNames(t, otherAgents(t), "agent", p)
	case tool.RefProfile:
		return completePlainNames(t, ProfileNames(wholeWorkspace(t), t.file.Path), "behaviour profile", p)
	case tool.RefAction:
		if field.Name == "ACTION" {
			return completePlainNames(t, namesBroughtBy(t.file, actionHandlers, Reads), "action", p)
		}
		return completeHandled(t, p)
	case tool.RefField:
		if field.Name != "pass" {
			return completeVariables(t, p, FieldVariable)
		}
		return completeVariables(t, p)
	}
	if section := refSections[field.Ref]; section != "" {
		items := completeNamesOf(t, section, p)
		if field.Ref == tool.RefMessage {
			items = append(items, completeExported(t, textNames, nil, "text of the exported project", p)...)
		}
		return items
	}
	return nil
}

var ()

// completeSteps offers the steps of the flow.
func completeSteps(t typed, p put) []CompletionItem {
	flow := t.file.FlowAt(t.offset)
	if flow == nil {
		return nil
	}
	var items []CompletionItem
	for _, name := range flow.Names() {
		step, _ := flow.Step(name)
		if slices.Contains(p.done, name) || step.NameSpan.Touches(t.offset) {
			continue
		}
		item := newItem(t, name, StepItem, p)
		item.Detail, item.Documentation = "step", step.markdown()
		items = append(items, item)
	}
	return items
}

// completePlainNames offers names of which no more is known than what they are.
func completePlainNames(t typed, names []string, what string, p put) []CompletionItem {
	var items []CompletionItem
	for _, name := range names {
		if name == "" || slices.Contains(p.done, name) {
			continue
		}
		item := newItem(t, name, NameItem, p)
		item.Detail = what
		items = append(items, item)
	}
	return items
}

// completeNamesOf offers the names that a section of the file declares.
func completeNamesOf(t typed, section string, p put) []CompletionItem {
	info, _ := LookupSection(section)
	var items []CompletionItem
	for _, n := range t.file.declared(info.Name) {
		items = append(items, completePlainNames(t, []string{n.name}, info.Name, p)...)
	}
	return items
}

// completeTemplateCalls offers a call of each template.
func completeTemplateCalls(t typed, p put) []CompletionItem {
	if p.quote != 0 {
		return nil
	}
	var items []CompletionItem
	for _, n := range t.file.templates() {
		item := newItem(t, "TEMPLATE("+n.name+")", NameItem, p)
		item.Detail, item.Documentation = "template", templateMarkdown(n)
		items = append(items, item)
	}
	return items
}

var templateTyped = regexp.MustCompile(`\bTEMPLATE\([ \t]*["']?([\w.-]*)$`)

// completeInTemplateCall offers the templates between the brackets of TEMPLATE().
func completeInTemplateCall(t typed) (items []CompletionItem, ok bool) {
	m := templateTyped.FindStringSubmatchIndex(t.text())
	if m == nil {
		return nil, false
	}
	from := max(t.start, t.value) + m[2]
	ends := ""
	if !strings.Contains(t.rest(), ")") {
		ends = ")"
	}
	for _, n := range t.file.templates() {
		items = append(items, CompletionItem{
			Label: n.name, Kind: NameItem, Detail: "template", Documentation: templateMarkdown(n), Edit: t.replace(from, n.name+ends),
		})
	}
	return items, true
}

// completeVariables offers the variables of some kinds; without any, all.
func completeVariables(t typed, p put, kinds ...VariableKind) []CompletionItem {
	var items []CompletionItem
	for _, v := range knownVariables(t) {
		here := v.Path == "" && v.Span.Touches(t.offset) // the name that is being typed
		if here || slices.Contains(p.done, v.Name) || len(kinds) > 0 && !slices.Contains(kinds, v.Kind) {
			continue
		}
		item := newItem(t, v.Name, VariableItem, p)
		item.Detail, item.Documentation = variableDetail(v), variableMarkdown(v)
		items = append(items, item)
	}
	return items
}

// otherAgents are the names of all agents but the file's own.
func otherAgents(t typed) []string {
	own := t.file.agentName().text
	return slices.DeleteFunc(AgentNames(wholeWorkspace(t), t.file.Path), func(name string) bool { return name == own })
}

// knownVariables are the variables of the file, and those of other files that it can read.
func knownVariables(t typed) []Variable {
	own := t.file.Variables()
	w := t.w
	if t.file.Kind == Library || t.file.Kind == Profile {
		w = wholeWorkspace(t)
	}
	for _, v := range sharedVariables(w, t.file) {
		if !slices.ContainsFunc(own, func(o Variable) bool { return o.Name == v.Name }) {
			own = append(own, v)
		}
	}
	return own
}

func variableDetail(v Variable) string {
	if v.Type != "" {
		return v.Type
	}
	return v.Kind.String()
}

// projectTables are the tables of abl.yaml that properties of tools name.
var projectTables = map[string]string{
	"server": projectfile.Servers, "function": projectfile.Functions, "source": projectfile.Sources,
	"auth_required": projectfile.AuthServices, "provider": projectfile.AuthServices,
}

// projectTable is the table that the values of a property name, "" for none.
func projectTable(t typed, field *tool.Field) string {
	ofClaim := func(p Property) bool { return p.Name() == "auth_services" }
	if field.Name == "name" && slices.ContainsFunc(t.path(), ofClaim) {
		return projectfile.AuthServices
	}
	return projectTables[field.Name]
}

// completeProjectNames offers what a table of abl.yaml lists.
func completeProjectNames(t typed, key string, p put) []CompletionItem {
	var names []string
	if in, _ := t.w.Project(t.file.Path); key != "" && in != nil && in.Project != nil {
		table, _ := in.Project.Table(key)
		names = table.Names()
	}
	var exported []CompletionItem
	if key == projectfile.Servers {
		exported = completeExported(t, serverNames, names, "MCP server of the exported project", p)
	}
	if decl, ok := t.tool(); ok && key == projectfile.Sources {
		names = fitting(names, sourceKinds(t.w, t.file), actsOn[string(decl.Kind())])
	}
	items := completePlainNames(t, names, projectfile.FileName+" · "+key, p)
	for i := range items {
		if key == projectfile.Servers {
			items[i].Documentation = serverMarkdown(t.w, t.file.Path, items[i].Label)
		}
	}
	return append(items, exported...)
}

// completeEvents offers what memory is recalled on.
func completeEvents(t typed, p put) []CompletionItem {
	names := []string{"session:start", "session:end"}
	for _, s := range t.w.Callable(t.file.Path).Names() {
		names = append(names, "tool:"+s+":after")
	}
	if flow := t.file.FlowAt(t.offset); flow != nil {
		for _, step := range flow.Names() {
			names = append(names, "step:enter:"+step, "step:exit:"+step)
		}
	}
	for _, agent := range AgentNames(wholeWorkspace(t), t.file.Path) {
		names = append(names, "agent:"+agent+":before", "agent:"+agent+":after")
	}
	for _, v := range t.file.Variables() {
		if v.Kind == FieldVariable {
			names = append(names, "entity:"+v.Name+":extracted")
		}
	}
	items := completePlainNames(t, names, "event", p)
	for i := range items {
		items[i].Edit.End = eventEnd(t)
	}
	return items
}

// eventEnd is the end of the event under the cursor, colons and all.
func eventEnd(t typed) int {
	rest := t.rest()
	return t.offset + len(rest) - len(strings.TrimLeft(rest, nameBytes+":*"))
}
