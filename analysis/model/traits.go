package model

import (
	"iter"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/tool"
)

// Traits are the properties of a tool that decide which checks of a whole file look at it. The
// traits of a foreign tool are unknown: it has all but Unbound.
type Traits uint16

// The traits.
const (
	Unbound       Traits = 1 << iota // [ToolDecl.IsUnbound]
	HasServer                        // a property of that name, and so on
	HasFunction                      //
	HasSource                        //
	HasFiles                         // module, input_schema or output_schema
	HasSteps                         // verify or revert
	HasContext                       // context_access
	HasEscapes                       // a template parameter with an `escape`
	HasServices                      // [ToolDecl.AuthServices]
	HasSecrets                       // a name in the namespace `secrets`
	IsSQL                            // by its type
	IsModule                         // likewise
	foreignTraits = ^Unbound
)

// propertyTraits are the traits of tools with a property of that name, at the top of the tool.
var propertyTraits = map[string]Traits{
	"server": HasServer, "function": HasFunction, "source": HasSource,
	"module": HasFiles, "input_schema": HasFiles, "output_schema": HasFiles,
	"verify": HasSteps, "revert": HasSteps, "context_access": HasContext,
}

// Traits returns the traits of the tool.
func (d *ToolDecl) Traits() Traits {
	if d.IsForeign() {
		return foreignTraits
	}
	d.lazy.onceTraits.Do(func() { d.lazy.traits = readTraits(d) })
	return d.lazy.traits
}

func readTraits(d *ToolDecl) (traits Traits) {
	for _, p := range d.PropertiesOfAnyKind() {
		if p.Field != nil {
			traits |= propertyTraits[p.Field.Name]
		}
	}
	for _, t := range []struct {
		trait Traits
		has   bool
	}{
		{Unbound, d.IsUnbound()},
		{HasEscapes, len(escapesIn(PositionedTool{ToolDecl: d})) > 0},
		{HasServices, len(d.AuthServices()) > 0},
		{HasSecrets, strings.Contains(d.Node.Text(), "secrets.")},
		{IsSQL, d.Kind() == tool.KindSQL},
		{IsModule, d.Kind() == tool.KindModule},
	} {
		if t.has {
			traits |= t.trait
		}
	}
	return traits
}

// ToolsWith returns the tools of the file that have one of the given traits, in the order of the
// text. It is cheap if there are none.
func (f *File) ToolsWith(traits Traits) iter.Seq[PositionedTool] {
	return func(yield func(PositionedTool) bool) {
		if f.traits == nil {
			return
		}
		for i, has := range f.traits() {
			if has&traits != 0 && !yield(f.Tools[i]) {
				return
			}
		}
	}
}

// readFileTraits returns the traits of the file's tools, in their order; nil if no tool has any.
func readFileTraits(f *File) []Traits {
	all := make([]Traits, len(f.Tools))
	for i, t := range f.Tools {
		all[i] = t.Traits()
	}
	if !slices.ContainsFunc(all, func(t Traits) bool { return t != 0 }) {
		return nil
	}
	return all
}
