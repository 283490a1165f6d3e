package analysis

import (
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/tool"
)

// refs offers what a value may name.
func (t typed) refs(field *tool.Field, p put) []CompletionItem {
	switch field.Ref {
	case tool.RefTool:
		return t.callable(p)
	case tool.RefStep:
		return append(t.steps(p), t.words(targetWords(field), ValueItem, p)...)
	case tool.RefTemplate:
		return t.templateCalls(p)
	case tool.RefAgent:
		return t.plainNames(t.otherAgents(), "agent", p)
	case tool.RefProfile:
		return t.plainNames(t.whole().ProfileNames(t.file.Path), "behaviour profile", p)
	case tool.RefAction:
		if field.Name == "ACTION" {
			return t.plainNames(t.file.namedBy(actionHandlers, Reads), "action", p)
		}
		return t.handled(p)
	case tool.RefField:
		if field.Name != "pass" {
			return t.variables(p, FieldVariable)
		}
		return t.variables(p)
	}
	if section := refSections[field.Ref]; section != "" {
		items := t.namesOf(section, p)
		if field.Ref == tool.RefMessage {
			items = append(items, t.exported(textNames, nil, "text of the exported project", p)...)
		}
		return items
	}
	return nil
}

var ()

// steps offers the steps of the flow.
func (t typed) steps(p put) []CompletionItem {
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
		item := t.item(name, StepItem, p)
		item.Detail, item.Documentation = "step", step.markdown()
		items = append(items, item)
	}
	return items
}

// plainNames offers names of which no more is known than what they are.
func (t typed) plainNames(names []string, what string, p put) []CompletionItem {
	var items []CompletionItem
	for _, name := range names {
		if name == "" || slices.Contains(p.done, name) {
			continue
		}
		item := t.item(name, NameItem, p)
		item.Detail = what
		items = append(items, item)
	}
	return items
}

// namesOf offers the names that a section of the file declares.
func (t typed) namesOf(section string, p put) []CompletionItem {
	info, _ := LookupSection(section)
	var items []CompletionItem
	for _, n := range t.file.declared(info.Name) {
		items = append(items, t.plainNames([]string{n.name}, info.Name, p)...)
	}
	return items
}

// templateCalls offers a call of each template.
func (t typed) templateCalls(p put) []CompletionItem {
	if p.quote != 0 {
		return nil
	}
	var items []CompletionItem
	for _, n := range t.file.templates() {
		item := t.item("TEMPLATE("+n.name+")", NameItem, p)
		item.Detail, item.Documentation = "template", n.templateMarkdown()
		items = append(items, item)
	}
	return items
}

var templateTyped = regexp.MustCompile(`\bTEMPLATE\([ \t]*["']?([\w.-]*)$`)

// inTemplateCall offers the templates between the brackets of TEMPLATE().
func (t typed) inTemplateCall() (items []CompletionItem, ok bool) {
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
			Label: n.name, Kind: NameItem, Detail: "template", Documentation: n.templateMarkdown(), Edit: t.replace(from, n.name+ends),
		})
	}
	return items, true
}

// variables offers the variables of some kinds; without any, all.
func (t typed) variables(p put, kinds ...VariableKind) []CompletionItem {
	var items []CompletionItem
	for _, v := range t.known() {
		here := v.Path == "" && v.Span.Touches(t.offset) // the name that is being typed
		if here || slices.Contains(p.done, v.Name) || len(kinds) > 0 && !slices.Contains(kinds, v.Kind) {
			continue
		}
		item := t.item(v.Name, VariableItem, p)
		item.Detail, item.Documentation = v.detail(), v.markdown()
		items = append(items, item)
	}
	return items
}

// otherAgents are the names of all agents but the file's own.
func (t typed) otherAgents() []string {
	own := t.file.agentName().text
	return slices.DeleteFunc(t.whole().AgentNames(t.file.Path), func(name string) bool { return name == own })
}

// known are the variables of the file, and those of other files that it can read.
func (t typed) known() []Variable {
	own := t.file.Variables()
	w := t.w
	if t.file.Kind == Library || t.file.Kind == Profile {
		w = t.whole()
	}
	for _, v := range w.sharedVariables(t.file) {
		if !slices.ContainsFunc(own, func(o Variable) bool { return o.Name == v.Name }) {
			own = append(own, v)
		}
	}
	return own
}

func (v Variable) detail() string {
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

// tableOf is the table that the values of a property name, "" for none.
func (t typed) tableOf(field *tool.Field) string {
	ofClaim := func(p Property) bool { return p.Name() == "auth_services" }
	if field.Name == "name" && slices.ContainsFunc(t.path(), ofClaim) {
		return projectfile.AuthServices
	}
	return projectTables[field.Name]
}

// projectNames offers what a table of abl.yaml lists.
func (t typed) projectNames(key string, p put) []CompletionItem {
	var names []string
	if in, _ := t.w.Project(t.file.Path); key != "" && in != nil && in.Project != nil {
		table, _ := in.Project.Table(key)
		names = table.Names()
	}
	var exported []CompletionItem
	if key == projectfile.Servers {
		exported = t.exported(serverNames, names, "MCP server of the exported project", p)
	}
	if decl, ok := t.tool(); ok && key == projectfile.Sources {
		names = fitting(names, t.w.sourceKinds(t.file), actsOn[string(decl.Kind())])
	}
	items := t.plainNames(names, projectfile.FileName+" · "+key, p)
	for i := range items {
		if key == projectfile.Servers {
			items[i].Documentation = t.w.serverMarkdown(t.file.Path, items[i].Label)
		}
	}
	return append(items, exported...)
}

// events offers what memory is recalled on.
func (t typed) events(p put) []CompletionItem {
	names := []string{"session:start", "session:end"}
	for _, s := range t.w.Callable(t.file.Path).Names() {
		names = append(names, "tool:"+s+":after")
	}
	if flow := t.file.FlowAt(t.offset); flow != nil {
		for _, step := range flow.Names() {
			names = append(names, "step:enter:"+step, "step:exit:"+step)
		}
	}
	for _, agent := range t.whole().AgentNames(t.file.Path) {
		names = append(names, "agent:"+agent+":before", "agent:"+agent+":after")
	}
	for _, v := range t.file.Variables() {
		if v.Kind == FieldVariable {
			names = append(names, "entity:"+v.Name+":extracted")
		}
	}
	items := t.plainNames(names, "event", p)
	for i := range items {
		items[i].Edit.End = t.eventEnd()
	}
	return items
}

// eventEnd is the end of the event under the cursor, colons and all.
func (t typed) eventEnd() int {
	rest := t.rest()
	return t.offset + len(rest) - len(strings.TrimLeft(rest, nameBytes+":*"))
}
