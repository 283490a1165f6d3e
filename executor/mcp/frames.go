package mcp

import (
	"bytes"
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/rest"
)

// messageConn is a connection that carries separate messages: the lines of a process,
// or the frames of a WebSocket.
type messageConn struct {
	session *session
	fail    func(error)            // gets the reason why there will be no more messages
	next    func() ([]byte, error) // waits for a message; ends when the connection is closed
	send    func([]byte) error
	end     func() error

	once   sync.Once
	closed error
}

// Connect implements [sdk.Transport]. The connection is open already.
func (f *messageConn) Connect(context.Context) (sdk.Connection, error) { return f, nil }

// Read returns the next message. Lines that are not messages go to the console, since many
// programs print a greeting.
func (f *messageConn) Read(context.Context) (jsonrpc.Message, error) {
	for {
		data, err := f.next()
		if err != nil {
			f.fail(err)
			return nil, err
		}
		data = bytes.TrimSpace(data)
		if msg, err := jsonrpc.DecodeMessage(f.session.inspectMessage(data, "")); err == nil {
			return msg, nil
		}
		if len(data) > 0 {
			f.session.console.write(append(data, '\n'))
		}
	}
}

// Write sends a message.
func (f *messageConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	if err := f.send(data); err != nil {
		return err
	}
	callStateOf(ctx).markSent()
	return nil
}

// Close ends the connection.
func (f *messageConn) Close() error {
	f.once.Do(func() { f.closed = f.end() })
	return f.closed
}

// SessionID returns "", since a connection has only one session.
func (f *messageConn) SessionID() string { return "" }

// failedTransport is a transport that could not be opened. Connect returns the error.
type failedTransport struct{ err error }

func (b failedTransport) Connect(context.Context) (sdk.Connection, error) { return nil, b.err }

// tooLarge returns the error for a message that is larger than the limit.
func (s *session) tooLarge() error {
	return executor.Errorf(executor.KindLimit, "response-size", "%s: a message is larger than %s", s.target.host(), rest.Size(s.target.max))
}
