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

// nameRule checks the names of tools by the rule of one format, and that each name occurs only once.
type nameRule struct {
	pattern     *regexp.Regexp
	description string
	taken       map[string]bool
}

// claimName reports whether t can be called by its qualified name, and takes that name. If it
// cannot, claimName records in w why the tool is lost.
func (n *nameRule) claimName(w *foreign.WriteResult, t tool.Tool) bool {
	name := t.QualifiedName()
	if !n.pattern.MatchString(name) {
		w.ReportLoss(name, "the whole tool, since a name has %s", n.description)
		return false
	}
	return !w.IsDuplicate(t, n.taken)
}

// argumentSchema returns the schema of a caller's arguments. It adds `type: object` at the top if
// no type is given there, because clients look for it. It does not if a reference leads to another
// type.
func argumentSchema(t tool.Tool) tool.Object {
	n := schema.Read(t.WithFreeFormParam().ArgumentSchema())
	o, _ := n.Value().(tool.Object)
	if of := schema.ResolveRoot(n).Get("type"); !n.Has("type") && (!of.IsSet() || of.Text == "object") {
		o = append(tool.Object{{Name: "type", Value: "object"}}, o...)
	}
	return o
}
