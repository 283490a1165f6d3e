package agentyaml

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// flowSection writes FLOW with its steps.
func (w *writer) flowSection(m *yaml.Member, field *tool.Field) {
	w.key(0, m, "FLOW")
	for inner := range members(m.Value) {
		known := projectfile.OwnField(field, inner.Key.Text)
		switch {
		case known == nil || isNull(inner.Value):
		case inner.Key.Text == "steps":
			for step := range members(inner.Value) {
				w.unit(spanOf(&step), step.Value, known.Each, func() { w.step(&step, known.Each) })
			}
		default:
			w.pair(2, &inner, inner.Key.Text)
		}
	}
}

func (w *writer) step(m *yaml.Member, in *tool.Field) {
	w.key(2, m, m.Key.Text)
	for inner := range members(m.Value) {
		field := projectfile.OwnField(in, inner.Key.Text)
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
		known := projectfile.OwnField(field, inner.Key.Text)
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
	w.dash(indent, item)
	name := item
	if item.Kind == yaml.Map {
		name = at(item, nameKey)
	}
	switch {
	case name == nil:
	case isPlainInABL(name.Text) && !strings.ContainsAny(name.Text, " :,\n"):
		w.bare(name)
	default:
		w.quoted(name)
	}
	w.others(indent+2, item, nameKey, in)
}

// others writes the members of an object except one, which is written already.
func (w *writer) others(indent int, n *yaml.Node, except string, in *tool.Field) {
	for m := range members(n) {
		if field := projectfile.OwnField(in, m.Key.Text); field != nil && m.Key.Text != except {
			w.action(indent, n, &m, field)
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
	w.others(indent+2, item, nameKey, in)
}
