package convert

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// shape adds a key of ABL to a map of the YAML file, by the row that has it as its twin.
type shape func(m *mapping, row *tool.Field, p prop)

// shapes returns the keys of ABL whose shape the row in YAML does not say, by the place that they
// are in, or `*` for any, and by their name.
func shapes() map[string]shape {
	return map[string]shape{
		"agent.TOOLS":                           writeTools,
		"agent.GATHER":                          writeGather,
		"agent.CONSTRAINTS":                     writeConstraints,
		"agent.FLOW":                            writeFlow,
		"agent.ACTION_HANDLERS":                 writeHandlers,
		"agent.TEMPLATE":                        writeTemplate,
		"rule.ON_FAIL":                          writeRuleFailure,
		"remember.STORE":                        writeStore,
		"templates.DEFAULT":                     writeContent,
		"voice.speed":                           writeVoiceSetting,
		"voice.temperature":                     writeVoiceSetting,
		"voice.auto_tts_language_switch":        writeVoiceSetting,
		"voice_config.speed":                    writeVoiceSetting,
		"voice_config.temperature":              writeVoiceSetting,
		"voice_config.auto_tts_language_switch": writeVoiceSetting,
		"escalate.on_human_complete":            writeHumanComplete,
		"step.GATHER":                           writeStepGather,
		"step.SET":                              writeSetList,
		"step.VOICE":                            writeStepVoice,
		"step.ON_ACTION":                        writeHandlers,
		"step.ON_SUCCESS":                       writeOutcome,
		"step.ON_FAIL":                          writeOutcome,
		"*.ELSE":                                writeElse,
		"*.CALL":                                writeCall,
		"*.HANDOFF":                             writeAgent,
		"*.DELEGATE":                            writeAgent,
		"*.ACTIONS":                             writeElements,
		"element.type":                          writeElementType,
		"element.TYPE":                          writeElementType,
		"element.BUTTON":                        writeLabelled,
		"element.SELECT":                        writeLabelled,
		"element.INPUT":                         writeLabelled,
		"element.options":                       writeOptions,
		"element.OPTIONS":                       writeOptions,
	}
}

// writeElse adds what is below ELSE: a branch without a condition.
func writeElse(m *mapping, _ *tool.Field, p prop) {
	m.c.mark(p.keySpan())
	m.fill(p.props)
}

// writeTemplate adds a template that is a section of its own, `TEMPLATE name:`.
func writeTemplate(m *mapping, _ *tool.Field, p prop) {
	row, _ := tool.Find(m.rows, "templates")
	template := m.below(row)
	_, name, _ := strings.Cut(p.WrittenName(), " ")
	template.text("name", unquoted(tool.String, strings.TrimSpace(name), false))
	if !p.value.IsZero() || p.isTextBlock() {
		template.add("content", -1, m.c.single(tool.String, p.body))
	}
	template.fill(p.props)
	if template.find("content") == nil {
		m.c.loseProp(p)
		return
	}
	list := value{isList: true}
	list.addItem(p.start, template.value())
	m.add(row.Name, -1, list)
}

// writeContent adds the text of a template.
func writeContent(m *mapping, row *tool.Field, p prop) {
	m.add("content", p.start, m.c.single(tool.String, p.body))
}

// writeVoiceSetting adds a setting of a voice that may be a text, a number or a boolean.
func writeVoiceSetting(m *mapping, row *tool.Field, p prop) {
	m.add(row.Name, p.start, m.c.single(tool.AnyType, p.body))
}

// writeCall adds a call with its arguments: next to it if the place has keys for them, else as
// call_spec.
func writeCall(m *mapping, row *tool.Field, p prop) {
	var parts, others []prop
	for _, below := range p.props {
		switch below.Name() {
		case "WITH", "AS":
			parts = append(parts, below)
		case "WHEN":
			m.c.loseProp(below)
		default:
			others = append(others, below)
		}
	}
	with, _ := tool.Find(m.rows, "call_with")
	spec, _ := tool.Find(m.rows, "call_spec")
	if with != nil || row != spec && len(parts) == 0 {
		m.add(row.Name, p.start, m.c.single(tool.String, p.body))
		m.fill(parts)
	} else {
		call := m.below(spec)
		call.add("tool", p.start, m.c.single(tool.String, p.body))
		call.fill(parts)
		m.add(spec.Name, -1, call.value())
	}
	m.fill(others)
}

