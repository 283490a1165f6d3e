package sandbox

import (
	"context"
	"sync"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
)

// pool keeps one process ready for each runtime that was used. Each process does one job. It is
// safe for concurrent use.
type pool struct {
	idle time.Duration

	mu       sync.Mutex
	spare    map[string]*spareProcess // by runtime
	starting map[processKey]bool      // the processes that are being started
	closed   bool
	starts   sync.WaitGroup
}

// spareProcess is a process that waits for a run like the last one.
type spareProcess struct {
	*child
	key  processKey
	stop *time.Timer
}

// processKey describes the runs that a process can be used for.
type processKey struct {
	engine, runtime string
	memory          int
}

func processKeyOf(p plan) processKey { return processKey{p.engineName, p.runtime.name, p.memory} }

// acquire returns a process that can take its job now. The caller must call end.
func (l *pool) acquire(ctx context.Context, p plan, report func(executor.Progress)) (*child, error) {
	c := l.takeSpare(p)
	if c == nil {
		var err error
		if c, err = start(p); err != nil {
			return nil, err
		}
	}
	if err := c.awaitReady(ctx, p, report); err != nil {
		c.end()
		return nil, err
	}
	return c, nil
}

// takeSpare removes and returns the waiting process. It is nil if there is none for such a run.
func (l *pool) takeSpare(p plan) *child {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.spare[p.runtime.name]
	if s == nil || s.key != processKeyOf(p) {
		return nil
	}
	delete(l.spare, p.runtime.name)
	s.stop.Stop()
	select {
	case <-s.process.Done(): // it has ended unexpectedly
		return nil
	default:
		return s.child
	}
}

// prepare starts a process for the next run in the background.
func (l *pool) prepare(p plan) {
	l.mu.Lock()
	defer l.mu.Unlock()
	of := processKeyOf(p)
	if s := l.spare[p.runtime.name]; l.closed || l.starting[of] || s != nil && s.key == of {
		return
	}
	if l.starting == nil {
		l.starting = map[processKey]bool{}
	}
	l.starting[of] = true
	l.starts.Go(func() {
		c, err := start(p)
		if old := l.addSpare(p, c, err); old != nil {
			old.end()
		}
	})
}

// addSpare keeps a process for the next run. It returns the process that the caller must end, nil
// if there is none. It ignores a failed start, since the next run will report it.
func (l *pool) addSpare(p plan, c *child, err error) (old *child) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.starting, processKeyOf(p))
	if err != nil || l.closed {
		return c
	}
	name := p.runtime.name
	if was := l.spare[name]; was != nil {
		was.stop.Stop()
		old = was.child
	}
	if l.spare == nil {
		l.spare = map[string]*spareProcess{}
	}
	s := &spareProcess{child: c, key: processKeyOf(p)}
	s.stop = time.AfterFunc(l.idle, func() { l.dropSpare(name, s) })
	l.spare[name] = s
	return old
}

// dropSpare ends a process that no run has used.
func (l *pool) dropSpare(name string, s *spareProcess) {
	l.mu.Lock()
	waiting := l.spare[name] == s
	if waiting {
		delete(l.spare, name)
	}
	l.mu.Unlock()
	if waiting {
		s.end()
	}
}

func (l *pool) close() {
	l.mu.Lock()
	l.closed = true
	spare := l.spare
	l.spare = nil
	l.mu.Unlock()
	l.starts.Wait()
	for _, s := range spare {
		s.stop.Stop()
		s.end()
	}
}
