package model

import (
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Workspace is an immutable set of files, by path. Paths are absolute and clean; a document without
// a file has its URI for a path.
//
// Its zero value is empty.
type Workspace struct {
	files                fileSet
	public               *nameIndex // of files
	dotenvs              map[string]*dotenv
	environmentVariables map[string]bool // names of variables; nil if unknown

	environment func(path string) string // of abl.yaml, for a file; nil: the default one

	servers map[string]*Servers // of projects, by the folder of their abl.yaml

	folders  map[string][]string           // names of the files in listed folders
	verdicts map[string]map[string]Verdict // of the databases of projects, by folder and statement

	previous fileSet    // see ReusingParsesOf
	cache    *FileCache // of files that no editor has open; nil if all of each stays in memory

	importers *importers // of files; nil if there is no file

	roots *folderRoots // of workspaces, as far as they were asked for; nil if there is no file

	indexed  []string   // folders; see WithUnopened
	unopened *Workspace // nil if nothing is known of them
}

// With returns the workspace in which the file at path has this text.
func (w Workspace) With(path string, doc *syntax.Document) Workspace {
	if IsDotenv(path) {
		return w.withDotenv(path, doc.Text(), Present)
	}
	return w.WithFile(NewFile(path, doc, w.files.Get(path).loadedFile()))
}

// WithMissing returns the workspace that knows that the file at path cannot be read, and why.
func (w Workspace) WithMissing(path string, why Absence) Workspace {
	return w.WithHandles(missing(path, why))
}

// Without returns the workspace that knows nothing of the files at the paths.
func (w Workspace) Without(paths ...string) Workspace {
	w.dotenvs = maps.Clone(w.dotenvs)
	names, marked := nameChanges{index: w.public}, false
	files := w.files.edit(func(yield func(string, *Handle) bool) {
		for _, path := range paths {
			delete(w.dotenvs, path)
			names.replace(path, w.files.Get(path).publicNames(), PublicNameSet{})
			marked = marked || isRootFile(path)
			if !yield(path, nil) {
				return
			}
		}
	})
	w.setFiles(files, names.result(), marked)
	return w
}

// missing returns the handle of a file that cannot be read.
func missing(path string, why Absence) *Handle {
	return handleOf(&File{Summary: &Summary{Path: path, Absent: why}})
}

// WithFile returns the workspace with a file at its path.
func (w Workspace) WithFile(f *File) Workspace { return w.WithHandles(handleOf(f)) }

// Caching returns w with a cache for files that no editor has open: of these the workspace keeps
// only the texts and the summaries in memory, and c keeps the whole of those that were read last.
func (w Workspace) Caching(c *FileCache) Workspace {
	w.cache = c
	return w
}

// WithHandles returns the workspace with the files of these handles at their paths.
func (w Workspace) WithHandles(added ...*Handle) Workspace {
	names, marked := nameChanges{index: w.public}, false
	importers := w.importers
	files := w.files.edit(func(yield func(string, *Handle) bool) {
		for _, h := range added {
			before := w.files.Get(h.Path)
			names.replace(h.Path, before.publicNames(), h.Public)
			marked = marked || isRootFile(h.Path)
			if importers != nil && !before.sameImports(h) {
				importers = nil
			}
			if !yield(h.Path, h) {
				return
			}
		}
	})
	index := names.result()
	sameImporters := importers != nil && index == w.public && !marked
	w.setFiles(files, index, marked)
	if sameImporters {
		w.importers = importers
	}
	return w
}

// setFiles replaces the files and the index of their names. marked says whether the files that mark
// roots of workspaces changed.
func (w *Workspace) setFiles(files fileSet, names *nameIndex, marked bool) {
	w.files, w.public, w.importers = files, names, new(importers)
	if marked || w.roots == nil {
		w.roots = new(folderRoots)
	}
}

// WithAll returns the workspace in which the files at these paths have these texts.
func (w Workspace) WithAll(docs map[string]*syntax.Document) Workspace {
	added := make([]*Handle, 0, len(docs))
	for path, doc := range docs {
		added = append(added, handleOf(NewFile(path, doc, w.files.Get(path).loadedFile())))
	}
	return w.WithHandles(added...)
}

// MergedOver returns w with the files of below added. For a file that both have, the result has
// that of w if own returns true for the path, else that of below.
func (w Workspace) MergedOver(below Workspace, own func(path string) bool) Workspace {
	var added []*Handle
	for path, h := range below.files.All() {
		if known := w.files.Get(path); known == nil || !own(path) {
			added = append(added, h)
		}
	}
	return w.WithHandles(added...)
}

// File returns the file at path, nil if the workspace does not know it.
func (w Workspace) File(path string) *File { return w.files.Get(path).File() }

// Summary returns the summary of the file at path, nil if the workspace does not know it.
func (w Workspace) Summary(path string) *Summary {
	if h := w.files.Get(path); h != nil {
		return h.Summary
	}
	return nil
}

// Handle returns the handle of the file at path, nil if the workspace does not know it.
func (w Workspace) Handle(path string) *Handle { return w.files.Get(path) }

// withKey returns a copy of a map, which may be nil, with one value set.
func withKey[K comparable, V any](m map[K]V, key K, value V) map[K]V {
	m = maps.Clone(m)
	if m == nil {
		m = map[K]V{}
	}
	m[key] = value
	return m
}

// Lines returns the lines of the file at path, nil if it has no text. Those of a `.env` show the
// names only.
func (w Workspace) Lines(path string) *text.Lines {
	if p, ok := w.Positions(path); ok {
		return p.Lines()
	}
	return nil
}

// Positions returns the positions of the offsets in the file at path; ok is false if it has no
// text. Those of a `.env` are positions in its names only.
func (w Workspace) Positions(path string) (p text.Positions, ok bool) {
	if d := w.dotenvs[path]; d != nil && d.absent == Present {
		return d.lines.Positions(), true
	}
	if h := w.files.Get(path); h.isReadable() {
		return h.File().Positions(), true
	}
	return text.Positions{}, false
}

// Paths returns the paths of all known files, sorted.
func (w Workspace) Paths() []string { return w.files.keys() }

// Len returns how many files are known.
func (w Workspace) Len() int { return w.files.Count }

// Resolve returns the path that an import in the file at from means.
func Resolve(from, written string) string {
	if filepath.IsAbs(written) {
		return filepath.Clean(written)
	}
	return filepath.Join(filepath.Dir(from), filepath.FromSlash(written))
}

// PathsToRead returns the unknown paths that the file at path imports or names for a run, directly
// or through other files, and those of the files that decide its project and its workspace.
func PathsToRead(w Workspace, path string) []string {
	reached, tested := pathsToReadFrom(w, map[string]bool{}, []string{path})
	return slices.Concat(reached, tested, projectPathsToRead(w, path))
}

// pathsToReadFrom returns the unknown paths that the files at the paths lead to, and those of the
// saved cases of known files. Paths in seen are skipped.
func pathsToReadFrom(w Workspace, seen map[string]bool, paths []string) (reached, tested []string) {
	for _, path := range paths {
		reachedPaths(w, seen, path, func(path string, h *Handle) {
			cases := CasesPathIfAny(path)
			switch {
			case h == nil && !IsDotenv(path):
				reached = append(reached, path)
			case cases != "" && h.isReadable() && w.files.Get(cases) == nil:
				tested = append(tested, cases)
			}
		})
	}
	return reached, tested
}

// NeededPaths returns the paths that [ReadImports] reads for the files at the paths: these files,
// what they lead to, and the files that decide their projects and workspaces.
func NeededPaths(w Workspace, paths ...string) map[string]bool {
	seen, needed := map[string]bool{}, map[string]bool{}
	for _, path := range paths {
		reachedPaths(w, seen, path, func(path string, h *Handle) {
			needed[path] = true
			if cases := CasesPathIfAny(path); cases != "" && h.isReadable() {
				needed[cases] = true
			}
		})
		for dir := range foldersAbove(path) {
			for _, name := range rootFiles {
				needed[filepath.Join(dir, name)] = true
			}
		}
		needed[w.Dotenv(path)] = true
	}
	return needed
}

// reachedPaths calls yield once for the file at path and for each one that it leads to, except
// those in seen. h is nil if the workspace does not know the file.
func reachedPaths(w Workspace, seen map[string]bool, path string, yield func(path string, h *Handle)) {
	var visit func(path string)
	visit = func(path string) {
		if seen[path] {
			return
		}
		seen[path] = true
		h := w.files.Get(path)
		if h == nil {
			yield(path, nil)
			return
		}
		for _, imported := range h.Imported() {
			if IsImportable(imported) {
				visit(imported)
			}
		}
		for _, n := range h.NamedFiles() {
			visit(n.Target)
		}
		for _, handler := range serviceHandlers(w, h) {
			if isProgram(handler.Target) {
				visit(handler.Target)
			}
		}
		for _, sibling := range siblingFiles(w, h.whole) {
			visit(sibling)
		}
		for _, library := range bindingFiles(w, h.Summary) {
			visit(library)
		}
		for _, name := range h.attachedProfiles {
			for _, profile := range profilesNamed(w, path, name) {
				visit(profile.Path)
			}
		}
		if NamesTools(path) {
			for _, sibling := range testedPathsToRead(w, path) {
				visit(sibling)
			}
		}
		yield(path, h)
	}
	visit(path)
}

// Reader reads the text of the file at path. If there is none, absent says why; else it is Present.
type Reader func(path string) (text string, absent Absence)

// ReadImports returns the workspace with everything that the file at path imports, directly or not,
// and with the files that decide its project and its workspace. It calls read for each unknown
// path.
func ReadImports(w Workspace, path string, read Reader) Workspace {
	return ReadAllImports(w, []string{path}, read)
}

// ReadAllImports does the work of [ReadImports] for many files. Each file is visited once, and all
// of them a second time if something was read: by the names in the new files, one that was visited
// before may lead to others.
func ReadAllImports(w Workspace, paths []string, read Reader) Workspace {
	for news := true; news; {
		news = false
		seen, queue := map[string]bool{}, paths
		for {
			reached, tested := pathsToReadFrom(w, seen, queue)
			wanted := slices.Concat(reached, tested)
			for _, path := range paths {
				wanted = append(wanted, projectPathsToRead(w, path)...)
			}
			if len(wanted) == 0 {
				break
			}
			w, news = w.withRead(wanted, read), true
			for _, path := range reached {
				delete(seen, path) // what it leads to is known now
			}
			queue = reached
		}
	}
	return w
}

// withRead returns the workspace with what can be read at the paths. Each path is read once.
func (w Workspace) withRead(paths []string, read Reader) Workspace {
	var found []*Handle
	asked := map[string]bool{}
	for _, path := range paths {
		if asked[path] {
			continue
		}
		asked[path] = true
		switch source, absent := read(path); {
		case IsDotenv(path):
			w = w.withDotenv(path, source, absent)
		case absent == Present:
			found = append(found, w.NewHandle(path, source))
		default:
			found = append(found, missing(path, absent))
		}
	}
	return w.WithHandles(found...)
}

// ReusingParsesOf returns the workspace for which [ReadImports] does not parse a file that another
// workspace has with the same text.
func (w Workspace) ReusingParsesOf(before Workspace) Workspace {
	w.previous = before.files
	return w
}

// NewHandle returns the handle of a file that no editor has open. The file is not in the workspace
// yet.
func (w Workspace) NewHandle(path, source string) *Handle {
	if h := w.previous.Get(path); h.SourceEquals(source) {
		return h
	}
	return newHandle(path, source, w.cache)
}

// Importers returns the paths of the files that depend on the file at path: they import it or name
// it for a run, directly or not, or it is their abl.yaml, `.env` or tested file. They are sorted;
// the file itself is left out.
func (w Workspace) Importers(path string) []string {
	if IsProjectFile(path) || IsDotenv(path) {
		return filesCoveredBy(w, path)
	}
	if IsCases(path) {
		return FilesTestedBy(w, path)
	}
	direct := directImporters(w)
	if IsForeign(path) { // nothing else is named
		direct = withNamed(w, direct, isProgram(path))
	}
	found := reachable(path, direct)
	delete(found, path)
	return slices.Sorted(maps.Keys(found))
}

// importers are the direct importers of each file of a workspace. They are computed when they are
// first asked for.
type importers struct {
	once   sync.Once
	byPath map[string][]string
}

// directImporters returns, by path, the files that import a file or use it by a name in it.
func directImporters(w Workspace) map[string][]string {
	if w.importers == nil {
		return nil
	}
	w.importers.once.Do(func() { w.importers.byPath = readImporters(w) })
	return w.importers.byPath
}

func readImporters(w Workspace) map[string][]string {
	direct := map[string][]string{}
	for from, h := range w.files.All() {
		profiles, _ := profilePaths(w, h.Summary)
		for _, path := range profiles {
			direct[path] = append(direct[path], from)
		}
		for _, imported := range h.Imported() {
			direct[imported] = append(direct[imported], from)
		}
		for _, sibling := range slices.Concat(siblingFiles(w, h.whole), bindingFiles(w, h.Summary)) {
			direct[sibling] = append(direct[sibling], from)
		}
	}
	return direct
}

// withNamed adds the files that name others for a run to direct importers and, if programs is set,
// those that handle a service.
func withNamed(w Workspace, direct map[string][]string, programs bool) map[string][]string {
	all := maps.Clone(direct)
	add := func(path, from string) { all[path] = append(slices.Clip(all[path]), from) }
	for from, h := range w.files.All() {
		for _, n := range h.NamedFiles() {
			add(n.Target, from)
		}
		if programs {
			for _, h := range serviceHandlers(w, h) {
				add(h.Target, from)
			}
		}
	}
	return all
}

// Dependents returns the paths of the files whose diagnostics may change when the file at path
// changes: its importers, and the cases that are saved for it and for them.
func (w Workspace) Dependents(path string) []string {
	found := w.Importers(path)
	for _, of := range append([]string{path}, found...) {
		if cases := CasesPathIfAny(of); cases != "" && cases != path && w.files.Get(cases) != nil {
			found = append(found, cases)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
