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

// callbacks is the bucket of those that are waited for, by run.
const callbacks = "callbacks"

// entry is what is kept of one: nothing of the arguments, and no secret.
type entry struct {
	Tool        string    `json:"tool"`
	File        string    `json:"file"`
	Environment string    `json:"environment"`
	Began       time.Time `json:"began"`
	Ends        time.Time `json:"ends"`
	Port        int       `json:"port"`
	Token       string    `json:"token"`
	Max         int64     `json:"max"`
}

// callbackStore keeps the expected callbacks in the state folder, so that a later process can
// wait for them. An entry is deleted when its run ends, unless the program ended first.
type callbackStore struct {
	store   *state.Store
	claimed sync.Map // from runs to the claims on them, until they are resumed
}

type claim struct {
	waiter *waiter
	ends   time.Time
}

// saveCallback notes a callback before it is asked for. It gives the run whose end is to
// be settled; "" where nothing is kept.
func (k *callbackStore) saveCallback(call executor.Call, v *waiter, ends time.Time) (run string, err error) {
	if k.store == nil || call.Tool.Origin.File == "" {
		return "", nil
	}
	err = k.store.Put(callbacks, call.Run, entry{
		Tool: call.Tool.Name, File: call.Tool.Origin.File, Environment: call.Environment.Name,
		Began: time.Now(), Ends: ends, Port: v.port, Token: v.token, Max: v.max,
	})
	if err != nil {
		return "", err
	}
	return call.Run, nil
}

// settleRun ends what is kept of a run, unless a later process is to go on with it.
func (k *callbackStore) settleRun(ctx context.Context, run string, err error) error {
	if run == "" {
		return err
	}
	if err != nil && errors.Is(context.Cause(ctx), executor.ErrEnding) && !unsent(err) {
		return executor.ContinuesLaterError()
	}
	// What stays here costs a later session a wait in vain.
	_ = k.store.Delete(callbacks, run)
	return err
}

// Claim opens the listeners again that earlier processes had. A port that is in
// use is its owner's who answers for the callback, and else somebody else's.
func (r *Runner) Claim(ctx context.Context, mine func(executor.PendingCall) bool) (claimed []executor.PendingCall, busy int, err error) {
	entries := map[string]entry{}
	err = r.store.store.Each(callbacks, func(run string, raw json.RawMessage) {
		var e entry
		if json.Unmarshal(raw, &e) == nil {
			entries[run] = e
		}
	})
	for run, e := range entries {
		p := executor.PendingCall{
			Run: run, Tool: e.Tool, File: e.File, Kind: tool.KindAsyncWebhook, Environment: e.Environment, Began: e.Began,
		}
		switch {
		case time.Now().After(e.Ends):
			err = errors.Join(err, r.store.store.Delete(callbacks, run))
			continue
		case !mine(p), r.server.isWaiting(e.Port, e.Token):
			continue
		}
		v, fault := r.server.addWaiter(e.Port, &waiter{token: e.Token, max: e.Max})
		switch {
		case fault == nil:
			r.store.claimed.Store(run, claim{v, e.Ends})
		case r.hasLiveWaiter(ctx, e):
			busy++
			continue
		}
		p.Fault = fault
		claimed = append(claimed, p)
	}
	return claimed, busy, err
}

// askTime bounds the question who listens at a port.
const askTime = 2 * time.Second

// hasLiveWaiter asks whether a process of ours waits for a callback: it takes no HEAD
// for one, where others know nothing of the path.
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

// Resume waits for a callback that another process has asked for.
func (r *Runner) Resume(ctx context.Context, call executor.Call, p executor.PendingCall) (executor.Result, error) {
	claimed, ok := r.store.claimed.LoadAndDelete(p.Run)
	if !ok {
		return executor.Result{}, executor.Errorf(executor.KindInternal, "not-claimed", "the run %s is not waited for", p.Run)
	}
	c := claimed.(claim)
	defer r.server.removeWaiter(c.waiter)
	result, err := c.waiter.wait(ctx, call, time.Until(c.ends).Round(time.Second))
	return result, r.store.settleRun(ctx, p.Run, err)
}
