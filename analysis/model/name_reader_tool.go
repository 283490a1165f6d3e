package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// toolReader reads the names in a tool.
type toolReader struct{ *nameReader }

// toolBlock adds what a tool names.
func (r toolReader) toolBlock(t syntax.Node) {
	d := declOf(t)
	r.node(t.Child(syntax.AsBlock), nameScope{tool: true, params: d.ParamNames()})
	for _, p := range d.AnyProperties() {
		r.toolProperty(d, p)
	}
	for _, of := range projectProperties {
		r.project(d, of)
	}
	for _, w := range d.AuthServices() {
		r.addOwned(OfProject, projectfile.AuthServices, w, Reads)
	}
}

// projectProperty is a property of tools that names what abl.yaml lists.
type projectProperty struct {
	property, inner, table string // inner is a key below it, "" for none
	kinds                  []tool.Kind
}

var projectProperties = []projectProperty{
	{"server", "", projectfile.Servers, []tool.Kind{tool.KindMCP}},
	{"function", "", projectfile.Functions, []tool.Kind{tool.KindLambda}},
	{"source", "", projectfile.Sources, []tool.Kind{tool.KindSQL, tool.KindHTTP}},
	{"auth_config", "provider", projectfile.AuthServices, []tool.Kind{tool.KindHTTP}},
}

func (r toolReader) project(d *ToolDecl, of projectProperty) {
	p, ok := d.Property(of.property)
	if !ok || !slices.Contains(of.kinds, d.Kind()) {
		return
	}
	if of.inner == "" {
		r.listed(p, of.table)
		return
	}
	for _, c := range p.Properties() {
		if c.Name() == of.inner {
			r.listed(c, of.table)
		}
	}
}

// listed adds the names of a table of abl.yaml that a property's value has.
func (r toolReader) listed(p Property, table string) {
	for _, w := range plainWords(p) {
		r.addOwned(OfProject, table, w, Reads)
	}
}

// Untemplated are the properties of a tool in which braces are ordinary text.
var Untemplated = []string{"description", "code", "statement", "body_schema"}

// toolProperty adds the parameters, tools and namespaces that a property of a tool names.
func (r toolReader) toolProperty(d *ToolDecl, p Property) {
	switch name := p.Name(); name {
	case "parameters":
		if !d.InMapForm() { // there they are declared
			r.addAll(OfParam, keyWords(p.Node))
		}
	case "immutable_params": // as it once was written
		r.addAll(OfParam, ListWords(p.Node))
	case "confirmation":
		for _, c := range p.Properties() {
			if c.Name() == "immutable_params" {
				r.addAll(OfParam, ListWords(c.Node))
			}
		}
	case "param_mapping":
		for _, c := range p.Properties() {
			r.addAll(OfParam, ListWords(c.Node))
		}
	case "RESULT_SECRETS":
		r.consumers(p.Node)
	case "verify", "revert":
		r.step(p)
	default:
		if !slices.Contains(Untemplated, name) {
			r.templates(p.Node)
		}
	}
}

var consumersPattern = lazyregexp.New(`\bconsumers:[ \t]*\[([^\]\r\n]*)`)

// consumers adds the tools in `path -> key (consumers: [tool])`.
func (r toolReader) consumers(p syntax.Node) {
	for line := range p.Entries() {
		for _, list := range Matches(consumersPattern, line.Value()) {
			r.addAll(OfTool, splitWords(list.Text, list.Span.Start))
		}
	}
}

// step adds the names of one that verifies or reverts. Where it is called with arguments
// of its own, a bare name is one of these.
func (r toolReader) step(p Property) {
	before := len(r.refs)
	r.templates(p.Node)
	if p.OwnArguments() == nil {
		return
	}
	source, at := p.Node.Text(), p.Node.Span().Start
	own := slices.DeleteFunc(r.refs[before:], func(one NameRef) bool {
		return one.Kind == OfParam && !strings.HasSuffix(source[:one.Span.Start-at], "args.")
	})
	r.refs = r.refs[:before+len(own)]
}

// templates adds the parameters and namespaces in the placeholders of a property.
func (r toolReader) templates(p syntax.Node) {
	for n := range p.All() {
		switch n.Kind() {
		case syntax.String, syntax.Text, syntax.BlockText:
			r.placeholders(n, strings.EqualFold(n.Parent().Key(), "endpoint"))
		}
	}
}

func (r toolReader) placeholders(n syntax.Node, single bool) {
	s, at := n.Text(), n.Span().Start
	for _, p := range Placeholders(s, single) {
		for _, name := range Names(s, p.Inner) {
			head := wordOf(s, name.Head(), at)
			holder := "args" // in `verify` and `revert`
			if p.Double && IsNamespace(head.Text) && strings.ContainsAny(next(s, name.Head().End), ".:") {
				r.add(OfNamespace, head, Reads)
				holder = "input"
			} else {
				r.add(OfParam, head, Reads)
			}
			if head.Text == holder && len(name.Parts) > 1 {
				r.add(OfParam, wordOf(s, name.Parts[1], at), Reads)
			}
		}
	}
}

// next is the byte at an offset, "" at the end.
func next(s string, at int) string { return s[at:min(at+1, len(s))] }
