package jail

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/abl-lsp/abl-lsp/executor/process"
)

// engineKind describes how an engine is used.
type engineKind struct {
	// command returns the command that starts a program with the engine at path. done must be
	// called when the program has ended; it closes what command opened.
	command  func(path string, p Program) (c process.Command, done func(), err error)
	overhead int64 // bytes that the engine and an interpreter need for themselves
}

func kindOf(e Engine) engineKind {
	return map[Engine]engineKind{
		Bubblewrap: {bubblewrap, 64 << 20},
		GVisor:     {gvisor, 192 << 20},
	}[e]
}

// jailedProcess is a program in a jail.
type jailedProcess struct {
	*process.Process
	engine Engine
	stderr *process.Tail // the end of what it wrote to descriptor 2
	done   chan struct{} // closed when the program has ended and the jail is removed
}

func start(ctx context.Context, e Engine, path string, p Program) (Process, error) {
	k := kindOf(e)
	c, clean, err := k.command(path, p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e, err)
	}
	ctx, stop := context.WithCancelCause(ctx)
	j := &jailedProcess{engine: e, stderr: &process.Tail{Max: 1 << 10}, done: make(chan struct{})}
	c.Stdin, c.Stdout, c.Stderr = p.Stdin, p.Stdout, j.stderr
	if p.Stderr != nil {
		c.Stderr = io.MultiWriter(j.stderr, p.Stderr)
	}
	if err = keepDescriptors(); err == nil {
		j.Process, err = process.Start(ctx, c)
	}
	if err != nil {
		stop(nil)
		clean()
		return nil, fmt.Errorf("%s: %w", e, err)
	}
	if p.Memory > 0 {
		used := func() int64 { return memory(j.PID()) + fileMemory(j.PID()) }
		go process.WatchMemory(ctx, used, p.Memory+k.overhead, func() { stop(ErrMemory) })
	}
	go func() {
		<-j.Process.Done()
		stop(nil)
		clean()
		close(j.done)
	}()
	return j, nil
}

func (j *jailedProcess) Done() <-chan struct{} { return j.done }

func (j *jailedProcess) Kill() {
	j.Process.Kill()
	<-j.done
}

func (j *jailedProcess) Wait() error {
	<-j.done
	return exitError(j.engine, j.Process.Wait(), j.stderr.String())
}

// keepDescriptors prevents this process from passing on any file that is not meant for a child,
// even one that this process itself was started with.
func keepDescriptors() error {
	const all = math.MaxUint32
	err := unix.CloseRange(firstExtra, all, unix.CLOSE_RANGE_CLOEXEC)
	if err == nil {
		return nil
	}
	open, err := os.ReadDir("/proc/self/fd") // an older kernel
	for _, f := range open {
		if fd, err := strconv.Atoi(f.Name()); err == nil && fd >= firstExtra {
			unix.CloseOnExec(fd)
		}
	}
	return err
}

// exitError returns what the end of an engine's process means. stderr is what the process wrote to
// descriptor 2.
func exitError(e Engine, err error, stderr string) error {
	exit, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case !ended:
		return err
	case strings.HasPrefix(stderr, e.Command()+": "): // there was no jail
		return fmt.Errorf("%s: %s", e, strings.TrimSpace(stderr))
	}
	return &ExitError{exit.ExitCode()}
}
