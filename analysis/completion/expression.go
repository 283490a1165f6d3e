package completion

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// typedPath matches the path before the cursor, as far as it is typed.
var typedPath = lazyregexp.New(`(?:[A-Za-z_]\w*(?:\[[^\]\s]*\])*(?:\.\w*(?:\[[^\]\s]*\])*)*)?$`)

// completeExpression completes an expression; s is its text up to the cursor.
func completeExpression(t cursor.Line, s string) []Item {
	s, inText := cursor.WithoutOuterQuote(s)
	if inText {
		return nil
	}
	path := typedPath.FindString(s)
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		return completeMembers(t, path[:i], insertion{from: t.Offset - len(path) + i + 1})
	}
	before := strings.TrimRight(s[:len(s)-len(path)], " \t")
	p := insertion{from: t.Offset - len(path)}
	if m := typedIs.FindStringSubmatch(before); m != nil {
		return completeWords(t, model.WordsAfterIs(m[1] != ""), OperatorItem, p)
	}
	switch {
	case !endsOperand(before):
		return completeOperands(t, p)
	case before == s: // right after it, Enter may end the line
		return nil
	}
	return completeWords(t, model.OperatorWords(expression.Infix, expression.Postfix), OperatorItem, p)
}

// typedIs matches the beginning of `IS SET`, or of `IS NOT SET`.
var typedIs = lazyregexp.New(`(?i)\bIS(?:[ \t]+(NOT))?$`)

var lastWord = lazyregexp.New(`\w+$`)

// endsOperand reports whether the text of an expression ends with an operand, so that an operator
// follows.
func endsOperand(s string) bool {
	if s == "" {
		return false
	}
	if word := lastWord.FindString(s); word != "" {
		return !model.PrecedesOperand(word)
	}
	return strings.IndexByte(`)]}"'`, s[len(s)-1]) >= 0
}

// completeOperands offers what may begin an expression: variables, special names, functions.
func completeOperands(t cursor.Line, p insertion) []Item {
	if t.Scope != nil {
		return append(completeScoped(t, p), completeWords(t, model.LiteralWords(), ValueItem, p)...)
	}
	items := completeVariables(t, p)
	if decl, ok := t.Tool(); ok && t.InTools() {
		for i := range decl.Params {
			if param := &decl.Params[i]; param.Name != "" {
				items = append(items, newItem(t, p, Item{Label: param.Name, Kind: ParameterItem, Detail: param.Type.String()}))
			}
		}
	}
	items = rankNearest(t, append(items, completeMentioned(t, p.without(items))...), model.VariableRef, model.ParameterRef)
	items = append(items, completeWords(t, model.SpecialNames, VariableItem, p)...)
	items = append(items, completeSystemParts(t, "", p.without(items))...)
	for _, f := range expression.Functions() {
		items = append(items, functionItem(t, f, p))
	}
	return append(items, completeWords(t, model.LiteralWords(), ValueItem, p)...)
}

func functionItem(t cursor.Line, f expression.Function, p insertion) Item {
	item := newItem(t, p, Item{Label: strings.TrimPrefix(f.Name, expression.Prefix), Kind: FunctionItem})
	item.Detail, item.Documentation = f.Returns, describe.FunctionMarkdown(f)
	item.rank = usualRank(usualFunctions, item.Label)
	if rest := t.File.Doc.Text()[item.Edit.End:]; !strings.HasPrefix(rest, "(") {
		inner := ""
		if len(f.Params) > 0 {
			inner = "$1"
		}
		item.SnippetText = item.Edit.NewText + "(" + inner + ")"
		item.Edit.NewText += "("
	}
	return item
}

// completeMembers offers what may follow the dot of a path.
func completeMembers(t cursor.Line, owner string, p insertion) []Item {
	switch {
	case t.Scope != nil:
		return completeFieldsOf(t, owner, p)
	case owner == "session":
		items := rankNearest(t, completeVariables(t, p, model.SessionVariable, model.SetVariable, model.ReturnedVariable), model.VariableRef)
		return append(items, completeSystemParts(t, "session.", p.without(items))...)
	case owner == "abl":
		var items []Item
		for _, f := range expression.PrefixedFunctions() {
			item := functionItem(t, f, p)
			if isNamedElsewhere(t, f.Name, item.Edit.Span) { // a guardrail is written once
				item.rank += len(usualFunctions)
			}
			items = append(items, item)
		}
		return items
	}
	items := append(completeFieldsOf(t, owner, p), completeDottedVariables(t, owner, p)...)
	items = append(items, completeMentionedMembers(t, owner, p.without(items))...)
	return append(items, completeSystemParts(t, owner+".", p.without(items))...)
}

// isNamedElsewhere reports whether the file has a name outside of a span and of lines that are
// comments.
func isNamedElsewhere(t cursor.Line, name string, except text.Span) bool {
	source := t.File.Doc.Text()
	for from := 0; ; {
		i := strings.Index(source[from:], name)
		if i < 0 {
			return false
		}
		at := from + i
		line := strings.TrimLeft(source[strings.LastIndexByte(source[:at], '\n')+1:at], " \t")
		if !strings.HasPrefix(line, "#") && (at+len(name) <= except.Start || at >= except.End) {
			return true
		}
		from = at + len(name)
	}
}

// completeFieldsOf offers the fields of a path's type.
func completeFieldsOf(t cursor.Line, owner string, p insertion) []Item {
	var items []Item
	if of := t.TypeOf(owner); of != nil {
		for _, f := range of.Fields {
			items = append(items, newItem(t, p, Item{Label: f.Name, Kind: MemberItem, Detail: f.Type.String(), Documentation: f.Description}))
		}
	}
	return items
}

// completeDottedVariables offers the next part of variables whose name is a path.
func completeDottedVariables(t cursor.Line, owner string, p insertion) []Item {
	var items []Item
	for _, v := range knownVariables(t) {
		rest, ok := strings.CutPrefix(v.Name, owner+".")
		next := placeholder.RootName(rest)
		if ok && next != "" && (v.Path != "" || !v.Span.Touches(t.Offset)) && !slices.Contains(p.listed, next) {
			p.listed = append(p.listed, next)
			items = append(items, newItem(t, p, Item{Label: next, Kind: MemberItem, Detail: variableDetail(v)}))
		}
	}
	return items
}
