package refactor

import (
	"slices"
	"sort"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// FixAll returns the edits that repair, in the file at path, all problems with one obvious fix.
// There are none if there is nothing to repair, or the file has no text. Problems that a fix causes
// are repaired as well. check returns the file's diagnostics in a workspace. FixAll fails if edits
// do not fit the text.
func FixAll(w model.Workspace, path string, check func(model.Workspace) []model.Diagnostic) ([]text.Edit, error) {
	f := w.File(path)
	if f == nil || f.Doc == nil {
		return nil, nil
	}
	var all []text.Edit
	check = inWritten(path, check)
	found := check(w)
	for range maxFixPasses {
		edits := bestEdits(w, path, found)
		mended, then, err := applyAndCheck(w, path, edits, check)
		if left := withoutDuplicating(edits, path, found, then); err == nil && len(left) < len(edits) {
			edits = left
			mended, then, err = applyAndCheck(w, path, edits, check)
		}
		if err != nil {
			return nil, err
		}
		if len(edits) == 0 {
			break
		}
		if all, err = text.Compose(f.Written().Doc.Text(), all, edits); err != nil {
			return nil, err
		}
		w, found = mended, then
	}
	for i := range all {
		all[i].Span = f.InFile(all[i].Span)
	}
	return all, nil
}

// inWritten returns a check whose diagnostics have their spans in what the author of the file writes.
func inWritten(path string, check func(model.Workspace) []model.Diagnostic) func(model.Workspace) []model.Diagnostic {
	return func(w model.Workspace) []model.Diagnostic {
		return model.InWritten(w.File(path), check(w))
	}
}

// maxFixPasses bounds the repetitions if fixes undo each other.
const maxFixPasses = 20

// applyAndCheck returns the workspace after edits of the file at path, and what check finds in it;
// w and nothing if there are no edits. It fails if edits overlap.
func applyAndCheck(w model.Workspace, path string, edits []text.Edit, check func(model.Workspace) []model.Diagnostic) (model.Workspace, []model.Diagnostic, error) {
	if len(edits) == 0 {
		return w, nil, nil
	}
	mended, err := text.Apply(w.File(path).Written().Doc.Text(), edits...)
	if err != nil {
		return w, nil, err
	}
	w = w.With(path, syntax.Parse(mended))
	return w, check(w), nil
}

// withoutDuplicating returns the edits except those after which a name appears twice that appeared
// once before: it is unknown which of the two is meant.
func withoutDuplicating(edits []text.Edit, path string, before, after []model.Diagnostic) (left []text.Edit) {
	was, is := duplicateNames(path, before), duplicateNames(path, after)
	moved := 0
	for _, e := range edits {
		made := text.Span{Start: e.Start, End: e.Start + len(e.NewText)}.Shift(moved)
		moved += e.Delta()
		if isAmong(e.Span, was) || !isAmong(made, is) {
			left = append(left, e)
		}
	}
	return left
}

func isAmong(span text.Span, all []text.Span) bool {
	return slices.ContainsFunc(all, func(s text.Span) bool { return span.Start < s.End && s.Start < span.End })
}

// duplicateNames returns the places of names that appear twice.
func duplicateNames(path string, found []model.Diagnostic) (spans []text.Span) {
	for _, d := range found {
		if !strings.HasPrefix(d.Code, "duplicate-") {
			continue
		}
		spans = append(spans, d.Span)
		for _, r := range d.Related {
			if r.Path == path {
				spans = append(spans, r.Span)
			}
		}
	}
	return spans
}

// bestEdits returns the edits of the best fixes that change the file alone, in order. If fixes
// overlap, the first one is used.
func bestEdits(w model.Workspace, path string, found []model.Diagnostic) []text.Edit {
	var taken []text.Edit
	for _, d := range found {
		i := slices.IndexFunc(d.Fixes, func(f model.Fix) bool { return f.Best })
		if i < 0 {
			continue
		}
		edits, ok := ownEdits(w, path, d.Fixes[i])
		if ok && !slices.ContainsFunc(edits, func(e text.Edit) bool { return overlapsAny(e, taken) }) {
			taken = mergeSorted(taken, edits)
		}
	}
	return taken
}

func ownEdits(w model.Workspace, path string, f model.Fix) (own []text.Edit, ok bool) {
	for _, e := range model.Edits(w, path, f) {
		if e.Path != path {
			return nil, false
		}
		own = append(own, e.Edit)
	}
	return own, true
}

// overlapsAny reports whether an edit overlaps one of those taken, which are in order and apart
// from each other.
func overlapsAny(e text.Edit, taken []text.Edit) bool {
	i := indexAfter(e, taken)
	return i < len(taken) && taken[i].Start <= e.End || i > 0 && e.Start <= taken[i-1].End
}

// indexAfter returns the index of the first edit that begins after the beginning of another one.
func indexAfter(e text.Edit, taken []text.Edit) int {
	return sort.Search(len(taken), func(i int) bool { return taken[i].Start > e.Start })
}

// mergeSorted returns edits with further ones inserted in order.
func mergeSorted(taken, edits []text.Edit) []text.Edit {
	for _, e := range edits {
		taken = slices.Insert(taken, indexAfter(e, taken), e)
	}
	return taken
}
