package check

import (
	"errors"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// toolExpression is an expression of a tool, read as a run will read it.
type toolExpression struct {
	property    string    // the property that it is in
	source      string    // as it is evaluated
	written     string    // as written
	span        text.Span // of written
	names       []string  // that it may use
	known       []string  // those of names that a message about an unknown name lists
	isOtherName func(name string) bool
}

// maxExpression is the length of the longest expression that is read at each keystroke.
const maxExpression = 4 << 10

// faults returns the names in the expression that have no value. fault says why the text is no
// expression; it is nil if it is one, or is too long to be looked at.
func (x toolExpression) faults() (unknown []string, fault error) {
	if len(x.source) > maxExpression {
		return nil, nil
	}
	names := slices.Clone(x.names)
	for len(unknown) < maxFindings {
		err := expression.Check(x.source, names...)
		u, ok := errors.AsType[*expression.UnknownNameError](err)
		if !ok {
			return unknown, err
		}
		names = append(names, u.Name)
		if !x.isOtherName(u.Name) {
			unknown = append(unknown, u.Name)
		}
		if x.isFunction(u.Name) { // no variable makes one of it
			break
		}
	}
	return unknown, nil
}

// faultPlace matches the place of a fault, which the evaluator gives for its own spelling of the
// expression.
var faultPlace = lazyregexp.New(` \(\d+:\d+\)$`)

// reportUnreadable reports text that is no expression.
func (x toolExpression) reportUnreadable(out *findings) {
	if _, err := x.faults(); err != nil {
		out.err(x.span, "`%s` is no expression: %s.", x.property, faultPlace.ReplaceAllString(err.Error(), ""))
	}
}

// reportUnknown reports names without a meaning.
func (x toolExpression) reportUnknown(out *findings) {
	names, _ := x.faults()
	for _, name := range names {
		near, otherwise := model.Nearest(name, x.names), "it knows "+allOf(x.known)+"."
		if x.isFunction(name) {
			near, otherwise = model.NearFunction(name), "there is no such function."
		}
		if near != "" {
			otherwise = "did you mean `" + near + "`?"
		}
		at := x.spanOf(name)
		d := out.warn(at, "`%s` names `%s`, which is nothing there; %s", x.property, name, otherwise)
		if near != "" {
			d.Fixes = append(d.Fixes, model.ReplaceFix("Change to `"+near+"`", at, near))
		}
	}
}

// spanOf returns the span of a name in the expression.
func (x toolExpression) spanOf(name string) text.Span {
	m := regexp.MustCompile(`(?:^|[^.\w])(` + regexp.QuoteMeta(name) + `)\b`).FindStringSubmatchIndex(x.written)
	if m == nil {
		return x.span
	}
	return text.Span{Start: m[2], End: m[3]}.Shift(x.span.Start)
}

func (x toolExpression) isFunction(name string) bool {
	return regexp.MustCompile(`(?:^|[^.\w])` + regexp.QuoteMeta(name) + `\s*\(`).MatchString(x.source)
}

// toolExpressionsIn returns the expressions in `verify` and `revert` of a tool.
func toolExpressionsIn(t *model.ToolDecl) iter.Seq[toolExpression] {
	return func(yield func(toolExpression) bool) {
		for _, p := range t.Properties() {
			if p.Field == nil || !p.Field.Step {
				continue
			}
			for _, q := range append([]model.Property{p}, expressionsBelow(p)...) {
				n := q.Value
				if !mayBeExpression(n) {
					continue
				}
				x := newToolExpression(t, p.Name(), q.Name())
				x.source, x.written, x.span = n.UnquotedText(), n.Text(), firstLine(n)
				if !yield(x) {
					return
				}
			}
		}
	}
}

// mayBeExpression reports whether a value can be an expression. One that is not closed is reported
// as a syntax error.
func mayBeExpression(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.String, syntax.Expression, syntax.PipeBlock:
		return true
	case syntax.Text:
		return !opensString(n.Text()) && !opensBracket(n.Text(), true)
	}
	return false
}

// expressionsBelow returns the properties of `verify` or `revert` that are expressions.
func expressionsBelow(step model.Property) []model.Property {
	var found []model.Property
	for _, p := range step.Properties() {
		switch {
		case p.Field == nil:
		case p.Name() == "args":
			found = append(found, p.Properties()...)
		case p.Name() == "expect":
			found = append(found, p)
		}
	}
	return found
}

// newToolExpression returns an expression without its text, with the names that it may use. One
// that verifies sees what expressions before the call see; the others see only the finished run.
func newToolExpression(t *model.ToolDecl, step, of string) toolExpression {
	x := toolExpression{property: of, names: namesOfRun, known: namesOfRun, isOtherName: func(string) bool { return false }}
	if step == "verify" && (of == step || of == "expect") {
		x.names = slices.Concat(namesOfRun, t.ParamNames(), []string{"input", "session", "env", "config"})
		x.isOtherName = func(name string) bool { return !hasParams(t) || t.SetsName(name) }
	}
	return x
}

// allOf lists two names or more.
func allOf(names []string) string {
	last := len(names) - 1
	return "`" + strings.Join(names[:last], "`, `") + "` and `" + names[last] + "`"
}
