package convert

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// writeTools adds the declarations of tools. Imports and shared defaults have no form in YAML.
func writeTools(m *mapping, row *tool.Field, p prop) {
	v := value{isList: true}
	for s := range m.c.file.Parts()[0].Sections.Named("TOOLS") {
		if s.Head.Offset != p.start {
			continue
		}
		for _, e := range s.Entries {
			switch e.Kind() {
			case syntax.Comment:
			case syntax.Tool:
				decls := m.c.file.DeclaredTools(e.Entry)
				for i := range decls {
					d := &decls[i]
					start := e.Offset + d.NameNode().Span().Start
					v.addItem(start, m.c.tool(row, d, e.Offset))
				}
			case syntax.Import:
				m.c.loseAs(e.Span(), e.Root().KeyNode().Span().Shift(e.Offset), "An import of tools by `file:`")
			default:
				m.c.loseAs(e.Span(), e.Root().KeyNode().Span().Shift(e.Offset), "This line of `TOOLS`")
			}
		}
	}
	m.add(row.Name, p.start, v)
}

// tool converts a declaration. What the signature says comes after the description.
func (c *converter) tool(row *tool.Field, d *model.ToolDecl, offset int) value {
	m := (&mapping{c: c}).below(row)
	c.mark(signature(d.Node).Shift(offset))
	m.text("name", unquoted(tool.String, d.Name, false))
	var props, entries []prop
	for _, p := range propsOf(d.Properties(), offset) {
		switch p.Name() {
		case "description":
			m.fill([]prop{p})
		case "parameters":
			c.mark(p.keySpan())
			entries = allProps(p.body)
		case "returns":
			m.add("returns", p.start, c.returns(p))
		default:
			props = append(props, p)
		}
	}
	m.add("parameters", -1, m.parameters(d, offset, entries))
	if returns := d.Node.Child(syntax.FieldReturns); !returns.IsZero() {
		m.add("returns", -1, typeValue(returns))
	} else if !d.InMapForm() {
		m.text("returns", "object")
	}
	binding := map[tool.Kind]string{tool.KindHTTP: "http_binding", tool.KindMCP: "mcp_binding"}[d.Kind()]
	for _, p := range props {
		m.addToolKey(p, binding)
	}
	return m.value()
}

// signature returns the span of a declaration without what is below it.
func signature(n syntax.Node) text.Span {
	span := n.Span()
	if block := n.Child(syntax.FieldBlock); !block.IsZero() {
		span.End = block.Span().Start
	}
	return span
}

// addToolKey adds a property of a tool, below the binding if it belongs there.
func (m *mapping) addToolKey(p prop, binding string) {
	types, _ := tool.Find(m.rows, "type")
	_, known := tool.LookupWord(types.Values, p.Text())
	inBinding := &mapping{c: m.c}
	if row, _ := tool.Find(m.rows, binding); row != nil {
		inBinding = m.below(row)
	}
	row, key := inBinding.row(p.Name())
	switch {
	case p.Name() == "type" && !known:
		m.c.loseAs(p.whole, p.keySpan(), "`type: "+p.Text()+"`")
	case p.Name() == "type":
		m.add("type", p.start, value{text: strings.ToLower(p.Text())})
	case p.FlatPath != nil:
		m.putBelow(p.FlatPath[0], p.Name(), p)
	case row != nil:
		inBinding.put(row, key, p)
		m.add(binding, -1, inBinding.value())
	case p.Name() == "method": // without a binding; `endpoint` next to it is lost as well
		m.c.loseProp(p)
	default:
		m.fill([]prop{p})
	}
}

// parameters converts the parameters of a signature with what the block `parameters` says of them.
func (m *mapping) parameters(d *model.ToolDecl, offset int, entries []prop) value {
	rows, _ := tool.Find(m.rows, "parameters")
	list := value{isList: true}
	for i := range d.Params {
		one := &d.Params[i]
		parameter, start := m.below(rows), -1
		parameter.text("name", unquoted(tool.String, one.Name, false))
		written := typeText(one, d.InMapForm())
		var entry prop
		if k := slices.IndexFunc(entries, func(p prop) bool { return p.WrittenName() == one.Name }); k >= 0 {
			entry = entries[k]
			start = entry.start
			m.c.mark(entry.keySpan())
		}
		switch isObject := strings.HasPrefix(written, "object"); {
		case len(entry.props) == 0 || entry.Describes():
		case isObject:
			written = objectText(entry.props) + strings.Repeat("[]", strings.Count(written, "[]"))
			m.c.mark(entry.whole)
		default:
			m.c.loseProp(entry)
			entry.props = nil
		}
		if written != "" {
			parameter.text("type", plainOrQuoted(written, false))
		}
		if one.Optional {
			parameter.text("required", "false")
		}
		if preset := one.Node.Child(syntax.FieldDefault); !preset.IsZero() {
			as := tool.AnyType
			if one.Type != nil && one.Type.Name == "string" && preset.Kind() == syntax.Text {
				as = tool.String
			}
			parameter.add("default", -1, m.c.scalar(as, body{offset: offset}, preset))
		}
		if len(entry.props) > 0 && entry.Describes() {
			parameter.describeBy(entry.props)
		}
		list.addItem(start, parameter.value())
	}
	return list
}

// describeBy adds what an entry of `parameters` says of a parameter. It overrides the signature.
func (m *mapping) describeBy(props []prop) {
	for _, p := range props {
		m.members = slices.DeleteFunc(m.members, func(old *member) bool { return old.key == p.Name() && old.start < 0 })
		m.fill([]prop{p})
	}
}

// typeText returns the type of a parameter as it is written.
func typeText(p *model.ParamDecl, inMapForm bool) string {
	if inMapForm {
		return p.Type.String()
	}
	return sourceOf(p.Node.Child(syntax.FieldType))
}

// returns converts the result of a tool in map form.
func (c *converter) returns(p prop) value {
	c.mark(p.whole)
	if len(p.props) == 0 {
		return c.single(tool.String, p.body)
	}
	object, fields := &mapping{c: c}, &mapping{c: c}
	for _, field := range p.props {
		fields.add(field.WrittenName(), field.start, c.single(tool.String, field.body))
	}
	object.text("type", "object")
	object.add("fields", -1, fields.value())
	return object.value()
}

// typeValue converts a type of a result: a text, or a map if it has fields.
func typeValue(n syntax.Node) value {
	made := func(key string, v value) *member { return &member{key: key, start: -1, value: v} }
	switch {
	case n.Kind() == syntax.ObjectType:
		fields := &mapping{}
		for field := range n.Children() {
			name := field.Child(syntax.FieldName)
			if field.Kind() != syntax.TypeField || name.IsZero() {
				continue
			}
			v := typeValue(field.Child(syntax.FieldType))
			if !field.ChildOf(syntax.Question).IsZero() {
				if v.members == nil {
					v = value{members: []*member{made("type", v)}}
				}
				v.members = append(v.members, made("optional", value{text: "true"}))
			}
			fields.members = append(fields.members, made(name.Text(), v))
		}
		return value{members: []*member{made("type", value{text: "object"}), made("fields", fields.value())}}
	case n.Kind() == syntax.ArrayType && n.Contains(syntax.ObjectType):
		items := typeValue(n.Child(syntax.FieldElement))
		return value{members: []*member{made("type", value{text: "array"}), made("items", items)}}
	}
	return value{text: plainOrQuoted(sourceOf(n), false)}
}
