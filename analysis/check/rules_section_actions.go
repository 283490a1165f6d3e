package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// Places in which an agent acts, for several codes.

// hasKey reports whether a place may have a key of that name.
func hasKey(m model.Map, name string) bool {
	field, _ := tool.Find(m.Fields, name)
	return field != nil
}

// isValueOf reports whether a place is the value of the schema field of that name.
func isValueOf(m model.Map, name string) bool {
	return m.Field != nil && strings.EqualFold(m.Field.Name, name)
}

// isDigression reports whether a place is a digression: what interrupts a flow, and what to do
// then.
func isDigression(m model.Map) bool { return hasKey(m, "KEYWORDS") && hasKey(m, "RESUME") }

// isHandler reports whether a place is a handler of a user's action.
func isHandler(m model.Map) bool { return hasKey(m, "ACTION") && hasKey(m, "ON_RETURN") }

// action is one item of DO: its name in upper case, and its keys.
type action struct {
	node  syntax.Node
	name  string
	props []model.Property
}

// doItems returns the items of the DO of a place.
func doItems(m model.Map) []action {
	do, ok := keyOfMap(m, "DO")
	if !ok {
		return nil
	}
	var all []action
	for _, item := range do.Items() {
		a := action{node: item.Node, props: item.Properties()}
		if len(a.props) > 0 {
			a.name = strings.ToUpper(a.props[0].WrittenName())
		} else {
			a.name = strings.ToUpper(strings.TrimSpace(item.PlainText()))
		}
		all = append(all, a)
	}
	return all
}

// reportSpan returns the span at which a problem of the action is reported.
func (a action) reportSpan() text.Span {
	for c := range a.node.BlockChildren() {
		if key := c.KeyNode(); !key.IsZero() {
			return key.Span()
		}
		return firstLine(c)
	}
	return firstLine(a.node)
}

// property returns the key called name that is next to the action, or below it. The second result
// is false if there is none.
func (a action) property(name string) (model.Property, bool) {
	if len(a.props) == 0 {
		return model.Property{}, false
	}
	return keyWritten(slices.Concat(a.props[:1], a.props[0].Properties(), a.props[1:]), name)
}

// keyWritten returns the first of keys that is spelled as one of names, in any casing. The second
// result is false if there is none.
func keyWritten(keys []model.Property, names ...string) (model.Property, bool) {
	i := slices.IndexFunc(keys, func(p model.Property) bool { return model.ContainsFold(names, p.WrittenName()) })
	if i < 0 {
		return model.Property{}, false
	}
	return keys[i], true
}

// handsBack reports whether another agent that the action calls hands back.
func (a action) handsBack() bool {
	p, ok := a.property("RETURN")
	return ok && !strings.EqualFold(p.Text(), "false") && !strings.EqualFold(p.Text(), "no")
}

// isTerminal reports whether nothing after the action runs.
func (a action) isTerminal() bool {
	switch a.name {
	case "GOTO", "TRANSITION", "THEN", "RESUME", "COMPLETE":
		return true
	case "HANDOFF", "DELEGATE":
		return !a.handsBack()
	}
	return false
}

var resultOnLine = lazyregexp.New(`(?i)\bAS\s+\w+`)

// missingInActions: the CALL of a user's action names its result, and a DELEGATE in the DO of a
// digression hands back.
func missingInActions(out *findings, m model.Map) {
	list := doItems(m)
	if isHandler(m) {
		calls := list
		for _, p := range m.Properties {
			if p.Field != nil && p.Field.Name == "CALL" {
				calls = append(calls, action{node: p.Node, name: "CALL", props: []model.Property{p}})
			}
		}
		for _, a := range calls {
			if _, named := a.property("AS"); a.name == "CALL" && !named && !resultOnLine.MatchString(a.props[0].Value.Text()) {
				out.err(a.props[0].Key.Span(), "A `CALL` of a user's action names its result; add `AS: name` below.")
			}
		}
	}
	if !isDigression(m) {
		return
	}
	for _, a := range list {
		if a.name == "DELEGATE" && !a.handsBack() {
			out.err(a.reportSpan(), "`DELEGATE` in the `DO` of a digression comes back; add `RETURN: true`.")
		}
	}
}

// noAssignments: a SET of a user's action gives a name a value.
func noAssignments(out *findings, m model.Map) {
	if !isHandler(m) {
		return
	}
	sets := slices.Clone(m.Properties)
	for _, a := range doItems(m) {
		sets = append(sets, a.props...)
	}
	for _, p := range sets {
		v := p.Value
		isScalar := v.Kind() == syntax.Text || v.Kind() == syntax.String || v.Kind() == syntax.Number || v.Kind() == syntax.Boolean
		if p.Field != nil && p.Field.Name == "SET" && isScalar && !isUnclosed(v) && !isReported(*out, v) {
			out.err(firstLine(v), "`SET` of a user's action assigns: write `SET: name = expression`.")
		}
	}
}

