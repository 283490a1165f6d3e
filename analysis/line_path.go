package analysis

import "github.com/abl-lsp/abl-lsp/syntax"

// propertiesAt are the properties around an offset of the file, the outermost first; of
// a tool, or of the shared defaults. It is empty elsewhere.
func propertiesAt(c cursor, offset int) []Property {
	if t, ok := c.file.toolAround(offset); ok {
		return PathAt(t.AnyProperties(), offset-t.Offset)
	}
	root := c.entry.Root()
	if c.section == nil || c.section.Head.Kind() != syntax.ToolsSection || root.Kind() != syntax.Pair {
		return nil
	}
	return PathAt([]Property{SharedDefault(root)}, offset-c.entry.Offset)
}

// propertiesAround are the properties around the cursor, the outermost first, in any
// section.
func propertiesAround(c cursor) []Property {
	if c.section == nil || inTools(c) || c.entry.Entry == nil {
		return propertiesAt(c, c.offset)
	}
	root := c.entry.Root()
	props := SectionProperties(c.kind(), c.section.Name(), root)
	if c.entry.Entry == c.section.Head.Entry {
		props = []Property{HeadProperty(c.kind(), c.section.Name(), root)}
	}
	return PathAt(props, c.offset-c.entry.Offset)
}

// inTools reports whether the cursor is in a TOOLS section.
func inTools(c cursor) bool {
	return c.section != nil && c.section.Head.Kind() == syntax.ToolsSection
}

// stepAt is the step of a tool that the cursor is below, with the key that says what its
// expressions see; "" where it is in none.
func stepAt(c cursor) (name, key string) {
	path := propertiesAround(c)
	if !inTools(c) || len(path) == 0 || !isStep(path[0].Name()) {
		return "", ""
	}
	if len(path) > 1 {
		return path[0].Name(), path[1].Name()
	}
	return path[0].Name(), path[0].Name()
}
