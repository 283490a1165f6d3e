package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// pathParameter: a `{name}` in an `endpoint` is a parameter of the tool, or a name that `process`
// sets, and a single brace is closed. A tool whose signature cannot be read, or that has a schema
// instead, is skipped.
var pathParameter = Check{
	Code: "path-parameter",
	Entry: eachTool(func(out *findings, _ Entry, t *model.ToolDecl) {
		if !hasParams(t) {
			return
		}
		for _, p := range t.Properties() {
			if strings.EqualFold(p.Name(), "endpoint") {
				pathParameters(out, t, p.Value.Text(), p.Value.Span().Start)
			}
			if p.Name() == "request_variants" {
				variantEndpoints(out, t, p)
			}
		}
	}),
}

func variantEndpoints(out *findings, t *model.ToolDecl, variants model.Property) {
	for _, item := range variants.Items() {
		for _, p := range item.Properties() {
			if p.Name() == "endpoint" {
				pathParameters(out, t, p.Value.Text(), p.Value.Span().Start)
			}
		}
	}
}

// pathParameters looks at an endpoint that begins at an offset.
func pathParameters(out *findings, t *model.ToolDecl, source string, at int) {
	for _, p := range model.Placeholders(source, true) {
		name := strings.TrimSpace(source[p.Inner.Start:p.Inner.End])
		if len(*out) == maxFindings {
			return
		}
		switch {
		case p.Double:
		case !p.Closed:
			open := p.Span
			open.End = open.Start + 1
			out.warn(open.Shift(at), "The brace is not closed: a path parameter reads `{name}`.")
		case name == "":
			out.warn(p.Shift(at), "`{}` names no parameter.")
		case !isParam(t, name):
			d := out.warn(p.Shift(at), "`%s` has no parameter `%s`; %s", t.Name, name,
				model.DidYouMean(name, t.ParamNames(), "add it to the signature."))
			offerNear(d, p.Inner.Shift(at), name, t.ParamNames())
			offerParameter(d, t, name)
		}
	}
}
