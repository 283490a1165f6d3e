package secrets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Command is a program that prints the value of the secret whose name is its
// last word, and fails where it has none. It has the environment of this
// process, by which such programs find their stores.
type Command struct {
	Words []string
	Dir   string // where it starts
}

// patience is how long a person may take to unlock a store.
const patience = time.Minute

// maxValue is the most bytes that a command may print.
const maxValue = 1 << 20

// Lookup runs the command. A name that it would read as an option is none of
// its.
func (c Command) Lookup(ctx context.Context, name string) (string, bool, error) {
	switch {
	case len(c.Words) == 0:
		return "", false, errors.New("secrets.command is missing in abl.yaml")
	case strings.HasPrefix(name, "-"):
		return "", false, nil
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.Words[0], append(c.Words[1:len(c.Words):len(c.Words)], name)...) //nolint:gosec // the person trusts the project's command
	cmd.Dir = c.Dir
	cmd.WaitDelay = time.Second // for what it left behind
	out := limited{full: func() { stop(errTooMuch) }}
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return "", false, c.fault(ctx, err)
	}
	value := strings.TrimRight(out.kept.String(), "\r\n")
	return value, value != "", nil
}

// fault says what went wrong, without what the command printed: that may be a
// secret.
func (c Command) fault(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return fmt.Errorf("the command %s of abl.yaml: %w", c.Words[0], err)
}

// limited keeps what is written, and says when that is too much.
type limited struct {
	kept bytes.Buffer
	full func()
}

func (l *limited) Write(p []byte) (int, error) {
	if l.kept.Len()+len(p) > maxValue {
		l.full()
		return 0, errTooMuch
	}
	return l.kept.Write(p)
}

var errTooMuch = errors.New("it prints more than a secret")
