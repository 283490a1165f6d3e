// Package gotemplate fills in templates of Go, as the files of MCP Toolbox have them. Texts, time
// and the functions that a template may call are bounded; a template reaches nothing but its values.
package gotemplate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// The limits of a template.
const (
	maxSource = 1 << 20 // bytes of a template
	maxResult = 4 << 20 // bytes of a text that a template makes
	maxRounds = 100_000 // rounds of all loops
)

// Template is a template that can be filled in. It is immutable, and safe for concurrent use.
type Template struct {
	parsed *template.Template
	fields []string
}

// Parse reads a template. It may call the functions called identities, which return their argument.
// An error says what is wrong, without a place in the text.
func Parse(source string, identities ...string) (*Template, error) {
	if len(source) > maxSource {
		return nil, fmt.Errorf("the template is longer than %d MB", maxSource>>20)
	}
	functions := textFunctions()
	for _, name := range identities {
		functions[name] = func(v any) any { return v }
	}
	t, err := template.New("template").Funcs(functions).Parse(source)
	if err != nil {
		return nil, plainError(err)
	}
	switch {
	case t.Tree == nil && len(t.Templates()) == 0: // it is empty
		return &Template{parsed: t}, nil
	case t.Tree == nil || len(t.Templates()) > 1:
		return nil, errOtherTemplates
	}
	r := &rewriter{fields: map[string]bool{}, variables: map[string]Origin{}, identities: identities}
	r.forgetAssigned(t.Root)
	if err := r.rewriteList(t.Root); err != nil {
		return nil, err
	}
	return &Template{parsed: t, fields: slices.Sorted(maps.Keys(r.fields))}, nil
}

var errOtherTemplates = errors.New("`define`, `block` and `template` are not supported")

// Fields returns the names of the values that the template reads, such as x in `{{.x}}` and in
// `{{$.x}}`, sorted. What it reads from an element of a list is not among them.
func (t *Template) Fields() []string { return t.fields }

// Origin says where a value that a template inserts comes from.
type Origin struct {
	Name     string // of the value that it is, or is a part of; "" for what a function returns
	IsPart   bool   // it is an element of that value, or another part of it
	Function string // the identity that was called with it; "" for none
}

// Fill returns the text that the template makes of values. insert returns the text of each value
// that is inserted; nil stands for a missing one. What the template itself says is kept unchanged.
func (t *Template) Fill(values map[string]any, insert func(from Origin, value any) (string, error)) (string, error) {
	rounds := 0
	round := func() (string, error) {
		if rounds++; rounds > maxRounds {
			return "", fmt.Errorf("its loops make more than %d rounds", maxRounds)
		}
		return "", nil
	}
	inserted := func(name string, isPart bool, function string, value any) (string, error) {
		return insert(Origin{name, isPart, function}, value)
	}
	filled, err := t.parsed.Clone()
	if err != nil {
		return "", err
	}
	var out limitedText
	if err := filled.Funcs(template.FuncMap{roundFunction: round, insertFunction: inserted}).Execute(&out, values); err != nil {
		return "", plainError(err)
	}
	return out.String(), nil
}

// Value returns decoded JSON as templates compare it: a number is an integer, or else a float.
func Value(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		if f, err := v.Float64(); err == nil {
			return f
		}
		return string(v)
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = Value(one)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, one := range v {
			out[key] = Value(one)
		}
		return out
	}
	return v
}

// limitedText is a text of at most maxResult bytes.
type limitedText struct{ strings.Builder }

func (l *limitedText) Write(p []byte) (int, error) {
	if l.Len()+len(p) > maxResult {
		return 0, errTooLong
	}
	return l.Builder.Write(p)
}

var errTooLong = fmt.Errorf("the text is longer than %d MB", maxResult>>20)

// The functions that a template calls at the begin of each round, and for each inserted value.
const (
	roundFunction  = "abl_round"
	insertFunction = "abl_insert"
)

// textFunctions returns what replaces the functions whose results can be long, and which a template
// can call again with what they returned.
func textFunctions() template.FuncMap {
	return template.FuncMap{
		"print":    limited(fmt.Sprint),
		"println":  limited(fmt.Sprintln),
		"html":     limited(template.HTMLEscaper),
		"js":       limited(template.JSEscaper),
		"urlquery": limited(template.URLQueryEscaper),
		"printf": func(format string, args ...any) (string, error) {
			return limited(func(args ...any) string { return fmt.Sprintf(format, args...) })(args...)
		},
	}
}

