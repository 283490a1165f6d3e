package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestForeignPage holds the example of docs/foreign.md to what import writes.
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
	if out.String() != block("abl") {
		t.Errorf("import writes\n%s\nthe page has\n%s", out.String(), block("abl"))
	}
}
