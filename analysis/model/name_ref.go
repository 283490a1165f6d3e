package model

import (
	"context"
	"iter"
	"slices"

	"github.com/abl-lsp/abl-lsp/internal/parallel"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// NameRef is a word of an entry that names something: it uses it, gives it a value or declares it.
// What is used need not exist. The declarations of tools, of their parameters and of steps are not
// among them, nor are the names in imports.
type NameRef struct {
	Span   text.Span // in the file
	Name   string
	Kind   NameRefKind
	Owner  string // of an argument the tool that is called, of a name in abl.yaml its table, of one that a section declares that section, of a misspelled namespace the right one
	Access Access
	Remote bool // of an AgentRef: the agent is outside the workspace
}

// NameRefKind is the kind of thing that is named.
type NameRefKind int

// The kinds of names.
const (
	ToolRef                NameRefKind = iota // a tool that the file can name
	ParameterRef                              // a parameter of the tool around it
	ArgumentRef                               // a parameter of the tool that is called
	NamespaceRef                              // what comes before the dot in {{secrets.X}}
	MisspelledNamespaceRef                    // a word that is one typing slip away from a namespace, in any text
	StepRef                                   // a step of the flow
	TargetRef                                 // likewise, or another word that a transition takes
	VariableRef                               // a variable of the session
	TemplateRef                               // a template of the file
	SecretRef                                 // a secret of the project
	ProjectEntryRef                           // an entry in a table of abl.yaml
	AgentRef                                  // an agent or a supervisor
	ProfileRef                                // a behaviour profile
	SectionEntryRef                           // an entry that a section of the file declares: a message, a handler, …
	RouteRef                                  // an agent, or a supervisor's name for one
)

// kindSet is a set of kinds of names, one bit each.
type kindSet uint32

func setOfKinds(kinds ...NameRefKind) (set kindSet) {
	for _, kind := range kinds {
		set |= 1 << kind
	}
	return set
}

// NameRefs returns the names in one entry of the file, in no order.
func (f *File) NameRefs(e syntax.PositionedEntry) iter.Seq[NameRef] {
	return func(yield func(NameRef) bool) {
		for _, r := range f.NameRefsIn(e) {
			r.Span = r.Span.Shift(e.Offset)
			if !yield(r) {
				return
			}
		}
	}
}

// NameRefsIn returns the names in an entry, with spans relative to it. The slice is shared: do not
// change it.
func (f *File) NameRefsIn(e syntax.PositionedEntry) []NameRef { return f.summary(e).names().refs }

// NameRefsOf returns the names of some kinds in all entries of the file, in the order of the
// entries, each with the name of the section around it. It is cheap if the file has none.
func (f *File) NameRefsOf(kinds ...NameRefKind) iter.Seq2[string, NameRef] {
	wanted := setOfKinds(kinds...)
	return func(yield func(string, NameRef) bool) {
		if f.namedKinds == nil || f.namedKinds()&wanted == 0 {
			return
		}
		for _, s := range f.summaries {
			names := s.names()
			if names.kinds&wanted == 0 {
				continue
			}
			for _, r := range names.refs {
				r.Span = r.Span.Shift(s.offset)
				if setOfKinds(r.Kind)&wanted != 0 && !yield(s.section, r) {
					return
				}
			}
		}
	}
}

// readNamedKinds reads the names of all entries and returns their kinds. It uses all processors if
// there are many entries.
func readNamedKinds(f *File) (all kindSet) {
	const atOnce = 64
	some := slices.Collect(slices.Chunk(f.summaries, atOnce))
	parallel.Each(context.Background(), len(some), func(i int) {
		for _, s := range some[i] {
			s.names()
		}
	})
	for _, s := range f.summaries {
		all |= s.names().kinds
	}
	return all
}

// AgentRefs returns the places of the file that name an agent. The Owner of each is the name of the
// section around it.
func (f *File) AgentRefs() iter.Seq[NameRef] {
	return func(yield func(NameRef) bool) {
		if f.Kind == YAML {
			return
		}
		for section, r := range f.NameRefsOf(AgentRef, RouteRef) {
			if r.Access == Reads {
				r.Owner = section
				if !yield(r) {
					return
				}
			}
		}
	}
}
