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
	tools    []placedName // of a library

	servers, secrets, connections, texts []placedName // of an exported project
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
	theirs := o.kinds()
	for i, mine := range p.kinds() {
		if !slices.EqualFunc(mine, theirs[i], func(a, b placedName) bool { return a.Name == b.Name }) {
			return false
		}
	}
	return true
}

// kinds are the names, one list for each kind.
func (p publicNames) kinds() [][]placedName {
	return [][]placedName{p.tools, p.servers, p.secrets, p.connections, p.texts, p.agents, p.profiles}
}

// names are all of them.
func (p publicNames) names() []string {
	var names []string
	for _, n := range slices.Concat(p.kinds()...) {
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
			f.public.tools = append(f.public.tools, placedName{t.Name, t.NameSpan()})
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
	tools, servers, secrets, connections, texts, agents, profiles map[string][]string
}

// kinds are the maps of the index in the order of [publicNames.kinds].
func (x *nameIndex) kinds() []*map[string][]string {
	return []*map[string][]string{&x.tools, &x.servers, &x.secrets, &x.connections, &x.texts, &x.agents, &x.profiles}
}

func indexNames(files fileSet) *nameIndex {
	x := new(nameIndex)
	for _, byName := range x.kinds() {
		*byName = map[string][]string{}
	}
	for path, f := range files.all() {
		for i, names := range f.public.kinds() {
			byName := *x.kinds()[i]
			for _, n := range names {
				byName[n.Name] = append(byName[n.Name], path)
			}
		}
	}
	for _, byName := range x.kinds() {
		for name, paths := range *byName {
			slices.Sort(paths)
			(*byName)[name] = slices.Compact(paths)
		}
	}
	return x
}