// directActions are the actions of a digression without DO.
var directActions = []string{"RESPOND", "MESSAGE_KEY", "SET", "RESUME", "GOTO", "HANDOFF", "DELEGATE", "CALL", "CLEAR", "THEN"}

// misplacedActions finds actions next to DO in a digression, conditions in a hook without an
// answer, and a rating next to a survey that has its own.
func misplacedActions(out *findings, m model.Map) {
	if _, has := keyOfMap(m, "DO"); has && isDigression(m) {
		for _, p := range m.Properties {
			if p.Field != nil && slices.Contains(directActions, p.Field.Name) {
				out.warn(p.Key.Span(), "`%s` belongs below `DO:`, with the other actions.", p.Name())
			}
		}
	}
	if isHook(m) {
		for i, p := range m.Properties {
			if p.Field != nil && p.Field.Name == "WHEN" && !hasAnswer(m, p) {
				d := out.warn(p.Key.Span(), "`WHEN` does nothing here; it belongs %s", "below `CALL:`, indented deeper, or gets a `RESPOND` below.")
				offerDeeper(d, m, i)
			}
		}
	}
	if survey, has := keyOfMap(m, "FEEDBACK_TEMPLATE"); has && isValueOf(m, "FEEDBACK") {
		for _, p := range m.Properties {
			if p.Field != nil && slices.Contains(section.MeasureKeys(), p.Field.Name) {
				out.err(p.Key.Span(), "`%s` does nothing beside `%s`: the survey says what is measured.", p.Name(), survey.Name())
			}
		}
	}
}

func isHook(m model.Map) bool { return hasKey(m, "critical") && hasKey(m, "CALL") }

// hasAnswer reports whether a WHEN has an answer: in the keys below it, or in another key of the
// same list item.
func hasAnswer(m model.Map, when model.Property) bool {
	if _, responds := keyOfMap(m, "RESPOND"); responds && m.Item {
		return true
	}
	for _, p := range when.Properties() {
		if slices.Contains([]string{"RESPOND", "MESSAGE_KEY", "FORMATS", "RICH_CONTENT", "VOICE"}, p.Name()) {
			return true
		}
	}
	return false
}

// missingInForms: a FEEDBACK without a survey has its question, and a history of the last messages
// their number.
func missingInForms(out *findings, m model.Map) {
	if _, survey := keyOfMap(m, "FEEDBACK_TEMPLATE"); isValueOf(m, "FEEDBACK") && !survey {
		for _, name := range []string{"prompt", "type"} {
			if _, has := keyOfMap(m, name); !has {
				out.warn(reportSpanOf(m), "`FEEDBACK` has no `%s`; add it, or `FEEDBACK_TEMPLATE`.", name)
			}
		}
	}
	mode, ok := keyOfMap(m, "mode")
	if _, has := keyOfMap(m, "count"); ok && isValueOf(m, "history") && !has && strings.EqualFold(mode.Text(), "last_n") {
		out.err(mode.Key.Span(), "`mode: last_n` needs `count`; add the number of messages.")
	}
}

// missingPrompts: each field of SECURE_INPUT has a prompt.
func missingPrompts(out *findings, m model.Map) {
	if !isValueOf(m, "SECURE_INPUT") {
		return
	}
	if fields, ok := keyOfMap(m, "FIELDS"); ok {
		for _, item := range fields.Items() {
			switch p, has := keyNamed(item.Properties(), "PROMPT"); {
			case !has:
				out.err(firstLine(item.Node), "A field of `SECURE_INPUT` has no `PROMPT`; add the text that asks for it.")
			case p.Value.IsZero() && p.Block().IsZero():
				out.err(p.Key.Span(), "`PROMPT` is empty; add the text that asks for the value.")
			}
		}
	}
}

// securePlaceholder matches a value of a SECURE_INPUT with the text around it.
var securePlaceholder = lazyregexp.New(placeholder.Open + `secure\.(\w+)[^{}]*\}\}`)

// eachSecure calls do with the placeholders of a SECURE_INPUT: the span, the name, and whether it
// is the whole value.
func eachSecure(m model.Map, do func(at text.Span, name string, complete bool)) {
	if !isValueOf(m, "SECURE_INPUT") {
		return
	}
	s := m.Node.Text()
	for _, found := range securePlaceholder.FindAllStringSubmatchIndex(s, maxFindings) {
		line := s[strings.LastIndexByte(s[:found[0]], '\n')+1 : found[0]]
		if strings.HasPrefix(strings.TrimLeft(line, blanks), "#") {
			continue
		}
		at := text.Span{Start: found[0], End: found[1]}.Shift(m.Node.Span().Start)
		do(at, s[found[2]:found[3]], isEntireValue(s[:found[0]], s[found[1]:]))
	}
}

