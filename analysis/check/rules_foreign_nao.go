package check

import (
	"iter"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// naoTexts returns the texts below some keys of each Nao tool.
func naoTexts(f File, keys ...string) iter.Seq2[model.PositionedTool, model.NaoText] {
	return func(yield func(model.PositionedTool, model.NaoText) bool) {
		for _, t := range f.Tools {
			for _, x := range model.NaoTexts(f.File, t, keys...) {
				if !yield(t, x) {
					return
				}
			}
		}
	}
}

// writtenText returns a text as written, with its offset.
func (f File) writtenText(n *yaml.Node) (source string, offset int) {
	span := n.TextSpan()
	return f.Doc.Text()[span.Start:span.End], span.Start
}

// naoNames: a name in braces in a Nao tool is a parameter or a namespace, or something of the run
// that is verified or reverted; so are the names in its expressions.
func naoNames(out *findings, f File) {
	for t, x := range naoTexts(f, "permissions", "binding", "verify", "revert") {
		source, offset := f.writtenText(x.Node)
		switch {
		case len(*out) >= maxFindings:
			return
		case x.IsExpression():
			naoExpression(f, t, x).reportUnknown(out)
		case isNoTemplate(x.Key) || !hasParams(t.ToolDecl):
		case x.Step == "permissions" || x.Step == "binding":
			namesInValue(out, t.ToolDecl, source, offset)
		default:
			namesInStep(out, t.ToolDecl, x.Own, source, offset)
		}
	}
}

// naoPaths: a name in single braces in an endpoint is a parameter of the tool.
func naoPaths(out *findings, f File) {
	for t, x := range naoTexts(f, "binding") {
		if x.Key == "endpoint" && hasParams(t.ToolDecl) {
			source, offset := f.writtenText(x.Node)
			pathParameters(out, t.ToolDecl, source, offset)
		}
	}
}

// naoExpressions: `verify` and `revert` have expressions.
func naoExpressions(out *findings, f File) {
	for t, x := range naoTexts(f, "verify", "revert") {
		if x.IsExpression() && len(*out) < maxFindings {
			naoExpression(f, t, x).reportUnreadable(out)
		}
	}
}

func naoExpression(f File, t model.PositionedTool, x model.NaoText) toolExpression {
	s := newToolExpression(t.ToolDecl, x.Step, x.Key)
	s.source, s.span = x.Text, x.TextSpan()
	s.written, _ = f.writtenText(x.Node)
	return s
}
