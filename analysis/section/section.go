// Package section is the schema table of the language's sections, TOOLS apart:
// for each keyword what follows it and below it, in rows of the kind that
// package tool has for the properties of tools.
//
// A row says what the language's pages say and no more. Where they list no keys,
// a row is of tool.AnyType or open, and whoever reads it is silent.
package section

import (
	"maps"
	"sync"

	"github.com/abl-lsp/abl-lsp/tool"
)

// Row returns the row of a section by its canonical keyword, in a behaviour profile or elsewhere;
// nil for TOOLS and for what is no section. Rows are shared and some contain themselves: a branch
// holds actions, and those hold branches.
func Row(keyword string, inProfile bool) *tool.Field {
	if row, ok := profileRows()[keyword]; ok && inProfile {
		return row
	}
	return allRows()[keyword]
}

var allRows = sync.OnceValue(func() map[string]*tool.Field {
	rows := map[string]*tool.Field{}
	for _, part := range [][]tool.Field{
		headRows, talkRows, nluRows, lookupRows, otherRows,
		gatherSection(), memorySection(), ruleSections(), actionSections(), flowSections(), teamSections(), supervisorRows,
	} {
		maps.Copy(rows, byName(part))
	}
	return rows
})

func byName(part []tool.Field) map[string]*tool.Field {
	rows := make(map[string]*tool.Field, len(part))
	for i := range part {
		rows[part[i].Name] = &part[i]
	}
	return rows
}

// words returns a closed set whose words speak for themselves.
func words(names ...string) []tool.Word {
	set := make([]tool.Word, len(names))
	for i, name := range names {
		set[i] = tool.Word{Name: name}
	}
	return set
}
