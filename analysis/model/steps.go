package model

import (
	"maps"
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Flow is the flow of one agent, over all of its FLOW sections: its steps, and the targets that
// lead from one to another.
type Flow struct {
	Steps []Step   // in the order of the text, then those that appear in a chain only
	Entry *Target  // of `entry_point`, nil if none is written
	List  []Target // the names under `steps:`

	// Digressions are the targets of `global_digressions`.
	Digressions []Target

	// OutsideTargets are the targets in other sections, such as those of action handlers, that may
	// lead to a step.
	OutsideTargets []Target

	// Complete is false if a line of the flow has no known form, since it may be a step, and if
	// something that is unique appears twice.
	Complete bool

	// UnknownWords are the words of lines that have no known form. Each may be the name of a step.
	UnknownWords map[string]bool

	first map[string]int // the index of the first step of a name
}

// Step is one step of a flow.
type Step struct {
	PositionedNode // a pair, a step, or the item of a list
	Name           string
	NameSpan       text.Span
	Form           StepForm
	Listed         bool // it is below `steps:`
	Reasoning      Reasoning
	Targets        []Target
}

// Full returns the span of the whole step; that of its name if it appears in a chain only.
func (s *Step) Full() text.Span {
	if s.Form == ChainedStep {
		return s.NameSpan
	}
	return s.Span()
}

// Markdown says what the step does and where it leads.
func (s *Step) Markdown() string {
	how := map[Reasoning]string{
		ReasoningOff: " · runs as it is written", ReasoningOn: " · the model decides",
	}[s.Reasoning]
	var to []string
	for _, t := range s.Targets {
		if t.Kind != MayBeStep && t.Name != "" && !slices.Contains(to, t.Name) {
			to = append(to, t.Name)
		}
	}
	if len(to) == 0 {
		return "**" + s.Name + "** · step" + how
	}
	return "**" + s.Name + "** · step" + how + "\n\nLeads to " + QuotedNames(to) + "."
}

// StepForm is the syntax in which a step is written.
type StepForm int

// The forms of a step.
const (
	BlockStep   StepForm = iota // with its lines
	EmptyStep                   // a key with nothing below it yet
	ChainedStep                 // only a name in `a -> b`
)

// Reasoning is the value of a step's REASONING.
type Reasoning int

// The values. ReasoningDynamic is known at run time only.
const (
	ReasoningUnspecified Reasoning = iota
	ReasoningOff
	ReasoningOn
	ReasoningDynamic
)

// Step returns the first step of that name. The second result is false if there is none.
func (f *Flow) Step(name string) (Step, bool) {
	i, ok := f.first[name]
	if !ok {
		return Step{}, false
	}
	return f.Steps[i], true
}

// Names returns the names of the steps, each once, in the order of the text.
func (f *Flow) Names() []string {
	names := make([]string, 0, len(f.Steps))
	for i, s := range f.Steps {
		if f.first[s.Name] == i {
			names = append(names, s.Name)
		}
	}
	return names
}

// Targets returns everything that names a step or leads somewhere: the entry, the list, the
// transitions.
func (f *Flow) Targets() []Target {
	var all []Target
	if f.Entry != nil {
		all = append(all, *f.Entry)
	}
	all = slices.Concat(all, f.List, f.Digressions)
	for i := range f.Steps {
		all = append(all, f.Steps[i].Targets...)
	}
	return all
}

// MayReason reports whether the model may choose what to call: a step reasons, or does not declare
// that it does not.
func (f *Flow) MayReason() bool {
	return slices.ContainsFunc(f.Steps, func(s Step) bool { return s.Reasoning != ReasoningOff })
}

// IsFlow reports whether a section contains steps.
func IsFlow(section string) bool { return section == "FLOW" || section == "STEPS" }

// readFlow combines the entries of FLOW in these sections; it returns nil if there is no such
// section.
func readFlow(f *File, sections []syntax.Section) *Flow {
	flows := 0
	for _, s := range sections {
		if IsFlow(s.Name()) && !s.ContinuesFlow {
			flows++
		}
	}
	if flows == 0 {
		return nil
	}
	flow, chains := &Flow{Complete: flows == 1, UnknownWords: map[string]bool{}, first: map[string]int{}}, []Target(nil)
	for e := range entriesOf(sections) {
		actions := f.summary(e).actions()
		flow.OutsideTargets = append(flow.OutsideTargets, shifted(actions.targets, e.Offset)...)
		if actions.flow != nil {
			flow.addPart(actions.flow, e.Offset)
			chains = append(chains, shifted(actions.flow.chain, e.Offset)...)
		}
	}
	flow.linkChain(chains)
	return flow
}

// addPart adds what p, one entry at an offset of the file, contributes to the flow.
func (f *Flow) addPart(p *flowPart, offset int) {
	f.Complete = f.Complete && p.unknownWords == nil
	maps.Copy(f.UnknownWords, p.unknownWords)
	if p.entry != nil {
		entry := p.entry.shift(offset)
		f.Entry = &entry
	}
	f.List = append(f.List, shifted(p.list, offset)...)
	f.Digressions = append(f.Digressions, shifted(p.digressions, offset)...)
	for _, s := range p.steps {
		s.Offset = offset
		s.NameSpan = s.NameSpan.Shift(offset)
		s.Targets = shifted(s.Targets, offset)
		f.appendStep(s)
	}
}

func (f *Flow) appendStep(s Step) {
	if _, known := f.first[s.Name]; !known {
		f.first[s.Name] = len(f.Steps)
	}
	f.Steps = append(f.Steps, s)
}

// linkChain adds the steps that appear in a chain only, and makes each name of it lead to the next.
func (f *Flow) linkChain(chain []Target) {
	for i, t := range chain {
		_, known := f.first[t.Name]
		if !known && t.Kind == ToStep {
			f.appendStep(Step{Name: t.Name, NameSpan: t.Span, Form: ChainedStep})
		}
		if before := i - 1; t.Key == Arrow && before >= 0 {
			if from, ok := f.first[chain[before].Name]; ok {
				f.Steps[from].Targets = append(f.Steps[from].Targets, t)
			}
		}
		f.List = append(f.List, t)
	}
}