// maxArguments is how many bytes the texts have, at most, that one call of a function takes.
const maxArguments = 1 << 20

func limited(f func(...any) string) func(...any) (string, error) {
	return func(args ...any) (string, error) {
		size := 0
		for _, a := range args {
			text, _ := a.(string)
			size += len(text)
		}
		if size > maxArguments {
			return "", errTooLong
		}
		return f(args...), nil
	}
}

// rewriter makes a template call the bounding functions, and notes which values it reads.
type rewriter struct {
	fields     map[string]bool
	dot        *Origin           // nil: all values
	variables  map[string]Origin // by their names with $, as far as their values come from one place
	identities []string
}

// forgetAssigned makes the origin of each variable unknown that gets another value later.
func (r *rewriter) forgetAssigned(n parse.Node) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n != nil {
			for _, one := range n.Nodes {
				r.forgetAssigned(one)
			}
		}
	case *parse.ActionNode:
		r.forgetAssignedIn(n.Pipe)
	case *parse.IfNode:
		r.forgetAssignedInBranch(&n.BranchNode)
	case *parse.WithNode:
		r.forgetAssignedInBranch(&n.BranchNode)
	case *parse.RangeNode:
		r.forgetAssignedInBranch(&n.BranchNode)
	}
}

func (r *rewriter) forgetAssignedInBranch(n *parse.BranchNode) {
	r.forgetAssignedIn(n.Pipe)
	r.forgetAssigned(n.List)
	r.forgetAssigned(n.ElseList)
}

func (r *rewriter) forgetAssignedIn(p *parse.PipeNode) {
	if !p.IsAssign {
		return
	}
	for _, v := range p.Decl {
		r.variables[v.Ident[0]] = Origin{}
	}
}

// declare notes the origin of a variable. Of two variables of one name, neither has a known one.
func (r *rewriter) declare(name string, from Origin) {
	if before, has := r.variables[name]; has && before != from {
		from = Origin{}
	}
	r.variables[name] = from
}

func (r *rewriter) rewrite(n parse.Node) error {
	switch n := n.(type) {
	case *parse.ActionNode:
		r.readPipe(n.Pipe)
		from := r.originOf(n.Pipe)
		if len(n.Pipe.Decl) == 0 {
			n.Pipe.Cmds = append(n.Pipe.Cmds, callOf(insertFunction, n.Pipe.Pos, from.arguments()...))
		}
		r.declareAll(n.Pipe, from)
	case *parse.IfNode:
		return r.rewriteBranch(&n.BranchNode, r.dot)
	case *parse.WithNode:
		from := r.originOf(n.Pipe)
		return r.rewriteBranch(&n.BranchNode, &from)
	case *parse.RangeNode:
		from := r.originOf(n.Pipe)
		from.IsPart = true
		if err := r.rewriteBranch(&n.BranchNode, &from); err != nil {
			return err
		}
		n.List.Nodes = append([]parse.Node{countedRound(n)}, n.List.Nodes...)
	case *parse.TemplateNode:
		return errOtherTemplates
	}
	return nil
}

func (r *rewriter) rewriteList(list *parse.ListNode) error {
	if list == nil {
		return nil
	}
	for _, n := range list.Nodes {
		if err := r.rewrite(n); err != nil {
			return err
		}
	}
	return nil
}

// rewriteBranch rewrites both lists of a branch. dot is the dot in the first.
func (r *rewriter) rewriteBranch(n *parse.BranchNode, dot *Origin) error {
	r.readPipe(n.Pipe)
	from := r.originOf(n.Pipe)
	if n.NodeType == parse.NodeRange {
		from = *dot
	}
	r.declareAll(n.Pipe, from)
	outer := r.dot
	r.dot = dot
	err := r.rewriteList(n.List)
	r.dot = outer
	return cmp.Or(err, r.rewriteList(n.ElseList))
}

// declareAll notes the origin of the variables that a pipeline declares. Of two, the first is the
// index of an element.
func (r *rewriter) declareAll(p *parse.PipeNode, from Origin) {
	for i, v := range p.Decl {
		if len(p.Decl) == 2 && i == 0 {
			r.declare(v.Ident[0], Origin{})
		} else {
			r.declare(v.Ident[0], from)
		}
	}
}

