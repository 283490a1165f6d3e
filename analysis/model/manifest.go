package model

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// exportedFiles say by the end of their path which names of an exported project a file has: its
// own, or those of its keys.
var exportedFiles = []struct {
	end  string
	read func(f *File, name string)
}{
	{"/" + ManifestName, func(f *File, _ string) { readManifest(f) }},
	{".mcp-config.json", func(f *File, name string) { f.Public[ServerNameKind] = []NamedSpan{{Name: name}} }},
	{".connection.json", func(f *File, name string) { f.Public[ConnectionNameKind] = []NamedSpan{{Name: name}} }},
	{"/environment/env-vars.json", func(f *File, _ string) { f.Public[SecretNameKind] = manifestKeys(f) }},
	{"/environment/config-vars.json", func(f *File, _ string) { f.Public[SecretNameKind] = manifestKeys(f) }},
}

// isExported reports whether a file belongs to an exported project by its path, and has names that
// other files use.
func isExported(path string) bool {
	path = filepath.ToSlash(path)
	for _, e := range exportedFiles {
		if strings.HasSuffix(path, e.end) {
			return true
		}
	}
	return isLocale.MatchString(path)
}

// isLocale is the path of the texts of one locale.
var isLocale = lazyregexp.New(`/locales/[^/]+/[^/]+\.json$`)

// readExportedNames reads the public names of a file of an exported project.
func readExportedNames(f *File) {
	path := filepath.ToSlash(f.Path)
	for _, e := range exportedFiles {
		if name, ok := strings.CutSuffix(path, e.end); ok {
			e.read(f, name[strings.LastIndexByte(name, '/')+1:])
		}
	}
	if isLocale.MatchString(path) {
		f.Public[TextNameKind] = listedNames(yaml.ParseLines(f.Doc.Lines()).Root())
	}
}

// readManifest reads the names that a project.json lists.
func readManifest(f *File) {
	root := yaml.ParseLines(f.Doc.Lines()).Root()
	f.Public[AgentNameKind] = listedNames(root.Get("agents"))
	profiles := root.Get("behavior_profiles")
	f.Public[ProfileNameKind] = listedNames(profiles)
	f.usedBy = profileUsers(profiles)
	if entry := root.Get("entry_agent"); entry.StringValue() != "" {
		f.entryAgent = NamedSpan{entry.Text, entry.TextSpan()}
	}
	metadata := root.Get("metadata")
	f.Public[ServerNameKind] = listedNames(metadata.Get("required_mcp_servers"))
	f.Public[ConnectionNameKind] = listedNames(metadata.Get("required_connectors"))
	f.Public[SecretNameKind] = listedNames(metadata.Get("required_env_vars"))
}

// profileUsers returns the agents that use the profiles of a list or a map.
func profileUsers(profiles *yaml.Node) []NamedSpan {
	var names []NamedSpan
	if profiles == nil {
		return nil
	}
	for _, item := range profiles.Items {
		names = append(names, listedNames(item.Get("used_by"))...)
	}
	for _, m := range profiles.OwnMembers() {
		names = append(names, listedNames(m.Value.Get("used_by"))...)
	}
	return names
}

// listedNames returns the keys of a map, or the items of a list and the `name` of those that are
// maps.
func listedNames(n *yaml.Node) []NamedSpan {
	var names []NamedSpan
	for _, m := range n.OwnMembers() {
		names = append(names, NamedSpan{m.Key.Text, m.Key.TextSpan()})
	}
	if n == nil {
		return names
	}
	for _, item := range n.Items {
		if item.Kind == yaml.Map {
			item = item.Get("name")
		}
		if item.StringValue() != "" {
			names = append(names, NamedSpan{item.Text, item.TextSpan()})
		}
	}
	return names
}

// otherFolders are the folders of an exported project that hold files of the platform's own.
var otherFolders = []string{"config", "environment", "connections", "guardrails", "workflows", "locales"}

// isExportFile reports whether a file belongs to an exported project and is no text of the
// language: its content is the platform's own.
func isExportFile(w Workspace, path string) bool {
	root, marked := w.WorkspaceRoot(path)
	if !marked {
		return false
	}
	if f := w.AnyFile(filepath.Join(root, ManifestName)); f == nil || len(f.Public[AgentNameKind]) == 0 {
		return false
	}
	below, err := filepath.Rel(root, path)
	if err != nil {
		return false
	}
	folder, _, _ := strings.Cut(filepath.ToSlash(below), "/")
	return filepath.Ext(path) == ".json" || slices.Contains(otherFolders, folder)
}

// manifestKeys returns the names that a JSON file of variables lists: its keys, or those of the one
// map or the one list in it.
func manifestKeys(f *File) []NamedSpan {
	root := yaml.ParseLines(f.Doc.Lines()).Root()
	names := listedNames(root)
	for _, m := range root.OwnMembers() {
		names = append(names, listedNames(m.Value)...)
	}
	return names
}

// EntryAgent returns the agent with which a project.json begins, and its place; "" for none.
func (f *File) EntryAgent() Word {
	return Word{Text: f.entryAgent.Name, Span: f.entryAgent.Span}
}

// manifestOccurrences returns the agents and profiles that a project.json names.
func (r *Resolver) manifestOccurrences() []Occurrence {
	out := r.placedOccurrences(AgentSymbol, slices.Concat(r.File.Public[AgentNameKind], []NamedSpan{r.File.entryAgent}, r.File.usedBy), Reads)
	return r.filterWanted(append(out, r.placedOccurrences(ProfileSymbol, r.File.Public[ProfileNameKind], Reads)...))
}

// placedOccurrences returns occurrences of agents or profiles at the places of names.
func (r *Resolver) placedOccurrences(kind SymbolKind, names []NamedSpan, access Access) []Occurrence {
	var out []Occurrence
	for _, n := range names {
		if n.Name != "" {
			out = append(out, Occurrence{r.workspaceSymbol(kind, n.Name), n.Span, access})
		}
	}
	return out
}
