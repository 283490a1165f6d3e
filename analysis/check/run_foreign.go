package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
)

// checkForeign returns the findings in a foreign file: those of its reader, those of checks with
// the same codes by that system's rules, and those of the checks of names.
func (r *run) checkForeign(f File) []model.Diagnostic {
	found := foreignFaults(f.File)
	for _, c := range []Check{
		{Code: unknownSource.Code, File: foreignSources},
		{Code: undefinedTool.Code, File: foreignSiblings},
		{Code: unknownHandler.Code, File: unknownHandlers},
		{Code: unknownAuthService.Code, File: foreignServices},
		{Code: unknownTemplateName.Code, File: foreignTemplates},
		{Code: "unknown-template-name", File: naoNames},
		{Code: "path-parameter", File: naoPaths},
		{Code: "invalid-value", File: naoExpressions},
		{Code: "invalid-value", File: unknownEscapes},
		{Code: sqlStatement.Code, File: checkStatements},
		{Code: sqlStatement.Code, File: unknownForeignStatementNames},
	} {
		found = append(found, r.runCheck(c, func(out *findings) { c.File(out, f) })...)
	}
	slices.SortStableFunc(found, byPosition)
	return found
}

func foreignFaults(f *model.File) []model.Diagnostic {
	var found []model.Diagnostic
	for _, fault := range f.Foreign.Faults {
		d := model.Diagnostic{Span: fault.Span, Severity: severities[fault.Severity], Code: fault.Code, Message: fault.Message}
		if near := model.Nearest(fault.Word, fault.Known); near != "" {
			d.Message = fmt.Sprintf("%s; did you mean `%s`?", strings.TrimSuffix(d.Message, "."), near)
			offerNear(&d, model.Unquoted(f, fault.Span), fault.Word, fault.Known)
		}
		found = append(found, d)
	}
	return found
}

var severities = map[foreign.Severity]model.Severity{
	foreign.Error: model.Error, foreign.Warning: model.Warning, foreign.Information: model.Information,
}

// foreignSiblings: the files in the folder of a Récif agent have its tools.
func foreignSiblings(out *findings, f File) {
	for _, name := range model.MissingInSiblings(f.Workspace, f.Path) {
		out.warn(name.Span, "No file beside this one has the Tool `%s`.", name.Text)
	}
}

// foreignSources: the file or abl.yaml declares the `source` of a tool, and the tool supports its
// kind.
func foreignSources(out *findings, f File) {
	foreignNames(out, f, tool.RefSource, projectfile.Sources, "source")
	unsuitableSources(out, f)
}

// foreignServices: they declare the auth services of a tool as well.
func foreignServices(out *findings, f File) {
	foreignNames(out, f, tool.RefAuthService, projectfile.AuthServices, "auth service")
}

// foreignNames reports names that are not declared. Toolbox may be given several files, so that
// nothing is reported if this one declares none at all.
func foreignNames(out *findings, f File, ref tool.Ref, table, what string) {
	known := f.DeclaredForeign(ref)
	severity := model.Warning
	if len(known) == 0 {
		severity = model.Hint
	}
	if in, complete := f.Workspace.Project(f.Path); !complete {
		return
	} else if in != nil && in.Project != nil {
		of, _ := in.Project.Table(table)
		if of.Incomplete || in.Project.Incomplete {
			return
		}
		known = append(known, of.Names()...)
	}
	isKnown := map[string]bool{} // there may be thousands
	for _, name := range known {
		isKnown[name] = true
	}
	for n := range f.ForeignNames() {
		if n.Ref != ref || n.Declares || isKnown[n.Name] || strings.Contains(n.Name, "${") || len(*out) >= maxFindings {
			continue
		}
		d := out.warn(n.Span, "Neither this file nor an abl.yaml has the %s `%s`; %s", what, n.Name,
			model.DidYouMean(n.Name, known, "declare it, or name one that is there."))
		d.Severity = severity
		offerNear(d, n.Span, n.Name, known)
	}
}

// foreignTemplates: a name in a path or a body is a parameter of the tool.
func foreignTemplates(out *findings, f File) { unknownPlaceholders(out, f, false) }

// unknownForeignStatementNames: so is a name in a statement.
func unknownForeignStatementNames(out *findings, f File) { unknownPlaceholders(out, f, true) }

func unknownPlaceholders(out *findings, f File, inStatement bool) {
	for _, t := range f.Tools {
		for _, p := range model.UnknownPlaceholders(f.File, t) {
			switch {
			case len(*out) >= maxFindings:
				return
			case (p.Key == "statement") != inStatement:
				continue
			}
			known := t.ForeignNames(p)
			d := out.warn(p.Span, "`%s` has no parameter `%s` that could stand here; %s", t.Name, p.Name,
				model.DidYouMean(p.Name, known, "declare it, or take the placeholder away."))
			offerNear(d, p.Span, p.Name, known)
		}
	}
}
