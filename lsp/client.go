package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"
)

// warn tells the log and the client's output window about something that the
// person can put right.
func (s *server) warn(format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	s.log.Warn(message)
	s.tell(protocol.MethodWindowLogMessage, &protocol.LogMessageParams{Type: protocol.MessageTypeWarning, Message: message})
}

// alert shows the person a message that needs attention now.
func (s *server) alert(format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	s.log.Error(message)
	s.tell(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: protocol.MessageTypeError, Message: message})
}

// caution shows the person a message about something that did not work.
func (s *server) caution(format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	s.log.Warn(message)
	s.tell(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: protocol.MessageTypeWarning, Message: message})
}

// maxTold is how many messages wait for a client that does not read.
const maxQueued = 100

// tell sends a message without waiting for the client. The log has those that
// are too many.
func (s *server) tell(method string, params any) {
	if s.telling.Add(1) > maxQueued {
		s.telling.Add(-1)
		return
	}
	s.conn.Go("message", func(context.Context) {
		defer s.telling.Add(-1)
		s.conn.Notify(method, params)
	})
}
