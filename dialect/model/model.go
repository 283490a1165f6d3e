// Package model writes tools in the form in which models see them: as the list that an MCP server
// returns, and as OpenAI's functions.
//
// A model sees what it can call and pass, and nothing of how that runs. Tools that never run are
// omitted, and so are parameters that the caller does not set.
package model

import (
	"regexp"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/tool"
)

// nameRule is what a form demands of the names of tools.
type nameRule struct {
	pattern     *regexp.Regexp
	description string
	taken       map[string]bool
}

// claimName reports whether a tool can be called by its outside name, and records in w why not.
func (n *nameRule) claimName(w *foreign.WriteResult, t tool.Tool) bool {
	name := t.Outside()
	if !n.pattern.MatchString(name) {
		w.ReportLoss(name, "the whole tool, since a name has %s", n.description)
		return false
	}
	return !w.IsDuplicate(t, n.taken)
}

// argumentSchema is the schema of a tool's arguments. Its top level says `type: object`, where
// clients look for it, unless it refers to a part of itself, which may be of another type.
func argumentSchema(t tool.Tool) tool.Object {
	n := schema.Read(t.WithFreeFormParam().ArgumentSchema())
	o, _ := n.Value().(tool.Object)
	if of := schema.ResolveRoot(n).Get("type"); !n.Has("type") && (!of.IsSet() || of.Text == "object") {
		o = append(tool.Object{{Name: "type", Value: "object"}}, o...)
	}
	return o
}
