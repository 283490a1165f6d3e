package executor

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/abl-lsp/abl-lsp/tool"
)

// paced is a Runner whose pace the test sets.
type paced struct {
	mu    sync.Mutex
	calls int
	run   func(ctx context.Context, call Call) (Result, error)
	pace  Pace
}

func (p *paced) Run(ctx context.Context, call Call) (Result, error) {
	p.mu.Lock()
	p.calls++
	run := p.run
	p.mu.Unlock()
	if run == nil {
		return Result{}, nil
	}
	return run(ctx, call)
}

func (p *paced) Pace(Call) (Pace, error) { return p.pace, nil }

func (p *paced) Reach(Call) (Reach, error) { return Reach{Receiver: "api.example.com"}, nil }

func (p *paced) executor() *Executor {
	return New(Options{Runners: map[tool.Kind]Runner{"test": p}, LookupEnv: func(string) (string, bool) { return "", false }})
}

var (
	errLost   = &Error{Kind: KindNetwork, Code: "lost", Message: "lost"}
	errServer = &Error{Kind: KindRemote, Code: "http-500", Message: "500", Status: 500}
	errClient = &Error{Kind: KindRemote, Code: "http-404", Message: "404", Status: 404}
)

func TestDelays(t *testing.T) {
	for _, tt := range []struct {
		pace Pace
		want string
	}{
		{Pace{}, "0s 0s 0s 0s"},
		{Pace{Delay: time.Second}, "1s 1s 1s 1s"},
		{Pace{Delay: time.Second, Factor: 2}, "1s 2s 4s 8s"},
		{Pace{Delay: time.Second, Factor: 3, MaxDelay: 5 * time.Second}, "1s 3s 5s 5s"},
		{Pace{Delay: time.Second, Factor: 1e300}, "1s 1h0m0s 1h0m0s 1h0m0s"},
		{Pace{Delay: 1 << 62, MaxDelay: 1 << 62}, "1h0m0s 1h0m0s 1h0m0s 1h0m0s"},
		{Pace{Factor: 1e300}, "0s 0s 0s 0s"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			var got []string
			for i := range 4 {
				got = append(got, fmt.Sprint(tt.pace.delay(i)))
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("%+v: %s, want %s", tt.pace, s, tt.want)
			}
		})
	}
	jittered := Pace{Delay: time.Second, Jitter: true}
	seen := map[time.Duration]bool{}
	for range 100 {
		d := jittered.delay(0)
		seen[d] = true
		if d < 0 || d > time.Second {
			t.Fatalf("%v", d)
		}
	}
	if len(seen) < 10 {
		t.Errorf("%d different delays of 100", len(seen))
	}
}

// TestRetryProperty checks that, however calls fail, there are never more attempts than allowed,
// and that a call that changes something is not repeated once the other side may have begun it.
func TestRetryProperty(t *testing.T) {
	failures := []Error{
		{Kind: KindNetwork, Code: "lost"}, {Kind: KindNetwork, Code: "connect", Unsent: true},
		{Kind: KindTimeout, Code: "timeout"}, {Kind: KindTimeout, Code: "timeout", Unsent: true},
		{Kind: KindRemote, Status: 500}, {Kind: KindRemote, Status: 503}, {Kind: KindRemote, Status: 503, RetryAfter: time.Second},
		{Kind: KindRemote, Status: 429, RetryAfter: 1}, {Kind: KindRemote, Status: 408}, {Kind: KindRemote, Status: 400},
		{Kind: KindLimit, Code: "response-size"}, {Kind: KindInternal, Code: "internal"}, {Kind: KindDenied, Code: "private-address"},
	}
	harmless := func(e Error) bool { return e.Unsent || (e.Status == 429 || e.Status == 503) && e.RetryAfter > 0 }
	for range 2000 {
		synctest.Test(t, func(t *testing.T) {
			var given []Error
			p := &paced{pace: Pace{Retries: rand.IntN(6), Delay: time.Duration(rand.IntN(3)) * time.Second, Factor: 2, Jitter: rand.IntN(2) == 0, Rate: float64(rand.IntN(3))}}
			p.run = func(context.Context, Call) (Result, error) {
				e := failures[rand.IntN(len(failures))]
				given = append(given, e)
				if rand.IntN(5) == 0 {
					return Result{}, nil
				}
				return Result{}, &e
			}
			tl := reading(&spec{})
			tl.Hints.SideEffects = tool.Flag(fmt.Sprint(rand.IntN(2) == 0))
			r := trusted(tl, `{}`)
			r.Yes = true
			e := p.executor().Run(t.Context(), r)
			if len(given) > p.pace.Retries+1 || len(e.Attempts) != len(given) {
				t.Fatalf("%d calls, %d attempts, %d retries", len(given), len(e.Attempts), p.pace.Retries)
			}
			for _, before := range given[:len(given)-1] {
				if tl.Hints.SideEffects == "true" && !harmless(before) {
					t.Fatalf("called again after %+v", before)
				}
			}
		})
	}
}

