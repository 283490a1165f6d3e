package connection

import (
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// phase is the phase of a session's life cycle.
type phase int

const (
	created phase = iota
	running
	shutDown
	exited
	exitedEarly // without a shutdown
)

// checkRequest returns why a request is not allowed in the phase, nil if it is allowed.
func (p phase) checkRequest(method string) error {
	switch {
	case p == shutDown:
		return jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server is shut down")
	case p == created && method != protocol.MethodInitialize:
		return jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "the first request must be initialize")
	case p == running && method == protocol.MethodInitialize:
		return jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server is initialized already")
	}
	return nil
}

// allowsNotification reports whether a notification is allowed in the phase.
func (p phase) allowsNotification(method string) bool {
	return p == running || method == protocol.MethodExit || strings.HasPrefix(method, "$/")
}

// next returns the phase after a request was answered without an error.
func (p phase) next(method string) phase {
	switch method {
	case protocol.MethodInitialize:
		return running
	case protocol.MethodShutdown:
		return shutDown
	}
	return p
}

func (c *Conn) exit(raw jsonrpc2.RawMessage) error {
	if _, err := Decode[struct{}](raw); err != nil {
		return err
	}
	if c.phase == shutDown {
		c.phase = exited
	} else {
		c.phase = exitedEarly
	}
	return nil
}
