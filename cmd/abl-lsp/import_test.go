package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestForeignPage compares the example of docs/foreign.md with what import writes.
func TestForeignPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "foreign.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := func(language string) string {
		_, rest, _ := strings.Cut(string(page), "```"+language+"\n")
		text, _, _ := strings.Cut(rest, "```")
		return text
	}
	name := filepath.Join(t.TempDir(), "tools.yaml")
	if err := os.WriteFile(name, []byte(block("yaml")), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	if code := run(t.Context(), []string{"import", name}, nil, &out, &errs); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	if diff := cmp.Diff(block("abl"), out.String()); diff != "" {
		t.Errorf("import differs from the page (-page +import):\n%s", diff)
	}
}

// TestForeignImports checks that the imports at the beginning of docs/foreign.md import
// the tools of files with these names.
func TestForeignImports(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "foreign.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(strings.ReplaceAll(string(page), "\r\n", "\n"), "```\n")
	imports, _, _ := strings.Cut(rest, "```")
	folder := t.TempDir()
	for name, text := range map[string]string{
		"desk.agent.abl":    "AGENT: Desk\nGOAL: \"🛫\"\n" + imports,
		"tools.yaml":        "sources: {s: {kind: sqlite, database: a.db}}\ntools:\n  search_flights: {kind: sqlite-sql, source: s, description: d, statement: SELECT 1}\n",
		"weather.tool.yaml": "apiVersion: agents.recif.dev/v1\nkind: Tool\nmetadata: {name: weather}\nspec: {name: weather, type: http, description: d, endpoint: \"https://a.example.com\", method: GET}\n",
		"github.tools.json": `{"service": "github", "tools": {"star": {"name": "star", "description": "d", "inputSchema": {"type": "object"}}}}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs strings.Builder
	if code := run(t.Context(), []string{"tools", filepath.Join(folder, "desk.agent.abl")}, nil, &out, &errs); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	for _, name := range []string{"search_flights(", "weather(", "star("} {
		if !strings.Contains(out.String(), name) {
			t.Errorf("no %s in\n%s%s", name, out.String(), errs.String())
		}
	}
}