// TestRetryIsReported checks that the person sees that a call is retried, and why.
func TestRetryIsReported(t *testing.T) {
	p := &paced{pace: Pace{Retries: 3}}
	p.run = func(context.Context, Call) (Result, error) {
		if p.calls < 3 {
			return Result{}, errServer
		}
		return Result{Value: json.RawMessage("1")}, nil
	}
	r := trusted(reading(&spec{}), `{}`)
	var messages []string
	r.Report = func(p Progress) { messages = append(messages, p.Message) }
	e := p.executor().Run(t.Context(), r)
	if want := []string{"attempt 2 of 4, after: 500", "attempt 3 of 4, after: 500"}; !e.OK || !slices.Equal(messages, want) {
		t.Errorf("%q, %+v", messages, e.Error)
	}
}

func TestRateLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var at []time.Duration
		start := time.Now()
		p := &paced{pace: Pace{Rate: 4}}
		p.run = func(context.Context, Call) (Result, error) {
			mu.Lock()
			defer mu.Unlock()
			at = append(at, time.Since(start))
			return Result{Value: json.RawMessage("1")}, nil
		}
		x := p.executor()
		var messages []string
		var all sync.WaitGroup
		for range 9 {
			all.Go(func() {
				r := trusted(reading(&spec{}), `{}`)
				r.Report = func(p Progress) { mu.Lock(); defer mu.Unlock(); messages = append(messages, p.Message) }
				if e := x.Run(t.Context(), r); !e.OK {
					t.Errorf("%+v", e.Error)
				}
			})
		}
		all.Wait()
		for i, d := range at {
			if want := time.Duration(i) * 250 * time.Millisecond; d != want {
				t.Errorf("call %d after %v, want %v", i, d, want)
			}
		}
		if len(messages) != 8 || !strings.Contains(strings.Join(messages, "\n"), "waiting 2s for its turn (rate_limit: 4)") {
			t.Errorf("%q", messages)
		}
		// Another environment is another endpoint.
		r := trusted(reading(&spec{}), `{}`)
		r.Environment.Name = "prod"
		before := time.Now()
		x.Run(t.Context(), r)
		if time.Since(before) != 0 {
			t.Error("it waited for the turn of another environment")
		}
	})
}

// TestRateLimitBeyondTheCall checks that a call which would have to wait too long fails at once,
// and does not use up a turn.
func TestRateLimitBeyondTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &paced{pace: Pace{Rate: 0.1, Retries: 3}}
		x, start := p.executor(), time.Now()
		tl := reading(&spec{})
		tl.Hints.Timeout = "5000"
		if e := x.Run(t.Context(), trusted(tl, `{}`)); !e.OK {
			t.Fatalf("%+v", e.Error)
		}
		for range 3 {
			e := x.Run(t.Context(), trusted(tl, `{}`))
			if kindOf(e) != KindLimit || e.Error.Code != "rate-limit" || !e.Error.Retryable || len(e.Attempts) != 0 || time.Since(start) != 0 {
				t.Fatalf("%+v after %v", e.Error, time.Since(start))
			}
			if !strings.Contains(e.Error.Message, "rate_limit: 0.1") || !strings.Contains(e.Error.Message, "10s") {
				t.Error(e.Error.Message)
			}
		}
		time.Sleep(6 * time.Second)
		if e := x.Run(t.Context(), trusted(tl, `{}`)); !e.OK || roundWait(time.Since(start)) != 10*time.Second {
			t.Errorf("%+v after %v", e.Error, time.Since(start))
		}
		// A wait can be cancelled.
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		slow := reading(&spec{})
		if e := x.Run(ctx, trusted(slow, `{}`)); kindOf(e) != KindTimeout || e.Error.Code != "cancelled" {
			t.Errorf("%+v", e.Error)
		}
	})
}

func TestBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var answer error
		p := &paced{pace: Pace{Breaker: Breaker{Threshold: 3, Reset: 10 * time.Second}}}
		p.run = func(context.Context, Call) (Result, error) { return Result{}, answer }
		x := p.executor()
		run := func(result error, state, code string, calls int) {
			t.Helper()
			answer, p.calls = result, 0
			e := x.Run(t.Context(), trusted(reading(&spec{}), `{}`))
			got := ""
			if e.Error != nil {
				got = e.Error.Code
			}
			if e.Breaker == nil || *e.Breaker != state || got != code || p.calls != calls || len(e.Attempts) != calls {
				t.Fatalf("breaker %v, %+v, %d calls; want %s %s %d", e.Breaker, e.Error, p.calls, state, code, calls)
			}
		}
		for range 2 {
			run(errServer, "closed", "http-500", 1)
			run(errLost, "closed", "lost", 1)
			run(errClient, "closed", "http-404", 1) // an answer: the count begins anew
		}
		run(errServer, "closed", "http-500", 1)
		run(errLost, "closed", "lost", 1)
		run(errServer, "open", "http-500", 1)
		time.Sleep(4 * time.Second)
		run(nil, "open", "circuit-open", 0)
		time.Sleep(6 * time.Second)
		run(errServer, "open", "http-500", 1) // the one that is let through
		run(nil, "open", "circuit-open", 0)
		time.Sleep(10 * time.Second)
		run(nil, "closed", "", 1)
		run(errServer, "closed", "http-500", 1)

		e := New(Options{}).Run(t.Context(), Request{})
		if e.Breaker != nil {
			t.Errorf("%v", *e.Breaker)
		}
	})
}

// TestBreakerEndsRetries checks that a run fails at once while the breaker is open, and that
// neither this run nor the one that opened the breaker is retried.
func TestBreakerEndsRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &paced{pace: Pace{Retries: 5, Delay: time.Second, Breaker: Breaker{Threshold: 2, Reset: time.Minute}}}
		p.run = func(context.Context, Call) (Result, error) { return Result{}, errServer }
		x, start := p.executor(), time.Now()
		e := x.Run(t.Context(), trusted(reading(&spec{}), `{}`))
		if e.Error.Code != "http-500" || p.calls != 2 || *e.Breaker != "open" || time.Since(start) != time.Second {
			t.Errorf("%+v, %d calls, %v", e.Error, p.calls, time.Since(start))
		}
		e = x.Run(t.Context(), trusted(reading(&spec{}), `{}`))
		if e.Error.Kind != KindNetwork || !e.Error.Retryable || time.Since(start) != time.Second ||
			e.Error.Message != "api.example.com is not called: it failed 2 times in a row (circuit_breaker); it is tried again in 1m0s" {
			t.Errorf("%+v after %v", e.Error, time.Since(start))
		}
	})
}

// halfOpen is a breaker that the first call has opened. run makes a call once it is tried
// again.
type halfOpen struct {
	runner *paced
	x      *Executor
}

func newHalfOpen(t *testing.T) halfOpen {
	p := &paced{pace: Pace{Breaker: Breaker{Threshold: 1, Reset: time.Second}}}
	h := halfOpen{p, p.executor()}
	h.run(t, func() error { return errServer })
	return h
}

func (h halfOpen) run(t *testing.T, do func() error) Envelope {
	time.Sleep(time.Second)
	h.runner.run = func(context.Context, Call) (Result, error) { return Result{}, do() }
	return h.x.Run(t.Context(), trusted(reading(&spec{}), `{}`))
}

