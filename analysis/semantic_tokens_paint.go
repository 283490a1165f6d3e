package analysis

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// plainTokens are the nodes that have the same token everywhere.
var plainTokens = map[syntax.Kind]struct {
	Type      TokenType
	Modifiers TokenModifiers
}{
	syntax.Comment:   {CommentToken, 0},
	syntax.Keyword:   {KeywordToken, 0},
	syntax.StepName:  {MethodToken, DeclarationToken},
	syntax.String:    {StringToken, 0},
	syntax.Text:      {StringToken, 0},
	syntax.BlockText: {StringToken, 0},
	syntax.Regex:     {StringToken, 0},
	syntax.Number:    {NumberToken, 0},
	syntax.Boolean:   {EnumMemberToken, BuiltInToken},
	syntax.Null:      {EnumMemberToken, BuiltInToken},
	syntax.Arrow:     {OperatorToken, 0},
	syntax.Equals:    {OperatorToken, 0},
	syntax.Question:  {OperatorToken, 0},
	syntax.Pipe:      {OperatorToken, 0},
}

// paintNode paints one node; the nodes inside it follow.
func (p *painter) paintNode(n syntax.Node) {
	span := n.Span()
	if t, ok := plainTokens[n.Kind()]; ok {
		p.fill(span, t.Type, t.Modifiers)
		return
	}
	switch n.Kind() {
	case syntax.Key:
		p.fill(span, keyToken(n), 0)
	case syntax.ToolName:
		p.fill(span, FunctionToken, declaredIn(n, syntax.Tool))
	case syntax.Identifier:
		p.paintIdentifier(n)
	case syntax.TypeIdentifier:
		p.fill(span, TypeToken, builtIn(isBuiltInType(n.Text())))
	case syntax.Operator:
		p.paintOperator(n)
	case syntax.Interpolation, syntax.BlockHelper:
		p.fill(span, OperatorToken, 0)
	case syntax.Expression:
		p.erase(span)
	case syntax.CallExpression:
		if n.Parent().Kind() == syntax.Interpolation { // a helper
			p.erase(span)
		}
	case syntax.Path:
		p.paintPath(n)
	case syntax.BeforeClause:
		p.fill(span, KeywordToken, 0) // the tool is painted over it
	}
}

// keyToken returns the type of a key unless a table says otherwise: keys in capitals are words of
// the language.
func keyToken(n syntax.Node) TokenType {
	switch n.Parent().Kind() {
	case syntax.Import, syntax.Add:
		return KeywordToken
	}
	if s := n.Text(); len(s) > 1 && model.IsUpperWord(s) {
		return KeywordToken
	}
	return PropertyToken
}

func declaredIn(n syntax.Node, in syntax.Kind) TokenModifiers {
	if n.Parent().Kind() == in && n.Field() == syntax.FieldName {
		return DeclarationToken
	}
	return 0
}

func builtIn(is bool) TokenModifiers {
	if is {
		return BuiltInToken
	}
	return 0
}

func (p *painter) paintIdentifier(n syntax.Node) {
	switch n.Parent().Kind() {
	case syntax.Parameter:
		p.fill(n.Span(), ParameterToken, DeclarationToken)
	case syntax.TypeField:
		p.fill(n.Span(), PropertyToken, DeclarationToken)
	case syntax.NamedArgument:
		p.fill(n.Span(), ParameterToken, 0)
	case syntax.FilterExpression:
		p.fill(n.Span(), FunctionToken, BuiltInToken)
	default:
		p.fill(n.Span(), PropertyToken, 0)
	}
}

func (p *painter) paintOperator(n syntax.Node) {
	if strings.IndexFunc(n.Text(), func(r rune) bool { return 'A' <= r && r <= 'z' }) == 0 {
		p.fill(n.Span(), KeywordToken, 0)
		return
	}
	p.fill(n.Span(), OperatorToken, 0)
}

