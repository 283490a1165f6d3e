package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// usedTools returns the names of the tools that the file and its behaviour profiles name anywhere.
// known is false if there may be others: the model may choose (in a flow with a step that reasons,
// and without a flow), the file is imported itself, a profile cannot be read, or something is about
// all tools.
func (f File) usedTools() (names map[string]bool, known bool) {
	choosesAlone := func(flow *model.Flow) bool { return !flow.Complete || len(flow.Steps) == 0 || flow.MayReason() }
	flows := f.Flows()
	if len(flows) == 0 || len(flows) < len(f.Parts()) || slices.ContainsFunc(flows, choosesAlone) || len(f.Workspace.Importers(f.Path)) > 0 {
		return nil, false
	}
	profiles, complete := model.Profiles(f.Workspace, f.File)
	if !complete {
		return nil, false
	}
	names = map[string]bool{}
	for _, in := range append(profiles, f.File) {
		if isAboutAllTools(in) {
			return nil, false
		}
		for _, m := range in.NameRefsOf(model.ToolRef) {
			names[m.Name] = true
		}
	}
	return names, !names["*"]
}

// isAboutAllTools reports whether a guardrail applies to every call.
func isAboutAllTools(f *model.File) bool {
	for s := range f.Doc.Sections().Named("GUARDRAILS") {
		for _, e := range s.Entries {
			for n := range e.Root().Preorder() {
				if strings.EqualFold(n.Key(), "kind") && strings.HasPrefix(strings.ToLower(n.Value().UnquotedText()), "tool_") {
					return true
				}
			}
		}
	}
	return false
}

// withoutLines returns the fix that deletes the lines of a span.
func (f File) withoutLines(title string, span text.Span) model.Fix {
	lines := f.Doc.Lines()
	span.Start = lines.LineStart(lines.Line(span.Start))
	span.End = lines.LineStart(lines.Line(span.End) + 1)
	return model.ReplaceFix(title, span, "")
}
