package executor

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/state"
)

// confirmations makes each digest valid for one run. A digest is made from the hash of a call
// and the mark of the hash's slot. Each confirmed run gives its slot a new mark, so that earlier
// digests of the slot are no longer valid. There are so few slots that all of them are kept for
// ever. It is safe for concurrent use. All processes with the same store agree.
type confirmations struct{ store state.Store }

const confirmationBucket = "confirmations"

// slotDigits is the number of hexadecimal digits of a hash that name its slot. If two calls share
// a slot and wait for the person at the same time, the second one must be confirmed again.
const slotDigits = 4

// digest returns the digest that now confirms the call with this hash, and the mark of its slot.
func (c *confirmations) digest(ctx context.Context, hash string) (digest, mark string, err error) {
	_, err = c.store.Get(ctx, confirmationBucket, hash[:slotDigits], &mark)
	sum := sha256.Sum256([]byte(hash + mark))
	return hex.EncodeToString(sum[:]), mark, confirmationError(err)
}

// checkWritable returns an error if used digests cannot be stored.
func (c *confirmations) checkWritable(ctx context.Context) error {
	return confirmationError(c.store.Ready(ctx))
}

// useDigest uses up digest, which confirms the call with this hash. ok reports whether digest was
// still valid. restore makes digest valid again, unless another run of the slot began meanwhile;
// restore is nil if digest was not the current one.
func (c *confirmations) useDigest(ctx context.Context, hash, digest string) (ok bool, restore func() error, err error) {
	current, mark, err := c.digest(ctx, hash)
	if err != nil || current != digest {
		return false, nil, err
	}
	slot, next := hash[:slotDigits], rand.Text()
	ok, err = c.swapMark(ctx, slot, mark, next)
	return ok, func() error { _, err := c.swapMark(context.WithoutCancel(ctx), slot, next, mark); return err }, err
}

func (c *confirmations) swapMark(ctx context.Context, slot, old, mark string) (bool, error) {
	ok, err := c.store.CompareAndSwap(ctx, confirmationBucket, slot, old, mark, state.Forever)
	return ok, confirmationError(err)
}

// isUnsentRefusal reports whether the guard refused the first host of a call, so that nothing
// was sent.
func isUnsentRefusal(err error) bool {
	_, refused := errors.AsType[*dial.RefusedError](err)
	_, sent := asError(err).Details["sent"]
	return refused && !sent
}

// confirmationError returns the error for used confirmations that cannot be read or written. It
// is nil if err is nil.
func confirmationError(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, state.ErrUnavailable) {
		return UnavailableError(err)
	}
	e := Errorf(KindInternal, "state", "which confirmations were used cannot be kept: %w", err)
	if errors.Is(err, state.ErrDamaged) {
		return e.WithHint("Remove the file, or confirm with --yes. What the person was asked before is asked again.")
	}
	return e.WithHint("Make the state folder writable (ABL_STATE_DIR names another one), or confirm with --yes.")
}

// UnavailableError returns the error for what may happen only once, while nothing says whether it has
// happened. err is [state.ErrUnavailable].
func UnavailableError(err error) *Error {
	e := Errorf(KindNetwork, "shared-state", "nothing was sent, since it may happen only once, and nothing says whether it has: %w", err)
	e.Unsent, e.Retryable = true, true
	return e.WithHint("Try again when the Redis server of --shared can be reached.")
}

// useConfirmation uses up the digest that confirmed a run, once for all of its attempts. It
// first compares the digest again, so that changed programs need a new confirmation. The digest
// stays valid if the run ends with a question to the person, or at a host that the person may
// still allow and to which nothing was sent, and if the call must be prepared again.
func useConfirmation(ctx context.Context, r *run, next handler) (Result, error) {
	if r.req.Yes || !r.call.Confirmed || r.confirmationUsed {
		return next(ctx, r)
	}
	ok, restore, err := r.executor.confirmations.useDigest(ctx, r.callHash(), r.req.Confirm)
	if err != nil {
		return Result{}, err
	}
	if !ok {
		return Result{}, ErrUnconfirmed
	}
	r.confirmationUsed = true
	result, err := next(ctx, r)
	unprepared := errors.Is(err, ErrUnprepared)
	if err != nil && (asError(err).needs != nil || isUnsentRefusal(err) || unprepared) {
		err = errors.Join(err, restore())
	}
	r.confirmationUsed = !unprepared
	return result, err
}
