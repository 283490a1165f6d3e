package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
)

// task is a call that a server works on after it has answered. The protocol has it in two forms: that
// of version 2025-11-25, and the extension tasksExtension of later versions.
type task struct {
	ID             string                  `json:"taskId"`
	Status         string                  `json:"status"`
	Message        string                  `json:"statusMessage"`
	PollInterval   int64                   `json:"pollInterval"`   // in milliseconds, in version 2025-11-25
	PollIntervalMS int64                   `json:"pollIntervalMs"` // in the extension
	Result         json.RawMessage         `json:"result"`         // in the extension
	Error          *jsonrpc.Error          `json:"error"`          // in the extension
	InputRequests  map[string]inputRequest `json:"inputRequests"`  // in the extension
}

// tasksExtension is the id of the extension.
const tasksExtension = "io.modelcontextprotocol/tasks"

// Limits for the time between two questions for the state of a task, and its usual value.
const (
	minPoll   = 50 * time.Millisecond
	usualPoll = time.Second
	maxPoll   = 30 * time.Second
)

func (t task) poll() time.Duration {
	n := time.Duration(max(t.PollInterval, t.PollIntervalMS)) * time.Millisecond
	if n <= 0 {
		return usualPoll
	}
	return min(max(n, minPoll), maxPoll)
}

func (t task) hasEnded() bool {
	return slices.Contains([]string{"completed", "failed", "cancelled"}, t.Status)
}

// taskParams are the parameters of the methods for tasks.
type taskParams struct {
	sdk.ParamsBase
	ID             string               `json:"taskId"`
	InputResponses sdk.InputResponseMap `json:"inputResponses,omitempty"`
}

// taskAnswer is an answer to such a method, as the server wrote it.
type taskAnswer struct {
	sdk.ResultBase
	raw json.RawMessage
}

// UnmarshalJSON keeps the answer.
func (a *taskAnswer) UnmarshalJSON(data []byte) error {
	a.raw = slices.Clone(data)
	var attached struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	var original string
	if json.Unmarshal(data, &attached) == nil && json.Unmarshal(attached.Meta[originalResultKey], &original) == nil {
		a.raw = json.RawMessage(original)
	}
	return nil
}

// The methods for tasks.
const (
	getTask    = "tasks/get"
	taskResult = "tasks/result" // only in version 2025-11-25
	cancelTask = "tasks/cancel"
	updateTask = "tasks/update" // only in the extension
)

// addTaskMethods lets a client send the methods for tasks.
func addTaskMethods(c *sdk.Client) {
	for _, method := range []string{getTask, taskResult, cancelTask, updateTask} {
		_ = sdk.AddSendingCustomMethod[*taskParams, *taskAnswer](c, method) // fails only for a method of the library
	}
	c.AddSendingMiddleware(addTask)
}

// asTaskKey is the key of contexts whose call of a tool shall become a task of version 2025-11-25.
type asTaskKey struct{}

// taskCallParams are the parameters of such a call.
type taskCallParams struct {
	*sdk.CallToolParams
	Task struct{} `json:"task"`
}

// addTask makes a call of a tool a task if its context says so.
func addTask(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		params, isCall := req.GetParams().(*sdk.CallToolParams)
		if session, ok := req.GetSession().(*sdk.ClientSession); ok && isCall && ctx.Value(asTaskKey{}) != nil {
			req = &sdk.ClientRequest[sdk.Params]{Session: session, Params: &taskCallParams{CallToolParams: params}}
		}
		return next(ctx, method, req)
	}
}

// sendTask sends a message about a task. In the extension, the header Mcp-Name has the task's id.
func (v *call) sendTask(ctx context.Context, method string, p *taskParams) (json.RawMessage, error) {
	if v.session.isStateless() {
		ctx = withTaskID(ctx, p.ID)
	}
	answer, err := sdk.CallCustomMethod[*taskParams, *taskAnswer](ctx, v.session.client, method, p)
	if err != nil {
		return nil, err
	}
	return answer.raw, nil
}

