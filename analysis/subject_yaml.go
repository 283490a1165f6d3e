package analysis

import (
	"iter"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// namedTables are the tables of abl.yaml whose names stand elsewhere, too, with
// what one of the names is called.
var namedTables = []struct{ table, one string }{
	{projectfile.Servers, "server"},
	{projectfile.Functions, "function"},
	{projectfile.Sources, "source"},
	{projectfile.AuthServices, "auth service"},
	{projectfile.Environments, "environment"},
}

// oneOf is what a name of a table is called.
func oneOf(table string) string {
	for _, t := range namedTables {
		if t.table == table {
			return t.one
		}
	}
	return ProjectSubject.String()
}

// levels are the top level of abl.yaml and its environments.
func levels(d *yaml.Document) iter.Seq[*yaml.Node] {
	return func(yield func(*yaml.Node) bool) {
		if !yield(d.Root()) {
			return
		}
		for _, m := range d.Root().Get(projectfile.Environments).Own() {
			if !yield(m.Value) {
				return
			}
		}
	}
}

// projectReads are the names that abl.yaml itself mentions: its default
// environment, and tools whose credentials it has.
func (r *resolver) projectReads() []use {
	out := r.environment(r.f.Path, r.f.YAML.Root().Get("default_environment"))
	for level := range levels(r.f.YAML) {
		for _, m := range level.Get("credentials").Own() {
			for _, f := range r.tellers(m.Key.Text) {
				out = append(out, use{subject{ToolSubject, f.Path, "", m.Key.Text}, m.Key.Inner(), Reads})
			}
		}
	}
	return out
}

// tellers are the files that the project's file is around and that declare a tool.
func (r *resolver) tellers(name string) []*File {
	if !r.wants(name, ToolSubject) {
		return nil
	}
	var files []*File
	for _, f := range r.w.files.all() {
		if declares(f, name) && projectPath(r.w, f.Path) == r.f.Path {
			files = append(files, f)
		}
	}
	return files
}

// caseEnvironments are the environments in which saved cases run.
func (r *resolver) caseEnvironments() []use {
	var out []use
	path := projectPath(r.w, r.f.Path)
	for _, m := range r.f.YAML.Root().Own() {
		for _, c := range m.Value.Items {
			out = append(out, r.environment(path, c.Get("environment"))...)
		}
	}
	return out
}

// environment is the use of an environment of abl.yaml in a value.
func (r *resolver) environment(project string, n *yaml.Node) []use {
	if n.Word() == "" || n.Alias != "" {
		return nil
	}
	return []use{{subject{ProjectSubject, project, projectfile.Environments, n.Text}, n.Inner(), Reads}}
}

// openTable reports whether abl.yaml may take names of a table from where they
// cannot be changed.
func openTable(w Workspace, s subject) bool {
	f := w.files.get(s.path)
	switch {
	case f != nil && f.Foreign != nil:
		return false
	case f == nil || f.Project == nil:
		return true
	}
	t, _ := f.Project.Table(s.owner)
	return f.Project.Open || t.Open || len(f.YAML.Faults()) > 0
}

// unreadPaths reports whether a file of YAML may have a name where it cannot be read.
func unreadPaths(w Workspace, f *File, s subject) bool {
	switch {
	case f.YAML == nil || len(f.YAML.Faults()) == 0:
		return false
	case s.kind == AnchorSubject:
		return true
	case f.Project != nil:
		return s.kind == ToolSubject && projectPath(w, s.path) == f.Path
	case s.kind == ProjectSubject:
		return projectPath(w, f.Path) == s.path
	}
	return brokenCasesOf(f, s.path)
}

// what a subject is, as a message says it.
func (s subject) what() string {
	if s.kind == ProjectSubject {
		return oneOf(s.owner)
	}
	return s.kind.String()
}

// one is what a subject is, with its article.
func (s subject) one() string {
	what := s.what()
	if strings.IndexByte("aeiou", what[0]) >= 0 {
		return "an " + what
	}
	return "a " + what
}
