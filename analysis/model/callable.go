package model

import "slices"

// Callable returns what the file at path can call: its scope, then the tools that its behaviour
// profiles add. It is not Complete if one of these profiles is unknown.
func (w Workspace) Callable(path string) Scope {
	s := w.Scope(path)
	f := w.File(path)
	if f == nil {
		return s
	}
	profiles, complete := Profiles(w, f)
	s.Complete = s.Complete && complete && f.ExcessImport == nil
	for _, p := range profiles {
		added := w.Scope(p.Path)
		s.Complete = s.Complete && added.Complete
		s.Tools = append(s.Tools, added.Tools...)
	}
	return s
}

// SeenFrom returns the scope as the agent at an offset of a file sees it: if several agents of the
// file declare a tool of one name, that agent's own tool comes first.
func (s Scope) SeenFrom(f *File, offset int) Scope {
	if len(f.parts) < 2 {
		return s
	}
	part := f.PartAt(offset)
	tools := slices.Clone(s.Tools)
	slices.SortStableFunc(tools, func(a, b ScopedTool) int { return a.distance(f, part) - b.distance(f, part) })
	s.Tools = tools
	return s
}

// distance returns 0 for a tool that the part declares, 1 for any other.
func (t ScopedTool) distance(f *File, part *Part) int {
	if t.File == f && t.Import == nil && f.PartAt(t.Offset) == part {
		return 0
	}
	return 1
}

// Index returns the tools of the scope by name.
func (s Scope) Index() map[string]ScopedTool {
	index := make(map[string]ScopedTool, len(s.Tools))
	for _, t := range slices.Backward(s.Tools) {
		index[t.Name] = t
	}
	return index
}

// CallIndex returns the tools of the scope by each name that calls them: their own name, and their
// qualified name unless another tool has it as its own. An own name that several services have is
// left out.
func (s Scope) CallIndex() map[string]ScopedTool {
	index := s.Index()
	for i, name := range s.CallNames() {
		t := s.Tools[i]
		first, ok := index[t.Name]
		if ok && name != t.Name && first.QualifiedName() != first.Name && first.QualifiedName() != t.QualifiedName() {
			delete(index, t.Name)
		}
	}
	for _, t := range s.Tools {
		if _, taken := index[t.QualifiedName()]; !taken {
			index[t.QualifiedName()] = t
		}
	}
	return index
}

// Names returns the names of the tools in the scope.
func (s Scope) Names() []string {
	names := make([]string, len(s.Tools))
	for i, t := range s.Tools {
		names[i] = t.Name
	}
	return names
}

// Profiles returns the files of the behaviour profiles that a file uses, by path. complete is false
// if the workspace does not know one of them, or has not read its file.
func Profiles(w Workspace, f *File) (profiles []*File, complete bool) {
	paths, complete := profilePaths(w, f.Summary)
	for _, path := range paths {
		profiles = append(profiles, w.File(path))
	}
	return profiles, complete
}

func profilePaths(w Workspace, s *Summary) (paths []string, complete bool) {
	complete = true
	for _, name := range s.attachedProfiles {
		declared := profilesNamed(w, s.Path, name)
		complete = complete && len(declared) > 0
		for _, p := range declared {
			if w.files.Get(p.Path) == nil {
				complete = false
				continue
			}
			paths = append(paths, p.Path)
		}
	}
	return paths, complete
}

// profilesNamed returns the files, opened or not, that declare a behaviour profile of that name in
// the workspace of the file at path.
func profilesNamed(w Workspace, path, name string) []*Handle {
	root := w.MarkedRoot(path)
	return w.filesMatching(name, ProfileNameKind, func(path string) bool { return !IsManifest(path) && w.MarkedRoot(path) == root })
}
