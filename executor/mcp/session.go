package mcp

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// session is a connection to a server that many calls use at the same time.
type session struct {
	key, slot   string
	target      *target
	opts        Options
	destructive *destructiveTools
	console     console
	ctx         context.Context // ends with the session
	cancel      context.CancelFunc
	redact      func(string) string
	publish     func(executor.Discovery)
	track       func(name, value string) // a secret of which redact and tell do not know yet

	ready  chan struct{} // closed when it has begun, or failed to
	err    error         // why it did not begin
	client *sdk.ClientSession
	done   chan struct{} // closed when it is over
	change chan struct{} // has one when the server says that its tools have changed
	stale  atomic.Bool   // the server does not know it any more

	// What belongs to the pool, under its lock.
	users int
	used  time.Time
	idle  *time.Timer

	mu        sync.Mutex
	transport int               // how many ways to the server were tried
	fault     error             // why it ended
	tools     []tool.ServerTool // nil: not known
	more      bool              // there are further ones
	progress  map[string]func(executor.Progress)
	secrets   map[string]string // all that calls have sent, the names by the values
}

// newSession begins a session. It belongs to no call: what it reads of ctx is
// what the first one sends along.
func newSession(ctx context.Context, o Options, seen *destructiveTools, key string, t *target, call executor.Call) *session {
	s := &session{
		key: key, slot: t.slot, target: t, opts: o, destructive: seen,
		redact: call.Redact, publish: call.PublishDiscovery, track: call.Track, secrets: map[string]string{},
		ready: make(chan struct{}), done: make(chan struct{}), change: make(chan struct{}, 1),
		progress: map[string]func(executor.Progress){},
	}
	s.ctx, s.cancel = context.WithCancel(withHeaders(context.WithoutCancel(ctx), t.toolHeaders))
	return s
}

// begin connects, and asks for the server's tools.
func (s *session) begin() {
	defer close(s.ready)
	client, err := s.connect()
	if err != nil {
		s.err = err
		s.cancel()
		close(s.done)
		return
	}
	s.client = client
	go func() {
		defer close(s.done)
		if err := client.Wait(); err != nil {
			s.fail(err)
		}
	}()
	s.within(optionalRequestTimeout, s.enableLogs)
	s.within(optionalRequestTimeout, s.fetchTools)
	if fault := s.reason(); fault != nil {
		s.err = s.connectError(fault)
		return
	}
	go s.rereadOnChange()
}

// optionalRequestTimeout is how long a server may take to say what it need not say.
const optionalRequestTimeout = 5 * time.Second

func (s *session) within(limit time.Duration, do func(context.Context)) {
	ctx, cancel := context.WithTimeout(s.ctx, limit)
	defer cancel()
	do(ctx)
}

// enableLogs asks a server that keeps a log to send it; many send none unasked. The
// newest version of the protocol has no logs, the servers that there are do.
//
//nolint:staticcheck // see above
func (s *session) enableLogs(ctx context.Context) {
	if said := s.client.InitializeResult(); said.Capabilities != nil && said.Capabilities.Logging != nil {
		_ = s.client.SetLoggingLevel(ctx, &sdk.SetLoggingLevelParams{Level: "info"}) // one that does not is no worse
	}
}

// isReady reports whether the session can be used.
func (s *session) isReady() bool {
	select {
	case <-s.ready:
		return s.err == nil
	default:
		return false
	}
}

// hasEnded reports whether the session can no longer be used.
func (s *session) hasEnded() bool {
	select {
	case <-s.done:
		return true
	default:
		return s.stale.Load() || s.reason() != nil
	}
}

// closeTimeout is how long a server may take to end of its own accord.
const closeTimeout = 2 * time.Second

// close ends the session: it is asked first, and then not.
func (s *session) close() {
	if !s.isReady() {
		s.cancel()
		<-s.ready
	}
	defer s.cancel()
	if s.client == nil {
		return
	}
	s.fail(errors.New("the session was closed"))
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = s.client.Close() // it is over either way
	}()
	select {
	case <-closed:
	case <-time.After(closeTimeout):
	}
}

// shareSecrets has a call redact the secrets of the session's other calls, and the
// session those of this call: a server may return to one call what another call sent.
func (s *session) shareSecrets(call executor.Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := call.Scope.Secrets
	for name, value := range own {
		if s.secrets[value] == "" {
			s.secrets[value] = name
			s.track(name, value)
		}
	}
	for value, name := range s.secrets {
		if own[name] != value {
			call.Track(name, value)
		}
	}
}

// fail records why the session ended. Only the first reason counts.
func (s *session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fault == nil {
		s.fault = err
	}
}

// resetFault has what went wrong so far be another way's affair.
func (s *session) resetFault() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.transport, s.fault = s.transport+1, nil
}

// failFunc is fail for what belongs to the way that is being tried: it says nothing
// of those that come after.
func (s *session) failFunc() func(error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.transport
	return func(err error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.transport == of && s.fault == nil {
			s.fault = err
		}
	}
}

func (s *session) reason() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault
}
