package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Values outside TOOLS, for invalid-value.

// wrongInMap looks at the values of a place outside TOOLS.
func wrongInMap(out *findings, e Entry, m model.Map) {
	wrongInActions(out, m)
	wrongElement(out, m)
	wrongRoutes(out, m)
	for i, p := range m.Properties {
		switch {
		case m.Item && m.Field != nil && m.Field.Named && i == 0 && p.IsAuthorName:
			wrongWord(out, p, p.Value, m.Field)
		case e.Section == "COMPLETE" && m.Item && p.Name() == "WHEN":
			plainEnglish(out, p)
		case m.Item && isAgentOfEntry(e, p):
			agentWord(out, p)
		case e.Section == "MEMORY" && m.Name == "recall" && p.Name() == "ON":
			wrongEvent(out, p)
		case e.Section == "MEMORY" && m.Name == "recall" && m.Item && i == 0:
			wrongEventKey(out, p)
		case e.Section == "LOOKUP_TABLES" && m.Single:
			wrongTableName(out, p)
		}
		if p.ValueField != nil && p.ValueField.Elsewhere == "" && !isFormless(p) {
			before := len(*out)
			wrongInSection(out, p)
			if p.ValueField.Refused {
				raiseToErrors((*out)[before:])
			}
		}
	}
	if e.Section == "LOOKUP_TABLES" {
		wrongTable(out, m)
	}
}

func raiseToErrors(found findings) {
	for i := range found {
		found[i].Severity = model.Error
	}
}

// isAgentOfEntry reports whether a key names the agent of a HANDOFF or DELEGATE.
func isAgentOfEntry(e Entry, p model.Property) bool {
	return e.Section == "HANDOFF" && p.Name() == "TO" || e.Section == "DELEGATE" && p.Name() == "AGENT"
}

var isAgentWord = lazyregexp.New(`^[A-Za-z_]\w*$`).MatchString

// agentWord: the platform drops an entry whose agent is anything but one unquoted word.
func agentWord(out *findings, p model.Property) {
	s := p.Value.Text()
	if p.Value.IsZero() || isAgentWord(s) || strings.Contains(s, "{{") || opensString(s) {
		return
	}
	out.warn(firstLine(p.Value), "`%s` is one word without quotes, the name of an agent; the platform drops an entry with `%s`.", p.WrittenName(), firstWords(p.Value))
}

func wrongInSection(out *findings, p model.Property) {
	text := strings.TrimSpace(p.Text())
	switch {
	case p.Value.IsZero() && p.Block().IsZero():
		// Other checks report a rule and REASONING.
		isOptional := !p.ValueField.Required && !isRuleKey(p) && p.ValueField.Name != "REASONING" && p.ValueField.Name != "RETRY"
		if p.Field != nil && p.Node.Kind() != syntax.SectionNode && p.ValueField.Type.IsSingle() && isOptional {
			out.warn(p.Key.Span(), "`%s` has no value; give it one, or delete the line.", p.Name())
		}
	case p.ValueField.Type == tool.ListType:
		for _, item := range p.Items() {
			wrongWord(out, p, item.Value(), p.ValueField)
		}
		wrongUnbracketedWords(out, p)
	case p.Value.IsZero() || p.Value.Kind() == syntax.Null || strings.Contains(text, "{{"):
	case opensString(p.Value.Text()) || opensBracket(p.Value.Text(), false) || isOpenBracket(p):
		// A syntax error already.
	case p.ValueField.Type == tool.NumberType:
		scalarOf(p.Name(), p.Value, p.ValueField).wrongNumber(out)
	case p.ValueField.Type == tool.BooleanType:
		scalarOf(p.Name(), p.Value, p.ValueField).wrongBoolean(out)
	case p.ValueField.Named && p.ValueField.OneLine:
		// Names with commas between: the words are for what follows a name.
	case p.ValueField.Type == tool.WordType || p.ValueField.OneLine:
		wrongWord(out, p, p.Value, p.ValueField)
	case p.ValueField.Type == tool.String && (!p.IsAlias || p.ValueField.Refused) && p.ValueField.Name != "ON":
		scalarOf(p.Name(), p.Value, p.ValueField).wrongForm(out)
	case p.ValueField.Type == tool.Block || p.ValueField.Type == tool.BlockList || p.ValueField.Type == tool.MapType:
		wrongBlock(out, p)
	}
}

// wrongWord looks at a value of p, or at one item of its list, that must be one of some words.
func wrongWord(out *findings, p model.Property, v syntax.Node, field *tool.Field) {
	switch v.Kind() {
	case syntax.List, syntax.Map, syntax.ListItem, syntax.PipeBlock, syntax.Null, syntax.Other, syntax.Pair:
		return
	}
	if s := scalarOf(p.WrittenName(), v, field); !strings.Contains(s.text, "{{") {
		s.wrongWord(out)
	}
}

// wrongUnbracketedWords looks at the words of a list that has commas and no brackets.
func wrongUnbracketedWords(out *findings, p model.Property) {
	unquoted := p.Value.Kind() == syntax.Text || p.Value.Kind() == syntax.String
	if !unquoted || len(p.ValueField.Values) == 0 || strings.ContainsAny(p.Value.Text(), "[{") {
		return
	}
	known := tool.WordNames(p.ValueField.Values)
	for _, w := range p.Words() {
		if _, ok := tool.LookupWord(p.ValueField.Values, w.Text); !ok {
			out.add(severityOf(p.ValueField), w.Span, "`%s` cannot be `%s`; %s", p.WrittenName(), w.Text,
				model.DidYouMean(w.Text, known, "it is one of `"+strings.Join(known, "`, `")+"`."))
		}
	}
}