// writeAgent adds the other agent of an action, whose name may be below the key.
func writeAgent(m *mapping, row *tool.Field, p prop) {
	i := slices.IndexFunc(p.props, func(below prop) bool { return below.Name() == "TO" || below.Name() == "AGENT" })
	if !row.Type.IsSingle() || !p.value.IsZero() || i < 0 {
		m.put(row, row.Name, p)
		return
	}
	m.c.mark(p.keySpan())
	m.add(row.Name, p.start, m.c.single(tool.String, p.props[i].body))
	m.fill(slices.Delete(slices.Clone(p.props), i, i+1))
}

// writeStepVoice adds VOICE of a step. What it does without input is a key of the step.
func writeStepVoice(m *mapping, row *tool.Field, p prop) {
	m.c.mark(p.keySpan())
	voice, noInput := p, []prop(nil)
	i := slices.IndexFunc(p.props, func(below prop) bool { return below.Name() == "ON_NO_INPUT" })
	if i >= 0 {
		noInput = p.props[i : i+1]
		voice.props, voice.prose = slices.Delete(slices.Clone(p.props), i, i+1), ""
	}
	m.put(row, row.Name, voice)
	m.fill(noInput)
}

// writeOutcome adds what follows a success or a failure of a step: a step, a block of actions, or
// branches.
func writeOutcome(m *mapping, _ *tool.Field, p prop) {
	if p.Name() == "ON_FAIL" && !p.value.IsZero() {
		m.add("on_fail", p.start, m.c.single(tool.String, p.body))
		return
	}
	row, _ := tool.Find(m.rows, map[string]string{"ON_SUCCESS": "on_success", "ON_FAIL": "on_failure"}[p.Name()])
	outcome := m.below(row)
	if !p.value.IsZero() {
		outcome.add("then", -1, m.c.single(tool.String, p.body))
	}
	outcome.fill(p.props)
	if branches, _ := tool.Find(row.Fields, "branches"); len(p.items) > 0 && branches != nil {
		outcome.add("branches", -1, m.c.blockList(branches, body{node: p.node, offset: p.offset, items: p.items}))
	}
	m.add(row.Name, p.start, outcome.value())
}

// writeSetList adds assignments as a list, as steps have them.
func writeSetList(m *mapping, row *tool.Field, p prop) {
	v := value{isList: true}
	for _, one := range allProps(p.body) {
		set := &mapping{c: m.c}
		set.text("variable", unquoted(tool.String, one.WrittenName(), false))
		set.add("expression", -1, m.c.expressionText(one.body))
		v.addItem(one.start, set.value())
	}
	m.add(row.Name, p.start, v)
}

// writeStore adds what is remembered, which ABL has as `value -> path` or as a block.
func writeStore(m *mapping, row *tool.Field, p prop) {
	from, to, isMapping := strings.Cut(sourceOf(p.value), "->")
	if !isMapping {
		m.put(row, row.Name, p)
		return
	}
	m.c.mark(p.span(p.value))
	store := m.below(row)
	store.text("value", unquoted(tool.Expr, strings.TrimSpace(from), false))
	store.text("target", requotedOr(strings.TrimSpace(to)))
	m.add(row.Name, p.start, store.value())
}

// writeHumanComplete adds the items `- IF condition: ACTION`.
func writeHumanComplete(m *mapping, row *tool.Field, p prop) {
	v := value{isList: true}
	for _, item := range p.items {
		n := item.node.FirstBlockChild()
		if n.Kind() != syntax.ConditionalItem {
			m.c.loseAs(item.whole, item.whole, "An item without `IF` and a condition")
			continue
		}
		one := m.below(row)
		one.add("condition", -1, m.c.scalar(tool.Expr, item, n.Child(syntax.FieldCondition)))
		one.add("action", -1, m.c.scalar(tool.String, item, n.Child(syntax.FieldAction)))
		v.addItem(item.start, one.value())
	}
	m.add(row.Name, p.start, v)
}

