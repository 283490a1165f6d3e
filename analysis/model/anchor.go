package model

import (
	"slices"
	"strconv"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// YamlLinks are the anchors of a file of YAML, and their aliases.
func YamlLinks(f *File) []yaml.Link {
	if f == nil || f.Tree() == nil {
		return nil
	}
	return f.Tree().Links()
}

// anchorUses are the anchors of the file, and the aliases that lead to them. Of two
// anchors with one name each has its own aliases.
func (r *Resolver) anchorUses() []Use {
	var out []Use
	for _, l := range YamlLinks(r.F) {
		access := Declares
		if l.IsAlias() {
			access = Reads
		}
		out = append(out, Use{Subject{AnchorSubject, r.F.Path, strconv.Itoa(l.Anchor.Start), l.Name}, l.Span, access})
	}
	return r.wanted(out)
}

// DeclaredTogether are the parameters that one word declares: one for each tool that has it by
// an alias. They are renamed together.
func DeclaredTogether(w Workspace, s Subject) []Subject {
	all := []Subject{s}
	f := w.Files.Get(s.Path)
	if s.Kind != ParameterSubject || f == nil || len(YamlLinks(f)) == 0 {
		return all
	}
	r := Resolver{W: w, F: f}
	declared := slices.DeleteFunc(r.Uses(), func(u Use) bool {
		return u.Subject.Kind != s.Kind || u.Subject.Name != s.Name || u.Access != Declares
	})
	declares := func(of Subject, at text.Span) bool {
		return slices.ContainsFunc(declared, func(u Use) bool { return u.Subject == of && u.Span == at })
	}
	for i := 0; i < len(all); i++ {
		for _, u := range declared {
			if !slices.Contains(all, u.Subject) && declares(all[i], u.Span) {
				all = append(all, u.Subject)
			}
		}
	}
	return all
}
