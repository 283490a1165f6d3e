package model

import (
	"maps"
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

// Scope has the tools that a file can name: its own, then those that it imports, in the order of
// the text, each once. If two have one name, the first one wins.
type Scope struct {
	Tools []ScopedTool
	// Complete is false if an import could not be read: then a name that is not in the scope may still
	// exist.
	Complete bool
}

// ScopedTool is a tool with the file that declares it.
type ScopedTool struct {
	PositionedTool
	File   *File
	Import *Import // of the asking file; nil for its own tools
}

// Tool returns the tool that name means. A name without a version means any; one with a version, as
// in `put_note@1.0`, means that one, else a tool that declares no version. The second result is
// false if there is none.
func (s Scope) Tool(name string) (ScopedTool, bool) {
	return s.named(name, func(t ScopedTool) string { return t.Name })
}

// ToolByCallName returns the tool that a caller means by name: the tool's own name, else its
// qualified name. The second result is false if no tool has the name, or if tools of several
// services have it: see [Scope.Ambiguous].
func (s Scope) ToolByCallName(name string) (ScopedTool, bool) {
	if t, ok := s.Tool(name); ok {
		return t, len(s.Ambiguous(name)) == 0
	}
	return s.named(name, func(t ScopedTool) string { return t.QualifiedName() })
}

// Ambiguous returns the qualified names of the tools of several services that have one name of
// their own; nil if the name means one tool.
func (s Scope) Ambiguous(name string) []string {
	unquoted, version := tool.SplitVersion(name)
	var called []string
	for _, t := range s.Tools {
		isMeant := t.Name == unquoted && (version == "" || t.Version() == version)
		switch outside := t.QualifiedName(); {
		case outside == unquoted:
			return nil
		case isMeant && !slices.Contains(called, outside):
			called = append(called, outside)
		}
	}
	if len(called) < 2 {
		return nil
	}
	return called
}

// OwnName returns the name by which [Scope.Tool] finds the tool that a caller means by name; name
// itself if it means nothing.
func (s Scope) OwnName(name string) string {
	if _, ok := s.Tool(name); ok {
		return name
	}
	t, ok := s.ToolByCallName(name)
	if !ok {
		return name
	}
	_, version := tool.SplitVersion(name)
	return tool.JoinVersion(t.Name, version)
}

func (s Scope) named(name string, of func(ScopedTool) string) (ScopedTool, bool) {
	if t, ok := s.find(func(t ScopedTool) bool { return of(t) == name }); ok {
		return t, true
	}
	unquoted, version := tool.SplitVersion(name)
	if version == "" {
		return ScopedTool{}, false
	}
	for _, version := range []string{version, ""} {
		if t, ok := s.find(func(t ScopedTool) bool { return of(t) == unquoted && t.Version() == version }); ok {
			return t, true
		}
	}
	return ScopedTool{}, false
}

func (s Scope) find(is func(ScopedTool) bool) (ScopedTool, bool) {
	i := slices.IndexFunc(s.Tools, is)
	if i < 0 {
		return ScopedTool{}, false
	}
	return s.Tools[i], true
}

// CallNames returns names that each mean one tool of the scope: with the service if tools of other
// services have the name, and with the version if another version has it.
func (s Scope) CallNames() []string {
	count := make(map[string]int, len(s.Tools))
	outside := make(map[string]string, len(s.Tools))
	ofServices := map[string]bool{} // names that several services have
	for _, t := range s.Tools {
		count[t.Name]++
		called := t.QualifiedName()
		if first, known := outside[t.Name]; known && first != called {
			ofServices[t.Name] = true
		}
		outside[t.Name] = called
		if called != t.Name {
			count[called]++
		}
	}
	names := make([]string, len(s.Tools))
	for i, t := range s.Tools {
		names[i] = t.Name
		if ofServices[t.Name] {
			names[i] = t.QualifiedName()
		}
		if count[names[i]] > 1 {
			names[i] = tool.JoinVersion(names[i], t.Version())
		}
	}
	return names
}

// Scope returns the scope of the file at path.
func (w Workspace) Scope(path string) Scope {
	s := Scope{Complete: true}
	f := w.File(path)
	if f == nil {
		return s
	}
	for _, t := range f.Tools {
		s.Tools = append(s.Tools, ScopedTool{PositionedTool: t, File: f})
	}
	sibling, _, isComplete := siblingTools(w, f)
	s.Tools, s.Complete = append(s.Tools, sibling...), isComplete
	brought := map[*ToolDecl]bool{}
	for i := range f.Imports {
		tools, complete := Imported(w, &f.Imports[i])
		s.Complete = s.Complete && complete
		for _, t := range tools {
			if t.File != f && !brought[t.ToolDecl] {
				brought[t.ToolDecl] = true
				s.Tools = append(s.Tools, t)
			}
		}
	}
	return s
}

// Imported returns the tools that one import brings. complete is false if its file, or one that it
// imports in turn, could not be read.
func Imported(w Workspace, i *Import) (tools []ScopedTool, complete bool) {
	tools, complete = exportsOf(w, i.Target, i.nameSet())
	tools = i.selectTools(tools)
	for at := range tools {
		tools[at].Import = i
	}
	return tools, complete
}

// Exports returns the tools that an import of the file at path can name: its own and, if it imports
// others, those of its imports. complete is false if a file could not be read.
func Exports(w Workspace, path string) (tools []ScopedTool, complete bool) {
	return exportsOf(w, path, nameSet{all: true})
}

func exportsOf(w Workspace, path string, names nameSet) (tools []ScopedTool, complete bool) {
	e := newExporter(w, map[*Import][]ScopedTool{})
	e.collectFrom(path, names)
	return e.tools, e.complete
}

// importCollector follows imports. Each file is asked once for a name, so that cycles end, and a
// file that is reached in many ways costs no more than another. An import of versions asks again,
// once: what it leaves out another import may bring.
type importCollector struct {
	workspace  Workspace
	asked      map[string]nameSet // by path
	brought    map[*ToolDecl]bool
	ofVersions map[*Import][]ScopedTool // the tools of imports of versions, also while these are being read
	tools      []ScopedTool
	complete   bool
}

func newExporter(w Workspace, ofVersions map[*Import][]ScopedTool) importCollector {
	return importCollector{workspace: w, asked: map[string]nameSet{}, brought: map[*ToolDecl]bool{}, ofVersions: ofVersions, complete: true}
}

func (e *importCollector) collectFrom(path string, names nameSet) {
	names = names.subtract(e.asked[path])
	if names.isEmpty() {
		return
	}
	e.asked[path] = e.asked[path].union(names)
	f := e.workspace.File(path)
	if f == nil || f.Doc == nil {
		e.complete = false
		return
	}
	sibling, _, complete := siblingTools(e.workspace, f)
	e.complete = e.complete && complete
	e.addTools(sibling, names)
	for _, t := range f.Tools {
		e.addTools([]ScopedTool{{PositionedTool: t, File: f}}, names)
	}
	for i := range f.Imports {
		line := &f.Imports[i]
		if line.ofVersions() {
			e.addTools(e.versionTools(line), names)
			continue
		}
		e.collectFrom(line.Target, names.intersect(line.nameSet()))
	}
}

func (e *importCollector) addTools(tools []ScopedTool, names nameSet) {
	for _, t := range tools {
		if (names.contains(t.Name) || names.contains(t.QualifiedName())) && !e.brought[t.ToolDecl] {
			e.brought[t.ToolDecl] = true
			e.tools = append(e.tools, t)
		}
	}
}

// versionTools returns the tools that an import of versions brings.
func (e *importCollector) versionTools(i *Import) []ScopedTool {
	tools, known := e.ofVersions[i]
	if known {
		return tools
	}
	e.ofVersions[i] = nil
	anew := newExporter(e.workspace, e.ofVersions)
	anew.collectFrom(i.Target, i.nameSet())
	e.complete = e.complete && anew.complete
	e.ofVersions[i] = i.selectTools(anew.tools)
	return e.ofVersions[i]
}

// nameSet is a set of names: the given ones or, if all is set, all except the given ones.
type nameSet struct {
	names map[string]bool
	all   bool
}

func (i *Import) nameSet() nameSet {
	if i.All {
		return nameSet{all: true}
	}
	names := make(map[string]bool, len(i.Names))
	for _, n := range i.Names {
		unquoted, _ := tool.SplitVersion(n.UnquotedText())
		names[n.UnquotedText()], names[unquoted] = true, true
	}
	return nameSet{names: names}
}

// selectTools returns those tools that the import's list means: for a name with a version, as in
// `put_note@2`, the tool of that version, else one that declares no version.
func (i *Import) selectTools(tools []ScopedTool) []ScopedTool {
	if !i.ofVersions() {
		return tools
	}
	means := map[*ToolDecl]bool{}
	for _, n := range i.Names {
		if t, ok := (Scope{Tools: tools}).ToolByCallName(n.UnquotedText()); ok {
			means[t.ToolDecl] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(tools), func(t ScopedTool) bool {
		all := func(n PositionedNode) bool {
			return n.UnquotedText() == t.Name || n.UnquotedText() == t.QualifiedName()
		}
		return !means[t.ToolDecl] && !slices.ContainsFunc(i.Names, all)
	})
}

// ofVersions reports whether the list has a name with a version.
func (i *Import) ofVersions() bool {
	hasVersion := func(n PositionedNode) bool { _, version := tool.SplitVersion(n.UnquotedText()); return version != "" }
	return !i.All && slices.ContainsFunc(i.Names, hasVersion)
}

// NameOf returns the index in the list of the name that means a tool, with its version or without;
// -1 if none does.
func (i *Import) NameOf(name, version string) int {
	return slices.IndexFunc(i.Names, func(n PositionedNode) bool {
		written := n.UnquotedText()
		own, of := tool.SplitVersion(written)
		return written == name || own == name && (of == version || version == "")
	})
}

// NameOfTool returns the index in the list of the name that means a tool: its own name or its
// qualified name; -1 if none does.
func (i *Import) NameOfTool(t ScopedTool) int {
	if len(i.Names) == 0 {
		return -1
	}
	if k := i.NameOf(t.Name, t.Version()); k >= 0 {
		return k
	}
	return i.NameOf(t.QualifiedName(), t.Version())
}

func (s nameSet) contains(name string) bool { return s.names[name] != s.all }

func (s nameSet) isEmpty() bool { return !s.all && len(s.names) == 0 }

// intersect returns the names that both sets have.
func (s nameSet) intersect(o nameSet) nameSet {
	switch {
	case s.all && o.all:
		return nameSet{unionOf(s.names, o.names), true}
	case s.all:
		s, o = o, s
	}
	out := nameSet{names: map[string]bool{}}
	for name := range s.names {
		if o.contains(name) {
			out.names[name] = true
		}
	}
	return out
}

// subtract returns the names of s that o does not have.
func (s nameSet) subtract(o nameSet) nameSet { return s.intersect(nameSet{o.names, !o.all}) }

// union returns the names that at least one of the sets has.
func (s nameSet) union(o nameSet) nameSet {
	not := nameSet{s.names, !s.all}.intersect(nameSet{o.names, !o.all})
	return nameSet{not.names, !not.all}
}

func unionOf(a, b map[string]bool) map[string]bool {
	out := maps.Clone(a)
	if out == nil {
		out = map[string]bool{}
	}
	maps.Copy(out, b)
	return out
}
