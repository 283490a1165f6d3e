package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// The moments that rules of CONSTRAINTS are checked at, for invalid-value.

// isRuleKey reports whether a key is the word of a rule, with a colon.
func isRuleKey(p model.Property) bool {
	return p.ValueField.Type == tool.Expr && slices.Contains(ruleWords, p.ValueField.Name)
}

var (
	beforeWord   = lazyregexp.New(`\s(BEFORE\s.*)$`)
	beforeTarget = lazyregexp.New(`(?i)^BEFORE\s+(calling\b|returning\s+results\b)`)
)

// wrongMoments: a rule is checked before a call, or before results are returned.
func wrongMoments(out *findings, e Entry) {
	for _, item := range rulesIn(e) {
		first := item.FirstBlockChild()
		if model.RuleWordOf(item) == "" {
			continue
		}
		if clause := beforeOf(first); clause != "" && !beforeTarget.MatchString(clause) {
			out.warn(firstLine(first), "`%s` has no effect: a rule is checked `BEFORE calling tool` or `BEFORE returning results`.", clause)
		}
	}
}

// beforeOf returns the words of a rule that say when it is checked; "" for none.
func beforeOf(rule syntax.Node) string {
	line, _, _ := strings.Cut(rule.Text(), "\n")
	if m := beforeWord.FindStringSubmatch(quotedPart.ReplaceAllString(line, "x")); m != nil {
		return strings.TrimSpace(m[1])
	}
	return ""
}
