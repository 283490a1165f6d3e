package executor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// gate stops what is blocked or denied, and what a person has yet to allow or to
// confirm.
func gate(ctx context.Context, r *run, next handler) (Result, error) {
	g := r.toolGate()
	if g == tool.Blocked {
		return Result{}, blockedError(r.req.Tool)
	}
	if err := r.checkPermissions(); err != nil {
		return Result{}, err
	}
	confirmed, err := r.isConfirmed()
	if err != nil {
		return Result{}, err
	}
	r.call.Confirmed = confirmed
	if !r.call.Confirmed && (g != tool.Safe || r.destroys() || r.whyUnjailed() != "") {
		return Result{}, r.requestConfirmation()
	}
	if why := r.whyUnjailed(); why != "" {
		r.warn("%s runs without a jail, as a process like any other: %s", r.req.Tool.Outside(), why)
	}
	result, err := next(ctx, r)
	if errors.Is(err, ErrUnconfirmed) {
		r.envelope.Attempts = r.envelope.Attempts[:0] // none was made
		return Result{}, r.requestConfirmation()
	}
	return result, err
}

// toolGate is what the tool itself says of its gate.
func (r *run) toolGate() tool.Gate {
	if r.req.Environment.Protected {
		return r.gatedTool().ProtectedGate()
	}
	return r.gatedTool().Gate()
}

func blockedError(t *tool.Tool) error {
	return Errorf(KindDenied, "blocked", "%s is blocked: it says `%s`", t.Name, whyBlocked(t))
}

// destroys reports whether the other side has said that a call destroys
// something. What it says may raise the gate, and never lowers it.
func (r *run) destroys() bool {
	d, ok := r.runner.(Destroyer)
	return ok && d.Destroys(r.call) || r.verification != nil && r.verification.destroys()
}

// whyUnjailed says why nothing bounds what the call, or the call that verifies it, can
// do. It is "" if something does.
func (r *run) whyUnjailed() string {
	if r.reach.Unjailed == "" && r.verification != nil {
		return r.verification.reach.Unjailed
	}
	return r.reach.Unjailed
}

// isConfirmed reports whether a person has confirmed the call.
func (r *run) isConfirmed() (bool, error) {
	if r.req.Yes || r.req.Confirm == "" {
		return r.req.Yes, nil
	}
	digest, _, err := r.executor.confirmations.digest(r.callHash())
	return r.req.Confirm == digest, err
}

// requestConfirmation returns the error that asks for the confirmation. It returns
// another error if used confirmations cannot be stored.
func (r *run) requestConfirmation() error {
	if err := r.executor.confirmations.checkWritable(); err != nil {
		return err
	}
	digest, _, err := r.executor.confirmations.digest(r.callHash())
	if err != nil {
		return err
	}
	return needsError(Needs{Confirmation: &Confirmation{Summary: r.confirmationSummary(), Digest: digest}},
		"confirmation", "%s must be confirmed before it runs", r.req.Tool.Outside()).
		WithHint("Look at the request, then run it again with --yes (in an editor: confirm).")
}

func whyBlocked(t *tool.Tool) string {
	if t.Enabled.Is(false) {
		return "enabled: false"
	}
	return "risk_level: blocked"
}

// confirmationSummary says in one line what is to be confirmed.
func (r *run) confirmationSummary() string {
	t, env := r.gatedTool(), r.req.Environment
	args := make([]string, 0, len(r.call.Scope.Params))
	for _, name := range r.call.Scope.Params {
		if v, ok := r.call.Scope.Args[name]; ok {
			args = append(args, name+": "+Shorten(string(encode(v)), 80))
		}
	}
	s := fmt.Sprintf("Run %s(%s)", t.Outside(), strings.Join(args, ", "))
	if r.reverts != "" {
		s = fmt.Sprintf("Revert the run %s of %s, with (%s)", r.reverts, t.Outside(), strings.Join(args, ", "))
	}
	if env.Name != "" {
		s += " in " + env.Name
	}
	s += "?" + r.describeEffects(t)
	if why := r.whyUnjailed(); why != "" {
		s += " It runs without a jail, as a process like any other: " + why + "."
	}
	if without := r.uncoveredByConfirmation(); len(without) > 0 {
		s += " What is confirmed does not cover " + strings.Join(without, ", ") + "."
	}
	return s
}

// describeEffects says what is known of the effects of a call.
func (r *run) describeEffects(t *tool.Tool) string {
	m := t.Mutates()
	switch {
	case r.destroys():
		return " The other side says that it destroys something."
	case m == nil:
		return " It may change something."
	case *m:
		return " It changes something."
	}
	return ""
}

// callHash is a hash of the call that is confirmed: of the tool, its binding with the
// values of the environment and the session in it, the content of the files that it runs,
// the arguments, or the immutable ones of them, and for whom it is made. Maps encode with
// their names sorted.
func (r *run) callHash() string {
	t, env := r.req.Tool, r.req.Environment
	parts := map[string]any{
		"tool":        []string{t.Namespace, t.Name, t.Version, string(t.Kind)},
		"binding":     r.resolvedBinding(),
		"environment": []any{env.Name, env.Protected},
		"context":     tool.Object(r.call.SessionValues),
		"args":        r.immutableArgs(),
		"verify":      t.Verify,
		"reverts":     r.reverts,
	}
	if why := r.whyUnjailed(); why != "" {
		parts["unjailed"] = why
	}
	if programs := r.localPrograms(); len(programs) > 0 {
		parts["programs"] = contentHashes(programs)
	}
	if r.identity != nil {
		parts["identity"] = r.identity
	}
	sum := sha256.Sum256(encode(parts))
	return hex.EncodeToString(sum[:])
}

// immutableArgs returns the arguments that immutable_params names, or all if it names
// none.
func (r *run) immutableArgs() map[string]any {
	args, c := r.call.Scope.Args, r.req.Tool.Confirmation
	if c == nil || !slices.ContainsFunc(c.ImmutableParams, r.call.Scope.Declared) {
		return args
	}
	out := map[string]any{}
	for _, name := range c.ImmutableParams {
		if v, ok := args[name]; ok {
			out[name] = v
		}
	}
	return out
}

// resolvedBinding is the binding, with what the project says of it,
// and all filled in but arguments and secrets.
func (r *run) resolvedBinding() string {
	binding := encode([]any{r.call.Tool.Spec, r.req.Environment.BaseURL, r.req.Environment.Credentials, r.reach.Project})
	text, _ := placeholder.Fill(string(binding), false, func(p placeholder.Place) (string, error) {
		v, err := r.call.Scope.Lookup(p.Name)
		if err != nil || v.Source == template.Argument || v.Source == template.Secret {
			return "{{" + p.Name + "}}", nil //nolint:nilerr // what names nothing stays as it is
		}
		return v.JSON(), nil
	})
	return text
}
