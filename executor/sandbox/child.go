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

// start starts a process for one job. The process outlives the context of the run that needs it
// first. The caller must call end.
func start(p plan) (*child, error) {
	childEnd, parentEnd, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start the sandbox: %w", err)
	}
	c := &child{in: parentEnd, output: newDriverOutput()}
	c.process, err = p.engine.start(p.runtime, p.memory, stdio{childEnd, &c.console, c.output})
	_ = childEnd.Close() // the child has its own
	if err != nil {
		_ = parentEnd.Close()
		if e, ok := errors.AsType[*executor.Error](err); ok {
			return nil, e
		}
		return nil, executor.Errorf(executor.KindInternal, "start", "start the sandbox: %w", err)
	}
	return c, nil
}

// slowStartNotice is the wait after which a person is told that the runtime is starting.
const slowStartNotice = 500 * time.Millisecond

// awaitReady waits until the child can take its job.
func (c *child) awaitReady(ctx context.Context, p plan, report func(executor.Progress)) error {
	tell := time.NewTimer(slowStartNotice)
	defer tell.Stop()
	for {
		select {
		case <-c.output.ready:
			return nil
		case <-c.process.Done():
			return c.startError(p)
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tell.C:
			report(executor.Progress{Message: "Starting " + p.runtime.title + "; the first time this takes some seconds"})
		}
	}
}

// startError returns why the child ended before it could take a job.
func (c *child) startError(p plan) error {
	select {
	case <-c.output.answered: // the memory is too small even to start
		_, err := c.output.answer.toResult(p)
		return err
	default:
	}
	return executor.Errorf(executor.KindInternal, "start", "the sandbox for %s did not start: %s", p.runtime.title, c.output.strayOutput.String())
}

// runJob sends the child its job, waits for the answer and ends the child.
func (c *child) runJob(ctx context.Context, p plan) (executor.Result, error) {
	line, err := p.job.encode()
	if err != nil {
		return executor.Result{}, fmt.Errorf("the arguments: %w", err)
	}
	if 2*len(line) > p.memory<<20 { // the text and the decoded values
		return outOfMemory(p)
	}
	full := make(chan struct{})
	tooMuch := sync.OnceFunc(func() { close(full) })
	console := &process.Head{Max: p.maxBytes, Full: tooMuch}
	c.console.to.Store(console)
	c.output.limitAnswer(p.maxBytes, tooMuch)
	go func() { _, _ = c.in.Write(line) }() // the write ends when the child does
	result, err := c.awaitAnswer(ctx, p, full)
	c.end() // then all output has arrived
	if isClosed(full) {
		result, err = executor.Result{}, answerTooLarge(p)
	}
	result.Console, result.ConsoleLevels = executor.ReadConsole(console.String())
	return result, err
}

// awaitAnswer waits for the answer, a limit, or the end of the process, whatever is first.
func (c *child) awaitAnswer(ctx context.Context, p plan, full <-chan struct{}) (executor.Result, error) {
	timeout := time.NewTimer(p.timeout)
	defer timeout.Stop()
	watching, stop := context.WithCancel(ctx)
	defer stop()
	select {
	case <-c.output.answered:
		return c.output.answer.toResult(p)
	case <-full:
		return executor.Result{}, answerTooLarge(p)
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
		return c.output.answer.toResult(p)
	default:
	}
	words := c.output.strayOutput.String()
	if endedByMemory(c.process.Wait(), words) {
		return outOfMemory(p)
	}
	return message{Error: &fault{Fault: javascript.Fault{Kind: processEnded, Message: words}}}.toResult(p)
}

// memoryAllowance is how many bytes a process may use in addition to the code's memory and files, and
// to what it used before the code began.
const memoryAllowance = 64 << 20

// memoryExceeded returns a channel that is closed when the process uses more memory than it may.
// The process itself counts the code's memory and ends there first. This catches memory that it
// does not count.
func (c *child) memoryExceeded(ctx context.Context, p plan) <-chan struct{} {
	used := func() int64 { return process.OwnMemory(c.process.PID()) }
	grown := make(chan struct{})
	go process.WatchMemory(ctx, used, used()+int64(p.memory)<<20+memoryAllowance, func() { close(grown) })
	return grown
}

func outOfMemory(p plan) (executor.Result, error) {
	return message{Error: &fault{Fault: javascript.Fault{Kind: overMemory}}}.toResult(p)
}

func answerTooLarge(p plan) error {
	return executor.Errorf(executor.KindLimit, "output", "the code prints or returns more than %d bytes (limits.response_bytes)", p.maxBytes)
}

// end ends the child. It may be called twice.
func (c *child) end() {
	c.process.Kill()
	_ = c.in.Close()
}

// consoleWriter receives what the code prints. It discards everything until there is a job.
type consoleWriter struct {
	to atomic.Pointer[process.Head]
}

func (p *consoleWriter) Write(b []byte) (int, error) {
	if to := p.to.Load(); to != nil {
		return to.Write(b)
	}
	return len(b), nil
}

// driverOutput parses what a driver writes.
type driverOutput struct {
	ready       chan struct{} // closed when the driver can take a job
	answered    chan struct{} // closed when there is an answer
	answer      message       // valid after answered is closed
	strayOutput process.Tail  // the end of all other output, for a runtime that fails

	mu    sync.Mutex
	lines process.Lines
}

func newDriverOutput() *driverOutput {
	s := &driverOutput{ready: make(chan struct{}), answered: make(chan struct{}), strayOutput: process.Tail{Max: 2000}}
	s.lines = process.Lines{Max: 64 << 10, Full: func() {}, Handle: s.handleLine}
	return s
}

// limitAnswer bounds the bytes of the answer's value; the line around it may have some more.
func (s *driverOutput) limitAnswer(most int, full func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines.Max, s.lines.Full = most+1000, full
}

func (s *driverOutput) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lines.Write(b)
}

// handleLine handles one line. It ignores every answer after the first.
func (s *driverOutput) handleLine(line []byte) {
	if len(line) == 0 {
		return
	}
	var m message
	switch err := json.Unmarshal(line, &m); {
	case err != nil || !m.Ready && m.Value == nil && m.Error == nil:
		_, _ = s.strayOutput.Write(append(line, '\n')) // never fails
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
