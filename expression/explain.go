package expression

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
)

// Explain says why a condition is false: it names the part that does not hold and the value that was
// compared, such as "`value.tier` is "silver", not "gold"". It returns "" if it finds no reason, as
// for a condition that is true.
func Explain(ctx context.Context, source string, variables map[string]any) string {
	tree, err := parser.Parse(rewriteOperators(strings.TrimSpace(source)))
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, explainTimeout)
	defer cancel()
	ctx = WithTime(ctx, presentTime(ctx, time.Now())) // the same for all parts
	e := explainer{ctx, unwrapOwned(variables)}
	if holds, ok := e.evaluate(tree.Node).(bool); holds || !ok {
		return ""
	}
	why := e.explain(tree.Node)
	if ctx.Err() != nil {
		return "" // parts of it were not evaluated
	}
	return why
}

// explainTimeout bounds how long an explanation may take: each part of a long condition is
// evaluated over the whole value.
const explainTimeout = 2 * time.Second

// explainer evaluates the parts of a condition.
type explainer struct {
	ctx       context.Context
	variables map[string]any
}

// evaluate returns the value of a part; nil if it has none.
func (e explainer) evaluate(part ast.Node) any {
	if e.ctx.Err() != nil {
		return nil
	}
	v, err := evalAny(e.ctx, part.String(), e.variables)
	if err != nil {
		return nil
	}
	return v
}

// explain says why a part is false.
func (e explainer) explain(part ast.Node) string {
	switch n := part.(type) {
	case *ast.BinaryNode:
		switch n.Operator {
		case "and", "&&":
			return e.explainAnd(n)
		case "or", "||":
			return e.explainOr(n)
		}
		if c, ok := comparisons[n.Operator]; ok {
			return e.explainComparison(n, c)
		}
	case *ast.UnaryNode:
		if n.Operator == "not" || n.Operator == "!" {
			return e.explainNegation(n.Node)
		}
	case *ast.BuiltinNode:
		if (n.Name == "all" || n.Name == "none") && len(n.Arguments) == 2 {
			return e.explainElements(n)
		}
	}
	return e.explainValue(part)
}

// explainAnd explains the first part that is not true.
func (e explainer) explainAnd(n *ast.BinaryNode) string {
	parts := operands(n)
	for _, part := range parts[:len(parts)-1] {
		if holds, _ := e.evaluate(part).(bool); !holds {
			return e.explain(part)
		}
	}
	return e.explain(parts[len(parts)-1])
}

// maxAlternatives is the most parts of an OR that are explained.
const maxAlternatives = 3

func (e explainer) explainOr(n *ast.BinaryNode) string {
	parts := operands(n)
	var texts []string
	for _, part := range parts[:min(len(parts), maxAlternatives)] {
		texts = append(texts, e.explain(part))
	}
	if len(parts) > maxAlternatives {
		texts = append(texts, "so on")
	}
	return strings.Join(texts, ", and ")
}

// operands returns the parts that an operator joins, also if there are more than two.
func operands(n *ast.BinaryNode) []ast.Node {
	var right []ast.Node
	for {
		right = append(right, n.Right)
		left, ok := n.Left.(*ast.BinaryNode)
		if !ok || left.Operator != n.Operator {
			right = append(right, n.Left)
			slices.Reverse(right)
			return right
		}
		n = left
	}
}

// explainNegation says why a part that is true should be false.
func (e explainer) explainNegation(part ast.Node) string {
	if n, ok := part.(*ast.BinaryNode); ok {
		if c, ok := comparisons[n.Operator]; ok {
			return e.explainComparison(n, comparison{failure: c.negated, mirrored: n.Operator})
		}
	}
	return e.explainValue(part)
}

// explainValue says what a part is. For a call it also says what its argument is.
func (e explainer) explainValue(part ast.Node) string {
	text := e.subject(part) + " is " + e.shown(part)
	call, ok := part.(*ast.CallNode)
	if !ok || len(call.Arguments) == 0 || isConstant(call.Arguments[0]) {
		return text
	}
	return text + ": " + e.subject(call.Arguments[0]) + " is " + e.shown(call.Arguments[0])
}

