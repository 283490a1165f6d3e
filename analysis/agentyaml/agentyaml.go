// Package agentyaml reads an agent in YAML: it writes the ABL text that means the same, and notes
// where each part of it comes from. All that is known of agents is then known of it, too.
//
// What the dialect does not have is not in the ABL text: keys that the platform ignores, and values
// that their keys do not take. The schema table says what these are, see [section.YAMLAgent].
package agentyaml

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Agent is an agent in YAML with the ABL text that means the same. It never changes.
type Agent struct {
	ABL    string
	Pieces []text.Piece // where its parts come from, in the order of ABL
	Units  []Unit

	source *yaml.Document
}

// Generate returns the agent in ABL. before is the previous version of the same file, or nil: units
// that have not changed are copied from it, and the result is the same.
func Generate(doc *yaml.Document, before *Agent) *Agent {
	w := newWriter(doc, before)
	w.root(doc.Root())
	w.writeComments(0, len(w.src)+1)
	w.endLine()
	return &Agent{ABL: w.out.String(), Pieces: w.pieces, Units: w.units, source: doc}
}

// root writes the sections.
func (w *writer) root(root *yaml.Node) {
	hasAgent := at(root, "agent") != nil
	for m := range members(root) {
		field := projectfile.OwnField(section.YAMLAgent(), m.Key.Text)
		if field == nil || isNull(m.Value) || !fits(m.Value, field) || m.Key.Text == "supervisor" && hasAgent {
			continue
		}
		if m.Key.Text == "tools" || m.Key.Text == "flow" { // they have units
			w.section(&m, field)
			continue
		}
		w.unit(spanOf(&m), m.Value, field, func() { w.section(&m, field) })
	}
}

// spanOf returns the span of a member.
func spanOf(m *yaml.Member) text.Span {
	return text.Span{Start: m.Key.Span.Start, End: max(m.Key.Span.End, m.Value.Span.End)}
}

func (w *writer) section(m *yaml.Member, field *tool.Field) {
	switch m.Key.Text {
	case "agent", "supervisor":
		w.valueOrKey(m, "name", twin(field), (*writer).bare)
	case "goal", "persona":
		w.textOrKey(m, "description", twin(field))
	case "version":
		w.key(0, m, twin(field))
		w.write(" ")
		w.quoted(m.Value)
	case "limitations":
		w.key(0, m, twin(field))
		for _, item := range m.Value.Items {
			if isNull(item) {
				continue
			}
			w.dash(2, item)
			if described := at(item, "description"); described != nil {
				item = described
			}
			w.text(2, item)
		}
	case "tools":
		w.tools(m, field)
	case "gather":
		w.gather(m, field)
	case "memory":
		w.memory(m, field)
	case "constraints":
		w.constraints(m)
	case "guardrails":
		w.guardrails(m, field)
	case "escalate":
		w.escalate(m, field)
	case "on_error":
		w.onError(m, field)
	case "templates":
		w.templates(m)
	case "flow":
		w.flowSection(m, field)
	case "mode", "nlu":
	default:
		w.member(0, m, field)
	}
}

// isNull reports whether a value is a written null, which counts as no value. What is not written
// yet is empty instead.
func isNull(n *yaml.Node) bool { return n.Kind == yaml.Null && !n.IsEmpty() }

// at returns the value of a key, nil if there is none.
func at(n *yaml.Node, key string) *yaml.Node {
	if value := n.Get(key); value != nil && !isNull(value) {
		return value
	}
	return nil
}

// members yields the members of a map that count: each key once.
func members(n *yaml.Node) func(yield func(yaml.Member) bool) {
	return func(yield func(yaml.Member) bool) {
		if n == nil || n.Kind != yaml.Map {
			return
		}
		for _, m := range n.Members {
			if !m.Duplicate && !yield(m) {
				return
			}
		}
	}
}

// twin returns the name that a key has in ABL.
func twin(field *tool.Field) string {
	if field.Twin == nil {
		return strings.ToUpper(field.Name)
	}
	return field.Twin.Name
}

// valueOrKey writes a section whose value is on the key's line, or below a key of its own.
func (w *writer) valueOrKey(m *yaml.Member, inner, name string, write func(*writer, *yaml.Node)) {
	value := m.Value
	if value.Kind == yaml.Map {
		if value = at(value, inner); value == nil {
			return
		}
	}
	w.key(0, m, name)
	w.write(" ")
	write(w, value)
}

