package expression

import (
	"strings"

	"github.com/expr-lang/expr/ast"
)

// Functions that a source cannot name, since they have a blank in front.
const (
	getFunction       = " get"  // a member, nil where there is none
	iterationFunction = " step" // a turn of a loop
	chargeFunction    = " bill" // what a function gave

	sortFunction       = " sort"   // keys, or pairs by their keys
	pairValuesFunction = " values" // the values of pairs, sorted by their keys
	clockFunction      = " clock"  // the present time
)

// operatorFunction returns the name of the function that computes an operator. A source cannot
// call it.
func operatorFunction(operator string) string { return " " + operator }

// patcher changes the syntax tree before an evaluation: members are looked up leniently, what may
// grow is charged to the budget, and names of functions are found in any case.
type patcher struct{}

// Visit changes one node. The nodes below it are changed already.
func (patcher) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.MemberNode:
		if !n.Method {
			ast.Patch(node, newCall(getFunction, n.Node, n.Property))
		}
	case *ast.ChainNode:
		ast.Patch(node, n.Node) // all members are looked up so
	case *ast.BinaryNode:
		patchOperator(node, n)
	case *ast.ArrayNode, *ast.MapNode:
		ast.Patch(node, newCall(chargeFunction, *node))
	case *ast.PredicateNode:
		n.Node = newCall(iterationFunction, n.Node)
	case *ast.BuiltinNode:
		if !loopFunctions[n.Name] {
			ast.Patch(node, newCall(chargeFunction, repeatable(n)))
		}
	case *ast.CallNode:
		patchCall(node, n)
	}
}

// repeatable returns a call that has the same result each time, for functions of expr-lang that give
// the members of an object in random order or read the clock.
func repeatable(n *ast.BuiltinNode) ast.Node {
	switch n.Name {
	case "keys", "toPairs":
		return newCall(sortFunction, n)
	case "values":
		return newCall(pairValuesFunction, &ast.BuiltinNode{Name: "toPairs", Arguments: n.Arguments})
	case "now":
		return newCall(clockFunction, n.Arguments...)
	}
	return n
}

// patchOperator replaces an operator that expr-lang does not compute by a call of its function.
func patchOperator(node *ast.Node, n *ast.BinaryNode) {
	if _, ok := computedOperators[n.Operator]; ok {
		ast.Patch(node, newCall(operatorFunction(n.Operator), n.Left, n.Right))
	}
}

// loopFunctions are expr-lang's functions that only pass on values that exist already. They are not
// wrapped in a charge: the evaluator recognizes some of them by their neighbours in the tree.
var loopFunctions = map[string]bool{
	"all": true, "none": true, "any": true, "one": true, "filter": true, "map": true, "find": true, "findIndex": true,
	"findLast": true, "findLastIndex": true, "count": true, "sum": true, "groupBy": true, "sortBy": true, "reduce": true,
	"len": true,
}

// patchCall finds the function that is called: by its name in any case, after `abl.`, or as if it
// were a method of its first argument.
func patchCall(node *ast.Node, n *ast.CallNode) {
	switch callee := n.Callee.(type) {
	case *ast.IdentifierNode:
		if strings.HasPrefix(callee.Value, " ") {
			return
		}
		callee.Value = functionName(callee.Value)
	case *ast.MemberNode:
		property, ok := callee.Property.(*ast.StringNode)
		if !ok {
			return
		}
		if space, ok := callee.Node.(*ast.IdentifierNode); ok && space.Value == helperSpace {
			n.Callee = newIdentifier(helperName(property.Value))
			break
		}
		if op, ok := infixOperators[strings.ToUpper(property.Value)]; ok && len(n.Arguments) == 1 {
			operator := &ast.BinaryNode{Operator: op, Left: callee.Node, Right: n.Arguments[0]}
			ast.Patch(node, operator)
			patchOperator(node, operator)
			return
		}
		if name := functionName(property.Value); name != property.Value || callableFunctions()[name].call != nil {
			n.Callee = newIdentifier(name)
			n.Arguments = append([]ast.Node{callee.Node}, n.Arguments...)
		}
	}
	ast.Patch(node, newCall(chargeFunction, n))
}

// functionName returns the canonical name of a function, given in any case; for any other name, the
// name itself.
func functionName(name string) string {
	if _, ok := callableFunctions()[strings.ToUpper(name)]; ok {
		return strings.ToUpper(name)
	}
	return name
}

// helperSpace is the name whose members are the helpers.
const helperSpace = "abl"

// helperName returns the full name of the function that name means after [Prefix], also if there is
// no such function.
func helperName(name string) string {
	if f, ok := LookupFunction(Prefix + name); ok {
		return f.Name
	}
	return Prefix + name
}

func newIdentifier(name string) ast.Node { return &ast.IdentifierNode{Value: name} }

func newCall(name string, arguments ...ast.Node) ast.Node {
	return &ast.CallNode{Callee: newIdentifier(name), Arguments: arguments}
}
