package analysis

import (
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// pathTyped is the path under the cursor, as far as it is typed.
var pathTyped = regexp.MustCompile(`(?:[A-Za-z_]\w*(?:\[[^\]\s]*\])*(?:\.\w*(?:\[[^\]\s]*\])*)*)?$`)

// expression completes an expression of which s is what is typed, up to the
// cursor.
func (t typed) expression(s string) []CompletionItem {
	s, inText := withoutOuterQuote(s)
	if inText {
		return nil
	}
	path := pathTyped.FindString(s)
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		return t.members(path[:i], put{from: t.offset - len(path) + i + 1})
	}
	before := strings.TrimRight(s[:len(s)-len(path)], " \t")
	p := put{from: t.offset - len(path)}
	if m := isTyped.FindStringSubmatch(before); m != nil {
		return t.words(wordsAfterIs(m[1] != ""), OperatorItem, p)
	}
	switch {
	case !endsOperand(before):
		return t.operands(p)
	case before == s: // right behind it, Enter may end the line
		return nil
	}
	return t.words(operatorWords(expression.Infix, expression.Postfix), OperatorItem, p)
}

// withoutOuterQuote takes off the quote that an expression as a whole stands in.
// inText says that the cursor is in a string of the expression.
func withoutOuterQuote(s string) (rest string, inText bool) {
	s = strings.TrimLeft(s, " \t")
	if s != "" && (s[0] == '"' || s[0] == '\'') && strings.IndexByte(s[1:], s[0]) < 0 {
		s = s[1:]
	}
	quote := byte(0)
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		}
	}
	return s, quote != 0
}

// isTyped is the beginning of `IS SET`, or of `IS NOT SET`.
var isTyped = regexp.MustCompile(`(?i)\bIS(?:[ \t]+(NOT))?$`)

var lastWord = regexp.MustCompile(`\w+$`)

// endsOperand reports whether the text of an expression ends with an operand, so
// that an operator follows.
func endsOperand(s string) bool {
	if s == "" {
		return false
	}
	if word := lastWord.FindString(s); word != "" {
		return !precedesOperand(word)
	}
	return strings.IndexByte(`)]}"'`, s[len(s)-1]) >= 0
}

// operandKeys are keys and keywords that an operand follows.
var operandKeys = []string{"IF", "WHEN", "ELSE", "REQUIRE", "LIMIT", "RESTRICT", "WARN", "EACH"}

// precedesOperand reports whether an operand follows a word, which may be in any case.
func precedesOperand(word string) bool {
	return expression.IsOperatorWord(word) || contains(operandKeys, word)
}

// specialNames mean something in expressions wherever they stand.
var specialNames = []tool.Word{
	{Name: "input", Doc: "What the user said; in a tool, the arguments of the call."},
	{Name: "result", Doc: "The answer of the call before."},
	{Name: "error", Doc: "The failure: `error.message`."},
	{Name: "session", Doc: "The variables of the session."},
	{Name: "user", Doc: "Who talks to the agent."},
	{Name: "channel", Doc: "Where the conversation takes place."},
	{Name: "intent", Doc: "What the user wants, as it was recognised."},
	{Name: "human", Doc: "The human that the conversation was handed to."},
	{Name: "recent_input", Doc: "What the user said last. For `SET` only."},
	{Name: "input_transcript", Doc: "What the user said last, as it was heard. For `SET` only."},
	{Name: "abl", Doc: "The functions in lowercase, and the helpers of guardrails: `abl.upper(x)`."},
}

// operands offers what an expression may begin with: variables, special names,
// functions.
func (t typed) operands(p put) []CompletionItem {
	if t.scope != nil {
		return append(t.scoped(p), t.words(literalWords(), ValueItem, p)...)
	}
	items := t.variables(p)
	if decl, ok := t.tool(); ok && t.inTools() {
		for i := range decl.Params {
			if param := &decl.Params[i]; param.Name != "" {
				items = append(items, t.paramItem(param, p))
			}
		}
	}
	items = append(items, t.words(specialNames, VariableItem, p)...)
	items = append(items, t.systemNames(items, p)...)
	for _, f := range expression.Functions() {
		items = append(items, t.function(f, p))
	}
	return append(items, t.words(literalWords(), ValueItem, p)...)
}

func (t typed) paramItem(param *ParamDecl, p put) CompletionItem {
	item := t.item(param.Name, ParameterItem, p)
	item.Detail = param.Type.String()
	return item
}

func (t typed) function(f expression.Function, p put) CompletionItem {
	item := t.item(strings.TrimPrefix(f.Name, expression.Prefix), FunctionItem, p)
	item.Detail, item.Documentation = f.Returns, functionMarkdown(f)
	if rest := t.file.Doc.Text()[item.Edit.End:]; !strings.HasPrefix(rest, "(") {
		inner := ""
		if len(f.Params) > 0 {
			inner = "$1"
		}
		item.SnippetText = item.Edit.NewText + "(" + inner + ")"
		item.Edit.NewText += "("
	}
	return item
}

