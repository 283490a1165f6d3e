package executor

import (
	"context"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/state/redis"
	"github.com/abl-lsp/abl-lsp/internal/redistest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// withShared returns an Executor of one of the servers that share a Redis server.
func withShared(t *testing.T, url, dir string, k Runner) *Executor {
	t.Helper()
	s, err := redis.Open(redis.Options{URL: url, Key: "the state key"})
	if err != nil {
		t.Fatal(err)
	}
	x := New(Options{Runners: map[tool.Kind]Runner{"test": k}, State: s, StateDir: dir})
	t.Cleanup(func() {
		_ = x.Close()
		_ = s.Close()
	})
	return x
}

// nowhere is the URL of a Redis server that is not there.
const nowhere = "redis://127.0.0.1:1"

// expectUnavailable checks that a call was refused since what the servers share cannot be reached.
func expectUnavailable(t *testing.T, e Envelope) {
	t.Helper()
	if kindOf(e) != KindNetwork || e.Error.Code != "shared-state" || !e.Error.Retryable {
		t.Errorf("%+v", e.Error)
	}
}

// TestConfirmationsAreShared checks that a confirmation that one server has asked for is good for one
// run on any of them.
func TestConfirmationsAreShared(t *testing.T) {
	server := redistest.Start(t)
	k := &runner{}
	one, other := withShared(t, server.URL(), "", k), withShared(t, server.URL(), "", k)
	r := trusted(&tool.Tool{Name: "t", Kind: "test", Spec: &spec{}}, "")
	r.Confirm = one.Run(t.Context(), r).Needs.Confirmation.Digest
	if e := other.Run(t.Context(), r); !e.OK {
		t.Fatalf("%+v", e.Error)
	}
	for _, x := range []*Executor{one, other} {
		if e := x.Run(t.Context(), r); e.Needs == nil || e.Needs.Confirmation == nil || e.Needs.Confirmation.Digest == r.Confirm {
			t.Errorf("%+v", e)
		}
	}
	if k.calls != 1 {
		t.Errorf("%d calls", k.calls)
	}
}

// TestNothingIsAssumed checks that nothing that may happen only once happens while it is not known whether
// it has happened, and that everything else goes on.
func TestNothingIsAssumed(t *testing.T) {
	k := &runner{}
	x := withShared(t, nowhere, t.TempDir(), k)
	r := trusted(&tool.Tool{Name: "t", Kind: "test", Spec: &spec{}, Common: tool.Common{Revert: bound("undo")}}, "")
	expectUnavailable(t, x.Run(t.Context(), r))
	r.Confirm = strings.Repeat("0", 64)
	expectUnavailable(t, x.Run(t.Context(), r))
	if k.calls != 0 {
		t.Errorf("%d calls", k.calls)
	}
	r.Yes = true
	run := x.Run(t.Context(), r)
	if !run.OK {
		t.Fatalf("%+v", run.Error)
	}
	expectUnavailable(t, x.Revert(t.Context(), r, run.Run))
	if k.calls != 1 {
		t.Errorf("%d calls", k.calls)
	}
}

// TestRevertsAreShared checks that one of several servers at once reverts a run, also if each has a journal
// of its own that knows the run.
func TestRevertsAreShared(t *testing.T) {
	server := redistest.Start(t)
	var undone atomic.Int32
	k := &runner{run: func(_ context.Context, call Call) (Result, error) {
		if call.Tool.Spec.(*spec).Text == "undo" {
			undone.Add(1)
		}
		return Result{Value: encode(1)}, nil
	}}
	tl := reading(&spec{Text: "put"})
	tl.Name, tl.Revert, tl.Hints.SideEffects = "put", bound("undo"), ""
	r := trusted(tl, "")
	r.Yes = true
	dir := t.TempDir()
	first := withShared(t, server.URL(), dir, k)
	run := first.Run(t.Context(), r).Run
	if rows, err := first.journal.Rows(); err != nil || len(rows) != 1 {
		t.Fatalf("%+v, %v", rows, err)
	}
	servers := []*Executor{first}
	for range 3 {
		own := t.TempDir()
		if err := os.CopyFS(own, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		servers = append(servers, withShared(t, server.URL(), own, k))
	}
	var all sync.WaitGroup
	for _, x := range servers {
		for range 3 {
			all.Go(func() {
				if e := x.Revert(t.Context(), r, run); !e.OK && (kindOf(e) != KindDenied || e.Error.Code != "reverted") {
					t.Errorf("%+v", e.Error)
				}
			})
		}
	}
	all.Wait()
	if n := undone.Load(); n != 1 {
		t.Errorf("undone %d times", n)
	}
}

// TestOutageIsNoFailureOfAnEndpoint checks that the circuit of an endpoint stays closed when a call was
// not made since the confirmation could not be used.
func TestOutageIsNoFailureOfAnEndpoint(t *testing.T) {
	if h := healthOf(Result{}, UnavailableError(errUnavailableTest())); h != healthUnknown {
		t.Errorf("%v", h)
	}
}

func errUnavailableTest() error {
	s, err := redis.Open(redis.Options{URL: nowhere, Key: "k"})
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Ready(context.Background())
}

// TestResultsAreShared checks that servers reuse each other's results, except those that may not be
// stored.
func TestResultsAreShared(t *testing.T) {
	server := redistest.Start(t)
	for name, tt := range map[string]struct {
		change func(*tool.Tool)
		want   bool
	}{
		"storable":       {func(*tool.Tool) {}, true},
		"not to store":   {func(tl *tool.Tool) { tl.StoreResult = "false" }, false},
		"personal data":  {func(tl *tool.Tool) { tl.PIIAccess = "output" }, false},
		"only of a logs": {func(tl *tool.Tool) { tl.PIIAccess = "logs" }, true},
	} {
		t.Run(name, func(t *testing.T) {
			k := &runner{run: func(context.Context, Call) (Result, error) {
				return Result{Value: []byte(`{"n": 10.50, "h": "<a>"}`), Console: "said", Warnings: []string{"w"}}, nil
			}}
			one, other := withShared(t, server.URL(), "", k), withShared(t, server.URL(), "", k)
			tl := reading(&spec{})
			tl.Name, tl.Hints.Cacheable = name, "true"
			tt.change(tl)
			first := one.Run(t.Context(), trusted(tl, ""))
			again := other.Run(t.Context(), trusted(tl, ""))
			if !first.OK || !again.OK || again.Cached != tt.want {
				t.Fatalf("%+v, then %+v", first, again)
			}
			if string(again.Value) != string(first.Value) || again.Console != "said" || len(again.Warnings) != 1 {
				t.Errorf("%s, %q, %q", again.Value, again.Console, again.Warnings)
			}
			if e := one.Run(t.Context(), trusted(tl, "")); !e.Cached {
				t.Error("it is not in memory")
			}
		})
	}
}

// TestLimitsAreShared checks that rates and circuits are those of all servers.
func TestLimitsAreShared(t *testing.T) {
	server := redistest.Start(t)
	failing := func(context.Context, Call) (Result, error) {
		return Result{}, &Error{Kind: KindRemote, Code: "http-500", Message: "500", Status: 500}
	}
	k := &paced{pace: Pace{Breaker: Breaker{Threshold: 2, Reset: time.Hour}}, run: failing}
	one, other := withShared(t, server.URL(), "", k), withShared(t, server.URL(), "", k)
	r := trusted(reading(&spec{}), "")
	one.Run(t.Context(), r)
	if e := other.Run(t.Context(), r); e.Breaker == nil || *e.Breaker != "open" {
		t.Errorf("%+v", e)
	}
	if e := one.Run(t.Context(), r); kindOf(e) != KindNetwork || e.Error.Code != "circuit-open" {
		t.Errorf("%+v", e.Error)
	}
	k.pace = Pace{Rate: 0.01}
	if e := one.Run(t.Context(), r); kindOf(e) != KindRemote {
		t.Errorf("%+v", e.Error)
	}
	if e := other.Run(t.Context(), r); kindOf(e) != KindLimit || e.Error.Code != "rate-limit" {
		t.Errorf("%+v", e.Error)
	}
}