// TestBreakerHalfOpen checks that the one attempt that is let through decides, and that no other
// is let through with it.
func TestBreakerHalfOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHalfOpen(t)
		began, end := make(chan struct{}), make(chan struct{})
		var all sync.WaitGroup
		all.Go(func() {
			e := h.run(t, func() error { close(began); <-end; return nil })
			if !e.OK || *e.Breaker != "closed" {
				t.Errorf("%v %+v", *e.Breaker, e.Error)
			}
		})
		<-began
		e := h.x.Run(t.Context(), trusted(reading(&spec{}), `{}`))
		if *e.Breaker != "half-open" || e.Error.Code != "circuit-open" || !strings.Contains(e.Error.Message, "once the call that tries it now is over") {
			t.Errorf("%v %+v", *e.Breaker, e.Error)
		}
		close(end)
		all.Wait()
	})
}

// TestBreakerStaysOpen checks that an attempt with an unknown outcome, even a panic, does not
// block the next one.
func TestBreakerStaysOpen(t *testing.T) {
	for name, odd := range map[string]func() error{
		"a panic":   func() error { panic("defect") },
		"a refusal": func() error { return Errorf(KindDenied, "private-address", "no") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHalfOpen(t)
				if e := h.run(t, odd); *e.Breaker != "open" || e.Error.Code == "circuit-open" {
					t.Errorf("%v %+v", *e.Breaker, e.Error)
				}
				if e := h.run(t, func() error { return nil }); !e.OK || *e.Breaker != "closed" {
					t.Errorf("%v %+v", *e.Breaker, e.Error)
				}
			})
		})
	}
}

func TestCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &runner{}
		r.run = func(_ context.Context, call Call) (Result, error) {
			call.Track("token", "obtained-token")
			return Result{Value: json.RawMessage(fmt.Sprintf(`{"n": %d, "echo": "obtained-token"}`, r.calls)), Warnings: []string{"w"}}, nil
		}
		x := r.executor()
		tl := reading(&spec{Text: "{{session.user}} {{secrets.KEY}}"}, param("id", "string"))
		tl.Hints.Cacheable = "true"
		tl.OnResult = &tool.Outcome{Set: tool.Assignments{{Name: "n", Expr: "result.n"}}}
		request := func(change func(*Request)) Request {
			q := trusted(tl, `{"id": "1"}`)
			q.Session = json.RawMessage(`{"user": "u1"}`)
			q.Secrets = map[string]string{"KEY": "key-of-one"}
			if change != nil {
				change(&q)
			}
			return q
		}
		run := func(name string, cached bool, change func(*Request)) Envelope {
			t.Helper()
			e := x.Run(t.Context(), request(change))
			if !e.OK || e.Cached != cached || len(e.Attempts) == 0 != cached || len(e.Warnings) != 1 {
				t.Errorf("%s: cached %v, %+v %+v %q", name, e.Cached, e.Attempts, e.Error, e.Warnings)
			}
			if strings.Contains(string(encode(e)), "obtained-token") {
				t.Errorf("%s: %s", name, encode(e))
			}
			return e
		}
		if e := x.Preview(t.Context(), request(nil)); e.Cached {
			t.Error("a preview")
		}
		run("first", false, nil)
		if e := run("same", true, nil); string(e.Set[0].Value.(json.RawMessage)) != "1" {
			t.Errorf("%s", encode(e))
		}
		other := *tl
		other.Returns = &tool.Type{Name: "object"}
		processed := *tl
		processed.Extra = map[string]json.RawMessage{"process": json.RawMessage(`{"after": {"result": {"plan": "session.plan"}}}`)}
		for name, change := range map[string]func(*Request){
			"arguments":   func(q *Request) { q.Args = json.RawMessage(`{"id": "2"}`) },
			"session":     func(q *Request) { q.Session = json.RawMessage(`{"user": "u2"}`) },
			"secret":      func(q *Request) { q.Secrets["KEY"] = "key-of-two" },
			"environment": func(q *Request) { q.Environment.Name = "prod" },
			"base URL":    func(q *Request) { q.Environment.BaseURL = "https://other" },
			"credentials": func(q *Request) { q.Environment.Credentials = Credentials{"look": {Bearer: "b"}} },
			"project":     func(q *Request) { q.Environment.Root = "/elsewhere" },
			"hosts":       func(q *Request) { q.AllowHosts = []string{"localhost"} },
			"tool":        func(q *Request) { q.Tool = &other },
			"process":     func(q *Request) { q.Tool = &processed },
			"session that process sees": func(q *Request) {
				q.Tool, q.Session = &processed, json.RawMessage(`{"user": "u1", "plan": "gold"}`)
			},
		} {
			run(name, false, change)
			run(name, true, change)
		}
		fresh := run("fresh", false, func(q *Request) { q.Fresh = true })
		if e := run("as the fresh one", true, nil); string(e.Value) != string(fresh.Value) {
			t.Errorf("%s after %s", e.Value, fresh.Value)
		}
		time.Sleep(resultsAge)
		run("later", false, nil)
		run("later", true, nil)
		if err := x.Close(); err != nil || x.results.bytes != 0 {
			t.Errorf("%v, %d bytes left", err, x.results.bytes)
		}
		q := request(nil)
		q.Trusted = false
		if e := x.Run(t.Context(), q); e.Needs == nil || !e.Needs.Trust {
			t.Errorf("%+v", e.Error)
		}
	})
}

