// Package state stores small values that outlive the program, or that several processes must agree
// on, by bucket and key. It also has the limits that calls share: rates and circuit breakers.
//
// A [Store] says where: [New] returns the one of this machine, in a file of the person's state
// folder; [NewMemory] returns one that ends with the process. Whoever uses a Store need not know
// which one it has. No value is ever assumed: an operation that cannot read or write returns an
// error.
package state

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// Store stores values by bucket and key. It is safe for concurrent use. The caller of the function
// that made it must call Close.
type Store interface {
	Values
	Processes
	Limits
	Cache
	// Ready returns an error if values cannot be stored.
	Ready(ctx context.Context) error
	// Close ends the store's connections. No other method may be called afterwards.
	Close() error
}

// Forever is the life of a value that stays until it is deleted.
const Forever time.Duration = 0

// Values are the values of a Store. Keys are not empty. Every process that uses the store sees a value after the method
// that stored it has returned. A value whose life is over is like one that is missing.
type Values interface {
	// Put stores v as JSON under a key of a bucket, for the time life.
	Put(ctx context.Context, bucket, key string, v any, life time.Duration) error
	// Get decodes the value of key in bucket into into. ok is false if there is no value.
	Get(ctx context.Context, bucket, key string, into any) (ok bool, err error)
	// Delete deletes the value of a key. A missing value is not an error.
	Delete(ctx context.Context, bucket, key string) error
	// CompareAndSwap stores text under key for the time life if the current value is old, and reports
	// whether it did. If old is "", the key must have no value; if text is "", the value is deleted.
	CompareAndSwap(ctx context.Context, bucket, key, old, text string, life time.Duration) (swapped bool, err error)
	// Each calls see with each key and value of bucket, in the order of the keys. see may keep raw,
	// which is a copy. see may not use the store. What this program has not stored is left out.
	Each(ctx context.Context, bucket string, see func(key string, raw json.RawMessage)) error
}

// Processes tells processes of each other.
type Processes interface {
	// Announce marks this process as alive under a name, which no other process may use, until leave
	// is called or the process ends in any way.
	Announce(ctx context.Context, name string) (leave func(), err error)
	// IsPresent reports whether the process that announced a name is alive.
	IsPresent(ctx context.Context, name string) (bool, error)
}

// Limits are the limits that all processes of a Store share, by key. A key always comes with the
// same limit. Where the store cannot be reached, the limits are those of this process alone.
type Limits interface {
	// Reserve reserves the next turn of key, unless that comes later than in longest.
	Reserve(ctx context.Context, key string, rate Rate, longest time.Duration) Turn
	// Acquire asks the circuit breaker of key whether a call may be made. The caller passes the
	// outcome of a call that may be made to Record.
	Acquire(ctx context.Context, key string, b Breaker) (now Circuit, ok bool)
	// Record records the outcome of a call.
	Record(ctx context.Context, key string, b Breaker, failed bool) Circuit
}

// Cache is what processes spare each other. It may lose a value at any time; it is never on the disk
// of this machine, and a store of one machine has none.
type Cache interface {
	// Remember stores a value under key for the time life.
	Remember(ctx context.Context, key string, value []byte, life time.Duration)
	// Recall returns the value of a key; ok is false if there is none.
	Recall(ctx context.Context, key string) (value []byte, ok bool)
}

// NoCache is the [Cache] of a store of one machine.
type NoCache struct{}

// Remember implements [Cache]. It does nothing.
func (NoCache) Remember(context.Context, string, []byte, time.Duration) {}

// Recall implements [Cache]. It has nothing.
func (NoCache) Recall(context.Context, string) ([]byte, bool) { return nil, false }

// Rate says how often something may be done: PerSecond times, evenly spaced, and Burst times at
// once. A Burst below 1 counts as 1.
type Rate struct {
	PerSecond float64
	Burst     int
}

// Turn is when something may be done.
type Turn struct {
	Wait  time.Duration // until then
	Taken bool          // false: the turn comes too late, and is not reserved

	cancel func()
}

// NewTurn returns a reserved turn. cancel gives it back.
func NewTurn(wait time.Duration, cancel func()) Turn { return Turn{wait, true, cancel} }

// Cancel gives the turn back to others, as far as none of them has reserved a later one.
func (t Turn) Cancel() {
	if t.cancel != nil {
		t.cancel()
	}
}

// Breaker says when the circuit of an endpoint opens: after Threshold failures in a row. Then no
// call is made for the time Reset, and after that one on trial.
type Breaker struct {
	Threshold int
	Reset     time.Duration
}

// CircuitState is the state of a circuit.
type CircuitState string

// The states of a circuit.
const (
	Closed   CircuitState = "closed"    // calls are made
	Open     CircuitState = "open"      // no call is made
	HalfOpen CircuitState = "half-open" // one call is made on trial
)

// Circuit is a circuit as it is at one moment.
type Circuit struct {
	State CircuitState
	Wait  time.Duration // until a call is made on trial; 0 unless State is Open
}

// Errors of a Store.
var (
	// ErrDamaged is the error of a file that does not hold a store.
	ErrDamaged = errors.New("it is damaged")
	// ErrUnavailable is the error of a store that cannot be reached at the moment.
	ErrUnavailable = errors.New("what the servers share cannot be reached")
)

// OrMemory returns s, or a store in memory if s is nil.
func OrMemory(s Store) Store {
	if s == nil {
		return NewMemory()
	}
	return s
}

// Swap is what a [Store] does in CompareAndSwap. It returns the value that replaces raw; nil stands
// for no value. ok is false if raw is not old.
func Swap(raw json.RawMessage, old, text string) (next json.RawMessage, ok bool, err error) {
	var stored string
	if raw != nil {
		if err := json.Unmarshal(raw, &stored); err != nil {
			return nil, false, err
		}
	}
	if stored != old {
		return nil, false, nil
	}
	if text != "" {
		next, err = json.Marshal(text)
	}
	return next, err == nil, err
}
