package lsp

import (
	"fmt"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// trace is whether the client wants to hear how its requests went.
type trace struct{ on atomic.Bool }

func (t *trace) set(value protocol.TraceValue) {
	t.on.Store(value != "" && value != protocol.TraceValueOff)
}

func setTrace(s *server, params *protocol.SetTraceParams) error {
	s.trace.set(params.Value)
	return nil
}

// traced returns what tells the log, and a client that wants to hear it, that
// a request which arrives now has been answered.
func (s *server) traced(method string) func(error) {
	started, on := time.Now(), s.trace.on.Load()
	return func(err error) {
		took := time.Since(started)
		s.log.Debug("request", zap.String("method", method), zap.Duration("took", took), zap.Error(err))
		if !on {
			return
		}
		message := fmt.Sprintf("%s took %v", method, took.Round(time.Microsecond))
		if err != nil {
			message += ": " + err.Error()
		}
		s.notify(protocol.MethodLogTrace, &protocol.LogTraceParams{Message: message})
	}
}
