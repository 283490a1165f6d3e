package analysis

import "github.com/abl-lsp/abl-lsp/syntax/yaml"

// addYAML folds what is on several lines: keys, items, brackets, comments.
func (r *foldCollector) addYAML(d *yaml.Document) {
	for _, c := range d.Comments() {
		r.addComment(c)
	}
	for _, root := range d.Roots() {
		r.addYAMLNode(root)
	}
}

func (r *foldCollector) addYAMLNode(n *yaml.Node) {
	if n.Alias != "" { // its text is elsewhere
		return
	}
	if n.Style == yaml.Flow && !n.Span.Empty() {
		r.addBracket(n.Span)
	}
	for _, item := range n.Items {
		if n.Style != yaml.Flow {
			r.addLines(item.Span, BlockFold)
		}
		r.addYAMLNode(item)
	}
	for _, m := range n.OwnMembers() {
		if s := memberSymbol(m, BlockSymbol); m.Value.Style != yaml.Flow {
			r.addLines(s.Span, BlockFold)
		}
		r.addYAMLNode(m.Value)
	}
}
