package analysis

import (
	"slices"
	"sync"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// anyFields are the properties of a kind, then those that only other kinds
// have: there is something to say about them, too.
func anyFields(kind tool.Kind) []tool.Field { return fieldsOfAny()[kind] }

var fieldsOfAny = sync.OnceValue(func() map[tool.Kind][]tool.Field {
	all := map[tool.Kind][]tool.Field{"": withOthers(tool.CommonFields())}
	for _, w := range tool.Kinds() {
		kind := tool.Kind(w.Name)
		all[kind] = withOthers(ToolFields(kind))
	}
	return all
})

func withOthers(own []tool.Field) []tool.Field {
	all := slices.Clone(own)
	for _, w := range tool.Kinds() {
		for _, f := range tool.Fields(tool.Kind(w.Name)) {
			known := func(g tool.Field) bool { return g.Name == f.Name }
			if !slices.ContainsFunc(all, known) {
				all = append(all, f)
			}
		}
	}
	return all
}

// path are the properties around an offset of the file, the outermost first; of
// a tool, or of the shared defaults. It is empty elsewhere.
func (c cursor) path(offset int) []Property {
	if t, ok := c.file.toolAround(offset); ok {
		return PathAt(t.AnyProperties(), offset-t.Offset)
	}
	root := c.entry.Root()
	if c.section == nil || c.section.Head.Kind() != syntax.ToolsSection || root.Kind() != syntax.Pair {
		return nil
	}
	return PathAt([]Property{SharedDefault(root)}, offset-c.entry.Offset)
}

// properties are the properties around the cursor, the outermost first, in any
// section.
func (c cursor) properties() []Property {
	if c.section == nil || c.inTools() || c.entry.Entry == nil {
		return c.path(c.offset)
	}
	root := c.entry.Root()
	props := SectionProperties(c.kind(), c.section.Name(), root)
	if c.entry.Entry == c.section.Head.Entry {
		props = []Property{HeadProperty(c.kind(), c.section.Name(), root)}
	}
	return PathAt(props, c.offset-c.entry.Offset)
}
