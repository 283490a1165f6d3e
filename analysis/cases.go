package analysis

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/tool"
)

// casesSuffix is how the name of every file of saved cases ends.
const casesSuffix = ".cases.yaml"

// IsCases reports whether a path is that of saved cases.
func IsCases(path string) bool { return strings.HasSuffix(path, casesSuffix) }

// SavedCases are the cases in the file at path, in order.
func (w Workspace) SavedCases(path string) []projectfile.Case {
	if f := w.files[path]; f != nil && f.saved != nil {
		return f.saved()
	}
	return nil
}

func (f *File) readCases() []projectfile.Case {
	all := projectfile.SavedCases(f.YAML)
	for i := range all {
		all[i].File = f.Path
	}
	return all
}

// Cases are the saved cases of a tool as the file at path has it: those beside the
// file that declares it, and those beside the file itself.
func (w Workspace) Cases(path string, t ScopedTool) []projectfile.Case {
	var found []projectfile.Case
	beside := []string{CasesOf(t.File.Path), CasesOf(path)}
	for _, cases := range slices.Compact(beside) {
		if _, owner, ok := w.CasesTool(cases, t.Name); !ok || owner.File.Path != t.File.Path {
			continue
		}
		for _, c := range w.SavedCases(cases) {
			if c.Tool == t.Name || c.Tool == tool.JoinVersion(t.Name, t.Version()) {
				found = append(found, c)
			}
		}
	}
	return found
}

// CasesTool is the tool that a name in a file of saved cases means, and the path of
// the file beside that has it: one that declares it, else one that imports it. The
// files beside have the same name up to its first dot.
func (w Workspace) CasesTool(cases, name string) (path string, t ScopedTool, ok bool) {
	var has []string
	for _, p := range w.besideCases(cases) {
		t, ok := w.Scope(p).Tool(name)
		switch {
		case !ok:
		case t.File.Path == p:
			return p, t, true
		default:
			has = append(has, p)
		}
	}
	if len(has) == 0 {
		return "", ScopedTool{}, false
	}
	t, ok = w.Scope(has[0]).Tool(name)
	return has[0], t, ok
}

// CasesScope are all tools that a file of saved cases can name. It is not whole
// where there may be others: no file stands beside, or one cannot be read.
func (w Workspace) CasesScope(cases string) Scope {
	scope := Scope{}
	for _, p := range w.besideCases(cases) {
		f := w.files[p]
		if f.Absent == NotFound || f.Doc != nil && IsForeign(p) && f.Foreign == nil {
			continue
		}
		s := w.Callable(p)
		scope.Whole = s.Whole && f.Doc != nil && (scope.Whole || len(scope.Tools) == 0)
		scope.Tools = append(scope.Tools, s.Tools...)
		if !scope.Whole {
			return scope
		}
	}
	return scope
}

// CasesOf is where the cases of the file at path are saved, "" where it is none
// that has some.
func CasesOf(path string) string {
	if !filepath.IsAbs(path) || !IsABL(path) && !IsForeign(path) {
		return ""
	}
	return casesBeside(path)
}

func casesBeside(path string) string {
	return filepath.Join(filepath.Dir(path), stem(path)+casesSuffix)
}

// casesFor are the paths at which the files may be whose cases a file has.
func casesFor(cases string) []string {
	base := filepath.Join(filepath.Dir(cases), stem(cases))
	return []string{base + ".agent.abl", base + ".tools.abl"}
}

// foreignFor are the paths at which files of other systems may be whose cases a
// file has.
func foreignFor(cases string) []string {
	base := filepath.Join(filepath.Dir(cases), stem(cases))
	var paths []string
	for _, middle := range []string{"", ".tools", ".tool"} {
		for _, ending := range dialect.Endings() {
			paths = append(paths, base+middle+ending)
		}
	}
	return paths
}

// wantedBeside are the paths to look at for the files whose cases a file has:
// those of other systems only where there is no ABL.
func (w Workspace) wantedBeside(cases string) []string {
	paths := casesFor(cases)
	for _, p := range paths {
		if f := w.files[p]; f == nil || f.Absent != NotFound {
			return paths
		}
	}
	return append(paths, foreignFor(cases)...)
}

// stem is the name of a file up to its first dot.
func stem(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	return name
}

// CasesFiles are the paths of the files beside whose cases a file has, as far as
// they have a text.
func (w Workspace) CasesFiles(cases string) []string {
	return slices.DeleteFunc(w.besideCases(cases), func(p string) bool { return w.files[p].Doc == nil })
}

// besideCases are the known files whose cases a file has.
func (w Workspace) besideCases(cases string) []string {
	paths := append(casesFor(cases), foreignFor(cases)...)
	return slices.DeleteFunc(paths, func(p string) bool { return w.files[p] == nil })
}
