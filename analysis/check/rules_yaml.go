package check

import (
	"iter"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// yamlValue is a value of an abl.yaml or of saved cases that the schema table knows.
type yamlValue struct {
	*yaml.Node
	Field *tool.Field
	Key   *yaml.Node // before it, or before the list with it; nil at the top
}

// yamlValues returns the values of a file, of an agent without those in sound units. The value of an
// alias is visited at its anchor.
func yamlValues(f File) iter.Seq[yamlValue] {
	return func(yield func(yamlValue) bool) {
		root := f.YAML.Root()
		eachValue(f, yamlValue{root, model.YAMLField(f.File), nil}, yield)
	}
}

func eachValue(f File, v yamlValue, yield func(yamlValue) bool) bool {
	if v.Alias != "" || f.run.isSound(v.Node) {
		return true
	}
	if !yield(v) {
		return false
	}
	for _, m := range v.OwnMembers() {
		field := projectfile.KeyField(v.Field, m.Key.Text)
		if v.Field == projectfile.CasesField() && isAuthorKey(m) {
			continue
		}
		if field != nil && !eachValue(f, yamlValue{m.Value, field, m.Key}, yield) {
			return false
		}
	}
	for _, item := range v.Items {
		field := projectfile.ItemField(v.Field)
		if field != nil && !eachValue(f, yamlValue{item, field, v.Key}, yield) {
			return false
		}
	}
	return true
}

// keySpan returns the span at which a finding about a whole value is reported: that of its key.
func (v yamlValue) keySpan() text.Span {
	if v.Key != nil {
		return v.Key.Span
	}
	return v.Span
}

// scalars are keys with a single value that may not be empty.
func scalars(f File) iter.Seq2[*yaml.Node, string] {
	return func(yield func(*yaml.Node, string) bool) {
		for _, root := range f.YAML.Roots() {
			if !eachScalar(root, "", yield) {
				return
			}
		}
	}
}

func eachScalar(n *yaml.Node, key string, yield func(*yaml.Node, string) bool) bool {
	switch {
	case n.Alias != "":
		return true
	case n.IsScalar():
		return yield(n, key)
	}
	for _, item := range n.Items {
		if !eachScalar(item, key, yield) {
			return false
		}
	}
	for _, m := range n.OwnMembers() {
		if !eachScalar(m.Value, m.Key.Text, yield) {
			return false
		}
	}
	return true
}

// yamlSyntax: the text is one document of YAML.
func yamlSyntax(out *findings, f File) {
	for _, fault := range f.YAML.Faults() {
		out.err(fault.Span, "%s", fault.Message)
	}
	if roots := f.YAML.Roots(); len(roots) > 1 {
		if at := headOf(f, roots[1]); !at.Empty() {
			out.err(at, "This file is one document: take away the `---` above this.")
		} else {
			mark := strings.LastIndex(f.Doc.Text()[:at.Start], "---")
			out.err(text.Span{Start: mark, End: mark + len("---")}, "This file is one document: take away this `---`.")
		}
	}
	openExpressions(out, f)
}

// headOf returns the first line of a node.
func headOf(f File, n *yaml.Node) text.Span {
	lines := f.Doc.Lines()
	return text.Span{Start: n.Span.Start, End: min(n.Span.End, lines.LineText(lines.Line(n.Span.Start)).End)}
}
