package model

import (
	"iter"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// namedTables are the tables of abl.yaml whose names are used in other files, each with the noun
// for one of its names.
var namedTables = []struct{ table, one string }{
	{projectfile.Servers, "server"},
	{projectfile.Functions, "function"},
	{projectfile.Sources, "source"},
	{projectfile.AuthServices, "auth service"},
	{projectfile.Environments, "environment"},
}

// TableNoun returns the noun for a name of a table.
func TableNoun(table string) string {
	for _, t := range namedTables {
		if t.table == table {
			return t.one
		}
	}
	return ProjectEntrySymbol.String()
}

// ProjectLevels returns the top level of abl.yaml and its environments.
func ProjectLevels(d *yaml.Document) iter.Seq[*yaml.Node] {
	return func(yield func(*yaml.Node) bool) {
		if !yield(d.Root()) {
			return
		}
		for _, m := range d.Root().Get(projectfile.Environments).OwnMembers() {
			if !yield(m.Value) {
				return
			}
		}
	}
}

// projectReferences returns the names that abl.yaml itself refers to: its default environment, and
// tools whose credentials it has.
func (r *Resolver) projectReferences() []Occurrence {
	out := r.environmentOccurrences(r.File.Path, r.File.YAML.Root().Get("default_environment"))
	for level := range ProjectLevels(r.File.YAML) {
		for _, m := range level.Get("credentials").OwnMembers() {
			for _, f := range r.declaringFiles(m.Key.Text) {
				out = append(out, Occurrence{Symbol{ToolSymbol, f.Path, "", m.Key.Text}, m.Key.TextSpan(), Reads})
			}
		}
	}
	return out
}

// declaringFiles returns the files covered by abl.yaml that declare a tool.
func (r *Resolver) declaringFiles(name string) []*File {
	if !r.wants(name, ToolSymbol) {
		return nil
	}
	var files []*File
	for path, h := range r.Workspace.files.All() {
		if (h.isForeign() || h.ContainsWord(name)) && ProjectPath(r.Workspace, path) == r.File.Path && DeclaresTool(h.File(), name) {
			files = append(files, h.File())
		}
	}
	return files
}

// caseEnvironments returns the environments in which saved cases run.
func (r *Resolver) caseEnvironments() []Occurrence {
	var out []Occurrence
	path := ProjectPath(r.Workspace, r.File.Path)
	for _, m := range r.File.YAML.Root().OwnMembers() {
		for _, c := range m.Value.Items {
			out = append(out, r.environmentOccurrences(path, c.Get("environment"))...)
		}
	}
	return out
}

// environmentOccurrences returns the occurrence of an environment of abl.yaml in a value.
func (r *Resolver) environmentOccurrences(project string, n *yaml.Node) []Occurrence {
	if n.StringValue() == "" || n.Alias != "" {
		return nil
	}
	return []Occurrence{{Symbol{ProjectEntrySymbol, project, projectfile.Environments, n.Text}, n.TextSpan(), Reads}}
}

// HasUnchangeableNames reports whether abl.yaml may get names of a symbol's table from elsewhere,
// where they cannot be changed.
func HasUnchangeableNames(w Workspace, s Symbol) bool {
	f := w.File(s.Path)
	switch {
	case f != nil && f.Foreign != nil:
		return false
	case f == nil || f.Project == nil:
		return true
	}
	t, _ := f.Project.Table(s.Owner)
	return f.Project.Incomplete || t.Incomplete || len(f.YAML.Faults()) > 0
}

// MayHaveUnreadName reports whether a YAML file may name a symbol in a part that cannot be read.
func MayHaveUnreadName(w Workspace, f *File, s Symbol) bool {
	switch {
	case f.YAML == nil || len(f.YAML.Faults()) == 0:
		return false
	case s.Kind == AnchorSymbol:
		return true
	case f.Project != nil:
		return s.Kind == ToolSymbol && ProjectPath(w, s.Path) == f.Path
	case s.Kind == ProjectEntrySymbol:
		return ProjectPath(w, f.Path) == s.Path
	}
	return brokenCasesOf(f, s.Path)
}

// Noun returns the noun for the symbol in a message.
func (s Symbol) Noun() string {
	if s.Kind == ProjectEntrySymbol {
		return TableNoun(s.Owner)
	}
	return s.Kind.String()
}

// NounWithArticle returns the noun for the symbol, with its article.
func (s Symbol) NounWithArticle() string {
	what := s.Noun()
	if strings.IndexByte("aeiou", what[0]) >= 0 {
		return "an " + what
	}
	return "a " + what
}
