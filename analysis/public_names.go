package analysis

import (
	"regexp"
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// publicNames are the names of a file that others of its workspace use without
// importing it.
type publicNames struct {
	agents   []placedName // of agents and supervisors
	profiles []placedName // the behaviour profile that the file is, or those that a project.json lists
	tools    []string     // of a library

	servers, secrets, connections, texts []string // of an exported project
}

// HasPublicNames reports whether a file may have names for others of its workspace, or
// says where that begins.
func HasPublicNames(path string) bool { return IsABL(path) || IsProject(path) || isExported(path) }

// placedName is a name with its place in the file, without quotes.
type placedName struct {
	Name string
	Span text.Span
}

// equal reports whether two files have the same names, wherever these are.
func (p publicNames) equal(o publicNames) bool {
	same := func(a, b placedName) bool { return a.Name == b.Name }
	return slices.EqualFunc(p.profiles, o.profiles, same) && slices.EqualFunc(p.agents, o.agents, same) && slices.Equal(p.tools, o.tools) &&
		slices.Equal(p.servers, o.servers) && slices.Equal(p.secrets, o.secrets) &&
		slices.Equal(p.connections, o.connections) && slices.Equal(p.texts, o.texts)
}

// names are all of them.
func (p publicNames) names() []string {
	names := slices.Concat(p.tools, p.servers, p.secrets, p.connections, p.texts)
	for _, n := range slices.Concat(p.agents, p.profiles) {
		names = append(names, n.Name)
	}
	return names
}

// publicNames are those of the file; nil has none.
func (f *File) publicNames() publicNames {
	if f == nil {
		return publicNames{}
	}
	return f.public
}

// readPublic finds the public names of the file.
func (f *File) readPublic() {
	for _, t := range f.Tools {
		if f.Kind == Library {
			f.public.tools = append(f.public.tools, t.Name)
		}
	}
	if isExported(f.Path) {
		f.readExportedNames()
		return
	}
	if f.Kind == YAML {
		f.public.agents = f.yamlAgents()
		return
	}
	for _, s := range f.Doc.Sections() {
		if name := s.Name(); name != "AGENT" && name != "SUPERVISOR" {
			continue
		}
		if w := bare(s.Head.Root().Value()); w.text != "" {
			f.public.agents = append(f.public.agents, placedName{w.text, w.span.Shift(s.Head.Offset)})
		}
	}
}

// yamlAgent is the line of an agent in YAML that gives it its name.
var yamlAgent = regexp.MustCompile(`(?mi)^(?:agent|supervisor):[ \t]+["']?([A-Za-z]\w*)`)

// yamlAgents are the agents of a file in the YAML dialect.
func (f *File) yamlAgents() []placedName {
	if !IsABL(f.Path) {
		return nil
	}
	source := f.Doc.Text()
	m := yamlAgent.FindStringSubmatchIndex(source)
	if m == nil {
		return nil
	}
	return []placedName{{source[m[2]:m[3]], text.Span{Start: m[2], End: m[3]}}}
}

// nameIndex has the paths of the files with each public name, sorted. It never changes.
type nameIndex struct {
	agents, profiles, tools, servers, secrets, connections, texts map[string][]string
}

func indexNames(files map[string]*File) *nameIndex {
	x := &nameIndex{
		map[string][]string{}, map[string][]string{}, map[string][]string{}, map[string][]string{}, map[string][]string{}, map[string][]string{}, map[string][]string{},
	}
	for path, f := range files {
		for _, agent := range f.public.agents {
			x.agents[agent.Name] = append(x.agents[agent.Name], path)
		}
		for _, names := range []struct {
			of     []string
			byName map[string][]string
		}{{f.public.tools, x.tools}, {f.public.servers, x.servers}, {f.public.secrets, x.secrets}, {f.public.connections, x.connections}, {f.public.texts, x.texts}} {
			for _, name := range names.of {
				names.byName[name] = append(names.byName[name], path)
			}
		}
		for _, profile := range f.public.profiles {
			x.profiles[profile.Name] = append(x.profiles[profile.Name], path)
		}
	}
	for _, byName := range []map[string][]string{x.agents, x.profiles, x.tools, x.servers, x.secrets, x.connections, x.texts} {
		for name, paths := range byName {
			slices.Sort(paths)
			byName[name] = slices.Compact(paths)
		}
	}
	return x
}