// originOf returns where the value of a pipeline comes from.
func (r *rewriter) originOf(p *parse.PipeNode) Origin {
	if len(p.Cmds) != 1 {
		return Origin{}
	}
	args := p.Cmds[0].Args
	if function, ok := args[0].(*parse.IdentifierNode); ok && len(args) == 2 && slices.Contains(r.identities, function.Ident) {
		from := r.originOfArgument(args[1])
		from.Function = function.Ident
		return from
	}
	if len(args) != 1 {
		return Origin{}
	}
	return r.originOfArgument(args[0])
}

func (r *rewriter) originOfArgument(n parse.Node) Origin {
	switch n := n.(type) {
	case *parse.DotNode:
		if r.dot != nil {
			return *r.dot
		}
	case *parse.FieldNode:
		if r.dot != nil {
			return partOf(*r.dot)
		}
		return Origin{Name: n.Ident[0], IsPart: len(n.Ident) > 1}
	case *parse.VariableNode:
		switch {
		case n.Ident[0] == "$" && len(n.Ident) > 1:
			return Origin{Name: n.Ident[1], IsPart: len(n.Ident) > 2}
		case len(n.Ident) > 1:
			return partOf(r.variables[n.Ident[0]])
		}
		return r.variables[n.Ident[0]]
	}
	return Origin{}
}

func partOf(from Origin) Origin {
	from.IsPart = from.Name != ""
	return from
}

// arguments returns the origin as arguments of the function that inserts a value.
func (o Origin) arguments() []parse.Node {
	return []parse.Node{textNode(o.Name), &parse.BoolNode{NodeType: parse.NodeBool, True: o.IsPart}, textNode(o.Function)}
}

func textNode(text string) *parse.StringNode {
	return &parse.StringNode{NodeType: parse.NodeString, Quoted: strconv.Quote(text), Text: text}
}

// countedRound returns a call of the function that counts the rounds of a loop.
func countedRound(n *parse.RangeNode) *parse.ActionNode {
	return &parse.ActionNode{NodeType: parse.NodeAction, Pos: n.Pos, Line: n.Line, Pipe: &parse.PipeNode{
		NodeType: parse.NodePipe, Pos: n.Pos, Line: n.Line, Cmds: []*parse.CommandNode{callOf(roundFunction, n.Pos)},
	}}
}

// callOf returns a call of a function, as a part of a pipeline.
func callOf(function string, at parse.Pos, args ...parse.Node) *parse.CommandNode {
	return &parse.CommandNode{NodeType: parse.NodeCommand, Pos: at, Args: append([]parse.Node{parse.NewIdentifier(function).SetPos(at)}, args...)}
}

// readPipe notes the values that a pipeline reads.
func (r *rewriter) readPipe(p *parse.PipeNode) {
	for _, c := range p.Cmds {
		for _, arg := range c.Args {
			r.readArgument(arg)
		}
	}
}

func (r *rewriter) readArgument(n parse.Node) {
	switch n := n.(type) {
	case *parse.FieldNode:
		if r.dot == nil {
			r.fields[n.Ident[0]] = true
		}
	case *parse.VariableNode:
		if n.Ident[0] == "$" && len(n.Ident) > 1 {
			r.fields[n.Ident[1]] = true
		}
	case *parse.ChainNode:
		r.readArgument(n.Node)
	case *parse.PipeNode:
		r.readPipe(n)
	}
}

// plainError returns an error of Go's templates without the name and the place in the template,
// which a reader of a file does not know.
func plainError(err error) error {
	if fault, ok := errors.AsType[template.ExecError](err); ok {
		if cause := innermost(fault); cause != nil {
			return cause
		}
	}
	return errors.New(place.ReplaceAllString(err.Error(), ""))
}

// innermost returns the error of a function that ended the template; nil if none did.
func innermost(err error) (cause error) {
	for err = errors.Unwrap(err); err != nil; err = errors.Unwrap(err) {
		if !place.MatchString(err.Error()) {
			cause = err
			break
		}
	}
	return cause
}

var place = lazyregexp.New(`^template: template:\d+(:\d+)?: (executing "template" at )?`)
