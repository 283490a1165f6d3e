package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor/state"
)

// The buckets of tasks in the state folder. The keys are the tasks' ids.
const (
	taskBucket       = "mcp-tasks"
	taskResultBucket = "mcp-task-results"
	taskClaimBucket  = "mcp-task-claims" // the process that has taken over the task of an ended one
)

// taskLife is how long a task is stored that has not ended: longer than any call takes.
const taskLife = 30 * 24 * time.Hour

// taskRecord is a task in the state folder. It holds no arguments but those that its questions name;
// the result has its own bucket.
type taskRecord struct {
	Caller  string         `json:"caller,omitempty"`
	Tool    string         `json:"tool"` // the name that clients see
	Process string         `json:"process"`
	Task    taskHead       `json:"task"`
	Error   *jsonrpc.Error `json:"error,omitempty"`
	Size    int64          `json:"size,omitempty"`   // of the result, in bytes
	Rounds  bool           `json:"rounds,omitempty"` // the client's version of the protocol has [client.usesRounds]
	Unkept  bool           `json:"unkept,omitempty"` // the result may not be stored, nor what is asked

	Questions sdk.InputRequestMap `json:"questions,omitempty"` // those that are open
}

// expiry returns when an ended task is forgotten.
func (r *taskRecord) expiry() time.Time {
	if r.Task.TTL == nil {
		return time.Time{}
	}
	return r.Task.Created.Add(time.Duration(*r.Task.TTL) * time.Millisecond)
}

// life returns how long the task stays in the store if nothing changes. It may outlive its expiry a
// little: the clocks of other processes may differ.
func (r *taskRecord) life() time.Duration {
	end := r.expiry()
	if end.IsZero() {
		return taskLife
	}
	return max(time.Until(end), 0) + time.Minute
}

// taskStore stores tasks for other processes.
type taskStore struct {
	state state.Store
}

// put stores a task, with the result if there is one.
func (s taskStore) put(ctx context.Context, r *taskRecord, result json.RawMessage) error {
	var err error
	if result != nil {
		err = s.state.Put(ctx, taskResultBucket, r.Task.ID, result, r.life())
	}
	return errors.Join(err, s.state.Put(ctx, taskBucket, r.Task.ID, r, r.life()))
}

// find returns a stored task.
func (s taskStore) find(ctx context.Context, id string) (r taskRecord, ok bool, err error) {
	ok, err = s.state.Get(ctx, taskBucket, id, &r)
	return r, ok, err
}

// result returns the stored result of a task; nil if there is none.
func (s taskStore) result(ctx context.Context, id string) (raw json.RawMessage, err error) {
	_, err = s.state.Get(ctx, taskResultBucket, id, &raw)
	return raw, err
}

// remove removes a task.
func (s taskStore) remove(ctx context.Context, id string) error {
	return errors.Join(s.state.Delete(ctx, taskBucket, id), s.state.Delete(ctx, taskResultBucket, id), s.state.Delete(ctx, taskClaimBucket, id), s.state.Delete(ctx, taskMessageBucket, id))
}

// all returns the stored tasks.
func (s taskStore) all(ctx context.Context) (all []taskRecord, err error) {
	err = s.state.Each(ctx, taskBucket, func(_ string, raw json.RawMessage) {
		var r taskRecord
		if json.Unmarshal(raw, &r) == nil {
			all = append(all, r)
		}
	})
	return all, err
}

// takeOver makes process the owner of a task whose process has ended. ok is false if a living
// process owns it.
func (s taskStore) takeOver(ctx context.Context, r *taskRecord, process string) (ok bool, err error) {
	var claimant string
	if _, err := s.state.Get(ctx, taskClaimBucket, r.Task.ID, &claimant); err != nil {
		return false, err
	}
	for _, owner := range []string{r.Process, claimant} {
		if owner == "" {
			continue
		}
		if alive, err := s.state.IsPresent(ctx, owner); alive || err != nil {
			return false, err
		}
	}
	return s.state.CompareAndSwap(ctx, taskClaimBucket, r.Task.ID, claimant, process, taskLife)
}
