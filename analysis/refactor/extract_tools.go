package refactor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// maxImported is how many imported libraries are offered in addition to the one that has the
// agent's name.
const maxImported = 3

// extractTools moves the tools whose signatures are selected to a library, and imports them: to the
// one that has the agent's name, which is created if need be, or to one that is imported already.
func extractTools(s selection) []Refactoring {
	tools := s.tools()
	if len(tools) == 0 || s.file.Kind != model.Agent && s.file.Kind != model.Supervisor || !filepath.IsAbs(s.file.Path) {
		return nil
	}
	what := "`" + tools[0].Name + "`"
	if len(tools) > 1 {
		what = strconv.Itoa(len(tools)) + " tools"
	}
	targets := []string{filepath.Join(filepath.Dir(s.file.Path), model.Stem(s.file.Path)+".tools.abl")}
	for _, i := range s.file.Imports {
		if f := s.w.File(i.Target); f != nil && f.Kind == model.Library && !slices.Contains(targets, i.Target) && len(targets) <= maxImported {
			targets = append(targets, i.Target)
		}
	}
	var all []Refactoring
	for _, target := range targets {
		all = append(all, Refactoring{
			Title:   "Move " + what + " to `" + model.Relative(s.file.Path, target) + "`",
			Creates: target,
			Reads:   []string{target, model.CasesPath(s.file.Path), model.CasesPath(target)},
			edits: func(_ context.Context, w model.Workspace) ([]model.FileEdit, error) {
				return extractedTools(w, s.file, tools, target)
			},
		})
	}
	return all
}

// tools returns the tools whose signatures are selected, or contain the cursor.
func (s selection) tools() []model.PositionedTool {
	var tools []model.PositionedTool
	for _, t := range s.file.Tools {
		if span := t.SignatureSpan(); span.Start <= s.End && s.Start <= span.End {
			tools = append(tools, t)
		}
	}
	return tools
}

// extractedTools returns the edits that move tools, with their saved cases, from f to the library
// at target. It fails, with a reason to show, if that is not possible or a tool would change.
func extractedTools(w model.Workspace, f *model.File, tools []model.PositionedTool, target string) ([]model.FileEdit, error) {
	var names []string
	for _, t := range tools {
		if model.DeclaresTool(&model.File{Tools: slices.DeleteFunc(slices.Clone(f.Tools), func(o model.PositionedTool) bool { return o == t })}, t.Name) {
			return nil, fmt.Errorf("`%s` is declared twice here", t.Name)
		}
		names = append(names, t.Name)
	}
	inserted, err := appendTools(w, target, f, tools)
	if err != nil {
		return nil, err
	}
	cases, err := movedCases(w, f.Path, target, names)
	if err != nil {
		return nil, err
	}
	edits := slices.Concat([]model.FileEdit{inserted}, model.EditsIn(f.Path, replaceWithImport(f, tools, target, names)...), cases)
	return edits, checkToolsUnchanged(w, f.Path, []string{f.Path, target}, model.Edits(w, f.Path, model.Fix{Edits: edits}))
}

// appendTools returns the edit that adds tools of f at the end of the library at target, which is
// created if there is none. It fails if the library cannot be read, has no TOOLS for them, or has a
// tool of the same name.
func appendTools(w model.Workspace, target string, f *model.File, tools []model.PositionedTool) (model.FileEdit, error) {
	library := w.File(target)
	made := library == nil || library.Absent == model.NotFound
	if !made && (library.Doc == nil || library.Kind != model.Library) {
		return model.FileEdit{}, fmt.Errorf("%s is no tool library that can be read", filepath.Base(target))
	}
	at, indent := 0, model.IndentAt(f, tools[0].Span().Start)
	if !made {
		var ok bool
		if at, indent, ok = endOfTools(library, indent); !ok {
			return model.FileEdit{}, fmt.Errorf("%s has no TOOLS that a tool can be put into", filepath.Base(target))
		}
	}
	var texts []string
	for _, t := range tools {
		if !made && model.DeclaresTool(library, t.Name) {
			return model.FileEdit{}, fmt.Errorf("%s has a tool `%s` already", filepath.Base(target), t.Name)
		}
		s, err := movedToolText((model.ScopedTool{PositionedTool: t, File: f}), target, indent)
		if err != nil {
			return model.FileEdit{}, err
		}
		texts = append(texts, s)
	}
	inserted := strings.Join(texts, "\n\n")
	if made {
		inserted = "TOOLS:\n" + inserted + "\n"
	} else {
		inserted = "\n\n" + inserted
	}
	return model.FileEdit{Path: target, Edit: text.Edit{Span: text.Span{Start: at, End: at}, NewText: inserted}}, nil
}

// endOfTools returns the end of the last line of the last TOOLS in the library f, and the
// indentation of tools there: otherwise if f has no tools. ok is false if f has no TOOLS with
// lines.
func endOfTools(f *model.File, otherwise string) (at int, indent string, ok bool) {
	for _, s := range slices.Backward(f.Doc.Sections()) {
		if s.Head.Kind() != syntax.ToolsSection || len(s.Entries) == 0 {
			continue
		}
		indent = otherwise
		if len(f.Tools) > 0 {
			indent = model.IndentAt(f, f.Tools[0].Span().Start)
		}
		return f.Doc.Lines().LineText(f.Doc.Lines().Line(sectionEnd(f, s.Entries[0].Offset))).End, indent, true
	}
	return 0, "", false
}