// TestNoCacheKey checks that a call that cannot be encoded has no cache key.
func TestNoCacheKey(t *testing.T) {
	r := &runner{}
	tl := reading(&spec{})
	tl.Hints.Cacheable = "true"
	tl.Extra = map[string]json.RawMessage{"category": json.RawMessage("no JSON")}
	x := r.executor()
	for range 2 {
		if e := x.Run(t.Context(), trusted(tl, `{}`)); !e.OK || e.Cached {
			t.Errorf("cached %v, %+v", e.Cached, e.Error)
		}
	}
}

// TestNotCached checks that failures, results of the wrong type, and calls that may change
// something are not cached.
func TestNotCached(t *testing.T) {
	for name, change := range map[string]func(*tool.Tool){
		"not cacheable": func(tl *tool.Tool) { tl.Hints.Cacheable = "false" },
		"not said":      func(tl *tool.Tool) { tl.Hints.Cacheable = "" },
		"changes":       func(tl *tool.Tool) { tl.Hints.SideEffects = "true" },
		"unknown":       func(tl *tool.Tool) { tl.Hints.SideEffects = "" },
		"wrong type":    func(tl *tool.Tool) { tl.Returns = &tool.Type{Name: "string"} },
	} {
		t.Run(name, func(t *testing.T) {
			r := &runner{}
			tl := reading(&spec{})
			tl.Hints.Cacheable = "true"
			change(tl)
			q := trusted(tl, `{}`)
			q.Yes = true
			x := r.executor()
			for range 2 {
				if e := x.Run(t.Context(), q); e.Cached {
					t.Errorf("%s: cached", name)
				}
			}
			if r.calls != 2 {
				t.Errorf("%s: %d calls", name, r.calls)
			}
		})
	}
}

// TestResultsAreBounded checks that the size of the cache is bounded.
func TestResultsAreBounded(t *testing.T) {
	s, soon := newResultCache(), time.Now().Add(time.Hour)
	big := Result{Text: strings.Repeat("x", resultBytes/2)}
	for i := range 100 {
		s.addResult(resultKey{byte(i)}, big, soon)
		s.addResult(resultKey{byte(i)}, big, soon)
	}
	if n := s.lru.Len(); s.bytes > resultsBytes || s.bytes != n*big.size() || n < 20 {
		t.Errorf("%d bytes of %d results", s.bytes, n)
	}
	if _, ok := s.get(resultKey{99}); !ok {
		t.Error("the last one is gone")
	}
	s.addResult(resultKey{200}, Result{Text: strings.Repeat("x", resultBytes)}, soon)
	if _, ok := s.get(resultKey{200}); ok {
		t.Error("one that is too large was kept")
	}
}

// TestSharedError checks that runs which fail with the same error value do not change it. Of these
// runs some may be repeated and others not.
func TestSharedError(t *testing.T) {
	failure := &Error{Kind: KindRemote, Code: "http-500", Message: "500", Status: 500}
	r := &paced{run: func(context.Context, Call) (Result, error) { return Result{}, failure }}
	x := r.executor()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			tl := reading(&spec{})
			tl.Hints.SideEffects = tool.Flag(fmt.Sprint(i%2 == 0))
			q := trusted(tl, `{}`)
			q.Yes = true
			if e := x.Run(t.Context(), q); e.OK || e.Error.Retryable == (i%2 == 0) {
				t.Errorf("%d: %+v", i, e.Error)
			}
		})
	}
	all.Wait()
	if failure.Retryable {
		t.Error("it was changed")
	}
}
