package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Target is what a transition, `entry_point` or a name under `steps:` leads to.
type Target struct {
	Span text.Span // of the name, without quotes; of the key if no name is written
	Name string    // as written; a step may have any word for its name
	Kind TargetKind
	Key  string // the key above it, in upper case; [Arrow] in a chain

	// Exceptional says that the flow goes there only if something goes wrong or interrupts it: an
	// error, a failed check, a digression.
	Exceptional bool
	Digression  bool

	// FailedRule says that it is the GOTO below the ON_FAIL of a rule of CONSTRAINTS.
	FailedRule bool
}

// TargetKind is what a target can be if no step has its name.
type TargetKind int

// The kinds of targets.
const (
	ToStep     TargetKind = iota // nothing but a step
	MayBeStep                    // a step, or a word that the key takes
	LeavesStep                   // the step is left or repeated: COMPLETE, HANDOFF Agent, RETRY, …
	Continues                    // CONTINUE
	Computed                     // it is known at run time only
)

// Arrow is the key of a name after `->`.
const Arrow = "->"

func (t Target) shift(offset int) Target {
	t.Span = t.Span.Shift(offset)
	return t
}

func shifted(targets []Target, offset int) []Target {
	out := make([]Target, len(targets))
	for i, t := range targets {
		out[i] = t.shift(offset)
	}
	return out
}

// transitionKeys lead to a step. The kind says what else they may have.
var transitionKeys = map[string]TargetKind{
	"THEN": ToStep, "GOTO": ToStep, "TRANSITION": ToStep, "BACKTRACK_TO": ToStep,
	"ON_FAIL": ToStep, "ON_FAILURE": ToStep, "ON_EXHAUSTED": ToStep,
	"ON_TIMEOUT": MayBeStep, "ON_CANCEL": MayBeStep, "ON_SUCCESS": MayBeStep, "ON_INPUT": MayBeStep, "ON_RESULT": MayBeStep, "RESUME": MayBeStep,
}

// exceptionalKeys are transitions, or contain some, that are not the ordinary way through a flow.
var exceptionalKeys = []string{
	"ON_ERROR", "ON_FAIL", "ON_FAILURE", "ON_EXHAUSTED", "ON_TIMEOUT", "ON_CANCEL", "BACKTRACK_TO",
	"DIGRESSIONS", "SUB_INTENTS", "STEP_CONSTRAINTS",
}

// LeavingWords end or repeat a step.
var LeavingWords = []string{
	"COMPLETE", "ESCALATE", "HANDOFF", "DELEGATE", "RETURN", "END", "RETRY", "RETRY_STEP", "BACKTRACK", "BLOCK", "RESPOND",
}

// TargetWords returns the words of the language that a transition may have instead of a step.
func TargetWords() []string { return []string{"COMPLETE", "ESCALATE", "CONTINUE", "HANDOFF"} }

var (
	isStepName = lazyregexp.New(`^[\pL_][\pL\pN_-]*$`).MatchString
	// IsUpperWord reports whether a word is in capitals.
	IsUpperWord = lazyregexp.New(`^[A-Z][A-Z0-9_]*$`).MatchString
)

// targetOf reads the value of a key that has a target.
func targetOf(key string, kind TargetKind, v syntax.Node) Target {
	w := UnquotedWord(v)
	t := Target{Span: w.Span, Name: w.Text, Kind: targetKind(w.Text, kind), Key: key}
	switch v.Kind() {
	case syntax.List, syntax.Map, syntax.PipeBlock:
		t.Kind = Computed
	}
	if key == "THEN" && w.Text == "retry" { // a word of constraints alone
		t.Kind = kind
	}
	return t
}

// MeansStep reports whether a target can be nothing but the name of a step.
func MeansStep(target string) bool { return targetKind(target, ToStep) == ToStep }

func targetKind(s string, kind TargetKind) TargetKind {
	first, rest, _ := strings.Cut(s, " ")
	word := strings.ToUpper(strings.TrimRight(first, ":"))
	switch {
	case slices.Contains(LeavingWords, word):
		return LeavesStep
	case word == "CONTINUE":
		return Continues
	case rest == "" && isStepName(s) && !IsUpperWord(s):
		return kind
	}
	return Computed
}
