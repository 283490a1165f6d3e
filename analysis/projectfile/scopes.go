package projectfile

import "github.com/abl-lsp/abl-lsp/syntax/yaml"

// ScopedTool is a key of `scopes`: the name of a tool.
type ScopedTool struct {
	Name string
	Line int // counted from 1
}

// ScopedTools returns the keys of `scopes`, of the top level and of each environment.
func ScopedTools(d *yaml.Document) []ScopedTool {
	found := scopedIn(d, d.Root())
	for _, m := range members(d.Root().Get(Environments)) {
		found = append(found, scopedIn(d, m.Value)...)
	}
	return found
}

func scopedIn(d *yaml.Document, n *yaml.Node) (found []ScopedTool) {
	scopes := n.Get("scopes")
	if scopes == nil {
		return nil
	}
	for _, m := range scopes.Members {
		found = append(found, ScopedTool{m.Key.Text, d.Lines().Line(m.Key.Span.Start) + 1})
	}
	return found
}
