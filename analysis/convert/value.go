package convert

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// value converts what follows a key of ABL to what its row in YAML takes.
func (c *converter) value(row *tool.Field, b body) value {
	switch row.Type {
	case tool.ListType:
		return c.list(b)
	case tool.MapType:
		return c.authorMap(row, b)
	case tool.Block:
		return c.block(row, b)
	case tool.BlockList:
		return c.blockList(row, b)
	case tool.AnyType:
		return c.anything(b)
	}
	v := c.single(row.Type, b)
	if word, ok := tool.LookupWord(row.Values, v.text); ok && !row.AnyCase {
		v.text = word.Name // ABL takes it in any casing
	}
	return v
}

// single converts a single value.
func (c *converter) single(as tool.FieldType, b body) value {
	switch {
	case b.isTextBlock():
		c.mark(b.span(b.node.Child(syntax.FieldBlock)))
		return textBlock(b.prose)
	case b.value.IsZero() && len(b.items)+len(b.props) > 0:
		return c.loseBelow(b, "The block")
	}
	return c.scalar(as, b, b.value)
}

// loseBelow notes that what is below a key is lost.
func (c *converter) loseBelow(b body, what string) value {
	key := model.KeyOf(b.node)
	c.loseAs(b.whole, b.span(key), what+" of `"+key.Text()+"`")
	return value{}
}

// scalar converts a node that is a single value. The quotes of a string go with its text in an
// expression that is not a condition: there it is a literal.
func (c *converter) scalar(as tool.FieldType, b body, n syntax.Node) value {
	if n.IsZero() {
		return value{text: `""`}
	}
	c.mark(b.span(n))
	s := sourceOf(n)
	switch n.Kind() {
	case syntax.PipeBlock:
		return textBlock(n.BlockContent())
	case syntax.List, syntax.Map:
		if as == tool.AnyType || as == tool.ListType {
			return value{text: inline(as, n)}
		}
	case syntax.String:
		return value{text: requoted(s)}
	case syntax.Boolean, syntax.Null:
		if as != tool.String && as != tool.Expr {
			return value{text: strings.ToLower(s)}
		}
	}
	return value{text: unquoted(as, s, false)}
}

// unquoted writes a value that has no quotes in ABL. A text that YAML reads as another type gets
// quotes.
func unquoted(as tool.FieldType, s string, flow bool) string {
	lower := strings.ToLower(s)
	switch {
	case as == tool.String || as == tool.ListType:
	case as == tool.BooleanType && (lower == "yes" || lower == "no"):
		return map[bool]string{true: "true", false: "false"}[lower == "yes"]
	case lower == "true" || lower == "false", as != tool.Expr && lower == "null":
		return lower
	case as == tool.NumberType || as == tool.AnyType:
		if number, ok := numberInYAML(s); ok {
			return number
		}
	case sameNumber.MatchString(s):
		return s
	}
	return plainOrQuoted(s, flow)
}

// expressionText converts an expression as it is written: a string with its quotes, a block of keys
// as an object.
func (c *converter) expressionText(b body) value {
	c.mark(b.span(b.node))
	if b.value.IsZero() && len(b.props) > 0 {
		return value{text: plainOrQuoted(objectText(b.props), false)}
	}
	if b.value.Kind() == syntax.PipeBlock || b.value.IsZero() {
		return c.single(tool.Expr, b)
	}
	s := sourceOf(b.value)
	if b.value.Kind() == syntax.String {
		return value{text: quoted(s)}
	}
	return value{text: unquoted(tool.Expr, s, false)}
}