// comparison has the words for an operator that does not hold.
type comparison struct {
	failure  string // what follows the left value; %s is the right one
	negated  string // the same if the operator holds and should not
	mirrored string // the operator with its sides exchanged; "": there is none
}

// comparisons are the operators that compare two values.
var comparisons = map[string]comparison{
	"==":         {", not %s", ", and should be something else than %s", "=="},
	"!=":         {", and should be something else than %s", ", not %s", "!="},
	"<":          {", not less than %s", ", not %s or more", ">"},
	"<=":         {", not %s or less", ", not more than %s", ">="},
	">":          {", not more than %s", ", not %s or less", "<"},
	">=":         {", not %s or more", ", not less than %s", "<="},
	"in":         {", not one of %s", ", which is one of %s", ""},
	"contains":   {", which does not contain %s", ", which contains %s", ""},
	"matches":    {", which does not match %s", ", which matches %s", ""},
	"startsWith": {", which does not begin with %s", ", which begins with %s", ""},
	"endsWith":   {", which does not end with %s", ", which ends with %s", ""},
}

func (e explainer) explainComparison(n *ast.BinaryNode, c comparison) string {
	left, right := n.Left, n.Right
	if isConstant(left) && !isConstant(right) {
		mirrored, ok := comparisons[c.mirrored]
		if !ok {
			return e.explainValue(n)
		}
		left, right = right, left
		c = mirrored
	}
	if n.Operator == "==" {
		if text := difference(left.String(), e.evaluate(left), e.evaluate(right)); text != "" {
			return text
		}
	}
	other := e.shown(right)
	switch {
	case isNull(right) && n.Operator == "!=":
		return e.subject(left) + " is " + e.shown(left)
	case !isConstant(right):
		other = e.subject(right) + " (" + other + ")"
	}
	return e.subject(left) + " is " + e.shown(left) + fmt.Sprintf(c.failure, other)
}

// explainElements explains the first element of a list for which the condition of all does not hold,
// or that of none holds.
func (e explainer) explainElements(n *ast.BuiltinNode) string {
	list, predicate := n.Arguments[0], n.Arguments[1]
	condition := predicate.String()
	if n.Name == "all" {
		condition = "not (" + condition + ")"
	}
	v, err := Eval(e.ctx, "findIndex("+list.String()+", {"+condition+"})", e.variables)
	i, ok := v.(int)
	p, isPredicate := predicate.(*ast.PredicateNode)
	if err != nil || !ok || !isPredicate {
		return e.explainValue(n)
	}
	element := &ast.MemberNode{Node: list, Property: &ast.IntegerNode{Value: i}}
	if !replacePointers(&p.Node, element) {
		return e.explainValue(n) + ": " + e.subject(element) + " is " + e.shown(element)
	}
	if n.Name == "all" {
		return e.explain(p.Node)
	}
	return e.explainNegation(p.Node)
}

// replacePointers replaces the element of a condition (`#`) by another node. It returns false if the
// condition has elements of another list.
func replacePointers(condition *ast.Node, element ast.Node) bool {
	finder := &predicateFinder{}
	ast.Walk(condition, finder)
	if finder.found {
		return false
	}
	ast.Walk(condition, pointerReplacer{element})
	return true
}

type predicateFinder struct{ found bool }

// Visit looks at one node.
func (f *predicateFinder) Visit(node *ast.Node) {
	if _, ok := (*node).(*ast.PredicateNode); ok {
		f.found = true
	}
}

type pointerReplacer struct{ element ast.Node }

// Visit replaces one node.
func (r pointerReplacer) Visit(node *ast.Node) {
	if p, ok := (*node).(*ast.PointerNode); ok && p.Name == "" {
		*node = r.element
	}
}

// subject returns the text of a part as the subject of a sentence.
func (e explainer) subject(part ast.Node) string { return "`" + cutText(part.String()) + "`" }

