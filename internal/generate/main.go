// Command generate writes what the schema tables of abl.yaml and of saved cases
// say in other forms: JSON Schemas for editors, and the tables of a page for
// readers. It is run in the root of the repository, by make generate.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
)

// page is the page for readers.
const page = "docs/abl-yaml.md"

// schemas are the JSON Schemas by their files.
func schemas() map[string]schema {
	return map[string]schema{
		"docs/schemas/abl.schema.json":   {"abl.yaml", projectfile.Row()},
		"docs/schemas/cases.schema.json": {"Saved cases, *.cases.yaml", projectfile.CasesRow()},
	}
}

func main() {
	if err := write("."); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func write(root string) error {
	files, err := generated(root)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil { //nolint:gosec // for everybody
			return err
		}
	}
	return nil
}

// generated are the texts of all files that are written, by their names.
func generated(root string) (map[string]string, error) {
	files := map[string]string{}
	for name, s := range schemas() {
		text, err := s.text(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files[name] = text
	}
	raw, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		return nil, err
	}
	files[page], err = withTables(strings.ReplaceAll(string(raw), "\r\n", "\n"))
	return files, err
}
