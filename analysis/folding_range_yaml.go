package analysis

import "github.com/abl-lsp/abl-lsp/syntax/yaml"

// yaml folds what stands in several lines: keys, items, brackets, comments.
func (r *folder) yaml(d *yaml.Document) {
	for _, c := range d.Comments() {
		r.comment(c)
	}
	for _, root := range d.Roots() {
		r.yamlNode(root)
	}
}

func (r *folder) yamlNode(n *yaml.Node) {
	if n.Alias != "" { // it stands elsewhere
		return
	}
	if n.Style == yaml.Flow && !n.Span.Empty() {
		r.bracket(n.Span)
	}
	for _, item := range n.Items {
		if n.Style != yaml.Flow {
			r.lined(item.Span, BlockFold)
		}
		r.yamlNode(item)
	}
	for _, m := range n.Own() {
		if s := memberSymbol(m, BlockSymbol); m.Value.Style != yaml.Flow {
			r.lined(s.Span, BlockFold)
		}
		r.yamlNode(m.Value)
	}
}
