// Package process starts every child process.
//
// It promises that one ends with its context and takes what it started along,
// that it gets no variable of this process's environment beyond the few that
// programs cannot do without, and that no more is kept of what it prints than its
// caller has room for.
package process

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"time"
)

// ErrTooMuch is that of a process which prints more than its caller takes.
var ErrTooMuch = errors.New("it prints too much")

// Command is what is started.
type Command struct {
	Words     []string          // the program and its arguments; at least one
	Dir       string            // where it starts; "": where this process is
	Env       map[string]string // its own variables, over the few that every process gets
	Inherit   bool              // it gets the environment of this process
	ExtraFile []*os.File        // from descriptor 3 up; not on Windows

	Stdin  io.Reader // nil: nothing
	Stdout io.Writer // nil: lost
	Stderr io.Writer // nil: lost

	Max int // of [Output]: bytes
}

// grace is how long what a process left behind may hold its output open.
const grace = time.Second

// New makes a command that can be started. It ends when ctx does, with all that
// it has started.
func New(ctx context.Context, c Command) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.Words[0], c.Words[1:]...)
	cmd.Dir = c.Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
	cmd.ExtraFiles = c.ExtraFile
	if !c.Inherit {
		cmd.Env = []string{} // not nil, which would mean all
		for _, name := range plain() {
			if v, ok := os.LookupEnv(name); ok {
				cmd.Env = append(cmd.Env, name+"="+v)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		if cmd.Env == nil {
			cmd.Env = os.Environ()
		}
		cmd.Env = append(cmd.Env, name+"="+c.Env[name])
	}
	cmd.WaitDelay = grace
	group(cmd)
	return cmd
}

// Output runs a command and gives what it prints. An error says nothing of that.
func Output(ctx context.Context, c Command) (string, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	out := limited{max: c.Max, full: func() { stop(ErrTooMuch) }}
	c.Stdout = &out
	if err := New(ctx, c).Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) { // what it left behind is still there
		if cause := context.Cause(ctx); cause != nil {
			return "", cause
		}
		return "", err
	}
	return out.kept.String(), nil
}

// limited keeps what is written, and says when that is too much.
type limited struct {
	kept bytes.Buffer
	max  int
	full func()
}

func (l *limited) Write(p []byte) (int, error) {
	if l.kept.Len()+len(p) > l.max {
		l.full()
		return 0, ErrTooMuch
	}
	return l.kept.Write(p)
}
