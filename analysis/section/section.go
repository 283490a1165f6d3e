// Package section is the schema table of the language's sections except TOOLS: for each keyword
// what follows it and what is below it, in fields as package tool has them for the properties of
// tools.
//
// A field says what the language's pages say and no more. If they list no keys, a field is of
// tool.AnyType or open, and its readers report nothing.
package section

import (
	"maps"
	"sync"

	"github.com/abl-lsp/abl-lsp/tool"
)

// Field returns the schema field of a section by its canonical keyword, in a behaviour profile or
// elsewhere; nil for TOOLS and for what is no section. Fields are shared and some contain
// themselves: a branch has actions, and those have branches.
func Field(keyword string, inProfile bool) *tool.Field {
	if field, ok := profileFields()[keyword]; ok && inProfile {
		return field
	}
	return allFields()[keyword]
}

var allFields = sync.OnceValue(func() map[string]*tool.Field {
	fields := map[string]*tool.Field{}
	for _, part := range [][]tool.Field{
		headFields, talkFields, nluFields, lookupFields, otherFields,
		gatherSection(), memorySection(), ruleSections(), actionSections(), flowSections(), teamSections(), supervisorFields,
	} {
		maps.Copy(fields, byName(part))
	}
	return fields
})

func byName(part []tool.Field) map[string]*tool.Field {
	fields := make(map[string]*tool.Field, len(part))
	for i := range part {
		fields[part[i].Name] = &part[i]
	}
	return fields
}

// words returns a closed set of words that need no explanation.
func words(names ...string) []tool.Word {
	set := make([]tool.Word, len(names))
	for i, name := range names {
		set[i] = tool.Word{Name: name}
	}
	return set
}
