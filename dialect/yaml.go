package dialect

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/dialect/corail"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/toolbox"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// yamlSystems tell by the documents of a YAML file which system's file it is.
var yamlSystems = []struct {
	is   func(roots []foreign.Node) bool
	read func(roots []foreign.Node, before *foreign.File) foreign.File
}{
	{isResource, readResources},
	{toolbox.Matches, toolbox.Read},
}

func isResource(roots []foreign.Node) bool { return slices.ContainsFunc(roots, corail.IsResource) }

func readResources(roots []foreign.Node, _ *foreign.File) foreign.File {
	whole := make([]foreign.Node, len(roots))
	for i, root := range roots {
		whole[i] = root.Expand()
	}
	return corail.Read(whole)
}

// readYAML reads a YAML file. Readers get outlines, and expand the nodes that they need.
func readYAML(lines *text.Lines, before *foreign.File) foreign.File {
	var last *yaml.Document
	if before != nil && before.Tree != nil {
		last = before.Tree()
	}
	doc := yaml.Reparse(last, lines)
	var roots []foreign.Node
	for _, root := range doc.Roots() {
		roots = append(roots, foreign.Outline(root))
	}
	for _, s := range yamlSystems {
		if s.is(roots) {
			return withYAMLFaults(s.read(roots, before), doc)
		}
	}
	return withYAMLFaults(foreign.File{}, doc)
}

// withYAMLFaults puts errors of the YAML before the other faults.
func withYAMLFaults(f foreign.File, doc *yaml.Document) foreign.File {
	var bad foreign.File
	for _, fault := range doc.Faults() {
		bad.Report(foreign.Error, "syntax-error", fault.Span, "%s", fault.Message)
	}
	reported := map[text.Span]bool{} // of what the reader says already that it is there twice
	for _, fault := range f.Faults {
		reported[fault.Span] = reported[fault.Span] || fault.Code == "duplicate-tool"
	}
	for _, root := range doc.Roots() {
		duplicates(&bad, root, reported)
	}
	f.Faults = append(bad.Faults, f.Faults...)
	f.Tree = func() *yaml.Document { return doc }
	return f
}

// duplicates reports duplicate keys of maps.
func duplicates(f *foreign.File, n *yaml.Node, reported map[text.Span]bool) {
	for _, m := range n.OwnMembers() {
		if m.Duplicate && !reported[m.Key.Span] {
			f.Report(foreign.Warning, "duplicate-property", m.Key.Span, "`%s` stands twice here; the last one counts.", m.Key.Text)
		}
		if m.Value.Alias == "" {
			duplicates(f, m.Value, reported)
		}
	}
	for _, item := range n.Items {
		if item.Alias == "" {
			duplicates(f, item, reported)
		}
	}
}