func (w *writer) textOrKey(m *yaml.Member, inner, name string) {
	w.valueOrKey(m, inner, name, func(w *writer, n *yaml.Node) { w.text(0, n) })
}

// member writes a member of a map, as its field says.
func (w *writer) member(indent int, m *yaml.Member, field *tool.Field) {
	n := m.Value
	if !fits(n, field) || isNull(n) && field.Type != tool.AnyType {
		return
	}
	w.key(indent, m, twin(field))
	switch {
	case n.IsScalar():
		w.write(" ")
		w.single(indent, n, field)
	case n.Kind == yaml.List:
		w.list(indent, n, field)
	case len(field.Fields) > 0:
		w.object(indent+2, n, field)
	default:
		w.named(indent+2, n, field.Each)
	}
}

// fits reports whether a key takes the value; others are dropped. An empty one is not written yet.
func fits(n *yaml.Node, field *tool.Field) bool {
	return n.Kind == yaml.Null || projectfile.HasShape(field, n)
}

// single writes a value that is neither a list nor a map.
func (w *writer) single(indent int, n *yaml.Node, field *tool.Field) {
	isName := field != nil && field.Ref != tool.NoRef && field.Ref != tool.RefTemplate // what is said may be a template's name
	isMapping := field != nil && field.Name == "store"                                 // `value -> path`
	if isName || isMapping || field != nil && (field.Type != tool.String && field.Type != tool.AnyType && field.Type != tool.Block && field.Type != tool.MapType) {
		w.bare(n)
		return
	}
	w.text(indent, n)
}

// list writes a list: in brackets if it is so in the source, or if it has names.
func (w *writer) list(indent int, n *yaml.Node, field *tool.Field) {
	if len(n.Items) == 0 || field.Type == tool.ListType && (n.Style == yaml.Flow || field.Ref != tool.NoRef) {
		w.write(" ")
		w.flow(n)
		return
	}
	for _, item := range n.Items {
		if isNull(item) {
			continue
		}
		w.item(indent+2, item)
		if item.Kind == yaml.Map && len(field.Fields) > 0 {
			w.object(indent+4, item, field)
		} else {
			w.value(indent+2, item)
		}
		w.afterDash = false
	}
}

// object writes the members that the fields list, and of an open map the others, too.
func (w *writer) object(indent int, n *yaml.Node, in *tool.Field) {
	for m := range members(n) {
		switch field := projectfile.OwnField(in, m.Key.Text); {
		case field != nil && in.Name == "tool_results" && field.Twin == nil: // ABL does not have it
		case field != nil:
			w.action(indent, n, &m, field)
		case in.Open:
			w.key(indent, &m, m.Key.Text)
			w.valueBelow(indent, m.Value)
		}
	}
}

// named writes a map whose keys are the author's.
func (w *writer) named(indent int, n *yaml.Node, each *tool.Field) {
	for m := range members(n) {
		if isNull(m.Value) && each != nil && each.Type == tool.String {
			continue
		}
		w.key(indent, &m, m.Key.Text)
		switch {
		case m.Value.Kind == yaml.Map && each != nil && len(each.Fields) > 0:
			w.object(indent+2, m.Value, each)
		case m.Value.IsScalar() && each != nil:
			w.write(" ")
			w.single(indent, m.Value, each)
		default:
			w.valueBelow(indent, m.Value)
		}
	}
}

// valueBelow writes a value after a key.
func (w *writer) valueBelow(indent int, n *yaml.Node) {
	switch {
	case n.Style == yaml.Flow:
		w.write(" ")
		w.flow(n)
	case n.Kind == yaml.Map:
		w.named(indent+2, n, nil)
	case n.Kind == yaml.List:
		for _, item := range n.Items {
			w.item(indent+2, item)
			w.value(indent+2, item)
			w.afterDash = false
		}
	default:
		w.write(" ")
		w.text(indent, n)
	}
}

// value writes a value after the dash of an item.
func (w *writer) value(indent int, n *yaml.Node) {
	switch {
	case n.Style == yaml.Flow:
		w.afterDash = false
		w.flow(n)
	case n.Kind == yaml.Map:
		w.named(indent+2, n, nil)
	case n.Kind == yaml.List:
		w.afterDash = false
		w.flow(n)
	default:
		w.afterDash = false
		w.text(indent, n)
	}
}