// replaceWithImport returns the edits that remove tools from the file and import them.
func replaceWithImport(f *model.File, tools []model.PositionedTool, target string, names []string) []text.Edit {
	var edits []text.Edit
	for _, t := range tools {
		edits = append(edits, text.Edit{Span: linesToRemove(f, t)})
	}
	list := strings.Join(names, ", ")
	for _, i := range f.Imports {
		if i.Target != target {
			continue
		}
		if i.All {
			return edits
		}
		at, s, ok := edit.ImportWith(i, list)
		if ok {
			return append(edits, text.Edit{Span: at, NewText: s})
		}
	}
	line := model.IndentAt(f, tools[0].Span().Start) + `file: "` + model.Relative(f.Path, target) + `" [` + list + `]` + "\n"
	at := importPlace(f, edits[0].Start)
	if last := edits[len(edits)-1]; len(f.Imports) == 0 && (at < edits[0].Start || strings.TrimSpace(f.Doc.Text()[last.End:]) != "") {
		line += "\n"
	}
	for i := range edits {
		if edits[i].Start == at {
			edits[i].NewText = line
			return edits
		}
	}
	return append(edits, text.Insertion(at, line))
}

// linesToRemove returns the lines of a tool with a blank line below it, or with those above if
// nothing is below.
func linesToRemove(f *model.File, t model.PositionedTool) text.Span {
	source := f.Doc.Text()
	span, _ := toolLines(f, t)
	span.End += len(model.LineEndsIn(source[span.End:], 1))
	rest := source[span.End:]
	if strings.TrimSpace(rest) == "" {
		kept := strings.TrimRight(source[:span.Start], " \t\r\n")
		span.Start = len(kept) + len(model.LineEndsIn(source[len(kept):], 1))
		return text.Span{Start: span.Start, End: len(source)}
	}
	line, _, _ := strings.Cut(rest, "\n")
	if strings.TrimSpace(line) == "" {
		span.End += len(line) + 1
	}
	return span
}

// importPlace returns the offset of the line below the last import, else of the first one of the
// TOOLS around the offset.
func importPlace(f *model.File, offset int) int {
	lines := f.Doc.Lines()
	if n := len(f.Imports); n > 0 {
		end := lines.LineText(lines.Line(f.Imports[n-1].Span().End)).End
		return end + len(model.LineEndsIn(f.Doc.Text()[end:], 1))
	}
	for _, s := range slices.Backward(f.Doc.Sections()) {
		if s.Head.Kind() == syntax.ToolsSection && len(s.Entries) > 0 && s.Head.Offset < offset {
			return lines.LineStart(lines.Line(s.Entries[0].Offset))
		}
	}
	return offset
}

// movedCases returns the edits that move the saved cases of the tools called names from the cases
// of the file at from to those of the file at to; none if there are no such cases. It fails if one
// of the two files of cases cannot be read, or if the cases cannot be added to the second one.
func movedCases(w model.Workspace, from, to string, names []string) ([]model.FileEdit, error) {
	from, to = model.CasesPath(from), model.CasesPath(to)
	saved, other := w.File(from), w.File(to)
	if from == to || saved == nil || saved.Doc == nil {
		return nil, nil
	}
	if len(saved.YAML.Faults()) > 0 || other != nil && other.Doc != nil && len(other.YAML.Faults()) > 0 {
		return nil, errors.New("the saved cases cannot be read: mend them first")
	}
	var edits []model.FileEdit
	var texts strings.Builder
	for _, c := range projectfile.ReadCases(saved.YAML) {
		if !slices.Contains(names, c.Tool.Name) {
			continue
		}
		span := caseLines(saved, c.Tool.Span.Start)
		edits = append(edits, model.FileEdit{Path: from, Edit: text.Edit{Span: span}})
		texts.WriteString(strings.TrimRight(saved.Doc.Text()[span.Start:span.End], "\r\n") + "\n")
	}
	if len(edits) == 0 {
		return nil, nil
	}
	at, before := 0, ""
	if other != nil && other.Doc != nil {
		for _, c := range projectfile.ReadCases(other.YAML) {
			if slices.Contains(names, c.Tool.Name) {
				return nil, fmt.Errorf("%s has cases of `%s` already", filepath.Base(to), c.Tool.Name)
			}
		}
		at = len(other.Doc.Text())
		if at > 0 && !strings.HasSuffix(other.Doc.Text(), "\n") {
			before = "\n"
		}
	}
	return append(edits, model.FileEdit{Path: to, Edit: text.Insertion(at, before+texts.String())}), nil
}

// caseLines returns the lines of a key at the left edge with the comments right above it, up to the
// comments of the next such key.
func caseLines(f *model.File, key int) text.Span {
	lines, source := f.Doc.Lines(), f.Doc.Text()
	first := lines.Line(key)
	starts := func(line int, with string) bool {
		s := lines.LineText(line)
		return s.Len() > 0 && strings.ContainsAny(source[s.Start:s.Start+1], with)
	}
	for first > 0 && starts(first-1, "#") {
		first--
	}
	end := lines.Line(key) + 1
	for end < lines.LineCount() && (lines.LineText(end).Len() == 0 || starts(end, " \t-#\r")) {
		end++
	}
	for end > lines.Line(key)+1 && end < lines.LineCount() && starts(end-1, "#") {
		end--
	}
	if end >= lines.LineCount() {
		return text.Span{Start: lines.LineStart(first), End: len(source)}
	}
	return text.Span{Start: lines.LineStart(first), End: lines.LineStart(end)}
}
