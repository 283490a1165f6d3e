package analysis

import (
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// targets offers the variables that may be set, with what separates them from the
// value.
func (t typed) targets(separator string) []CompletionItem {
	items := t.variables(put{from: max(t.start, t.value), done: t.siblings()}, SessionVariable, FieldVariable, ResultVariable, SetVariable)
	for i := range items {
		rest := strings.TrimLeft(t.file.Doc.Text()[items[i].Edit.End:], " \t")
		if !strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, ":") {
			items[i].Edit.NewText += separator
		}
	}
	return items
}

// inlineMap completes `{name: expression, …}`: below WITH the names are those of
// parameters.
func (t typed) inlineMap(key, s string) []CompletionItem {
	f := bracketsOf(s)
	switch {
	case len(f.levels) == 2 && !f.inKey():
		return t.expression(s[strings.LastIndex(s[:f.from], ":")+1:])
	case len(f.levels) != 2 || key != "WITH":
		return nil
	}
	with := t.node().Node
	for !with.IsZero() && !strings.EqualFold(with.Key(), "WITH") {
		with = with.Parent()
	}
	p := t.put(f)
	return t.argumentsOf(callOf(with), p.done, func(name string) text.Edit {
		edit := t.item(name, ParameterItem, p).Edit
		if !strings.HasPrefix(t.file.Doc.Text()[edit.End:], ":") {
			edit.NewText += ": "
		}
		return edit
	})
}

// stored completes `value -> path`.
func (t typed) stored(s string) []CompletionItem {
	from, to, ok := strings.Cut(s, arrow)
	if !ok {
		return t.expression(from)
	}
	return t.variables(put{from: t.offset - len(strings.TrimLeft(to, " \t"))}, PersistentVariable)
}

// routeWords are what the rules of a supervisor do.
var routeWords = []tool.Word{
	{Name: "ROUTE_TO", Doc: "Hands the message to an agent: `ROUTE_TO agent`."},
	{Name: "ROUTE_TO_USER", Doc: "Says something to the user: `ROUTE_TO_USER \"…\"`."},
	{Name: "ROUTE_TO_VARIABLE", Doc: "Hands the message to the agent that a variable names: `ROUTE_TO_VARIABLE name`."},
	{Name: "END_CONVERSATION", Doc: "Ends the conversation."},
	{Name: "SYSTEM_ACTION", Doc: "Does something of the platform's: `SYSTEM_ACTION name`."},
}

var routeTyped = regexp.MustCompile(`^(ROUTE_TO(?:_VARIABLE)?)[ \t]+(\w*)$`)

// routes completes what a rule of a supervisor does.
func (t typed) routes(s string) []CompletionItem {
	m := routeTyped.FindStringSubmatch(s)
	switch {
	case m == nil && !strings.Contains(s, " "):
		return t.words(routeWords, ValueItem, t.put(bracketsOf(s)))
	case m == nil:
		return nil
	case m[1] == "ROUTE_TO":
		p := put{from: t.offset - len(m[2])}
		return append(t.plainNames(t.file.aliases(), "alias of an agent", p), t.plainNames(t.otherAgents(), "agent", p)...)
	}
	return t.variables(put{from: t.offset - len(m[2])})
}

// aliases are the names that a supervisor gives its agents.
func (f *File) aliases() []string { return f.namedBy(aliases, Declares, aliases) }

// namedBy are the names of a section's kind that the entries of some sections declare or
// read; no sections are all of them.
func (f *File) namedBy(owner string, access Access, sections ...string) []string {
	var names []string
	for _, s := range f.Doc.Sections() {
		if len(sections) > 0 && !slices.Contains(sections, s.Name()) {
			continue
		}
		for e := range entriesOf(s) {
			for _, m := range f.names(e) {
				if m.Kind == OfNamed && m.Tool == owner && m.Access == access && !slices.Contains(names, m.Name) {
					names = append(names, m.Name)
				}
			}
		}
	}
	return names
}

// button completes the id after `"Label" ->`.
func (t typed) button(s string) []CompletionItem {
	_, id, ok := strings.Cut(s, arrow)
	if !ok {
		return nil
	}
	return t.handled(put{from: t.offset - len(strings.TrimLeft(id, " \t"))})
}

// handled offers the actions that are handled.
func (t typed) handled(p put) []CompletionItem {
	return t.plainNames(t.file.namedBy(actionHandlers, Declares), "action", p)
}

// argumentsOf offers the parameters of the tool that is called, those that are
// given already left out.
func (t typed) argumentsOf(call syntax.Node, given []string, edit func(name string) text.Edit) []CompletionItem {
	called := matches(callPattern, call.Value())
	if len(called) == 0 {
		return nil
	}
	s, ok := t.w.Callable(t.file.Path).Called(called[0].text)
	if !ok {
		return nil
	}
	return argumentItems(s.ToolDecl, given, edit)
}
