package refactor

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// OrganizeImports returns the edits that put the imports of the file at path in order: lines
// without a blank line between them are sorted by path, each file is imported once, names are
// sorted, and what the file's diagnostics report as unused is removed. Comments stay with the
// import below them.
//
// The meaning of each name stays the same: if two imports bring one name, their order is kept. An
// import that cannot be read stays in its place, between the same others.
func OrganizeImports(w model.Workspace, path string, found []model.Diagnostic) []text.Edit {
	f := w.File(path)
	if f == nil || f.Doc == nil || f.ExcessImport != nil {
		return nil
	}
	runs := model.ImportRuns(w, f)
	before := meaningOf(w, path)
	for _, how := range []importOrder{{sort: true, join: true}, {join: true}, {}} {
		edits := how.edits(f, runs, found)
		after, err := text.Apply(f.Doc.Text(), edits...)
		if err == nil && sameMeanings(before, meaningOf(w.With(path, syntax.Parse(after)), path)) {
			return edits
		}
	}
	return nil
}

// meaningOf returns the declaring file of each tool that the file at path can name.
func meaningOf(w model.Workspace, path string) map[string]string {
	declared := map[string]string{}
	for name, t := range w.Scope(path).Index() {
		declared[name] = t.File.Path
	}
	return declared
}

// sameMeanings reports whether the remaining names have the same meaning.
func sameMeanings(before, after map[string]string) bool {
	for name, path := range after {
		if before[name] != path {
			return false
		}
	}
	return true
}

// importOrder says how far imports are put in order.
type importOrder struct{ sort, join bool }

func (o importOrder) edits(f *model.File, runs []model.ImportRun, found []model.Diagnostic) []text.Edit {
	after := make([]model.ImportRun, len(runs))
	for i, run := range runs {
		after[i] = run.WithoutUnused(found)
	}
	if o.join {
		joinImports(after)
	}
	var edits []text.Edit
	for _, run := range after {
		if o.sort {
			slices.SortStableFunc(run.Lines, func(a, b *model.ImportLine) int { return strings.Compare(a.Path, b.Path) })
		}
		e := text.Edit{Span: run.Span, NewText: model.LineEnds(f.Doc.Text(), run.Text())}
		if e.NewText == f.Doc.Text()[e.Start:e.End] {
			continue
		}
		if e.NewText == "" { // and so no line
			e.End += len(model.LineEndsIn(f.Doc.Text()[e.End:], 1))
		}
		edits = append(edits, e)
	}
	return edits
}

// joinImports merges later imports of a file into its first import.
func joinImports(runs []model.ImportRun) {
	type file struct {
		stretch int
		path    string
	}
	first := map[file]*model.ImportLine{}
	for i, run := range runs {
		var kept []*model.ImportLine
		for _, l := range run.Lines {
			of := file{run.Stretch, l.Target}
			if into := first[of]; into != nil && l.Simple && l.ChildOf(syntax.Comment).IsZero() {
				into.Merge(l)
				continue
			}
			kept = append(kept, l)
			if l.Simple && first[of] == nil {
				first[of] = l
			}
		}
		runs[i].Lines = kept
	}
}
