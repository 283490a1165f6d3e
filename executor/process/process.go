// Package process starts every child process.
//
// A child ends with its context, together with everything that it started, even what it left
// running when it ended by itself. It does not outlive this process. It gets only those few
// variables of this process's environment that programs need. Its output is kept only up to the
// caller's limit.
//
// There are two exceptions: a daemon that deliberately made its own session; and, if this process
// is killed so that it cannot react, the children of its children (not on Windows). Our own
// children therefore end at the end of their input.
package process

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"time"
)

// Command describes a process to start.
type Command struct {
	Words      []string          // the program and its arguments; at least one
	Dir        string            // the working directory; "": that of this process
	Env        map[string]string // its own variables, which win over the few that every process gets
	InheritEnv bool              // it gets the environment of this process
	OnlyOwnEnv bool              // it gets only its own variables
	NoBatch    bool              // a batch file is refused, since Windows starts a shell for it
	ExtraFile  []*os.File        // from descriptor 3 up; not on Windows

	// SelfEnding says that the process ends with this one by its own means, and must not be
	// killed before it has prepared them.
	SelfEnding bool

	Stdin  io.Reader // nil: empty
	Stdout io.Writer // nil: discarded
	Stderr io.Writer // nil: discarded; if equal to Stdout, both keep their order
	Pipe   bool      // for [Start]: In and Out replace Stdin and Stdout

	Max int // for [Output]: the most bytes
}

// outputGrace is how long output may stay open after a process ended.
const outputGrace = time.Second

// command returns the command for the system. When ctx ends, it ends with everything that it
// started.
func (c Command) command(ctx context.Context) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.Words[0], c.Words[1:]...)
	cmd.Dir = c.Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
	cmd.ExtraFiles = c.ExtraFile
	cmd.Env = c.environment()
	cmd.WaitDelay = outputGrace
	setProcessGroup(cmd)
	if !c.SelfEnding {
		endWithParent(cmd)
	}
	return cmd
}

// environment returns the environment, never nil: nil would mean the environment of this process.
func (c Command) environment() []string {
	env := []string{}
	if c.InheritEnv {
		env = os.Environ()
	}
	for _, name := range baseVariables() {
		if v, ok := os.LookupEnv(name); ok && !c.InheritEnv && !c.OnlyOwnEnv {
			env = append(env, name+"="+v)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		env = append(env, name+"="+c.Env[name])
	}
	return env
}

// Output runs c and returns what it prints to standard output. If that is more than c.Max bytes,
// the error is [ErrTooMuch]. An error contains nothing of the output.
func Output(ctx context.Context, c Command) (string, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	out := Head{Max: c.Max, Full: func() { stop(ErrTooMuch) }}
	c.Stdout = &out
	p, err := Start(ctx, c)
	if err != nil {
		return "", err
	}
	if err := p.Wait(); err != nil {
		return "", err
	}
	return out.String(), nil
}

// Process is a started child.
type Process struct {
	In  io.WriteCloser // the child's input; nil unless it was started with Pipe
	Out io.ReadCloser  // the child's output; nil unless it was started with Pipe

	cmd    *exec.Cmd
	tree   tree
	pipes  streams
	cancel context.CancelFunc
	done   chan struct{}
	err    error
}

// Start starts a command. The caller closes In and Out if they are not nil. An error
// is a [*StartError], or the cause of ctx.
func Start(ctx context.Context, c Command) (*Process, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	running, cancel := context.WithCancel(ctx)
	p := &Process{cancel: cancel, done: make(chan struct{})}
	if err := p.start(running, c); err != nil {
		cancel()
		p.pipes.close()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, startError(c, err)
	}
	p.tree.adopt(p.cmd.Process)
	go p.wait(ctx)
	return p, nil
}

// start forks on a thread that stays. If the kernel ends a child with its parent, the parent is the
// thread, and the thread of the caller may end.
func (p *Process) start(ctx context.Context, c Command) error {
	defer p.pipes.closeChildEnds()
	if err := p.pipes.connect(&c, p); err != nil {
		return err
	}
	p.cmd = c.command(ctx)
	if c.NoBatch && isBatch(p.cmd.Path) {
		return errBatch
	}
	started := make(chan error)
	go func() { started <- p.cmd.Start() }()
	return <-started
}

// wait waits for the child, ends everything that it left, and then reads the rest of the output.
func (p *Process) wait(ctx context.Context) {
	err := p.cmd.Wait()
	p.tree.end(p.cmd.Process.Pid)
	p.cancel()
	p.pipes.drain()
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case errors.Is(err, exec.ErrWaitDelay): // it ended without reading all its input
		err = nil
	}
	p.err = err
	close(p.done)
}

// PID returns the number of the process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done returns a channel that is closed when the process has ended and all its output was written.
func (p *Process) Done() <-chan struct{} { return p.done }

// Wait waits until the process has ended, and returns how: nil for a success, the cause of its
// context, or an [*exec.ExitError].
func (p *Process) Wait() error {
	<-p.done
	return p.err
}

// Kill kills the process and everything that it started, and waits until it has ended.
func (p *Process) Kill() {
	p.cancel()
	<-p.done
}
