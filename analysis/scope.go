package analysis

// Scope is the tools that a file can name: its own, then those that it imports,
// in the order of the text. Of two with one name the first here wins.
type Scope struct {
	Tools []ScopedTool
	// Whole is false where an import could not be read: then an unknown name
	// says nothing.
	Whole bool
}

// ScopedTool is a tool with the file that declares it.
type ScopedTool struct {
	PlacedTool
	File   *File
	Import *Import // of the asking file; nil for its own tools
}

// Tool is the tool that a name means.
func (s Scope) Tool(name string) (ScopedTool, bool) {
	for _, t := range s.Tools {
		if t.Name == name {
			return t, true
		}
	}
	return ScopedTool{}, false
}

// Scope is what the file at path can name.
func (w Workspace) Scope(path string) Scope {
	s := Scope{Whole: true}
	f := w.files[path]
	if f == nil {
		return s
	}
	for _, t := range f.Tools {
		s.Tools = append(s.Tools, ScopedTool{PlacedTool: t, File: f})
	}
	for i := range f.Imports {
		tools, whole := w.Imported(f, &f.Imports[i])
		s.Whole = s.Whole && whole
		s.Tools = append(s.Tools, tools...)
	}
	return s
}

// Imported are the tools that one import brings. whole is false where its file,
// or one that it imports in turn, could not be read.
func (w Workspace) Imported(f *File, i *Import) (tools []ScopedTool, whole bool) {
	exports, whole := w.Exports(Resolve(f.Path, i.Path))
	wanted := map[string]bool{}
	for _, n := range i.Names {
		wanted[n.Plain()] = true
	}
	for _, t := range exports {
		if i.All || wanted[t.Name] {
			t.Import = i
			tools = append(tools, t)
		}
	}
	return tools, whole
}

// Exports are the tools that an import of the file at path can name: its own
// and, since libraries that import are followed, those of its imports. A cycle
// ends where it closes. whole is false where a file could not be read.
func (w Workspace) Exports(path string) (tools []ScopedTool, whole bool) {
	return w.exports(path, map[string]bool{})
}

func (w Workspace) exports(path string, above map[string]bool) (tools []ScopedTool, whole bool) {
	f := w.files[path]
	if f == nil || f.Doc == nil {
		return nil, false
	}
	if above[path] {
		return nil, true
	}
	above[path] = true
	defer delete(above, path)
	for _, t := range f.Tools {
		tools = append(tools, ScopedTool{PlacedTool: t, File: f})
	}
	whole = true
	for _, i := range f.Imports {
		wanted := map[string]bool{}
		for _, n := range i.Names {
			wanted[n.Plain()] = true
		}
		inner, innerWhole := w.exports(Resolve(path, i.Path), above)
		whole = whole && innerWhole
		for _, t := range inner {
			if i.All || wanted[t.Name] {
				tools = append(tools, t)
			}
		}
	}
	return tools, whole
}
