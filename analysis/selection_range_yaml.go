package analysis

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// addYAML adds the nodes that contain an offset: the text without quotes, with quotes, key and
// value, the map around.
func (s *selections) addYAML(d *yaml.Document, offset int) {
	var around []text.Span
	var visit func(n *yaml.Node)
	add := func(span text.Span) bool {
		if !span.Touches(offset) {
			return false
		}
		around = append(around, span)
		return true
	}
	visit = func(n *yaml.Node) {
		if !add(n.Span) || n.Alias != "" {
			return
		}
		if n.IsScalar() {
			add(n.TextSpan())
		}
		for _, item := range n.Items {
			visit(item)
		}
		for _, m := range n.OwnMembers() {
			if add(memberSymbol(m, BlockSymbol).Span) {
				visit(m.Key)
				visit(m.Value)
			}
		}
	}
	for _, root := range d.Roots() {
		visit(root)
	}
	for _, span := range slices.Backward(around) {
		s.addSpan(span)
	}
}