// objectText writes keys and expressions as an object of an expression.
func objectText(props []prop) string {
	parts := make([]string, len(props))
	for i, p := range props {
		parts[i] = p.WrittenName() + ": " + sourceOf(p.value)
		if p.value.IsZero() {
			parts[i] = p.WrittenName() + ": " + objectText(p.props)
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// sourceOf returns the text of a node on one line, without comments.
func sourceOf(n syntax.Node) string {
	if n.IsZero() {
		return ""
	}
	span, source := n.Span(), n.Entry().Text()
	at := span.Start
	var parts []string
	for c := range n.Preorder() {
		if c.Kind() == syntax.Comment && c.Span().Start >= at {
			parts = append(parts, source[at:c.Span().Start])
			at = c.Span().End
		}
	}
	s := strings.TrimSpace(strings.Join(append(parts, source[at:span.End]), " "))
	return lineBreak.ReplaceAllStringFunc(s, func(found string) string {
		if around := strings.TrimSpace(found); around != "" {
			return strings.Join(strings.Fields(around), "")
		}
		return " "
	})
}

// lineBreak matches the end of a line with the blanks and brackets around it.
var lineBreak = lazyregexp.New(`[(\[{]?[ \t]*[\r\n]\s*[)\]}]?`)

// textBlock writes a text as a block of lines.
func textBlock(s string) value {
	s = strings.TrimRight(s, " \t\n")
	if s == "" || strings.ContainsFunc(strings.ReplaceAll(s, "\n", ""), isUnprintable) {
		return value{text: quoted(s)}
	}
	return value{lines: strings.Split(s, "\n")}
}

// inline writes a list or a map in brackets.
func inline(as tool.FieldType, n syntax.Node) string {
	var parts []string
	for c := range n.Children() {
		switch {
		case c.Kind() == syntax.MapPair && c.Value().IsZero():
			parts = append(parts, plainOrQuoted(c.Key(), true)+":")
		case c.Kind() == syntax.MapPair:
			parts = append(parts, plainOrQuoted(c.Key(), true)+": "+inline(as, c.Value()))
		case model.IsItem(c):
			parts = append(parts, inline(as, c))
		}
	}
	switch s := sourceOf(n); n.Kind() {
	case syntax.List:
		return "[" + strings.Join(parts, ", ") + "]"
	case syntax.Map:
		return "{" + strings.Join(parts, ", ") + "}"
	case syntax.String:
		return requoted(s)
	default:
		return unquoted(as, s, true)
	}
}

// list converts a list of single values.
func (c *converter) list(b body) value {
	switch {
	case b.value.Kind() == syntax.List:
		return c.scalar(tool.ListType, b, b.value)
	case b.value.IsZero():
		v := value{isList: true}
		for _, item := range b.items {
			v.members = append(v.members, &member{start: item.start, value: c.plainItem(tool.String, item)})
		}
		return v
	case b.value.Kind() == syntax.String:
		return value{text: "[" + c.scalar(tool.String, b, b.value).text + "]"}
	}
	c.mark(b.span(b.value))
	var words []string
	for word := range strings.SplitSeq(sourceOf(b.value), ",") {
		words = append(words, unquoted(tool.String, strings.TrimSpace(word), true))
	}
	return value{text: "[" + strings.Join(words, ", ") + "]"}
}

// plainItem converts an item of a list as one value.
func (c *converter) plainItem(as tool.FieldType, item body) value {
	c.mark(item.span(item.node))
	n := model.Item{Node: item.node}
	if v := n.Value(); !n.IsMultiline() {
		return c.scalar(as, item, v)
	}
	return value{text: unquoted(as, n.PlainText(), false)}
}

// authorMap converts a map whose keys are the author's.
func (c *converter) authorMap(row *tool.Field, b body) value {
	if b.value.Kind() == syntax.Map && row.Each == nil {
		return c.scalar(tool.AnyType, b, b.value)
	}
	m := &mapping{c: c}
	for _, item := range b.items { // a list of names: each has its own value
		if name := (model.Item{Node: item.node}); len(item.props) == 0 && !name.IsMultiline() {
			m.add(name.PlainText(), item.start, c.plainItem(tool.String, item))
		}
	}
	if len(b.props)+len(b.items) == 0 && !b.value.IsZero() && b.value.Kind() != syntax.Map {
		return c.loseBelow(b, "The single value")
	}
	for _, p := range allProps(b) {
		switch {
		case row.Each != nil && row.Each.Type == tool.Expr:
			m.add(p.WrittenName(), p.start, c.expressionText(p.body))
		case row.Each != nil:
			m.add(p.WrittenName(), p.start, c.value(row.Each, p.body))
		default:
			m.add(p.WrittenName(), p.start, c.anything(p.body))
		}
	}
	return m.value()
}

// allProps returns the keys below a body, those in the items of a list too.
func allProps(b body) []prop {
	props := b.props
	for _, item := range b.items {
		props = append(props[:len(props):len(props)], item.props...)
	}
	return props
}

// block converts a map with keys of the language.
func (c *converter) block(row *tool.Field, b body) value {
	if b.isTextBlock() {
		return c.single(tool.String, b)
	}
	if len(b.props) == 0 && len(b.items) == 0 && !b.value.IsZero() {
		switch kind := b.value.Kind(); {
		case row.OneLine && (kind == syntax.List || kind == syntax.Map):
			return c.scalar(tool.AnyType, b, b.value)
		case row.OneLine:
			return c.scalar(tool.String, b, b.value)
		}
		return c.loseBelow(b, "The single value")
	}
	m := (&mapping{c: c}).below(row)
	m.fill(allProps(b))
	return m.value()
}

// blockList converts a list of maps, and a map of the author's names, which become the first key of
// each item.
func (c *converter) blockList(row *tool.Field, b body) value {
	v := value{isList: true}
	if !b.value.IsZero() && (len(b.items) == 0 || row.Named) {
		list := c.list(b)
		if row.Named {
			return list
		}
		for name := range strings.SplitSeq(strings.Trim(list.text, "[]"), ", ") {
			v.addItem(-1, value{members: []*member{{key: row.Fields[0].Name, start: -1, value: value{text: name}}}})
		}
		return v
	}
	for _, p := range b.props {
		if row.Name == "persistent" && !p.IsAuthorName { // READS and WRITES, which declare no path
			c.loseProp(p)
		} else {
			v.addItem(p.start, c.namedItem(row, p))
		}
	}
	for _, item := range b.items {
		v.addItem(item.start, c.item(row, item))
	}
	return v
}

// item converts an item of a list of maps. It may begin with a name of the author's, or be one.
func (c *converter) item(row *tool.Field, item body) value {
	m := (&mapping{c: c}).below(row)
	name, first := row.Fields[0].Name, item.node.FirstBlockChild()
	switch {
	case len(item.props) == 0 && row.Named:
		v := c.plainItem(tool.String, item)
		if word, ok := tool.LookupWord(row.Values, v.text); ok {
			v.text = word.Name
		}
		return v
	case len(item.props) == 0:
		m.add(name, -1, c.plainItem(tool.String, item))
	case first.Kind() == syntax.Scalar && first.Value().Kind() != syntax.Map: // `- name` with keys below
		m.add(name, -1, c.scalar(tool.String, item, first.Value()))
		m.fill(item.props)
	case !item.props[0].IsAuthorName || model.KeyOf(first) != item.props[0].Key:
		m.fill(item.props)
	case strings.EqualFold(item.props[0].WrittenName(), name) && !item.props[0].value.IsZero(): // `- NAME: x`
		m.add(name, -1, c.single(tool.String, item.props[0].body))
		m.fill(item.props[1:])
	default:
		named := item.props[0]
		named.props = item.props[1:]
		return c.namedItem(row, named)
	}
	if row.Named && len(m.members) == 1 && row.Fields[0].Required && m.members[0].key == name {
		return m.members[0].value // nothing but the name
	}
	return m.value()
}

// namedItem converts a name of the author's with what is below it. The name becomes the value of the
// first key.
func (c *converter) namedItem(row *tool.Field, p prop) value {
	m := (&mapping{c: c}).below(row)
	m.add(row.Fields[0].Name, p.start, value{text: unquoted(tool.String, p.WrittenName(), false)})
	if !p.value.IsZero() && p.value.Kind() != syntax.Map || p.isTextBlock() {
		m.addOneLine(p)
	}
	m.fill(p.props)
	return m.value()
}

// addOneLine adds the single value after a name of the author's.
func (m *mapping) addOneLine(p prop) {
	switch m.place {
	case "templates":
		m.add("content", p.start, m.c.single(tool.String, p.body))
	case "on_error":
		m.add("then", p.start, m.c.single(tool.String, p.body))
	case "gather", "fields":
		m.c.mark(p.span(p.value))
		m.addFieldWord(sourceOf(p.value), p.body)
	default:
		m.c.loseBelow(p.body, "The value")
	}
}

// anything converts what has no rows: maps, lists and single values as they are. Keys that ABL
// writes in capitals are in lower case.
func (c *converter) anything(b body) value {
	switch {
	case len(b.props) > 0 && len(b.items) > 0:
		return c.loseBelow(b, "The list with keys beside it")
	case len(b.items) > 0:
		v := value{isList: true}
		for _, item := range b.items {
			v.members = append(v.members, &member{start: item.start, value: c.anything(item)})
		}
		return v
	case len(b.props) > 0 && b.value.Kind() != syntax.Map:
		m := &mapping{c: c}
		if !b.value.IsZero() {
			c.loseBelow(b, "The value above a block")
		}
		for _, p := range b.props {
			if p.value.Kind() == syntax.Mapping {
				writeLabelled(m, nil, p)
				continue
			}
			key := p.WrittenName()
			if key == strings.ToUpper(key) && !p.IsAuthorName {
				key = strings.ToLower(key)
			}
			m.add(key, p.start, c.anything(p.body))
		}
		return m.value()
	case b.node.Kind() == syntax.ListItem:
		return c.plainItem(tool.AnyType, b)
	}
	return c.single(tool.AnyType, b)
}
