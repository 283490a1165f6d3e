package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"
)

// exitInterrupted is the exit code after Ctrl-C, as shells have it.
const exitInterrupted = 130

// errInterrupted is the cause of a context that Ctrl-C has ended. A command that returns it
// has been cancelled by the person.
var errInterrupted = errors.New("interrupt signal received")

// wasInterrupted reports whether Ctrl-C has ended ctx.
func wasInterrupted(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errInterrupted) }

// untilSignal returns a context that ends with the first Ctrl-C or SIGTERM. A command then
// stops what it does and returns. A second Ctrl-C calls exit at once. stop ends the handling of
// signals.
func untilSignal(ctx context.Context, errs io.Writer, exit func(code int)) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for s := range signals {
			switch {
			case s != os.Interrupt:
				cancel(fmt.Errorf("%v signal received", s))
			case wasInterrupted(ctx):
				reportCancelled(errs)
				exit(exitInterrupted)
			default:
				cancel(errInterrupted)
			}
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}

// reportCancelled says that the person has cancelled the command: on a terminal, below the ^C
// that it shows.
func reportCancelled(errs io.Writer) {
	if isTerminal(errs) {
		fmt.Fprintln(errs)
	}
	fmt.Fprintln(errs, "abl-lsp: cancelled")
}

// isTerminal reports whether what is written to out appears on a terminal.
func isTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// readAll reads in to its end, or up to most bytes. It returns the cause of ctx as soon as ctx
// ends, although a read that waits for input cannot be stopped.
func readAll(ctx context.Context, in io.Reader, most int64) ([]byte, error) {
	type result struct {
		content []byte
		err     error
	}
	done := make(chan result, 1)
	go func() {
		content, err := io.ReadAll(io.LimitReader(in, most))
		done <- result{content, err}
	}()
	select {
	case r := <-done:
		return r.content, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
