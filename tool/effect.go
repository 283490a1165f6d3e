package tool

// Gate says what must happen before a run.
type Gate string

// The gates, from the loosest to the strictest.
const (
	Safe    Gate = "safe"    // runs at once
	Confirm Gate = "confirm" // a person is asked first
	Blocked Gate = "blocked" // never runs
)

// effect says whether running a tool changes something outside.
type effect int

// The effects, from the least to the greatest. If a tool declares several, the greatest applies.
const (
	undeclared effect = iota
	reads
	unknown
	writes
)

// An effector is a Spec that knows whether running it changes something.
type effector interface{ mutates() bool }

// Mutates reports whether a run changes something; nil if that is unknown. The author's declaration
// takes precedence over what the binding suggests.
func (t Tool) Mutates() *bool {
	e := t.declared()
	if e == undeclared {
		e = derived(t.Spec)
		if t.Verify != nil && t.Verify.Spec != nil {
			e = max(e, derived(t.Verify.Spec))
		}
	}
	switch e {
	case reads:
		return new(false)
	case writes:
		return new(true)
	}
	return nil
}

// MayMutate reports whether a run changes something or might do so.
func (t Tool) MayMutate() bool {
	mutates := t.Mutates()
	return mutates == nil || *mutates
}

// declared returns the greatest effect that the tool's own properties declare.
func (t Tool) declared() effect {
	e := max(t.Hints.SideEffects.effect(), t.Mutation.effect())
	switch t.Effect {
	case "read_only":
		e = max(e, reads)
	case "state_write", "side_effect":
		e = max(e, writes)
	}
	if t.RiskLevel == "safe" || t.requires() == "never" {
		e = max(e, reads)
	}
	return e
}

// effect returns the effect that a flag such as side_effects declares.
func (f Flag) effect() effect {
	switch {
	case f.Is(true):
		return writes
	case f.Is(false):
		return reads
	case f != "":
		return unknown
	}
	return undeclared
}

func derived(s Spec) effect {
	e, ok := s.(effector)
	switch {
	case !ok:
		return unknown
	case e.mutates():
		return writes
	}
	return reads
}

// Gate returns the gate that follows from the tool's declarations and its binding. Permissions
// and the environment may be stricter; see [Tool.ProtectedGate].
func (t Tool) Gate() Gate {
	mutates := t.Mutates()
	switch {
	case t.RiskLevel == "blocked", t.Enabled.Is(false):
		return Blocked
	case t.RiskLevel == "confirm", t.requires() == "always", t.wantsConsent():
		return Confirm
	case t.requires() == "never", mutates != nil && !*mutates:
		return Safe
	}
	return Confirm
}

// ProtectedGate returns the gate in a protected environment, where `require: never` has no effect.
func (t Tool) ProtectedGate() Gate {
	if t.requires() == "never" {
		t.Confirmation = nil
	}
	return t.Gate()
}

// wantsConsent reports whether the user must have agreed, in the conversation or by a question.
// Outside a conversation only the question is possible.
func (t Tool) wantsConsent() bool {
	return t.Confirmation != nil && t.Confirmation.ConsentRequiredIn != ""
}

func (t Tool) requires() string {
	if t.Confirmation == nil {
		return ""
	}
	return t.Confirmation.Require
}
