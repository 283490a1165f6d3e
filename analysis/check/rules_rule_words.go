package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// The words that the rules of an agent's CONSTRAINTS begin with.

var ruleWords = []string{"REQUIRE", "LIMIT", "RESTRICT", "WARN"}

// rulesIn returns the items of an entry of CONSTRAINTS, under a label or without one.
func rulesIn(e Entry) []syntax.Node {
	field := model.SectionField(e.Kind, e.Section)
	switch {
	case e.Section != "CONSTRAINTS" || e.Kind == model.Profile || e.Head || field == nil || field.Type != tool.Block:
		return nil
	case e.Root.Kind() == syntax.ListItem:
		return []syntax.Node{e.Root}
	}
	var items []syntax.Node
	for c := range e.Root.BlockChildren() {
		if c.Kind() == syntax.ListItem {
			items = append(items, c)
		}
	}
	return items
}

// withoutRuleWord finds rules that the platform never checks.
func withoutRuleWord(out *findings, e Entry) {
	for _, item := range rulesIn(e) {
		first := item.FirstBlockChild()
		if first.IsZero() || model.RuleWordOf(item) != "" || len(*out) >= maxFindings {
			continue
		}
		word, _, _ := strings.Cut(strings.TrimLeft(firstWords(first), `"'`), " ")
		word = strings.TrimSuffix(word, ":")
		d := out.warn(firstLine(first), "A rule begins with `REQUIRE`, `LIMIT`, `RESTRICT` or `WARN`; %s",
			model.DidYouMean(word, ruleWords, "this one is never checked."))
		if near := model.Nearest(word, ruleWords); near != "" {
			at := first.Span()
			at.End = at.Start + len(word)
			if strings.HasPrefix(first.Text(), word) {
				d.Fixes = append(d.Fixes, model.ReplaceFix("Change to `"+near+"`", at, near))
			}
		}
	}
}

// emptyRules finds rules that have nothing after their word.
func emptyRules(out *findings, e Entry) {
	for _, item := range rulesIn(e) {
		word, first := model.RuleWordOf(item), item.FirstBlockChild()
		line, _, _ := strings.Cut(first.Text(), "\n")
		if word != "" && strings.EqualFold(strings.TrimRight(line, ": \t\r"), word) && len(*out) < maxFindings {
			out.err(firstLine(first), "`%s` has no condition; write one after it.", word)
		}
	}
}
