package benchtext

import (
	"fmt"
	"iter"
	"strings"
)

// TOML returns a TOML text with as many lines as [Library], ten a table, without mistakes.
// Line 1+10n (from 0) is the description of table n.
func TOML(lines int) string {
	var b strings.Builder
	for i := range lines / 10 {
		fmt.Fprintf(&b, `[find_item_%d]
description = "Finds items, number %d"
type = "http"
endpoint = "/items/{query}/%d"
method = "GET"
parameters = ["query", "limit"]
timeout = 5000
[find_item_%d.hints]
cacheable = true

`, i, i, i, i)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// TOMLWorkspace yields the given number of TOML files, with as many lines as the files of
// [Workspace].
func TOMLWorkspace(files int) iter.Seq2[string, string] {
	return func(yield func(path, text string) bool) {
		for i := range files {
			path := fmt.Sprintf("%s/agent_%d.toml", groupName(i/groupSize), i)
			if !yield(path, TOML(120+10*(i%2))) {
				return
			}
		}
	}
}
