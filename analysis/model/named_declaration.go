package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
)

// NamedDeclaration is something that a file declares by name, with its documentation.
type NamedDeclaration struct {
	Name string
	Doc  string
	Node PositionedNode
}

// DeclaredNames returns the author's keys directly below the sections of that name.
func (f *File) DeclaredNames(section string) []NamedDeclaration {
	var names []NamedDeclaration
	add := func(n syntax.Node, offset int) {
		if key := KeyOf(n); !key.IsZero() {
			names = append(names, NamedDeclaration{syntax.Unquote(key.Text()), "", PositionNode(n, offset)})
		}
	}
	for s := range f.Doc.Sections().Named(section) {
		for n := range KeyedNodes(s.Head.Root(), false) {
			add(n, s.Head.Offset)
		}
		for _, e := range s.Entries {
			switch root := e.Root(); {
			case IsKeyed(root):
				add(root, e.Offset)
			case root.Kind() == syntax.ListItem:
				if n := (Item{Node: root}).NameNode(); !n.IsZero() {
					names = append(names, NamedDeclaration{UnquotedWord(n).Text, "", PositionNode(root, e.Offset)})
				}
			}
		}
	}
	return names
}

// Templates returns the templates of the file: those below TEMPLATES, and those that are sections
// of their own.
func (f *File) Templates() []NamedDeclaration {
	names := f.DeclaredNames("TEMPLATES")
	for i := range names {
		names[i].Doc = templateText(names[i].Node.Node)
	}
	for _, s := range f.Doc.Sections() {
		keyword, name, _ := strings.Cut(s.Head.Root().Key(), " ")
		if strings.EqualFold(keyword, "TEMPLATE") {
			names = append(names, NamedDeclaration{strings.TrimSpace(name), templateText(s.Head.Root()), PositionNode(s.Head.Root(), s.Head.Offset)})
		}
	}
	return names
}

// Template returns the template of that name. The second result is false if the file has none.
func (f *File) Template(name string) (NamedDeclaration, bool) {
	all := f.Templates()
	i := slices.IndexFunc(all, func(n NamedDeclaration) bool { return n.Name == name })
	if i < 0 {
		return NamedDeclaration{}, false
	}
	return all[i], true
}

func templateText(n syntax.Node) string {
	p := Property{Node: n, Value: valueOf(n)}
	if p.Value.IsZero() || p.Value.Kind() == syntax.Map {
		for line := range KeyedNodes(n, false) {
			if strings.EqualFold(line.Key(), "DEFAULT") {
				return templateText(line)
			}
		}
		return ""
	}
	return p.Text()
}
