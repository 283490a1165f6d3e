package model

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// extraNames are the names that a tool's own properties add to its parameters.
type extraNames struct {
	storedProcessor bool            // set by a stored processor, whose content is unknown
	setBefore       map[string]bool // by `process`, before the tool runs
	setAfter        map[string]bool // by `process`, after the tool ran
	contextPaths    map[string]bool // whole paths that `context_access` reads
	contextHeads    map[string]bool // the first parts of these paths
	pasted          []string        // into a statement, by `template_parameters`
}

func (d *ToolDecl) extraNames() *extraNames {
	d.lazy.onceNames.Do(func() { d.lazy.names = readExtraNames(d.PropertiesOfAnyKind()) })
	return &d.lazy.names
}

// SetsName reports whether the tool's `process` sets the name, or may set it: the content of a
// stored processor is unknown.
func (d *ToolDecl) SetsName(name string) bool {
	in := d.extraNames()
	return in.storedProcessor || in.setBefore[name] || in.setAfter[name]
}

// SuppliesName reports whether the name has a value before the tool runs without an argument for
// it: from `process` or from the session. It is also true for an argument that a call may give
// though the signature does not declare it.
func (d *ToolDecl) SuppliesName(name string) bool {
	in := d.extraNames()
	return in.storedProcessor || in.setBefore[name] || in.contextPaths[name] || slices.Contains(in.pasted, name)
}

// PastedParams returns the names of the parameters that are pasted into the tool's statement.
func (d *ToolDecl) PastedParams() []string {
	if d.IsForeign() {
		return d.PastedNames()
	}
	return d.extraNames().pasted
}

// ArgumentNames returns the names of the arguments that a call may give.
func (d *ToolDecl) ArgumentNames() []string {
	named, _ := d.SchemaParams()
	return slices.Concat(d.ParamNames(), d.PastedParams(), paramNames(named))
}

// ReadsContext reports whether a path in the tool's `context_access` begins with
// the name.
func (d *ToolDecl) ReadsContext(name string) bool { return d.extraNames().contextHeads[name] }

func readExtraNames(props []Property) extraNames {
	in := extraNames{contextHeads: map[string]bool{}, contextPaths: map[string]bool{}}
	_, in.storedProcessor = FindProperty(props, "process", "before", "use")
	in.setBefore = headsBelow(props, "process", "before", "params")
	in.setAfter = headsBelow(props, "process", "after", "result")
	if p, ok := FindProperty(props, "template_parameters"); ok {
		for _, name := range p.Properties() {
			in.pasted = append(in.pasted, name.Name())
		}
	}
	for _, list := range []string{"read", "write"} {
		p, _ := FindProperty(props, "context_access", list)
		for _, w := range p.Words() {
			in.contextHeads[placeholder.RootName(w.Text)] = true
			in.contextPaths[w.Text] = in.contextPaths[w.Text] || list == "read"
		}
	}
	return in
}

// headsBelow returns the first parts of the keys below a property.
func headsBelow(props []Property, path ...string) map[string]bool {
	heads := map[string]bool{}
	p, _ := FindProperty(props, path...)
	for _, name := range p.Properties() {
		heads[placeholder.RootName(name.Name())] = true
	}
	return heads
}

// FindProperty returns the property at a path of canonical names below props. If there are several,
// it is the last one, which overrides the others. The second result is false if there is none.
func FindProperty(props []Property, path ...string) (Property, bool) {
	for _, p := range slices.Backward(props) {
		if p.Field == nil || p.FlatPath != nil || p.Name() != path[0] {
			continue
		}
		if len(path) == 1 {
			return p, true
		}
		if inner, ok := FindProperty(p.Properties(), path[1:]...); ok {
			return inner, true
		}
	}
	return Property{}, false
}
