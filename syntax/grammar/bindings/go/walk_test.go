package tree_sitter_abl

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
)

// TestNodesAreThoseOfTheCursor compares what one call reads with the binding's own cursor,
// which asks for each node.
func TestNodesAreThoseOfTheCursor(t *testing.T) {
	files, err := filepath.Glob("../../../../testdata/corpus/*/*/*.abl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tree := parsed(t, source)
		for _, limit := range []int{len(source), len(source) / 2, 0} {
			root := Root(tree)
			got := root.Nodes(limit, nil)
			if want := walked(tree.RootNode(), limit); !slices.Equal(got, want) {
				t.Fatalf("%s up to %d: %d nodes, want %d", name, limit, len(got), len(want))
			}
		}
		checkChildren(t, Root(tree), tree.RootNode())
	}
}

// TestFewAndManyChildren reads more children than there is room for at first.
func TestFewAndManyChildren(t *testing.T) {
	for _, n := range []int{0, 1, 15, 16, 17, 1000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			source := []byte("AGENT: A\n")
			for i := range n {
				source = fmt.Appendf(source, "GOAL: %d\n", i)
			}
			tree := parsed(t, source)
			checkChildren(t, Root(tree), tree.RootNode())
		})
	}
}

// TestLayout checks that our structs have the layout of the binding's node and cursor.
func TestLayout(t *testing.T) {
	node := reflect.TypeFor[sitter.Node]().Field(0)
	if node.Name != "c" || node.Offset != 0 {
		t.Errorf("the node begins with %s", node.Name)
	}
	if is, want := layout(node.Type), layout(reflect.TypeFor[Child]().Field(0).Type); is != want {
		t.Errorf("the node is %s, want %s", is, want)
	}
	cursor := reflect.TypeFor[sitter.TreeCursor]().Field(0).Type
	for cursor.Kind() == reflect.Pointer {
		cursor = cursor.Elem()
	}
	if is, want := layout(cursor), "tree@0 id@8 context@16 28"; is != want {
		t.Errorf("the cursor is %s, want %s", is, want)
	}
}

// layout returns the offsets of the fields of a struct, and the end of the last.
func layout(of reflect.Type) string {
	s, end := "", uintptr(0)
	for f := range of.Fields() {
		if f.Name == "_" {
			continue
		}
		s += fmt.Sprintf("%s@%d ", f.Name, f.Offset)
		end = f.Offset + f.Type.Size()
	}
	return s + fmt.Sprint(end)
}

func parsed(t *testing.T, source []byte) *sitter.Tree {
	t.Helper()
	parser := sitter.NewParser()
	parser.SetLanguage(Language())
	tree, err := parser.ParseCtx(context.Background(), nil, source)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// walked returns the nodes that begin at limit or before, read by the binding's cursor.
func walked(root *sitter.Node, limit int) []Node {
	c := sitter.NewTreeCursor(root)
	defer c.Close()
	fields := map[string]uint16{"": 0}
	for id := 1; Language().FieldName(id) != ""; id++ {
		fields[Language().FieldName(id)] = uint16(id)
	}
	var out []Node
	var visit func()
	visit = func() {
		n, at := c.CurrentNode(), len(out)
		if at > 0 && int(n.StartByte()) > limit {
			return
		}
		out = append(out, Node{Start: n.StartByte(), End: n.EndByte(), Symbol: uint16(n.Symbol()), Field: fields[c.CurrentFieldName()]})
		if c.GoToFirstChild() {
			visit()
			for c.GoToNextSibling() {
				visit()
			}
			c.GoToParent()
		}
		out[at].Next = uint32(len(out))
	}
	visit()
	return out
}

func checkChildren(t *testing.T, c Child, n *sitter.Node) {
	t.Helper()
	children := c.Children()
	if len(children) != int(n.ChildCount()) {
		t.Fatalf("%d children, want %d", len(children), n.ChildCount())
	}
	for i := range children {
		want := n.Child(i)
		if is := &children[i]; is.Start() != int(want.StartByte()) || is.End() != int(want.EndByte()) || is.Symbol() != int(want.Symbol()) {
			t.Errorf("the child %d is %d at %d–%d", i, is.Symbol(), is.Start(), is.End())
		}
	}
}
