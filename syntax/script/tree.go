package script

import (
	"context"
	"iter"

	sitter "github.com/smacker/go-tree-sitter"
)

// newParser returns a parser of a language. The caller must close it.
func newParser(g grammar) *sitter.Parser {
	parser := sitter.NewParser()
	parser.SetLanguage(g.language())
	return parser
}

// parseTree calls visit with the root of a source's tree. The tree is not valid
// after the call.
func parseTree(parser *sitter.Parser, source []byte, visit func(root *sitter.Node)) {
	tree, err := parser.ParseCtx(context.Background(), nil, source)
	if err != nil { // only without a language, or cancelled
		panic("script: " + err.Error())
	}
	defer tree.Close()
	visit(tree.RootNode())
}

// walk yields the nodes of a tree in the order of the text. It leaves out the nodes
// below a node for which into returns false. It is not recursive, since code may be
// deeply nested.
func walk(root *sitter.Node, into func(*sitter.Node) bool) iter.Seq[*sitter.Node] {
	return func(yield func(*sitter.Node) bool) {
		cursor := sitter.NewTreeCursor(root)
		defer cursor.Close()
		for {
			n := cursor.CurrentNode()
			if !yield(n) {
				return
			}
			if into(n) && cursor.GoToFirstChild() {
				continue
			}
			for !cursor.GoToNextSibling() {
				if !cursor.GoToParent() {
					return
				}
			}
		}
	}
}

func enterAll(*sitter.Node) bool { return true }

// children returns the named children of a node without comments.
func children(n *sitter.Node) []*sitter.Node {
	var all []*sitter.Node
	for i := range int(n.NamedChildCount()) {
		if c := n.NamedChild(i); c.Type() != "comment" {
			all = append(all, c)
		}
	}
	return all
}
