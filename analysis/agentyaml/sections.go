package agentyaml

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// gather writes GATHER.
func (w *writer) gather(m *yaml.Member, field *tool.Field) {
	list, items := m.Value, projectfile.ItemField(field)
	if list.Kind == yaml.Map {
		list = at(list, "fields")
	}
	w.key(0, m, "GATHER")
	if list != nil {
		for _, item := range list.Items {
			w.namedBlock(2, item, "name", items)
		}
	}
}

// memory writes MEMORY.
func (w *writer) memory(m *yaml.Member, field *tool.Field) {
	w.key(0, m, "MEMORY")
	for inner := range members(m.Value) {
		known := projectfile.OwnField(field, inner.Key.Text)
		if known == nil {
			continue
		}
		w.key(2, &inner, inner.Key.Text)
		for _, item := range inner.Value.Items {
			switch key := inner.Key.Text; {
			case isNull(item):
			case key == "session":
				w.namedItem(4, item, "name", known)
			case key == "persistent":
				w.namedItem(4, item, "path", known)
			case key == "remember":
				w.remember(item, known)
			default:
				w.item(4, item)
				w.object(6, item, known)
				w.afterDash = false
			}
		}
	}
}

// remember writes an item with `STORE: value -> target`.
func (w *writer) remember(item *yaml.Node, in *tool.Field) {
	w.item(4, item)
	for m := range members(item) {
		field := projectfile.OwnField(in, m.Key.Text)
		switch {
		case field == nil:
		case m.Key.Text == "store" && m.Value.Kind == yaml.Map:
			w.key(6, &m, "STORE")
			w.write(" ")
			if value := at(m.Value, "value"); value != nil {
				w.bare(value)
			}
			w.write(" -> ")
			if target := at(m.Value, "target"); target != nil {
				w.bare(target)
			}
		default:
			w.member(6, &m, field)
		}
	}
	w.afterDash = false
}

// constraints writes CONSTRAINTS: rules, or groups of rules.
func (w *writer) constraints(m *yaml.Member) {
	w.key(0, m, "CONSTRAINTS")
	areGroups := len(m.Value.Items) > 0 && at(m.Value.Items[0], "requirements") != nil
	for _, item := range m.Value.Items {
		rules := at(item, "requirements")
		switch {
		case !areGroups:
			w.rule(2, item)
			continue
		case rules == nil:
			continue
		}
		indent := 2
		if name := at(item, "name"); name != nil {
			w.newLine(2, w.endOfLine(name.Span.Start))
			w.bare(name)
			w.write(":")
			indent = 4
		}
		for _, rule := range rules.Items {
			w.rule(indent, rule)
		}
	}
}

func (w *writer) rule(indent int, rule *yaml.Node) {
	condition := at(rule, "condition")
	if condition == nil {
		return
	}
	w.dash(indent, rule)
	kind := at(rule, "kind")
	switch {
	case at(rule, "severity").StringValue() == "warning":
		w.writeFrom("WARN", at(rule, "severity").TextSpan())
	case kind.StringValue() != "":
		w.writeFrom(strings.ToUpper(kind.Text), kind.TextSpan())
	default:
		w.writeFrom("REQUIRE", rule.Member("condition").Key.TextSpan())
	}
	w.write(" ")
	w.bare(condition)
	w.before(at(rule, "before"))
	if when := rule.Member("when"); when != nil {
		w.pair(indent+2, when, "WHEN")
	}
	if fail := rule.Member("on_fail"); fail != nil {
		w.onFail(indent+2, fail)
	}
}

// before writes the point before which a rule is checked.
func (w *writer) before(n *yaml.Node) {
	switch {
	case n.StringValue() != "":
		w.write(" BEFORE ")
		w.bare(n)
	case at(n, "target") != nil && at(n, "kind").StringValue() != "respond":
		w.write(" BEFORE calling ")
		w.bare(at(n, "target"))
	case at(n, "kind").StringValue() == "respond":
		w.write(" BEFORE ")
		w.writeFrom("returning results", at(n, "kind").TextSpan())
	case at(n, "raw") != nil:
		w.write(" BEFORE ")
		w.bare(at(n, "raw"))
	}
}

