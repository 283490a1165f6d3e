package docs

import (
	"os"
	"strings"
	"testing"
)

// TestPages holds the pages to the form that the package relies on.
func TestPages(t *testing.T) {
	entries, err := os.ReadDir("diagnostics")
	if err != nil {
		t.Fatal(err)
	}
	pages := Pages()
	if len(pages) == 0 || len(pages) != len(entries) {
		t.Fatalf("%d pages of %d files", len(pages), len(entries))
	}
	for _, p := range pages {
		if !strings.HasPrefix(p.Text, "# "+p.Code+"\n\n") {
			t.Errorf("%s has another title", p.Code)
		}
		if s := p.Summary(); s == "" || strings.ContainsAny(s[:1], "#*|`<") {
			t.Errorf("%s does not begin with a paragraph that says what is reported: %q", p.Code, s)
		}
		if p.Severity() == "" {
			t.Errorf("%s names no severity in bold type above its examples", p.Code)
		}
	}
}

func TestPage(t *testing.T) {
	p, ok := Find("import-cycle")
	if !ok {
		t.Fatal("no page")
	}
	const summary = "A chain of `file:` lines comes back to the file where it began; in the shortest case a file imports itself."
	if got := p.Summary(); got != summary {
		t.Errorf("summary %q", got)
	}
	if got := p.Severity(); got != "warning" {
		t.Errorf("severity %q", got)
	}
	if got := p.Intro(); !strings.HasPrefix(got, "A chain") || strings.Contains(got, "## ") {
		t.Errorf("intro %q", got)
	}
	if got := URL(p.Code); got != "https://github.com/abl-lsp/abl-lsp/blob/main/docs/diagnostics/import-cycle.md" {
		t.Errorf("URL %s", got)
	}
	if _, ok := Find("no-such-code"); ok {
		t.Error("a page of no code")
	}
}
