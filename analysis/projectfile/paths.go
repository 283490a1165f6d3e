package projectfile

import (
	"iter"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// Paths returns the values that may be paths of files, relative to the folder of this one, with
// their places, quotes included: those that begin as a path, those of `module`, and the `database`
// of a SQLite source. A value is certainly a path only if it leads to a file.
func Paths(d *yaml.Document) []Entry {
	r := pathReader{source: d.Lines().Text()}
	for _, root := range d.Roots() {
		r.readValue(root, false)
	}
	return r.found
}

// ForeignPaths returns the files that a foreign file names: databases of sources, and modules.
func ForeignPaths(d *yaml.Document) []Entry {
	r := pathReader{source: d.Lines().Text(), byKey: true}
	for _, root := range d.Roots() {
		r.readValue(root, false)
	}
	return r.found
}

// Modules returns the modules of all services, at the top level and in the environments, each with
// the place where it is named.
func Modules(d *yaml.Document) (found []Entry) {
	for _, module := range modules(d) {
		found = append(found, Entry{Name: module.StringValue(), Span: module.Span})
	}
	return found
}

// ModulesByService returns the modules of each service, that of the top level first.
func ModulesByService(d *yaml.Document) map[string][]string {
	found := map[string][]string{}
	for service, module := range modules(d) {
		found[service] = append(found[service], module.StringValue())
	}
	return found
}

// Module returns the module of a service: that of the top level, else that of the first environment
// which has one; "" if no module handles the service.
func Module(d *yaml.Document, service string) string {
	for name, module := range modules(d) {
		if name == service {
			return module.StringValue()
		}
	}
	return ""
}

// modules returns the modules by the names of their services.
func modules(d *yaml.Document) iter.Seq2[string, *yaml.Node] {
	return func(yield func(string, *yaml.Node) bool) {
		if len(d.Roots()) != 1 {
			return
		}
		levels := []*yaml.Node{d.Root()}
		for _, m := range members(d.Root().Get(Environments)) {
			levels = append(levels, m.Value)
		}
		for _, level := range levels {
			for _, service := range members(level.Get(Services)) {
				if module := service.Value.Get("module"); module.StringValue() != "" && !yield(service.Key.Text, module) {
					return
				}
			}
		}
	}
}

type pathReader struct {
	source string
	byKey  bool // its key alone makes a text a path
	found  []Entry
}

// readValue adds the paths in n, and in what is below it. path says that n is a path even if it
// does not begin as one.
func (r *pathReader) readValue(n *yaml.Node, path bool) {
	if n.Alias != "" { // its text is elsewhere
		return
	}
	if n.Kind == yaml.String {
		r.readText(n, path)
	}
	for _, item := range n.Items {
		r.readValue(item, false)
	}
	isFile := n.Get("kind").StringValue() == "sqlite" || n.Get("type").StringValue() == "sqlite"
	for _, m := range n.OwnMembers() {
		r.readValue(m.Value, m.Key.Text == "module" || m.Key.Text == "database" && isFile)
	}
}

// readText adds the text n if it is a path: if path is set, or if it begins as one. It leaves out a
// text with escapes, whose parts have no places.
func (r *pathReader) readText(n *yaml.Node, path bool) {
	if !path && (r.byKey || !strings.HasPrefix(n.Text, "./") && !strings.HasPrefix(n.Text, "../")) || n.Text == "" {
		return
	}
	if inner := n.TextSpan(); r.source[inner.Start:inner.End] == n.Text {
		r.found = append(r.found, Entry{Name: n.Text, Span: n.Span})
	}
}

// QuoteLike returns s as YAML writes it in the place of a value whose first character is first:
// with the same quotes, or without any if first is no quote and s needs none.
func QuoteLike(first byte, s string) string {
	switch {
	case first == '\'':
		return `'` + strings.ReplaceAll(s, `'`, `''`) + `'`
	case first != '"' && !strings.ContainsAny(s, ":#,[]{}&*!|>'\"%@`\\") && strings.TrimSpace(s) == s:
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
