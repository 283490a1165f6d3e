package connection

import (
	"fmt"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// SetTrace sets whether the client gets a $/logTrace for each request.
func (c *Conn) SetTrace(value protocol.TraceValue) {
	c.traceEnabled.Store(value != "" && value != protocol.TraceValueOff)
}

func (c *Conn) setTrace(raw jsonrpc2.RawMessage) error {
	params, err := Decode[protocol.SetTraceParams](raw)
	if err == nil {
		c.SetTrace(params.Value)
	}
	return err
}

// trace is called when a request arrives. The function that it returns is called with the
// error of the answer, or nil: it logs how long the answer took, and sends the client a
// $/logTrace if the client asked for traces when the request arrived.
func (c *Conn) trace(method string) func(error) {
	started, on := time.Now(), c.traceEnabled.Load()
	return func(err error) {
		took := time.Since(started)
		c.log.Debug("request", zap.String("method", method), zap.Duration("took", took), zap.Error(err))
		if !on {
			return
		}
		message := fmt.Sprintf("%s took %v", method, took.Round(time.Microsecond))
		if err != nil {
			message += ": " + err.Error()
		}
		c.Notify(protocol.MethodLogTrace, &protocol.LogTraceParams{Message: message})
	}
}
