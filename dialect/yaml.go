package dialect

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/corail"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/toolbox"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// yamlSystems tell by the documents of a file whose it is.
var yamlSystems = []struct {
	is   func(roots []foreign.Node) bool
	read func(roots []foreign.Node) foreign.File
}{
	{isResource, corail.Read},
	{toolbox.Is, toolbox.Read},
}

func isResource(roots []foreign.Node) bool {
	for _, root := range roots {
		if corail.IsResource(root) {
			return true
		}
	}
	return false
}

func readYAML(lines *text.Lines) foreign.File {
	doc := yaml.Read(lines)
	var roots []foreign.Node
	for _, root := range doc.Roots() {
		roots = append(roots, node(root))
	}
	for _, s := range yamlSystems {
		if s.is(roots) {
			return withYAMLFaults(s.read(roots), doc)
		}
	}
	return foreign.File{}
}

// withYAMLFaults puts what is no YAML before what is wrong with the rest.
func withYAMLFaults(f foreign.File, doc *yaml.Document) foreign.File {
	var bad foreign.File
	for _, fault := range doc.Faults() {
		bad.Report(foreign.Error, "syntax-error", fault.Span, "%s", fault.Message)
	}
	for _, root := range doc.Roots() {
		duplicates(&bad, root)
	}
	f.Faults = append(bad.Faults, f.Faults...)
	f.Tree = func() *yaml.Document { return doc }
	return f
}

// duplicates reports keys that stand twice in their map.
func duplicates(f *foreign.File, n *yaml.Node) {
	for _, m := range n.Own() {
		if m.Again {
			f.Report(foreign.Warning, "duplicate-property", m.Key.Span, "`%s` stands twice here; the last one counts.", m.Key.Text)
		}
		if m.Value.Alias == "" {
			duplicates(f, m.Value)
		}
	}
	for _, item := range n.Items {
		if item.Alias == "" {
			duplicates(f, item)
		}
	}
}

var nodeKinds = map[yaml.Kind]foreign.Kind{
	yaml.Null: foreign.Null, yaml.Bool: foreign.Bool, yaml.Int: foreign.Number, yaml.Float: foreign.Number,
	yaml.String: foreign.String, yaml.List: foreign.List, yaml.Map: foreign.Map,
}

// node is YAML as the tree that the readers take.
func node(n *yaml.Node) foreign.Node {
	out := foreign.Node{Kind: nodeKinds[n.Kind], Text: n.Text, Span: n.Span}
	if out.Kind == foreign.Bool {
		out.Text = strings.ToLower(out.Text)
	}
	for _, item := range n.Items {
		out.Items = append(out.Items, node(item))
	}
	for _, m := range n.Members {
		if !m.Merged || n.Member(m.Key.Text).Key == m.Key {
			out.Members = append(out.Members, foreign.Member{Key: m.Key.Text, KeySpan: m.Key.Span, Value: node(m.Value)})
		}
	}
	return out
}