// onFail writes what happens if a rule does not hold.
func (w *writer) onFail(indent int, m *yaml.Member) {
	w.key(indent, m, "ON_FAIL")
	n := m.Value
	if n.Kind != yaml.Map {
		w.write(" ")
		w.text(indent, n)
		return
	}
	action := at(n, "action")
	below := func(name string, m *yaml.Member, write func(*yaml.Node)) {
		if m != nil {
			w.key(indent+2, m, name)
			w.write(" ")
			write(m.Value)
		}
	}
	words := func(n *yaml.Node) { w.text(indent+2, n) }
	switch action.StringValue() {
	case "escalate":
		w.write(" ")
		w.writeFrom("ESCALATE", action.TextSpan())
		if reason := at(n, "reason"); reason != nil {
			w.write(" with REASON: ")
			w.quoted(reason)
		}
	case "handoff":
		w.write(" ")
		w.writeFrom("HANDOFF", action.TextSpan())
		if target := at(n, "target"); target != nil {
			w.write(" ")
			w.bare(target)
		}
	case "block":
		w.write(" ")
		w.writeFrom("BLOCK", action.TextSpan())
	case "collect_field":
		below("RESPOND", n.Member("message"), words)
		below("COLLECT", get(n, "collect_fields", "collect_field"), w.bare)
		below("THEN", n.Member("then"), w.bare)
	case "goto_step":
		below("RESPOND", n.Member("respond"), words)
		below("GOTO", n.Member("step"), w.bare)
	case "retry_step":
		below("RESPOND", get(n, "respond", "message"), words)
		w.key(indent+2, n.Member("action"), "RETRY")
		w.write(" true")
	default:
		if message := at(n, "message"); message != nil {
			w.write(" ")
			w.text(indent, message)
		}
	}
}

// guardrails writes GUARDRAILS. ABL has no defaults for kind and action.
func (w *writer) guardrails(m *yaml.Member, field *tool.Field) {
	w.key(0, m, "GUARDRAILS")
	for _, item := range m.Value.Items {
		if at(item, "name") == nil {
			continue
		}
		w.namedBlock(2, item, "name", field)
		for _, one := range []struct{ key, otherwise string }{{"kind", "input"}, {"action", "block"}} {
			if at(item, one.key) == nil {
				w.newLine(4, 0)
				w.write(one.key + ": " + one.otherwise)
			}
		}
	}
}

// escalate writes ESCALATE.
func (w *writer) escalate(m *yaml.Member, field *tool.Field) {
	w.key(0, m, "ESCALATE")
	for inner := range members(m.Value) {
		known := projectfile.OwnField(field, inner.Key.Text)
		switch {
		case known == nil:
		case inner.Key.Text == "on_human_complete":
			w.key(2, &inner, inner.Key.Text)
			for _, item := range inner.Value.Items {
				w.humanComplete(item)
			}
		default:
			w.key(2, &inner, inner.Key.Text)
			for _, item := range inner.Value.Items {
				if item.Kind == yaml.Map {
					w.item(4, item)
					w.object(6, item, known)
					w.afterDash = false
				}
			}
		}
	}
}

func (w *writer) humanComplete(item *yaml.Node) {
	w.dash(4, item)
	if condition := item.Member("condition"); condition != nil {
		w.writeFrom("IF", condition.Key.TextSpan())
		w.write(" ")
		w.bare(condition.Value)
		w.write(": ")
	}
	if action := at(item, "action"); action != nil {
		w.bare(action)
	}
}

// onError writes ON_ERROR, which is a map there.
func (w *writer) onError(m *yaml.Member, field *tool.Field) {
	w.key(0, m, "ON_ERROR")
	for _, item := range m.Value.Items {
		w.namedBlock(2, item, "type", field)
	}
}

// templates writes TEMPLATES, which is a map there.
func (w *writer) templates(m *yaml.Member) {
	w.key(0, m, "TEMPLATES")
	for _, item := range m.Value.Items {
		name, content := item.Member("name"), item.Member("content")
		if name == nil {
			continue
		}
		w.newLine(2, w.endOfLine(name.Key.Span.End))
		w.flowKey(name.Value)
		w.write(":")
		if content != nil && !isNull(content.Value) {
			w.write(" ")
			w.text(2, content.Value)
		}
	}
}
