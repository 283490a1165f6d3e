package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/state"
)

// The buckets of repeatable calls in the store. The keys are the ids of the calls.
const (
	repeatBucket       = "mcp-calls"
	repeatAnswerBucket = "mcp-call-answers"
)

// repeatLifetime is how long a repeated call gets the first answer.
const repeatLifetime = 24 * time.Hour

// repeatRecord is a repeatable call in the store. It holds neither the arguments nor the caller nor
// the caller's key; the answer has its own bucket.
type repeatRecord struct {
	Arguments string    `json:"arguments"` // a mark of the arguments
	Target    string    `json:"target"`    // a mark of what the call acts on
	Key       string    `json:"key"`       // the idempotency key of the tool's own request
	Process   string    `json:"process"`   // that makes the call; "": the call was broken off
	Began     time.Time `json:"began"`
	Task      string    `json:"task,omitempty"`   // the task that waits for the answer; "": none does
	Rounds    bool      `json:"rounds,omitempty"` // the client's version of the protocol has [client.usesRounds]
	IsStarted bool      `json:"started,omitzero"` // the call may have had an effect
	IsEnded   bool      `json:"ended,omitzero"`   // there is an answer
	IsUnkept  bool      `json:"unkept,omitzero"`  // the answer may not be stored, or there was no room

	text string // as it is stored
}

// repeatStore stores repeatable calls for later processes and other replicas.
type repeatStore struct{ state state.Store }

// find returns the record of a call; nil if there is none.
func (s repeatStore) find(ctx context.Context, id string) (*repeatRecord, error) {
	r := &repeatRecord{}
	if ok, err := s.state.Get(ctx, repeatBucket, id, &r.text); err != nil || !ok {
		return nil, err
	}
	if err := json.Unmarshal([]byte(r.text), r); err != nil {
		return nil, fmt.Errorf("the stored call cannot be read: %w", err)
	}
	return r, nil
}

// take replaces the record of a call by one that this process holds. old is nil for a new call. The
// result is nil if another process was faster.
func (s repeatStore) take(ctx context.Context, id string, old *repeatRecord, mine repeatRecord) (*heldRecord, error) {
	h, err := s.hold(ctx, id, old, mine)
	if errors.Is(err, errTakenOver) {
		return nil, nil
	}
	return h, err
}

// hold is like take; the error is errTakenOver if another process was faster.
func (s repeatStore) hold(ctx context.Context, id string, old *repeatRecord, mine repeatRecord) (*heldRecord, error) {
	h := &heldRecord{store: s, id: id}
	if old != nil {
		h.record = *old
	}
	if err := h.set(ctx, mine); err != nil {
		return nil, err
	}
	return h, nil
}

// putAnswer stores the answer of a call. It is kept a little longer than the record.
func (s repeatStore) putAnswer(ctx context.Context, id string, answer json.RawMessage) error {
	return s.state.Put(ctx, repeatAnswerBucket, id, answer, repeatLifetime)
}

// answer returns the stored answer of a call; nil if there is none.
func (s repeatStore) answer(ctx context.Context, id string) (raw json.RawMessage, err error) {
	_, err = s.state.Get(ctx, repeatAnswerBucket, id, &raw)
	return raw, err
}

// isAlive reports whether the process that makes a call is alive.
func (s repeatStore) isAlive(ctx context.Context, process string) (bool, error) {
	if process == "" {
		return false, nil
	}
	return s.state.IsPresent(ctx, process)
}

// heldRecord is the record of a call which this process makes. Only one goroutine uses it at a time.
type heldRecord struct {
	store  repeatStore
	id     string
	record repeatRecord // as it is stored; text "": it is not
}

// errTakenOver is the error of a change of a record that another process has changed.
var errTakenOver = errors.New("another process has taken the call over")

// set replaces the record.
func (h *heldRecord) set(ctx context.Context, next repeatRecord) error {
	raw, err := json.Marshal(next)
	if err != nil {
		return err
	}
	next.text = string(raw)
	ok, err := h.store.state.CompareAndSwap(ctx, repeatBucket, h.id, h.record.text, next.text, time.Until(next.Began.Add(repeatLifetime)))
	switch {
	case err != nil:
		return err
	case !ok:
		return errTakenOver
	}
	h.record = next
	return nil
}

// start says that the call may have an effect from here on.
func (h *heldRecord) start(ctx context.Context) error {
	next := h.record
	next.IsStarted = true
	return h.set(ctx, next)
}

// breakOff says that it is not known how the call ended.
func (h *heldRecord) breakOff(ctx context.Context) error {
	next := h.record
	next.Process = ""
	return h.set(ctx, next)
}

// end stores the answer of the call, or that it has one if it may not be stored.
func (h *heldRecord) end(ctx context.Context, answer json.RawMessage, isUnkept bool) error {
	if !isUnkept {
		if err := h.store.putAnswer(ctx, h.id, answer); err != nil {
			return err
		}
	}
	next := h.record
	next.IsEnded, next.IsUnkept = true, isUnkept
	return h.set(ctx, next)
}

// release forgets the call, which had no effect. The next call with its key is a new one.
func (h *heldRecord) release(ctx context.Context) error {
	ok, err := h.store.state.CompareAndSwap(ctx, repeatBucket, h.id, h.record.text, "", repeatLifetime)
	if err == nil && !ok {
		return errTakenOver
	}
	return err
}
