package main

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/tool/indent"
)

const (
	catalogueFile   = "docs/schemas/schemastore-catalog.json"
	catalogueSchema = "https://json.schemastore.org/schema-catalog.json"
)

// catalogueText returns a catalogue in SchemaStore's format, with the entries of our schemas. Editors
// take it as one of their catalogues, and its entries can be added to that of SchemaStore.
func catalogueText() (string, error) {
	entry := func(name, description, files, schema string) any {
		return object("name", name, "description", description, "fileMatch", []string{files}, "url", homePage+"docs/schemas/"+schema)
	}
	var b strings.Builder
	err := indent.Encode(&b, object("$schema", catalogueSchema, "version", 1, "schemas", []any{
		entry("ABL agent", "Agents of the Agent Blueprint Language in YAML", "*.agent.yaml", "agent.schema.json"),
		entry("ABL project", "What the tools of a project in the Agent Blueprint Language share", "abl.yaml", "abl.schema.json"),
		entry("ABL saved cases", "Saved calls of tools in the Agent Blueprint Language", "*.cases.yaml", "cases.schema.json"),
		entry("ABL operator's file", "Where and for whom abl-lsp mcp serves tools", "abl-operator.yaml", "operator.schema.json"),
	}))
	return b.String(), err
}
