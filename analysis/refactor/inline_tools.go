package refactor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// inlineTools moves the tools that an import brings, or the one whose name contains the selection,
// into the agent.
func inlineTools(s selection) []Refactoring {
	i := s.file.ImportAround(s.Start)
	if i == nil || s.file.Kind != model.Agent && s.file.Kind != model.Supervisor || !model.IsKnownPath(s.w, *i) {
		return nil
	}
	tools, _ := model.Imported(s.w, i)
	if len(tools) == 0 {
		return nil
	}
	disabled := ""
	if slices.ContainsFunc(tools, func(t model.ScopedTool) bool { return t.IsForeign() }) {
		disabled = "`" + i.Path + "` is another system's file: convert its tools to ABL first"
	}
	offer := func(title string, tools []model.ScopedTool, without text.Edit) Refactoring {
		return Refactoring{Title: title, Disabled: disabled, edits: func(_ context.Context, w model.Workspace) ([]model.FileEdit, error) {
			return inlinedImport(w, s.file, i, tools, without)
		}}
	}
	all := []Refactoring{offer("Inline the import of `"+i.Path+"`", tools, withoutImport(s.file, i))}
	for k := range i.Names {
		if span := i.NameSpan(k); len(i.Names) > 1 && span.Touches(s.Start) {
			if t, ok := (model.Scope{Tools: tools}).Tool(i.Names[k].UnquotedText()); ok {
				all = append(all, offer("Inline `"+t.Name+"`", []model.ScopedTool{t}, withoutName(s.file, i, k)))
			}
		}
	}
	return all
}

// withoutImport returns the edit that removes an import's lines and keeps the comments in them. If
// blank lines are around it, one of them stays.
func withoutImport(f *model.File, i *model.Import) text.Edit {
	lines := f.Doc.Lines()
	span := text.Span{Start: lines.LineStart(lines.Line(i.Span().Start)), End: lines.LineText(lines.Line(i.Span().End)).End}
	var kept strings.Builder
	for n := range i.Preorder() {
		if n.Kind() == syntax.Comment {
			kept.WriteString(model.IndentAt(f, i.Span().Start) + strings.TrimSpace(n.Text()) + "\n")
		}
	}
	span.End += len(model.LineEndsIn(f.Doc.Text()[span.End:], 1))
	if blank, _, more := strings.Cut(f.Doc.Text()[span.End:], "\n"); more && kept.Len() == 0 && strings.TrimSpace(blank) == "" && startsTools(f, i) {
		span.End += len(blank) + 1
	}
	return text.Edit{Span: span, NewText: kept.String()}
}

// startsTools reports whether an import is right below `TOOLS:` or a blank line, and something of
// the section is below it.
func startsTools(f *model.File, i *model.Import) bool {
	lines := f.Doc.Lines()
	first := lines.Line(i.Span().Start)
	if first == 0 || sectionEnd(f, i.Offset) <= i.Span().End {
		return false
	}
	above := lines.LineText(first - 1)
	return strings.TrimSpace(f.Doc.Text()[above.Start:above.End]) == "" || !strings.ContainsAny(f.Doc.Text()[above.Start:above.Start+1], " \t#")
}

// withoutName returns the edit that removes a name from the list and keeps the comments in it.
func withoutName(f *model.File, i *model.Import, k int) text.Edit {
	span := i.Names[k].Span()
	switch {
	case i.Child(syntax.FieldNames).Contains(syntax.Comment):
		rest := f.Doc.Text()[span.End:]
		if after := strings.TrimLeft(rest, " \t"); strings.HasPrefix(after, ",") {
			span.End += len(rest) - len(after) + 1
		}
	case k == 0:
		span.End = i.Names[1].Span().Start
	default:
		span.Start = i.Names[k-1].Span().End
	}
	return text.Edit{Span: span}
}

// inlinedImport returns the edits that add tools at the end of the section with the import i, and
// without, the edit that removes the import or a name from it. It fails if f declares a tool of the
// same name, or if a tool would change.
func inlinedImport(w model.Workspace, f *model.File, i *model.Import, tools []model.ScopedTool, without text.Edit) ([]model.FileEdit, error) {
	indent := model.IndentAt(f, i.Span().Start)
	from := []string{f.Path}
	var texts []string
	for _, t := range tools {
		from = append(from, t.File.Path)
		if model.DeclaresTool(f, t.Name) {
			return nil, fmt.Errorf("a tool `%s` is declared here already", t.Name)
		}
		s, err := movedToolText(t, f.Path, indent)
		if err != nil {
			return nil, err
		}
		texts = append(texts, s)
	}
	inserted := strings.Join(texts, "\n\n")
	last := sectionEnd(f, i.Offset)
	at := f.Doc.Lines().LineText(f.Doc.Lines().Line(last)).End
	edits := []text.Edit{without, {Span: text.Span{Start: at, End: at}, NewText: "\n\n" + inserted}}
	if without.Start <= at && at < without.End || at == without.End { // the import is the last
		without.NewText += inserted + "\n"
		edits = []text.Edit{without}
	}
	made := model.EditsIn(f.Path, edits...)
	return made, checkToolsUnchanged(w, f.Path, from, model.Edits(w, f.Path, model.Fix{Edits: made}))
}

// sectionEnd returns the end of the last line of the section with the entry that begins at the
// offset.
func sectionEnd(f *model.File, offset int) int {
	for _, s := range f.Doc.Sections() {
		for _, e := range s.Entries {
			if e.Offset == offset {
				last := s.Entries[len(s.Entries)-1]
				return last.Offset + len(strings.TrimRight(last.Text(), " \t\r\n"))
			}
		}
	}
	return offset
}
