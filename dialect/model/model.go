// Package model writes tools as models are shown them: in the list that an MCP
// server answers with, and as OpenAI's functions.
//
// A model sees what it can call and give, and nothing of how that runs. Tools that
// never run are left out, and so are parameters that are not the caller's.
package model

import (
	"regexp"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/tool"
)

// nameRule are those that a form takes.
type nameRule struct {
	pattern     *regexp.Regexp
	description string
	taken       map[string]bool
}

// claimName reports whether a tool can be called by its outside name, and says where it
// cannot.
func (n *nameRule) claimName(w *foreign.WriteResult, t tool.Tool) bool {
	name := t.Outside()
	if !n.pattern.MatchString(name) {
		w.ReportLoss(name, "the whole tool, since a name has %s", n.description)
		return false
	}
	return !w.IsDuplicate(t, n.taken)
}

// argumentSchema is the schema of what a caller gives: an object, as one that says no type says
// at its top, where clients look. One that refers to a part of itself may be of another.
func argumentSchema(t tool.Tool) tool.Object {
	n := schema.Read(t.WithFreeFormParam().ArgumentSchema())
	o, _ := n.Value().(tool.Object)
	if of := schema.ResolveRoot(n).Get("type"); !n.Has("type") && (!of.IsSet() || of.Text == "object") {
		o = append(tool.Object{{Name: "type", Value: "object"}}, o...)
	}
	return o
}
