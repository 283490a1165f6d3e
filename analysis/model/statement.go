package model

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// boundName matches `:name`, `@name` or `$name` in a statement, as databases write what is bound.
// Strings, quoted names and comments come first, so that nothing in them matches. Two marks mean
// something else: `::date`, `@@version`.
var boundName = lazyregexp.New(`'[^']*'|"[^"]*"|` + "`[^`]*`" + `|--[^\n]*|(?s:/\*.*?\*/)|([:@$]+)([A-Za-z_]\w*)`)

// readStatement adds the parameters that a statement uses: in braces, or after a mark.
func (r *nameReader) readStatement(v syntax.Node, in nameScope) {
	body := v.EmbeddedText()
	s := body.Text
	param := func(name text.Span) {
		if w := (Word{s[name.Start:name.End], body.Span(name)}); slices.Contains(in.params, w.Text) {
			r.addName(ParameterRef, w, Reads)
		}
	}
	for _, name := range boundNames(s) {
		param(name)
	}
}

// boundNames returns the places of the names in braces in a statement, and of those after a mark.
func boundNames(s string) []text.Span {
	out := bracedNames(s)
	for _, m := range boundName.FindAllStringSubmatchIndex(s, -1) {
		if m[2] >= 0 && m[3]-m[2] == 1 {
			out = append(out, text.Span{Start: m[4], End: m[5]})
		}
	}
	return out
}

func bracedNames(s string) (out []text.Span) {
	for _, p := range Placeholders(s, false) {
		for _, name := range Names(s, p.Inner) {
			out = append(out, name.argument(s))
		}
	}
	return out
}

// argument returns the part of a name that may be a parameter: `id` of `input.id`.
func (n Name) argument(s string) text.Span {
	if part := n.Head(); s[part.Start:part.End] != "input" || len(n.Parts) == 1 {
		return part
	}
	return n.Parts[1]
}