// readTask asks for the state of a task.
func (v *call) readTask(ctx context.Context, id string) (task, error) {
	raw, err := v.sendTask(ctx, getTask, &taskParams{ID: id})
	if err != nil {
		return task{}, err
	}
	var t task
	if json.Unmarshal(raw, &t) != nil || t.Status == "" {
		return task{}, executor.Errorf(executor.KindRemote, "no-result", "%s: the answer is no state of a task", v.target.name)
	}
	t.ID = id
	return t, nil
}

// showTask reports the state of a task as the progress of the call.
func (v *call) showTask(t task) {
	if t.Message != "" && !t.hasEnded() {
		v.report(executor.Progress{Message: t.Message})
	}
}

// beginTask makes the call known as that of a task. The caller must call the returned function with
// the outcome; it cancels the task if the call has been cancelled.
func (v *call) beginTask(ctx context.Context, t task) (end func()) {
	v.session.tasks.Add(1)
	v.session.mu.Lock()
	v.taskID = t.ID
	v.session.mu.Unlock()
	v.showTask(t)
	return func() {
		defer v.session.tasks.Done()
		if ctx.Err() == nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		_, _ = v.sendTask(ctx, cancelTask, &taskParams{ID: t.ID}) // a server that does not cancel goes on alone
	}
}

// followTask waits for the result of a task of the extension.
func (v *call) followTask(ctx context.Context, t task) (result, error) {
	defer v.beginTask(ctx, t)()
	answered := map[string]bool{}
	for {
		if t.hasEnded() && (t.Result != nil || t.Error != nil || t.Status != "completed") {
			return v.taskOutcome(t)
		}
		if err := v.updateTask(ctx, t, answered); err != nil {
			return result{}, err
		}
		select {
		case <-time.After(t.poll()):
		case <-ctx.Done():
			return result{}, ctx.Err()
		}
		next, err := v.readTask(ctx, t.ID)
		if err != nil {
			return result{}, err
		}
		t = next
		v.showTask(t)
	}
}

// updateTask answers the questions of a task that are not answered yet.
func (v *call) updateTask(ctx context.Context, t task, answered map[string]bool) error {
	open := map[string]inputRequest{}
	for id, request := range t.InputRequests {
		if !answered[id] {
			open[id] = request
		}
	}
	if t.Status != "input_required" || len(open) == 0 {
		return nil
	}
	responses, err := v.respond(ctx, open)
	if err != nil {
		return err
	}
	for id := range open {
		answered[id] = true
	}
	_, err = v.sendTask(ctx, updateTask, &taskParams{ID: t.ID, InputResponses: responses})
	return err
}

// taskOutcome returns the result of a task of the extension that has ended.
func (v *call) taskOutcome(t task) (result, error) {
	switch {
	case t.Result != nil:
		return v.readResult(t.Result)
	case t.Error != nil:
		return result{}, t.Error
	}
	return result{}, executor.Errorf(executor.KindRemote, "task-"+t.Status, "%s: the task of %s has %s%s", v.target.name, v.target.tool, outcomeWord(t.Status), because(t.Message))
}

func outcomeWord(status string) string {
	if status == "cancelled" {
		return "been cancelled by the server"
	}
	return "failed"
}

func because(message string) string {
	if message == "" {
		return ""
	}
	return ": " + shorten(message)
}

// followOlderTask waits for the result of a task of version 2025-11-25. Its questions come while the
// result is being asked for.
func (v *call) followOlderTask(ctx context.Context, t task) (result, error) {
	defer v.beginTask(ctx, t)()
	var outcome chan func() (result, error)
	for {
		if outcome == nil && (t.hasEnded() || t.Status == "input_required") {
			outcome = make(chan func() (result, error), 1)
			go func() {
				raw, err := v.sendTask(ctx, taskResult, &taskParams{ID: t.ID})
				outcome <- func() (result, error) {
					if err != nil {
						return result{}, err
					}
					return v.readResult(raw)
				}
			}()
		}
		select {
		case read := <-outcome:
			return read()
		case <-time.After(t.poll()):
		case <-ctx.Done():
			return result{}, ctx.Err()
		}
		if t.hasEnded() {
			continue
		}
		next, err := v.readTask(ctx, t.ID)
		if err != nil {
			return result{}, err
		}
		t = next
		v.showTask(t)
	}
}
