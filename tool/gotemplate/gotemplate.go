// Package gotemplate fills in templates of Go, as the files of MCP Toolbox have them. Texts, time
// and the functions that a template may call are bounded; a template reaches nothing but its values.
package gotemplate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
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

// Parse reads a template. An error says what is wrong, without a place in the text.
func Parse(source string) (*Template, error) {
	if len(source) > maxSource {
		return nil, fmt.Errorf("the template is longer than %d MB", maxSource>>20)
	}
	t, err := template.New("template").Funcs(textFunctions()).Parse(source)
	if err != nil {
		return nil, plainError(err)
	}
	switch {
	case t.Tree == nil && len(t.Templates()) == 0: // it is empty
		return &Template{parsed: t}, nil
	case t.Tree == nil || len(t.Templates()) > 1:
		return nil, errOtherTemplates
	}
	r := &rewriter{fields: map[string]bool{}}
	if err := r.rewriteList(t.Root); err != nil {
		return nil, err
	}
	return &Template{parsed: t, fields: slices.Sorted(maps.Keys(r.fields))}, nil
}

var errOtherTemplates = errors.New("`define`, `block` and `template` are not supported")

// Fields returns the names of the values that the template reads, such as x in `{{.x}}` and in
// `{{$.x}}`, sorted. What it reads from an element of a list is not among them.
func (t *Template) Fields() []string { return t.fields }

// Fill returns the text that the template makes of values. insert returns the text of each value
// that is inserted; nil stands for a missing one. What the template itself says is kept unchanged.
func (t *Template) Fill(ctx context.Context, values map[string]any, insert func(value any) (string, error)) (string, error) {
	rounds := 0
	round := func() (string, error) {
		if rounds++; rounds > maxRounds {
			return "", fmt.Errorf("its loops make more than %d rounds", maxRounds)
		}
		return "", ctx.Err()
	}
	filled, err := t.parsed.Clone()
	if err != nil {
		return "", err
	}
	var out limitedText
	if err := filled.Funcs(template.FuncMap{roundFunction: round, insertFunction: insert}).Execute(&out, values); err != nil {
		return "", plainError(err)
	}
	return out.String(), nil
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
	fields map[string]bool
	inner  bool // the dot is not all values, but one of them or an element
}

func (r *rewriter) rewrite(n parse.Node) error {
	switch n := n.(type) {
	case *parse.ActionNode:
		r.readPipe(n.Pipe)
		if len(n.Pipe.Decl) == 0 {
			n.Pipe.Cmds = append(n.Pipe.Cmds, callOf(insertFunction, n.Pipe.Pos))
		}
	case *parse.IfNode:
		return r.rewriteBranch(&n.BranchNode, false)
	case *parse.WithNode:
		return r.rewriteBranch(&n.BranchNode, true)
	case *parse.RangeNode:
		if err := r.rewriteBranch(&n.BranchNode, true); err != nil {
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

// rewriteBranch rewrites both lists of a branch. movesDot says that the dot is another one in the
// first.
func (r *rewriter) rewriteBranch(n *parse.BranchNode, movesDot bool) error {
	r.readPipe(n.Pipe)
	outer := r.inner
	r.inner = outer || movesDot
	err := r.rewriteList(n.List)
	r.inner = outer
	return cmp.Or(err, r.rewriteList(n.ElseList))
}

// countedRound returns a call of the function that counts the rounds of a loop.
func countedRound(n *parse.RangeNode) *parse.ActionNode {
	return &parse.ActionNode{NodeType: parse.NodeAction, Pos: n.Pos, Line: n.Line, Pipe: &parse.PipeNode{
		NodeType: parse.NodePipe, Pos: n.Pos, Line: n.Line, Cmds: []*parse.CommandNode{callOf(roundFunction, n.Pos)},
	}}
}

// callOf returns a call of a function, as a part of a pipeline.
func callOf(function string, at parse.Pos) *parse.CommandNode {
	return &parse.CommandNode{NodeType: parse.NodeCommand, Pos: at, Args: []parse.Node{parse.NewIdentifier(function).SetPos(at)}}
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
		if !r.inner {
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
