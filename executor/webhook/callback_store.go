package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	nethttp "net/http"
	"sync"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/tool"
)

// callbacks is the bucket of the expected callbacks. The keys are the ids of runs.
const callbacks = "callbacks"

// entry describes an expected callback in the state folder. It holds no arguments and no secret.
type entry struct {
	Task        string    `json:"task,omitempty"`
	Repeat      string    `json:"repeat,omitempty"`
	Tool        string    `json:"tool"`
	File        string    `json:"file"`
	Environment string    `json:"environment"`
	Began       time.Time `json:"began"`
	Ends        time.Time `json:"ends"`
	Port        int       `json:"port"`
	Token       string    `json:"token"`
	Max         int64     `json:"max"`
	Unkept      bool      `json:"unkept,omitempty"`  // the result may not be stored where that can be avoided
	Process     string    `json:"process,omitempty"` // that waits for a callback to an [Endpoint]; "": it comes to Port
}

// callbackStore keeps the expected callbacks in the state folder, so that a later process can
// wait for them. An entry is deleted when its run ends, unless the program ended first.
type callbackStore struct {
	store   state.Store // nil: nothing is stored
	claimed sync.Map    // claims by the id of the run, until they are resumed
}

type claim struct {
	waiter *waiter
	ends   time.Time
	saved  *savedCallback
}

// savedCallback is an expected callback in the state folder.
type savedCallback struct {
	run    string
	entry  entry
	shared *sharedCallbacks // that has it; nil: it comes to a port of this process
}

// saveCallback stores a callback before its request is sent. The caller must pass the result to
// settleRun; nil means that nothing was stored.
func (k *callbackStore) saveCallback(ctx context.Context, call executor.Call, v *waiter, ends time.Time, p *Endpoint) (*savedCallback, error) {
	e := entry{
		Task: call.Task, Repeat: call.Repeat, Tool: call.Tool.Name, File: call.Tool.Origin.File, Environment: call.Environment.Name,
		Began: time.Now(), Ends: ends, Port: v.port, Token: v.token, Max: v.max,
		Unkept: !executor.KeepsResult(call.Tool),
	}
	var err error
	switch {
	case p != nil:
		if err := p.shared.expect(ctx, call.Run, e); err != nil {
			return nil, err
		}
		return &savedCallback{call.Run, e, &p.shared}, nil
	case k.store == nil || e.File == "":
		return nil, nil
	}
	if err = k.store.Put(ctx, callbacks, call.Run, e, state.Forever); err != nil {
		return nil, err
	}
	return &savedCallback{run: call.Run, entry: e}, nil
}

// settleRun forgets the callback of a run and returns err. If the program ends first, it keeps the
// callback and returns the error that a later process continues the run. It also keeps one with a
// result whose repeats may ask for it, until [Runner.Forget] is called.
func (k *callbackStore) settleRun(ctx context.Context, s *savedCallback, err error) error {
	switch {
	case s == nil:
		return err
	case err != nil && errors.Is(context.Cause(ctx), executor.ErrEnding) && !unsent(err):
		return executor.ContinuesLaterError()
	case s.shared == nil: // if this fails, a later session waits in vain
		_ = k.store.Delete(context.WithoutCancel(ctx), callbacks, s.run)
	case err != nil || s.entry.Repeat == "":
		_ = s.shared.forget(context.WithoutCancel(ctx), s.run, s.entry.Token)
	}
	return err
}

// Forget implements [executor.Resumer].
func (r *Runner) Forget(ctx context.Context, run string) error {
	if r.store.store == nil {
		return nil
	}
	var e entry
	if ok, err := r.store.store.Get(ctx, callbacks, run, &e); !ok || err != nil {
		return err
	}
	return r.shared.forget(ctx, run, e.Token)
}

// Claim reopens the listeners of those calls of earlier processes for which mine reports true. If
// a port is in use and its owner responds to the callback, a living process waits for the
// callback: busy is the number of such calls. If another program uses the port, the call has a
// Fault. Claim deletes the calls whose time is over. For a callback to an [Endpoint] nothing is
// opened, and it is claimed also after its time: it may have come. It is waited for until a process
// takes it.
func (r *Runner) Claim(ctx context.Context, mine func(executor.PendingCall) bool) (claimed []executor.PendingCall, busy int, err error) {
	if r.store.store == nil {
		return nil, 0, nil
	}
	entries := map[string]entry{}
	err = r.store.store.Each(ctx, callbacks, func(run string, raw json.RawMessage) {
		var e entry
		if json.Unmarshal(raw, &e) == nil {
			entries[run] = e
		}
	})
	for run, e := range entries {
		p := executor.PendingCall{
			Run: run, Task: e.Task, Repeat: e.Repeat, Tool: e.Tool, File: e.File, Kind: tool.KindAsyncWebhook, Environment: e.Environment, Began: e.Began,
		}
		switch {
		case e.Process == "" && time.Now().After(e.Ends):
			err = errors.Join(err, r.shared.forget(ctx, run, e.Token))
			continue
		case !mine(p), e.Process == "" && r.server.isWaiting(e.Port, e.Token):
			continue
		case e.Process != "":
			ok, fault := r.shared.takeOver(ctx, run, e)
			err = errors.Join(err, fault)
			if ok {
				r.store.claimed.Store(run, claim{r.remoteWaiter(e), e.Ends.Add(clockSkew), &savedCallback{run, e, r.shared}})
				claimed = append(claimed, p)
			} else {
				busy++
			}
			continue
		}
		v, fault := r.server.addWaiter(e.Port, &waiter{token: e.Token, max: e.Max})
		switch {
		case fault == nil:
			r.store.claimed.Store(run, claim{v, e.Ends, &savedCallback{run: run, entry: e}})
		case r.hasLiveWaiter(ctx, e):
			busy++
			continue
		}
		p.Fault = fault
		claimed = append(claimed, p)
	}
	return claimed, busy, err
}

// askTime bounds the request that finds out who listens at a port.
const askTime = 2 * time.Second

// hasLiveWaiter reports whether a living process of this program waits for a callback. Such a
// process answers HEAD with 405; any other program does not know the path.
func (r *Runner) hasLiveWaiter(ctx context.Context, e entry) bool {
	guard, err := dial.NewGuard([]string{fmt.Sprintf("127.0.0.1:%d", e.Port)})
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	req, err := nethttp.NewRequestWithContext(ctx, nethttp.MethodHead, callPlan{}.url(e.Port, e.Token), nil)
	if err != nil {
		return false
	}
	resp, err := r.dialer.Transport(guard).RoundTrip(req)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == nethttp.StatusMethodNotAllowed
}

// Resume waits for a callback that another process has requested.
func (r *Runner) Resume(ctx context.Context, call executor.Call, p executor.PendingCall) (executor.Result, error) {
	claimed, ok := r.store.claimed.LoadAndDelete(p.Run)
	if !ok {
		return executor.Result{}, executor.Errorf(executor.KindInternal, "not-claimed", "the run %s is not waited for", p.Run)
	}
	c := claimed.(claim)
	defer r.removeWaiter(c.waiter)
	result, err := r.wait(ctx, call, c.waiter, c.saved, time.Until(c.ends).Round(time.Second))
	return result, r.store.settleRun(ctx, c.saved, err)
}
