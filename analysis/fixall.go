package analysis

import (
	"slices"
	"sort"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// FixAll are the edits that mend, in the file at path, all that has one obvious
// answer; none where there is nothing. What one fix leads to is mended as well.
// check gives the file's diagnostics.
func FixAll(w Workspace, path string, check func(Workspace) []Diagnostic) ([]text.Edit, error) {
	f := w.File(path)
	if f == nil || f.Doc == nil {
		return nil, nil
	}
	var all []text.Edit
	for range maxFixPasses {
		edits := bestEdits(w, path, check(w))
		if len(edits) == 0 {
			break
		}
		var err error
		if all, err = text.Compose(f.Doc.Text(), all, edits); err != nil {
			return nil, err
		}
		mended, err := text.Apply(f.Doc.Text(), all...)
		if err != nil {
			return nil, err
		}
		w = w.With(path, syntax.Parse(mended))
	}
	return all, nil
}

// maxFixPasses bounds what fixes that undo each other could do.
const maxFixPasses = 20

// bestEdits are those of the best fixes that change the file alone, in order. Of
// fixes that meet, the first is taken.
func bestEdits(w Workspace, path string, found []Diagnostic) []text.Edit {
	var taken []text.Edit
	for _, d := range found {
		i := slices.IndexFunc(d.Fixes, func(f Fix) bool { return f.Best })
		if i < 0 {
			continue
		}
		edits, ok := ownEdits(w, path, d.Fixes[i])
		if ok && !slices.ContainsFunc(edits, func(e text.Edit) bool { return meets(e, taken) }) {
			taken = inserted(taken, edits)
		}
	}
	return taken
}

func ownEdits(w Workspace, path string, f Fix) (own []text.Edit, ok bool) {
	for _, e := range w.Edits(path, f) {
		if e.Path != path {
			return nil, false
		}
		own = append(own, e.Edit)
	}
	return own, true
}

// meets reports whether an edit touches one of those taken, which are in order and
// apart from each other.
func meets(e text.Edit, taken []text.Edit) bool {
	i := after(e, taken)
	return i < len(taken) && taken[i].Start <= e.End || i > 0 && e.Start <= taken[i-1].End
}

// after is the index of the first edit that begins behind another's beginning.
func after(e text.Edit, taken []text.Edit) int {
	return sort.Search(len(taken), func(i int) bool { return taken[i].Start > e.Start })
}

// inserted are edits with further ones put where they belong.
func inserted(taken, edits []text.Edit) []text.Edit {
	for _, e := range edits {
		taken = slices.Insert(taken, after(e, taken), e)
	}
	return taken
}
