package model

import (
	"sync"
)

// Summary is what other files need to know of a file. It stays in memory for every file of a
// workspace, while the rest may be read again; see [Handle].
type Summary struct {
	Path   string
	Absent Absence // why there is no text
	Kind   FileKind

	Public           PublicNameSet
	entryAgent       NamedSpan   // of a project.json
	usedBy           []NamedSpan // likewise: the agents that use its profiles
	attachedProfiles []string    // the names of the behaviour profiles that it attaches

	// Each is read when it is first asked for, and nil if there is no text.
	imported   func() []string // the paths that its imports mean
	namedFiles func() []NamedFile
	unbound    func() []string // tools
	namesSummary
}

// namesSummary is what a summary says of the names in a file, for which all of them must be read.
type namesSummary struct {
	usesWorkspace func() bool
	namesAgents   func() []string // of others or of itself, sorted
	partners      func() []string // the agents that it hands over to
}

// addSummary sets the functions of a file's summary, which read the file.
func addSummary(f *File) {
	f.namesSummary = namesSummaryOf(func() *File { return f })
	f.imported = sync.OnceValue(func() []string { return readImported(f) })
	f.namedFiles = sync.OnceValue(func() []NamedFile { return readNamedFiles(f) })
	f.unbound = sync.OnceValue(func() []string { return readUnbound(f) })
}

func namesSummaryOf(file func() *File) namesSummary {
	return namesSummary{
		usesWorkspace: sync.OnceValue(func() bool { return readUsesWorkspace(file()) }),
		namesAgents:   sync.OnceValue(func() []string { return readNamesAgents(file()) }),
		partners:      sync.OnceValue(func() []string { return readPartners(file()) }),
	}
}

// release makes the summary refer to its file no longer. What is not known yet is read from the
// file that the function returns.
func (s *Summary) release(file func() *File) {
	s.imported()
	s.namedFiles()
	s.unbound()
	s.namesSummary = namesSummaryOf(file)
}

func readImported(f *File) []string {
	var paths []string
	for _, i := range f.Imports {
		if i.Path != "" {
			paths = append(paths, i.Target)
		}
	}
	return paths
}

// Imported returns the paths that the imports of the file mean, in their order.
func (s *Summary) Imported() []string {
	if s == nil || s.imported == nil {
		return nil
	}
	return s.imported()
}

// unboundTools returns the tools of the file that libraries of its workspace bind.
func (s *Summary) unboundTools() []string {
	if s == nil || s.unbound == nil {
		return nil
	}
	return s.unbound()
}
