// Package redis is the [state.Store] of servers that share a Redis server.
//
// Whoever reads what is in Redis learns how many values there are and when they change, and nothing
// else: values and their keys are sealed with a key that only the servers have, and the names of
// entries are keyed hashes. The numbers of rates and circuits are not sealed, since Redis counts with
// them. Redis' clock is the only one that counts.
//
// Where Redis cannot be reached, the limits are those of this process alone after 250 ms. Everything
// else returns an error that is [state.ErrUnavailable].
package redis

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync/atomic"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/state"
)

// Options say which Redis server is used, and how.
type Options struct {
	URL    string       // redis:// or rediss://
	Prefix string       // of the names of all entries; "": abl
	Key    string       // seals what is stored; all servers have the same
	Dialer *dial.Dialer // owns the connections; nil: one of its own
	Logger *slog.Logger // is told when Redis cannot be reached; nil: nothing is logged
}

// Store is a [state.Store] in a Redis server.
type Store struct {
	client  *goredis.Client
	prefix  string // of the names of all entries, with a hash tag: a cluster keeps them together
	seal    seal
	scripts scripts
	local   *state.LocalLimits // while Redis cannot be reached
	outage  outage

	sawForeign atomic.Bool // the log knows that some values were sealed with another key
}

const (
	limitTimeout  = 250 * time.Millisecond // for limits, which this process can have alone
	valueTimeout  = 2 * time.Second        // for everything else
	defaultPrefix = "abl"
)

// Open returns the store in a Redis server, which it does not call yet. It returns an error if the URL
// is none of a Redis server, or if the key is empty. The caller must call Close.
func Open(o Options) (*Store, error) {
	if o.Key == "" {
		return nil, errors.New("what is shared must be sealed, and there is no key")
	}
	options, err := goredis.ParseURL(o.URL)
	if err != nil || options.Network != "tcp" {
		return nil, errors.New("it must be redis://HOST:PORT or rediss://HOST:PORT") // the library's error may have the password
	}
	guard, err := dial.NewGuard([]string{options.Addr})
	if err != nil {
		return nil, err
	}
	options.Dialer = dialer(cmp.Or(o.Dialer, dial.New(dial.Options{})), guard, options.TLSConfig)
	options.ContextTimeoutEnabled = true
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = valueTimeout, valueTimeout, valueTimeout
	options.DialerRetries, options.MaxRetries = 1, 1
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	logging.Disable() // the store says what is wrong, and not for each connection
	s := &Store{
		prefix: "{" + cmp.Or(o.Prefix, defaultPrefix) + "}:", scripts: newScripts(), local: state.NewLocalLimits(),
		outage: outage{logger: cmp.Or(o.Logger, slog.New(slog.DiscardHandler))},
	}
	if s.seal, err = newSeal(o.Key, s.prefix); err != nil {
		return nil, err
	}
	s.client = goredis.NewClient(options)
	return s, nil
}

// dialer returns a function that connects where the guard allows it.
func dialer(d *dial.Dialer, guard *dial.Guard, config *tls.Config) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := d.Dial(ctx, guard, network, address)
		if err != nil || config == nil {
			return conn, err
		}
		encrypted := tls.Client(conn, config)
		if err := encrypted.HandshakeContext(ctx); err != nil {
			_ = conn.Close()
			return nil, err
		}
		return encrypted, nil
	}
}

// do calls Redis. The error is that of ctx, or [state.ErrUnavailable].
func (s *Store) do(ctx context.Context, timeout time.Duration, call func(ctx context.Context) error) error {
	short, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := call(short)
	switch {
	case err == nil, errors.Is(err, goredis.Nil):
		s.outage.end()
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	s.outage.begin(err)
	return fmt.Errorf("%w: %w", state.ErrUnavailable, err)
}

// Ready implements [state.Store].
func (s *Store) Ready(ctx context.Context) error {
	return s.do(ctx, valueTimeout, func(ctx context.Context) error {
		return s.client.Set(ctx, s.prefix+"ready", "", time.Minute).Err() // which a replica refuses, or a full server
	})
}

// Close implements [state.Store].
func (s *Store) Close() error { return s.client.Close() }
