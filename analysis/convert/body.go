package convert

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// body is what follows a key or a dash in ABL.
type body struct {
	node   syntax.Node
	offset int // of the node's entry in the file
	start  int // in the file
	value  syntax.Node
	props  []prop
	items  []body
	prose  string    // the text below a key without a value
	whole  text.Span // in the file
}

// prop is a property with what follows it.
type prop struct {
	model.Property
	body
}

// section returns a section as a property.
func (c *converter) section(s syntax.Section) prop {
	p := model.HeadProperty(c.file.Kind, s.Name(), s.Head.Root())
	b := bodyOf(p, s.Head.Offset)
	b.whole = s.Span()
	if s.ContinuesFlow && len(s.Entries) > 0 {
		b.start = s.Entries[0].Offset
		p.Field = model.SectionField(c.file.Kind, s.Name())
	}
	if info, _ := model.LookupSection(s.Name()); info.Shape == model.TextShape && len(s.Entries) > 0 {
		b.prose = c.prose(s)
		return prop{p, b}
	}
	for _, e := range s.Entries {
		props := propsOf(model.SectionProperties(c.file.Kind, s.Name(), e.Root()), e.Offset)
		if e.Kind() == syntax.ListItem {
			b.items = append(b.items, itemBody(e.Root(), props, e.Offset))
		} else {
			b.props = append(b.props, props...)
		}
	}
	return prop{p, b}
}

// prose returns the text below the keyword of a section, without its comments.
func (c *converter) prose(s syntax.Section) string {
	comments := map[int]int{} // the offset of the comment on a line
	for _, e := range s.Entries {
		for n := range e.Root().Preorder() {
			if n.Kind() == syntax.Comment {
				at := e.Offset + n.Span().Start
				comments[c.lines.Line(at)] = at
			}
		}
	}
	var lines []string
	for line := c.lines.Line(s.Entries[0].Offset); line <= c.lines.Line(s.Span().End-1); line++ {
		span := c.lines.LineText(line)
		at, commented := comments[line]
		if commented {
			span.End = at
		}
		written := strings.TrimRight(c.lines.Text()[span.Start:span.End], " \t\r")
		if strings.TrimLeft(written, " \t") == "" && commented {
			continue
		}
		c.mark(span)
		lines = append(lines, written)
	}
	return strings.Join(dedented(lines), "\n")
}

// dedented returns lines without the indentation that all have.
func dedented(lines []string) []string {
	cut := -1
	for _, line := range lines {
		if body := strings.TrimLeft(line, " \t"); body != "" && (cut < 0 || len(line)-len(body) < cut) {
			cut = len(line) - len(body)
		}
	}
	for i, line := range lines {
		lines[i] = line[min(max(cut, 0), len(line)):]
	}
	return lines
}

func propsOf(list []model.Property, offset int) (props []prop) {
	for _, p := range list {
		props = append(props, prop{p, bodyOf(p, offset)})
	}
	return props
}

func bodyOf(p model.Property, offset int) body {
	b := body{node: p.Node, offset: offset, start: offset + p.Key.Span().Start, value: p.Value, whole: p.Node.Span().Shift(offset)}
	own := slices.DeleteFunc(slices.Clone(p.Properties()), func(below model.Property) bool { return isInItem(below.Node, p.Node) })
	b.props = propsOf(own, offset)
	b.prose = syntax.Unquote(strings.Trim(p.Block().BlockContent(), "\n"))
	for _, item := range p.Items() {
		b.items = append(b.items, itemBody(item.Node, propsOf(item.Properties(), offset), offset))
	}
	if p.Value.Kind() == syntax.Assignment {
		b.props = []prop{assigned(p.Value, offset)}
	}
	return b
}

// isInItem reports whether a node is in an item of a list that is below another node.
func isInItem(n, below syntax.Node) bool {
	for n = n.Parent(); !n.IsZero() && n != below; n = n.Parent() {
		if n.Kind() == syntax.ListItem {
			return true
		}
	}
	return false
}

// assigned returns `name = expression` as a property.
func assigned(n syntax.Node, offset int) prop {
	p := model.Property{Node: n, Key: model.KeyOf(n), Value: n.Value(), IsAuthorName: true}
	return prop{p, bodyOf(p, offset)}
}

func itemBody(n syntax.Node, props []prop, offset int) body {
	b := body{node: n, offset: offset, start: offset + n.Span().Start, props: props, whole: n.Span().Shift(offset)}
	if first := n.FirstBlockChild(); first.Kind() == syntax.Assignment {
		b.props = []prop{assigned(first, offset)}
	} else if len(props) == 0 {
		b.value = model.Item{Node: n}.Value()
	}
	return b
}

// span returns the place of a node in the file.
func (b body) span(n syntax.Node) text.Span { return n.Span().Shift(b.offset) }

// keySpan returns the place of the key in the file.
func (p prop) keySpan() text.Span { return p.span(p.Key) }

// isTextBlock reports whether the value is the lines below the key.
func (b body) isTextBlock() bool {
	return b.value.IsZero() && len(b.props) == 0 && len(b.items) == 0 && b.prose != ""
}
