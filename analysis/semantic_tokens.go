package analysis

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Token is a piece of one line with its meaning.
type Token struct {
	Span      text.Span // in the file; never empty, and without a line end
	Type      TokenType
	Modifiers TokenModifiers
}

// TokenType is the type of a token.
type TokenType uint8

// The types of tokens.
const (
	NamespaceToken  TokenType = iota // the word before the dot in {{secrets.X}}
	TypeToken                        // of a parameter or a result
	ClassToken                       // the name of an agent, a supervisor, a profile
	ParameterToken                   // of a tool
	VariableToken                    // of the session
	PropertyToken                    // a key, a field
	EnumMemberToken                  // a word of a closed set
	FunctionToken                    // a tool, a function of an expression
	MethodToken                      // a step
	KeywordToken                     // a section, a key in capitals, a word between operands
	CommentToken
	StringToken // quoted or plain text
	NumberToken
	OperatorToken // and the signs around a placeholder
)

// TokenModifiers are a set of further properties of a token.
type TokenModifiers uint8

// The modifiers.
const (
	DeclarationToken TokenModifiers = 1 << iota
	DeprecatedToken                 // an older spelling
	BuiltInToken                    // the language's own
)

// SemanticTokens returns the tokens of the file at path, in order, of the entries whose lines
// overlap the span. Source text in other languages has none.
func SemanticTokens(w model.Workspace, path string, within text.Span) []Token {
	f := w.File(path)
	if f == nil || f.Doc == nil || f.Kind == model.YAML {
		return nil
	}
	if f.IsYAMLAgent() {
		return tokensInYAML(f, within)
	}
	return tokensOf(f, within)
}

func tokensOf(f *model.File, within text.Span) []Token {
	p := painter{file: f}
	for _, s := range f.Doc.Sections() {
		if span := s.Span(); span.End < within.Start || within.End < span.Start {
			continue
		}
		for e := range s.HeadAndEntries() {
			if span := e.Span(); within.Start <= span.End && span.Start <= within.End {
				p.paintEntry(s, e)
			}
		}
	}
	return p.tokens
}

// paint is a token's type and modifiers; 0 marks what is no token.
type paint uint16

func paintOf(t TokenType, m TokenModifiers) paint { return paint(t) + 1 | paint(m)<<8 }

func (p paint) token(s text.Span) Token {
	return Token{Span: s, Type: TokenType(p&0xff - 1), Modifiers: TokenModifiers(p >> 8)}
}

// painter paints the bytes of one entry after the other: a nested part is painted over what
// contains it.
type painter struct {
	file   *model.File
	tokens []Token
	canvas []paint // of the entry
}

func (p *painter) paintEntry(s syntax.Section, e syntax.PositionedEntry) {
	source := e.Text()
	if cap(p.canvas) < len(source) {
		p.canvas = make([]paint, len(source))
	}
	p.canvas = p.canvas[:len(source)]
	clear(p.canvas)
	for n := range e.Root().Preorder() {
		p.paintNode(n)
	}
	p.paintProperties(s, e)
	p.paintNames(e)
	p.emit(source, e.Offset)
}

func (p *painter) fill(s text.Span, t TokenType, m TokenModifiers) {
	color := paintOf(t, m)
	for i := s.Start; i < s.End; i++ {
		p.canvas[i] = color
	}
}

func (p *painter) erase(s text.Span) { clear(p.canvas[s.Start:s.End]) }

// eraseText erases a text except the placeholders in it.
func (p *painter) eraseText(s text.Span) {
	for i := s.Start; i < s.End; i++ {
		if p.canvas[i] == paintOf(StringToken, 0) {
			p.canvas[i] = 0
		}
	}
}

// emit reads the tokens off the canvas: at most one a line for each stretch of one color, without
// the space around it.
func (p *painter) emit(source string, offset int) {
	for i := 0; i < len(source); {
		color, start := p.canvas[i], i
		for i < len(source) && p.canvas[i] == color && source[i] != '\n' && source[i] != '\r' {
			i++
		}
		if i == start {
			i++ // a line end
			continue
		}
		if color == 0 {
			continue
		}
		if s := trimSpan(source, text.Span{Start: start, End: i}); s.Len() > 0 {
			p.tokens = append(p.tokens, color.token(s.Shift(offset)))
		}
	}
}

// paintNames paints the names that refer to something: first those that nothing else paints, then
// those with a part that may be painted already, then the targets of transitions.
func (p *painter) paintNames(e syntax.PositionedEntry) {
	refs := p.file.NameRefsIn(e)
	for _, r := range refs {
		switch r.Kind {
		case model.ToolRef:
			p.fill(r.Span, FunctionToken, 0)
		case model.ParameterRef:
			p.paintParam(e, r)
		case model.ArgumentRef:
			p.fill(r.Span, ParameterToken, 0)
		case model.NamespaceRef:
			p.fill(r.Span, NamespaceToken, BuiltInToken)
		}
	}
	for _, r := range refs {
		p.paintName(r)
	}
	if flow := p.file.FlowAt(e.Offset); flow != nil {
		for _, r := range refs {
			p.paintTarget(flow, r)
		}
	}
}

// nameTokens are the types of names that only the text around them makes names.
var nameTokens = map[model.NameRefKind]TokenType{
	model.VariableRef: VariableToken, model.StepRef: MethodToken, model.AgentRef: ClassToken, model.ProfileRef: ClassToken,
	model.SectionEntryRef: PropertyToken, model.RouteRef: ClassToken, model.TemplateRef: PropertyToken,
}

func (p *painter) paintName(r model.NameRef) {
	t, ok := nameTokens[r.Kind]
	if !ok || r.Access != model.Declares && p.canvas[r.Span.Start] == paintOf(t, 0) { // its parts are painted already
		return
	}
	declares := TokenModifiers(0)
	if r.Access == model.Declares {
		declares = DeclarationToken
	}
	p.fill(r.Span, t, declares)
}

// paintTarget paints a step, or a word of the language instead of one.
func (p *painter) paintTarget(flow *model.Flow, r model.NameRef) {
	if r.Kind != model.TargetRef {
		return
	}
	_, known := flow.Step(r.Name)
	switch declared := TokenModifiers(p.canvas[r.Span.Start]>>8) & DeclarationToken; {
	case known:
		p.fill(r.Span, MethodToken, declared)
	case slices.Contains(model.LeavingWords, r.Name) || slices.Contains(model.TargetWords(), r.Name):
		p.fill(r.Span, EnumMemberToken, BuiltInToken)
	}
}

// paintParam paints a parameter's name, with the single braces around it in an endpoint. A name
// that is no parameter of the tool is painted as a variable.
func (p *painter) paintParam(e syntax.PositionedEntry, r model.NameRef) {
	source, s := e.Text(), r.Span
	p.fill(s, VariableToken, 0)
	for _, d := range p.file.DeclaredTools(e.Entry) {
		if d.Node.Span().Touches(s.Start) && d.Param(r.Name) != nil {
			p.fill(s, ParameterToken, 0)
		}
	}
	double := strings.HasSuffix(source[:s.Start], "{{")
	if !double && strings.HasSuffix(source[:s.Start], "{") && strings.HasPrefix(source[s.End:], "}") {
		p.fill(text.Span{Start: s.Start - 1, End: s.Start}, OperatorToken, 0)
		p.fill(text.Span{Start: s.End, End: s.End + 1}, OperatorToken, 0)
	}
}
