package mcpserver

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Limits of tasks.
const (
	maxTasks           = 1000            // of a process, until they are forgotten; more calls are answered like those of other clients
	maxRunning         = 16              // calls of tasks that work on this machine at once; the others wait
	maxRunningOfCaller = 12              // of these, of one caller who is known
	maxResults         = 256 << 20       // bytes of the results that are kept; more calls are answered like those of other clients
	taskRetention      = time.Hour       // how long an ended task is kept, and a question stays open
	taskInterval       = time.Second     // between two questions of a client
	taskEndPatience    = 2 * time.Second // for the tasks at the end of the process
)

// tasks are the calls whose results come later. It is safe for concurrent use.
type tasks struct {
	server    *Server // that serves all tools
	store     taskStore
	retention time.Duration
	limit     int64     // of the results that are kept, in bytes
	places    *places   // of the calls that work on this machine
	begin     sync.Once // takes over what ended processes have left

	mu       sync.Mutex
	process  string // the name of this process, once there is a task
	leave    func() // ends its presence; nil if it has no name
	known    map[string]*task
	sizes    map[string]int64 // of the results that are kept, by the ids of their tasks
	running  sync.WaitGroup
	isClosed bool

	isListening bool // a goroutine looks for messages of other processes
}

func newTasks(store state.Store) *tasks {
	return &tasks{
		retention: taskRetention, limit: maxResults, places: newPlaces(), known: map[string]*task{}, sizes: map[string]int64{},
		store: taskStore{state.OrMemory(store)},
	}
}

// announce makes this process known as the owner of tasks, and returns its name. The caller holds
// the lock.
func (ts *tasks) announce(ctx context.Context) (process string, err error) {
	if ts.process != "" {
		return ts.process, nil
	}
	name := rand.Text()
	leave, err := ts.store.state.Announce(ctx, name)
	if err != nil {
		return "", err
	}
	ts.process, ts.leave = name, leave
	return name, nil
}

// processName returns the name by which other processes know whether this one is alive.
func (ts *tasks) processName(ctx context.Context) (string, error) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.announce(ctx)
}

// start makes a task of a call of s. ok is false if there are too many tasks, or it cannot be stored: the
// client then waits for the call.
func (ts *tasks) start(ctx context.Context, s *Server, r *sdk.CallToolRequest) (created *createdTask, ok bool) {
	served, ok := s.currentTool(r.Params.Name)
	if !ok {
		return nil, false
	}
	if head, ok := s.repeats.taskOf(ctx, s, served, r); ok {
		return &createdTask{ResultType: "task", taskHead: head}, true
	}
	if ts.isFull() {
		return nil, false
	}
	now := time.Now().UTC()
	head := taskHead{ID: rand.Text(), Status: taskWorking, Created: now, Updated: now, PollInterval: taskInterval.Milliseconds()}
	record := taskRecord{Caller: ownerOf(r.Extra), Tool: r.Params.Name, Task: head, Rounds: clientOf(r.Session, r.Params.Meta).usesRounds, Unkept: !executor.KeepsResult(served.tool)}
	t, ctx, err := ts.add(ctx, record)
	if err != nil {
		ts.server.opts.Logger.Warn("no task", "tool", r.Params.Name, "error", err)
		return nil, false
	}
	ts.save(t)
	go func() {
		defer ts.running.Done()
		t.run(ctx, func(ctx context.Context) (*sdk.CallToolResult, error) { return s.handleCall(ctx, r) })
	}()
	return &createdTask{ResultType: "task", taskHead: head}, true
}

func (ts *tasks) isFull() bool {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return len(ts.known) >= maxTasks || ts.resultBytes() >= ts.limit
}

// resultBytes returns the size of all results that are kept. The caller holds the lock.
func (ts *tasks) resultBytes() (sum int64) {
	for _, size := range ts.sizes {
		sum += size
	}
	return sum
}

// reserve counts the result of a task among those that are kept. ok is false if it is too much.
func (ts *tasks) reserve(id string, size int64) (ok bool) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.resultBytes()+size > ts.limit {
		return false
	}
	ts.sizes[id] = size
	return true
}

// add registers a task. Its context ends when the task is cancelled or the process ends. The caller
// must call running.Done at the end of the task's run.
func (ts *tasks) add(ctx context.Context, record taskRecord) (*task, context.Context, error) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.isClosed {
		return nil, nil, executor.ErrEnding
	}
	process, err := ts.announce(ctx)
	if err != nil {
		return nil, nil, err
	}
	record.Process = process
	ctx, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	t := &task{
		tasks: ts, record: record, stop: stop, state: taskState{taskHead: record.Task},
		answers: map[string]chan *sdk.ElicitResult{},
	}
	ts.known[record.Task.ID] = t
	ts.running.Add(1)
	ts.listen()
	return t, ctx, nil
}

// save stores a task as it is. Where that fails, the task ends with the process.
func (ts *tasks) save(t *task) {
	t.saving.Lock()
	defer t.saving.Unlock()
	now := t.snapshot()
	record := t.record
	record.Task, record.Error, record.Size = now.taskHead, now.Error, int64(len(now.Result))
	result := now.Result
	record.Questions = now.Questions
	if record.Unkept {
		result, record.Questions = nil, nil
	}
	if err := ts.store.put(context.Background(), &record, result); err != nil {
		ts.server.opts.Logger.Warn("the task cannot be stored", "task", now.ID, "error", err)
		return
	}
	if result != nil {
		t.mu.Lock()
		t.state.Result = nil // it is read when it is asked for
		t.mu.Unlock()
	}
}

