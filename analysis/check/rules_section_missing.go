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
)

// Required keys outside TOOLS, for missing-property.

func missingInMap(out *findings, m model.Map) {
	list := m.Field != nil && m.Field.Type == tool.BlockList && !m.Item // its items lack something, not the list
	if m.Single || m.Field == nil || list || isOneLine(m) || m.Item && !isPlainItem(m) || isBuiltInGuardrail(m) || isStrayList(m) {
		return
	}
	plain := isPlainRule(m)
	for i := range m.Fields {
		f := &m.Fields[i]
		if !f.Required || plain || f.Name == "prompt" && isExtracted(m) {
			continue
		}
		if p, there := keyOfMap(m, f.Name); !there {
			d := out.add(severityOf(f), reportSpanOf(m), "%s has no `%s`; %s", describePlace(m), f.Name, lackMessage(f))
			addKey(d, m.Properties, f)
		} else if p.Value.IsZero() && p.Block().IsZero() && f.Type != tool.ListType { // invalid-value reports an empty list
			severity := severityOf(f)
			if isValueOf(m, "COMPLETE") {
				severity = model.Error
			}
			out.add(severity, p.Key.Span(), "`%s` is empty; give it a value.", f.Name)
		}
	}
}

// isBuiltInGuardrail reports whether a rule is one of the platform's own guardrails, whose check
// and action are built in.
func isBuiltInGuardrail(m model.Map) bool {
	has, _ := tool.Find(m.Fields, "llm_check")
	return has != nil && slices.Contains(section.BuiltInGuardrails(), m.Name)
}

// transformLine is what follows TRANSFORM: the source, and its two names.
var transformLine = lazyregexp.New(`(?i)^[\w.\[\]]+(?:\s+(?:(AS)|(INTO))\s+\S+)*$`)

// missingInLine: what the line of a TRANSFORM leaves out is below it.
func missingInLine(out *findings, p model.Property) {
	if p.Field == nil || p.Field.Name != "TRANSFORM" {
		return
	}
	line := transformLine.FindStringSubmatch(strings.TrimSpace(p.Text()))
	if line == nil {
		return
	}
	below := model.Map{Properties: p.Properties()}
	for i, name := range []string{"AS", "INTO"} {
		if _, there := keyOfMap(below, name); !there && line[i+1] == "" {
			out.warn(p.Key.Span(), "`TRANSFORM` has no `%s`; add `%s name`, here or below.", name, name)
		}
	}
}

// isOneLine reports whether the place is a property that is written on one line and has some keys
// below it.
func isOneLine(m model.Map) bool {
	v := m.Node.Value()
	return !m.Item && m.Field.OneLine && !v.IsZero() && v.Kind() != syntax.Map
}

// isPlainItem reports whether an item is a block of keys, or a rule, and not a name of the
// author's.
func isPlainItem(m model.Map) bool {
	if m.Node.Kind() != syntax.ListItem {
		return true // an inline map
	}
	for c := range m.Node.BlockChildren() {
		switch {
		case c.Kind() == syntax.Pair:
			return !m.Properties[0].IsAuthorName
		case c.Value().Kind() == syntax.Map:
			return true
		}
		break
	}
	return model.RuleWordOf(m.Node) != ""
}

// isExtracted reports whether the user is never asked for a field.
func isExtracted(m model.Map) bool {
	p, ok := keyOfMap(m, "prompt_mode")
	return ok && strings.EqualFold(p.Text(), "extract_only")
}

func keyOfMap(m model.Map, name string) (model.Property, bool) {
	return keyNamed(m.Properties, name)
}

// reportSpanOf returns the span at which a problem of a place as a whole is reported.
func reportSpanOf(m model.Map) text.Span {
	switch {
	case !m.Key.IsZero():
		return m.Key.Span()
	case len(m.Properties) > 0 && model.RuleWordOf(m.Node) == "":
		return m.Properties[0].Key.Span()
	}
	if first := m.Node.FirstBlockChild(); !first.IsZero() {
		return firstLine(first)
	}
	return firstLine(m.Node)
}

func describePlace(m model.Map) string {
	switch {
	case !m.Item:
		return "`" + m.Name + "`"
	case model.RuleWordOf(m.Node) != "":
		return "The rule"
	}
	return "An entry of `" + m.Name + "`"
}

func lackMessage(f *tool.Field) string {
	if len(f.Values) > 0 {
		return "add one of `" + strings.Join(tool.WordNames(f.Values), "`, `") + "`."
	}
	return "add `" + f.Name + ": …`."
}

// addKey offers a line with each value that the property may have: below `type`, or else above the
// first key that is on a line of its own.
func addKey(d *model.Diagnostic, siblings []model.Property, f *tool.Field) {
	for _, v := range f.Values {
		line := f.Name + ": " + v.Name
		edit, ok := siblingLine(siblings, line)
		if !ok {
			return
		}
		d.Fixes = append(d.Fixes, model.Fix{Title: "Add `" + line + "`", Edits: []model.FileEdit{{Edit: edit}}})
	}
}

// siblingLine returns the edit that adds line next to keys: below `type`, or else above the first
// key that is on a line of its own. ok is false if there is neither.
func siblingLine(keys []model.Property, line string) (edit text.Edit, ok bool) {
	at, with := -1, ""
	for _, p := range keys {
		source, key := p.Node.Entry().Text(), p.Key.Span()
		start := strings.LastIndexAny(source[:key.Start], "\r\n") + 1
		indent := source[start:key.Start]
		switch {
		case start == 0 || strings.Trim(indent, blanks) != "" || p.Node.Kind() != syntax.Pair:
		case p.Name() == "type" && p.Block().IsZero() && p.Value.Kind() != syntax.PipeBlock:
			at, with = len(source), "\n"+indent+line
			if end := strings.IndexAny(source[key.End:], "\r\n"); end >= 0 {
				at = key.End + end
			}
		case at < 0:
			at, with = key.Start, line+"\n"+indent
		}
	}
	return text.Insertion(at, with), at >= 0
}
