package main

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
	"github.com/abl-lsp/abl-lsp/internal/mcpserver"
	"github.com/abl-lsp/abl-lsp/tool"
)

// servedTexts are what files offer to clients of MCP besides tools.
type servedTexts struct {
	prompts   []tool.Prompt
	faulty    []string // the names of prompts with errors
	resources []mcpserver.Resource
	agents    []string // the names of the files' agents
	toolsets  map[string]*mcpserver.Toolset
}

// addTexts adds the prompts, toolsets and resources of a file. tools are those that can be served of
// the file, broken those with errors.
func (s *servedTexts) addTexts(w model.Workspace, in source, tools []invoke.Tool, broken []invoke.Tool) {
	f := w.File(in.path)
	if f == nil {
		return
	}
	s.addResource(w, f, in)
	if f.Foreign == nil {
		return
	}
	for _, p := range f.Foreign.Prompts {
		if p.Faulty {
			s.faulty = append(s.faulty, p.Prompt.Name)
			continue
		}
		s.prompts = slices.DeleteFunc(s.prompts, func(q tool.Prompt) bool { return q.Name == p.Prompt.Name }) // the last file counts
		s.prompts = append(s.prompts, p.Prompt)
	}
	for _, t := range f.Foreign.Toolsets {
		s.addToolset(in, f, t, tools, broken)
	}
}

// addToolset adds what a file has of a toolset. Files may have a toolset in common.
func (s *servedTexts) addToolset(in source, f *model.File, t foreign.Toolset, tools, broken []invoke.Tool) {
	if s.toolsets == nil {
		s.toolsets = map[string]*mcpserver.Toolset{}
	}
	set := s.toolsets[t.Name.Text]
	if set == nil {
		set = &mcpserver.Toolset{Name: t.Name.Text}
		s.toolsets[set.Name] = set
	}
	has := func(one invoke.Tool) bool {
		return one.Declared.File.Path == f.Path && slices.Contains(t.Tools, one.Tool.Name)
	}
	for _, one := range tools {
		if has(one) {
			set.Tools = append(set.Tools, one)
		}
	}
	for _, one := range broken {
		if has(one) {
			set.Broken = append(set.Broken, mcpserver.BrokenTool{Name: one.Tool.QualifiedName(), Answer: one.RefusedEnvelope(displayPath(in, one.BrokenIn.Path))})
		}
	}
	for _, p := range f.Foreign.Prompts {
		if !p.Faulty && slices.Contains(t.Prompts, p.Prompt.Name) {
			set.Prompts = append(set.Prompts, p.Prompt)
		}
	}
}

// addResource adds the description of a file.
func (s *servedTexts) addResource(w model.Workspace, f *model.File, in source) {
	name := filepath.Base(in.shown)
	uri := fileURI + url.PathEscape(name)
	for n := 2; slices.ContainsFunc(s.resources, func(r mcpserver.Resource) bool { return r.URI == uri }); n++ {
		uri = fmt.Sprintf("%s%d/%s", fileURI, n, url.PathEscape(name)) // a file of that name in another folder
	}
	agent := f.AgentName().Text
	if agent != "" {
		s.agents = append(s.agents, agent)
	}
	s.resources = append(s.resources, mcpserver.Resource{
		URI: uri, Name: name, Title: agent, Description: "What " + name + " declares.", Text: describe.FileMarkdown(w, f, cmp.Or(agent, name)),
	})
}

// title returns what clients call the server: the toolset that alone is served, or the agent if the files
// have one; "" otherwise.
func (s *servedFiles) title() string {
	if s.toolset == "" && len(s.texts.agents) == 1 {
		return s.texts.agents[0]
	}
	return s.toolset
}

// fileURI begins the URIs of files.
const fileURI = "abl://files/"

// toolsetNames returns the names of the toolsets, sorted.
func (s *servedTexts) toolsetNames() []string { return slices.Sorted(maps.Keys(s.toolsets)) }

// allToolsets returns the toolsets, sorted by their names.
func (s *servedTexts) allToolsets() []mcpserver.Toolset {
	var all []mcpserver.Toolset
	for _, name := range s.toolsetNames() {
		all = append(all, *s.toolsets[name])
	}
	return all
}

// unknownToolset returns the error for a toolset that no file declares.
func (s *servedTexts) unknownToolset(name string) error {
	names := s.toolsetNames()
	if len(names) == 0 {
		return fmt.Errorf("--toolset: the files have no toolset %q, and no other", name)
	}
	return fmt.Errorf("--toolset: the files have no toolset %q; %s", name, model.DidYouMean(name, names, "they have "+strings.Join(names, ", ")))
}

// only leaves a toolset of what is served.
func (s *servedFiles) only(name string) error {
	set := s.texts.toolsets[name]
	if set == nil {
		return s.texts.unknownToolset(name)
	}
	s.tools, s.broken, s.texts.prompts = set.Tools, set.Broken, set.Prompts
	s.platformTools, s.unsupported, s.found, s.texts.faulty = nil, nil, nil, nil // of other tools
	s.texts.resources, s.texts.toolsets = nil, nil
	return nil
}

// updateTexts gives the server the texts, and tells the person which prompts are left out.
func (s *servedFiles) updateTexts(to *mcpserver.Server) {
	errs := printableOutput{s.errs}
	for _, left := range to.SetPrompts(s.texts.prompts) {
		fmt.Fprintln(errs, "left out:", left)
	}
	for _, name := range s.texts.faulty {
		fmt.Fprintf(errs, "left out: the prompt %s: its definition has errors\n", name)
	}
	to.SetResources(s.texts.resources)
	to.SetToolsets(s.texts.allToolsets())
}
