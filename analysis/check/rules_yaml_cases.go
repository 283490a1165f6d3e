package check

import (
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// casesOfTools: the tested file has the tool of each saved case.
func casesOfTools(out *findings, f File) {
	if !model.IsCases(f.Path) {
		return
	}
	if model.CasesWithoutTestedFile(f.Workspace, f.Path) {
		lostCases(out, f)
		return
	}
	scope := model.TestedScope(f.Workspace, f.Path)
	if !scope.Complete {
		return
	}
	known, names, tools := scope.CallIndex(), scope.Names(), model.TestedToolsOf(f.Workspace, f.Path)
	for _, m := range f.YAML.Root().OwnMembers() {
		name := m.Key.Text
		if _, ok := known[name]; ok || isAuthorKey(m) || len(*out) >= maxFindings || f.halfDeclared(name) {
			continue
		}
		if _, _, ok := tools.Tool(name); ok { // of a version
			continue
		}
		if called := scope.Ambiguous(name); called != nil {
			out.addAmbiguous(m.Key.TextSpan(), name, called)
			continue
		}
		d := out.warn(m.Key.Span, "The file beside has no tool `%s`; %s", name,
			model.DidYouMean(name, names, "cases are saved by the name of the tool."))
		offerNear(d, m.Key.TextSpan(), name, names)
	}
}

// lostCases: the tested file of saved cases exists.
func lostCases(out *findings, f File) {
	name, _, _ := strings.Cut(filepath.Base(f.Path), ".")
	for _, m := range f.YAML.Root().OwnMembers() {
		if !isAuthorKey(m) && !mayBeUnfinished(m) && len(*out) < maxFindings {
			out.warn(m.Key.Span, "No file beside has a tool `%s`: cases stand beside the file of their tools, such as `%s.tools.abl`.", m.Key.Text, name)
		}
	}
}

// isAuthorKey reports whether a key is an auxiliary one of the author's.
func isAuthorKey(m yaml.Member) bool {
	return strings.HasPrefix(m.Key.Text, "x-") || m.Value.Anchor != "" || !m.Key.IsScalar()
}

// halfDeclared reports whether an incomplete declaration in the tested file may be meant to declare
// the tool.
func (f File) halfDeclared(name string) bool {
	for _, path := range model.PathsTestedBy(f.Workspace, f.Path) {
		if u := (toolLookup{File: File{f.Workspace.File(path), f.Workspace, f.run}}); u.mayBeHalfDeclared(name) {
			return true
		}
	}
	return false
}

// caseArguments: the arguments of a case fit the signature of its tool: each name is a parameter,
// and no value has another type.
func caseArguments(out *findings, f File) {
	if model.IsArguments(f.Path) {
		calledArguments(out, f)
	}
	if !model.IsCases(f.Path) {
		return
	}
	tools := model.TestedToolsOf(f.Workspace, f.Path)
	for _, m := range f.YAML.Root().OwnMembers() {
		_, t, ok := tools.Tool(m.Key.Text)
		if !ok || !hasCompleteSignature(t.ToolDecl) {
			continue
		}
		c := newCallee(t)
		for _, one := range m.Value.Items {
			if args := one.Get("args"); args != nil && args.Alias == "" {
				c.checkSavedCase(out, f, args)
			}
		}
	}
}

// calledArguments: the arguments of one call fit the signature of its tool, and no required one is
// left out.
func calledArguments(out *findings, f File) {
	t, ok := model.CalledTool(f.Workspace, f.Path)
	if !ok || !hasCompleteSignature(t.ToolDecl) {
		return
	}
	c, args := newCallee(t), f.YAML.Root()
	c.checkSavedCase(out, f, args)
	if args == nil || args.Kind != yaml.Map || !c.complete || hasSecretArguments(f, t) {
		return
	}
	for _, p := range c.inputs {
		if isRequired(p) && !t.SuppliesName(p.Name) && args.Get(p.Name) == nil && len(*out) < maxFindings {
			out.warn(headOf(f, args), "`%s` needs `%s`.", t.Name, p.Name)
		}
	}
}

// hasSecretArguments reports whether arguments of t may be secret, so that they are never in the
// document: a person is asked for them when the call is sent.
func hasSecretArguments(f File, t model.ScopedTool) bool {
	lowered := model.LowerTool(f.Workspace, f.Path, t).Tool
	schema := string(lowered.InlineInput())
	return strings.Contains(schema, "password") || strings.Contains(schema, "writeOnly")
}

// misplacedTexts returns the arguments of cases that are a text though their tool has parameters.
func misplacedTexts(f File) map[*yaml.Node]bool {
	if !model.IsCases(f.Path) {
		return nil
	}
	texts, tools := map[*yaml.Node]bool{}, model.TestedToolsOf(f.Workspace, f.Path)
	for _, m := range f.YAML.Root().OwnMembers() {
		_, t, ok := tools.Tool(m.Key.Text)
		if !ok || t.TakesText() {
			continue
		}
		for _, one := range m.Value.Items {
			if args := one.Get("args"); args != nil && args.Kind == yaml.String {
				texts[args] = true
			}
		}
	}
	return texts
}

// checkSavedCase looks at the arguments of one case.
func (t *callee) checkSavedCase(out *findings, f File, args *yaml.Node) {
	known := t.ArgumentNames()
	if t.TakesText() {
		known = append(known, model.FreeForm)
	}
	for _, a := range args.OwnMembers() {
		if len(*out) == maxFindings {
			return
		}
		name := a.Key.Text
		if i, ok := t.index[name]; ok {
			t.checkSavedValue(out, f, a.Value, name, t.inputs[i].Type)
			continue
		}
		head := placeholder.RootName(name)
		if _, ok := t.index[head]; ok || !t.complete || t.SuppliesName(head) || mayBeUnfinished(a) || t.TakesText() && name == model.FreeForm {
			continue
		}
		rest := "it takes no arguments."
		if len(known) > 0 {
			rest = "it takes " + shortList(known) + "."
		}
		d := out.warn(a.Key.Span, "`%s` has no parameter `%s`; %s", t.Name, name, model.DidYouMean(name, known, rest))
		offerKey(d, args, a, known)
	}
}

// mayBeUnfinished reports whether a key is still being typed: in brackets it may lack its colon.
func mayBeUnfinished(m yaml.Member) bool { return m.Key.Text == "" || m.Colon < 0 }

// kindsOf are the kinds of YAML values that fit a type. A text may be a placeholder, and a type
// that is not listed fits anything.
var kindsOf = map[string][]yaml.Kind{
	"number":  {yaml.Int, yaml.Float},
	"integer": {yaml.Int, yaml.Float},
	"int":     {yaml.Int, yaml.Float},
	"float":   {yaml.Int, yaml.Float},
	"boolean": {yaml.Bool},
	"bool":    {yaml.Bool},
	"string":  {yaml.String},
	"date":    {yaml.String},
	"array":   {yaml.List},
	"object":  {yaml.Map},
	"map":     {yaml.Map},
}

// checkSavedValue looks at a value and at what is in it. path is its place in the arguments.
func (t *callee) checkSavedValue(out *findings, f File, n *yaml.Node, path string, declared *tool.Type) {
	if declared == nil || len(declared.Union) > 0 || n.Kind == yaml.Null || strings.Contains(n.Text, "{{") || n.Alias != "" || n.Unclosed || len(*out) == maxFindings {
		return
	}
	kinds, known := kindsOf[declared.Name]
	words := declared.Enum
	if len(words) > 0 {
		kinds, known = kindsOf["string"], true
	}
	switch {
	case known && !slices.Contains(kinds, n.Kind):
		d := out.warn(n.Span, "`%s` of `%s` is of type `%s`, and this is %s.", path, t.Name, declared, n.Kind)
		if slices.Contains(kinds, yaml.String) && declared.Name != "date" && n.IsScalar() { // a run refuses it
			offerText(d, n, n.Text)
		}
	case len(words) > 0 && !slices.Contains(words, n.Text):
		d := out.warn(n.Span, "`%s` of `%s` cannot be %s; %s", path, t.Name, model.QuoteShort(n.Text), model.DidYouMean(n.Text, words, "it is one of "+shortList(words)+"."))
		if near := model.Nearest(n.Text, words); near != "" {
			offerText(d, n, near)
		}
	case n.Kind == yaml.List:
		for i, item := range n.Items {
			t.checkSavedValue(out, f, item, fmt.Sprintf("%s[%d]", path, i), declared.Elem)
		}
	case n.Kind == yaml.Map:
		t.checkSavedMembers(out, f, n, path, declared)
	}
}

// offerText offers to write a text, in quotes, as a value.
func offerText(d *model.Diagnostic, n *yaml.Node, text string) {
	quoted := projectfile.QuoteLike('"', text)
	d.Fixes = append(d.Fixes, model.ReplaceFix("Write `"+quoted+"`", n.Span, quoted))
}

// checkSavedMembers looks at the members of an object, which may have more than are declared, or of
// a map.
func (t *callee) checkSavedMembers(out *findings, f File, n *yaml.Node, path string, declared *tool.Type) {
	if declared.Name == "map" {
		for _, m := range n.OwnMembers() {
			t.checkSavedValue(out, f, m.Value, path+"."+m.Key.Text, declared.Elem)
		}
		return
	}
	for _, field := range declared.Fields {
		value := n.Get(field.Name)
		if value != nil {
			t.checkSavedValue(out, f, value, path+"."+field.Name, field.Type)
		} else if !field.Optional && !n.Incomplete && len(*out) < maxFindings {
			out.warn(headOf(f, n), "`%s` of `%s` needs `%s`.", path, t.Name, field.Name)
		}
	}
}

// caseExpressions returns the expressions of saved cases.
func caseExpressions(f File) iter.Seq[*yaml.Node] {
	return func(yield func(*yaml.Node) bool) {
		for v := range yamlValues(f) {
			if v.Field.Type == tool.Expr && v.Kind == yaml.String && !yield(v.Node) {
				return
			}
		}
	}
}

// openExpressions: an expression in a case closes its strings and brackets.
func openExpressions(out *findings, f File) {
	for n := range caseExpressions(f) {
		if what := unclosedPart(n.Text); what != "" {
			out.err(headOf(f, n), "A %s in the expression is not closed.", what)
		}
	}
}

// unreadableExpressions: the expected value of a case is an expression.
func unreadableExpressions(out *findings, f File) {
	for n := range caseExpressions(f) {
		if len(*out) < maxFindings && unclosedPart(n.Text) == "" {
			f.caseExpression(n).reportUnreadable(out)
		}
	}
}

// unknownExpected: that expression names only what a case knows of the result.
func unknownExpected(out *findings, f File) {
	for n := range caseExpressions(f) {
		if len(*out) < maxFindings {
			f.caseExpression(n).reportUnknown(out)
		}
	}
}

func (f File) caseExpression(n *yaml.Node) toolExpression {
	names := projectfile.ExpectNames()
	raw, _ := f.writtenText(n)
	return toolExpression{property: "value", source: n.Text, written: raw, span: n.TextSpan(), names: names, known: names, isOtherName: func(string) bool { return false }}
}

// unclosedPart returns what an expression opens and does not close, "" for nothing.
func unclosedPart(expression string) string {
	var open []byte
	for i := 0; i < len(expression); i++ {
		switch c := expression[i]; c {
		case '(', '[', '{':
			open = append(open, c)
		case ')', ']', '}':
			open = open[:max(len(open)-1, 0)]
		case '"', '\'', '`':
			end := closingQuote(expression[i+1:], c)
			if end < 0 {
				return "string"
			}
			i += end + 1
		}
	}
	if len(open) > 0 {
		return "bracket"
	}
	return ""
}

func closingQuote(s string, quote byte) int {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quote != '`':
			i++
		case s[i] == quote:
			return i
		}
	}
	return -1
}