// isEntireValue reports whether nothing of a value is before and after a part of it.
func isEntireValue(before, after string) bool {
	for _, quote := range []string{`"`, "'"} {
		if strings.HasSuffix(before, quote) {
			return strings.HasPrefix(after, quote)
		}
	}
	rest := strings.TrimLeft(after, " \t")
	ends := rest == "" || strings.ContainsAny(rest[:1], ",}\r\n")
	return ends && strings.HasSuffix(strings.TrimRight(before, " \t"), ":")
}

// embeddedSecrets: a secret value is not put into a longer text.
func embeddedSecrets(out *findings, m model.Map) {
	eachSecure(m, func(at text.Span, name string, complete bool) {
		if !complete {
			out.err(at, "`{{secure.%s}}` must be the whole value, without any text beside it.", name)
		}
	})
}

// unknownSecureFields: a `secure` placeholder names a field of the same SECURE_INPUT.
func unknownSecureFields(out *findings, m model.Map) {
	fields, ok := keyOfMap(m, "FIELDS")
	if !ok || !isValueOf(m, "SECURE_INPUT") {
		return
	}
	var known []string
	for _, item := range fields.Items() {
		if name := item.NameNode(); !name.IsZero() {
			known = append(known, syntax.Unquote(name.Text()))
		}
	}
	for _, p := range fields.Properties() {
		known = append(known, p.WrittenName())
	}
	eachSecure(m, func(at text.Span, name string, _ bool) {
		if !slices.Contains(known, name) {
			out.err(at, "`SECURE_INPUT` has no field `%s`; %s", name, model.DidYouMean(name, known, "declare it below `FIELDS:`."))
		}
	})
}

// wrongInActions looks at values whose rules the schema table cannot express.
func wrongInActions(out *findings, m model.Map) {
	for _, p := range m.Properties {
		switch {
		case p.Field == nil:
		case p.Field.Name == "MODEL_CONTEXT" && !isText(p):
			out.err(p.Key.Span(), "`MODEL_CONTEXT` is a text, and nothing else.")
		case p.Field.Name == "MODE" && isValueOf(m, "SECURE_INPUT") && len(p.Words()) == 0:
			out.err(p.Key.Span(), "`MODE` is `dtmf`, `speech` or both: `[dtmf, speech]`.")
		case p.Field.Name == "WHEN" && isHook(m) && hasAnswer(m, p) && isPlainWords(p):
			out.warn(firstLine(p.Value), "`WHEN` of an answer must be a condition; `%s` is plain words, which are taken as always true.", firstWords(p.Value))
		case p.Field.Name == "triggers":
			for _, item := range p.Items() {
				if _, has := keyWritten(item.Properties(), "WHEN"); !has {
					out.warn(firstLine(item.Node), "A trigger has a `WHEN:`; without one it never counts.")
				}
			}
		}
	}
}

// wrongElement: a key of ACTIONS describes what the user sees; below `INPUT:` the same key
// describes what is entered.
func wrongElement(out *findings, m model.Map) {
	p, ok := keyOfMap(m, "type")
	if !ok || !m.Item || !isValueOf(m, "ACTIONS") {
		return
	}
	for _, word := range []string{"BUTTON", "SELECT", "INPUT"} {
		if _, has := keyOfMap(m, word); has {
			return
		}
	}
	field := *p.ValueField
	if field.Pattern == nil || !field.Pattern.MatchString(strings.TrimSpace(p.Text())) {
		return // wrongWord reports it
	}
	field.Pattern, field.Form = nil, ""
	wrongWord(out, p, p.Value, &field)
}

// isText reports whether a property has a text, and no list, map or keys.
func isText(p model.Property) bool {
	switch p.Value.Kind() {
	case syntax.List, syntax.Map:
		return false
	}
	if !p.Value.IsZero() {
		return true
	}
	for c := range p.Node.BlockChildren() {
		if c.Kind() == syntax.ListItem || c.Kind() == syntax.Pair {
			return false
		}
	}
	return true
}

// isPlainWords reports whether a condition is plain English.
func isPlainWords(p model.Property) bool {
	s := p.Text()
	if p.Value.Kind() != syntax.String {
		s = quotedPart.ReplaceAllString(s, "x")
	}
	return !p.Value.IsZero() && !conditionSigns.MatchString(s) && twoWords.MatchString(s)
}
