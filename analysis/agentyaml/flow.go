package agentyaml

import (
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// flowSection writes FLOW with its steps.
func (w *writer) flowSection(m *yaml.Member, field *tool.Field) {
	w.key(0, m, "FLOW")
	for inner := range members(m.Value) {
		known := row(field, inner.Key.Text)
		switch {
		case known == nil || isNull(inner.Value):
		case inner.Key.Text == "steps":
			for step := range members(inner.Value) {
				w.step(&step, known.Each)
			}
		default:
			w.key(2, &inner, inner.Key.Text)
			w.write(" ")
			w.bare(inner.Value)
		}
	}
}

func (w *writer) step(m *yaml.Member, in *tool.Field) {
	w.key(2, m, m.Key.Text)
	for inner := range members(m.Value) {
		field := row(in, inner.Key.Text)
		switch {
		case field == nil:
		case inner.Key.Text == "gather":
			w.stepGather(&inner, field)
		case inner.Key.Text == "on_no_input":
			if get(m.Value, "voice_config", "voiceConfig", "voice") == nil {
				w.key(4, &inner, "VOICE")
			}
			w.key(6, &inner, "ON_NO_INPUT")
			w.valueBelow(6, inner.Value)
		default:
			w.action(4, m.Value, &inner, field)
		}
	}
}

// stepGather writes the fields that a step collects.
func (w *writer) stepGather(m *yaml.Member, field *tool.Field) {
	w.key(4, m, "GATHER")
	for inner := range members(m.Value) {
		known := row(field, inner.Key.Text)
		switch {
		case known == nil:
		case inner.Key.Text == "fields":
			w.key(6, &inner, "FIELDS")
			for _, item := range inner.Value.Items {
				w.namedItem(8, item, "name", known)
			}
		default:
			w.member(6, &inner, known)
		}
	}
}

// namedItem writes an item of a list that begins with its name.
func (w *writer) namedItem(indent int, item *yaml.Node, nameKey string, in *tool.Field) {
	w.item(indent, item)
	w.afterDash = false
	name := item
	if item.Kind == yaml.Map {
		name = at(item, nameKey)
	}
	if name != nil {
		w.bare(name)
	}
	for m := range members(item) {
		if field := row(in, m.Key.Text); field != nil && m.Key.Text != nameKey {
			w.action(indent+2, item, &m, field)
		}
	}
}

// namedBlock writes an object of a list as a block below its name.
func (w *writer) namedBlock(indent int, item *yaml.Node, nameKey string, in *tool.Field) {
	m := item.Member(nameKey)
	if m == nil {
		return
	}
	w.newLine(indent, w.endOfLine(m.Key.Span.End))
	w.flowKey(m.Value)
	w.write(":")
	for inner := range members(item) {
		if field := row(in, inner.Key.Text); field != nil && inner.Key.Text != nameKey {
			w.action(indent+2, item, &inner, field)
		}
	}
}
