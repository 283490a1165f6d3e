package model

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/parallel"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Reference is a place that names a symbol.
type Reference struct {
	Path   string
	Span   text.Span // of the name, without quotes
	Access Access
}

// ReferencesTo returns the references of the workspace to a symbol, as it is named in the file at
// path. A cancelled context makes them incomplete.
func ReferencesTo(ctx context.Context, w Workspace, path string, s Symbol) []Reference {
	files := FilesThatMayName(w, path, s)
	found := make([][]Reference, len(files))
	parallel.Each(ctx, len(files), func(i int) { found[i] = ReferencesIn(w, files[i].File(), s) })
	return SortedReferences(slices.Concat(found...))
}

// ReferencesIn returns the references of one file to a symbol.
func ReferencesIn(w Workspace, f *File, s Symbol) []Reference {
	var out []Reference
	r := Resolver{Workspace: w, File: f, Wanted: &s}
	for _, u := range r.Occurrences() {
		out = append(out, Reference{f.Path, u.Span, u.Access})
	}
	return out
}

// SortedReferences returns all by path and place, each place once: with the strongest of its
// accesses. It reorders all.
func SortedReferences(all []Reference) []Reference {
	slices.SortFunc(all, func(a, b Reference) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(b.Access, a.Access))
	})
	return slices.CompactFunc(all, func(a, b Reference) bool { return a.Path == b.Path && a.Span == b.Span })
}

// FilesThatMayName returns the files that may name a symbol.
func FilesThatMayName(w Workspace, path string, s Symbol) []*Handle {
	within := func(string) bool { return true }
	word := s.Name
	switch s.Kind {
	case StepSymbol, TemplateSymbol, SectionEntrySymbol, SchemaPartSymbol, AnchorSymbol:
		within = func(p string) bool { return p == s.Path || s.Owner == ResourceOwner }
	case VariableSymbol:
		related := relatedPaths(w, path)
		within = func(p string) bool { return related[p] }
	case AgentSymbol, ProfileSymbol:
		within = func(p string) bool { return w.MarkedRoot(p) == s.Path }
	case FileSymbol:
		word = filepath.Base(s.Path)
	}
	var files []*Handle
	for p, h := range w.files.All() {
		if within(p) && h.ContainsWord(word) {
			files = append(files, h)
		}
	}
	return files
}

// relatedPaths returns the files that share the session with the file at path: those that it
// imports, that import it, that it hands over to, and so on.
func relatedPaths(w Workspace, path string) map[string]bool {
	sibling := map[string][]string{}
	link := func(a, b string) {
		sibling[a] = append(sibling[a], b)
		sibling[b] = append(sibling[b], a)
	}
	agents := agentPaths(w)
	for p, h := range w.files.All() {
		if !h.isReadable() {
			continue
		}
		for _, imported := range h.Imported() {
			link(p, imported)
		}
		profiles, _ := profilePaths(w, h.Summary)
		for _, profile := range profiles {
			link(p, profile)
		}
		for _, name := range h.partners() {
			for _, partner := range agents[name] {
				link(p, partner)
			}
		}
	}
	return reachable(path, sibling)
}

// reachable returns the paths to which steps lead from a path, that path included.
func reachable(path string, steps map[string][]string) map[string]bool {
	found := map[string]bool{path: true}
	for queue := []string{path}; len(queue) > 0; queue = queue[1:] {
		for _, p := range steps[queue[0]] {
			if !found[p] {
				found[p] = true
				queue = append(queue, p)
			}
		}
	}
	return found
}

// agentPaths returns the paths of the files of each agent.
func agentPaths(w Workspace) map[string][]string {
	agents := map[string][]string{}
	for p, h := range w.files.All() {
		if name := h.AgentName(); name.Text != "" {
			agents[name.Text] = append(agents[name.Text], p)
		}
	}
	return agents
}

// AgentName returns the name of the first agent or supervisor that the file declares.
func (s *Summary) AgentName() Word {
	if s.Kind == YAML || len(s.Public[AgentNameKind]) == 0 {
		return Word{}
	}
	first := s.Public[AgentNameKind][0]
	return Word{first.Name, first.Span}
}

func readPartners(f *File) []string {
	var names []string
	if f.Kind == YAML {
		return nil
	}
	for s := range f.Doc.Sections().Named("HANDOFF", "DELEGATE") {
		for _, e := range s.Entries {
			for _, r := range f.NameRefsIn(e) {
				if r.Kind == AgentRef && r.Access == Reads {
					names = append(names, r.Name)
				}
			}
		}
	}
	return names
}
