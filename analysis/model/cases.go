package model

import (
	"cmp"
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

// SavedCases returns the cases in the file at path, in order.
func SavedCases(w Workspace, path string) []projectfile.Case {
	if h := w.files.Get(path); h != nil && h.whole != nil && h.whole.SavedCases != nil {
		return h.whole.SavedCases()
	}
	return nil
}

func readCases(f *File) []projectfile.Case {
	all := projectfile.SavedCases(f.YAML)
	for i := range all {
		all[i].File = f.Path
	}
	return all
}

// CasesOfTool returns a function that finds the saved cases of a tool that the file at path can
// name: the cases in the folder of the file that declares the tool, and those for the file at path
// itself. Each file of cases is read once, so the function may be called for thousands of tools.
func CasesOfTool(w Workspace, path string) func(ScopedTool) []projectfile.Case {
	asked := map[string]savedCases{}
	return func(t ScopedTool) (found []projectfile.Case) {
		for _, cases := range slices.Compact([]string{CasesPathIfAny(t.File.Path), CasesPathIfAny(path)}) {
			in, ok := asked[cases]
			if !ok {
				in = savedCasesOf(w, cases)
				asked[cases] = in
			}
			found = append(found, in.casesOf(t)...)
		}
		return found
	}
}

// savedCases has the content of a file of saved cases.
type savedCases struct {
	tools TestedTools
	saved map[string][]projectfile.Case // by the name of their tool
}

func savedCasesOf(w Workspace, cases string) savedCases {
	in := savedCases{saved: map[string][]projectfile.Case{}}
	for _, c := range SavedCases(w, cases) {
		in.saved[c.Tool] = append(in.saved[c.Tool], c)
	}
	if len(in.saved) > 0 {
		in.tools = TestedToolsOf(w, cases)
	}
	return in
}

// casesOf returns the saved cases of t; nil if the file of cases means another tool by t's name.
func (c savedCases) casesOf(t ScopedTool) []projectfile.Case {
	found := c.saved[t.Name]
	if name := tool.JoinVersion(t.Name, t.Version()); name != t.Name {
		found = slices.Concat(found, c.saved[name])
		slices.SortStableFunc(found, func(a, b projectfile.Case) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	}
	if len(found) == 0 {
		return nil
	}
	if _, owner, ok := c.tools.Tool(t.Name); !ok || owner.File.Path != t.File.Path {
		return nil
	}
	return found
}

// TestedTools are the tools that the names in a file of saved cases mean.
type TestedTools struct {
	paths  []string // of the tested files
	scopes []Scope
	byName []map[string]ScopedTool
}

// TestedToolsOf returns the tools that the file of saved cases at a path can name. The tested files
// are in the same folder and have the same name up to its first dot.
func TestedToolsOf(w Workspace, cases string) TestedTools {
	c := TestedTools{paths: FilesTestedBy(w, cases)}
	for _, path := range c.paths {
		s := w.Scope(path)
		c.scopes, c.byName = append(c.scopes, s), append(c.byName, s.CallIndex())
	}
	return c
}

// Tool returns the tool that name means, and the path of the tested file that has the tool: a file
// that declares the tool comes before one that imports it. ok is false if there is none.
func (c TestedTools) Tool(name string) (path string, t ScopedTool, ok bool) {
	for i := range c.paths {
		found, has := c.toolIn(i, name)
		if has && found.File.Path == c.paths[i] {
			return c.paths[i], found, true
		}
		if has && !ok {
			path, t, ok = c.paths[i], found, true
		}
	}
	return path, t, ok
}

func (c TestedTools) toolIn(i int, name string) (ScopedTool, bool) {
	if t, ok := c.byName[i][name]; ok {
		return t, true
	}
	if _, version := tool.SplitVersion(name); version != "" {
		return c.scopes[i].Tool(name)
	}
	return ScopedTool{}, false
}

// TestedTool returns the tool that name means in cases, the path of a file of saved cases; see
// [TestedTools.Tool].
func TestedTool(w Workspace, cases, name string) (path string, t ScopedTool, ok bool) {
	return TestedToolsOf(w, cases).Tool(name)
}

// TestedFileOfTool returns the path of the file, among those that the cases at path cases test,
// that has the tool which a caller means by name. ok is false if none has one.
func TestedFileOfTool(w Workspace, cases, name string) (path string, ok bool) {
	if path, _, ok := TestedTool(w, cases, name); ok {
		return path, true
	}
	for _, path := range FilesTestedBy(w, cases) {
		if _, ok := w.Scope(path).ToolByCallName(name); ok {
			return path, true
		}
	}
	return "", false
}

// TestedScope returns all tools that a file of saved cases can name. It is not Complete if there
// may be others: no file is tested, or one cannot be read.
func TestedScope(w Workspace, cases string) Scope {
	scope := Scope{}
	for _, p := range FilesTestedBy(w, cases) {
		f := w.File(p)
		if f.Absent == NotFound || f.Doc != nil && IsForeign(p) && f.Foreign == nil {
			continue
		}
		s := w.Callable(p)
		scope.Complete = s.Complete && f.Doc != nil && (scope.Complete || len(scope.Tools) == 0)
		scope.Tools = append(scope.Tools, s.Tools...)
		if !scope.Complete {
			return scope
		}
	}
	return scope
}

// CasesWithoutTestedFile reports whether the folder of a file of saved cases has no file that could
// have their tools.
func CasesWithoutTestedFile(w Workspace, cases string) bool {
	return !slices.ContainsFunc(append(testedPathsToRead(w, cases), FilesTestedBy(w, cases)...), func(p string) bool {
		f := w.File(p)
		return f == nil || f.Absent != NotFound
	})
}

// CasesPathIfAny returns the path of the file with the saved cases of the file at path; "" if such
// a file can have no cases.
func CasesPathIfAny(path string) string {
	if !filepath.IsAbs(path) || !IsABL(path) && !IsForeign(path) {
		return ""
	}
	return CasesPath(path)
}

// CasesPath returns the path of the file with the saved cases of the file at path.
func CasesPath(path string) string {
	return filepath.Join(filepath.Dir(path), Stem(path)+casesSuffix)
}

// testedABLPaths returns the paths at which ABL files tested by a file of cases may be.
func testedABLPaths(cases string) []string {
	base := filepath.Join(filepath.Dir(cases), Stem(cases))
	return []string{base + ".agent.abl", base + ".supervisor.abl", base + ".tools.abl"}
}

// testedForeignPaths returns the paths at which foreign files tested by a file of cases may be.
func testedForeignPaths(cases string) []string {
	base := filepath.Join(filepath.Dir(cases), Stem(cases))
	var paths []string
	for _, middle := range []string{"", ".tools", ".tool"} {
		for _, ending := range dialect.Endings() {
			paths = append(paths, base+middle+ending)
		}
	}
	return paths
}

// testedPathsToRead returns the paths to read in search of the files that a file of cases tests:
// foreign ones only if there is no ABL file.
func testedPathsToRead(w Workspace, cases string) []string {
	paths, others := testedABLPaths(cases), testedForeignPaths(cases)
	for _, name := range w.folders[filepath.Dir(cases)] {
		switch p := filepath.Join(filepath.Dir(cases), name); {
		case !mayBeTestedBy(cases, p):
		case IsABL(p):
			paths = append(paths, p)
		default:
			others = append(others, p)
		}
	}
	for _, p := range paths {
		if h := w.files.Get(p); h == nil || h.Absent != NotFound {
			return paths
		}
	}
	return append(paths, others...)
}

// mayBeTestedBy reports whether the file at path may be tested by a file of cases, judging by their
// names.
func mayBeTestedBy(cases, path string) bool { return CasesPathIfAny(path) == CasesPath(cases) }

// Stem returns the name of a file up to its first dot.
func Stem(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	return name
}

// PathsTestedBy returns the paths of the files that a file of cases tests, without those that have
// no text.
func PathsTestedBy(w Workspace, cases string) []string {
	return slices.DeleteFunc(FilesTestedBy(w, cases), func(p string) bool { return !w.files.Get(p).isReadable() })
}

// FilesTestedBy returns the paths of the known files that a file of cases tests, shorter names
// first.
func FilesTestedBy(w Workspace, cases string) []string {
	usual := append(testedABLPaths(cases), testedForeignPaths(cases)...)
	begins := strings.TrimSuffix(CasesPath(cases), strings.TrimPrefix(casesSuffix, "."))
	var more []string
	for p := range w.files.All() {
		if strings.HasPrefix(p, begins) && mayBeTestedBy(cases, p) && !slices.Contains(usual, p) {
			more = append(more, p)
		}
	}
	slices.Sort(more)
	return append(slices.DeleteFunc(usual, func(p string) bool { return w.files.Get(p) == nil }), more...)
}
