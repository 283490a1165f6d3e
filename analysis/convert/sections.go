package convert

import (
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// writeGather adds the fields to collect, which ABL has by their name.
func writeGather(m *mapping, row *tool.Field, p prop) {
	list, others := fieldsIn(p)
	for _, other := range others {
		m.c.loseProp(other)
	}
	m.add(row.Name, p.start, m.c.blockList(&tool.Field{Name: row.Name, Fields: row.Items}, list))
}

// writeStepGather adds the fields that a step collects, and how it does.
func writeStepGather(m *mapping, row *tool.Field, p prop) {
	gather := m.below(row)
	fields, _ := tool.Find(row.Fields, "fields")
	list, others := fieldsIn(p)
	gather.fill(others)
	if !p.value.IsZero() && p.value.Kind() != syntax.List {
		gather.add(fields.Name, -1, m.c.fieldsOnLine(p.body, fields))
	} else {
		gather.add(fields.Name, -1, m.c.blockList(fields, list))
	}
	m.add(row.Name, p.start, gather.value())
}

// fieldsIn returns the fields to collect below a key, and the keys of the language there.
func fieldsIn(p prop) (list body, others []prop) {
	list = body{node: p.node, offset: p.offset, items: p.items}
	for _, below := range p.props {
		if below.Field != nil {
			others = append(others, below)
		} else {
			list.props = append(list.props, below)
		}
	}
	return list, others
}

// fieldsOnLine converts fields that are all on one line: `a, b: optional, c: default=2`.
func (c *converter) fieldsOnLine(b body, fields *tool.Field) value {
	v := value{isList: true}
	c.mark(b.span(b.value))
	for one := range strings.SplitSeq(sourceOf(b.value), ",") {
		name, word, _ := strings.Cut(one, ":")
		m := (&mapping{c: c}).below(fields)
		m.text("name", unquoted(tool.String, strings.TrimSpace(name), false))
		m.addFieldWord(strings.TrimSpace(word), b)
		v.addItem(-1, m.value())
	}
	return v
}

// addFieldWord adds the word after the name of a field to collect.
func (m *mapping) addFieldWord(word string, b body) {
	preset, isDefault := strings.CutPrefix(word, "default=")
	switch lower := strings.ToLower(word); {
	case word == "":
	case lower == "required" || lower == "optional":
		m.text("required", strconv.FormatBool(lower == "required"))
	case isDefault:
		m.text("default", unquoted(tool.AnyType, strings.TrimSpace(preset), false))
	default:
		m.c.loseAs(b.span(b.value), b.span(b.value), "The word `"+word+"`")
	}
}

// writeConstraints adds rules. Those below a label are a group; if there is one, all are in groups.
func writeConstraints(m *mapping, row *tool.Field, p prop) {
	v := m.c.rules(row, p.items)
	if len(p.props) > 0 && len(v.members) > 0 {
		group := &mapping{c: m.c}
		group.add("requirements", -1, v)
		v = value{isList: true}
		v.addItem(-1, group.value())
	}
	for _, label := range p.props {
		if !label.value.IsZero() || len(label.items) == 0 {
			m.c.loseProp(label)
			continue
		}
		group := &mapping{c: m.c}
		group.text("name", unquoted(tool.String, label.WrittenName(), false))
		group.add("requirements", -1, m.c.rules(row, label.items))
		v.addItem(label.start, group.value())
	}
	m.add(row.Name, p.start, v)
}

// rules converts the rules of a list.
func (c *converter) rules(row *tool.Field, items []body) value {
	v := value{isList: true}
	for _, item := range items {
		n := item.node.FirstBlockChild()
		if n.Kind() != syntax.Rule || n.Child(syntax.FieldCondition).IsZero() {
			c.loseAs(item.whole, item.span(n), "An item that is no rule")
			continue
		}
		m := &mapping{c: c, place: "rule", rows: row.Fields}
		m.add("condition", -1, c.scalar(tool.Expr, item, n.Child(syntax.FieldCondition)))
		kind := strings.ToLower(n.KeyNode().Text())
		if kind == "warn" {
			m.text("severity", "warning")
			kind = "require"
		}
		m.text("kind", kind)
		if before := n.Child(syntax.FieldBefore); !before.IsZero() {
			m.text("before", unquoted(tool.String, strings.TrimSpace(sourceOf(before)[len("BEFORE"):]), false))
		}
		m.fill(item.props)
		v.addItem(item.start, m.value())
	}
	return v
}

// failure matches what a rule does where it fails, if that is no text.
var failure = lazyregexp.New(`^(?:(BLOCK)|HANDOFF\s+(\S+)|ESCALATE(?:\s+with\s+REASON:\s*(.*))?)$`)

// writeRuleFailure adds what happens where a rule fails: a text, or an action with its keys.
func writeRuleFailure(m *mapping, _ *tool.Field, p prop) {
	parts := failure.FindStringSubmatch(sourceOf(p.value))
	if parts == nil || p.value.Kind() == syntax.String {
		if len(p.props) == 0 && len(p.items) == 0 {
			m.add("on_fail", p.start, m.c.single(tool.String, p.body))
		} else {
			m.addFailureBlock(p)
		}
		return
	}
	m.c.mark(p.span(p.value))
	switch {
	case parts[2] != "":
		m.addFailure(p.start, "handoff", "target", parts[2])
	case parts[1] != "":
		m.addFailure(p.start, "block", "", "")
	default:
		m.addFailure(p.start, "escalate", "reason", parts[3])
	}
}

// failures are the actions of a rule's failure, by the key of a block in ABL, with the other keys
// that each has. The first of them that a block has is its action.
func failures() []struct {
	key, action string
	rows        map[string]string
} {
	return []struct {
		key, action string
		rows        map[string]string
	}{
		{"GOTO", "goto_step", map[string]string{"GOTO": "step", "RESPOND": "respond"}},
		{"COLLECT", "collect_field", map[string]string{"COLLECT": "collect_fields", "THEN": "then"}},
		{"HANDOFF", "handoff", map[string]string{"HANDOFF": "target"}},
		{"ESCALATE", "escalate", map[string]string{"ESCALATE": "reason"}},
		{"RESPOND", "respond", map[string]string{"RESPOND": "message"}},
		{"RETRY", "retry_step", map[string]string{"RETRY": ""}},
	}
}

// addFailureBlock adds a block of actions where a rule fails. YAML can say one of them.
func (m *mapping) addFailureBlock(p prop) {
	m.c.mark(p.keySpan())
	failure := &mapping{c: m.c}
	for _, kind := range failures() {
		if !slices.ContainsFunc(p.props, func(below prop) bool { return below.Name() == kind.key }) {
			continue
		}
		failure.text("action", kind.action)
		for _, below := range p.props {
			switch key, ok := kind.rows[below.Name()]; {
			case !ok:
				m.c.loseProp(below)
			case key == "collect_fields":
				failure.add(key, below.start, m.c.list(below.body))
			case key != "" && !below.IsEmpty():
				failure.add(key, below.start, m.c.single(tool.String, below.body))
			default:
				m.c.mark(below.whole)
			}
		}
		break
	}
	if message := failure.find("message"); message != nil { // a text says the same
		m.add("on_fail", p.start, message.value)
		return
	}
	m.add("on_fail", p.start, failure.value())
}

// addFailure adds an action of a rule's failure with its one key.
func (m *mapping) addFailure(start int, action, key, written string) {
	failure := &mapping{c: m.c}
	failure.text("action", action)
	if written != "" {
		failure.text(key, requotedOr(written))
	}
	m.add("on_fail", start, failure.value())
}

// writeFlow adds the steps of a flow, a map by their names.
func writeFlow(m *mapping, row *tool.Field, p prop) {
	flow := m.below(row)
	steps, _ := tool.Find(row.Fields, "steps")
	for _, below := range p.props {
		switch {
		case below.Name() == steps.Name:
			flow.addSteps(steps, below)
		case below.IsAuthorName:
			flow.addStep(steps, below)
		default:
			flow.fill([]prop{below})
		}
	}
	flow.addEntry(m.c.flow)
	m.add(row.Name, p.start, flow.value())
}

// addSteps adds the steps that are below `steps:`, and leaves out the list of names.
func (m *mapping) addSteps(steps *tool.Field, list prop) {
	m.c.mark(text.Span{Start: list.start, End: list.start + len(list.Key.Text())})
	m.c.mark(list.span(list.value))
	for _, item := range list.items {
		m.c.mark(text.Span{Start: item.start, End: item.start})
	}
	for _, p := range allProps(list.body) {
		if len(p.props) > 0 {
			m.addStep(steps, p)
		}
	}
}

func (m *mapping) addStep(steps *tool.Field, p prop) {
	m.c.mark(p.keySpan())
	step := &mapping{c: m.c}
	step.add(p.WrittenName(), p.start, m.c.value(steps.Each, p.body))
	m.add(steps.Name, -1, step.value())
}

// addEntry adds the first step if the list of names begins with another one than the blocks do. The
// names of steps that have no block are lost.
func (m *mapping) addEntry(flow *model.Flow) {
	if flow == nil {
		return
	}
	for _, listed := range flow.List {
		if step, ok := flow.Step(listed.Name); !ok || step.Form != model.BlockStep {
			m.c.loseAs(listed.Span, listed.Span, "The step `"+listed.Name+"`, which has no block,")
		}
	}
	if flow.Entry == nil && len(flow.List) > 0 && len(flow.Steps) > 0 && flow.List[0].Name != flow.Steps[0].Name {
		m.members = slices.Insert(m.members, 0, &member{key: "entry_point", start: -1, value: value{text: flow.List[0].Name}})
	}
}
