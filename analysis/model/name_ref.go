package model

import (
	"iter"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// NameRef is a word of an entry that names something: it uses it, gives it a value or
// declares it. Nothing says that what is used exists. What declares a tool, one of its
// parameters or a step is not among them, nor is what an import says.
type NameRef struct {
	Span   text.Span // in the file
	Name   string
	Kind   NameRefKind
	Owner  string // of an argument the tool that is called, of a name in abl.yaml its table, of one that a section declares that section, of a misspelled namespace the right one
	Access Access
	Remote bool // of an OfAgent: it is no agent of the workspace
}

// NameRefKind is what is named.
type NameRefKind int

// The kinds of names.
const (
	OfTool       NameRefKind = iota // a tool that the file can name
	OfParam                         // a parameter of the tool around it
	OfArgument                      // a parameter of the tool that is called
	OfNamespace                     // what comes before the dot in {{secrets.X}}
	OfMisspelled                    // what is one slip away from a namespace there, in any text
	OfStep                          // a step of the flow
	OfTarget                        // likewise, or a word that a transition takes
	OfVariable                      // a variable of the session
	OfTemplate                      // a template of the file
	OfSecret                        // a secret of the project
	OfProject                       // a name in a table of abl.yaml
	OfAgent                         // an agent or a supervisor
	OfProfile                       // a behaviour profile
	OfNamed                         // what a section of the file declares: a message, a handler, …
	OfRoute                         // an agent, or a supervisor's name for one
)

// NameRefs are the names in one entry of the file, in no order.
func (f *File) NameRefs(e syntax.Placed) iter.Seq[NameRef] {
	return func(yield func(NameRef) bool) {
		for _, r := range f.NameRefsIn(e.Entry) {
			r.Span = r.Span.Shift(e.Offset)
			if !yield(r) {
				return
			}
		}
	}
}

// NameRefsIn are those of an entry with spans relative to it. The slice is shared.
func (f *File) NameRefsIn(e *syntax.Entry) []NameRef { return f.summary(e).names().refs }

// AllNameRefs are those of all entries of the file, in the order of these, each with the
// section around it.
func (f *File) AllNameRefs() iter.Seq2[syntax.Section, NameRef] {
	return func(yield func(syntax.Section, NameRef) bool) {
		for s, e := range f.Doc.Entries() {
			for _, r := range f.NameRefsIn(e.Entry) {
				r.Span = r.Span.Shift(e.Offset)
				if !yield(s, r) {
					return
				}
			}
		}
	}
}

// AgentRefs are the places of the file that use the name of an agent, each with the name
// of the section around it for an owner.
func (f *File) AgentRefs() iter.Seq[NameRef] {
	return func(yield func(NameRef) bool) {
		if f.Kind == YAML {
			return
		}
		for s, r := range f.AllNameRefs() {
			if r.Access == Reads && (r.Kind == OfAgent || r.Kind == OfRoute) {
				r.Owner = s.Name()
				if !yield(r) {
					return
				}
			}
		}
	}
}
