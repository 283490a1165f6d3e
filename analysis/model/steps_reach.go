package model

import "slices"

// Unreachable returns the steps that neither the entry, nor a transition of a step that is reached,
// nor a digression leads to. It is nil if nobody can tell: some target is no step or known at run
// time only, a step that is reached reasons, or one that is not the last says nothing of how it
// goes on.
func (f *Flow) Unreachable() []Step {
	if !f.Complete || !f.settled() {
		return nil
	}
	w := flowWalk{flow: f, reached: make([]bool, len(f.Steps)), last: f.last()}
	if !w.start() {
		return nil
	}
	for len(w.queue) > 0 {
		next := w.queue[0]
		w.queue = w.queue[1:]
		if !w.step(next) {
			return nil
		}
	}
	var out []Step
	for i, s := range f.Steps {
		if !w.reached[i] && s.Form == BlockStep && f.first[s.Name] == i {
			out = append(out, s)
		}
	}
	return out
}

// settled reports whether everything in the flow leads to a step, or out of it.
func (f *Flow) settled() bool {
	for _, t := range f.Targets() {
		_, known := f.first[t.Name]
		if !known && (t.Kind == ToStep || t.Kind == Computed) {
			return false
		}
	}
	return true
}

// last returns the step after which no other one follows, -1 where the list and the text have two.
func (f *Flow) last() int {
	last := -1
	for i, s := range f.Steps {
		if s.Form != ChainedStep {
			last = i
		}
	}
	for _, t := range slices.Backward(f.listed()) {
		if listed, ok := f.first[t.Name]; ok {
			if listed != last {
				return -1
			}
			break
		}
	}
	return last
}

// listed returns the names under `steps:` and the steps that are there, in the order of the text.
func (f *Flow) listed() []Target {
	all := slices.Clone(f.List)
	for _, s := range f.Steps {
		if s.Listed {
			all = append(all, Target{Span: s.NameSpan, Name: s.Name})
		}
	}
	slices.SortStableFunc(all, func(a, b Target) int { return a.Span.Start - b.Span.Start })
	return all
}

// flowWalk goes through a flow from step to step.
type flowWalk struct {
	flow    *Flow
	reached []bool
	queue   []int
	last    int
}

// start reaches the entry and what may begin at any time.
func (w *flowWalk) start() bool {
	f := w.flow
	listed := f.listed()
	switch {
	case f.Entry != nil:
		w.reach(*f.Entry)
	case len(listed) > len(f.List): // steps are in the list, and perhaps above it
		w.add(0)
		w.reach(listed[0])
	case len(listed) > 0:
		w.reach(listed[0])
	case len(f.Steps) > 0:
		w.add(0)
	}
	if len(w.queue) == 0 {
		return false
	}
	for _, t := range f.Digressions {
		w.reach(t)
	}
	for _, t := range f.OutsideTargets {
		w.reach(t)
	}
	for _, s := range f.Steps {
		for _, t := range s.Targets {
			if t.Digression {
				w.reach(t)
			}
		}
	}
	return true
}

func (w *flowWalk) reach(t Target) {
	if i, ok := w.flow.first[t.Name]; ok {
		w.add(i)
	}
}

func (w *flowWalk) add(i int) {
	if !w.reached[i] {
		w.reached[i] = true
		w.queue = append(w.queue, i)
	}
}

// step reaches what a step leads to; false if nobody can tell.
func (w *flowWalk) step(i int) bool {
	s := w.flow.Steps[i]
	if s.Reasoning == ReasoningOn || s.Reasoning == ReasoningDynamic {
		return false
	}
	goesOn := false
	for _, t := range s.Targets {
		w.reach(t)
		_, known := w.flow.first[t.Name]
		goesOn = goesOn || !t.Exceptional && (known || t.Kind != MayBeStep)
		if t.Kind == Continues && !known && i+1 < len(w.flow.Steps) {
			w.add(i + 1)
		}
	}
	return goesOn || i == w.last
}
