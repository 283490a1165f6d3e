package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Keys outside TOOLS, for unknown-property and misplaced-property.

// unknownKey looks at one key of a place outside TOOLS.
func unknownKey(out *findings, e Entry, m model.Map, i int) {
	p := m.Properties[i]
	if _, isArgument := openCall(m.Field, m.Node); isArgument {
		return
	}
	switch {
	case p.Field != nil || isFormless(p) || len(knownIn(m)) == 0 || isListWithKeys(m) && p.WrittenName() == "FALLBACK":
	case p.IsAuthorName:
		strayName(out, m, p)
	case isOfCall(m, p), isOtherCheck(e, m, p), isPromptInStep(e, m, p), i == 0 && isPlainRule(m), !m.Item && lacksDash(m.Field, p.Node):
	case m.Field != nil && m.Field.Blocks && (opensString(p.Value.Text()) || opensBracket(p.Value.Text(), false)):
		// Unfinished: it is unknown what it will be.
	case m.Field != nil && m.Field.Blocks:
		unknownIn(out, m, p, "write it with a block below, as a step, or delete it.")
	default:
		unknownIn(out, m, p, expectedPlace(m, p))
	}
}

// knownIn returns the keys that a place may have; for a list with keys, those of an item as well.
func knownIn(m model.Map) []string {
	if isListWithKeys(m) {
		return append(fieldNames(m.Fields), fieldNames(m.Field.Items)...)
	}
	return fieldNames(m.Fields)
}

// isListWithKeys reports whether a place is a list that has keys next to its items.
func isListWithKeys(m model.Map) bool {
	return !m.Item && m.Field != nil && m.Field.Type == tool.BlockList
}

func unknownIn(out *findings, m model.Map, p model.Property, otherwise string) {
	known := knownIn(m)
	d := out.addUnknownKey(p.Key.Span(), m.Name, p.WrittenName(), known, otherwise)
	offerRename(d, p.Key, known)
}

// offerRename offers the known name that is near to a key, unless a sibling has it already.
func offerRename(d *model.Diagnostic, key syntax.Node, known []string) {
	name := syntax.Unquote(key.Text())
	if near := model.Nearest(name, known); near != "" && key.Text() == name && !hasSibling(key.Parent(), near) {
		d.Fixes = append(d.Fixes, model.ParseFix("Change to `"+near+"`", key.Span(), near))
	}
}

// hasSibling reports whether the place of n has a key of that name.
func hasSibling(n syntax.Node, name string) bool {
	for c := range n.Parent().Children() {
		if strings.EqualFold(c.Key(), name) {
			return true
		}
	}
	return false
}

// strayName finds a typing slip in p, a key that is otherwise read as a name of the author's: one
// next to the items of a list, or at the beginning of an item.
func strayName(out *findings, m model.Map, p model.Property) {
	if isGatherWideKey(m, p) {
		unknownIn(out, m, p, "beside `FIELDS:` it has `STRATEGY`, `PROMPT` and `MESSAGE_KEY`.")
		return
	}
	isEntry := p.ValueField != nil && len(p.Properties()) > 0
	if isMisspelledElement(m, p) {
		unknownIn(out, m, p, "")
	}
	if m.Field == nil || m.Field.Type != tool.BlockList || m.Field.Named || m.Field.Loose && m.Item || isEntry {
		return
	}
	if model.Nearest(p.WrittenName(), fieldNames(m.Fields)) != "" {
		unknownIn(out, m, p, "")
	}
}

// isMisspelledElement reports whether an item of ACTIONS begins with a word in capitals that is one
// typing slip away from a kind of element, and has its label.
func isMisspelledElement(m model.Map, p model.Property) bool {
	word := p.WrittenName()
	return m.Item && isValueOf(m, "ACTIONS") && !p.Value.IsZero() && word == strings.ToUpper(word) &&
		model.Nearest(word, []string{"BUTTON", "SELECT", "INPUT"}) != ""
}

// isGatherWideKey reports whether a key is at the place of GATHER's keys for all fields: the fields
// are below FIELDS, or the key is one typing slip away from such a key and has a value.
func isGatherWideKey(m model.Map, p model.Property) bool {
	if m.Item || m.Field == nil || m.Field.Name != "GATHER" {
		return false
	}
	near := model.Nearest(p.WrittenName(), fieldNames(m.Fields)) != "" && len(p.Properties()) == 0 && !p.Value.IsZero() && p.Value.Kind() != syntax.Map
	_, sibling := keyOfMap(m, "FIELDS")
	return near || sibling
}

