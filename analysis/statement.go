package analysis

import (
	"regexp"
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// boundName is `:name`, `@name` or `$name` in a statement, as databases write what
// is bound to it. Strings, quoted names and comments come first, so that nothing
// in them is one; two marks are something else: `::date`, `@@version`.
var boundName = regexp.MustCompile(`'[^']*'|"[^"]*"|` + "`[^`]*`" + `|--[^\n]*|(?s:/\*.*?\*/)|([:@$]+)([A-Za-z_]\w*)`)

// statement adds the parameters of the tool that a statement takes: between
// braces, or by a mark before the name.
func (r *nameReader) statement(v syntax.Node, in nameScope) {
	body := v.Embedded()
	s := body.Text
	param := func(name text.Span) {
		if w := (word{s[name.Start:name.End], body.Span(name)}); slices.Contains(in.params, w.text) {
			r.add(OfParam, w, Reads)
		}
	}
	for _, p := range Placeholders(s, false) {
		for _, name := range Names(s, p.Inner) {
			if part := name.Head(); s[part.Start:part.End] != "input" || len(name.Parts) == 1 {
				param(part)
			} else {
				param(name.Parts[1])
			}
		}
	}
	for _, m := range boundName.FindAllStringSubmatchIndex(s, -1) {
		if m[2] >= 0 && m[3]-m[2] == 1 {
			param(text.Span{Start: m[4], End: m[5]})
		}
	}
}
