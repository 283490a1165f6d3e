package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"sync"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/schema"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// answerTimeout is how long a call waits for the person's answers.
const answerTimeout = 10 * time.Minute

// maxParked is the most calls that wait for answers.
const maxParked = 500

// parkedCall is a call that waits for the person's answers to a question.
type parkedCall struct {
	call     *call
	question *question
	expiry   *time.Timer
}

// parkedCalls holds the calls that wait, by the states that their callers got. It is safe for
// concurrent use.
type parkedCalls struct {
	schemas schema.Cache
	timeout time.Duration

	mu      sync.Mutex
	byState map[string]*parkedCall
}

// add makes a call wait, and returns its state. If nobody answers in time, the call ends.
func (p *parkedCalls) add(v *call, q *question) (state string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.byState) >= maxParked {
		return "", executor.Errorf(executor.KindLimit, "questions", "%d calls wait for answers, no more are kept", len(p.byState))
	}
	if p.byState == nil {
		p.byState = map[string]*parkedCall{}
	}
	state = rand.Text()
	p.byState[state] = &parkedCall{call: v, question: q, expiry: time.AfterFunc(p.timeout, func() { p.expire(state) })}
	return state, nil
}

// take returns the call with a state, which then waits no more; nil if there is none.
func (p *parkedCalls) take(state string) *parkedCall {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.byState[state]
	if w != nil {
		w.expiry.Stop()
		delete(p.byState, state)
	}
	return w
}

func (p *parkedCalls) expire(state string) {
	if w := p.take(state); w != nil {
		w.call.leave()
	}
}

// close ends all waiting calls.
func (p *parkedCalls) close() {
	p.mu.Lock()
	states := make([]string, 0, len(p.byState))
	for state := range p.byState {
		states = append(states, state)
	}
	p.mu.Unlock()
	for _, state := range states {
		p.expire(state)
	}
}

// park makes a call wait for the answers to a question, and returns the error that asks the person.
func (r *Runner) park(v *call, q *question) error {
	state, err := r.parked.add(v, q)
	if err != nil {
		v.leave()
		return err
	}
	return executor.InputError(executor.InputNeeds{Server: v.target.name, State: state, Requests: q.requests})
}

// resume goes on with a call that waits for answers.
func (r *Runner) resume(ctx context.Context, request executor.Call) (executor.Result, error) {
	w := r.parked.take(request.Input.State)
	if w == nil {
		return executor.Result{}, executor.Errorf(executor.KindTimeout, "input",
			"no call waits for these answers any more; they came too late, or the server was ended").WithHint("Run the tool again.")
	}
	if !isSameCall(w.call.request, request) {
		w.call.leave()
		return executor.Result{}, executor.Errorf(executor.KindArguments, "other-input", "the answers belong to another call")
	}
	if err := r.checkAnswers(w.question, request.Input.Answers); err != nil {
		again := r.park(w.call, w.question)
		return executor.Result{}, wrongAnswer(again, err)
	}
	w.call.follow(ctx, request)
	w.question.answers <- request.Input.Answers
	return r.finishCall(w.call)
}

// isSameCall reports whether two calls are of the same tool with the same arguments.
func isSameCall(a, b executor.Call) bool {
	return a.Tool.QualifiedName() == b.Tool.QualifiedName() &&
		bytes.Equal(exactjson.EncodeOrNil(a.Arguments()), exactjson.EncodeOrNil(b.Arguments()))
}

// checkAnswers returns an error if an accepted form does not have the values that it asks for.
func (r *Runner) checkAnswers(q *question, answers map[string]executor.InputAnswer) error {
	for _, request := range q.requests {
		a := answers[request.ID]
		if a.Action != executor.AcceptInput || request.Mode != executor.FormInput || len(request.Schema) == 0 {
			continue
		}
		content := a.Content
		if len(content) == 0 {
			content = json.RawMessage("{}")
		}
		value, err := exactjson.Decode[any](content)
		if err == nil {
			err = r.parked.schemas.Validate(string(request.Schema), value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// wrongAnswer adds to the error that asks again what was wrong with the answer.
func wrongAnswer(asksAgain, fault error) error {
	if e, ok := asksAgain.(*executor.Error); ok { //nolint:errorlint // it was made here
		return e.WithHint("The last answer does not fit: %v", fault)
	}
	return asksAgain
}
