package check

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// importCycle: a chain of imports does not lead back to the file in which it begins. A cycle among
// other files is reported there.
var importCycle = Check{
	Code: "import-cycle",
	File: func(out *findings, f File) {
		if len(f.Imports) == 0 {
			return
		}
		back := stepsBack(f)
		for _, i := range f.Imports {
			chain := importChain(f, i, back)
			if chain == nil {
				continue
			}
			names := []string{filepath.Base(f.Path)}
			for _, step := range chain {
				names = append(names, filepath.Base(step.to))
			}
			d := out.warn(i.PathNode().Span(), "The import comes back to its own file: `%s`; delete one of its steps.", strings.Join(names, "` → `"))
			fix := f.withoutLines("Delete the import", i.Span())
			fix.Best = len(chain) == 1
			d.Fixes = append(d.Fixes, fix)
			for _, step := range chain[1:] {
				d.Related = append(d.Related, model.Related{Path: step.from, Span: step.at.PathNode().Span(), Message: "This step imports `" + filepath.Base(step.to) + "`."})
			}
		}
	},
}

// importStep is one import in a chain of imports: the file at from imports the one at to.
type importStep struct {
	from, to string
	at       model.Import
}

// stepsBack returns, for each file from which imports lead to f, the first step of the shortest
// way.
func stepsBack(f File) map[string]importStep {
	reached := f.reachable()
	leadsBack := func(path string) bool { return slices.Contains(f.Workspace.Summary(path).Imported(), f.Path) }
	if !slices.ContainsFunc(reached, leadsBack) {
		return nil
	}
	into := map[string][]importStep{}
	for _, path := range reached {
		for _, i := range f.Workspace.File(path).Imports {
			if i.Path != "" {
				into[i.Target] = append(into[i.Target], importStep{path, i.Target, i})
			}
		}
	}
	back := map[string]importStep{}
	for queue := []string{f.Path}; len(queue) > 0; queue = queue[1:] {
		for _, s := range into[queue[0]] {
			if _, known := back[s.from]; !known && s.from != f.Path {
				back[s.from] = s
				queue = append(queue, s.from)
			}
		}
	}
	return back
}

// reachable returns the files that imports lead to from f, itself included.
func (f File) reachable() []string {
	paths := []string{f.Path}
	seen := map[string]bool{f.Path: true}
	for n := 0; n < len(paths); n++ {
		for _, imported := range f.Workspace.Summary(paths[n]).Imported() {
			if !seen[imported] && f.Workspace.Handle(imported) != nil {
				seen[imported] = true
				paths = append(paths, imported)
			}
		}
	}
	slices.Sort(paths)
	return paths
}

// importChain returns the imports that lead from i, an import of f, back to f; nil if i does not.
// back has for each file the import by which it leads there.
func importChain(f File, i model.Import, back map[string]importStep) []importStep {
	if i.Path == "" {
		return nil
	}
	to := i.Target
	chain := []importStep{{f.Path, to, i}}
	for to != f.Path {
		next, ok := back[to]
		if !ok {
			return nil
		}
		chain = append(chain, next)
		to = next.to
	}
	return chain
}
