package mcp

import (
	"context"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/executor/process"
)

// console passes what a server prints to the calls in progress.
type console struct {
	mu        sync.Mutex
	listeners map[*outputListener]bool
	printed   *process.Spool // of a process; nil: there is none
}

// outputListener collects what a server prints during one call, up to max bytes. The mutex of
// its console guards it.
type outputListener struct {
	console *console
	max     int64
	full    func() // is called once, when there is too much

	kept       []byte
	overflowed bool
}

// openSpool returns the spool that a process prints into. The caller must close it.
func (c *console) openSpool() (*process.Spool, error) {
	printed, err := process.NewSpool(c.write)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.printed = printed
	return printed, nil
}

// flush waits until all output that was printed so far has arrived. Output and answers arrive in
// different ways, so an answer may be faster.
func (c *console) flush(ctx context.Context) {
	c.mu.Lock()
	printed := c.printed
	c.mu.Unlock()
	if printed != nil {
		printed.Flush(ctx)
	}
}

func (c *console) write(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := range c.listeners {
		e.capture(p)
	}
}

func (e *outputListener) capture(p []byte) {
	room := e.max - int64(len(e.kept))
	if int64(len(p)) > room {
		p = p[:room]
		if !e.overflowed {
			e.overflowed = true
			e.full()
		}
	}
	e.kept = append(e.kept, p...)
}

func (c *console) listen(limit int64, full func()) *outputListener {
	e := &outputListener{console: c, max: limit, full: full}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.listeners == nil {
		c.listeners = map[*outputListener]bool{}
	}
	c.listeners[e] = true
	return e
}

// text returns the output collected so far.
func (e *outputListener) text() string {
	e.console.mu.Lock()
	defer e.console.mu.Unlock()
	return strings.ToValidUTF8(string(e.kept), "\ufffd")
}

func (e *outputListener) close() {
	e.console.mu.Lock()
	defer e.console.mu.Unlock()
	delete(e.console.listeners, e)
}
