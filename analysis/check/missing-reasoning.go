package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// missingReasoning: each step of an agent's FLOW declares whether it reasons: one page and the
// platform's validator demand it, another page has a default. A name without a block is no step,
// and a behaviour profile need not declare it.
var missingReasoning = Check{
	Code:     "missing-reasoning",
	Form:     true,
	Standard: model.Warning,
	File: func(out *findings, f File) {
		for _, flow := range f.Flows() {
			for _, s := range flow.Steps {
				if s.Form != model.BlockStep || s.Reasoning != model.ReasoningUnspecified {
					continue
				}
				d := out.info(s.NameSpan, "The step `%s` does not say whether it reasons. The platform's validator demands `REASONING: true` or `REASONING: false`; a tutorial takes `true` for the default.", s.Name)
				d.Fixes = addReasoning(f, s)
			}
		}
	},
}

// addReasoning returns the fixes that add the line above the first one of the step, or complete the
// existing one. A step with keys that only reasoning steps have reasons.
func addReasoning(f File, s model.Step) []model.Fix {
	var first, written syntax.Node
	values := []string{"false", "true"}
	for line := range s.Lines() {
		if first.IsZero() {
			first = line
		}
		key := line.Key()
		if strings.EqualFold(key, "REASONING") {
			written = line
		}
		if slices.Contains(section.ReasoningOnly(), strings.ToUpper(key)) {
			values = []string{"true"}
		}
	}
	if first.IsZero() {
		return nil
	}
	at := s.InFile(first).Span().Start
	next := "\n" + f.indentation(at)
	if first.Kind() == syntax.MapPair {
		next = ", "
	}
	var fixes []model.Fix
	for i, value := range values {
		fix := model.ReplaceFix("Add `REASONING: "+value+"`", text.Span{Start: at, End: at}, "REASONING: "+value+next)
		if !written.IsZero() {
			colon := s.InFile(written.ChildOf(syntax.Colon)).Span()
			fix = model.ReplaceFix(fix.Title, colon, ": "+value)
		}
		fix.Best = i == 0
		fixes = append(fixes, fix)
	}
	return fixes
}

// indentation returns the white space before an offset on its line. Anything else there is replaced
// by blanks of the same width.
func (f File) indentation(at int) string {
	lines := f.Doc.Lines()
	start := lines.LineStart(lines.Line(at))
	before := []byte(f.Doc.Text()[start:at])
	for i, c := range before {
		if c != '\t' {
			before[i] = ' '
		}
	}
	return string(before)
}
