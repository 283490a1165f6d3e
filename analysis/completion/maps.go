package completion

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// completeTargets offers the variables that may be set, with the separator before the value.
func completeTargets(t cursor.Line, separator string) []Item {
	items := completeVariables(t, insertion{from: max(t.Start, t.Value), listed: t.Siblings()}, model.SessionVariable, model.FieldVariable, model.ResultVariable, model.SetVariable, model.ReturnedVariable)
	for i := range items {
		rest := strings.TrimLeft(t.File.Doc.Text()[items[i].Edit.End:], " \t")
		if !strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, ":") {
			items[i].Edit.NewText += separator
		}
	}
	return items
}

// completeInlineMap completes `{name: expression, …}`: below WITH the names are those of
// parameters.
func completeInlineMap(t cursor.Line, key, s string) []Item {
	f := model.BracketContextOf(s)
	switch {
	case len(f.Levels) == 2 && !f.InKey():
		return completeExpression(t, s[strings.LastIndex(s[:f.From], ":")+1:])
	case len(f.Levels) != 2 || key != "WITH":
		return nil
	}
	with := t.Node().Node
	for !with.IsZero() && !strings.EqualFold(with.Key(), "WITH") {
		with = with.Parent()
	}
	p := bracketInsertion(t, f)
	return completeArgumentsOf(t, cursor.CallOf(with), p.listed, func(name string) text.Edit {
		edit := newItem(t, p, Item{Label: name, Kind: ParameterItem}).Edit
		if !strings.HasPrefix(t.File.Doc.Text()[edit.End:], ":") {
			edit.NewText += ": "
		}
		return edit
	})
}

// completeMapping completes `value -> path`.
func completeMapping(t cursor.Line, s string) []Item {
	from, to, ok := strings.Cut(s, model.Arrow)
	if !ok {
		return completeExpression(t, from)
	}
	return completeVariables(t, insertion{from: t.Offset - len(strings.TrimLeft(to, " \t"))}, model.PersistentVariable)
}

// routeWords are the actions of a supervisor's rules.
var routeWords = []tool.Word{
	{Name: "ROUTE_TO", Doc: "Hands the message to an agent: `ROUTE_TO agent`."},
	{Name: "ROUTE_TO_USER", Doc: "Says something to the user: `ROUTE_TO_USER \"…\"`."},
	{Name: "ROUTE_TO_VARIABLE", Doc: "Hands the message to the agent that a variable names: `ROUTE_TO_VARIABLE name`."},
	{Name: "END_CONVERSATION", Doc: "Ends the conversation."},
	{Name: "SYSTEM_ACTION", Doc: "Does something of the platform's: `SYSTEM_ACTION name`."},
}

var typedRoute = lazyregexp.New(`^(ROUTE_TO(?:_VARIABLE)?)[ \t]+(\w*)$`)

// completeRoutes completes the action of a supervisor's rule.
func completeRoutes(t cursor.Line, s string) []Item {
	m := typedRoute.FindStringSubmatch(s)
	switch {
	case m == nil && !strings.Contains(s, " "):
		return completeWords(t, routeWords, ValueItem, bracketInsertion(t, model.BracketContextOf(s)))
	case m == nil:
		return nil
	case m[1] == "ROUTE_TO":
		p := insertion{from: t.Offset - len(m[2])}
		return append(completePlainNames(t, importAliases(t.File), "alias of an agent", p), completeAgents(t, p)...)
	}
	return completeVariables(t, insertion{from: t.Offset - len(m[2])})
}

// importAliases returns the names that a supervisor gives its agents.
func importAliases(f *model.File) []string {
	return namesInSections(f, model.Aliases, model.Declares, model.Aliases)
}

// namesInSections returns the names of a section's kind that the entries of some sections declare
// or read; without sections, those of all sections.
func namesInSections(f *model.File, owner string, access model.Access, sections ...string) []string {
	var names []string
	for section, r := range f.NameRefsOf(model.SectionEntryRef) {
		isNew := r.Owner == owner && r.Access == access && !slices.Contains(names, r.Name)
		if isNew && (len(sections) == 0 || slices.Contains(sections, section)) {
			names = append(names, r.Name)
		}
	}
	return names
}

// completeButton completes the id after `"Label" ->`.
func completeButton(t cursor.Line, s string) []Item {
	_, id, ok := strings.Cut(s, model.Arrow)
	if !ok {
		return nil
	}
	return completeHandledActions(t, insertion{from: t.Offset - len(strings.TrimLeft(id, " \t"))})
}

// completeHandledActions offers the actions that have a handler.
func completeHandledActions(t cursor.Line, p insertion) []Item {
	return completePlainNames(t, namesInSections(t.File, model.ActionHandlers, model.Declares), "action", p)
}

// completeArgumentsOf offers the parameters of the called tool except those that are given.
func completeArgumentsOf(t cursor.Line, call syntax.Node, given []string, edit func(name string) text.Edit) []Item {
	called := model.Matches(model.CallPattern, call.Value())
	if len(called) == 0 {
		return nil
	}
	s, ok := t.Workspace.Callable(t.File.Path).ToolByCallName(called[0].Text)
	if !ok {
		return nil
	}
	return argumentItems(s.ToolDecl, given, edit)
}