// members offers what may stand behind the dot of a path.
func (t typed) members(owner string, p put) []CompletionItem {
	switch {
	case t.scope != nil:
		return t.fieldsOf(owner, p)
	case owner == "session":
		items := t.variables(p, SessionVariable, SetVariable)
		for _, item := range items {
			p.done = append(p.done, item.Label)
		}
		return append(items, t.systemParts("session.", p)...)
	case owner == "abl":
		var items []CompletionItem
		for _, f := range expression.PrefixedFunctions() {
			items = append(items, t.function(f, p))
		}
		return items
	}
	items := append(t.fieldsOf(owner, p), t.dottedVariables(owner, p)...)
	for _, item := range items {
		p.done = append(p.done, item.Label)
	}
	return append(items, t.systemParts(owner+".", p)...)
}

// fieldsOf offers the fields of a path's type.
func (t typed) fieldsOf(owner string, p put) []CompletionItem {
	var items []CompletionItem
	if of := t.typeOf(owner); of != nil {
		for _, f := range of.Fields {
			item := t.item(f.Name, MemberItem, p)
			item.Detail = f.Type.String()
			item.Documentation = f.Description
			items = append(items, item)
		}
	}
	return items
}

// dottedVariables offers the next part of variables whose name is a path.
func (t typed) dottedVariables(owner string, p put) []CompletionItem {
	var items []CompletionItem
	for _, v := range t.known() {
		rest, ok := strings.CutPrefix(v.Name, owner+".")
		next := HeadOf(rest)
		if ok && next != "" && (v.Path != "" || !v.Span.Touches(t.offset)) && !slices.Contains(p.done, next) {
			p.done = append(p.done, next)
			item := t.item(next, MemberItem, p)
			item.Detail = v.detail()
			items = append(items, item)
		}
	}
	return items
}

var pathParts = regexp.MustCompile(`\w+|\[[^\]]*\]`)

// typeOf is the type of a path, nil where nothing declares one.
func (t typed) typeOf(path string) *tool.Type {
	parts := pathParts.FindAllString(path, -1)
	if len(parts) == 0 {
		return nil
	}
	at := t.typeOfName(parts[0])
	for _, part := range parts[1:] {
		at = memberType(at, part)
	}
	return at
}

// memberType is the type of a field, or of an element.
func memberType(of *tool.Type, part string) *tool.Type {
	switch {
	case of == nil:
		return nil
	case part[0] == '[':
		return of.Elem
	}
	for _, f := range of.Fields {
		if f.Name == part {
			return f.Type
		}
	}
	return nil
}

// errorType is what a failure is known to have.
var errorType = tool.Type{Name: "object", Declared: true, Fields: []tool.TypeField{
	{Name: "message", Type: &tool.Type{Name: "string"}, Description: "What went wrong, in words."},
}}

func (t typed) typeOfName(name string) *tool.Type {
	if t.scope != nil {
		return t.ofScope(name)
	}
	switch name {
	case "result":
		if called, ok := t.calledHere(); ok {
			return called.Returns
		}
		return nil
	case "error":
		return &errorType
	}
	if t.inTools() {
		if decl, ok := t.tool(); ok {
			if param := decl.Param(name); param != nil {
				return param.Type
			}
		}
	}
	if v, ok := t.file.variable(name); ok {
		return t.typeOfVariable(v)
	}
	return nil
}

// maxThrough is how many variables are looked through for a type: they may get their
// values from each other.
const maxThrough = 8

// typeOfVariable is the type of what a call brought, or of the path that a variable
// is set to.
func (t typed) typeOfVariable(v Variable) *tool.Type {
	if v.Tool != "" {
		if s, ok := t.w.Callable(t.file.Path).Called(v.Tool); ok {
			return s.Returns
		}
	}
	at, ok := t.w.typed(t.file.cursor(v.Span.Start))
	if v.From == "" || !ok || t.through >= maxThrough || HeadOf(v.From) == v.Name {
		return nil
	}
	at.through = t.through + 1
	return at.typeOf(strings.TrimPrefix(v.From, "session."))
}

// calledHere is the tool whose result `result` is at the line: the tool that the
// line belongs to, or the one that the nearest CALL around it names.
func (t typed) calledHere() (s ScopedTool, ok bool) {
	if t.inTools() {
		decl, ok := t.tool()
		return ScopedTool{PlacedTool: decl, File: t.file}, ok
	}
	name := ""
	for _, n := range slices.Backward(t.around()) {
		if name == "" {
			name = calledIn(keyedNodes(n))
		}
	}
	if name == "" && t.section != nil {
		var before []syntax.Node
		for _, e := range t.section.Entries {
			if e.Offset < t.start {
				before = append(before, e.Root())
			}
		}
		name = calledIn(before)
	}
	return t.w.Callable(t.file.Path).Called(name)
}

func keyedNodes(n syntax.Node) []syntax.Node {
	return slices.Collect(keyed(n, false))
}

// calledIn is the tool of the last CALL among lines.
func calledIn(lines []syntax.Node) string {
	for _, n := range slices.Backward(lines) {
		if strings.EqualFold(n.Key(), "CALL") {
			return newCall(n).Tool
		}
	}
	return ""
}
