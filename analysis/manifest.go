package analysis

import (
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// exportedFiles say by the end of their path what names of an exported project a file
// has: its own, or those of its keys.
var exportedFiles = []struct {
	end  string
	read func(f *File, name string)
}{
	{"/" + ManifestName, func(f *File, _ string) { f.readManifest() }},
	{".mcp-config.json", func(f *File, name string) { f.public.servers = []string{name} }},
	{"/environment/env-vars.json", func(f *File, _ string) { f.public.secrets = f.keys() }},
	{"/environment/config-vars.json", func(f *File, _ string) { f.public.secrets = f.keys() }},
}

// isExported reports whether a file belongs to an exported project by its path, and has
// names that other files use.
func isExported(path string) bool {
	path = filepath.ToSlash(path)
	for _, e := range exportedFiles {
		if strings.HasSuffix(path, e.end) {
			return true
		}
	}
	return strings.HasSuffix(path, ".connection.json")
}

// readExported finds the public names of a file of an exported project.
func (f *File) readExportedNames() {
	path := filepath.ToSlash(f.Path)
	for _, e := range exportedFiles {
		if name, ok := strings.CutSuffix(path, e.end); ok {
			e.read(f, name[strings.LastIndexByte(name, '/')+1:])
		}
	}
}

// readManifest finds the names that a project.json lists.
func (f *File) readManifest() {
	root := yaml.Read(f.Doc.Lines()).Root()
	f.public.agents = listedNames(root.Get("agents"))
	if entry := root.Get("entry_agent"); entry.Word() != "" {
		f.entryAgent = placedName{entry.Text, entry.Inner()}
	}
	metadata := root.Get("metadata")
	for _, n := range listedNames(metadata.Get("required_mcp_servers")) {
		f.public.servers = append(f.public.servers, n.Name)
	}
	for _, n := range listedNames(metadata.Get("required_env_vars")) {
		f.public.secrets = append(f.public.secrets, n.Name)
	}
}

// listedNames are the keys of a map, or the items of a list and the `name` of those that
// are maps.
func listedNames(n *yaml.Node) []placedName {
	var names []placedName
	for _, m := range n.Own() {
		names = append(names, placedName{m.Key.Text, m.Key.Inner()})
	}
	if n == nil {
		return names
	}
	for _, item := range n.Items {
		if item.Kind == yaml.Map {
			item = item.Get("name")
		}
		if item.Word() != "" {
			names = append(names, placedName{item.Text, item.Inner()})
		}
	}
	return names
}

// keys are the names that a JSON file of variables lists: its keys, those of one map or
// the items of one list below them.
func (f *File) keys() []string {
	root := yaml.Read(f.Doc.Lines()).Root()
	var names []string
	for _, n := range listedNames(root) {
		names = append(names, n.Name)
	}
	for _, m := range root.Own() {
		for _, n := range listedNames(m.Value) {
			names = append(names, n.Name)
		}
	}
	return names
}

// EntryAgent is the agent that a project.json begins with, and its place; "" for none.
func (f *File) EntryAgent() Word { return Word{Text: f.entryAgent.Name, Span: f.entryAgent.Span} }

// manifestUses are the agents that a project.json names.
func (r *resolver) manifestUses() []use {
	var out []use
	for _, n := range append(r.f.public.agents, r.f.entryAgent) {
		if n.Name != "" {
			out = append(out, use{subject{kind: AgentSubject, name: n.Name}, n.Span, Reads})
		}
	}
	return r.wanted(out)
}
