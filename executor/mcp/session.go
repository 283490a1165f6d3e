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

// session is a connection to a server. Many calls use it at the same time.
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
	track       func(name, value string) // adds a secret that redact does not know yet

	ready  chan struct{} // closed when the session is ready or has failed to begin
	err    error         // why it did not begin
	client *sdk.ClientSession
	done   chan struct{}  // closed when the session has ended
	change chan struct{}  // holds a value after the server announced changed tools
	stale  atomic.Bool    // the server no longer knows the session
	tasks  sync.WaitGroup // counts the tasks that calls wait for, or cancel
	token  accessToken    // what the next request sends

	// The pool's mutex guards these.
	users int
	used  time.Time
	idle  *time.Timer

	mu        sync.Mutex
	transport int               // how many transports were tried
	fault     error             // why it ended
	tools     []tool.ServerTool // nil: not known
	more      bool              // the server has further tools

	startOutput string            // what it printed while it was prepared; no call has shown it yet
	calls       map[string]*call  // that run, by their tokens
	secrets     map[string]string // all secrets that calls have sent: names by values
}

// newSession returns a session that is not connected yet. It outlives the call; of ctx it uses only
// the values that the first request carries.
func newSession(ctx context.Context, o Options, seen *destructiveTools, key string, t *target, request executor.Call) *session {
	s := &session{
		key: key, slot: t.slot, target: t, opts: o, destructive: seen,
		redact: request.Redact, publish: request.PublishDiscovery, track: request.Track, secrets: map[string]string{},
		ready: make(chan struct{}), done: make(chan struct{}), change: make(chan struct{}, 1),
		calls: map[string]*call{},
	}
	s.ctx, s.cancel = context.WithCancel(withHeaders(context.WithoutCancel(ctx), t.toolHeaders))
	return s
}

// begin connects, and asks for the server's tools. It closes s.ready at its end.
func (s *session) begin() {
	defer close(s.ready)
	client, err := s.connect()
	if err != nil {
		if refusal := s.token.takeRefusal(); refusal != nil { // the library may have tried an older version
			err = s.connectError(refusal)
		}
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
	if refusal := s.token.takeRefusal(); refusal != nil {
		s.err = s.connectError(refusal)
		return
	}
	if fault := s.reason(); fault != nil {
		s.err = s.connectError(fault)
		return
	}
	go s.rereadOnChange()
}

// optionalRequestTimeout is how long a server may take to answer a request that it need not
// support.
const optionalRequestTimeout = 5 * time.Second

func (s *session) within(limit time.Duration, do func(context.Context)) {
	ctx, cancel := context.WithTimeout(s.ctx, limit)
	defer cancel()
	do(ctx)
}

// enableLogs asks a server that offers logs to send them; many servers send none otherwise. From
// version 2026-07-28 on, each call asks for them.
//
//nolint:staticcheck // see above
func (s *session) enableLogs(ctx context.Context) {
	if begun := s.client.InitializeResult(); !s.isStateless() && begun.Capabilities != nil && begun.Capabilities.Logging != nil {
		_ = s.client.SetLoggingLevel(ctx, &sdk.SetLoggingLevelParams{Level: "info"}) // a server that refuses can still be used
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

// closeTimeout is how long a server may take to end by itself.
const closeTimeout = 2 * time.Second

// close ends the session. It asks the server first, and ends the connection if that takes too
// long.
func (s *session) close() {
	if !s.isReady() {
		s.cancel()
		<-s.ready
	}
	defer s.cancel()
	if s.client == nil {
		return
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		s.tasks.Wait() // until they are cancelled
		s.fail(errors.New("the session was closed"))
		_ = s.client.Close() // the session ends in any case
	}()
	select {
	case <-closed:
	case <-time.After(closeTimeout):
	}
}

// shareSecrets makes a call redact the secrets of the session's other calls, and the
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

// fail records why the session ended. It ignores every reason after the first.
func (s *session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fault == nil {
		s.fault = err
	}
}

// resetFault forgets the fault of the previous transport, before the next one is tried.
func (s *session) resetFault() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.transport, s.fault = s.transport+1, nil
}

// failFunc returns a variant of fail for the transport that is now being tried. It has no effect
// once another transport is tried.
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
