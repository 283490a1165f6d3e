package abl

import "github.com/abl-lsp/abl-lsp/dialect/foreign"

// Entries returns foreign tools to write, with what their readers lost.
func Entries(tools []foreign.Tool) []Entry {
	entries := make([]Entry, len(tools))
	for i, t := range tools {
		entries[i].Tool = t.Tool
		for _, lost := range t.Lost {
			entries[i].Notes = append(entries[i].Notes, "Left out: "+lost.Text)
		}
	}
	return entries
}
