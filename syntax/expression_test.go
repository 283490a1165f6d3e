package syntax

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// writer writes a random expression and the tree that it must become.
type writer struct{ *rand.Rand }

func (w writer) one(from ...string) string { return from[w.IntN(len(from))] }

func (w writer) expression(depth int) (source, tree string) {
	if depth == 0 {
		return w.leaf()
	}
	switch w.IntN(10) {
	case 0, 1:
		operators := []string{
			"+", "-", "*", "/", "%", "==", "!=", "<", ">=", "&&", "||", " AND ", " or ", " IN ", " NOT IN ", " not  in ", " contains ",
			" matches ", " startsWith ", " ENDSWITH ", " IMPLIES ",
		}
		a, left := w.nested(depth)
		b, right := w.nested(depth)
		op := w.one(operators...)
		return a + " " + op + " " + b, fmt.Sprintf("(binary_expression %s %q %s)", left, strings.TrimSpace(op), right)
	case 2:
		a, operand := w.nested(depth)
		op := w.one("!", "NOT ", "- ", "not ", "EXISTS ", "empty ")
		return op + a, fmt.Sprintf("(unary_expression %q %s)", strings.TrimSpace(op), operand)
	case 3:
		a, operand := w.nested(depth)
		op := w.one("IS SET", "is not set", "is_number", "IS_STRING")
		return a + " " + op, fmt.Sprintf("(is_expression %s %q)", operand, op)
	case 4:
		a, condition := w.nested(depth)
		b, yes := w.expression(depth - 1)
		c, no := w.expression(depth - 1)
		return a + " ? " + b + " : " + c, fmt.Sprintf("(conditional_expression %s %s %s)", condition, yes, no)
	case 5:
		source, tree := w.elements(depth, ", ")
		return "f(" + source + ")", "(call_expression path (arguments" + tree + "))"
	case 6:
		a, value := w.expression(depth - 1)
		return "a.f(b = " + a + ", c)", "(call_expression path (arguments (named_argument identifier " + value + ") path))"
	case 7:
		source, tree := w.elements(depth, " ,")
		return "[" + source + "]", "(list_expression" + tree + ")"
	case 8:
		a, left := w.nested(depth)
		op := w.one("matches", "NOT MATCHES")
		return a + " " + op + " " + w.one("/^a[/]b\\/$/", "/, )/i", "/# x/"), fmt.Sprintf("(binary_expression %s %q regex)", left, op)
	default:
		a, value := w.expression(depth - 1)
		return `{a: 1, "b c" : ` + a + "}", "(object_expression (object_pair key number) (object_pair key " + value + "))"
	}
}

func (w writer) nested(depth int) (source, tree string) {
	source, tree = w.expression(depth - 1)
	return "(" + source + ")", "(parenthesized_expression " + tree + ")"
}

func (w writer) elements(depth int, between string) (source, tree string) {
	var sources []string
	for range w.IntN(4) {
		s, t := w.expression(depth - 1)
		sources = append(sources, s)
		tree += " " + t
	}
	return strings.Join(sources, between), tree
}

func (w writer) leaf() (source, tree string) {
	switch w.IntN(6) {
	case 0:
		return w.one("1", "-2", "3.25"), "number"
	case 1:
		return w.one(`"a b"`, `'c, ] d'`, `"e \" f"`, `""`), "string"
	case 2:
		return w.one("true", "False", "always"), "boolean"
	case 3:
		return w.one("null", "undefined"), "null"
	default:
		return w.one("a", "a.b", "a[0].b[12]", "in_.x", "android", "nothing", "trueish", "contains", "is", "exists", "EMPTY", "empty.x", "@index", "_x1"), "path"
	}
}

func shape(n Node) string {
	var parts []string
	for c := range n.Children() {
		switch {
		case c.Kind() == Operator:
			parts = append(parts, fmt.Sprintf("%q", c.Text()))
		case c.Kind() < Colon:
			parts = append(parts, shape(c))
		}
	}
	if len(parts) == 0 && n.Kind() != Arguments && n.Kind() != ListExpression {
		return n.Kind().String()
	}
	return "(" + strings.Join(append([]string{n.Kind().String()}, parts...), " ") + ")"
}

// checkExpression checks that the scanner and the grammar agree on what is an
// expression, and that the tree is the expected one.
func checkExpression(t *testing.T, seed uint64) {
	t.Helper()
	w := writer{rand.New(rand.NewPCG(seed, 0))}
	source, tree := w.expression(1 + w.IntN(4))
	want := "(expression " + tree + ")"
	for _, line := range []string{"x = %s", "SET: x = %s # note", "- REQUIRE %s BEFORE calling y", "- IF %s: y", "a: b {{%s}} c", "a: |\n    {{ %s }}"} {
		d := Parse("A:\n  " + fmt.Sprintf(line, source) + "\n")
		found := false
		for n := range d.Sections()[0].Entries[0].Root().Preorder() {
			found = found || n.Kind() == Expression && shape(n) == want
		}
		// Alone it needs no wrapper; after IF a colon ends it, and in a
		// placeholder }} does.
		literal := !strings.HasPrefix(tree, "(") && tree != "path"
		early := strings.HasPrefix(line, "- IF") && strings.Contains(tree, "conditional") || strings.Contains(line, "{{") && strings.Contains(source, "}}")
		if !found && !literal && !early {
			t.Fatalf("%q in %q: want %s\n%s", source, line, want, Dump(d))
		}
	}
}

func TestExpressions(t *testing.T) {
	for seed := range uint64(2000) {
		checkExpression(t, seed)
	}
}

func FuzzExpression(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { checkExpression(t, seed) })
}