// writeHandlers adds handlers of actions: a map by their id, also where ABL has a list.
func writeHandlers(m *mapping, row *tool.Field, p prop) {
	handlers := m.below(row)
	handlers.fill(p.props)
	for _, item := range p.items {
		i := slices.IndexFunc(item.props, func(p prop) bool { return p.Name() == "ACTION" })
		if i < 0 {
			m.c.loseAs(item.whole, item.whole, "A handler without `ACTION`")
			continue
		}
		id := item.props[i]
		m.c.mark(id.keySpan())
		handler := m.below(row.Each)
		handler.fill(append(slices.Clone(id.props), slices.Delete(slices.Clone(item.props), i, i+1)...))
		handlers.add(syntax.Unquote(id.value.Text()), item.start, handler.value())
	}
	m.add(row.Name, p.start, handlers.value())
}

// writeElements adds buttons and inputs: a list, or a map if there is more than the elements.
func writeElements(m *mapping, row *tool.Field, p prop) {
	if row.Items == nil { // of CONVERSATION
		m.put(row, row.Name, p)
		return
	}
	list := value{isList: true}
	for _, item := range p.items {
		if len(item.props) == 0 {
			m.c.loseAs(item.whole, item.whole, "An element without keys")
		}
		element := &mapping{c: m.c, place: "element", rows: row.Items}
		element.fill(item.props)
		id, _ := tool.Find(row.Items, "id")
		hasID := slices.ContainsFunc(element.members, func(m *member) bool { return m.key == id.Name || slices.Contains(id.Synonyms, m.key) })
		if label := element.find("label"); label != nil && !hasID {
			element.text("id", idOf(label.value.text))
		}
		list.addItem(item.start, element.value())
	}
	if len(p.props) == 0 {
		m.add(row.Name, p.start, list)
		return
	}
	actions := m.below(row)
	actions.add("elements", -1, list)
	actions.fill(p.props)
	m.add(row.Name, p.start, actions.value())
}

// idOf returns the id that an element has by its label alone.
func idOf(label string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '_'
		case r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			return r
		}
		return -1
	}, strings.ToLower(label))
}

// writeLabelled adds an element that is written as `BUTTON: "Label" -> id`.
func writeLabelled(m *mapping, _ *tool.Field, p prop) {
	label := p.value
	if label.Kind() == syntax.Mapping {
		m.add("id", -1, m.c.scalar(tool.String, p.body, label.Value()))
		label = label.Child(syntax.FieldSource)
	}
	m.add("type", p.start, value{text: strings.ToLower(p.Name())})
	m.add("label", -1, m.c.scalar(tool.String, p.body, label))
	m.fill(p.props)
}

// writeElementType adds the type of an element; below `INPUT` it is that of the input.
func writeElementType(m *mapping, row *tool.Field, p prop) {
	key := row.Name
	if m.find(key) != nil {
		key = "input_type"
	}
	m.add(key, p.start, m.c.single(tool.WordType, p.body))
}

// writeOptions adds the choices of an element, written as maps or as `"Label" -> id`.
func writeOptions(m *mapping, row *tool.Field, p prop) {
	list := value{isList: true}
	for _, below := range p.props {
		m.c.loseProp(below)
	}
	for _, item := range p.items {
		option := m.below(row)
		n := item.node.FirstBlockChild()
		if n.Kind() == syntax.Mapping {
			option.add("id", -1, m.c.scalar(tool.String, item, n.Value()))
			option.add("label", -1, m.c.scalar(tool.String, item, n.Child(syntax.FieldSource)))
		} else if len(item.props) == 0 {
			option.add("id", -1, m.c.plainItem(tool.String, item))
		}
		option.fill(slices.DeleteFunc(slices.Clone(item.props), func(p prop) bool { return p.Node == n && n.Kind() == syntax.Mapping }))
		if value := option.find("value"); value != nil && option.find("id") == nil {
			value.key = "id"
		}
		list.addItem(item.start, option.value())
	}
	m.add(row.Name, p.start, list)
}
