// Package process starts every child process.
//
// It promises that one ends with its context, and that no more is kept of what it
// prints than its caller has room for.
package process

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"time"
)

// ErrTooMuch is that of a process which prints more than its caller takes.
var ErrTooMuch = errors.New("it prints too much")

// Command is what is started.
type Command struct {
	Words []string // the program and its arguments; at least one
	Dir   string   // where it starts
	Max   int      // bytes of its output
}

// Output runs a command with the environment of this process and gives what it
// prints. An error says nothing of that.
func Output(ctx context.Context, c Command) (string, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	cmd := exec.CommandContext(ctx, c.Words[0], c.Words[1:]...)
	cmd.Dir = c.Dir
	cmd.WaitDelay = time.Second // for what it left behind
	out := limited{max: c.Max, full: func() { stop(ErrTooMuch) }}
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) { // what it left behind is still there
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
