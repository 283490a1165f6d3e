package redis

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/state"
)

// kindOfBucket returns the kind of a bucket's entries. That of limits and processes is another.
func kindOfBucket(bucket string) string { return "value:" + bucket }

// index returns the name of the set of a bucket's entries.
func (s *Store) index(bucket string) string { return s.prefix + "entries:" + bucket }

// milliseconds returns a life for a script: at least 1, or 0 for [state.Forever].
func milliseconds(life time.Duration) string {
	if life == state.Forever {
		return "0"
	}
	return strconv.FormatInt(max(life.Milliseconds(), 1), 10)
}

// Put implements [state.Values].
func (s *Store) Put(ctx context.Context, bucket, key string, v any, life time.Duration) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	name := s.seal.name(kindOfBucket(bucket), key)
	sealed, err := s.seal.close(name, key, raw)
	if err != nil {
		return err
	}
	return s.do(ctx, valueTimeout, func(ctx context.Context) error {
		return s.scripts.put.Run(ctx, s.client, []string{name, s.index(bucket)}, sealed, milliseconds(life)).Err()
	})
}

// load returns an entry as it is in Redis, and its value; both are nil if there is none.
func (s *Store) load(ctx context.Context, name string) (sealed []byte, raw json.RawMessage, err error) {
	err = s.do(ctx, valueTimeout, func(ctx context.Context) error {
		sealed, err = s.client.Get(ctx, name).Bytes()
		return err
	})
	if err != nil || len(sealed) == 0 {
		return nil, nil, err
	}
	_, raw, err = s.seal.open(name, sealed)
	return sealed, raw, err
}

// Get implements [state.Values].
func (s *Store) Get(ctx context.Context, bucket, key string, into any) (ok bool, err error) {
	_, raw, err := s.load(ctx, s.seal.name(kindOfBucket(bucket), key))
	if err != nil || raw == nil {
		return false, err
	}
	return true, json.Unmarshal(raw, into)
}

// Delete implements [state.Values].
func (s *Store) Delete(ctx context.Context, bucket, key string) error {
	name := s.seal.name(kindOfBucket(bucket), key)
	return s.do(ctx, valueTimeout, func(ctx context.Context) error {
		return s.scripts.remove.Run(ctx, s.client, []string{name, s.index(bucket)}).Err()
	})
}

// CompareAndSwap implements [state.Values].
func (s *Store) CompareAndSwap(ctx context.Context, bucket, key, old, text string, life time.Duration) (bool, error) {
	name := s.seal.name(kindOfBucket(bucket), key)
	for { // until nothing has changed between the two calls
		sealed, raw, err := s.load(ctx, name)
		if err != nil {
			return false, err
		}
		next, ok, err := state.Swap(raw, old, text)
		if !ok || err != nil {
			return false, err
		}
		var sealedNext []byte
		if next != nil {
			if sealedNext, err = s.seal.close(name, key, next); err != nil {
				return false, err
			}
		}
		swapped := 0
		err = s.do(ctx, valueTimeout, func(ctx context.Context) (err error) {
			swapped, err = s.scripts.swap.Run(ctx, s.client, []string{name, s.index(bucket)}, sealed, sealedNext, milliseconds(life)).Int()
			return err
		})
		if swapped == 1 || err != nil {
			return swapped == 1 && err == nil, err
		}
	}
}

// eachAtOnce is how many values are read by one call.
const eachAtOnce = 100

// Each implements [state.Values]. Values that were sealed with another key are left out.
func (s *Store) Each(ctx context.Context, bucket string, see func(key string, raw json.RawMessage)) error {
	var names []string
	err := s.do(ctx, valueTimeout, func(ctx context.Context) (err error) {
		names, err = s.client.ZRange(ctx, s.index(bucket), 0, -1).Result()
		return err
	})
	if err != nil {
		return err
	}
	all := map[string]json.RawMessage{}
	foreign := 0
	for some := range slices.Chunk(names, eachAtOnce) {
		var values []any
		err := s.do(ctx, valueTimeout, func(ctx context.Context) (err error) {
			values, err = s.client.MGet(ctx, some...).Result()
			return err
		})
		if err != nil {
			return err
		}
		for i, v := range values {
			sealed, ok := v.(string)
			if !ok { // its life is over
				continue
			}
			key, raw, err := s.seal.open(some[i], []byte(sealed))
			if err != nil {
				foreign++
				continue
			}
			all[key] = raw
		}
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		see(key, all[key])
	}
	s.reportForeign(foreign)
	return nil
}

// reportForeign logs, once, that values cannot be read. Whoever lists values goes on with the others.
func (s *Store) reportForeign(n int) {
	if n > 0 && !s.sawForeign.Swap(true) {
		s.outage.logger.Warn("values in what is shared are left out", "number", n, "error", errForeign)
	}
}

// Announce implements [state.Processes]. While the process lives, it renews its lease.
func (s *Store) Announce(ctx context.Context, name string) (leave func(), err error) {
	p := &presence{store: s, entry: s.seal.name("process", name), ended: make(chan struct{})}
	if err := p.announce(ctx); err != nil {
		return nil, err
	}
	return p.leave, nil
}

// IsPresent implements [state.Processes]. After an outage, in which no process could renew its lease,
// every process counts as present until its lease would have ended.
func (s *Store) IsPresent(ctx context.Context, name string) (bool, error) {
	n := int64(0)
	err := s.do(ctx, valueTimeout, func(ctx context.Context) (err error) {
		n, err = s.client.Exists(ctx, s.seal.name("process", name)).Result()
		return err
	})
	return err == nil && (n > 0 || s.outage.wasWithin(lease)), err
}

var errNameInUse = errors.New("the name of the process is in use")

var _ state.Store = (*Store)(nil)
