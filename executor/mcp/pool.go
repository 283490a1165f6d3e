package mcp

import (
	"context"
	"sync"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
)

// pool keeps the sessions. It is safe for concurrent use.
type pool struct {
	opts        Options
	destructive *destructiveTools

	mu       sync.Mutex
	sessions map[string]*session // by target.key
	left     map[*session]bool   // dropped sessions that are still in use
	closed   bool
	ending   sync.WaitGroup // counts the sessions that are being closed
}

func newPool(o Options, seen *destructiveTools) *pool {
	return &pool{opts: o, destructive: seen, sessions: map[string]*session{}, left: map[*session]bool{}}
}

// acquire returns the session for a target. first says that it was made for this caller, who must
// start it by session.begin. Each caller must release the session.
func (p *pool) acquire(ctx context.Context, t *target, call executor.Call) (s *session, first bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, false, executor.Errorf(executor.KindInternal, "closed", "the sessions are closed")
	}
	key := t.sessionKey()
	s = p.sessions[key]
	if s != nil && s.hasEnded() {
		p.drop(s)
		s = nil
	}
	if s == nil {
		if err := p.makeRoom(t); err != nil {
			return nil, false, err
		}
		s, first = newSession(ctx, p.opts, p.destructive, key, t, call), true
		p.sessions[key] = s
	}
	s.users++
	if s.idle != nil {
		s.idle.Stop()
		s.idle = nil
	}
	return s, first, nil
}

// makeRoom drops a session with the same server if the project's file now describes that server
// differently. If there are too many sessions, it drops the one that has been idle longest.
func (p *pool) makeRoom(t *target) error {
	var oldest *session
	for _, s := range p.sessions {
		if s.target.replacementKey() == t.replacementKey() {
			p.drop(s)
		} else if s.users == 0 && (oldest == nil || s.used.Before(oldest.used)) {
			oldest = s
		}
	}
	switch {
	case len(p.sessions) < p.opts.MaxSessions:
	case oldest != nil:
		p.drop(oldest)
	default:
		return executor.Errorf(executor.KindLimit, "sessions", "%d MCP servers are in use, no more are started at once", len(p.sessions))
	}
	return nil
}

// drop removes a session from the pool, and closes it when no caller uses it any more.
func (p *pool) drop(s *session) {
	if p.sessions[s.key] == s {
		delete(p.sessions, s.key)
	}
	if s.users > 0 {
		p.left[s] = true
		return
	}
	p.end(s)
}

func (p *pool) end(s *session) {
	delete(p.left, s)
	if s.idle != nil {
		s.idle.Stop()
	}
	p.ending.Go(s.close)
}

// release must be called once for each acquire. An unused session stays open for a while, unless
// it has not become ready.
func (p *pool) release(s *session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.users--
	s.used = time.Now()
	switch {
	case s.users > 0, p.closed:
	case p.left[s]:
		p.end(s)
	case !s.isReady() || s.hasEnded():
		p.drop(s)
	default:
		s.idle = time.AfterFunc(p.opts.Idle, func() { p.expire(s) })
	}
}

func (p *pool) expire(s *session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.users == 0 && p.sessions[s.key] == s {
		p.drop(s)
	}
}

// close ends all sessions, including those in use, and waits for their end. acquire returns an
// error afterwards.
func (p *pool) close() {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		for _, s := range p.sessions {
			p.end(s)
		}
		for s := range p.left {
			p.end(s)
		}
	}
	p.mu.Unlock()
	p.ending.Wait()
}
