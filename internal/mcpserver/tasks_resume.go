package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/state"
)

// takeOverAll continues, once, the tasks of ended processes, and forgets those whose time is over.
func (ts *tasks) takeOverAll(ctx context.Context) {
	ts.begin.Do(func() {
		all, err := ts.store.all(ctx)
		if err != nil {
			ts.server.opts.Logger.Warn("the tasks of earlier processes cannot be read", "error", err)
			return
		}
		var unfinished []taskRecord
		for _, record := range all {
			if !record.Task.Status.isEnd() {
				unfinished = append(unfinished, record)
				continue
			}
			ts.reserve(record.Task.ID, record.Size)
			time.AfterFunc(time.Until(record.expiry()), func() { ts.forget(record.Task.ID) })
		}
		if len(unfinished) > 0 {
			ts.takeOver(ctx, unfinished)
		}
	})
}

// takeOverLost continues the tasks whose processes have ended since.
func (ts *tasks) takeOverLost(ctx context.Context) {
	all, err := ts.store.all(ctx)
	if err != nil {
		return // the next time says what is wrong
	}
	var unfinished []taskRecord
	for _, record := range all {
		_, isServed := ts.server.currentTool(record.Tool)
		if isServed && !record.Task.Status.isEnd() && ts.find(record.Task.ID) == nil {
			unfinished = append(unfinished, record)
		}
	}
	if len(unfinished) > 0 {
		ts.takeOver(ctx, unfinished)
	}
}

// takeOver continues those tasks whose processes have ended: it waits for their callbacks. A task
// that has none fails.
func (ts *tasks) takeOver(ctx context.Context, records []taskRecord) {
	mine := map[string]*adoptedTask{}
	for _, record := range records {
		if a := ts.adopt(ctx, record); a != nil {
			mine[record.Task.ID] = a
		}
	}
	if len(mine) > 0 {
		ts.continueCalls(ctx, mine)
	}
}

// continueCalls waits for the callbacks of tasks, and ends those that have none.
func (ts *tasks) continueCalls(ctx context.Context, mine map[string]*adoptedTask) {
	claimed, expected := ts.claim(ctx, mine)
	for _, p := range claimed {
		a := mine[p.Task]
		delete(mine, p.Task)
		if p.Fault != nil {
			a.fail(fmt.Sprintf("the server was started again, and the callback cannot come: %v", p.Fault))
			continue
		}
		go a.resume(p)
	}
	for id, a := range mine {
		if expected(id) {
			go a.claimLater()
		} else {
			a.fail(a.lossMessage())
		}
	}
}

// claimInterval is the time between two attempts to claim a callback whose process still counts as
// alive, or that cannot be looked for.
const claimInterval = 2 * time.Second

// claimLater tries again to claim the callback of a task.
func (a *adoptedTask) claimLater() {
	pause := claimInterval
	if wait(a.ctx, &pause) != nil {
		a.tasks.running.Done()
		return
	}
	a.tasks.continueCalls(a.ctx, map[string]*adoptedTask{a.record.Task.ID: a})
}

// adoptedTask is a task of an ended process that this process has taken over.
type adoptedTask struct {
	*task
	ctx context.Context // of the task
	was taskStatus
}

// adopt makes a task of an ended process one of this process. It returns nil if another living
// process has it, or this one has already taken it over.
func (ts *tasks) adopt(ctx context.Context, record taskRecord) *adoptedTask {
	ts.mu.Lock()
	process, err := ts.announce(ctx)
	ts.mu.Unlock()
	ok := false
	if err == nil {
		ok, err = ts.store.takeOver(ctx, &record, process)
	}
	if err != nil {
		ts.server.opts.Logger.Warn("the task cannot be taken over", "task", record.Task.ID, "error", err)
	}
	if !ok {
		return nil
	}
	was := record.Task.Status
	record.Task.Status, record.Task.Message = taskWorking, ""
	t, ctx, err := ts.add(ctx, record)
	if err != nil {
		return nil
	}
	return &adoptedTask{t, ctx, was}
}

// claim takes over the callbacks of tasks. expected reports whether the callback of a task may be
// claimed later.
func (ts *tasks) claim(ctx context.Context, mine map[string]*adoptedTask) (claimed []executor.PendingCall, expected func(id string) bool) {
	if ts.server.opts.Resumer == nil {
		return nil, func(string) bool { return false }
	}
	seen := map[string]bool{}
	claimed, _, err := ts.server.opts.Resumer.ClaimPending(ctx, func(p executor.PendingCall) bool {
		a := mine[p.Task]
		if p.Task == "" || a == nil {
			return false
		}
		served, ok := ts.server.currentTool(a.record.Tool)
		seen[p.Task] = ok && served.tool.Kind == p.Kind
		return seen[p.Task]
	})
	if err != nil {
		ts.server.opts.Logger.Warn("the callbacks of earlier processes are not known", "error", err)
	}
	return claimed, func(id string) bool { return seen[id] || errors.Is(err, state.ErrUnavailable) }
}

// resume waits for the callback of a task.
func (a *adoptedTask) resume(p executor.PendingCall) {
	defer a.tasks.running.Done()
	a.tasks.save(a.task)
	a.run(a.ctx, func(ctx context.Context) (*sdk.CallToolResult, error) {
		s := a.tasks.server
		served, ok := s.currentTool(a.record.Tool)
		if !ok {
			return nil, fmt.Errorf("there is no tool %q any more", a.record.Tool)
		}
		req, err := served.request()
		if err != nil {
			return nil, err
		}
		s.opts.ApplyAnswers(&req)
		req.FromModel, req.Report = true, a.report
		envelope := s.opts.Resumer.Resume(ctx, req, p)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		o := s.repeats.resumed(p, served, toolResult(served.tool, envelope, a.record.Rounds))
		if o.store != nil && !isFinal(o.store(ctx)) {
			s.repeats.start(func() { s.repeats.persist(p.Repeat, o.store) })
		}
		return o.result, o.err
	})
}

// fail ends the task with an error.
func (a *adoptedTask) fail(why string) {
	defer a.tasks.running.Done()
	a.finish(taskFailed, nil, lostResult(why))
}

// lossMessage says what became of a call whose process has ended.
func (a *adoptedTask) lossMessage() string {
	if a.was == taskInputRequired {
		return fmt.Sprintf("the server ended while %s waited for an answer to a question, and the call ended with it; call the tool again", a.record.Tool)
	}
	return fmt.Sprintf("the server ended while %s ran, and its result is lost; whether the call had an effect is not known", a.record.Tool)
}
