package foreign

import (
	"math"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

var nodeKinds = map[yaml.Kind]Kind{
	yaml.Null: Null, yaml.Bool: Bool, yaml.Int: Number, yaml.Float: Number,
	yaml.String: String, yaml.List: List, yaml.Map: Map,
}

// Outline converts YAML to the tree that the readers use, but only the two outer levels of maps and
// lists. [Node.Expand] converts the rest of one value.
func Outline(n *yaml.Node) Node { return outline(n, 2) }

// Expand returns the value with all its parts.
func (n Node) Expand() Node {
	if n.from == nil {
		return n
	}
	return outline(n.from, math.MaxInt)
}

func outline(n *yaml.Node, depth int) Node {
	out := Node{Kind: nodeKinds[n.Kind], Text: n.Text, Span: n.Span, from: n}
	if out.Kind == Bool {
		out.Text = strings.ToLower(out.Text)
	}
	if depth == 0 {
		return out
	}
	for _, item := range n.Items {
		out.Items = append(out.Items, outline(item, depth-1))
	}
	for _, m := range n.Members {
		if !m.Merged || n.Member(m.Key.Text).Key == m.Key {
			out.Members = append(out.Members, Member{Key: m.Key.Text, KeySpan: m.Key.Span, Value: outline(m.Value, depth-1)})
		}
	}
	return out
}
