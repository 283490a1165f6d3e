// Package lsp is the language server: it translates between the Language
// Server Protocol and analysis, and holds the session's state.
//
// Notifications are applied in the order in which they arrive. Requests run
// concurrently, each on the state that was current when it arrived. Every
// request is answered exactly once, and a handler that panics costs its own
// answer only.
package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/zap"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/internal/servercache"
)

// Options say what a server talks to. In and Out are required.
type Options struct {
	In       io.Reader
	Out      io.Writer
	Executor *executor.Executor // without one no tool is run
	Known    *servercache.Store // what servers have said of their tools; without one it is kept in memory
	State    *state.Store       // what the person said in earlier sessions; without one it is forgotten
	Logger   *zap.Logger        // without one nothing is logged
	Version  string             // of the program, as the client shows it
}

// How a session ends that does not end as the protocol wants it.
var (
	ErrClientLost = errors.New("the client went away without a shutdown")
	ErrExited     = errors.New("the client asked to exit without a shutdown")
)

// How long requests may take at the end: to finish, and then to notice that
// they are cancelled.
const (
	patience = 500 * time.Millisecond
	grace    = 5 * time.Second
)

// Serve serves one client until it says exit or goes away, or until ctx is
// done. It returns nil where the client has asked for a shutdown, ErrClientLost
// or ErrExited where it has not, and another error where the input is no
// stream of messages.
func Serve(ctx context.Context, opts Options) error {
	return newServer(opts).serve(ctx)
}

// server ties the tables of handlers, the session's state and the client
// together.
type server struct {
	opts          Options
	log           *zap.Logger
	requests      map[string]request
	notifications map[string]notification

	client   *conn
	patience time.Duration   // with requests that run at the end
	phase    phase           // of the session; only the loop in serve uses it
	ctx      context.Context // of all work; done when the session ends
	running  sync.WaitGroup  // that work, as far as it comes to an end by itself
	lasting  sync.WaitGroup  // and the rest of it
	starting sync.Mutex      // of work
	ending   bool            // nothing more is started
	calls    calls

	// check returns the diagnostics of a file; checkAll also those that comments in
	// it suppress, for what must not act on a broken one.
	check, checkAll func(ctx context.Context, at *snapshot, path string) []analysis.Diagnostic

	session     session
	index       *index
	names       workspaceNames
	diagnostics diagnostics
	holdTimer   holdTimer
	refreshes   refreshes
	telling     atomic.Int32 // messages on their way
	lenses      shownIDs
	hints       shownIDs
	tokens      shownTokens
	progress    progresses
	trace       trace
	watch       watch
	poll        poll
	pulling     sync.Mutex    // of settings
	asking      chan struct{} // holds the question about trust
	grants      grants
	claiming    sync.Mutex // of callbacks
}

func newServer(opts Options) *server {
	s := &server{
		opts:          opts,
		log:           opts.Logger,
		requests:      requestTable(),
		notifications: notificationTable(),
		asking:        make(chan struct{}, 1),
		patience:      patience,
		index:         newIndex(),
		poll:          newPoll(),
		holdTimer:     holdTimer{after: time.After},
	}
	if s.log == nil {
		s.log = zap.NewNop()
	}
	if s.session.known = opts.Known; s.session.known == nil {
		s.session.known = servercache.New("", time.Now)
	}
	cache := &check.Cache{OnPanic: func(code string, value any, stack []byte) {
		s.log.Error("panic", zap.String("in", code), zap.Any("panic", value), zap.ByteString("stack", stack))
	}}
	s.check = func(ctx context.Context, at *snapshot, path string) []analysis.Diagnostic {
		if analysis.IsForeign(path) && !at.workspace.TakesForeign(path) {
			return nil // an editor opens whatever there is
		}
		return check.Run(ctx, at.workspace, path, check.Options{Cache: cache})
	}
	s.checkAll = func(ctx context.Context, at *snapshot, path string) []analysis.Diagnostic {
		return check.Run(ctx, at.workspace, path, check.Options{Cache: cache, Unsuppressed: true})
	}
	return s
}

func (s *server) serve(ctx context.Context) error {
	work, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	defer context.AfterFunc(ctx, func() { stop(executor.ErrEnding) })()
	s.ctx = work
	s.client = newConn(ctx, s.opts.In, s.opts.Out)
	defer s.client.cut(io.ErrClosedPipe)
	defer s.session.known.Watch(s.learn)()

	err := s.loop()
	s.startNoMore()
	if err == nil { // an orderly exit
		wait(s.patience, &s.running)
	}
	stop(executor.ErrEnding)
	if !wait(grace, &s.running, &s.lasting) {
		s.log.Warn("work goes on that was cancelled")
	}
	return err
}

// loop handles messages until the session ends. It returns why it ended.
func (s *server) loop() error {
	for s.phase < exited {
		msg, err := s.client.read()
		switch {
		case errors.Is(err, io.EOF) && s.phase == shutDown:
			return nil
		case errors.Is(err, io.EOF):
			return ErrClientLost
		case err != nil:
			return fmt.Errorf("reading from the client: %w", err)
		}
		switch msg := msg.(type) {
		case *jsonrpc2.Call:
			s.answer(msg)
		case *jsonrpc2.Notification:
			s.notice(msg)
		case *jsonrpc2.Response:
			s.client.deliver(msg)
		}
		s.poll.wake()
	}
	if s.phase == exitedEarly {
		return ErrExited
	}
	return nil
}

// wait waits for work and reports whether it all came to its end.
func wait(atMost time.Duration, work ...*sync.WaitGroup) bool {
	idle := make(chan struct{})
	go func() {
		for _, w := range work {
			w.Wait()
		}
		close(idle)
	}()
	select {
	case <-idle:
		return true
	case <-time.After(atMost):
		return false
	}
}

// spawn starts work that outlives the request or notification at hand.
func (s *server) spawn(name string, work func(context.Context)) {
	s.start(&s.running, name, work)
}

func (s *server) start(group *sync.WaitGroup, name string, work func(context.Context)) {
	s.starting.Lock()
	defer s.starting.Unlock()
	if s.ending {
		return // nobody is left to see it
	}
	group.Go(func() {
		defer s.survive(name, nil)
		work(s.ctx)
	})
}

// startNoMore begins the end: what is waited for must not become more meanwhile.
func (s *server) startNoMore() {
	s.starting.Lock()
	defer s.starting.Unlock()
	s.ending = true
}

// survive, deferred, turns a panic into a log entry and an error for *err,
// where there is one to tell.
func (s *server) survive(name string, err *error) {
	p := recover()
	if p == nil {
		return
	}
	s.log.Error("panic", zap.String("in", name), zap.Any("panic", p), zap.ByteString("stack", debug.Stack()))
	if err != nil {
		*err = jsonrpc2.Errorf(jsonrpc2.InternalError, "%s failed inside the server, whose log says more", name)
	}
}
