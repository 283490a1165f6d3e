package export

import (
	"fmt"
	"path/filepath"
	"reflect"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
)

// tableEntry names an entry of one of a project's tables.
type tableEntry struct{ table, name string }

// withoutConflicts returns the tools that can be together in one file with the tables of a
// project. Two files may have different sources or auth services of one name; a tool must not
// get that of another file. The entries of the nearest abl.yaml count for all tools.
func withoutConflicts(w model.Workspace, path string, all []model.LoweredTool) (kept []model.LoweredTool, lost []foreign.Loss) {
	own, owners := ownTables(w, path), map[tableEntry]*model.File{}
	for _, f := range foreignFiles(w, path, all) {
		for _, table := range f.Foreign.Project {
			for _, m := range f.Foreign.Project.Object(table.Name) {
				e := tableEntry{table.Name, m.Name}
				if _, isOwn := e.lookUp(own); owners[e] == nil && !isOwn {
					owners[e] = f
				}
			}
		}
	}
	for _, l := range all {
		if why := conflictOf(l.Tool, l.Declared.File, owners); why != "" {
			lost = append(lost, foreign.Loss{Tool: l.Tool.QualifiedName(), What: "the whole tool, since " + why})
			continue
		}
		kept = append(kept, l)
	}
	return kept, lost
}

// conflictOf describes an entry that the tool t uses from its own file f and that differs
// from the entry of the same name in another file, which owners has. It returns "" if
// there is none.
func conflictOf(t tool.Tool, f *model.File, owners map[tableEntry]*model.File) string {
	for _, e := range entriesOf(t) {
		owner := owners[e]
		if owner == nil || f.Foreign == nil {
			continue
		}
		if own, ok := e.lookUp(f.Foreign.Project); ok && !isSameEntry(e, own, f, owner) {
			return fmt.Sprintf("its %s is another one than that of %s", e.name, filepath.Base(owner.Path))
		}
	}
	return ""
}

// isSameEntry reports whether an entry is the same in two files. The path of a database is
// relative to its file.
func isSameEntry(e tableEntry, own tool.Object, f, owner *model.File) bool {
	theirs, _ := e.lookUp(owner.Foreign.Project)
	isElsewhere := own.Text("kind") == "sqlite" && filepath.Dir(f.Path) != filepath.Dir(owner.Path)
	return !isElsewhere && reflect.DeepEqual(own, theirs)
}

// entriesOf returns the entries that a tool names.
func entriesOf(t tool.Tool) (list []tableEntry) {
	switch s := t.Spec.(type) {
	case *tool.SQL:
		list = append(list, tableEntry{"sources", s.Source})
	case *tool.Redis:
		list = append(list, tableEntry{"sources", s.Source})
	case *tool.HTTP:
		list = append(list, tableEntry{"sources", s.Source})
	}
	for _, name := range t.AuthRequired {
		list = append(list, tableEntry{"auth_services", name})
	}
	for _, p := range t.Params {
		for _, s := range p.AuthServices {
			list = append(list, tableEntry{"auth_services", s.Name})
		}
	}
	return list
}

func (e tableEntry) lookUp(project tool.Object) (tool.Object, bool) {
	o, ok := project.Object(e.table).Get(e.name).(tool.Object)
	return o, ok
}
