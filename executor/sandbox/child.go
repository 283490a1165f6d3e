package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/javascript"
	"github.com/abl-lsp/abl-lsp/executor/process"
)

// child is a process that runs one job.
type child struct {
	process childProcess
	in      *os.File
	console consoleWriter
	output  *driverOutput
}

// start starts a process. It outlives the context of whoever wanted it first.
func start(p plan) (*child, error) {
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start the sandbox: %w", err)
	}
	c := &child{in: ours, output: newDriverOutput()}
	c.process, err = p.engine.start(p.runtime, p.memory, stdio{theirs, &c.console, c.output})
	_ = theirs.Close() // the child has its own
	if err != nil {
		_ = ours.Close()
		if e, ok := errors.AsType[*executor.Error](err); ok {
			return nil, e
		}
		return nil, executor.Errorf(executor.KindInternal, "start", "start the sandbox: %w", err)
	}
	return c, nil
}

// slowStart is after how long a person is told why nothing happens.
const slowStart = 500 * time.Millisecond

// wait waits until the child can take its job.
func (c *child) wait(ctx context.Context, p plan, report func(executor.Progress)) error {
	tell := time.NewTimer(slowStart)
	defer tell.Stop()
	for {
		select {
		case <-c.output.ready:
			return nil
		case <-c.process.Done():
			return c.failed(p)
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tell.C:
			report(executor.Progress{Message: "Starting " + p.runtime.title + "; the first time this takes some seconds"})
		}
	}
}

// failed says why the child could not take a job.
func (c *child) failed(p plan) error {
	select {
	case <-c.output.answered: // memory that is too little even for a start
		_, err := c.output.answer.result(p)
		return err
	default:
	}
	return executor.Errorf(executor.KindInternal, "start", "the sandbox for %s did not start: %s", p.runtime.title, c.output.noise.String())
}

// run has the child do its job.
func (c *child) run(ctx context.Context, p plan) (executor.Result, error) {
	line, err := p.job.line()
	if err != nil {
		return executor.Result{}, fmt.Errorf("the arguments: %w", err)
	}
	if 2*len(line) > p.memory<<20 { // the text, and what it means
		return outOfMemory(p)
	}
	full := make(chan struct{})
	tooMuch := sync.OnceFunc(func() { close(full) })
	console := &process.Head{Max: p.maxBytes, Full: tooMuch}
	c.console.to.Store(console)
	c.output.limit(p.maxBytes, tooMuch)
	go func() { _, _ = c.in.Write(line) }() // it ends with the child
	result, err := c.answer(ctx, p, full)
	c.end() // and all that was printed is here
	if isClosed(full) {
		result, err = executor.Result{}, overflow(p)
	}
	result.Console = console.String()
	return result, err
}

// answer waits for what comes first.
func (c *child) answer(ctx context.Context, p plan, full <-chan struct{}) (executor.Result, error) {
	timeout := time.NewTimer(p.timeout)
	defer timeout.Stop()
	watching, stop := context.WithCancel(ctx)
	defer stop()
	select {
	case <-c.output.answered:
		return c.output.answer.result(p)
	case <-full:
		return executor.Result{}, overflow(p)
	case <-timeout.C:
		return executor.Result{}, executor.Errorf(executor.KindTimeout, "timeout", "the code ran for more than %v (%s)", p.timeout, p.timeoutSource)
	case <-ctx.Done():
		return executor.Result{}, context.Cause(ctx)
	case <-c.memoryExceeded(watching, p):
		return outOfMemory(p)
	case <-c.process.Done():
	}
	select {
	case <-c.output.answered:
		return c.output.answer.result(p)
	default:
	}
	words := c.output.noise.String()
	if endedByMemory(c.process.Wait(), words) {
		return outOfMemory(p)
	}
	return message{Error: &fault{Fault: javascript.Fault{Kind: ended, Message: words}}}.result(p)
}

// spareMemory is how many bytes a process may take for itself beside the code's memory
// and files, and beside what it had before it began with the code.
const spareMemory = 64 << 20

// memoryExceeded gives what is closed when the process has more memory than it may. Code is
// counted in its own process and ends there first; this is for what is not counted.
func (c *child) memoryExceeded(ctx context.Context, p plan) <-chan struct{} {
	used := func() int64 { return process.OwnMemory(c.process.PID()) }
	grown := make(chan struct{})
	go process.WatchMemory(ctx, used, used()+int64(p.memory)<<20+spareMemory, func() { close(grown) })
	return grown
}

func outOfMemory(p plan) (executor.Result, error) {
	return message{Error: &fault{Fault: javascript.Fault{Kind: overMemory}}}.result(p)
}

func overflow(p plan) error {
	return executor.Errorf(executor.KindLimit, "output", "the code prints or returns more than %d bytes (limits.response_bytes)", p.maxBytes)
}

// end ends the child. It may be called twice.
func (c *child) end() {
	c.process.Kill()
	_ = c.in.Close()
}

// consoleWriter is what the code prints. Before there is a job that goes nowhere.
type consoleWriter struct {
	to atomic.Pointer[process.Head]
}

func (p *consoleWriter) Write(b []byte) (int, error) {
	if to := p.to.Load(); to != nil {
		return to.Write(b)
	}
	return len(b), nil
}

// driverOutput reads what a driver says.
type driverOutput struct {
	ready    chan struct{} // closed when it can take a job
	answered chan struct{} // closed when there is an answer
	answer   message       // valid then
	noise    process.Tail  // what else came: the last words of a runtime that fails

	mu    sync.Mutex
	lines process.Lines
}

func newDriverOutput() *driverOutput {
	s := &driverOutput{ready: make(chan struct{}), answered: make(chan struct{}), noise: process.Tail{Max: 2000}}
	s.lines = process.Lines{Max: 64 << 10, Full: func() {}, Handle: s.takeLine}
	return s
}

// limit bounds the answer. Around its value there are a few bytes more.
func (s *driverOutput) limit(most int, full func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines.Max, s.lines.Full = most+1000, full
}

func (s *driverOutput) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lines.Write(b)
}

// takeLine takes a line. Only the first answer counts.
func (s *driverOutput) takeLine(line []byte) {
	if len(line) == 0 {
		return
	}
	var m message
	switch err := json.Unmarshal(line, &m); {
	case err != nil || !m.Ready && m.Value == nil && m.Error == nil:
		_, _ = s.noise.Write(append(line, '\n')) // never fails
	case m.Ready:
		closeOnce(s.ready)
	case !isClosed(s.answered):
		s.answer = m
		close(s.answered)
	}
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func closeOnce(c chan struct{}) {
	if !isClosed(c) {
		close(c)
	}
}
