package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// missingReasoning: each step of an agent's FLOW says whether it reasons. A name
// without a block is no step, and a behaviour profile need not say it.
var missingReasoning = Check{
	Code: "missing-reasoning",
	File: func(f File) []analysis.Diagnostic {
		flow := f.Flow()
		if flow == nil {
			return nil
		}
		var out findings
		for _, s := range flow.Steps {
			if s.Form != analysis.BlockStep || s.Reasoning != analysis.ReasoningUnsaid {
				continue
			}
			d := out.err(s.NameSpan, "The step `%s` does not say whether it reasons; add `REASONING: false` or `REASONING: true`.", s.Name)
			if fix, ok := addReasoning(f, s); ok {
				d.Fixes = append(d.Fixes, fix)
			}
		}
		return out
	},
}

// addReasoning writes the line above the first one of the step, or completes the
// one that is there.
func addReasoning(f File, s analysis.Step) (analysis.Fix, bool) {
	var first, written syntax.Node
	value := "false"
	for line := range s.Lines() {
		if first.IsZero() {
			first = line
		}
		key := line.Key()
		if strings.EqualFold(key, "REASONING") {
			written = line
		}
		if slices.Contains(section.ReasoningOnly(), strings.ToUpper(key)) {
			value = "true"
		}
	}
	title := "Add `REASONING: " + value + "`"
	if !written.IsZero() {
		colon := s.At(written.ChildOf(syntax.Colon)).Span()
		return analysis.Change(title, colon, ": "+value), true
	}
	if first.IsZero() {
		return analysis.Fix{}, false
	}
	at := s.At(first).Span().Start
	next := "\n" + f.indentation(at)
	if first.Kind() == syntax.MapPair {
		next = ", "
	}
	return analysis.Change(title, text.Span{Start: at, End: at}, "REASONING: "+value+next), true
}

// indentation is the white space before an offset on its line, whatever stands
// there besides being as wide.
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
