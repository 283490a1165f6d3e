package check

import (
	"iter"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// naoTexts are the texts below some keys of each of Nao's tools, each with its own key.
func naoTexts(f File, keys ...string) iter.Seq2[analysis.PlacedTool, naoText] {
	return func(yield func(analysis.PlacedTool, naoText) bool) {
		if f.Foreign.System != "nao" {
			return
		}
		nodes := map[int]*yaml.Node{} // of the tools, by where they begin
		for _, root := range f.Tree().Roots() {
			if tools := root.Get("tools"); tools != nil {
				for _, n := range tools.Items {
					nodes[n.Span.Start] = n
				}
			}
		}
		for _, t := range f.Tools {
			n := nodes[t.Span().Start]
			for _, key := range keys {
				for _, x := range textsIn(nil, n.Get(key), key, key) {
					if !yield(t, x) {
						return
					}
				}
			}
		}
	}
}

// naoText is a text in a tool.
type naoText struct {
	*yaml.Node
	step string // the key of the tool that it is below
	key  string // its own, or that of its list, as ABL spells it
	up   string // the one above that
}

func textsIn(found []naoText, n *yaml.Node, step string, keys ...string) []naoText {
	if n == nil || n.Alias != "" {
		return found
	}
	if n.Kind == yaml.String {
		keys = append([]string{""}, keys...)
		return append(found, naoText{n, step, keys[len(keys)-1], keys[len(keys)-2]})
	}
	for _, item := range n.Items {
		found = textsIn(found, item, step, keys...)
	}
	for _, m := range n.Own() {
		found = textsIn(found, m.Value, step, append(keys[:len(keys):len(keys)], foreign.Snake(m.Key.Text))...)
	}
	return found
}

// raw is a text as it is written, with its place.
func (f File) raw(n *yaml.Node) (source string, offset int) {
	span := n.Inner()
	return f.Doc.Text()[span.Start:span.End], span.Start
}

// naoNames: what Nao's tools name in braces is a parameter or a namespace, or what the
// run that is checked or undone has; so are the names of their expressions.
func naoNames(f File) []analysis.Diagnostic {
	var out findings
	for t, x := range naoTexts(f, "permissions", "binding", "verify", "revert") {
		source, offset := f.raw(x.Node)
		switch {
		case len(out) >= enough:
			return out
		case x.isExpression():
			f.naoSpoken(t, x).unknown(&out)
		case isNoTemplate(x.key) || !hasParams(t.ToolDecl):
		case x.step == "permissions" || x.step == "binding":
			namesInValue(&out, t.ToolDecl, source, offset)
		default:
			namesInStep(&out, t.ToolDecl, source, offset)
		}
	}
	return out
}

// naoPaths: so is what an endpoint has in single braces.
func naoPaths(f File) []analysis.Diagnostic {
	var out findings
	for t, x := range naoTexts(f, "binding") {
		if x.key == "endpoint" && hasParams(t.ToolDecl) {
			source, offset := f.raw(x.Node)
			pathParameters(&out, t.ToolDecl, source, offset)
		}
	}
	return out
}

// naoExpressions: what checks and undoes is an expression.
func naoExpressions(f File) []analysis.Diagnostic {
	var out findings
	for t, x := range naoTexts(f, "verify", "revert") {
		if x.isExpression() && len(out) < enough {
			f.naoSpoken(t, x).unreadable(&out)
		}
	}
	return out
}

// isExpression reports whether the text is one that a run evaluates.
func (x naoText) isExpression() bool {
	return (x.step == "verify" || x.step == "revert") && (x.key == x.step || x.up == "args" || x.key == "expect")
}

func (f File) naoSpoken(t analysis.PlacedTool, x naoText) spoken {
	s := over(t.ToolDecl, x.step, x.key)
	s.source, s.at = x.Text, x.Inner()
	s.raw, _ = f.raw(x.Node)
	return s
}
