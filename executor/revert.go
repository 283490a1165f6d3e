package executor

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/journal"
	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/tool"
)

// revertSteps are the steps of reverting a run, in order.
var revertSteps = []step{
	locateError,
	requireTrust,
	loadOriginalRun, // reads the run to revert from the journal
	findRunner,
	bindStepArguments,
	selectVariant,
	showRequest,
	gate,
	useSecrets,
	prepareRunner,
	claimRevert, // makes sure that it happens only once
	limitCall,
	retry,
	applyBreaker,
	awaitRateLimit,
	useConfirmation,
	makeAttempt,
	runKind,
}

// ErrNoJournal is the error of an Executor that keeps no journal.
var ErrNoJournal = errors.New("no journal of runs is kept here")

// PastRun is the journal's record of a run.
type PastRun = journal.Row

// History returns the runs of the journal, the newest first. A run without arguments has the Args
// {}. The error is [ErrNoJournal] if there is no journal.
func (e *Executor) History() ([]journal.Row, error) {
	if e.journal == nil {
		return nil, ErrNoJournal
	}
	rows, err := e.journal.Rows()
	for i := range rows {
		if len(rows[i].Args) == 0 { // the call had no arguments
			rows[i].Args = json.RawMessage("{}")
		}
	}
	return rows, err
}

// FindRun returns the journal's row of the run with this id. ok is false if there is no such run.
// The error is [ErrNoJournal] if there is no journal.
func (e *Executor) FindRun(id string) (row journal.Row, ok bool, err error) {
	rows, err := e.History()
	i := slices.IndexFunc(rows, func(r journal.Row) bool { return r.Run == id })
	if err != nil || i < 0 {
		return row, false, err
	}
	return rows[i], true, nil
}

// RevertedBy maps the id of each reverted run in rows to the id of the run that first reverted it,
// or first began to. It ignores reverts that failed.
func RevertedBy(rows []journal.Row) map[string]string {
	by := map[string]string{}
	for _, r := range rows {
		if _, known := by[r.Reverts]; r.Reverts != "" && !known {
			if first, ok := firstRevert(rows, r.Reverts); ok {
				by[r.Reverts] = first.Run
			}
		}
	}
	return by
}

// IsRevertible reports whether the run that r records can be reverted. It looks at no other row,
// so the run may have been reverted already.
func IsRevertible(r journal.Row) bool { return r.CanRevert && r.Reverts == "" && tookEffect(r) }

// WhyNotRepeatable says why the call of the run that r records cannot be repeated: the run is a
// revert, or the journal lacks a part of the call. It returns "" if the call can be repeated.
func WhyNotRepeatable(r journal.Row) string {
	if r.Reverts != "" {
		return "it undid the run " + r.Reverts
	}
	if why := whyArgsLost(r); why != "" {
		return "the journal does not have its arguments: " + why
	}
	if r.Session {
		return "the journal does not keep the session variables that it was given"
	}
	return ""
}

// NoSuchRunError returns the error for the id of a run that the journal does not have.
func NoSuchRunError(id string) *Error {
	return Errorf(KindArguments, "no-such-run", "the journal has no run %q", id).
		WithHint("abl-lsp history lists the runs that it has; the oldest go.")
}

// Revert reverts the run of the journal with this id. req is the same as for a run of that tool in
// that environment; its arguments do not matter, since the journal has them.
func (e *Executor) Revert(ctx context.Context, req Request, id string) Envelope {
	return e.runInSpan(ctx, req, func(ctx context.Context) Envelope {
		r := e.newRun(req, time.Now())
		r.reverts = id
		r.envelope.Render = nil
		return r.execute(ctx, chain(revertSteps))
	})
}

// loadOriginalRun reads the run to be reverted from the journal and replaces the tool by the
// one that reverts it. It returns an error if the run cannot be reverted, or if a newer run of
// the same tool must be reverted first.
func loadOriginalRun(ctx context.Context, r *run, next handler) (Result, error) {
	t := r.req.Tool
	if r.executor.journal == nil {
		return Result{}, Errorf(KindDenied, "journal", "%w, so nothing is known of the run", ErrNoJournal)
	}
	rows, err := r.executor.journal.Rows()
	if err != nil {
		return Result{}, Errorf(KindInternal, "journal", "the journal cannot be read: %w", err)
	}
	row, err := findRevertible(rows, r.reverts, t.Version)
	if err != nil {
		return Result{}, err
	}
	if t.Revert == nil {
		return Result{}, Errorf(KindDefinition, "no-revert", "%s has no `revert`, so nothing says how to undo it", t.Name)
	}
	if row.Environment != r.req.Environment.Name {
		return Result{}, Errorf(KindDefinition, "environment", "the run was in %s, and this would be in %s: abl.yaml has changed", environmentName(row.Environment), environmentName(r.req.Environment.Name))
	}
	past, err := originalRunFrom(row, t.Revert)
	if err != nil {
		return Result{}, err
	}
	signedIn := slices.DeleteFunc(slices.Clone(t.Arguments()), func(p tool.Param) bool { return !p.FromSignIn() })
	r.stepContext = &stepContext{name: "revert", step: t.Revert, originalRun: past, signInParams: signedIn}
	r.req.Tool = toolOfStep(t, t.Revert, revertCommon(t))
	r.envelope.Kind = r.req.Tool.Kind
	return next(ctx, r)
}

func environmentName(name string) string { return cmp.Or(name, "no environment") }

