package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// InMapForm reports whether the tool is declared by `name:` and a block with `parameters:` and
// `returns:`, instead of by a signature.
func (d *ToolDecl) InMapForm() bool { return InMapForm(d.Node) }

// InMapForm reports whether a node is a tool in map form.
func InMapForm(n syntax.Node) bool {
	return n.Kind() == syntax.Tool && !n.ChildOf(syntax.Colon).IsZero()
}

// readMapForm reads the parameters and the result from the block of a tool in map
// form.
func readMapForm(d *ToolDecl, props []Property) {
	if block, ok := FindProperty(props, "parameters"); ok {
		for _, p := range block.Properties() {
			if item := p.Node.Parent(); item.Kind() == syntax.ListItem && item.FirstBlockChild() != p.Node {
				continue // it describes the parameter that the item begins with
			}
			d.Params = append(d.Params, ParamDecl{Node: p.Node, Name: p.WrittenName(), Type: p.field().Type})
		}
	}
	d.Returns = &tool.Type{Name: "object"}
	if returns, ok := FindProperty(props, "returns"); ok {
		if t := returns.resultType(); t != nil {
			d.Returns = t
		}
	}
}

// resultType returns the type in `returns:`: one on its line, or the fields of an object below it.
func (p Property) resultType() *tool.Type {
	if p.Value.IsZero() || p.Value.Kind() == syntax.Map {
		if t := ParseType(p.Value.Text()); t != nil {
			return t
		}
		return withFields(nil, p.fields())
	}
	return ParseType(p.Text())
}

// OwnFields returns the fields of a tool. A tool in map form also has `returns:`, for which others
// have a signature.
func OwnFields(d *ToolDecl, fields []tool.Field) []tool.Field {
	if d.InMapForm() {
		return append(slices.Clip(fields), tool.ReturnsField())
	}
	return fields
}

// AppendMember returns the edits, relative to the entry, that add a parameter after the last one in
// the block of a tool in map form. ok is false if it has no such block.
func AppendMember(d *ToolDecl, param string) (edits []text.Edit, ok bool) {
	if len(d.Params) == 0 {
		return nil, false
	}
	last := d.Params[len(d.Params)-1].Node
	at := last.Span().Start + len(strings.TrimRight(last.Text(), " \t\r\n"))
	if last.Kind() == syntax.MapPair {
		return []text.Edit{{Span: text.Span{Start: at, End: at}, NewText: ", " + param}}, true
	}
	start := last.Span().Start
	if item := last.Parent(); item.Kind() == syntax.ListItem {
		start = item.Span().Start
		at = start + len(strings.TrimRight(item.Text(), " \t\r\n"))
		param = "- " + param
	}
	source := d.Node.Entry().Text()
	indent := source[strings.LastIndexAny(source[:start], "\r\n")+1 : start]
	return []text.Edit{{Span: text.Span{Start: at, End: at}, NewText: "\n" + indent + param}}, true
}
