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

// completeSectionKeys completes the first word of a line in a section other than TOOLS, or a line
// that has no key.
func completeSectionKeys(t cursor.Line) []Item {
	s, ok := t.SchemaPosition()
	if !ok {
		return nil
	}
	if items, ok := completeKeyless(t, s); ok {
		return items
	}
	switch {
	case t.Dash:
		return completeNewItem(t, s)
	case s.ParentKey() == "WITH":
		return completeArguments(t, cursor.CallOf(t.Parent.Node))
	case s.ParentKey() == "SET":
		return completeTargets(t, " = ")
	}
	items := completeFields(t, s.OwnFields())
	if s.ParentField != nil && s.ParentField.Type == tool.BlockList && len(s.ParentField.Items) == 0 && !s.Item {
		for i := range items { // they are keys of an item
			items[i] = dashedItem(items[i])
		}
	}
	items = append(items, completeKnownNames(t, s)...)
	if s.ParentField != nil && model.IsFlow(s.ParentField.Name) && len(s.Inside) == 1 {
		items = append(items, newStepItem(t))
	}
	return items
}

// typedHead matches a section's keyword.
var typedHead = lazyregexp.New(`^([A-Za-z_]+(?:[ \t]+BEHAVIOR_PROFILE)?):[ \t]*`)

// completeHeadValue completes what follows a section's keyword.
func completeHeadValue(t cursor.Line) []Item {
	line := t.File.Doc.Text()[t.Start:t.Offset]
	m := typedHead.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	t.Key, t.Value = m[1], t.Start+len(m[0])
	field := model.SectionField(t.Kind(), m[1])
	switch {
	case field == nil, !field.Type.IsSingle() && strings.HasSuffix(line, ":"): // Enter begins the block
		return nil
	case field.Type == tool.Expr:
		return completeExpression(t, t.Text())
	}
	return completeValuesOf(t, field, bracketInsertion(t, model.BracketContextOf(t.Text())))
}

// dashedItem returns an item that begins a list's item.
func dashedItem(i Item) Item {
	i.FilterText = i.Label
	i.Label = "- " + i.Label
	i.Edit.NewText = "- " + i.Edit.NewText
	if i.SnippetText != "" {
		i.SnippetText = "- " + strings.ReplaceAll(i.SnippetText, "\n", "\n  ")
	}
	return i
}

// completeNewItem completes the first word of a list's item.
func completeNewItem(t cursor.Line, s cursor.SchemaPosition) []Item {
	p := insertion{from: t.Start}
	for c := range t.Parent.BlockChildren() {
		if c.Kind() == syntax.ListItem && !t.Parent.InFile(c).Span().Touches(t.Offset) {
			p.listed = append(p.listed, model.UnquotedWord(model.Item{Node: c}.NameNode()).Text)
		}
	}
	switch {
	case s.ParentField == nil:
		return nil
	case s.IsBelow("CONSTRAINTS") && s.Items.Fields != nil && s.Items.Fields[0].Name == "REQUIRE":
		return completeRules(t)
	case s.ParentField.Named && (s.ParentKey() == "GATHER" || s.ParentKey() == "FIELDS"):
		return completeVariables(t, p, model.FieldVariable)
	case s.ParentField.Ref != tool.NoRef && (s.ParentField.Named || s.ParentField.Type == tool.ListType):
		return completeRefs(t, s.ParentField, p)
	case s.ParentField.Type == tool.ListType:
		return completeValuesOf(t, s.ParentField, p)
	case s.Items.ItemsNamed:
		return nil
	}
	return completeFields(t, s.Items.Fields)
}

func completeRules(t cursor.Line) []Item {
	var items []Item
	for _, w := range model.RuleWords {
		items = append(items, Item{
			Label: w.Name, Kind: PropertyItem, Detail: "rule", Documentation: w.Doc, Edit: t.Replace(t.Start, w.Name+" "),
		})
	}
	return items
}

// completeKnownNames offers the well-known names of a place whose keys are the author's.
func completeKnownNames(t cursor.Line, s cursor.SchemaPosition) []Item {
	var items []Item
	present := t.Siblings()
	known := wellKnownNames[s.ParentKey()]
	if !s.Item && (s.ParentKey() == "ON_ACTION" || s.ParentKey() == model.ActionHandlers) {
		known = namesInSections(t.File, model.ActionHandlers, model.Reads)
	}
	for _, name := range known {
		if !model.ContainsFold(present, name) {
			items = append(items, Item{Label: name, Kind: NameItem, Edit: t.Replace(t.Start, name+colonAfter(t, s.ParentKey() == "MESSAGES"))})
		}
	}
	return items
}

// wellKnownNames are names that the author may choose freely, but that mean something to the
// platform.
var wellKnownNames = map[string][]string{
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
	typedRule         = lazyregexp.New(`(?i)^(?:REQUIRE|LIMIT|RESTRICT|WARN):?[ \t]+`)
	typedBefore       = lazyregexp.New(`(?i)\bBEFORE[ \t]+calling[ \t]+[\w.]*$`)
	unquotedCondition = lazyregexp.New(`^(?i:WHEN|IF)[ \t]+`)
	typedAssignment   = lazyregexp.New(`^[A-Za-z_][\w.]*[ \t]*=[ \t]*`)
)

