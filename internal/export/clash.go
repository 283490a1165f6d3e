package export

import (
	"fmt"
	"path/filepath"
	"reflect"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/tool"
)

// entry is one of a project's tables.
type entry struct{ table, name string }

// apart is the tools that can stand in one file with the tables of a project. Each file
// can have a source or an auth service of one name that is another one, and a tool must
// not end up with that of another file. What the nearest abl.yaml has counts for all.
func apart(w model.Workspace, path string, all []model.Lowered) (kept []model.Lowered, lost []string) {
	own, owners := ownTables(w, path), map[entry]*model.File{}
	for _, f := range foreignFiles(w, path, all) {
		for _, table := range f.Foreign.Project {
			for _, m := range f.Foreign.Project.Object(table.Name) {
				e := entry{table.Name, m.Name}
				if _, isOwn := e.in(own); owners[e] == nil && !isOwn {
					owners[e] = f
				}
			}
		}
	}
	for _, l := range all {
		if why := clash(l.Tool, l.Declared.File, owners); why != "" {
			lost = append(lost, fmt.Sprintf("%s: the whole tool, since %s", l.Tool.Outside(), why))
			continue
		}
		kept = append(kept, l)
	}
	return kept, lost
}

// clash is what a tool uses of its own file that another file has otherwise.
func clash(t tool.Tool, f *model.File, owners map[entry]*model.File) string {
	for _, e := range used(t) {
		owner := owners[e]
		if owner == nil || f.Foreign == nil {
			continue
		}
		if own, ok := e.in(f.Foreign.Project); ok && !same(e, own, f, owner) {
			return fmt.Sprintf("its %s is another one than that of %s", e.name, filepath.Base(owner.Path))
		}
	}
	return ""
}

// same reports whether an entry of one file is that of another one: the file of a
// database is relative to them.
func same(e entry, own tool.Object, f, owner *model.File) bool {
	theirs, _ := e.in(owner.Foreign.Project)
	isElsewhere := own.Text("kind") == "sqlite" && filepath.Dir(f.Path) != filepath.Dir(owner.Path)
	return !isElsewhere && reflect.DeepEqual(own, theirs)
}

// used are the entries that a tool names.
func used(t tool.Tool) (list []entry) {
	switch s := t.Spec.(type) {
	case *tool.SQL:
		list = append(list, entry{"sources", s.Source})
	case *tool.HTTP:
		list = append(list, entry{"sources", s.Source})
	}
	for _, name := range t.AuthRequired {
		list = append(list, entry{"auth_services", name})
	}
	for _, p := range t.Params {
		for _, s := range p.AuthServices {
			list = append(list, entry{"auth_services", s.Name})
		}
	}
	return list
}

func (e entry) in(project tool.Object) (tool.Object, bool) {
	o, ok := project.Object(e.table).Get(e.name).(tool.Object)
	return o, ok
}
