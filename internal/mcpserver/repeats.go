package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/state"
)

// repeats answers repeated calls: those of one caller with the same tool and idempotency key. The
// first one is made, and the others get its answer, also in later processes and in other replicas.
// It is safe for concurrent use.
type repeats struct {
	tasks  *tasks
	store  repeatStore
	quota  answerQuota
	unkept *lru.Cache[string, json.RawMessage] // the answers that may not be stored, by the id of the call

	ctx     context.Context // of calls that outlive their connection; ends with the process
	stop    context.CancelCauseFunc
	running sync.WaitGroup

	sweeping sync.Mutex // is held while a goroutine sweeps

	mu       sync.Mutex
	flights  map[flightKey]*flight
	isClosed bool
}

// maxUnkept is the number of answers that may not be stored, and are kept in memory.
const maxUnkept = 256

func newRepeats(ts *tasks, store state.Store) *repeats {
	ctx, stop := context.WithCancelCause(context.Background())
	unkept, _ := lru.New[string, json.RawMessage](maxUnkept) // fails only for a size below 1
	return &repeats{
		tasks: ts, store: repeatStore{store}, unkept: unkept,
		ctx: ctx, stop: stop, flights: map[flightKey]*flight{},
	}
}

// flightKey tells flights apart. A call with other arguments is another one: the store knows which of
// them came first.
type flightKey struct{ id, arguments string }

// flight is a call which this process makes, or whose answer it waits for.
type flight struct {
	key      flightKey
	answered chan struct{} // closed when outcome is set
	outcome  *outcome
	settled  chan struct{} // closed when the store has the outcome
}

// answer answers a call.
func (rs *repeats) answer(ctx context.Context, k *repeatableCall) (*sdk.CallToolResult, error) {
	for {
		f, isNew := rs.join(flightKey{k.id, k.arguments})
		if isNew {
			rs.begin(ctx, k, f)
		}
		if err := await(ctx, f.answered); err != nil {
			return nil, err
		}
		switch {
		case isNew:
			return f.outcome.result, f.outcome.err
		case f.outcome.answer != nil:
			return k.decode(ctx, f.outcome.answer)
		}
		if err := await(ctx, f.settled); err != nil {
			return nil, err
		}
	}
}

// await waits until done is closed. It returns an error if ctx ends.
func await(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// join returns the flight of a call. isNew says that the caller has to begin it.
func (rs *repeats) join(key flightKey) (f *flight, isNew bool) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if f := rs.flights[key]; f != nil {
		return f, false
	}
	f = &flight{key: key, answered: make(chan struct{}), settled: make(chan struct{})}
	rs.flights[key] = f
	return f, true
}

// begin answers a call in the background.
func (rs *repeats) begin(ctx context.Context, k *repeatableCall, f *flight) {
	release := func() {}
	if k.outlivesConnection() {
		ctx, release = rs.untilEnd(ctx)
		if end, ok := k.server.work.begin(); ok { // else the request is counted
			context.AfterFunc(ctx, end)
		}
	}
	begun := rs.start(func() {
		defer release()
		process, err := rs.tasks.processName(ctx)
		var o *outcome
		if err == nil {
			o, err = (&attempt{repeatableCall: k, repeats: rs, process: process}).run(ctx)
		}
		switch {
		case errors.Is(err, state.ErrUnavailable):
			o = &outcome{result: failureResult(executor.RefusedEnvelope(k.tool.tool, executor.UnavailableError(err)))}
		case err != nil:
			o = &outcome{err: fmt.Errorf("the call cannot be told from its repeats: %w", err)}
		}
		rs.settle(ctx, f, o)
	})
	if !begun {
		release()
		rs.settle(ctx, f, &outcome{err: executor.ErrEnding})
	}
}

// untilEnd returns a context with the values of ctx that ends with the process. release must be called
// in the end.
func (rs *repeats) untilEnd(ctx context.Context) (_ context.Context, release func()) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(rs.ctx, func() { cancel(context.Cause(rs.ctx)) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// start begins work in the background, unless the process ends.
func (rs *repeats) start(work func()) (begun bool) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if !rs.isClosed {
		rs.running.Go(work)
	}
	return !rs.isClosed
}

// storePatience is how long a client waits for the outcome of its call to be stored.
const storePatience = 2 * time.Second

// settle ends a flight, and stores its outcome: before the client has the answer, so that nothing is
// lost with the process, or later if the store cannot be reached.
func (rs *repeats) settle(ctx context.Context, f *flight, o *outcome) {
	f.outcome = o
	isStored := o.store == nil
	if !isStored {
		once, cancel := context.WithTimeout(context.WithoutCancel(ctx), storePatience)
		isStored = isFinal(o.store(once))
		cancel()
	}
	close(f.answered)
	if !isStored {
		rs.persist(f.key.id, o.store)
	}
	rs.mu.Lock()
	delete(rs.flights, f.key)
	rs.mu.Unlock()
	close(f.settled)
}

// isFinal reports whether a change of the store with this error need not be tried again.
func isFinal(err error) bool { return err == nil || errors.Is(err, errTakenOver) }

// persistPatience is how long the store may be out of reach until an outcome is given up.
const persistPatience = time.Minute

// persist makes a change of the store as soon as the store can be reached.
func (rs *repeats) persist(id string, change func(context.Context) error) {
	ctx, cancel := context.WithTimeout(rs.ctx, persistPatience)
	defer cancel()
	pause := firstPause
	for wait(ctx, &pause) == nil {
		if isFinal(change(ctx)) {
			return
		}
	}
	rs.log().Warn("the outcome of a call cannot be stored", "call", id)
}

func (rs *repeats) log() *slog.Logger { return rs.tasks.server.opts.Logger }

// The pauses between two looks at the store: they grow from the first to the longest.
const (
	firstPause   = 20 * time.Millisecond
	longestPause = 500 * time.Millisecond
)

// wait waits for *pause, and makes it longer. It returns an error if ctx ends.
func wait(ctx context.Context, pause *time.Duration) error {
	timer := time.NewTimer(*pause)
	defer timer.Stop()
	*pause = min(2**pause, longestPause)
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func otherArguments() *executor.Error {
	return wrongKey("an earlier call with this idempotency key had other arguments").WithHint("Use another key for another call.")
}

// otherTarget is the error of a call whose key was used for a tool of the same name that does something
// else: one of another project, or of another version of this one.
func (k *repeatableCall) otherTarget() *executor.Error {
	name := k.tool.tool.QualifiedName()
	return wrongKey("an earlier call with this idempotency key was one of another %s, or %[1]s has changed since", name).
		WithHint("Look whether that call had its effect, and use another key. Projects that share a Redis server each need a prefix of their own.")
}

// close ends the calls with the process. Later processes answer their repeats.
func (rs *repeats) close() {
	rs.mu.Lock()
	rs.isClosed = true
	rs.mu.Unlock()
	rs.stop(executor.ErrEnding)
	ended := make(chan struct{})
	go func() { rs.running.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(taskEndPatience):
	}
}
