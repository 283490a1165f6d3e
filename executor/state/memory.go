package state

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// Memory is a [Store] that ends with the process. [NewMemory] makes one.
type Memory struct {
	*LocalLimits
	NoCache

	mu        sync.Mutex
	values    map[memoryKey]memoryValue
	sweepAt   int // the number of values at which those whose life is over are removed
	processes map[string]bool
}

type memoryKey struct{ bucket, key string }

type memoryValue struct {
	raw json.RawMessage
	end time.Time // of its life; zero: none
}

func (v memoryValue) isOver() bool { return isOver(v.end) }

// firstSweep is the number of values at which a Memory first removes those whose life is over.
const firstSweep = 1024

// NewMemory returns an empty Memory.
func NewMemory() *Memory {
	return &Memory{LocalLimits: NewLocalLimits(), values: map[memoryKey]memoryValue{}, processes: map[string]bool{}, sweepAt: firstSweep}
}

// Put implements [Values].
func (m *Memory) Put(_ context.Context, bucket, key string, v any, life time.Duration) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.set(memoryKey{bucket, key}, raw, life)
	return nil
}

// set sets a value. The caller holds the lock.
func (m *Memory) set(at memoryKey, raw json.RawMessage, life time.Duration) {
	m.values[at] = memoryValue{raw, endOf(life)}
	if len(m.values) >= m.sweepAt {
		maps.DeleteFunc(m.values, func(_ memoryKey, v memoryValue) bool { return v.isOver() })
		m.sweepAt = max(firstSweep, 2*len(m.values))
	}
}

// endOf returns when a life ends that begins now. It is zero for [Forever].
func endOf(life time.Duration) time.Time {
	if life == Forever {
		return time.Time{}
	}
	return time.Now().Add(life)
}

// get returns a value; nil if there is none. The caller holds the lock.
func (m *Memory) get(at memoryKey) json.RawMessage {
	v := m.values[at]
	if v.isOver() {
		return nil
	}
	return v.raw
}

// Get implements [Values].
func (m *Memory) Get(_ context.Context, bucket, key string, into any) (bool, error) {
	m.mu.Lock()
	raw := m.get(memoryKey{bucket, key})
	m.mu.Unlock()
	if raw == nil {
		return false, nil
	}
	return true, json.Unmarshal(raw, into)
}

// Delete implements [Values].
func (m *Memory) Delete(_ context.Context, bucket, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.values, memoryKey{bucket, key})
	return nil
}

// CompareAndSwap implements [Values].
func (m *Memory) CompareAndSwap(_ context.Context, bucket, key, old, text string, life time.Duration) (bool, error) {
	at := memoryKey{bucket, key}
	m.mu.Lock()
	defer m.mu.Unlock()
	raw, ok, err := Swap(m.get(at), old, text)
	if !ok || err != nil {
		return false, err
	}
	if raw == nil {
		delete(m.values, at)
	} else {
		m.set(at, raw, life)
	}
	return true, nil
}

// Each implements [Values].
func (m *Memory) Each(_ context.Context, bucket string, see func(key string, raw json.RawMessage)) error {
	all := map[string]json.RawMessage{}
	m.mu.Lock()
	for at := range m.values {
		if raw := m.get(at); at.bucket == bucket && raw != nil {
			all[at.key] = slices.Clone(raw)
		}
	}
	m.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(all)) {
		see(key, all[key])
	}
	return nil
}

// Announce implements [Processes].
func (m *Memory) Announce(_ context.Context, name string) (leave func(), err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.processes[name] {
		return nil, fmt.Errorf("the name %q is in use", name)
	}
	m.processes[name] = true
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.processes, name)
	}, nil
}

// IsPresent implements [Processes].
func (m *Memory) IsPresent(_ context.Context, name string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.processes[name], nil
}

// Ready implements [Store]. It returns nil.
func (*Memory) Ready(context.Context) error { return nil }

// Close implements [Store]. It returns nil.
func (*Memory) Close() error { return nil }
