package check

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// unusedSuppression: each code of an `abl:ignore` comment exists, and suppresses something. What
// suppresses nothing is known only at the end of a run, see [run.withoutSuppressed].
var unusedSuppression = Check{
	Code: "unused-suppression",
	Tag:  model.Unnecessary,
	YAML: wrongSuppressions,
	File: wrongSuppressions,
}

// wrongSuppressions looks at comments that can suppress nothing.
func wrongSuppressions(out *findings, f File) {
	known := f.run.codes()
	for _, c := range f.run.suppressions() {
		switch {
		case !c.onOwnLine:
			d := out.warn(c.span, "`%s` suppresses nothing here: it stands on a line of its own, above the line that it is about.", suppressionPrefix)
			d.Fixes = append(d.Fixes, aboveItsLine(f.Doc, c.span))
		case len(c.codes) == 0:
			d := out.warn(c.span, "`%s` names no code, so it suppresses nothing.", suppressionPrefix)
			d.Fixes = append(d.Fixes, deleteComment(f.Doc, c.span))
		}
		for i, code := range c.codes {
			if slices.Contains(known, code.name) || !c.onOwnLine {
				continue
			}
			d := out.warn(code.span, "There is no diagnostic `%s`; %s", code.name, model.DidYouMean(code.name, known, "so nothing is suppressed."))
			rid := deleteCode(f.Doc, c, i)
			if near := model.Nearest(code.name, known); near != "" {
				d.Fixes = append(d.Fixes, model.ReplaceFix("Write `"+near+"`", code.span, near))
				rid.Best = false
			}
			d.Fixes = append(d.Fixes, rid)
		}
	}
}

// codes returns the codes of all checks.
func (r *run) codes() []string {
	codes := make([]string, len(r.checks))
	for i, c := range r.checks {
		codes[i] = c.Code
	}
	return codes
}

// unusedCode returns the diagnostic for code i of c, which suppresses nothing.
func unusedCode(doc *syntax.Document, c suppression, i int) model.Diagnostic {
	var out findings
	d := out.warn(c.codes[i].span, "`%s` is not reported here, so there is nothing to suppress.", c.codes[i].name)
	d.Code = unusedSuppression.Code
	d.Tags = append(d.Tags, model.Unnecessary)
	d.Fixes = append(d.Fixes, deleteCode(doc, c, i))
	return *d
}

// deleteCode deletes a code from its comment, and the comment with the last.
func deleteCode(doc *syntax.Document, c suppression, i int) model.Fix {
	switch {
	case len(c.codes) == 1:
		return deleteComment(doc, c.span)
	case i == 0:
		return model.ReplaceFix("Delete the code", text.Span{Start: c.codes[0].span.Start, End: c.codes[1].span.Start}, "")
	}
	return model.ReplaceFix("Delete the code", text.Span{Start: c.codes[i-1].span.End, End: c.codes[i].span.End}, "")
}

// deleteComment deletes a comment with its line.
func deleteComment(doc *syntax.Document, comment text.Span) model.Fix {
	line := doc.Lines().Line(comment.Start)
	span := text.Span{Start: doc.Lines().LineStart(line), End: doc.Lines().LineStart(line + 1)}
	return model.ReplaceFix("Delete the comment", span, "")
}