// expectedPlace says where a key belongs, or which key the place has instead.
func expectedPlace(m model.Map, p model.Property) string {
	const most = 12
	if isListWithKeys(m) {
		return "delete it, or move it into an item: `- ` begins one."
	}
	if home := blockOf(m.Fields, p.WrittenName()); home != "" {
		return "it stands below `" + home + ":`."
	}
	var known []string
	for _, f := range m.Fields {
		if !f.Undocumented {
			known = append(known, f.Name)
		}
	}
	if len(known) > most {
		return "delete it, or move it to where it belongs."
	}
	return keysOf(known)
}

// isOfCall reports whether a key belongs below a CALL, in a place that has CALL.
func isOfCall(m model.Map, p model.Property) bool {
	has, _ := tool.Find(m.Fields, "CALL")
	in, _ := tool.Find(callKeys(has), p.WrittenName())
	return p.Field == nil && in != nil
}

func callKeys(call *tool.Field) []tool.Field {
	if call == nil {
		return nil
	}
	return call.Fields
}

// isOtherCheck reports whether another check reports the key: it was removed, or is an event in the
// older form.
func isOtherCheck(e Entry, m model.Map, p model.Property) bool {
	name := strings.ToUpper(p.WrittenName())
	oldEvent := e.Section == "MEMORY" && m.Name == "recall" && (strings.HasPrefix(name, "ON_") || name == "EVENT")
	return name == "GRANT_MEMORY" || oldEvent
}

// isPlainRule reports whether m is an item of CONSTRAINTS that does not begin with a rule word.
func isPlainRule(m model.Map) bool {
	isRule, _ := tool.Find(m.Fields, "RESTRICT")
	return isRule != nil && m.Item && model.RuleWordOf(m.Node) == ""
}

// misplacedKeys finds keys that belong below a CALL and are next to it, those that are known and
// belong elsewhere, and those that count only in a step that reasons.
func misplacedKeys(out *findings, m model.Map) {
	for i, p := range m.Properties {
		switch {
		case isOfCall(m, p) && !isOfCallItem(m) && !p.IsAuthorName:
			d := out.err(p.Key.Span(), "`%s` belongs below `CALL:`, indented deeper.", strings.ToUpper(p.WrittenName()))
			offerDeeper(d, m, i)
		case p.Field != nil && p.Field.Elsewhere != "":
			misplacedKey(out, m, i)
		}
	}
	misplacedActions(out, m)
	misplacedRoutes(out, m)
	if !isFixedStep(m) {
		return
	}
	for _, p := range m.Properties {
		if p.Field != nil && slices.Contains(section.ReasoningOnly(), p.Name()) {
			out.warn(p.Key.Span(), "`%s` does nothing in a step with `REASONING: false`.", p.Name())
		}
	}
}

// misplacedKey reports the key of property i of m, which is known but belongs elsewhere.
func misplacedKey(out *findings, m model.Map, i int) {
	p, severity := m.Properties[i], model.Warning
	if p.Field.Refused {
		severity = model.Error
	}
	d := out.add(severity, p.Key.Span(), "`%s` does nothing here; it belongs %s.", p.WrittenName(), p.Field.Elsewhere)
	if call, _ := tool.Find(m.Fields, "CALL"); call != nil {
		if below, _ := tool.Find(call.Fields, p.Field.Name); below != nil {
			offerDeeper(d, m, i)
		}
	}
}

// offerDeeper offers to indent a key below the CALL before it.
func offerDeeper(d *model.Diagnostic, m model.Map, i int) {
	if i > 0 && isBelowCall(m.Properties[i-1]) {
		d.Fixes = append(d.Fixes, indentFix(m.Properties[i].Node))
	}
}

// isOfCallItem reports whether a map is an item of a list of single actions that begins with a
// CALL: its arguments may be next to it.
func isOfCallItem(m model.Map) bool {
	return (m.Item || m.Node.Kind() == syntax.ListItem) && strings.EqualFold(m.Properties[0].WrittenName(), "CALL")
}

func isBelowCall(p model.Property) bool {
	return slices.Contains([]string{"CALL", "WITH", "AS", "WHEN"}, strings.ToUpper(p.WrittenName()))
}

// isFixedStep reports whether m is the map of a step with `REASONING: false`, or `no`.
func isFixedStep(m model.Map) bool {
	for _, p := range m.Properties {
		if p.Field != nil && p.Field.Name == "REASONING" {
			return strings.EqualFold(p.Text(), "false") || strings.EqualFold(p.Text(), "no")
		}
	}
	return false
}

// indentFix returns the fix that indents the lines of n by two spaces.
func indentFix(n syntax.Node) model.Fix {
	const step = "  "
	lines := strings.SplitAfter(n.Text(), "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			lines[i] = step + line
		}
	}
	return model.ReplaceFix("Indent it below `CALL:`", n.Span(), strings.Join(lines, ""))
}
