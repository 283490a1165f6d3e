// Package sample makes texts of a given size for benchmarks, so that their
// figures are about the same text.
package sample

import (
	"fmt"
	"strings"
)

// Library is a tool library of about the given number of lines, ten a tool,
// with nothing wrong in it. Line 4+10n (from 0) is the description of tool n.
func Library(lines int) string {
	var b strings.Builder
	b.WriteString("TOOLS:\n  base_url: \"https://api.example.com\"\n\n")
	for i := range lines / 10 {
		fmt.Fprintf(&b, `  find_item_%d(query: string, limit: number = 10, tags: string[] = ["a"]) -> {items: {id: string, price?: number}[], total: number}
    description: "Finds items, number %d"
    type: http
    endpoint: "/items/{query}/%d"
    method: GET
    headers:
      X-Trace: "{{session.trace}}"
    hints:
      cacheable: true

`, i, i, i)
	}
	return b.String()
}
