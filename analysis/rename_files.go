package analysis

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Move is a file, or a folder with all that is in it, that gets another path.
type Move struct{ From, To string }

// RenameFiles returns the edits after which every path leads to the same file as now, once the
// moves are made. The paths of the edited files are those before the moves. along are the moves of
// files with the saved cases of a moved file, which should be made as well.
//
// A value that may be something else than a path is changed only if it leads to a file: files lists
// the folders that the workspace does not know.
func RenameFiles(ctx context.Context, w model.Workspace, moves []Move, files model.Lister) (edits []model.FileEdit, along []Move) {
	m := pathMover{w, moves, files}
	along = m.movedCases()
	for _, path := range w.Paths() {
		if ctx.Err() != nil {
			return nil, nil
		}
		f := w.File(path)
		if f.Doc == nil {
			continue
		}
		for _, p := range model.PathUses(f) {
			if s, ok := m.newReference(path, p); ok {
				edits = append(edits, model.FileEdit{Path: path, Edit: text.Edit{Span: p.Span, NewText: s}})
			}
		}
	}
	return edits, along
}

// pathMover knows the new paths of files.
type pathMover struct {
	w     model.Workspace
	moves []Move
	files model.Lister
}

// newPath returns the path that the file at path has after the moves. If several moves apply, it is
// that of the folder nearest to the file.
func (m pathMover) newPath(path string) string {
	to, nearest := path, -1
	for _, move := range m.moves {
		rest, below := strings.CutPrefix(path, move.From)
		below = below && (rest == "" || rest[0] == filepath.Separator)
		if below && len(move.From) > nearest {
			to, nearest = move.To+rest, len(move.From)
		}
	}
	return to
}

// newReference returns the new text for a path in a file; ok is false if nothing must change.
func (m pathMover) newReference(from string, p model.PathUse) (s string, ok bool) {
	target, after := model.Resolve(from, p.Path), m.newPath(from)
	to := m.newPath(target)
	leads := model.Resolve(after, p.Path)
	switch {
	case leads == to:
		return "", false
	case m.exists(target):
	case !p.Sure, m.exists(leads): // it is a mistake that the move repairs
		return "", false
	}
	written := model.RelativeLike(p.Path, after, to)
	return p.Quoted(written), written != ""
}

func (m pathMover) exists(path string) bool {
	if f := m.w.File(path); f != nil {
		return f.Absent == model.Present
	}
	return m.files != nil && slices.ContainsFunc(m.files(filepath.Dir(path)), func(e model.DirEntry) bool {
		return e.Name == filepath.Base(path)
	})
}

// movedCases returns the saved cases of files that move away from them.
func (m pathMover) movedCases() []Move {
	var along []Move
	for _, move := range m.moves {
		if !takesCases(move.From) || !takesCases(move.To) {
			continue
		}
		cases := Move{model.CasesPath(move.From), model.CasesPath(move.To)}
		free := cases.From != cases.To && m.newPath(cases.From) == cases.From && !m.exists(cases.To)
		if free && m.exists(cases.From) && m.ownsCases(move.From, cases) && !slices.Contains(along, cases) {
			along = append(along, cases)
		}
	}
	return along
}

// takesCases reports whether a file may have saved cases: an ABL file, or a foreign one.
func takesCases(path string) bool {
	if model.IsProjectFile(path) || model.IsCases(path) {
		return false
	}
	return model.IsABL(path) || slices.Contains([]string{".yaml", ".yml", ".json", ".ts", ".js"}, filepath.Ext(path))
}

// ownsCases reports whether the cases in the folder of the file at path are its own, not those of
// another file of the same name that stays or goes elsewhere.
func (m pathMover) ownsCases(path string, cases Move) bool {
	shared := false
	for _, other := range m.w.Paths() {
		if other != path && m.w.Summary(other).Absent == model.Present && model.IsABL(other) && model.CasesPath(other) == cases.From && model.CasesPath(m.newPath(other)) != cases.To {
			shared = true
		}
	}
	f, saved := m.w.File(path), m.w.File(cases.From)
	switch {
	case !shared:
		return true
	case f == nil || saved == nil || saved.Doc == nil:
		return false
	}
	all := projectfile.ReadCases(saved.YAML)
	return len(saved.YAML.Faults()) == 0 && !slices.ContainsFunc(all, func(c projectfile.Cases) bool { return !model.DeclaresTool(f, c.Tool.Name) })
}
