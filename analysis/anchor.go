package analysis

import (
	"slices"
	"strconv"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// yamlLinks are the anchors of a file of YAML, and their aliases.
func yamlLinks(f *File) []yaml.Link {
	if f == nil || f.Tree() == nil {
		return nil
	}
	return f.Tree().Links()
}

// anchorUses are the anchors of the file, and the aliases that lead to them. Of two
// anchors with one name each has its own aliases.
func (r *resolver) anchorUses() []use {
	var out []use
	for _, l := range yamlLinks(r.f) {
		access := Declares
		if l.IsAlias() {
			access = Reads
		}
		out = append(out, use{subject{AnchorSubject, r.f.Path, strconv.Itoa(l.Anchor.Start), l.Name}, l.Span, access})
	}
	return r.wanted(out)
}

// declaredTogether are the parameters that one word declares: one for each tool that has it by
// an alias. They are renamed together.
func declaredTogether(w Workspace, s subject) []subject {
	all := []subject{s}
	f := w.files.get(s.path)
	if s.kind != ParameterSubject || f == nil || len(yamlLinks(f)) == 0 {
		return all
	}
	r := resolver{w: w, f: f}
	declared := slices.DeleteFunc(r.uses(), func(u use) bool {
		return u.subject.kind != s.kind || u.subject.name != s.name || u.access != Declares
	})
	declares := func(of subject, at text.Span) bool {
		return slices.ContainsFunc(declared, func(u use) bool { return u.subject == of && u.span == at })
	}
	for i := 0; i < len(all); i++ {
		for _, u := range declared {
			if !slices.Contains(all, u.subject) && declares(all[i], u.span) {
				all = append(all, u.subject)
			}
		}
	}
	return all
}
