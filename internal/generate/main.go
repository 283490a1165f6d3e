// Command generate writes the schema tables of tools, of abl.yaml, of saved cases, of agents in
// YAML and of the operator's file in other forms: JSON Schemas for editors, and tables in pages for readers. It writes
// the lists of all diagnostics and of all kinds of tools from their pages, the list of
// the protocol's methods from the server's table, and the settings of VS Code's
// extension from a table of its own. Run it in the root of the repository, by make
// generate.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/internal/operator"
	"github.com/abl-lsp/abl-lsp/internal/toolpages"
	"github.com/abl-lsp/abl-lsp/lsp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// projectPage is the page of abl.yaml and saved cases.
const projectPage = "docs/abl-yaml.md"

// pageTables returns the pages for readers, by their files, with what makes their tables: one for each
// place of the page.
func pageTables(kinds []toolpages.Page) map[string][]func() string {
	all := map[string][]func() string{
		projectPage:            {projectTables},
		"docs/operator.md":     {operatorTables},
		editorsPage:            {settingTables},
		"docs/tools/README.md": {func() string { return kindTable(kinds) }, func() string { return toolTables(tool.CommonFields()) }},
		"docs/expressions.md":  {functionTables},
		"docs/README.md":       {diagnosticTable},
		"docs/features.md":     {lsp.FeatureTables},
	}
	for _, kind := range tool.Kinds() {
		all[toolpages.Folder+"/"+kind.Name+".md"] = []func() string{func() string { return toolTables(tool.Fields(tool.Kind(kind.Name))) }}
	}
	return all
}

// schemas returns the JSON Schemas by their files.
func schemas() map[string]schema {
	return map[string]schema{
		"docs/schemas/abl.schema.json":      {"abl.yaml", projectfile.ProjectField()},
		"docs/schemas/cases.schema.json":    {"Saved cases, *.cases.yaml", projectfile.CasesField()},
		"docs/schemas/agent.schema.json":    {"Agents in YAML, *.agent.yaml", section.YAMLAgent()},
		"docs/schemas/operator.schema.json": {"The operator's file, of abl-lsp mcp --config", operator.Field()},
	}
}

func main() {
	if err := writeFiles("."); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func writeFiles(root string) error {
	files, err := generateFiles(root)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generateFiles returns the texts of all generated files, by their names.
func generateFiles(root string) (map[string]string, error) {
	files := map[string]string{}
	for name, s := range schemas() {
		text, err := s.text(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files[name] = text
	}
	catalogue, err := catalogueText()
	if err != nil {
		return nil, err
	}
	files[catalogueFile] = catalogue
	kinds, err := toolpages.Read(root)
	if err != nil {
		return nil, err
	}
	parts := map[string]func(text string) (string, error){extensionManifest: withSettings}
	for name, tables := range pageTables(kinds) {
		parts[name] = func(page string) (string, error) { return replaceTables(page, tables) }
	}
	for name, with := range parts {
		raw, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		files[name], err = with(strings.ReplaceAll(string(raw), "\r\n", "\n"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return files, nil
}
