package analysis

import (
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// completeSectionKeys completes the first word of a line in a section other than TOOLS,
// or what stands on a line that has no key.
func completeSectionKeys(t typed) []CompletionItem {
	s, ok := t.spot()
	if !ok {
		return nil
	}
	if items, ok := completeKeyless(t, s); ok {
		return items
	}
	switch {
	case t.dash:
		return completeNewItem(t, s)
	case s.under() == "WITH":
		return completeArguments(t, callOf(t.above.Node))
	case s.under() == "SET":
		return completeTargets(t, " = ")
	}
	items := completeFields(t, s.ownFields())
	if s.row != nil && s.row.Type == tool.BlockList && len(s.row.Items) == 0 && !s.item {
		for i := range items { // they are keys of an item
			items[i] = dashedItem(t, items[i])
		}
	}
	items = append(items, completeKnownNames(t, s)...)
	if s.row != nil && isFlow(s.row.Name) && len(s.inside) == 1 {
		items = append(items, newStepItem(t))
	}
	return items
}

// headTyped is a section's keyword.
var headTyped = regexp.MustCompile(`^([A-Za-z_]+(?:[ \t]+BEHAVIOR_PROFILE)?):[ \t]*`)

// completeHeadValue completes what stands behind a section's keyword.
func completeHeadValue(t typed) []CompletionItem {
	line := t.file.Doc.Text()[t.start:t.offset]
	m := headTyped.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	t.key, t.value = m[1], t.start+len(m[0])
	row := SectionRow(t.kind(), m[1])
	switch {
	case row == nil, !row.Type.IsSingle() && strings.HasSuffix(line, ":"): // Enter begins the block
		return nil
	case row.Type == tool.Expr:
		return completeExpression(t, t.text())
	}
	return completeValuesOf(t, row, bracketInsertion(t, bracketsOf(t.text())))
}

// dashedItem is an item that begins a list's item.
func dashedItem(t typed, i CompletionItem) CompletionItem {
	i.FilterText = i.Label
	i.Label = "- " + i.Label
	i.Edit.NewText = "- " + i.Edit.NewText
	if i.SnippetText != "" {
		i.SnippetText = "- " + strings.ReplaceAll(i.SnippetText, "\n", "\n  ")
	}
	return i
}

// completeNewItem completes the first word of a list's item.
func completeNewItem(t typed, s spot) []CompletionItem {
	p := put{from: t.start}
	for c := range t.above.Entries() {
		if c.Kind() == syntax.ListItem && !t.above.At(c).Span().Touches(t.offset) {
			p.done = append(p.done, bare(Item{Node: c}.NameNode()).text)
		}
	}
	switch {
	case s.row == nil:
		return nil
	case s.in("CONSTRAINTS") && s.items.fields != nil && s.items.fields[0].Name == "REQUIRE":
		return completeRules(t)
	case s.row.Named && (s.under() == "GATHER" || s.under() == "FIELDS"):
		return completeVariables(t, p, FieldVariable)
	case s.row.Ref != tool.NoRef && (s.row.Named || s.row.Type == tool.ListType):
		return completeRefs(t, s.row, p)
	case s.row.Type == tool.ListType:
		return completeValuesOf(t, s.row, p)
	case s.items.named:
		return nil
	}
	return completeFields(t, s.items.fields)
}

func completeRules(t typed) []CompletionItem {
	var items []CompletionItem
	for _, w := range ruleWords {
		items = append(items, CompletionItem{
			Label: w.Name, Kind: PropertyItem, Detail: "rule", Documentation: w.Doc, Edit: t.replace(t.start, w.Name+" "),
		})
	}
	return items
}

// completeKnownNames offers the well-known names among those that are the author's.
func completeKnownNames(t typed, s spot) []CompletionItem {
	var items []CompletionItem
	present := t.siblings()
	known := wellKnown[s.under()]
	if !s.item && (s.under() == "ON_ACTION" || s.under() == actionHandlers) {
		known = namesBroughtBy(t.file, actionHandlers, Reads)
	}
	for _, name := range known {
		if !contains(present, name) {
			items = append(items, CompletionItem{Label: name, Kind: NameItem, Edit: t.replace(t.start, name+colonAfter(t, s.under() == "MESSAGES"))})
		}
	}
	return items
}

// wellKnown are names that the author may choose freely, but that mean something
// to the platform.
var wellKnown = map[string][]string{
	"MESSAGES": {
		"error_default", "constraint_blocked", "gather_prompt", "escalation_format", "conversation_complete",
		"invalid_handoff", "self_handoff", "tool_fallback_desc", "multi_intent_disambiguate_header", "multi_intent_disambiguate_option",
		"multi_intent_disambiguation_reprompt", "multi_intent_queued_notice", "multi_intent_queued_follow_up", "handoff_message",
		"handoff_message_voice", "routing_message", "voice_repeat", "voice_nomatch", "voice_noinput", "greeting", "out_of_scope",
		"error_tool_timeout", "error_llm_error", "error_validation", "filler_general", "filler_tool_call", "filler_reasoning",
		"filler_handoff", "filler_delegation", "filler_extraction", "filler_constraint_check",
	},
}

var (
	ruleTyped       = regexp.MustCompile(`(?i)^(?:REQUIRE|LIMIT|RESTRICT|WARN):?[ \t]+`)
	beforeTyped     = regexp.MustCompile(`(?i)\bBEFORE[ \t]+calling[ \t]+[\w.]*$`)
	bareCondition   = regexp.MustCompile(`^(?i:WHEN)[ \t]+`)
	assignmentTyped = regexp.MustCompile(`^[A-Za-z_][\w.]*[ \t]*=[ \t]*`)
)

// completeKeyless completes a line that has no key: a rule, `name = expression`, a
// chain of steps. ok is false where the line is none of these.
func completeKeyless(t typed, s spot) (items []CompletionItem, ok bool) {
	line := t.text()
	if m := beforeTyped.FindString(line); m != "" && ruleTyped.MatchString(line) {
		return completeCallable(t, put{from: t.start + strings.LastIndexAny(line, " \t") + 1}), true
	}
	if m := ruleTyped.FindString(line); m != "" {
		return completeExpression(t, line[len(m):]), true
	}
	if m := assignmentTyped.FindString(line); m != "" {
		return completeExpression(t, line[len(m):]), true
	}
	if m := bareCondition.FindString(line); m != "" && t.dash && s.under() == "REMEMBER" {
		return completeExpression(t, line[len(m):]), true
	}
	if i := strings.LastIndex(line, arrow); i >= 0 && isFlow(s.under()) {
		from := i + len(arrow)
		from += len(line[from:]) - len(strings.TrimLeft(line[from:], " \t"))
		return completeSteps(t, put{from: t.start + from}), true
	}
	return nil, strings.Trim(line, nameBytes) != ""
}

// completeSectionValue completes a value whose form is more than a word. ok is false
// where it is none of those.
func completeSectionValue(t typed) (items []CompletionItem, ok bool) {
	if items, ok := completeInTemplateCall(t); ok {
		return items, true
	}
	s, ok := t.spot()
	if !ok {
		return nil, false
	}
	field, _ := memberSchema(t.rows(), t.key)
	text := t.text()
	switch key := strings.ToUpper(t.key); {
	case field == nil && namesItem(t):
		return completeWords(t, s.row.Values, ValueItem, bracketInsertion(t, bracketsOf(text))), true
	case field == nil:
		// `name: expression` in a map of expressions
		return completeExpression(t, text), slices.Contains(expressionMaps, s.under()) && !s.in("LOOKUP_TABLES") && !strings.HasPrefix(text, "[")
	case key == "SET" && !strings.ContainsAny(text, "={ "):
		return completeTargets(t, " = "), true
	case key == "SET":
		m := assignmentTyped.FindString(text)
		return completeExpression(t, text[len(m):]), m != ""
	case slices.Contains(expressionMaps, key) && strings.HasPrefix(text, "{"):
		return completeInlineMap(t, key, text), true
	case key == "BUTTON" && field.Ref == tool.RefAction:
		return completeButton(t, text), true
	case key == "STORE" && field.Type != tool.Expr:
		return completeStored(t, text), true
	case key == "THEN" && s.in("ROUTING"):
		return completeRoutes(t, text), true
	case key == "ON" && s.in("RECALL"):
		return completeEvents(t, put{from: t.value}), true
	case key == "ON_FAIL" && s.in("CONSTRAINTS") && !strings.Contains(text, " "):
		return completeWords(t, failWords, ValueItem, bracketInsertion(t, bracketsOf(text))), true
	case agentTyped.MatchString(text) && (field.Ref == tool.RefStep || key == "ON_FAIL"):
		return completePlainNames(t, otherAgents(t), "agent", put{from: t.value + strings.LastIndexAny(text, " \t") + 1}), true
	case field.Type != tool.Expr:
		return nil, false
	case field.Ref == tool.RefTool:
		return completeCallArguments(t, text)
	}
	return completeExpression(t, text), true
}

// namesItem reports whether the key behind a dash is a name of the author's.
func namesItem(t typed) bool {
	s, ok := t.spot()
	return ok && t.dash && s.row != nil && s.row.Named
}

var agentTyped = regexp.MustCompile(`^(?i:HANDOFF)[ \t]+(?i:to[ \t]+)?\w*$`)

// expressionMaps hold expressions behind names of the author's.
var expressionMaps = []string{"SET", "WITH", "MAP", "INPUT", "PASS"}

// completeCallArguments completes what stands between the brackets of a call.
func completeCallArguments(t typed, value string) (items []CompletionItem, ok bool) {
	c, ok := callTyped(value)
	if !ok {
		return nil, false
	}
	last := c.args[len(c.args)-1]
	if m := namedArgument.FindString(last); m != "" {
		return completeExpression(t, last[len(m):]), true
	}
	s, known := t.w.Callable(t.file.Path).Called(c.tool)
	if word := strings.TrimLeft(last, " \t\r\n"); known && strings.Trim(word, nameBytes) == "" {
		from := t.offset - len(word)
		items = argumentItems(s.ToolDecl, given(c, s.Params), func(name string) text.Edit { return t.replace(from, name+" = ") })
		for i := range items {
			items[i].FilterText = items[i].Label
			items[i].Label += " ="
		}
	}
	return append(items, completeExpression(t, last)...), true
}

// given are the parameters that have an argument: by its name, else by its place.
func given(c typedCall, params []ParamDecl) []string {
	var names []string
	for i, a := range c.args[:len(c.args)-1] {
		if m := namedArgument.FindStringSubmatch(a); m != nil {
			names = append(names, m[1])
		} else if i < len(params) {
			names = append(names, params[i].Name)
		}
	}
	return names
}
