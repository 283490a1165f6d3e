package analysis

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
)

// named is a thing that a file declares by name, with what there is to say of it.
type named struct {
	name string
	doc  string
	node PlacedNode
}

// declared are the author's keys directly below the sections of that name.
func (f *File) declared(section string) []named {
	var names []named
	add := func(n syntax.Node, offset int) {
		if key := keyOf(n); !key.IsZero() {
			names = append(names, named{syntax.Unquote(key.Text()), "", placed(n, offset)})
		}
	}
	for _, s := range f.Doc.Sections() {
		if s.Name() != section {
			continue
		}
		for n := range keyed(s.Head.Root(), false) {
			add(n, s.Head.Offset)
		}
		for _, e := range s.Entries {
			switch root := e.Root(); {
			case isKeyed(root):
				add(root, e.Offset)
			case root.Kind() == syntax.ListItem:
				if n := (Item{Node: root}).NameNode(); !n.IsZero() {
					names = append(names, named{bare(n).text, "", placed(root, e.Offset)})
				}
			}
		}
	}
	return names
}

// templates are the templates of the file: those below TEMPLATES, and those that
// are a section of their own.
func (f *File) templates() []named {
	names := f.declared("TEMPLATES")
	for i := range names {
		names[i].doc = templateText(names[i].node.Node)
	}
	for _, s := range f.Doc.Sections() {
		keyword, name, _ := strings.Cut(s.Head.Root().Key(), " ")
		if strings.EqualFold(keyword, "TEMPLATE") {
			names = append(names, named{strings.TrimSpace(name), templateText(s.Head.Root()), placed(s.Head.Root(), s.Head.Offset)})
		}
	}
	return names
}

// template is the template of a name.
func (f *File) template(name string) (named, bool) {
	all := f.templates()
	i := slices.IndexFunc(all, func(n named) bool { return n.name == name })
	if i < 0 {
		return named{}, false
	}
	return all[i], true
}

func templateText(n syntax.Node) string {
	p := Property{Node: n, Value: valueOf(n)}
	if p.Value.IsZero() || p.Value.Kind() == syntax.Map {
		for line := range keyed(n, false) {
			if strings.EqualFold(line.Key(), "DEFAULT") {
				return templateText(line)
			}
		}
		return ""
	}
	return p.Text()
}
