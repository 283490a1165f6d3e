// Package process starts every child process.
//
// It promises that a child ends with its context, together with all that it started,
// even what it left running when it ended by itself; that it does not outlive this
// process; that it gets only those few variables of this process's environment that
// programs need; and that its output is kept only up to the caller's limit. There are
// two exceptions: a daemon that made a session of its own on purpose; and, if this
// process is killed so that it cannot react, the children of its children (not on
// Windows). Our own children therefore end at the end of their input.
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

// Command is what is started.
type Command struct {
	Words      []string          // the program and its arguments; at least one
	Dir        string            // where it starts; "": where this process is
	Env        map[string]string // its own variables, over the few that every process gets
	InheritEnv bool              // it gets the environment of this process
	OnlyOwnEnv bool              // it gets its own variables alone
	NoBatch    bool              // a batch file is refused, for which Windows starts a shell
	ExtraFile  []*os.File        // from descriptor 3 up; not on Windows

	// SelfEnding says that it ends with this process by its own means, and is not to be
	// ended before it has got them ready.
	SelfEnding bool

	Stdin  io.Reader // nil: nothing
	Stdout io.Writer // nil: lost
	Stderr io.Writer // nil: lost; equal to Stdout, both come in order
	Pipe   bool      // of [Start]: it is talked to by In and Out, in place of Stdin and Stdout

	Max int // of [Output]: bytes
}

// outputGrace is how long a process may hold its output open after it was ended.
const outputGrace = time.Second

// command is what the system is asked for. It ends when ctx does, with all that it
// has started.
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

// environment is never nil, which would mean all.
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

// Output runs a command and gives what it prints. An error says nothing of that.
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

// Process is a child that was started.
type Process struct {
	In  io.WriteCloser // what it reads; nil unless it was started with Pipe
	Out io.ReadCloser  // what it prints; nil unless it was started with Pipe

	cmd    *exec.Cmd
	tree   tree
	pipes  streams
	cancel context.CancelFunc
	done   chan struct{}
	err    error
}

// Start starts a command. The caller closes In and Out, if there are any. An error
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

// start forks on a thread that stays: where the kernel ends a child with its
// parent, that is the thread, and a caller's own may be one that ends.
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

// wait ends what the child left behind as soon as it is gone, and then has all
// that was printed.
func (p *Process) wait(ctx context.Context) {
	err := p.cmd.Wait()
	p.tree.end(p.cmd.Process.Pid)
	p.cancel()
	p.pipes.drain()
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case errors.Is(err, exec.ErrWaitDelay): // it is gone without reading all that there was
		err = nil
	}
	p.err = err
	close(p.done)
}

// PID is its number.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done is closed when it is gone and all that it printed was written.
func (p *Process) Done() <-chan struct{} { return p.done }

// Wait waits until it is gone, and says how it ended: by the cause of its context,
// or by an [*exec.ExitError].
func (p *Process) Wait() error {
	<-p.done
	return p.err
}

// Kill ends it, with all that it has started, and waits until it is gone.
func (p *Process) Kill() {
	p.cancel()
	<-p.done
}