// settle stores an ended task, and forgets it after its time.
func (ts *tasks) settle(t *task) {
	ts.save(t)
	time.AfterFunc(ts.retention, func() { ts.forget(t.record.Task.ID) })
}

// forget removes an ended task. After the end of the server, that is left to the next one.
func (ts *tasks) forget(id string) {
	ts.mu.Lock()
	if ts.isClosed {
		ts.mu.Unlock()
		return
	}
	delete(ts.known, id)
	delete(ts.sizes, id)
	ts.running.Add(1)
	ts.mu.Unlock()
	defer ts.running.Done()
	if err := ts.store.remove(context.Background(), id); err != nil {
		ts.server.opts.Logger.Warn("the task cannot be removed", "task", id, "error", err)
	}
}

// takePlace waits until a call of a caller may run a tool, and returns the function that frees its
// place. A call that only waits for another machine needs no place.
func (ts *tasks) takePlace(ctx context.Context, caller string, t *tool.Tool) (leave func(), err error) {
	if t.Kind == tool.KindAsyncWebhook {
		return func() {}, nil
	}
	free, err := ts.places.take(ctx, caller)
	if err != nil {
		return nil, err
	}
	end, ok := ts.server.work.begin()
	if !ok { // the server does not wait for it
		end = func() {}
	}
	return func() { end(); free() }, nil
}

// lookUp returns the task of a caller as it is now, with its result. t is nil if another process has
// it, or it has ended in one.
func (ts *tasks) lookUp(ctx context.Context, id string) (now taskState, t *task, err error) {
	t = ts.find(id)
	if t == nil {
		record, ok, err := ts.store.find(ctx, id)
		switch {
		case err != nil:
			return now, nil, fmt.Errorf("the task cannot be read: %w", err)
		case !ok, record.Task.Status.isEnd() && time.Now().After(record.expiry()):
			return now, nil, unknownTask(id)
		}
		if err := ts.checkOwner(ctx, &record); err != nil {
			return now, nil, err
		}
		switch {
		case !record.Task.Status.isEnd():
			ts.takeOver(ctx, []taskRecord{record})
			if t = ts.find(id); t == nil { // it runs in another process
				return taskState{taskHead: record.Task, Questions: record.Questions}, nil, nil
			}
		default:
			now = taskState{taskHead: record.Task, Error: record.Error}
			return now, nil, ts.addResult(ctx, &now, record.Unkept)
		}
	}
	if err := ts.checkOwner(ctx, &t.record); err != nil {
		return now, nil, err
	}
	now = t.snapshot()
	return now, t, ts.addResult(ctx, &now, false)
}

func (ts *tasks) find(id string) *task {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.known[id]
}

// addResult adds the stored result of a completed task. A result that may not be stored ends with
// its process.
func (ts *tasks) addResult(ctx context.Context, now *taskState, isUnkept bool) (err error) {
	if now.Status != taskCompleted || now.Result != nil {
		return nil
	}
	if now.Result, err = ts.store.result(ctx, now.ID); err != nil {
		return fmt.Errorf("the result cannot be read: %w", err)
	}
	if now.Result == nil || isUnkept {
		now.Status, now.Result = taskFailed, nil
		now.Error = lostResult("the call has ended, but its result is gone: the tool does not allow it to be stored, and the server was started again")
		now.Message = now.Error.Message
	}
	return nil
}

// lostResult is the error of a task whose result is lost.
func lostResult(why string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: why}
}

func unknownTask(id string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("there is no task %q, or no longer", id)}
}

// get answers tasks/get.
func (ts *tasks) get(ctx context.Context, _ *sdk.ServerSession, p *taskParams) (sdk.Result, error) {
	now, _, err := ts.lookUp(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	return &shownTask{ResultType: resultComplete, taskState: now}, nil
}

// update answers tasks/update.
func (ts *tasks) update(ctx context.Context, _ *sdk.ServerSession, p *taskParams) (sdk.Result, error) {
	now, t, err := ts.lookUp(ctx, p.ID)
	switch {
	case err != nil:
	case t != nil:
		err = t.answer(p.InputResponses)
	case !now.Status.isEnd():
		err = ts.passAnswers(ctx, p.ID, p.InputResponses)
	}
	if err != nil {
		return nil, err
	}
	return &taskAck{ResultType: resultComplete}, nil
}

// cancel answers tasks/cancel.
func (ts *tasks) cancel(ctx context.Context, _ *sdk.ServerSession, p *taskParams) (sdk.Result, error) {
	now, t, err := ts.lookUp(ctx, p.ID)
	switch {
	case err != nil:
	case t != nil:
		t.finish(taskCancelled, nil, nil)
	case !now.Status.isEnd():
		err = ts.store.send(ctx, p.ID, func(m *inboxMessage) { m.IsCancelled = true })
	}
	if err != nil {
		return nil, err
	}
	return &taskAck{ResultType: resultComplete}, nil
}

// close ends the calls of tasks with the process. Later processes say what became of them.
func (ts *tasks) close() {
	ts.mu.Lock()
	ts.isClosed = true
	for _, t := range ts.known {
		t.stop(executor.ErrEnding)
	}
	ts.mu.Unlock()
	ended := make(chan struct{})
	go func() { ts.running.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(taskEndPatience):
	}
	if ts.leave != nil {
		ts.leave()
	}
}
