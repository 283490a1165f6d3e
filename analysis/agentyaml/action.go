package agentyaml

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// get returns the member with the first of the keys that a map has, nil if it has none.
func get(n *yaml.Node, keys ...string) *yaml.Member {
	for _, key := range keys {
		if m := n.Member(key); m != nil && !isNull(m.Value) {
			return m
		}
	}
	return nil
}

// withCall are the keys that are written below CALL.
var withCall = []string{"call_with", "callWith", "call_as", "callAs", "result_key", "resultKey"}

// action writes a member of an object in which actions may stand.
func (w *writer) action(indent int, around *yaml.Node, m *yaml.Member, field *tool.Field) {
	switch key := m.Key.Text; {
	case isNull(m.Value) && field.Type != tool.AnyType:
	case key == "call":
		w.call(indent, around, m)
	case key == "call_spec" || key == "callSpec":
		if at(around, "call") == nil {
			w.call(indent, around, m)
		}
	case slices.Contains(withCall, key):
	case key == "set":
		w.set(indent, m)
	case key == "actions" && field.Items != nil:
		w.elements(indent, m, field)
	case key == "do" && field.Named:
		w.do(indent, m, field)
	case key == "on_input" || key == "on_result":
		w.key(indent, m, twin(field))
		w.branches(indent+2, m.Value, field)
	case key == "on_success" || key == "on_failure":
		w.outcome(indent, m, field)
	default:
		w.member(indent, m, field)
	}
}

// call writes CALL with what is below it.
func (w *writer) call(indent int, around *yaml.Node, m *yaml.Member) {
	spec := get(around, "call_spec", "callSpec")
	var with, as, name *yaml.Member
	if spec != nil {
		with, as, name = spec.Value.Member("with"), spec.Value.Member("as"), spec.Value.Member("tool")
	}
	if m.Key.Text == "call" {
		name = m
	}
	if own := get(around, "call_with", "callWith"); own != nil {
		with = own
	}
	if own := get(around, "call_as", "callAs", "result_key", "resultKey"); own != nil {
		as = own
	}
	if name == nil {
		return
	}
	w.key(indent, m, "CALL")
	w.write(" ")
	w.bare(name.Value)
	if with != nil {
		w.key(indent+2, with, "WITH")
		w.expressions(indent+4, with.Value)
	}
	if as != nil {
		w.pair(indent+2, as, "AS")
	}
}

// expressions writes a map of names to expressions.
func (w *writer) expressions(indent int, n *yaml.Node) {
	for m := range members(n) {
		w.key(indent, &m, m.Key.Text)
		if m.Value.Kind == yaml.Map && m.Value.Style != yaml.Flow {
			w.expressions(indent+2, m.Value)
			continue
		}
		w.write(" ")
		w.bare(m.Value)
	}
}

// set writes assignments: of a map, or of a list of variables with their expressions.
func (w *writer) set(indent int, m *yaml.Member) {
	if m.Value.Kind == yaml.List {
		w.key(indent, m, "SET")
		for _, item := range m.Value.Items {
			w.newLine(indent+2, w.endOfLine(item.Span.Start))
			w.assignment(at(item, "variable"), at(item, "expression"))
		}
		return
	}
	if n := len(m.Value.Members); n != 1 {
		w.key(indent, m, "SET")
		for one := range members(m.Value) {
			w.newLine(indent+2, w.endOfLine(one.Key.Span.End))
			w.assignment(one.Key, one.Value)
		}
		return
	}
	w.key(indent, m, "SET")
	w.write(" ")
	w.assignment(m.Value.Members[0].Key, m.Value.Members[0].Value)
}

func (w *writer) assignment(name, value *yaml.Node) {
	if name != nil {
		w.bare(name)
	}
	w.write(" = ")
	if value != nil {
		w.bare(value)
	}
}

// branches writes a list of branches.
func (w *writer) branches(indent int, n *yaml.Node, in *tool.Field) {
	for _, item := range n.Items {
		w.item(indent, item)
		condition := item.Member("condition")
		if condition != nil && condition.Value.Kind != yaml.Null {
			w.pair(indent, condition, "IF")
		} else {
			w.afterDash = false
			w.write("ELSE:")
		}
		w.others(indent+2, item, "condition", in)
	}
}

// outcome writes what follows a success or a failure: actions, and branches.
func (w *writer) outcome(indent int, m *yaml.Member, field *tool.Field) {
	w.key(indent, m, twin(field))
	for inner := range members(m.Value) {
		known := projectfile.OwnField(field, inner.Key.Text)
		switch {
		case known == nil:
		case inner.Key.Text == "branches":
			w.branches(indent+2, inner.Value, known)
		default:
			w.action(indent+2, m.Value, &inner, known)
		}
	}
}

// do writes an ordered list of actions.
func (w *writer) do(indent int, m *yaml.Member, field *tool.Field) {
	w.key(indent, m, "DO")
	for _, item := range m.Value.Items {
		w.item(indent+2, item)
		if item.IsScalar() {
			w.afterDash = false
			w.writeFrom("COMPLETE", item.TextSpan())
		} else {
			w.object(indent+4, item, field)
		}
		w.afterDash = false
	}
}

// elements writes the elements of a message that the user may act on.
func (w *writer) elements(indent int, m *yaml.Member, field *tool.Field) {
	list, items := m.Value, projectfile.ItemField(field)
	if list.Kind == yaml.Map {
		list = at(list, "elements")
	}
	w.key(indent, m, twin(field))
	if list != nil {
		for _, item := range list.Items {
			w.item(indent+2, item)
			w.object(indent+4, item, items)
			w.afterDash = false
		}
	}
	for inner := range members(m.Value) {
		if known := projectfile.OwnField(field, inner.Key.Text); known != nil && inner.Key.Text != "elements" {
			w.member(indent+2, &inner, known)
		}
	}
}
