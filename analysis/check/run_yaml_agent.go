package check

import (
	"slices"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// checkYAMLAgent returns the findings in an agent in YAML: those in it as YAML, and those in the
// ABL text that means the same. Their spans are in the YAML.
func (r *run) checkYAMLAgent(w model.Workspace, f *model.File, standard bool) []model.Diagnostic {
	source := File{f.Written(), w, r}
	if isUnreadableText(source.Doc) {
		return r.runCheck(syntaxError, func(out *findings) { textProblems(out, source.Doc) })
	}
	if found := r.runCheck(syntaxError, func(out *findings) { yamlAgentHead(out, source) }); len(found) > 0 {
		return found
	}
	found := r.checkAsYAML(source)
	found = append(found, r.runCheck(fileSuffix, func(out *findings) { yamlFileSuffix(out, File{f, w, r}) })...)
	asYAML := len(found)
	for _, d := range r.withSeverities(r.checkText(w, f), standard) {
		d, ok := inYAML(f, d)
		same := func(o model.Diagnostic) bool {
			alike := o.Code == d.Code || o.Code == missingProperty.Code && d.Code == invalidValue.Code
			return alike && o.Span.Start <= d.Span.End && d.Span.Start <= o.Span.End
		}
		if ok && !slices.ContainsFunc(found[:asYAML], same) {
			found = append(found, d)
		}
	}
	slices.SortStableFunc(found, byPosition)
	return found
}

// checkAsYAML returns the findings in an agent as YAML, and remembers the units without any.
func (r *run) checkAsYAML(source File) []model.Diagnostic {
	var found []model.Diagnostic
	complete := true
	for _, c := range yamlAgentChecks() {
		ended := false
		some := r.runCheck(c, func(out *findings) {
			c.File(out, source)
			ended = true
		})
		complete = complete && ended && len(some) < maxFindings
		found = append(found, some...)
	}
	if complete {
		r.markSound(found)
	}
	return found
}

// markSound marks the units of the agent in which nothing was found.
func (r *run) markSound(found []model.Diagnostic) {
	starts := make([]int, len(found))
	for i, d := range found {
		starts[i] = d.Span.Start
	}
	slices.Sort(starts)
	for i := range r.agent.Units {
		u := &r.agent.Units[i]
		next, _ := slices.BinarySearch(starts, u.Span.Start)
		if !u.Sound.Load() && (next == len(starts) || starts[next] > u.Span.End) {
			u.Sound.Store(true)
		}
	}
}

// isSound reports whether a value in YAML is a unit of an agent in which the checks of the YAML, which
// look at each value, have found nothing.
func (r *run) isSound(value *yaml.Node) bool {
	if r.agent == nil {
		return false
	}
	u := r.agent.Unit(value)
	return u != nil && u.Sound.Load()
}

// inYAML returns a finding in the ABL text of an agent as one in its YAML; ok is false if the rule
// does not hold there.
func inYAML(f *model.File, d model.Diagnostic) (in model.Diagnostic, ok bool) {
	holds, listed := onlyInABL()[d.Code]
	if listed && !holds(d) && !isTwiceInList(f, d) || isGeneratedType(f, d) {
		return d, false
	}
	if d.Code == missingReasoning.Code {
		d.Severity = model.Information // under `--standard`, too: only the ABL reader insists
	}
	d.Span = f.WrittenSpan(d.Span)
	d.Message = section.KeysInYAML(d.Message, f.Text()[d.Span.Start:d.Span.End])
	related := slices.Clone(d.Related)
	for i := range related {
		if related[i].Path == f.Path {
			related[i].Span = f.WrittenSpan(related[i].Span)
		}
	}
	d.Related, d.Fixes = related, fixesInYAML(f, d.Fixes)
	if d.Code == missingReasoning.Code {
		offerReasoning(&d, f.Written())
	}
	return d, true
}

// isTwiceInList reports whether a name is declared twice in a list of YAML: a field to collect, a
// guardrail or a template.
func isTwiceInList(f *model.File, d model.Diagnostic) bool {
	s := f.Cursor(d.Span.Start).Section
	return d.Code == duplicateProperty.Code && s != nil && slices.Contains([]string{"GATHER", "GUARDRAILS", "TEMPLATES"}, s.Name())
}

// isGeneratedType reports whether a finding is about the type of a result that the YAML does not say.
func isGeneratedType(f *model.File, d model.Diagnostic) bool {
	return d.Code == typeTypo.Code && f.WrittenSpan(d.Span).Empty()
}

// fixesInYAML returns the fixes whose edits can be made in the YAML.
func fixesInYAML(f *model.File, fixes []model.Fix) []model.Fix {
	var out []model.Fix
	for _, fix := range fixes {
		insertsABL := slices.ContainsFunc(fix.Edits, func(e model.FileEdit) bool {
			return e.Empty() && strings.ContainsAny(e.NewText, ",:()")
		})
		if edits, ok := model.EditsInYAML(f, fix.Edits); ok && !insertsABL {
			fix.Edits = edits
			out = append(out, fix)
		}
	}
	return out
}

func never(model.Diagnostic) bool { return false }

func isError(d model.Diagnostic) bool { return d.Severity == model.Error }

// onlyInABL returns the codes whose findings do not hold in YAML, or only some: they are about
// layout, or the YAML itself is checked for them.
var onlyInABL = sync.OnceValue(func() map[string]func(model.Diagnostic) bool {
	return map[string]func(model.Diagnostic) bool{
		syntaxError.Code: never, sectionCase.Code: never, sectionIndent.Code: never, trailingComment.Code: never,
		missingSection.Code: never, removedSection.Code: never, unknownSection.Code: never, duplicateSection.Code: never,
		unknownProperty.Code: never, platformLoss.Code: never, bindingWithoutType.Code: never,
		deprecatedSpelling.Code: never, unusedSuppression.Code: never, fileSuffix.Code: never,
		missingProperty.Code: never, duplicateProperty.Code: isError,
	}
})

// yamlFileSuffix: the name of the file tells the dialect.
func yamlFileSuffix(out *findings, f File) {
	fileSuffix.File(out, f)
	for i := range *out {
		d := &(*out)[i]
		d.Span = f.WrittenSpan(d.Span)
	}
}

// yamlAgentChecks returns the checks of an agent as YAML.
func yamlAgentChecks() []Check {
	return []Check{
		{Code: syntaxError.Code, File: yamlSyntax},
		{Code: duplicateProperty.Code, File: yamlAgentDuplicate},
		{Code: missingSection.Code, File: yamlAgentSections},
		{Code: removedSection.Code, Tag: removedSection.Tag, File: yamlAgentRemoved},
		{Code: unknownProperty.Code, File: yamlAgentUnknown},
		{Code: missingProperty.Code, File: yamlAgentMissing},
		{Code: invalidValue.Code, File: yamlAgentInvalid},
		{Code: platformLoss.Code, File: yamlAgentLoss},
		{Code: unusedSuppression.Code, File: wrongSuppressions},
	}
}
