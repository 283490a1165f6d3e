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

// kind is how one engine is used.
type kind struct {
	// command starts a program with the engine at path. What it opened is closed by
	// done, when the program is over.
	command  func(path string, p Program) (c process.Command, done func(), err error)
	overhead int64 // bytes that the engine and an interpreter need for themselves
}

func kindOf(e Engine) kind {
	return map[Engine]kind{
		Bubblewrap: {bubblewrap, 64 << 20},
		GVisor:     {gvisor, 192 << 20},
	}[e]
}

func run(ctx context.Context, e Engine, path string, p Program) error {
	k := kindOf(e)
	c, done, err := k.command(path, p)
	if err != nil {
		return fmt.Errorf("%s: %w", e, err)
	}
	defer done()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	errs := &process.Tail{Max: 1 << 10}
	c.Stdin, c.Stdout, c.Stderr = p.Stdin, p.Stdout, errs
	if p.Stderr != nil {
		c.Stderr = io.MultiWriter(errs, p.Stderr)
	}
	if err := keepDescriptors(); err != nil {
		return fmt.Errorf("%s: %w", e, err)
	}
	started, err := process.Start(ctx, c)
	if err != nil {
		return fmt.Errorf("%s: %w", e, err)
	}
	if p.Memory > 0 {
		go watch(ctx, started.PID(), p.Memory+k.overhead, func() { stop(ErrMemory) })
	}
	return verdict(e, started.Wait(), errs.String())
}

// keepDescriptors has this process pass on no file but those that are meant, also
// none that it was itself started with.
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

// verdict says what the end of an engine means.
func verdict(e Engine, err error, said string) error {
	exit, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case !ended:
		return err
	case strings.HasPrefix(said, e.Command()+": "): // there was no jail
		return fmt.Errorf("%s: %s", e, strings.TrimSpace(said))
	}
	return &ExitError{exit.ExitCode()}
}
