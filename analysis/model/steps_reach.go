package model

import "slices"

// Unreachable returns the steps that neither the entry, nor a transition of a reached step, nor a
// digression leads to. It is nil if this cannot be decided: a target is no step or is known at run
// time only, a reached step reasons, or a step before the last one does not say how it goes on.
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

// settled reports whether every target in the flow leads to a step, or out of the flow.
func (f *Flow) settled() bool {
	for _, t := range f.Targets() {
		_, known := f.first[t.Name]
		if !known && (t.Kind == ToStep || t.Kind == Computed) {
			return false
		}
	}
	return true
}

// last returns the index of the last step of the flow, after which there is no other one; -1 if
// `steps:` and the text do not agree on it, or there are no steps.
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

// listed returns the names under `steps:` and the steps that are written there, in the order of the
// text.
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

// start reaches the entry and what may begin at any time. It returns false if this cannot be
// decided.
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

// step reaches the targets of a step. It returns false if this cannot be decided.
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
