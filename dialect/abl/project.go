package abl

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/literal"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// Project returns the tables as YAML for abl.yaml, one line for each entry.
func Project(tables tool.Object) string {
	var b strings.Builder
	for _, table := range literal.Parse(exactjson.EncodeOrNil(tables)).Members {
		b.WriteString(table.Key + ":\n")
		for _, entry := range table.Value.Members {
			b.WriteString("  " + keyText(entry.Key) + ": " + yamlInline(entry.Value) + "\n")
		}
	}
	return b.String()
}

// yamlInline writes a value in YAML on one line: JSON, with plain words unquoted.
func yamlInline(n foreign.Node) string {
	return inlineValue(n, func(n foreign.Node) string {
		if n.Kind == foreign.String && isUnquotedWord(n.Text) {
			return n.Text
		}
		return string(n.JSON())
	})
}