// shown returns the value of a part for a sentence.
func (e explainer) shown(part ast.Node) string {
	v := e.evaluate(part)
	text := strings.ReplaceAll(part.String(), "?.", ".")
	if v == nil && !isConstant(part) && pathForm.MatchString(text) {
		if _, ok := Path(e.variables, text); !ok {
			return "missing"
		}
	}
	return showValue(v)
}

// isNull reports whether a part is null, which has several names.
func isNull(part ast.Node) bool { return literalWords[strings.ToUpper(part.String())] == "null" }

// isConstant reports whether a part has the same value for all variables.
func isConstant(part ast.Node) bool {
	switch n := part.(type) {
	case *ast.NilNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.StringNode, *ast.ConstantNode:
		return true
	case *ast.IdentifierNode:
		return isNull(n)
	case *ast.UnaryNode:
		return isConstant(n.Node)
	case *ast.ArrayNode:
		return !slices.ContainsFunc(n.Nodes, func(item ast.Node) bool { return !isConstant(item) })
	case *ast.MapNode:
		return !slices.ContainsFunc(n.Pairs, func(pair ast.Node) bool { return !isConstant(pair.(*ast.PairNode).Value) })
	}
	return false
}

// difference names the first place where two objects or two lists differ. It returns "" for other
// values, and if there is none.
func difference(path string, got, want any) string {
	switch want := want.(type) {
	case map[string]any:
		if got, ok := got.(map[string]any); ok {
			return objectDifference(path, got, want)
		}
	case []any:
		if got, ok := got.([]any); ok {
			return listDifference(path, got, want)
		}
	}
	return ""
}

func objectDifference(path string, got, want map[string]any) string {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		at := MemberPath(path, name)
		v, ok := got[name]
		if !ok {
			return "`" + at + "` is missing, not " + showValue(want[name])
		}
		if text := valueDifference(at, v, want[name]); text != "" {
			return text
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok {
			return "`" + MemberPath(path, name) + "` is " + showValue(got[name]) + ", and should be missing"
		}
	}
	return ""
}

func listDifference(path string, got, want []any) string {
	if len(got) != len(want) {
		return fmt.Sprintf("`len(%s)` is %d, not %d", path, len(got), len(want))
	}
	for i := range want {
		if text := valueDifference(path+"["+strconv.Itoa(i)+"]", got[i], want[i]); text != "" {
			return text
		}
	}
	return ""
}

func valueDifference(path string, got, want any) string {
	if equal(toNative(got), toNative(want)) {
		return ""
	}
	if text := difference(path, got, want); text != "" {
		return text
	}
	return "`" + path + "` is " + showValue(got) + ", not " + showValue(want)
}

// MemberPath returns the expression for a member of what path leads to.
func MemberPath(path, name string) string {
	if pathForm.MatchString(name) && !strings.ContainsAny(name, ".[") {
		return path + "." + name
	}
	return path + "[" + strconv.Quote(name) + "]"
}

// showValue returns a value as JSON on one line, shortened.
func showValue(v any) string {
	if f, ok := v.(float64); ok && checkFinite(f) != nil {
		return showInfinite(f)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(v) != nil {
		return fmt.Sprint(v)
	}
	return cutText(strings.TrimSpace(out.String()))
}

// showInfinite returns the words for a number that JSON cannot hold.
func showInfinite(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "infinite"
	case math.IsInf(f, -1):
		return "minus infinity"
	}
	return "NaN"
}

// maxShown is the number of characters of a value or a part that an explanation shows.
const maxShown = 120

// cutText shortens a text and puts it on one line.
func cutText(text string) string {
	text = strings.Join(strings.Fields(text[:min(len(text), utf8.UTFMax*maxShown)]), " ")
	runes := []rune(strings.ToValidUTF8(text, ""))
	if len(runes) <= maxShown {
		return string(runes)
	}
	return string(runes[:maxShown-1]) + "…"
}
