package model

import (
	"iter"
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// PublicNameSet has the names of a file that other files of its workspace use without importing it,
// by kind.
type PublicNameSet [nameKinds][]NamedSpan

// NameKind is a kind of public names.
type NameKind int

// The kinds of public names.
const (
	ToolNameKind   NameKind = iota // of a library
	ServerNameKind                 // of an exported project, as the next three
	SecretNameKind
	ConnectionNameKind
	TextNameKind
	AgentNameKind   // of agents and supervisors
	ProfileNameKind // the behaviour profile that the file is, or those that a project.json lists
	nameKinds
)

// HasPublicNames reports whether a file may have names for other files of its workspace, or marks
// the root of the workspace.
func HasPublicNames(path string) bool { return IsABL(path) || IsProjectFile(path) || isExported(path) }

// NamedSpan is a name with its place in the file, without quotes.
type NamedSpan struct {
	Name string
	Span text.Span
}

// sameNames reports whether two lists have the same names, at any places.
func sameNames(a, b []NamedSpan) bool {
	return slices.EqualFunc(a, b, func(a, b NamedSpan) bool { return a.Name == b.Name })
}

// names returns the names of all kinds.
func (p PublicNameSet) names() []string {
	var names []string
	for _, n := range slices.Concat(p[:]...) {
		names = append(names, n.Name)
	}
	return names
}

// publicNames returns the public names of the file; a nil handle has none.
func (h *Handle) publicNames() PublicNameSet {
	if h == nil {
		return PublicNameSet{}
	}
	return h.Public
}

// readPublic reads the public names of the file.
func readPublic(f *File) {
	for _, t := range f.Tools {
		if f.Kind == Library {
			f.Public[ToolNameKind] = append(f.Public[ToolNameKind], NamedSpan{t.Name, t.NameSpan()})
		}
	}
	if isExported(f.Path) {
		readExportedNames(f)
		return
	}
	if f.Kind == YAML {
		return
	}
	for s := range f.Doc.Sections().Named("AGENT", "SUPERVISOR") {
		f.addPublic(AgentNameKind, s)
	}
	for s := range f.Doc.Sections().Named("BEHAVIOR_PROFILE") {
		if f.Kind == Profile && len(f.Public[ProfileNameKind]) == 0 {
			f.addPublic(ProfileNameKind, s)
		}
	}
	for s := range f.Doc.Sections().Named("USE BEHAVIOR_PROFILE", "USE_BEHAVIOR_PROFILE") {
		for _, w := range ListWords(s.Head.Root()) {
			f.attachedProfiles = append(f.attachedProfiles, w.Text)
		}
	}
}

// addPublic adds the name that a section has after its keyword, if it has one.
func (f *File) addPublic(kind NameKind, s syntax.Section) {
	if w := UnquotedWord(s.Head.Root().Value()); w.Text != "" {
		f.Public[kind] = append(f.Public[kind], NamedSpan{w.Text, w.Span.Shift(s.Head.Offset)})
	}
}

// nameIndex has the files that declare each public name, by kind. It is immutable. A nil index is
// empty.
type nameIndex [nameKinds]shardedMap[declarers]

// declarers are the files that declare a name.
type declarers struct{ paths []string } // sorted

// paths returns the paths of the files that declare a name, sorted.
func (x *nameIndex) paths(kind NameKind, name string) []string {
	if x == nil {
		return nil
	}
	if d := x[kind].Get(name); d != nil {
		return d.paths
	}
	return nil
}

// all returns the names of a kind with their files, in no order.
func (x *nameIndex) all(kind NameKind) iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		if x == nil {
			return
		}
		for name, d := range x[kind].All() {
			if !yield(name, d.paths) {
				return
			}
		}
	}
}

// nameChanges are names whose files change, each with its new files, and the index before the
// changes.
type nameChanges struct {
	index   *nameIndex
	changed [nameKinds]map[string]*declarers
}

// replace records that the file at path declares other names than before.
func (c *nameChanges) replace(path string, before, after PublicNameSet) {
	for kind := range nameKinds {
		if sameNames(before[kind], after[kind]) {
			continue
		}
		for _, n := range before[kind] {
			d := c.declarersOf(kind, n.Name)
			if i, found := slices.BinarySearch(d.paths, path); found {
				d.paths = slices.Delete(d.paths, i, i+1)
			}
		}
		for _, n := range after[kind] {
			d := c.declarersOf(kind, n.Name)
			if i, found := slices.BinarySearch(d.paths, path); !found {
				d.paths = slices.Insert(d.paths, i, path)
			}
		}
	}
}

// declarersOf returns the files of a name, which the caller may change.
func (c *nameChanges) declarersOf(kind NameKind, name string) *declarers {
	if d := c.changed[kind][name]; d != nil {
		return d
	}
	if c.changed[kind] == nil {
		c.changed[kind] = map[string]*declarers{}
	}
	d := &declarers{slices.Clone(c.index.paths(kind, name))}
	c.changed[kind][name] = d
	return d
}

// result returns the index after the changes; the same index if there are none.
func (c *nameChanges) result() *nameIndex {
	next := c.index
	for kind, changed := range c.changed {
		if len(changed) == 0 {
			continue
		}
		if next == c.index {
			next = new(nameIndex)
			if c.index != nil {
				*next = *c.index
			}
		}
		next[kind] = next[kind].edit(func(yield func(string, *declarers) bool) {
			for name, d := range changed {
				if len(d.paths) == 0 {
					d = nil
				}
				if !yield(name, d) {
					return
				}
			}
		})
	}
	return next
}