// revertCommon returns the common properties of the tool that reverts a run. It always changes
// something and is always confirmed, whatever t declares.
func revertCommon(t *tool.Tool) tool.Common {
	c := tool.Common{
		Hints:        tool.Hints{Timeout: t.Hints.Timeout},
		Confirmation: &tool.Confirmation{Require: "always"},
		Mutation:     "true",
		PIIAccess:    t.PIIAccess,
		StoreResult:  t.StoreResult,
		Enabled:      t.Enabled,
		Permissions:  t.Permissions,
		AuthRequired: t.AuthRequired,
		Extra:        t.Extra,
	}
	if t.RiskLevel == string(tool.Blocked) {
		c.RiskLevel = t.RiskLevel
	}
	if t.Revert.Kind == "" {
		c.InputSchema = t.InputSchema
	}
	return c
}

// findRevertible returns the row of the run with this id. It returns an error if there is no such
// run, if the run cannot be reverted, or if a newer run of the same tool must be reverted first.
// version is the current version of the run's tool.
func findRevertible(rows []journal.Row, id, version string) (journal.Row, error) {
	i := slices.IndexFunc(rows, func(r journal.Row) bool { return r.Run == id })
	if i < 0 {
		return journal.Row{}, NoSuchRunError(id)
	}
	row := rows[i]
	switch {
	case row.Reverts != "":
		return row, Errorf(KindDenied, "not-revertible", "%s is itself the revert of %s", id, row.Reverts)
	case row.OK == nil:
		return row, Errorf(KindDenied, "not-revertible", "how the run %s ended is not known, so it cannot be reverted", id)
	case !tookEffect(row):
		return row, Errorf(KindDenied, "not-revertible", "the run %s failed, so there is nothing to revert", id)
	}
	if by, ok := firstRevert(rows, id); ok {
		return row, alreadyRevertedError(id, by)
	}
	for _, newer := range rows { // the newest first
		if newer.Run > row.Run && sameTool(newer, row, version) && tookEffect(newer) {
			if _, reverted := firstRevert(rows, newer.Run); !reverted {
				return row, Errorf(KindDenied, "revert-order", "a newer run of %s must be reverted first: %s", row.Tool, newer.Run).
					WithHint("Revert it, then this one.")
			}
		}
	}
	return row, nil
}

// tookEffect reports whether a run did its work. A run whose result was of the wrong type, or
// could not be verified, did its work, too.
func tookEffect(row journal.Row) bool {
	return row.OK != nil && (*row.OK || row.Error != nil && row.Error.Kind == string(KindResult))
}

// sameTool reports whether the run a is a run, and no revert, of the tool of run b, in the same
// environment and file. The version of a may be that of b or now, the current one.
func sameTool(a, b journal.Row, now string) bool {
	version := a.Version == b.Version || a.Version == now
	return a.Reverts == "" && a.File == b.File && a.Tool == b.Tool && version && a.Environment == b.Environment
}

// firstRevert returns the first run that reverted the run id, or has begun to revert it. It
// ignores reverts that failed.
func firstRevert(rows []journal.Row, id string) (first journal.Row, ok bool) {
	for _, r := range rows {
		if r.Reverts == id && (r.OK == nil || *r.OK) && (!ok || r.Position < first.Position) {
			first, ok = r, true
		}
	}
	return first, ok
}

func alreadyRevertedError(id string, by journal.Row) *Error {
	if by.OK == nil {
		return Errorf(KindDenied, "reverted", "%s is being reverted by %s, or was when that was stopped; how that ended is not known", id, by.Run).
			WithHint("See at the other side what came of it: a run is reverted once only.")
	}
	return Errorf(KindDenied, "reverted", "%s was reverted already, by %s", id, by.Run)
}

// revertBucket has the runs that were reverted, or are being reverted, with the runs that do so.
const revertBucket = "reverts"

// revertLife is how long a revert is remembered: longer than the journal has the run.
const revertLife = 365 * 24 * time.Hour

// claimRevert makes sure that a run is reverted only once, also if several processes try it at the
// same time. A revert that fails may be tried again.
func claimRevert(ctx context.Context, r *run, next handler) (_ Result, err error) {
	store, id := r.executor.state, r.envelope.Run
	claimed, err := store.CompareAndSwap(ctx, revertBucket, r.reverts, "", id, revertLife)
	switch {
	case errors.Is(err, state.ErrUnavailable):
		return Result{}, UnavailableError(err)
	case err != nil:
		return Result{}, Errorf(KindDenied, "state", "what was reverted cannot be kept, and nothing is reverted without that: %w", err)
	case !claimed:
		return Result{}, Errorf(KindDenied, "reverted", "%s was reverted already, or is being reverted", r.reverts)
	}
	isDone := false // also if next panics
	defer func() {
		if !isDone {
			_, released := store.CompareAndSwap(context.WithoutCancel(ctx), revertBucket, r.reverts, id, "", revertLife)
			err = errors.Join(err, released)
		}
	}()
	result, err := beginRevert(ctx, r, next)
	isDone = err == nil
	return result, err
}

// beginRevert writes the beginning of a revert into the journal before the revert is made. If
// several processes revert the same run, only the first one may go on.
func beginRevert(ctx context.Context, r *run, next handler) (Result, error) {
	j := r.executor.journal
	err := j.Ready()
	if err == nil { // a beginning without an end would block all later reverts
		err = j.Begin(r.row())
	}
	if err != nil {
		return Result{}, Errorf(KindDenied, "journal", "the journal cannot be written, and nothing is reverted without it: %w", err)
	}
	r.recorded = true
	rows, err := j.Rows()
	if err != nil {
		return Result{}, Errorf(KindInternal, "journal", "the journal cannot be read: %w", err)
	}
	if by, ok := firstRevert(rows, r.reverts); !ok || by.Run != r.envelope.Run {
		return Result{}, alreadyRevertedError(r.reverts, by)
	}
	return next(ctx, r)
}