// severityOf returns the severity of a wrong value of a field.
func severityOf(field *tool.Field) model.Severity {
	if field.Refused {
		return model.Error
	}
	return model.Warning
}

func wrongBlock(out *findings, p model.Property) {
	switch p.Value.Kind() {
	case syntax.List, syntax.Map, syntax.PipeBlock:
		return
	}
	if p.ValueField.Pattern != nil && p.ValueField.Pattern.MatchString(p.Value.Text()) {
		return
	}
	what := "its properties in the lines below"
	switch {
	case p.ValueField.Type == tool.BlockList:
		what = "a list in the lines below: `- ` and properties"
	case len(p.ValueField.Fields) == 0:
		what = "`name: value` in the lines below"
	}
	out.warn(p.Value.Span(), "`%s` wants %s, not `%s`.", p.WrittenName(), what, firstWords(p.Value))
}

// emptySections are sections that take a single value and have none.
func emptySections(out *findings, f File) {
	sections := f.Doc.Sections()
	for i, s := range sections {
		field := model.SectionField(f.SectionKind(s), s.Name())
		switch {
		case field == nil || !field.Type.IsSingle() && field.Name != "BEHAVIOR_PROFILE" || s.Name() == "GOAL" || s.Name() == "AGENT" || s.Name() == "SUPERVISOR":
		case isEmptySection(sections, i), field.Name == "BEHAVIOR_PROFILE" && s.Head.Root().Value().IsZero():
			out.add(severityOf(field), keywordOf(s), "`%s:` is empty; give it a value, or delete the line.", s.Name())
		}
	}
}

// wrongThen looks at THEN of a failed rule, which has words of its own. As all actions, it may also
// leave the agent or name a step of the file.
func wrongThen(out *findings, f File, rules syntax.Section) {
	for _, e := range rules.Entries {
		for _, m := range model.Maps(f.Kind, rules.Name(), e.Root(), nil) {
			p, ok := keyOfMap(m, "THEN")
			if !ok || len(p.Field.Values) == 0 || !model.MeansStep(p.Text()) || f.hasStep(p.Text()) {
				continue
			}
			var found findings
			wrongWord(&found, p, p.Value, p.Field)
			for _, d := range found {
				*out = append(*out, d.Shift(f.Path, e.Offset))
			}
		}
	}
}

func (f File) hasStep(name string) bool {
	for _, flow := range f.Flows() {
		if _, ok := flow.Step(name); ok {
			return true
		}
	}
	return false
}

// Names and keys of events that older pages have.
var (
	oldEvent = lazyregexp.New(`(?i)^(tool:[^\s:]+:before|search:before|on_(start|end|search|booking|cancel|payment|update)|` +
		`session_(start|end)|agent_(enter|exit)|delegate_complete)$`)
	oldEventKey = lazyregexp.New(`(?i)^(on_\w+|event)$`)
)

// wrongEventKey finds an event that is the key of an item of recall.
func wrongEventKey(out *findings, p model.Property) {
	if p.Field != nil || !oldEventKey.MatchString(p.WrittenName()) {
		return
	}
	d := out.err(p.Key.Span(), "`%s:` is no event of today; write `ON: event`, and what is to be done below it.", p.WrittenName())
	if strings.EqualFold(p.WrittenName(), "EVENT") {
		d.Fixes = append(d.Fixes, model.ReplaceFix("Write `ON`", p.Key.Span(), "ON"))
	}
}

// wrongEvent: the events of older pages no longer compile.
func wrongEvent(out *findings, p model.Property) {
	text := strings.TrimSpace(p.Text())
	switch {
	case text == "" || p.Value.Kind() == syntax.List || strings.Contains(text, "{{") || p.ValueField.Pattern.MatchString(text):
	case oldEvent.MatchString(text):
		out.err(p.Value.Span(), "`%s` is the name of an older event; it is now %s.", text, p.ValueField.Form)
	default:
		out.warn(p.Value.Span(), "`%s` is no event: it is %s.", firstWords(p.Value), p.ValueField.Form)
	}
}

var (
	quotedPart = lazyregexp.New(`"[^"]*"|'[^']*'`)
	twoWords   = lazyregexp.New(`\p{L}[\p{L}\p{N}_'’-]*\s+\p{L}`)
)

// conditionSigns matches an operator, a call or anything else that looks like part of a condition.
var conditionSigns = lazyregexp.New(`(?i)[=!<>&|+*/%?:()\[\]{}]|(^|\s)-` +
	`|\b(` + oneOf(expression.OperatorWords(expression.Infix, expression.Negation)) + `|is_\w+)\b` +
	`|\bis\s+(not\s+)?(set|true|false|null|empty)\b` +
	`|(?-i)\b(` + presence + `)\b|(?i)^\s*(` + presence + `)\s+[\w.]+\s*$`)

var presence = oneOf(expression.OperatorWords(expression.Presence))

// oneOf returns the pattern that matches one of some words.
func oneOf(words []string) string { return strings.Join(words, "|") }

// plainEnglish finds words instead of a condition: two words that follow each other, and no
// operator or call anywhere.
func plainEnglish(out *findings, p model.Property) {
	if !isPlainWords(p) {
		return
	}
	out.err(firstLine(p.Value), "`WHEN` of `COMPLETE` must be a condition, such as `order.placed == true`; `%s` is plain words.", firstWords(p.Value))
}
