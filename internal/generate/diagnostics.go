package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/docs"
)

// diagnosticTable returns a table with a row for each code, in the order of the list of all
// checks. Its text is taken from the pages.
func diagnosticTable() string {
	var b strings.Builder
	b.WriteString("\n| code | severity | in short |\n|---|---|---|\n")
	for _, c := range check.All() {
		p, _ := docs.Find(c.Code) // a test of the checks wants the page
		fmt.Fprintf(&b, "| [%s](diagnostics/%s.md) | %s | %s |\n", c.Code, c.Code, severities(p), p.InShort)
	}
	return b.String()
}

// severities returns the severities of a page, the worst first.
func severities(p docs.Page) string {
	words := p.Severities()
	ranks := []string{"error", "warning", "information", "hint"}
	slices.SortFunc(words, func(a, b string) int { return slices.Index(ranks, a) - slices.Index(ranks, b) })
	return strings.Join(words, ", ")
}
