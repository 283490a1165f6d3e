package refactor

import (
	"context"
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
)

// convertInFile is the name of the refactoring that [convertHere] offers.
const convertInFile = "convert_here"

// convertHere writes the tools of a foreign file, or the one at the cursor, into a library in the
// same folder. Files that import these tools import them from there.
func convertHere(s selection) []Refactoring {
	if s.file.Foreign == nil {
		return nil
	}
	var named []foreign.Tool
	for _, t := range s.file.Foreign.Tools {
		if t.Tool.Name != "" {
			named = append(named, t)
		}
	}
	if len(named) == 0 {
		return nil
	}
	offered := []Refactoring{fileConversion{s.file, named, ""}.offer("Convert the tools of this file to ABL")}
	if t, ok := s.file.ForeignAround(s.Start); ok && len(named) > 1 {
		other := func(o foreign.Tool) bool { return o.Tool.Name != t.Name } // its versions go with it
		one := fileConversion{s.file, slices.DeleteFunc(slices.Clone(named), other), t.Name}
		offered = append(offered, one.offer("Convert `"+t.Name+"` to ABL"))
	}
	return offered
}

// fileConversion is what is to be converted of a foreign file.
type fileConversion struct {
	from  *model.File
	tools []foreign.Tool
	name  string // of the only tool; "" for all
}

func (c fileConversion) offer(title string) Refactoring {
	paths := conversion{from: c.from}.libraries()
	return Refactoring{Title: title, Reads: paths, Opens: paths[0], edits: c.edits}
}

func (c fileConversion) edits(ctx context.Context, w model.Workspace) ([]model.FileEdit, error) {
	made, err := conversion{from: c.from}.library(w, c.tools)
	if err != nil {
		return nil, err
	}
	edits := []model.FileEdit{made}
	for _, path := range w.Paths() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !slices.Contains(w.Summary(path).Imported(), c.from.Path) {
			continue
		}
		f := w.File(path)
		for _, line := range f.Imports {
			if line.Path == "" || line.Target != c.from.Path || edit.HasOtherText(line) {
				continue
			}
			of, ok := c.importerConversion(f, line)
			if !ok {
				continue
			}
			for _, e := range of.importerEdits(made.Path) {
				e.Path = path
				edits = append(edits, e)
			}
		}
	}
	return edits, nil
}

// importerConversion returns the conversion in a file that imports the tools. A single tool is
// taken out of a list of names; a line that imports all tools stays.
func (c fileConversion) importerConversion(f *model.File, line model.Import) (of conversion, ok bool) {
	of = conversion{file: f, from: c.from, line: line, names: -1}
	if c.name == "" {
		return of, true
	}
	k := line.NameOf(c.name, "")
	if len(line.Names) > 1 {
		of.names = k
	}
	return of, k >= 0
}
