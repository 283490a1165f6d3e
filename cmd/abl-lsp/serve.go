package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/abl-lsp/abl-lsp/lsp"
	"github.com/abl-lsp/abl-lsp/lsp/connection"
)

func newServe() *cobra.Command {
	var logFile string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve an editor on stdin and stdout (also what happens without a command)",
		Args:  argumentCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, done, err := newLogger(cmd, logFile)
			if err != nil {
				return err
			}
			defer done()
			defer ignoreBrokenPipe()()
			kept, stored := newServerCache(), newLocalState()
			ex := newExecutor(kept, stored)
			defer ex.Close() // there is no one left to report an error to
			err = lsp.Serve(cmd.Context(), lsp.Options{
				In:       cmd.InOrStdin(),
				Out:      cmd.OutOrStdout(),
				Executor: ex,
				Servers:  kept,
				State:    stored,
				Logger:   log,
				Version:  version,
			})
			stopped := context.Cause(cmd.Context()) // by a signal
			switch {
			case err == nil:
				return nil
			case stopped != nil:
				err = stopped
			case !errors.Is(err, connection.ErrExited) && !errors.Is(err, connection.ErrClientLost):
				return err
			}
			log.Warn(err.Error())
			return exitCode(exitFound) // as the protocol requires
		},
	}
	cmd.Flags().Bool("stdio", true, "speak on stdin and stdout, which is the only way")
	cmd.Flags().StringVar(&logFile, "log-file", "", "write the log to this `FILE` instead of stderr")
	return cmd
}

// ignoreBrokenPipe makes a write to a closed pipe fail, until off is called, so that the
// current run is cancelled. Otherwise the process would end there, and how the run ended
// would not be recorded.
func ignoreBrokenPipe() (off func()) {
	gone := make(chan os.Signal, 1)
	signal.Notify(gone, syscall.SIGPIPE) // not Ignore, which the children would inherit
	return func() { signal.Stop(gone) }
}

// newLogger returns a logger that writes to stderr or to a file. It never writes to
// stdout, which belongs to the protocol.
func newLogger(cmd *cobra.Command, path string) (log *zap.Logger, done func(), err error) {
	sink, closeSink := zapcore.AddSync(cmd.ErrOrStderr()), func() {}
	if path != "" {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, nil, fmt.Errorf("opening the log: %w", err)
		}
		sink, closeSink = f, func() { _ = f.Close() }
	}
	encoder := zapcore.NewConsoleEncoder(zap.NewDevelopmentEncoderConfig())
	log = zap.New(zapcore.NewCore(encoder, zapcore.Lock(sink), zapcore.InfoLevel))
	return log, func() { _ = log.Sync(); closeSink() }, nil
}
