// Package projectfile reads abl.yaml, the file in which a project lists what its tools name:
// servers, functions, sources and the like. It also reads saved cases.
//
// It never fails. If a text is no YAML, or has another form, the result says that it is incomplete,
// so that callers report nothing on its basis.
package projectfile

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// FileName is the name of the file in every project.
const FileName = "abl.yaml"

// The tables, by their keys.
const (
	Servers      = "servers"
	Functions    = "functions"
	Sources      = "sources"
	AuthServices = "auth_services"
	Services     = "services"
	Environments = "environments"
)

// Project has what other files need to know of one version of an abl.yaml.
type Project struct {
	// Broken says that the text is no map, and nothing else is set. Incomplete says
	// that tables and other keys may be missing.
	Broken, Incomplete bool

	// Secrets says that there is a `secrets`. Providers are those that it names, nil if it names none,
	// or something that is no list of words.
	Secrets   bool
	Providers []string

	// SecretsIncomplete says that some of `secrets` may be missing.
	SecretsIncomplete bool

	tables      map[string]Table
	baseURLs    map[string]Entry // by environment; "" is the top level
	environment string           // the default one
}

// BaseURL returns the URL that precedes endpoints which are paths, with the place of its key: that
// of the environment, else that of the top level. For environment "" it is the default one. ok is
// false if neither has one.
func (p *Project) BaseURL(environment string) (url Entry, ok bool) {
	if environment == "" {
		environment = p.environment
	}
	if url, ok = p.baseURLs[environment]; !ok {
		url, ok = p.baseURLs[""]
	}
	return url, ok
}

// Table has the names under one key of abl.yaml, such as those of its servers.
type Table struct {
	Entries []Entry // of the top level, then those of the environments; a name may be repeated

	// Incomplete says that names may be missing: some come by a way that is not
	// followed.
	Incomplete bool
}

// Entry is a name in a YAML file, with its place in the text.
type Entry struct {
	Name string
	Span text.Span
	Kind string // the value of its `kind`, "" if it is unknown
}

// Table returns the names under key, such as [Servers]; ok is false if neither the top level nor an
// environment has that key.
func (p *Project) Table(key string) (t Table, ok bool) {
	t, ok = p.tables[key]
	return t, ok
}

// Names returns the names of a table, each once, in order.
func (t Table) Names() []string {
	var names []string
	for _, e := range t.Entries {
		if !slices.Contains(names, e.Name) {
			names = append(names, e.Name)
		}
	}
	return names
}

// Read reads a parsed abl.yaml. It never fails: see the fields Broken and Incomplete of the result.
func Read(d *yaml.Document) *Project {
	p := &Project{tables: map[string]Table{}, baseURLs: map[string]Entry{}}
	root := d.Root()
	switch {
	case len(d.Roots()) > 1, root.Kind != yaml.Map && (root.Kind != yaml.Null || root.Incomplete):
		return &Project{Broken: true, Incomplete: true}
	}
	p.Incomplete = root.Incomplete
	p.environment = root.Get("default_environment").StringValue()
	p.readLevel("", root)
	for _, m := range members(root.Get(Environments)) {
		p.readLevel(m.Key.Text, m.Value)
	}
	p.readSecrets(root.Member("secrets"))
	return p
}

// readLevel reads the keys of the top level or of an environment.
func (p *Project) readLevel(environment string, n *yaml.Node) {
	for _, m := range members(n) {
		switch key := m.Key.Text; key {
		case Servers, Functions, Sources, AuthServices, Environments:
			p.readTable(key, m.Value)
		case "base_url":
			if url := m.Value.StringValue(); url != "" {
				p.baseURLs[environment] = Entry{Name: url, Span: m.Key.Span}
			}
		}
	}
	if environment == "" || !isIncomplete(n) {
		return
	}
	for _, key := range []string{Servers, Functions, Sources, AuthServices} {
		t := p.tables[key]
		t.Incomplete = true
		p.tables[key] = t
	}
}

// readTable adds the names of a map. A name without a value does not exist yet.
func (p *Project) readTable(key string, value *yaml.Node) {
	if value.Kind == yaml.Null && !value.Incomplete {
		return
	}
	t := p.tables[key]
	t.Incomplete = t.Incomplete || isIncomplete(value)
	for _, m := range members(value) {
		t.Entries = append(t.Entries, Entry{m.Key.Text, m.Key.Span, m.Value.Get("kind").StringValue()})
	}
	p.tables[key] = t
}

func (p *Project) readSecrets(m *yaml.Member) {
	p.Secrets, p.SecretsIncomplete = m != nil, p.Incomplete
	if m != nil {
		providers := m.Value.Get("providers")
		p.SecretsIncomplete = isIncomplete(m.Value) || providers != nil && providers.Incomplete
		p.Providers = words(providers)
	}
}

// words returns the words of a list, nil if it is no list of words.
func words(n *yaml.Node) []string {
	if n == nil || n.Kind != yaml.List || n.Incomplete {
		return nil
	}
	words := []string{}
	for _, item := range n.Items {
		if item.Kind != yaml.String {
			return nil
		}
		words = append(words, item.Text)
	}
	return words
}

// members returns the members that are written in a map. Those from elsewhere have no place in the
// text.
func members(n *yaml.Node) []yaml.Member {
	if n == nil || n.Alias != "" {
		return nil
	}
	return n.OwnMembers()
}

// isIncomplete reports whether a node is no map, or may have more than its members.
func isIncomplete(n *yaml.Node) bool {
	return n.Incomplete || n.Alias != "" || len(n.OwnMembers()) < len(n.Members) || n.Kind != yaml.Map && n.Kind != yaml.Null
}
