// Package statetest is the test suite for every implementation of [state.Store].
package statetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/state"
)

// Options say what an implementation does not promise.
type Options struct {
	OwnLimits bool // limits are those of one process alone
	OwnCache  bool // there is no cache
}

// Run runs the suite. open returns what two processes have of a store that is empty.
func Run(t *testing.T, open func(t *testing.T) (one, other state.Store), o Options) {
	tests := map[string]func(t *testing.T, one, other state.Store){
		"values":              testValues,
		"lives":               testLives,
		"compare and swap":    testCompareAndSwap,
		"lives of swapped":    testSwappedLife,
		"one of many swaps":   testOneSwaps,
		"values of one kind":  testEach,
		"presence":            testPresence,
		"locks":               testLocks,
		"locks of the killed": testLockOfKilled,
		"rates":               testRate,
		"turns given back":    testCancelledTurn,
		"bursts":              testBurst,
		"breakers":            testBreaker,
		"ready":               testReady,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			one, other := open(t)
			t.Cleanup(func() {
				if err := errors.Join(one.Close(), other.Close()); err != nil {
					t.Error(err)
				}
			})
			test(t, one, other)
		})
	}
	shared := map[string]func(t *testing.T, one, other state.Store){}
	if !o.OwnLimits {
		shared["shared rates"], shared["shared breakers"], shared["one on trial"] = testSharedRate, testSharedBreaker, testOneOnTrial
	}
	if !o.OwnCache {
		shared["cache"] = testCache
	}
	for name, test := range shared {
		t.Run(name, func(t *testing.T) {
			one, other := open(t)
			t.Cleanup(func() { _ = errors.Join(one.Close(), other.Close()) })
			test(t, one, other)
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// expect checks the text that a store has under a key; "" is no value.
func expect(t *testing.T, s state.Store, bucket, key, want string) {
	t.Helper()
	var got string
	if ok, err := s.Get(t.Context(), bucket, key, &got); err != nil || got != want || ok != (want != "") {
		t.Errorf("%s %s: %q, %v, %v; want %q", bucket, key, got, ok, err, want)
	}
}

func testValues(t *testing.T, one, other state.Store) {
	ctx := t.Context()
	expect(t, one, "b", "k", "")
	must(t, one.Put(ctx, "b", "k", "v", state.Forever))
	must(t, one.Put(ctx, "b", "other", "of another key", time.Hour))
	must(t, one.Put(ctx, "c", "k", "of another bucket", state.Forever))
	expect(t, other, "b", "k", "v")
	expect(t, other, "c", "k", "of another bucket")
	must(t, other.Put(ctx, "b", "k", "next", state.Forever))
	expect(t, one, "b", "k", "next")
	must(t, other.Delete(ctx, "b", "k"))
	must(t, other.Delete(ctx, "b", "k"))
	expect(t, one, "b", "k", "")
	expect(t, one, "c", "k", "of another bucket")
	type value struct {
		N    json.Number
		List []string
	}
	want, got := value{"12345678901234567890.10", []string{"ä\x00b"}}, value{}
	must(t, one.Put(ctx, "b", "object", want, state.Forever))
	if ok, err := other.Get(ctx, "b", "object", &got); !ok || err != nil || got.N != want.N || !slices.Equal(got.List, want.List) {
		t.Errorf("%v, %v, %v", got, ok, err)
	}
	if _, err := one.Get(ctx, "b", "object", new(int)); err == nil {
		t.Error("an object was read as a number")
	}
}

// short is a life that ends during a test.
const short = 300 * time.Millisecond

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

func testLives(t *testing.T, one, other state.Store) {
	ctx := t.Context()
	must(t, one.Put(ctx, "b", "long", "v", time.Hour))
	must(t, one.Put(ctx, "b", "renewed", "v", short))
	must(t, one.Put(ctx, "b", "short", "v", short))
	must(t, one.Put(ctx, "b", "renewed", "v", state.Forever))
	eventually(t, "a life does not end", func() bool {
		ok, err := other.Get(ctx, "b", "short", new(string))
		return !ok && err == nil
	})
	must(t, one.Put(ctx, "b", "later", "v", time.Hour))
	if got := keys(t, other); !slices.Equal(got, []string{"later", "long", "renewed"}) {
		t.Error(got)
	}
	if ok, err := one.CompareAndSwap(ctx, "b", "short", "", "again", time.Hour); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	expect(t, other, "b", "short", "again")
}

func keys(t *testing.T, s state.Store) (all []string) {
	t.Helper()
	must(t, s.Each(t.Context(), "b", func(key string, _ json.RawMessage) { all = append(all, key) }))
	return all
}

func testCompareAndSwap(t *testing.T, one, other state.Store) {
	for _, step := range []struct {
		store     state.Store
		old, text string
		want      bool
	}{
		{one, "x", "a", false}, {one, "", "a", true}, {other, "", "b", false}, {other, "x", "b", false},
		{other, "a", "b", true}, {one, "a", "", false}, {one, "b", "b", true}, {other, "b", "", true}, {one, "b", "", false},
		{one, "", "", true}, {one, "", "c", true},
	} {
		t.Run(fmt.Sprintf("%q to %q", step.old, step.text), func(t *testing.T) {
			if ok, err := step.store.CompareAndSwap(t.Context(), "b", "k", step.old, step.text, state.Forever); ok != step.want || err != nil {
				t.Errorf("%v, %v", ok, err)
			}
		})
	}
	expect(t, one, "b", "k", "c")
	must(t, one.Put(t.Context(), "b", "k", 1, state.Forever))
	if ok, err := one.CompareAndSwap(t.Context(), "b", "k", "1", "2", state.Forever); ok || err == nil {
		t.Errorf("a number was swapped: %v, %v", ok, err)
	}
}

func testSwappedLife(t *testing.T, one, other state.Store) {
	ctx := t.Context()
	for _, s := range []state.Store{one, other} {
		eventually(t, "the first life does not end", func() bool {
			ok, err := s.CompareAndSwap(ctx, "b", "k", "", "v", short)
			return ok && err == nil
		})
	}
	if ok, err := one.CompareAndSwap(ctx, "b", "k", "v", "w", state.Forever); !ok || err != nil {
		t.Fatalf("%v, %v", ok, err)
	}
	time.Sleep(2 * short) // nothing is to happen
	expect(t, other, "b", "k", "w")
}

func testOneSwaps(t *testing.T, one, other state.Store) {
	var won atomic.Int32
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			ok, err := []state.Store{one, other}[i%2].CompareAndSwap(t.Context(), "b", "k", "", fmt.Sprint("by ", i), time.Hour)
			if err != nil {
				t.Error(err)
			}
			if ok {
				won.Add(1)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d swapped", won.Load())
	}
}

func testEach(t *testing.T, one, other state.Store) {
	ctx := t.Context()
	want := map[string]string{}
	for i := range 250 {
		key := fmt.Sprintf("%03d", (i*7)%250)
		want[key] = fmt.Sprint(i)
		must(t, one.Put(ctx, "b", key, want[key], []time.Duration{state.Forever, time.Hour}[i%2]))
	}
	must(t, one.Put(ctx, "c", "k", "of another bucket", state.Forever))
	must(t, one.Put(ctx, "b", "deleted", "", time.Hour))
	must(t, one.Delete(ctx, "b", "deleted"))
	got := map[string]string{}
	var order []string
	must(t, other.Each(ctx, "b", func(key string, raw json.RawMessage) {
		var text string
		must(t, json.Unmarshal(raw, &text))
		got[key] = text
		order = append(order, key)
	}))
	if !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if !slices.IsSorted(order) {
		t.Error("the keys are not in their order")
	}
	must(t, other.Each(ctx, "none", func(string, json.RawMessage) { t.Error("a value of an empty bucket") }))
}

func testPresence(t *testing.T, one, other state.Store) {
	ctx := t.Context()
	check := func(want bool) {
		t.Helper()
		if got, err := other.IsPresent(ctx, "a"); got != want || err != nil {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
	}
	check(false)
	leave, err := one.Announce(ctx, "a")
	must(t, err)
	check(true)
	if _, err := other.Announce(ctx, "a"); err == nil {
		t.Error("a name is used twice")
	}
	leave()
	check(false)
	leave, err = other.Announce(ctx, "a")
	must(t, err)
	leave()
}

func testLocks(t *testing.T, one, other state.Store) {
	var inside, most atomic.Int32
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			unlock, err := state.Lock(t.Context(), []state.Store{one, other}[i%2], "l", time.Minute)
			if err != nil {
				t.Error(err)
				return
			}
			if n := inside.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(5 * time.Millisecond) // the others try meanwhile
			inside.Add(-1)
			unlock()
		})
	}
	all.Wait()
	if most.Load() != 1 {
		t.Errorf("%d at once", most.Load())
	}
}

func testLockOfKilled(t *testing.T, one, other state.Store) {
	_, err := state.Lock(t.Context(), one, "l", short)
	must(t, err)
	unlock, err := state.Lock(t.Context(), other, "l", time.Minute)
	must(t, err)
	unlock()
}

func testRate(t *testing.T, one, _ state.Store) {
	rate := state.Rate{PerSecond: 10}
	for i, want := range []time.Duration{0, 100 * time.Millisecond, 200 * time.Millisecond} {
		turn := one.Reserve(t.Context(), "k", rate, time.Second)
		if !turn.Taken || turn.Wait > want || turn.Wait < want-90*time.Millisecond {
			t.Errorf("%d: %+v, want %v", i, turn, want)
		}
	}
	for range 2 { // the second does not wait for the first
		if turn := one.Reserve(t.Context(), "k", rate, 10*time.Millisecond); turn.Taken || turn.Wait > 300*time.Millisecond || turn.Wait <= 10*time.Millisecond {
			t.Errorf("%+v", turn)
		}
	}
	if turn := one.Reserve(t.Context(), "other", rate, 0); !turn.Taken || turn.Wait != 0 {
		t.Errorf("%+v", turn)
	}
}

func testCancelledTurn(t *testing.T, one, _ state.Store) {
	rate := state.Rate{PerSecond: 0.1}
	one.Reserve(t.Context(), "k", rate, 0)
	turn := one.Reserve(t.Context(), "k", rate, time.Minute)
	turn.Cancel()
	if next := one.Reserve(t.Context(), "k", rate, time.Minute); !next.Taken || next.Wait > 10*time.Second {
		t.Errorf("%+v after %+v", next, turn)
	}
}

func testBurst(t *testing.T, one, _ state.Store) {
	rate := state.Rate{PerSecond: 0.1, Burst: 5}
	for i := range 5 {
		if turn := one.Reserve(t.Context(), "k", rate, 0); !turn.Taken || turn.Wait != 0 {
			t.Errorf("%d: %+v", i, turn)
		}
	}
	if turn := one.Reserve(t.Context(), "k", rate, 0); turn.Taken || turn.Wait > 10*time.Second || turn.Wait < 5*time.Second {
		t.Errorf("%+v", turn)
	}
}

// breaker opens after three failures in a row.
func breaker() state.Breaker { return state.Breaker{Threshold: 3, Reset: short} }

func expectCircuit(t *testing.T, got state.Circuit, want state.CircuitState) {
	t.Helper()
	if got.State != want || (got.Wait > 0) != (want == state.Open) || got.Wait > short {
		t.Errorf("%+v, want %s", got, want)
	}
}

// call makes a call whose circuit must be in the given state before it.
func call(t *testing.T, s state.Store, before state.CircuitState, failed bool, after state.CircuitState) {
	t.Helper()
	now, ok := s.Acquire(t.Context(), "k", breaker())
	if !ok {
		t.Errorf("refused: %+v", now)
	}
	expectCircuit(t, now, before)
	expectCircuit(t, s.Record(t.Context(), "k", breaker(), failed), after)
}

func refused(t *testing.T, s state.Store, want state.CircuitState) {
	t.Helper()
	now, ok := s.Acquire(t.Context(), "k", breaker())
	if ok {
		t.Error("a call was let through")
	}
	expectCircuit(t, now, want)
}

func testBreaker(t *testing.T, one, _ state.Store) {
	for range 2 {
		call(t, one, state.Closed, true, state.Closed)
		call(t, one, state.Closed, true, state.Closed)
		call(t, one, state.Closed, false, state.Closed) // no three in a row
	}
	for _, after := range []state.CircuitState{state.Closed, state.Closed, state.Open} {
		call(t, one, state.Closed, true, after)
	}
	refused(t, one, state.Open)
	if now, ok := one.Acquire(t.Context(), "other", breaker()); !ok || now.State != state.Closed {
		t.Errorf("another circuit: %+v, %v", now, ok)
	}
	time.Sleep(short)
	call(t, one, state.HalfOpen, true, state.Open)
	refused(t, one, state.Open)
	time.Sleep(short)
	call(t, one, state.HalfOpen, false, state.Closed)
	call(t, one, state.Closed, true, state.Closed)
}

func testSharedBreaker(t *testing.T, one, other state.Store) {
	call(t, one, state.Closed, true, state.Closed)
	call(t, other, state.Closed, true, state.Closed)
	call(t, one, state.Closed, true, state.Open)
	refused(t, other, state.Open)
	time.Sleep(short)
	call(t, other, state.HalfOpen, false, state.Closed)
	call(t, one, state.Closed, false, state.Closed)
}

func testOneOnTrial(t *testing.T, one, other state.Store) {
	for range 3 {
		one.Record(t.Context(), "k", breaker(), true)
	}
	time.Sleep(short)
	var won atomic.Int32
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if now, ok := []state.Store{one, other}[i%2].Acquire(t.Context(), "k", breaker()); ok {
				expectCircuit(t, now, state.HalfOpen)
				won.Add(1)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d on trial", won.Load())
	}
	expectCircuit(t, other.Record(t.Context(), "k", breaker(), false), state.Closed)
}

func testSharedRate(t *testing.T, one, other state.Store) {
	rate := state.Rate{PerSecond: 0.5}
	var most atomic.Int64
	var all sync.WaitGroup
	for i := range 10 {
		all.Go(func() {
			turn := []state.Store{one, other}[i%2].Reserve(t.Context(), "k", rate, time.Hour)
			for old := most.Load(); int64(turn.Wait) > old && !most.CompareAndSwap(old, int64(turn.Wait)); old = most.Load() {
			}
		})
	}
	all.Wait()
	if last := time.Duration(most.Load()); last > 18*time.Second || last < 16*time.Second {
		t.Errorf("the last of ten turns comes in %v", last)
	}
}

func testCache(t *testing.T, one, other state.Store) {
	ctx := t.Context()
	if value, ok := one.Recall(ctx, "k"); ok {
		t.Errorf("%q", value)
	}
	want := "\x00a\xff"
	one.Remember(ctx, "k", []byte(want), time.Hour)
	one.Remember(ctx, "short", []byte(want), short)
	if value, ok := other.Recall(ctx, "k"); !ok || string(value) != want {
		t.Errorf("%q, %v", value, ok)
	}
	eventually(t, "a life does not end", func() bool {
		_, ok := other.Recall(ctx, "short")
		return !ok
	})
}

func testReady(t *testing.T, one, _ state.Store) { must(t, one.Ready(t.Context())) }
