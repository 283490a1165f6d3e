package analysis

import (
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/expression"
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
