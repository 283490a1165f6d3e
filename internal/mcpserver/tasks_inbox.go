package mcpserver

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// taskMessageBucket is the bucket of what clients say about tasks to a server that does not run them.
// The keys are the tasks' ids; each value is a [inboxMessage].
const taskMessageBucket = "mcp-task-messages"

// inboxInterval is how often a process looks whether another one has a message for its tasks.
const inboxInterval = 500 * time.Millisecond

// inboxMessage is what clients have said about a task since the process that runs it last looked.
type inboxMessage struct {
	IsCancelled bool                       `json:"cancelled,omitzero"`
	Answers     map[string]json.RawMessage `json:"answers,omitempty"` // to questions
}

// send leaves a message for the process that runs a task. change adds it to those that are there.
func (s taskStore) send(ctx context.Context, id string, change func(*inboxMessage)) error {
	for {
		var before string
		if _, err := s.state.Get(ctx, taskMessageBucket, id, &before); err != nil {
			return err
		}
		m, err := decodeMessage(before)
		if err != nil {
			return err
		}
		change(&m)
		after, err := json.Marshal(m)
		if err != nil {
			return err
		}
		if ok, err := s.state.CompareAndSwap(ctx, taskMessageBucket, id, before, string(after), taskLife); ok || err != nil {
			return err
		}
	}
}

// passAnswers passes a person's answers on to the process that runs a task. Only that process knows
// which questions are open: it may have asked since the task was last stored.
func (ts *tasks) passAnswers(ctx context.Context, id string, responses map[string]json.RawMessage) error {
	open := sdk.InputRequestMap{}
	for key := range responses {
		if strings.HasPrefix(key, questionPrefix) {
			open[key] = nil
		}
	}
	answers, err := decodeAnswers(open, responses)
	if err != nil || len(answers) == 0 {
		return err
	}
	return ts.store.send(ctx, id, func(m *inboxMessage) {
		for key := range answers {
			m.Answers[key] = responses[key]
		}
	})
}

// decodeMessage reads a stored message. It is empty if text is "".
func decodeMessage(text string) (m inboxMessage, err error) {
	if text != "" {
		err = json.Unmarshal([]byte(text), &m)
	}
	if m.Answers == nil {
		m.Answers = map[string]json.RawMessage{}
	}
	return m, err
}

// messages returns the messages that wait, by the ids of their tasks, as they are stored.
func (s taskStore) messages(ctx context.Context) (map[string]string, error) {
	all := map[string]string{}
	err := s.state.Each(ctx, taskMessageBucket, func(id string, raw json.RawMessage) {
		var text string
		if json.Unmarshal(raw, &text) == nil {
			all[id] = text
		}
	})
	return all, err
}

// acknowledge removes a message, unless there is more by now.
func (s taskStore) acknowledge(ctx context.Context, id, text string) error {
	_, err := s.state.CompareAndSwap(ctx, taskMessageBucket, id, text, "", taskLife)
	return err
}

// listen begins to look for messages, until no task of this process runs. The caller holds the lock.
func (ts *tasks) listen() {
	if !ts.isListening {
		ts.isListening = true
		time.AfterFunc(inboxInterval, ts.look)
	}
}

// look reads the messages that wait, and does so again later.
func (ts *tasks) look() {
	ts.mu.Lock()
	ts.isListening = false
	if !ts.isRunning() {
		ts.mu.Unlock()
		return
	}
	ts.running.Add(1)
	ts.mu.Unlock()
	ts.readMessages(context.Background())
	ts.running.Done()
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.listen()
}

// isRunning reports whether a task of this process has not ended. The caller holds the lock.
func (ts *tasks) isRunning() bool {
	for _, t := range ts.known {
		if !ts.isClosed && !t.snapshot().Status.isEnd() {
			return true
		}
	}
	return false
}

// readMessages does what other processes were asked to do with tasks of this one. A store that cannot
// be reached is asked again.
func (ts *tasks) readMessages(ctx context.Context) {
	all, err := ts.store.messages(ctx)
	if err != nil {
		return
	}
	for id, text := range all {
		t := ts.find(id)
		if t == nil {
			continue
		}
		m, err := decodeMessage(text)
		if err == nil {
			err = t.answer(m.Answers)
		}
		if err != nil {
			ts.server.opts.Logger.Warn("a message for a task cannot be read", "task", id, "error", err)
		}
		if m.IsCancelled {
			t.finish(taskCancelled, nil, nil)
		}
		_ = ts.store.acknowledge(ctx, id, text) // else it is read again, which changes nothing
	}
}
