// Package lsp is the language server: it translates between the Language
// Server Protocol and analysis, and holds the session's state.
package lsp

import (
	"context"
	"io"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/zap"

	"github.com/abl-lsp/abl-lsp/analysis/check"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/internal/servercache"
	"github.com/abl-lsp/abl-lsp/lsp/connection"
)

// Options are what a server works with. In and Out are required.
type Options struct {
	In       io.Reader
	Out      io.Writer
	Executor *executor.Executor // nil: no tool is run
	Servers  *servercache.Store // the tools that servers list; nil: they are kept in memory
	State    state.Store        // what the person has decided; nil: it is forgotten with the session
	Logger   *zap.Logger        // nil: nothing is logged
	Version  string             // the version of the program that the client shows
}

// Serve serves one client until it exits or goes away, or until ctx is done. It
// returns nil if the client has asked for a shutdown, connection.ErrClientLost or
// connection.ErrExited if it has not, and another error if the input is no stream
// of messages.
func Serve(ctx context.Context, opts Options) error {
	return newServer(opts).serve(ctx)
}

// server is what the handlers work on: the session, the client, and the jobs that keep
// both up to date.
type server struct {
	opts          Options
	log           *zap.Logger
	requests      map[string]requestHandler
	notifications map[string]notificationHandler

	// Each of these has its own lock, if it has state that changes.
	*checker
	client        *client
	session       *session
	files         *workspaceFiles
	diagnostics   *publisher
	tokens        sentTokens
	configuration *configuration
	trust         *trust
	callbacks     *callbacks
	watch         *fileWatch
	poll          *diskPoll
}

// newServer returns a server that serves nothing before serve is called. Tests change it
// in between.
func newServer(opts Options) *server {
	opts.State = state.OrMemory(opts.State)
	s := &server{
		opts:          opts,
		log:           opts.Logger,
		session:       &session{},
		requests:      requestTable(),
		notifications: notificationTable(),
	}
	if s.log == nil {
		s.log = zap.NewNop()
	}
	conn := connection.New(connection.Options{In: opts.In, Out: opts.Out, Handler: s, Logger: s.log, EndCause: executor.ErrEnding})
	s.client = &client{Conn: conn, log: s.log, session: s.session}
	if s.session.servers = opts.Servers; s.session.servers == nil {
		s.session.servers = servercache.New("", time.Now)
	}
	s.checker = newChecker(s.log)
	s.files = &workspaceFiles{client: s.client, session: s.session, index: newIndex()}
	s.diagnostics = &publisher{
		checker: s.checker, client: s.client, session: s.session, files: s.files,
		delayTimer: typingDelayTimer{after: time.After},
	}
	s.files.onNamesChanged = func(paths ...string) { s.diagnostics.diagnose(nil, paths...) }
	s.callbacks = &callbacks{checker: s.checker, opts: &s.opts, client: s.client, session: s.session, files: s.files}
	s.trust = &trust{opts: &s.opts, client: s.client, session: s.session, questionLock: make(chan struct{}, 1), onChange: s.handleSettingsChange}
	s.configuration = &configuration{client: s.client, session: s.session, onChange: s.handleSettingsChange}
	s.watch = &fileWatch{client: s.client, session: s.session, files: s.files, onChange: s.handleDiskChange}
	s.poll = &diskPoll{
		session: s.session, files: s.files, onChange: s.handleDiskChange,
		wakeups: make(chan struct{}, 1), after: time.After,
	}
	return s
}

// handleSettingsChange is called after a change of settings, trust or folders. It checks
// all documents again, and waits for callbacks if the workspace is trusted now.
func (s *server) handleSettingsChange() {
	s.diagnostics.diagnoseAll()
	s.callbacks.startWaiting()
}

// checker finds the diagnostics of files. Tests replace its functions.
type checker struct {
	// check returns the diagnostics of a file. checkAll also returns those that comments in
	// the file suppress; callers that must not act on a file with errors use checkAll.
	check, checkAll checkFunc

	// checkSyntax returns the syntax errors of a large file, long before check would. It
	// returns nil for other files.
	checkSyntax checkFunc

	// checkUnopened is check for a file that is not open: it caches nothing.
	checkUnopened checkFunc
}

// checkFunc returns the diagnostics of the file at path.
type checkFunc func(ctx context.Context, snap *snapshot, path string) []model.Diagnostic

// newChecker returns a checker with a cache. A check that panics is logged and finds
// nothing.
func newChecker(log *zap.Logger) *checker {
	cache := &check.Cache{OnPanic: func(code string, value any, stack []byte) {
		log.Error("panic", zap.String("in", code), zap.Any("panic", value), zap.ByteString("stack", stack))
	}}
	c := &checker{}
	c.check = func(ctx context.Context, snap *snapshot, path string) []model.Diagnostic {
		if model.IsForeign(path) && !model.IsCertainlyForeign(snap.workspace, path) {
			return nil // editors open files of any kind
		}
		return check.Run(ctx, snap.workspace, path, check.Options{Cache: cache})
	}
	c.checkUnopened = func(ctx context.Context, snap *snapshot, path string) []model.Diagnostic {
		return check.Run(ctx, snap.workspace, path, check.Options{Cache: cache.ForOneRun()})
	}
	c.checkAll = func(ctx context.Context, snap *snapshot, path string) []model.Diagnostic {
		return check.Run(ctx, snap.workspace, path, check.Options{Cache: cache, Unsuppressed: true})
	}
	c.checkSyntax = func(ctx context.Context, snap *snapshot, path string) []model.Diagnostic {
		return check.SyntaxOfLarge(ctx, snap.workspace, path, check.Options{Cache: cache})
	}
	return c
}

// checkAllIn returns a function that calls checkAll for one snapshot.
func (c *checker) checkAllIn(ctx context.Context, snap *snapshot) func(path string) []model.Diagnostic {
	return func(path string) []model.Diagnostic { return c.checkAll(ctx, snap, path) }
}

// serve serves the client until the session ends, and returns as Serve does.
func (s *server) serve(ctx context.Context) error {
	defer s.session.servers.Watch(s.updateServers)()
	return s.client.Serve(ctx)
}

// Request returns the handler of a request, bound to the current state.
func (s *server) Request(method string, params jsonrpc2.RawMessage) (request connection.Request, ok bool) {
	bind := s.requests[method]
	if bind == nil {
		return connection.Request{}, false
	}
	return bind(s, params), true
}

// Notification returns the handler of a notification, nil if there is none.
func (s *server) Notification(method string) func(jsonrpc2.RawMessage) error {
	apply := s.notifications[method]
	if apply == nil {
		return nil
	}
	return func(params jsonrpc2.RawMessage) error { return apply(s, params) }
}

// MessageReceived starts the poll of the disk again.
func (s *server) MessageReceived() { s.poll.wake() }
