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

// gate stops a call that is blocked or denied, and a call that the person must still allow or
// confirm.
func gate(ctx context.Context, r *run, next handler) (Result, error) {
	g := r.toolGate()
	if g == tool.Blocked {
		return Result{}, blockedError(r.req.Tool)
	}
	if err := r.checkPermissions(); err != nil {
		return Result{}, err
	}
	confirmed, err := r.isConfirmed(ctx)
	if err != nil {
		return Result{}, err
	}
	r.call.Confirmed = confirmed
	if !r.call.Confirmed && (g != tool.Safe || r.destroys() || r.whyUnjailed() != "") {
		return Result{}, r.requestConfirmation(ctx)
	}
	if why := r.whyUnjailed(); why != "" {
		r.warn("%s runs without a jail, as a process like any other: %s", r.req.Tool.QualifiedName(), why)
	}
	result, err := next(ctx, r)
	if errors.Is(err, ErrUnconfirmed) {
		r.envelope.Attempts = r.envelope.Attempts[:0] // none was made
		return Result{}, r.requestConfirmation(ctx)
	}
	return result, err
}

// toolGate returns the gate that the tool declares in this environment.
func (r *run) toolGate() tool.Gate {
	if r.req.Environment.Protected {
		return r.gatedTool().ProtectedGate()
	}
	return r.gatedTool().Gate()
}

func blockedError(t *tool.Tool) error {
	return Errorf(KindDenied, "blocked", "%s is blocked: it says `%s`", t.Name, whyBlocked(t))
}

// destroys reports whether the other side declares that the call, or its verification, destroys
// something. This can make a confirmation necessary; it never makes one unnecessary.
func (r *run) destroys() bool {
	d, ok := r.runner.(Destroyer)
	return ok && d.Destroys(r.call) || r.verification != nil && r.verification.destroys()
}

// whyUnjailed says why no jail limits what the call, or the call that verifies it, can do. It
// is "" if a jail does.
func (r *run) whyUnjailed() string {
	if r.reach.Unjailed == "" && r.verification != nil {
		return r.verification.reach.Unjailed
	}
	return r.reach.Unjailed
}

// isConfirmed reports whether the person has confirmed the call: by [Request.Yes], or by a digest
// that confirms this call now. It returns an error if used confirmations cannot be read.
func (r *run) isConfirmed(ctx context.Context) (bool, error) {
	if r.req.Yes || r.req.Confirm == "" {
		return r.req.Yes, nil
	}
	digest, _, err := r.executor.confirmations.digest(ctx, r.callHash())
	return r.req.Confirm == digest, err
}

// requestConfirmation returns the error that asks the person to confirm the call. It returns
// another error if used confirmations cannot be stored.
func (r *run) requestConfirmation(ctx context.Context) error {
	if err := r.executor.confirmations.checkWritable(ctx); err != nil {
		return err
	}
	digest, _, err := r.executor.confirmations.digest(ctx, r.callHash())
	if err != nil {
		return err
	}
	return needsError(Needs{Confirmation: &Confirmation{Summary: r.confirmationSummary(), Digest: digest}},
		"confirmation", "%s must be confirmed before it runs", r.req.Tool.QualifiedName()).
		WithHint("Look at the request, then run it again with --yes (in an editor: confirm).")
}

func whyBlocked(t *tool.Tool) string {
	if t.Enabled.Is(false) {
		return "enabled: false"
	}
	return "risk_level: blocked"
}

// confirmationSummary describes in one line the call that is to be confirmed.
func (r *run) confirmationSummary() string {
	t, env := r.gatedTool(), r.req.Environment
	args := make([]string, 0, len(r.call.Scope.Params))
	for _, name := range r.call.Scope.Params {
		if v, ok := r.call.Scope.Args[name]; ok {
			args = append(args, name+": "+Shorten(string(encode(v)), 80))
		}
	}
	s := fmt.Sprintf("Run %s(%s)", t.QualifiedName(), strings.Join(args, ", "))
	if r.reverts != "" {
		s = fmt.Sprintf("Revert the run %s of %s, with (%s)", r.reverts, t.QualifiedName(), strings.Join(args, ", "))
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

// describeEffects returns a sentence about the known effects of a call. It is "" if the call
// changes nothing.
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

// callHash returns a hash of everything that a confirmation covers: the tool, its binding with
// the values of the environment and the session, the content of the files that it runs, the
// arguments of [run.immutableArgs], and the person for whom the call is made. Maps encode with
// sorted keys.
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

// immutableArgs returns the arguments that immutable_params names, or all arguments if it names
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

// resolvedBinding returns the binding and the project's settings for it as JSON text. All
// placeholders except arguments and secrets are filled in.
func (r *run) resolvedBinding() string {
	binding := encode([]any{r.call.Tool.Spec, r.req.Environment.BaseURL, r.req.Environment.Credentials, r.reach.Project})
	text, _ := placeholder.Fill(string(binding), false, func(p placeholder.Lookup) (string, error) {
		v, err := r.call.Scope.Lookup(p.Name)
		if err != nil || v.Source == template.Argument || v.Source == template.Secret {
			return "{{" + p.Name + "}}", nil //nolint:nilerr // an unknown name stays as it is
		}
		return v.JSON(), nil
	})
	return text
}
