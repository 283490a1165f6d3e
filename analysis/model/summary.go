package model

import (
	"sync"
)

// Summary is what other files ask of a file. It is all that is kept, beside the text, of
// a file that nobody edits; see [Handle].
type Summary struct {
	Path   string
	Absent Absence // why there is no text
	Kind   FileKind

	Public     PublicNameSet
	entryAgent PlacedName   // of a project.json
	usedBy     []PlacedName // likewise: the agents that use its profiles
	uses       []string     // the behaviour profiles that it attaches

	// Each is read when it is first asked for, and nil where there is no text.
	imported      func() []string // the paths that its imports mean
	named         func() []NamedFile
	unbound       func() []string // tools
	usesWorkspace func() bool
	namesAgents   func() []string // of others or of itself, sorted
	partners      func() []string // the agents that it hands over to
}

// addSummary has the summary of a file read from it.
func addSummary(f *File) {
	f.imported = sync.OnceValue(func() []string { return readImported(f) })
	f.named = sync.OnceValue(func() []NamedFile { return readNamed(f) })
	f.unbound = sync.OnceValue(func() []string { return readUnbound(f) })
	f.usesWorkspace = sync.OnceValue(func() bool { return readUsesWorkspace(f) })
	f.namesAgents = sync.OnceValue(func() []string { return readNamesAgents(f) })
	f.partners = sync.OnceValue(func() []string { return readPartners(f) })
}

// readAll reads what was not asked for yet, so that the summary refers to its file no more.
func (s *Summary) readAll() {
	s.imported()
	s.named()
	s.unbound()
	s.usesWorkspace()
	s.namesAgents()
	s.partners()
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

// Imported are the paths that the imports of the file mean, in their order.
func (s *Summary) Imported() []string {
	if s == nil || s.imported == nil {
		return nil
	}
	return s.imported()
}

// unboundTools are the tools of the file that libraries of its workspace bind.
func (s *Summary) unboundTools() []string {
	if s == nil || s.unbound == nil {
		return nil
	}
	return s.unbound()
}
