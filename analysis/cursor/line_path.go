package cursor

import (
	"github.com/abl-lsp/abl-lsp/syntax"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// toolPropertiesAt returns the properties of a tool, or of the shared defaults, around an offset of
// the file, the outermost first. It is empty elsewhere.
func toolPropertiesAt(c model.Cursor, offset int) []model.Property {
	if t, ok := c.File.ToolAround(offset); ok {
		return model.PropertyPathAt(t.PropertiesOfAnyKind(), offset-t.Offset)
	}
	root := c.Entry.Root()
	if c.Section == nil || c.Section.Head.Kind() != syntax.ToolsSection || root.Kind() != syntax.Pair {
		return nil
	}
	return model.PropertyPathAt([]model.Property{model.SharedDefault(root)}, offset-c.Entry.Offset)
}

// PropertiesAround returns the properties around the cursor, the outermost first, in any section.
func PropertiesAround(c model.Cursor) []model.Property {
	if c.Section == nil || InTools(c) || c.Entry.Entry == nil {
		return toolPropertiesAt(c, c.Offset)
	}
	root := c.Entry.Root()
	props := model.SectionProperties(c.Kind(), c.Section.Name(), root)
	if c.Entry.Entry == c.Section.Head.Entry {
		props = []model.Property{model.HeadProperty(c.Kind(), c.Section.Name(), root)}
	}
	return model.PropertyPathAt(props, c.Offset-c.Entry.Offset)
}

// InTools reports whether the cursor is in a TOOLS section.
func InTools(c model.Cursor) bool {
	return c.Section != nil && c.Section.Head.Kind() == syntax.ToolsSection
}

// StepAt returns `verify` or `revert` if the cursor is below it, and the key that decides what its
// expressions see; "" if it is below none.
func StepAt(c model.Cursor) (name, key string) {
	path := PropertiesAround(c)
	if !InTools(c) || len(path) == 0 || !model.IsStep(path[0].Name()) {
		return "", ""
	}
	if len(path) > 1 {
		return path[0].Name(), path[1].Name()
	}
	return path[0].Name(), path[0].Name()
}