// paintPath paints a variable with its fields, or the name of a function.
func (p *painter) paintPath(n syntax.Node) {
	s, span := n.Text(), n.Span()
	if n.Field() == syntax.FieldFunction {
		p.fill(span, FunctionToken, builtIn(isBuiltInFunction(s)))
		return
	}
	head, _, dotted := strings.Cut(s, ".")
	first := text.Span{Start: span.Start, End: span.Start + len(head)}
	if dotted && model.IsNamespace(head) {
		p.fill(first, NamespaceToken, BuiltInToken)
	} else {
		p.fill(first, VariableToken, 0)
	}
	for i := first.End; i < span.End; i++ {
		if p.canvas[i] = paintOf(PropertyToken, 0); s[i-span.Start] == '.' {
			p.canvas[i] = 0
		}
	}
}

func isBuiltInType(name string) bool {
	_, ok := builtInType(name)
	return ok
}

func isBuiltInFunction(name string) bool {
	rest, helper := strings.CutPrefix(name, expression.Prefix)
	return slices.Contains(model.AllFunctions().Capital, name) || helper && slices.Contains(model.AllFunctions().Prefixed, rest)
}

// paintProperties paints what the schema tables know: words of closed sets, older spellings, names
// of the author's own, and source text in other languages, which has no tokens.
func (p *painter) paintProperties(s syntax.Section, e syntax.PositionedEntry) {
	root := e.Root()
	switch root.Kind() {
	case syntax.Comment:
	case syntax.SectionNode:
		if slices.Contains(declaringSections, s.Name()) {
			p.fill(model.UnquotedWord(root.Value()).Span, ClassToken, DeclarationToken)
			return
		}
		p.paintBelow([]model.Property{model.HeadProperty(p.file.SectionKind(s), s.Name(), root)})
	case syntax.Import:
		for n := range root.Child(syntax.FieldNames).Children() {
			if model.IsItem(n) {
				p.fill(n.Span(), FunctionToken, 0)
			}
		}
	case syntax.Tool, syntax.Add:
		for _, d := range p.file.DeclaredTools(e.Entry) {
			p.paintBelow(d.PropertiesOfAnyKind())
		}
	default:
		if s.Head.Kind() == syntax.ToolsSection {
			p.paintBelow([]model.Property{model.SharedDefault(root)})
			return
		}
		p.paintBelow(model.SectionProperties(p.file.SectionKind(s), s.Name(), root))
	}
}

// declaringSections are the sections whose value is the name of what the file declares.
var declaringSections = []string{"AGENT", "SUPERVISOR", "BEHAVIOR_PROFILE"}

func (p *painter) paintBelow(props []model.Property) {
	for i := range props {
		p.paintProperty(&props[i])
		p.paintBelow(props[i].Properties())
		for _, item := range props[i].Items() {
			p.paintBelow(item.Properties())
		}
	}
}

func (p *painter) paintProperty(one *model.Property) {
	key := one.Key.Span()
	switch {
	case one.Key.Kind() != syntax.Key:
	case one.IsAlias:
		p.fill(key, keyToken(one.Key), DeprecatedToken)
	case one.IsAuthorName:
		p.fill(key, PropertyToken, DeclarationToken)
	}
	if one.Field == nil {
		return
	}
	switch {
	case one.Field.Type == tool.CodeType:
		p.eraseText(one.Value.Span())
	case one.Field.Type == tool.TypeType:
		p.fill(one.Value.Span(), TypeToken, 0)
	case len(one.Field.Values) > 0:
		p.paintWords(one)
	}
}

// paintWords paints the words of a closed set.
func (p *painter) paintWords(one *model.Property) {
	for _, w := range model.ListWords(one.Node) {
		if _, ok := tool.LookupWord(one.Field.Values, w.Text); ok {
			p.fill(w.Span, EnumMemberToken, 0)
		}
	}
}
