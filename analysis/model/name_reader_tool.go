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

// readTool adds what a tool names.
func (r toolReader) readTool(t syntax.Node) {
	d := declOf(t)
	r.readNode(t.Child(syntax.FieldBlock), nameScope{tool: true, params: d.ParamNames()})
	for _, p := range d.PropertiesOfAnyKind() {
		r.readProperty(d, p)
	}
	for _, of := range projectProperties {
		r.addProjectNames(d, of)
	}
	for _, w := range d.AuthServices() {
		r.addOwned(ProjectEntryRef, projectfile.AuthServices, w, Reads)
	}
}

// projectProperty is a property of tools that names an entry of abl.yaml.
type projectProperty struct {
	property, inner, table string // inner is a key below it, "" for none
	kinds                  []tool.Kind
}

var projectProperties = []projectProperty{
	{"server", "", projectfile.Servers, []tool.Kind{tool.KindMCP}},
	{"function", "", projectfile.Functions, []tool.Kind{tool.KindLambda}},
	{"source", "", projectfile.Sources, []tool.Kind{tool.KindSQL, tool.KindHTTP, tool.KindRedis}},
	{"auth_config", "provider", projectfile.AuthServices, []tool.Kind{tool.KindHTTP}},
}

func (r toolReader) addProjectNames(d *ToolDecl, of projectProperty) {
	p, ok := d.Property(of.property)
	if !ok || !slices.Contains(of.kinds, d.Kind()) {
		return
	}
	if of.inner == "" {
		r.addListed(p, of.table)
		return
	}
	for _, c := range p.Properties() {
		if c.Name() == of.inner {
			r.addListed(c, of.table)
		}
	}
}

// addListed adds the entries of a table of abl.yaml that a property's value names.
func (r toolReader) addListed(p Property, table string) {
	for _, w := range plainWords(p) {
		r.addOwned(ProjectEntryRef, table, w, Reads)
	}
}

// UntemplatedProperties are the properties of a tool in which braces are ordinary text.
var UntemplatedProperties = []string{"description", "code", "statement", "body_schema"}

// readProperty adds the parameters, tools and namespaces that a property of a tool names.
func (r toolReader) readProperty(d *ToolDecl, p Property) {
	switch name := p.Name(); name {
	case "parameters":
		if !d.InMapForm() { // there they are declared
			r.addUses(ParameterRef, keyWords(p.Node))
		}
	case "immutable_params": // as it once was written
		r.addUses(ParameterRef, ListWords(p.Node))
	case "confirmation":
		for _, c := range p.Properties() {
			if c.Name() == "immutable_params" {
				r.addUses(ParameterRef, ListWords(c.Node))
			}
		}
	case "param_mapping":
		for _, c := range p.Properties() {
			r.addUses(ParameterRef, ListWords(c.Node))
		}
	case "RESULT_SECRETS":
		r.addConsumers(p.Node)
	case "verify", "revert":
		r.readStep(p)
	default:
		if !slices.Contains(UntemplatedProperties, name) {
			r.readTemplates(p.Node)
		}
	}
}

var consumersPattern = lazyregexp.New(`\bconsumers:[ \t]*\[([^\]\r\n]*)`)

// addConsumers adds the tools in `path -> key (consumers: [tool])`.
func (r toolReader) addConsumers(p syntax.Node) {
	for line := range p.BlockChildren() {
		for _, list := range Matches(consumersPattern, line.Value()) {
			r.addUses(ToolRef, splitWords(list.Text, list.Span.Start))
		}
	}
}

// readStep adds the names in `verify` or `revert`. If the step is called with arguments of its own,
// a name without a namespace is one of these.
func (r toolReader) readStep(p Property) {
	before := len(r.refs)
	r.readTemplates(p.Node)
	if p.StepArguments() == nil {
		return
	}
	source, at := p.Node.Text(), p.Node.Span().Start
	own := slices.DeleteFunc(r.refs[before:], func(one NameRef) bool {
		return one.Kind == ParameterRef && !strings.HasSuffix(source[:one.Span.Start-at], "args.")
	})
	r.refs = r.refs[:before+len(own)]
}

// readTemplates adds the parameters and namespaces in the placeholders of a property.
func (r toolReader) readTemplates(p syntax.Node) {
	for n := range p.Preorder() {
		switch n.Kind() {
		case syntax.String, syntax.Text, syntax.BlockText:
			r.readPlaceholders(n, strings.EqualFold(n.Parent().Key(), "endpoint"))
		}
	}
}

func (r toolReader) readPlaceholders(n syntax.Node, single bool) {
	s, at := n.Text(), n.Span().Start
	for _, p := range Placeholders(s, single) {
		for _, name := range Names(s, p.Inner) {
			head := wordOf(s, name.Head(), at)
			holder := "args" // in `verify` and `revert`
			if p.Double && IsNamespace(head.Text) && strings.ContainsAny(byteAt(s, name.Head().End), ".:") {
				r.addName(NamespaceRef, head, Reads)
				holder = "input"
			} else {
				r.addName(ParameterRef, head, Reads)
			}
			if head.Text == holder && len(name.Parts) > 1 {
				r.addName(ParameterRef, wordOf(s, name.Parts[1], at), Reads)
			}
		}
	}
}

// byteAt returns the byte at an offset, "" at the end.
func byteAt(s string, at int) string { return s[at:min(at+1, len(s))] }
