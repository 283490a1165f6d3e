package model

import (
	"slices"
	"strconv"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// AnchorOccurrences returns the anchors of a YAML file and their aliases.
func AnchorOccurrences(f *File) []yaml.AnchorOccurrence {
	if f == nil || f.YAMLTree() == nil {
		return nil
	}
	return f.YAMLTree().AnchorOccurrences()
}

// AnchorOccurrences returns the anchors of the file and the aliases that refer to them. If two
// anchors have one name, each has its own aliases.
func (r *Resolver) AnchorOccurrences() []Occurrence {
	var out []Occurrence
	for _, l := range AnchorOccurrences(r.File.Written()) {
		access := Declares
		if l.IsAlias() {
			access = Reads
		}
		out = append(out, Occurrence{Symbol{AnchorSymbol, r.File.Path, strconv.Itoa(l.Anchor.Start), l.Name}, r.File.InFile(l.Span), access})
	}
	return r.filterWanted(out)
}

// SharedDeclarations returns the parameters that are declared by the same word as a symbol: one for
// each tool that gets the word through a YAML alias. They are renamed together.
func SharedDeclarations(w Workspace, s Symbol) []Symbol {
	all := []Symbol{s}
	f := w.File(s.Path)
	if s.Kind != ParameterSymbol || f == nil || len(AnchorOccurrences(f)) == 0 {
		return all
	}
	r := Resolver{Workspace: w, File: f}
	declared := slices.DeleteFunc(r.Occurrences(), func(u Occurrence) bool {
		return u.Symbol.Kind != s.Kind || u.Symbol.Name != s.Name || u.Access != Declares
	})
	declares := func(of Symbol, at text.Span) bool {
		return slices.ContainsFunc(declared, func(u Occurrence) bool { return u.Symbol == of && u.Span == at })
	}
	for i := 0; i < len(all); i++ {
		for _, u := range declared {
			if !slices.Contains(all, u.Symbol) && declares(all[i], u.Span) {
				all = append(all, u.Symbol)
			}
		}
	}
	return all
}
