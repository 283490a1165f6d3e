package redis

import (
	"context"
	"time"
)

// Remember implements [state.Cache].
func (s *Store) Remember(ctx context.Context, key string, value []byte, life time.Duration) {
	name := s.seal.name("cache", key)
	sealed, err := s.seal.close(name, key, value)
	if err != nil || s.outage.isJustSeen() {
		return
	}
	_ = s.do(ctx, limitTimeout, func(ctx context.Context) error { return s.client.Set(ctx, name, sealed, life).Err() })
}

// Recall implements [state.Cache].
func (s *Store) Recall(ctx context.Context, key string) (value []byte, ok bool) {
	if s.outage.isJustSeen() {
		return nil, false
	}
	name := s.seal.name("cache", key)
	var sealed []byte
	err := s.do(ctx, limitTimeout, func(ctx context.Context) (err error) {
		sealed, err = s.client.Get(ctx, name).Bytes()
		return err
	})
	if err != nil || sealed == nil {
		return nil, false
	}
	_, value, err = s.seal.open(name, sealed)
	return value, err == nil
}
