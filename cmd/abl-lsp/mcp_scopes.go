package main

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/internal/callers"
	"github.com/abl-lsp/abl-lsp/internal/disk"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
)

// checkScopes returns an error for each name under `scopes` of the projects that no tool has: a tool
// whose name is misspelt there is open to every caller.
func (s *servedFiles) checkScopes() error {
	var errs []error
	checked := map[string]bool{}
	for _, in := range s.sources {
		project, _ := s.workspace.Project(in.path)
		if project == nil || project.YAML == nil || checked[project.Path] {
			continue
		}
		checked[project.Path] = true
		if scoped := projectfile.ScopedTools(project.YAML); len(scoped) > 0 {
			errs = append(errs, s.checkScopesOf(project.Path, displayPath(in, project.Path), scoped))
		}
	}
	return errors.Join(errs...)
}

// checkScopesOf checks the names under `scopes` of one project. shown is the path that errors name.
func (s *servedFiles) checkScopesOf(path, shown string, scoped []projectfile.ScopedTool) error {
	names := map[string]bool{}
	for _, in := range s.sources {
		if project, _ := s.workspace.Project(in.path); project != nil && project.Path == path {
			addToolNames(names, s.workspace, in.path)
		}
	}
	isUnknown := func(t projectfile.ScopedTool) bool { return !names[t.Name] }
	if slices.ContainsFunc(scoped, isUnknown) {
		s.addProjectToolNames(names, filepath.Dir(path))
	}
	var errs []error
	for _, t := range scoped {
		if isUnknown(t) {
			meant := model.DidYouMean(t.Name, slices.Sorted(maps.Keys(names)), "a tool whose name is misspelt here is open to every caller")
			errs = append(errs, fmt.Errorf("%s:%d: scopes: no tool is called `%s`; %s", shown, t.Line, t.Name, meant))
		}
	}
	return errors.Join(errs...)
}

// addProjectToolNames adds the names of the tools in all files below a folder, which other servers may
// serve. What cannot be read has none.
func (s *servedFiles) addProjectToolNames(names map[string]bool, folder string) {
	paths, _ := disk.FindFiles(folder, func(path string) bool { return model.IsABL(path) || model.IsForeign(path) })
	var sources []source
	for _, path := range paths {
		sources = append(sources, source{path, path})
	}
	w, err := readEach(s.cmd.Context(), sources, func(int, *model.File) {})
	if err != nil {
		return
	}
	w = disk.ReadAllImports(w, paths, disk.Read)
	for _, path := range paths {
		if model.IsABL(path) || model.IsCertainlyForeign(w, path) {
			addToolNames(names, w, path)
		}
	}
}

// addToolNames adds the names of the tools that a file can name, as `scopes` may write them.
func addToolNames(names map[string]bool, w model.Workspace, path string) {
	for _, t := range model.LowerAll(w, path) {
		names[t.Tool.Name], names[t.Tool.QualifiedName()] = true, true
	}
}

// warnOfClosedTools warns of the tools that no one can call: they need a scope, and no caller has one.
func (s *servedFiles) warnOfClosedTools(choice invoke.CallOptions, policy *callers.Policy) {
	if policy.GivesScopes() {
		return
	}
	var closed []string
	for _, t := range s.tools {
		req, err := t.Request(choice)
		if err == nil && len(req.Environment.Scopes.Of(&t.Tool)) > 0 {
			closed = append(closed, t.Tool.QualifiedName())
		}
	}
	if len(closed) > 0 {
		fmt.Fprintf(printableOutput{s.errs}, "warning: every call of %s is refused: `scopes` in abl.yaml demands a scope, and callers only have one by an access token or the file of tokens\n",
			strings.Join(closed, ", "))
	}
}