// completeKeyless completes a line that has no key: a rule, `name = expression`, a chain of steps.
// ok is false if the line is none of these.
func completeKeyless(t cursor.Line, s cursor.SchemaPosition) (items []Item, ok bool) {
	line := t.Text()
	if m := typedBefore.FindString(line); m != "" && typedRule.MatchString(line) {
		return completeCallable(t, insertion{from: t.Start + strings.LastIndexAny(line, " \t") + 1}), true
	}
	if m := typedRule.FindString(line); m != "" {
		return completeExpression(t, line[len(m):]), true
	}
	if m := typedAssignment.FindString(line); m != "" {
		return completeExpression(t, line[len(m):]), true
	}
	if m := unquotedCondition.FindString(line); m != "" && t.Dash && (s.ParentKey() == "REMEMBER" || s.ParentKey() == "ON_HUMAN_COMPLETE") {
		return completeExpression(t, line[len(m):]), true
	}
	if i := strings.LastIndex(line, model.Arrow); i >= 0 && model.IsFlow(s.ParentKey()) {
		from := i + len(model.Arrow)
		from += len(line[from:]) - len(strings.TrimLeft(line[from:], " \t"))
		return completeSteps(t, insertion{from: t.Start + from}), true
	}
	return nil, strings.Trim(line, model.NameBytes) != ""
}

// completeSectionValue completes a value whose form is more than a word. ok is false for any other
// value.
func completeSectionValue(t cursor.Line) (items []Item, ok bool) {
	if items, ok := completeInTemplateCall(t); ok {
		return items, true
	}
	if t.InTools() {
		return nil, false
	}
	s, ok := t.SchemaPosition()
	if !ok {
		return nil, false
	}
	field, _ := cursor.MemberSchema(t.KeySchema(), t.Key)
	text := t.Text()
	switch key := strings.ToUpper(t.Key); {
	case field == nil && namesItem(t):
		return completeWords(t, s.ParentField.Values, ValueItem, bracketInsertion(t, model.BracketContextOf(text))), true
	case field == nil:
		// `name: expression` in a map of expressions
		return completeExpression(t, text), slices.Contains(expressionMaps, s.ParentKey()) && !s.IsBelow("LOOKUP_TABLES") && !strings.HasPrefix(text, "[")
	case key == "SET" && !strings.ContainsAny(text, "={ "):
		return completeTargets(t, " = "), true
	case key == "SET":
		m := typedAssignment.FindString(text)
		return completeExpression(t, text[len(m):]), m != ""
	case slices.Contains(expressionMaps, key) && strings.HasPrefix(text, "{"):
		return completeInlineMap(t, key, text), true
	case key == "BUTTON" && field.Ref == tool.RefAction:
		return completeButton(t, text), true
	case key == "STORE" && field.Type != tool.Expr:
		return completeMapping(t, text), true
	case key == "THEN" && s.IsBelow("ROUTING"):
		return completeRoutes(t, text), true
	case key == "ON" && s.IsBelow("RECALL"):
		return completeEvents(t, insertion{from: t.Value}), true
	case key == "ON_FAIL" && s.IsBelow("CONSTRAINTS") && !strings.Contains(text, " "):
		return completeWords(t, model.FailWords, ValueItem, bracketInsertion(t, model.BracketContextOf(text))), true
	case typedAgent.MatchString(text) && (field.Ref == tool.RefStep || key == "ON_FAIL"):
		return completeAgents(t, insertion{from: t.Value + strings.LastIndexAny(text, " \t") + 1}), true
	case field.Type != tool.Expr:
		return nil, false
	case field.Ref == tool.RefTool:
		return completeCallArguments(t, text)
	}
	return completeExpression(t, text), true
}

// namesItem reports whether the key after a dash is a name of the author's.
func namesItem(t cursor.Line) bool {
	if !t.Dash || t.InTools() {
		return false
	}
	s, ok := t.SchemaPosition()
	return ok && s.ParentField != nil && s.ParentField.Named
}

var typedAgent = lazyregexp.New(`^(?i:HANDOFF)[ \t]+(?i:to[ \t]+)?\w*$`)

// expressionMaps are keys with expressions below names of the author's.
var expressionMaps = []string{"SET", "WITH", "MAP", "INPUT", "PASS"}

// completeCallArguments completes the text between the brackets of a call.
func completeCallArguments(t cursor.Line, value string) (items []Item, ok bool) {
	c, ok := cursor.ParseOpenCall(value)
	if !ok {
		return nil, false
	}
	last := c.Args[len(c.Args)-1]
	if m := cursor.NamedArgument.FindString(last); m != "" {
		return completeExpression(t, last[len(m):]), true
	}
	s, known := t.Workspace.Callable(t.File.Path).ToolByCallName(c.Tool)
	if word := strings.TrimLeft(last, " \t\r\n"); known && strings.Trim(word, model.NameBytes) == "" {
		from := t.Offset - len(word)
		items = argumentItems(s.ToolDecl, givenParams(c, s.Params), func(name string) text.Edit { return t.Replace(from, name+" = ") })
		for i := range items {
			items[i].FilterText = items[i].Label
			items[i].Label += " ="
		}
	}
	return append(items, completeExpression(t, last)...), true
}

// givenParams returns the parameters that have an argument: by its name, else by its position.
func givenParams(c cursor.Call, params []model.ParamDecl) []string {
	var names []string
	for i, a := range c.Args[:len(c.Args)-1] {
		if m := cursor.NamedArgument.FindStringSubmatch(a); m != nil {
			names = append(names, m[1])
		} else if i < len(params) {
			names = append(names, params[i].Name)
		}
	}
	return names
}
