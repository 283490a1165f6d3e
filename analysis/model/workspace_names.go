package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// UsesWorkspace reports whether the file uses names that other files of its workspace declare,
// without importing these.
func (s *Summary) UsesWorkspace() bool {
	return s != nil && s.usesWorkspace != nil && s.usesWorkspace()
}

func readUsesWorkspace(f *File) bool {
	switch {
	case IsManifest(f.Path):
		return true
	case f.Kind == YAML:
		return false
	case len(f.attachedProfiles) > 0 || len(f.unboundTools()) > 0:
		return true
	}
	for range f.AgentRefs() {
		return true
	}
	return usesExported(f)
}

// UsesWorkspace reports whether the file at path, or one whose saved cases it has, uses names that
// other files of its workspace declare.
func UsesWorkspace(w Workspace, path string) bool {
	if !IsCases(path) {
		return w.Summary(path).UsesWorkspace()
	}
	return slices.ContainsFunc(PathsTestedBy(w, path), func(p string) bool { return w.Summary(p).UsesWorkspace() })
}

// NeedsLibraries reports whether libraries of its workspace may bind a tool of the file at path.
func NeedsLibraries(w Workspace, path string) bool {
	return len(w.Summary(path).unboundTools()) > 0
}

// PublicNames returns the names that the file at path declares for other files of its workspace.
func PublicNames(w Workspace, path string) []string { return w.anyHandle(path).publicNames().names() }

// UnopenedNames returns the public names that the file at path declares if no editor has it open.
func UnopenedNames(w Workspace, path string) []string {
	if w.unopened == nil {
		return nil
	}
	return PublicNames(*w.unopened, path)
}

// DependsOnNames reports whether the file at path uses one of the names, or the name of an
// undeclared agent that may be a typing slip for one of them.
func DependsOnNames(w Workspace, path string, names map[string]bool) bool {
	s := w.Summary(path)
	if !s.UsesWorkspace() {
		return false
	}
	among := func(name string) bool { return names[name] }
	if slices.ContainsFunc(s.attachedProfiles, among) || slices.ContainsFunc(s.unboundTools(), among) {
		return true
	}
	undeclared := func(agent string) bool { return len(AgentFiles(w, path, agent)) == 0 }
	agents := s.namesAgents()
	return slices.ContainsFunc(agents, among) || slices.ContainsFunc(agents, undeclared) || IsManifest(path)
}

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

func readNamesAgents(f *File) []string {
	var names []string
	for m := range f.AgentRefs() {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// exportedUse matches in each text that may use a name of an exported project, unless the text
// names a server.
var exportedUse = lazyregexp.New(`(?i)` + placeholder.Open + `(?:secrets|config|env)\.`)

// mayUseExported reports whether a text may use a name of an exported project.
func mayUseExported(s string) bool {
	return namesServer(s) || strings.Contains(s, "{{") && exportedUse.MatchString(s)
}

// namesServer reports whether a text may have the key `server`, in any casing.
func namesServer(s string) bool {
	const key = "server"
	for i := strings.IndexByte(s, ':'); i >= 0; {
		start := i - len(key)
		if start >= 0 && strings.EqualFold(s[start:i], key) && (start == 0 || !isWordByte(s[start-1])) {
			return true
		}
		next := strings.IndexByte(s[i+1:], ':')
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

func usesExported(f *File) bool {
	return slices.ContainsFunc(f.summaries, func(s placedSummary) bool { return s.names().isExported })
}

// readUnbound returns the tools of an agent or a profile that libraries of the workspace bind.
func readUnbound(f *File) []string {
	var names []string
	for t := range f.ToolsWith(Unbound) {
		if (ScopedTool{PositionedTool: t, File: f}).NeedsLibrary() {
			names = append(names, t.Name)
		}
	}
	return names
}

// bindingFiles returns the paths of the libraries that declare the unbound tools of a file, in the
// workspace that it belongs to.
func bindingFiles(w Workspace, s *Summary) []string {
	var paths []string
	for _, name := range s.unboundTools() {
		for _, library := range librariesWith(w, s.Path, name) {
			paths = append(paths, library.Path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}
