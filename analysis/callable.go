package analysis

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax"
)

// Callable is what the file at path can call: its scope, and then the tools that
// the behaviour profiles add which it uses. It is not whole where such a profile
// is not known.
func (w Workspace) Callable(path string) Scope {
	s := w.Scope(path)
	f := w.files[path]
	if f == nil {
		return s
	}
	profiles, whole := w.Profiles(f)
	s.Whole = s.Whole && whole && f.Beyond == nil
	for _, p := range profiles {
		added := w.Scope(p.Path)
		s.Whole = s.Whole && added.Whole
		s.Tools = append(s.Tools, added.Tools...)
	}
	return s
}

// Index are the tools of the scope by name.
func (s Scope) Index() map[string]ScopedTool {
	index := make(map[string]ScopedTool, len(s.Tools))
	for _, t := range slices.Backward(s.Tools) {
		index[t.Name] = t
	}
	return index
}

// Names are the names of the tools in the scope.
func (s Scope) Names() []string {
	names := make([]string, len(s.Tools))
	for i, t := range s.Tools {
		names[i] = t.Name
	}
	return names
}

// Profiles are the files of the behaviour profiles that a file uses, by path.
// whole is false where the workspace does not know one of them.
func (w Workspace) Profiles(f *File) (profiles []*File, whole bool) {
	whole = true
	for _, name := range f.uses {
		found := false
		for _, path := range w.Paths() {
			if p := w.files[path]; p.profile == name {
				found = true
				profiles = append(profiles, p)
			}
		}
		whole = whole && found
	}
	return profiles, whole
}

// attach notes the profile that a section declares or uses.
func (f *File) attach(s syntax.Section) {
	switch s.Name() {
	case "USE BEHAVIOR_PROFILE", "USE_BEHAVIOR_PROFILE":
		for _, w := range listWords(s.Head.Root()) {
			f.uses = append(f.uses, w.text)
		}
	case "BEHAVIOR_PROFILE":
		if f.Kind == Profile && f.profile == "" {
			f.profile = bare(s.Head.Root().Value()).text
		}
	}
}
