package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// pathParameter: a `{name}` in an `endpoint` is a parameter of the tool, and a
// single brace is closed. A name that `process` introduces will do as well.
// Where the signature cannot be read, or a schema takes its place, nobody knows.
var pathParameter = Check{
	Code: "path-parameter",
	Entry: eachTool(func(out *findings, _ Entry, t *analysis.ToolDecl) {
		if _, schema := t.Property("input_schema"); schema || !signatureIsWhole(t) {
			return
		}
		for _, p := range t.Properties() {
			if strings.EqualFold(p.Name(), "endpoint") {
				pathParameters(out, t, p.Value)
			}
			if p.Name() == "request_variants" {
				variantEndpoints(out, t, p)
			}
		}
	}),
}

func variantEndpoints(out *findings, t *analysis.ToolDecl, variants analysis.Property) {
	for _, item := range variants.Items() {
		for _, p := range item.Properties() {
			if p.Name() == "endpoint" {
				pathParameters(out, t, p.Value)
			}
		}
	}
}

func pathParameters(out *findings, t *analysis.ToolDecl, endpoint syntax.Node) {
	source, at := endpoint.Text(), endpoint.Span().Start
	for _, p := range analysis.Placeholders(source, true) {
		name := strings.TrimSpace(source[p.Inner.Start:p.Inner.End])
		if len(*out) == enough {
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
		case t.Param(name) == nil && !introduces(t, name):
			out.warn(p.Shift(at), "`%s` has no parameter `%s`; %s", t.Name, name,
				analysis.DidYouMean(name, paramNames(t), "add it to the signature."))
		}
	}
}

func paramNames(t *analysis.ToolDecl) []string {
	var names []string
	for _, p := range t.Params {
		names = append(names, p.Name)
	}
	return names
}

// introduces reports whether the tool's `process: before: params:` sets the
// name.
func introduces(t *analysis.ToolDecl, name string) bool {
	process, _ := t.Property("process")
	for _, p := range find(process.Properties(), "before", "params") {
		if p.Name() == name {
			return true
		}
	}
	return false
}

// find are the properties below those that a path of names leads to.
func find(props []analysis.Property, path ...string) []analysis.Property {
	if len(path) == 0 {
		return props
	}
	for _, p := range props {
		if p.Name() == path[0] {
			return find(p.Properties(), path[1:]...)
		}
	}
	return nil
}
