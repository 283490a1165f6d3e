package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// invalidSignature: a line directly under TOOLS whose first `(` comes before its first `:` is a
// signature, `name(name: type = default) -> type`. One that is malformed is an error, reported
// once, at the first place that does not fit. A missing arrow is a warning only.
var invalidSignature = Check{
	Code: "invalid-signature",
	Form: true,
	Entry: func(out *findings, e Entry) {
		if !e.InTools() {
			return
		}
		for n := range toolLines(e.Root) {
			switch {
			case n.Kind() == syntax.Tool:
				checkSignature(out, n)
			case looksLikeSignature(n):
				out.err(firstLine(n), "This is no tool's signature: write `name(parameter: type) -> type`.")
			}
		}
	},
}

func checkSignature(out *findings, t syntax.Node) {
	if at, ok := unclosedSignature(t); ok {
		closeBracket(out.err(at, "The bracket is not closed."), t)
		return
	}
	if f, ok := signatureFault(t); ok {
		closeBracket(out.err(f.span, "%s", f.message), t)
		return
	}
	if t.ChildOf(syntax.Arrow).IsZero() && !t.Child(syntax.FieldParameters).IsZero() {
		d := out.warn(t.Child(syntax.FieldName).Span(), "The result of `%s` is not declared; write `-> type` behind its parameters.", t.Child(syntax.FieldName).Text())
		end := t.Child(syntax.FieldParameters).Span().End
		d.Fixes = append(d.Fixes, model.ReplaceFix("Add `-> object`, as which it is read", text.Span{Start: end, End: end}, " -> object"))
	}
}

// closeBracket offers to close the brackets that are open at the end of a signature's first line:
// that of the parameters before the arrow, and any other at the end.
func closeBracket(d *model.Diagnostic, t syntax.Node) {
	line, _, _ := strings.Cut(t.Text(), "\n")
	line = strings.TrimRight(line, " \t\r")
	start, open := t.Span().Start, openBrackets(line)
	arrow := strings.LastIndex(line, "->")
	switch {
	case len(open) == 0 || strings.ContainsAny(line[len(line)-1:], "({[,") || strings.Count(line, `"`)%2 == 1:
	case line[open[0]] == '(' && arrow > open[0] && len(openBrackets(line[:arrow])) == 1 && len(open) == 1:
		at := start + len(strings.TrimRight(line[:arrow], " \t"))
		d.Fixes = append(d.Fixes, model.ParseFix("Close the bracket", text.Span{Start: at, End: at}, ")"))
	default:
		at := start + len(line)
		d.Fixes = append(d.Fixes, model.ParseFix("Close the bracket", text.Span{Start: at, End: at}, closingBrackets(t, line, open)))
	}
}

// closingBrackets returns the text that closes the open brackets of a signature's first line; with
// a return type if the signature has none.
func closingBrackets(t syntax.Node, line string, open []int) string {
	var s strings.Builder
	for _, i := range slices.Backward(open) {
		s.WriteByte(map[byte]byte{'(': ')', '{': '}', '[': ']'}[line[i]])
	}
	_, below, _ := strings.Cut(t.Text(), "\n")
	if !strings.Contains(line, "->") && !strings.HasPrefix(strings.TrimSpace(below), "->") {
		s.WriteString(" -> object")
	}
	return s.String()
}

// openBrackets returns the indices of the brackets of a line that are not closed.
func openBrackets(line string) []int {
	var open []int
	for i, c := range line {
		switch c {
		case '(', '{', '[':
			open = append(open, i)
		case ')', '}', ']':
			open = open[:max(0, len(open)-1)]
		}
	}
	return open
}

// unclosedSignature finds the bracket of a signature that swallows the lines below, though nothing
// on its line shows that it goes on.
func unclosedSignature(t syntax.Node) (at text.Span, ok bool) {
	line, more, _ := strings.Cut(t.Text(), "\n")
	line = strings.TrimRight(line, " \t\r")
	fault, broken := signatureFault(t)
	isBelow := fault.span.Start >= t.Span().Start+len(line)
	if more == "" || line == "" || !broken || !isBelow {
		return at, false
	}
	open := openBrackets(line)
	if len(open) == 0 || strings.ContainsAny(line[len(line)-1:], "({[,") {
		return at, false
	}
	start := t.Span().Start + open[len(open)-1]
	return text.Span{Start: start, End: start + 1}, true
}

// looksLikeSignature reports whether a line is meant as a signature without being read as one.
func looksLikeSignature(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.Scalar, syntax.ListItem, syntax.Assignment, syntax.Mapping:
		line, _, _ := strings.Cut(n.Text(), "\n")
		i := strings.IndexAny(line, "(:")
		return i >= 0 && line[i] == '(' && !isPlatformComment(n)
	}
	return false
}

// hasCompleteSignature reports whether all parameters of a tool can be known.
func hasCompleteSignature(t *model.ToolDecl) bool {
	_, broken := signatureFault(t.Node)
	return !broken
}

type signatureError struct {
	span    text.Span
	message string
}

