package main

import (
	"io"
	"log/slog"
	"strings"

	"go.uber.org/zap"
	"go.uber.org/zap/exp/zapslog"
	"go.uber.org/zap/zapcore"
)

// newServerLogger returns the logger of a server over HTTP. It writes a JSON object a line, for
// programs that collect logs; on a terminal it writes lines for people.
func newServerLogger(errs io.Writer) *slog.Logger {
	c := zap.NewProductionEncoderConfig()
	c.TimeKey, c.MessageKey = "time", "message"
	c.EncodeTime = zapcore.RFC3339NanoTimeEncoder
	encoder := zapcore.NewJSONEncoder(c)
	if isTerminal(errs) {
		encoder = zapcore.NewConsoleEncoder(c)
	}
	core := zapcore.NewCore(encoder, zapcore.Lock(zapcore.AddSync(errs)), zapcore.InfoLevel)
	return slog.New(zapslog.NewHandler(core))
}

// lineLogger logs each line that is written to it as a warning.
type lineLogger struct{ logger *slog.Logger }

// Write implements [io.Writer]. It expects whole lines.
func (l lineLogger) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		l.logger.Warn(strings.TrimSuffix(line, "\n"))
	}
	return len(p), nil
}
