package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
)

// task is a call of this process whose result comes later. It is safe for concurrent use.
type task struct {
	tasks  *tasks
	record taskRecord // what was true when it began
	stop   context.CancelCauseFunc
	saving sync.Mutex // is held while the task is stored

	mu      sync.Mutex
	state   taskState
	asked   int                               // the number of questions so far
	answers map[string]chan *sdk.ElicitResult // of the open questions, by their keys
}

// taskKey is the key of a context's task.
type taskKey struct{}

// taskOf returns the task that a call is made for; nil if the client waits for the call.
func taskOf(ctx context.Context) *task {
	t, _ := ctx.Value(taskKey{}).(*task)
	return t
}

// snapshot returns the task as it is now.
func (t *task) snapshot() taskState {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.state
	now.Questions = maps.Clone(now.Questions)
	return now
}

// set changes the state of a task that has not ended. It reports whether it did.
func (t *task) set(change func(*taskState)) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state.Status.isEnd() {
		return false
	}
	change(&t.state)
	t.state.Updated = time.Now().UTC()
	return true
}

// report shows the progress of the run as the message of the task.
func (t *task) report(p executor.Progress) {
	if p.Message != "" {
		t.set(func(s *taskState) { s.Message = p.Message })
	}
}

// run makes the call, and ends the task with its result.
func (t *task) run(ctx context.Context, call func(context.Context) (*sdk.CallToolResult, error)) {
	result, err := call(context.WithValue(ctx, taskKey{}, t))
	var raw json.RawMessage
	if err == nil {
		raw, err = json.Marshal(result)
	}
	switch {
	case err == nil && !t.tasks.reserve(t.record.Task.ID, int64(len(raw))):
		t.finish(taskFailed, nil, fmt.Errorf("the call has ended, but its result of %d bytes is not kept: the results of tasks have at most %d bytes together", len(raw), t.tasks.limit))
	case err == nil:
		t.finish(taskCompleted, raw, nil)
	case errors.Is(context.Cause(ctx), executor.ErrEnding): // the next process says how it ended
	case ctx.Err() != nil:
		t.finish(taskCancelled, nil, nil)
	default:
		t.finish(taskFailed, nil, err)
	}
}

// finish ends the task. Only the first end counts.
func (t *task) finish(status taskStatus, result json.RawMessage, fault error) {
	changed := t.set(func(s *taskState) {
		s.Status, s.Result, s.Questions, s.Message = status, result, nil, ""
		if fault != nil {
			s.Error = asProtocolError(fault)
			s.Message = s.Error.Message
		}
		ttl := (time.Since(s.Created) + t.tasks.retention).Milliseconds()
		s.TTL = &ttl
	})
	if changed {
		t.stop(context.Canceled)
		t.tasks.settle(t)
	}
}

// asProtocolError returns an error as the protocol has it.
func asProtocolError(err error) *jsonrpc.Error {
	if e, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return e
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
}

// errNoAnswer is the error of a question that nobody has answered.
var errNoAnswer = errors.New("nobody has answered the question")

// ask asks the client's person, and waits for the answers. They are in the order of the questions.
func (t *task) ask(ctx context.Context, all ...*sdk.ElicitParams) ([]*sdk.ElicitResult, error) {
	waiting := t.open(all)
	late := time.NewTimer(t.tasks.retention)
	defer late.Stop()
	results := make([]*sdk.ElicitResult, len(all))
	for i, answer := range waiting {
		select {
		case results[i] = <-answer:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-late.C:
			t.close()
			return nil, fmt.Errorf("%w within %v", errNoAnswer, t.tasks.retention)
		}
	}
	return results, nil
}

// questionPrefix begins the keys of questions.
const questionPrefix = "question-"

// open shows questions to the client. Each has a key of its own, which the task uses only once.
func (t *task) open(all []*sdk.ElicitParams) []chan *sdk.ElicitResult {
	waiting := make([]chan *sdk.ElicitResult, len(all))
	asked := t.set(func(s *taskState) {
		s.Status, s.Questions = taskInputRequired, maps.Clone(s.Questions)
		if s.Questions == nil {
			s.Questions = sdk.InputRequestMap{}
		}
		for i, question := range all {
			t.asked++
			key := fmt.Sprintf("%s%d", questionPrefix, t.asked)
			waiting[i] = make(chan *sdk.ElicitResult, 1)
			s.Questions[key], t.answers[key] = question, waiting[i]
		}
	})
	if asked {
		t.tasks.save(t)
	}
	return waiting
}

// close takes all questions back.
func (t *task) close() {
	t.set(func(s *taskState) {
		s.Status, s.Questions = taskWorking, nil
		clear(t.answers)
	})
}

// answer passes the person's answers on. It ignores those to questions that are not open.
func (t *task) answer(responses map[string]json.RawMessage) error {
	results, err := decodeAnswers(t.snapshot().Questions, responses)
	if err != nil || len(results) == 0 {
		return err
	}
	changed := t.set(func(s *taskState) {
		s.Questions = maps.Clone(s.Questions)
		for key, result := range results {
			if answer := t.answers[key]; answer != nil {
				answer <- result // has room for one
			}
			delete(t.answers, key)
			delete(s.Questions, key)
		}
		if len(s.Questions) == 0 {
			s.Status, s.Questions = taskWorking, nil
		}
	})
	if changed {
		t.tasks.save(t)
	}
	return nil
}

// decodeAnswers returns the answers to open questions.
func decodeAnswers(open sdk.InputRequestMap, responses map[string]json.RawMessage) (map[string]*sdk.ElicitResult, error) {
	results := map[string]*sdk.ElicitResult{}
	for key := range open {
		raw, ok := responses[key]
		if !ok {
			continue
		}
		var result sdk.ElicitResult
		if json.Unmarshal(raw, &result) != nil || result.Action == "" {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("inputResponses: %s is no answer to a question: it needs an action, accept, decline or cancel", key)}
		}
		results[key] = &result
	}
	return results, nil
}