// signatureFault returns the first fault of the signature of the tool t. broken is false if there
// is none.
func signatureFault(t syntax.Node) (f signatureError, broken bool) {
	fault := func(n syntax.Node, message string) (signatureError, bool) {
		return signatureError{n.Span(), message}, true
	}
	name, params := t.Child(syntax.FieldName), t.Child(syntax.FieldParameters)
	if !model.IsToolName(name.Text()) {
		return fault(name, "`"+name.Text()+"` cannot be a tool's name: letters, digits and `_` only, beginning with a letter.")
	}
	if params.IsZero() { // the block says them
		return signatureError{}, false
	}
	if f, broken := paramsFault(params); broken {
		return f, true
	}
	for c := range t.Children() {
		switch c.Kind() {
		case syntax.Arrow:
			if t.Child(syntax.FieldReturns).IsZero() {
				return fault(c, "The type of the result is missing behind `->`.")
			}
		case syntax.Invalid:
			if strings.HasPrefix(c.Text(), "=>") {
				return fault(c, "`=>` is no arrow of a signature; write `->`.")
			}
			return fault(c, "`"+c.Text()+"` fits nowhere in a signature.")
		}
	}
	return typeFault(t.Child(syntax.FieldReturns))
}

func paramsFault(params syntax.Node) (f signatureError, broken bool) {
	if !strings.HasSuffix(params.Text(), ")") {
		return signatureError{firstLine(params), "The `(` is not closed."}, true
	}
	if gap, ok := emptySlot(params); ok {
		return signatureError{gap, "A parameter is missing between the commas."}, true
	}
	for p := range params.Children() {
		if p.Kind() != syntax.Parameter {
			continue
		}
		if f, broken := paramFault(p); broken {
			return f, true
		}
	}
	return signatureError{}, false
}

func paramFault(p syntax.Node) (f signatureError, broken bool) {
	name, typ, def := p.Child(syntax.FieldName), p.Child(syntax.FieldType), p.Child(syntax.FieldDefault)
	if bad := p.ChildOf(syntax.Invalid); !bad.IsZero() && (name.IsZero() || typ.IsZero()) {
		return signatureError{p.Span(), "`" + p.Text() + "` is no parameter: write `name: type`, a name of letters, digits and `_`."}, true
	} else if !bad.IsZero() {
		return signatureError{bad.Span(), "`" + bad.Text() + "` does not fit behind a parameter's type."}, true
	}
	if typ.IsZero() {
		return signatureError{name.Span(), "The parameter `" + name.Text() + "` has no type; write `" + name.Text() + ": string`."}, true
	}
	if f, broken := typeFault(typ); broken {
		return f, true
	}
	equals := p.ChildOf(syntax.Equals)
	switch {
	case !equals.IsZero() && def.IsZero():
		return signatureError{equals.Span(), "The default of `" + name.Text() + "` is missing behind `=`."}, true
	case def.Kind() == syntax.Text && (opensString(def.Text()) || opensBracket(def.Text(), true)):
		return signatureError{firstLine(def), "The default of `" + name.Text() + "` is not closed."}, true
	}
	return signatureError{}, false
}

// typeFault returns the first fault of the type t, which may be the zero Node. broken is false if
// there is none.
func typeFault(t syntax.Node) (f signatureError, broken bool) {
	for n := range t.Preorder() {
		last := ""
		switch n.Kind() {
		case syntax.Invalid:
			// The words of an enum may be of any form.
			if n.Parent().Kind() != syntax.TypeList {
				return signatureError{n.Span(), "`" + n.Text() + "` does not fit in a type."}, true
			}
		case syntax.ObjectType:
			last = "}"
		case syntax.GenericType:
			last = ">"
		case syntax.TypeList:
			last = "]"
		case syntax.TypeField:
			name := n.Child(syntax.FieldName)
			if n.Child(syntax.FieldType).IsZero() && n.ChildOf(syntax.Invalid).IsZero() {
				return signatureError{name.Span(), "The field `" + name.Text() + "` has no type; write `" + name.Text() + ": string`."}, true
			}
		}
		if last == "" {
			continue
		}
		if !strings.HasSuffix(n.Text(), last) {
			return signatureError{firstLine(n), "A closing `" + last + "` is missing."}, true
		}
		if gap, ok := emptySlot(n); ok {
			return signatureError{gap, "Something is missing between the commas."}, true
		}
	}
	return signatureError{}, false
}

// emptySlot finds two commas, or an opening bracket and a comma, with nothing between them. A comma
// after the last element does no harm.
func emptySlot(n syntax.Node) (text.Span, bool) {
	source, start := n.Text(), n.Span().Start
	free := true // a comma here would follow nothing
	at := 0
	scan := func(to int) (int, bool) {
		for i := at; i < to; i++ {
			if source[i] != ',' {
				continue
			}
			if free {
				return i, true
			}
			free = true
		}
		return 0, false
	}
	for c := range n.Children() {
		if i, ok := scan(c.Span().Start - start); ok {
			return text.Span{Start: start + i, End: start + i + 1}, true
		}
		at = c.Span().End - start
		if c.Kind() != syntax.Comment && c.Kind() < syntax.Colon {
			free = false
		}
	}
	i, ok := scan(len(source))
	return text.Span{Start: start + i, End: start + i + 1}, ok
}
