package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// sqlStatement: the database accepted the statement when it was last asked; the placeholders are
// those of parameters, and are written as a run reads them. Without a verdict on its present form,
// only the placeholders are checked.
var sqlStatement = Check{
	Code: "sql-statement",
	File: checkStatements,
}

func checkStatements(out *findings, f File) {
	rejectedStatements(out, f)
	invalidPlaceholders(out, f)
	unknownStatementNames(out, f)
}

// rejectedStatements reports the faults that a database found, and placeholders whose number is too
// large.
func rejectedStatements(out *findings, f File) {
	for _, s := range f.run.statements() {
		if len(*out) >= maxFindings {
			break
		}
		marks, params := s.ExcessPlaceholders()
		for _, m := range marks {
			out.warn(m.Span, "`%s` is no parameter of `%s`: it has %d, which are counted in their order.", m.Text, s.Tool.Name, params)
		}
		if v, ok := model.VerdictOf(f.Workspace, s); ok && v.Fault != "" && len(marks) == 0 {
			out.warn(s.Place(v), "The database did not accept this statement: %s.", strings.TrimRight(v.Fault, ".\n"))
		}
	}
}

// everyStatement returns the statements of the file's tools, and of `verify` and `revert`.
func everyStatement(f File) []model.Statement {
	return slices.Concat(f.run.statements(), f.run.stepStatements())
}

// invalidPlaceholders: a statement's template placeholders are written as a run reads them, and fit
// their parameters.
func invalidPlaceholders(out *findings, f File) {
	for _, s := range everyStatement(f) {
		for _, m := range s.InvalidPlaceholders() {
			if m.Name == "" && len(*out) < maxFindings {
				out.warn(m.Span, "%s.", strings.TrimSuffix(m.Message, "."))
			}
		}
	}
}

// unknownStatementNames: a pasted name in a statement is a template parameter of the tool, and a
// bound one is a parameter.
func unknownStatementNames(out *findings, f File) {
	for _, s := range everyStatement(f) {
		for _, m := range s.InvalidPlaceholders() {
			switch bound := m.Message != ""; {
			case m.Name == "" || len(*out) >= maxFindings:
			case bound && hasParams(s.Tool.ToolDecl):
				out.warn(m.Span, "%s; %s", m.Message, model.DidYouMean(m.Name, m.Known, "declare it, or take the placeholder away."))
			case !bound && (f.Foreign == nil || f.Foreign.System != "toolbox"): // which another check reports
				out.warn(m.Span, "`%s` has no template parameter `%s`; %s", s.Tool.Name, m.Name,
					model.DidYouMean(m.Name, m.Known, "declare it under `template_parameters`."))
			}
		}
	}
}
