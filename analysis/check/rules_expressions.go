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

// spoken is an expression of a tool, which is read here as a run will read it.
type spoken struct {
	of     string    // the property that it stands in
	source string    // as it is evaluated
	raw    string    // as it is written
	at     text.Span // where that is
	names  []string  // that it may use
	known  []string  // of them, which is told to whom others mean nothing
	more   func(name string) bool
}

// maxSpoken is how long an expression may be that is read at each keystroke.
const maxSpoken = 4 << 10

// faults are the names that nothing gives a value, and why it is no expression at all.
func (x spoken) faults() (unknown []string, fault error) {
	if len(x.source) > maxSpoken {
		return nil, nil
	}
	names := slices.Clone(x.names)
	for len(unknown) < enough {
		err := expression.Check(x.source, names...)
		u, ok := errors.AsType[*expression.Unknown](err)
		if !ok {
			return unknown, err
		}
		names = append(names, u.Name)
		if !x.more(u.Name) {
			unknown = append(unknown, u.Name)
		}
		if x.isFunction(u.Name) { // no variable makes one of it
			break
		}
	}
	return unknown, nil
}

// place is where the evaluator saw a fault, in its own way of writing an expression.
var place = lazyregexp.New(` \(\d+:\d+\)$`)

// unreadable reports an expression that is none.
func (x spoken) unreadable(out *findings) {
	if _, err := x.faults(); err != nil {
		out.err(x.at, "`%s` is no expression: %s.", x.of, place.ReplaceAllString(err.Error(), ""))
	}
}

// unknown reports names that mean nothing.
func (x spoken) unknown(out *findings) {
	names, _ := x.faults()
	for _, name := range names {
		near, otherwise := model.Nearest(name, x.names), "it knows "+allOf(x.known)+"."
		if x.isFunction(name) {
			near, otherwise = model.NearFunction(name), "there is no such function."
		}
		if near != "" {
			otherwise = "did you mean `" + near + "`?"
		}
		at := x.find(name)
		d := out.warn(at, "`%s` names `%s`, which is nothing there; %s", x.of, name, otherwise)
		if near != "" {
			d.Fixes = append(d.Fixes, model.ReplaceFix("Change to `"+near+"`", at, near))
		}
	}
}

// find is where a name stands in the expression.
func (x spoken) find(name string) text.Span {
	m := regexp.MustCompile(`(?:^|[^.\w])(` + regexp.QuoteMeta(name) + `)\b`).FindStringSubmatchIndex(x.raw)
	if m == nil {
		return x.at
	}
	return text.Span{Start: m[2], End: m[3]}.Shift(x.at.Start)
}

func (x spoken) isFunction(name string) bool {
	return regexp.MustCompile(`(?:^|[^.\w])` + regexp.QuoteMeta(name) + `\s*\(`).MatchString(x.source)
}

// spokenIn are the expressions that check and undo the runs of a tool.
func spokenIn(t *model.ToolDecl) iter.Seq[spoken] {
	return func(yield func(spoken) bool) {
		for _, p := range t.Properties() {
			if p.Field == nil || !p.Field.Step {
				continue
			}
			for _, q := range append([]model.Property{p}, expressionsBelow(p)...) {
				n := q.Value
				if !isSpoken(n) {
					continue
				}
				x := over(t, p.Name(), q.Name())
				x.source, x.raw, x.at = n.Plain(), n.Text(), firstLine(n)
				if !yield(x) {
					return
				}
			}
		}
	}
}

// isSpoken reports whether a value can be an expression. What is not closed is a syntax
// error already.
func isSpoken(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.String, syntax.Expression, syntax.PipeBlock:
		return true
	case syntax.Text:
		return !opensString(n.Text()) && !opensBracket(n.Text(), true)
	}
	return false
}

// expressionsBelow are those of a binding that checks or undoes.
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

// over is an expression without its text: what it may name. One that checks sees what
// expressions before the call see; the others only the run that is over.
func over(t *model.ToolDecl, step, of string) spoken {
	x := spoken{of: of, names: ofRun, known: ofRun, more: func(string) bool { return false }}
	if step == "verify" && (of == step || of == "expect") {
		x.names = slices.Concat(ofRun, t.ParamNames(), []string{"input", "session", "env", "config"})
		x.more = func(name string) bool { return !hasParams(t) || t.SetsName(name) }
	}
	return x
}

// allOf lists two names or more.
func allOf(names []string) string {
	last := len(names) - 1
	return "`" + strings.Join(names[:last], "`, `") + "` and `" + names[last] + "`"
}
