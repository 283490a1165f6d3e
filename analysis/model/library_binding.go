package model

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/tool"
)

// PlatformTool returns the platform's own tool that d means by its name. Such a tool runs on the
// platform only. ok is false if d has a `type` or is foreign, and if the platform has no tool of
// the name.
func (d *ToolDecl) PlatformTool() (t tool.PlatformTool, ok bool) {
	if written, hasType := d.Property("type"); d.IsForeign() || hasType && !written.IsEmpty() {
		return t, false
	}
	return tool.LookupPlatformTool(d.Name)
}

// NeedsLibrary reports whether a library of the workspace has to bind the tool: an agent or a
// profile declares it without a binding, and it is none of the platform's own.
func (t ScopedTool) NeedsLibrary() bool {
	_, isPlatforms := t.PlatformTool()
	return mayBeBound(t.File) && t.IsUnbound() && !isPlatforms
}

// mayBeBound reports whether libraries of the workspace may bind tools of the file.
func mayBeBound(f *File) bool {
	return f.Foreign == nil && !slices.Contains([]FileKind{Library, YAML, Unknown}, f.Kind)
}

// LibraryBindings returns the library tools that bind a tool which needs one, by path: one for each
// different binding. If no library has a binding, it returns the first tool that is declared by
// that name.
func LibraryBindings(w Workspace, t ScopedTool) []ScopedTool {
	if !t.NeedsLibrary() {
		return nil
	}
	var bound []ScopedTool
	all := LibraryTools(w, t.File.Path, t.Name)
	seen := map[string]bool{}
	for _, in := range all {
		if key := bindingKey(w, in); key != "" && !seen[key] {
			seen[key] = true
			bound = append(bound, in)
		}
	}
	if len(bound) == 0 {
		return all[:min(len(all), 1)]
	}
	return bound
}

// Binding returns the declaration that says how the tool runs: that of the library which binds it,
// else its own.
func (l LoweredTool) Binding() ScopedTool {
	if len(l.Libraries) == 1 {
		return l.Libraries[0]
	}
	return l.Declared
}

// LibrariesNote says to a reader of the file from which library binds the tool; "" if it needs
// none, or none declares it.
func (l LoweredTool) LibrariesNote(from *File) string {
	var places []string
	for _, in := range l.Libraries {
		places = append(places, DescribePlace(from, in.File, in.NameSpan()))
	}
	switch {
	case len(places) == 0:
		return ""
	case len(places) > 1:
		return "Libraries of the workspace bind it differently, so it cannot be run: " + strings.Join(places, "; ") + "."
	case l.Tool.Kind == "":
		return "It has no binding, nor has the one in " + places[0] + "."
	}
	return "Bound by " + places[0] + ": `type: " + string(l.Tool.Kind) + "`."
}

// bindingKey returns a key that is equal for library tools that run alike; "" for a tool without a
// binding.
func bindingKey(w Workspace, in ScopedTool) string {
	t := LowerTool(w, in.File.Path, in).Tool
	if t.Kind == "" {
		return ""
	}
	folder := ""
	if t.Kind == tool.KindModule || t.Kind == tool.KindCLI || len(t.InputSchema)+len(t.OutputSchema) > 0 {
		folder = filepath.Dir(t.Origin.File) // the folder of relative paths
	}
	raw, err := json.Marshal(struct {
		Folder string
		Kind   tool.Kind
		Spec   tool.Spec
		Common tool.Common
	}{folder, t.Kind, t.Spec, t.Common})
	if err != nil { // there are no such values
		return in.File.Path
	}
	return string(raw)
}

// identityProperties are the properties that identify a tool, and do not say how it runs.
var identityProperties = []string{"service", "version"}

// libraryValues returns the properties of a library's tool that the declaration which it binds may
// override.
func (t ScopedTool) libraryValues() map[string]any {
	values := tool.WithDefaults(t.values(), valuesOf(t.File.sharedDefaults()))
	maps.DeleteFunc(values, func(name string, _ any) bool { return slices.Contains(identityProperties, name) })
	return values
}

// boundValues returns the declaration's own properties merged over those of the library that binds
// it; hints and the confirmation are merged key by key. The type is the library's.
func boundValues(own, library map[string]any) map[string]any {
	own = maps.Clone(own)
	delete(own, "type")
	values := tool.WithDefaults(own, library)
	for _, name := range []string{"hints", "confirmation"} {
		mine, isMine := own[name].(tool.Object)
		below, isBelow := library[name].(tool.Object)
		if isMine && isBelow {
			values[name] = mine.WithMissingFrom(below)
		}
	}
	return values
}

// applyBinding gives a lowered tool the binding of a library, and what its own declaration does not
// say.
func (l *LoweredTool) applyBinding(own map[string]any, library ScopedTool) {
	declared := l.Tool
	l.Tool, _ = tool.Decode(boundValues(own, library.libraryValues())) // the library's own faults are reported there
	l.Tool.Name, l.Tool.Returns = declared.Name, declared.Returns
	l.Tool.Namespace, l.Tool.Version = declared.Namespace, declared.Version
	l.Tool.Origin = library.origin()
	if code, ok := l.Tool.Spec.(*tool.Sandbox); ok {
		code.Lines = library.codeLines()
	}
	l.Tool.Params = l.Declared.boundParams(declared.Params, library)
}

// boundParams returns the parameters of a declaration. A parameter without an entry below
// `parameters:` has that of the library. A parameter that only the library has, and that a call
// need not give, is hidden.
func (t ScopedTool) boundParams(declared []tool.Param, library ScopedTool) []tool.Param {
	params := slices.Clone(declared)
	own, entries := t.parameterEntries(), library.parameterEntries()
	for i := range library.Params {
		of := &library.Params[i]
		p, _ := lowerParam(of, entries[of.Name])
		at := slices.IndexFunc(params, func(q tool.Param) bool { return q.Name == of.Name })
		_, isDescribed := own[of.Name]
		switch {
		case at < 0 && (p.Optional || !p.FromCaller() || p.Value != "" || p.Template != ""):
			p.Hidden = true
			params = append(params, p)
		case at >= 0 && !isDescribed && entries[of.Name].Describes():
			params[at] = mergeParam(params[at], p)
		}
	}
	return params
}

// mergeParam returns own, a parameter of a signature, with everything else that library says of the
// parameter.
func mergeParam(own, library tool.Param) tool.Param {
	p := library
	p.Name, p.Type, p.Optional, p.Default = own.Name, own.Type, own.Optional, own.Default
	return p
}
