package corail

import (
	"encoding/json"
	"slices"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// readParams reads the list of parameters; a builtin without a list has its own.
func (r *reader) readParams() {
	for _, item := range r.file.List(r.spec, "parameters", "parameters") {
		r.readParam(item)
	}
	if b, ok := r.tool.Spec.(*tool.Builtin); ok && r.spec.Get("parameters").Kind != foreign.List {
		for _, p := range builtinParams[b.Builtin] {
			r.addParam(p, r.tool.Name)
		}
	}
}

func (r *reader) addParam(p tool.Param, at text.Span) {
	r.tool.Tool.Params = append(r.tool.Tool.Params, p)
	r.tool.Params = append(r.tool.Params, at)
}

// readParam reads a parameter. It is required unless it has a default or says otherwise, as in
// Corail's ToolParameter.
func (r *reader) readParam(n foreign.Node) {
	name := n.Get("name")
	switch {
	case !name.IsSingle():
		r.report("missing-property", n.Head(), "`name` is missing in this parameter.")
		return
	case slices.ContainsFunc(r.tool.Tool.Params, func(p tool.Param) bool { return p.Name == name.Text }):
		r.report("duplicate-parameter", name.Span, "The parameter `%s` is there twice.", name.Text)
		return
	}
	p := schema.Param(name.Text, n)
	if !n.Has("type") && !n.Has("anyOf") && !n.Has("enum") {
		p.Type = &tool.Type{Name: "string"}
	}
	p.Default = defaultOf(p, n.Get("default"))
	p.Optional = p.Default != nil || n.Get("required").Text == "false"
	r.checkParam(n, p)
	r.addParam(p, name.Span)
}

// checkParam reports what is wrong with a parameter.
func (r *reader) checkParam(n foreign.Node, p tool.Param) {
	if kind := n.Get("type"); kind.IsSingle() && !slices.Contains(paramWords, kind.Text) {
		r.file.ReportWord("type", kind, paramWords)
	}
	if required := n.Get("required"); required.IsSingle() && required.Kind != foreign.Bool {
		r.report("invalid-value", required.Span, "`required` is true or false, not `%s`.", required.Text)
	}
	if d := n.Get("default"); p.Default != nil && !foreign.MatchesType(schema.Read(p.Default), p.Type) {
		r.file.Report(foreign.Warning, "default-type", d.Span, "The default of `%s` is no `%s`; change one of the two.", p.Name, p.Type)
	}
	unknown := foreign.Unknown(n, paramKeys...)
	for _, other := range unknown {
		r.tool.Lost = append(r.tool.Lost, foreign.Name{Text: p.Name + "." + other.Text, Span: other.Span})
	}
	r.file.ReportUnknown("A parameter", unknown, tool.FieldNames(parameterRows))
}

// The words and keys that a parameter may have, those of JSON Schema included.
var (
	paramWords = tool.WordNames(schema.Types())
	paramKeys  = slices.Concat(tool.FieldNames(parameterRows), schema.Keys())
)

// defaultOf returns the default of a parameter. Resources write it as text, whatever its type is.
func defaultOf(p tool.Param, written foreign.Node) json.RawMessage {
	isText := p.Type.Name == "string" || written.Kind != foreign.String
	if raw := json.RawMessage(written.Text); !isText && json.Valid(raw) {
		return raw
	}
	return p.Default
}

// builtinParams are the parameters of the builtins.
var builtinParams = map[string][]tool.Param{
	"calculator": {{Name: "expression", Type: &tool.Type{Name: "string"}, Description: "What to work out"}},
	"web_search": {{Name: "query", Type: &tool.Type{Name: "string"}, Description: "What to search for"}},
	"fetch_url":  {{Name: "url", Type: &tool.Type{Name: "string"}, Description: "The page to read"}, {Name: "max_chars", Type: &tool.Type{Name: "integer"}, Optional: true}},
}
