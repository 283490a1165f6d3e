package mcpserver

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// streams connects a client over a pair of streams.
type streams struct {
	server      *Server
	in          io.Reader
	out         io.Writer
	cancelCalls func() // cancels all calls

	connection *connection // once it is connected
}

// Connect implements [sdk.Transport]. The end of ctx ends the connection and its running calls.
func (s *streams) Connect(ctx context.Context) (sdk.Connection, error) {
	to := &replyWriter{to: s.out}
	c := &connection{
		server: s.server, ctx: ctx, to: to, onInputEnd: func() { watchHangUp(ctx, s.out, s.cancelCalls) },
		calls: map[jsonrpc.ID]bool{}, questions: map[jsonrpc.ID]bool{}, running: map[jsonrpc.ID]context.CancelFunc{},
		stateChanged: make(chan struct{}, 1), closed: make(chan struct{}),
	}
	from := newReceiver(&lineReader{from: bufio.NewReader(s.in), to: to}, c.directAnswer, c.closed)
	var err error
	if c.Connection, err = (&sdk.IOTransport{Reader: io.NopCloser(from), Writer: to, MaxLineLength: -1}).Connect(ctx); err != nil {
		return nil, err
	}
	s.connection = c
	from.start()
	context.AfterFunc(ctx, func() { _ = c.Close() }) // the streams are not its own to close
	return c, nil
}

// connection is a connection whose end waits for the calls before it. The library would leave those
// unanswered, although a shell's pipe ends as soon as all is written.
type connection struct {
	sdk.Connection
	server  *Server
	ctx     context.Context                   // of the calls that are answered without the library
	session atomic.Pointer[sdk.ServerSession] // nil: not known yet; the library answers everything
	to      *replyWriter

	mu           sync.Mutex
	calls        map[jsonrpc.ID]bool               // from the client, not answered yet by the library
	running      map[jsonrpc.ID]context.CancelFunc // from the client, being answered without the library
	unwritten    int                               // the number of running calls, and of calls whose answer is being written
	questions    map[jsonrpc.ID]bool               // to the client, not answered yet
	writeError   error                             // the first error of a write
	isClosed     bool                              // Close was called
	stateChanged chan struct{}                     // signals that one of the above may have changed
	inputEnded   bool                              // the client has ended its input; only the reader uses it
	onInputEnd   func()                            // called once inputEnded is true
	closed       chan struct{}
}

var errClientGone = &jsonrpc.Error{Code: -32000, Message: "the client has gone, so nobody can be asked"}

// Read implements [sdk.Connection].
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for !c.inputEnded {
		m, err := c.Connection.Read(ctx)
		switch {
		case errors.Is(err, io.EOF):
			c.inputEnded = true
			go c.onInputEnd()
		case err == nil && c.isRunning(m): // the library would not answer a second call of that id
		case err == nil:
			c.cancelRunning(m)
			c.trackReceived(m)
			return m, nil
		case ctx.Err() != nil || isStreamError(err):
			return nil, err
		default: // JSON that is no message
			c.to.refuse(jsonrpc.CodeInvalidRequest, "this is no message of JSON-RPC 2.0, or a batch, which this version of the protocol has not")
		}
	}
	for {
		id, question, call := c.pendingMessage()
		switch {
		case question:
			m := &jsonrpc.Response{ID: id, Error: errClientGone}
			c.trackReceived(m)
			return m, nil
		case !call:
			return nil, c.endError()
		}
		select {
		case <-c.stateChanged:
		case <-c.closed:
			return nil, c.endError()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func isStreamError(err error) bool {
	_, lost := errors.AsType[streamError](err)
	return lost
}

// pendingMessage returns the id of a question that the client has not answered. question
// is false if there is none. call reports whether a call of the client has no answer yet.
func (c *connection) pendingMessage() (id jsonrpc.ID, question, call bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id := range c.questions {
		return id, true, true
	}
	return id, false, len(c.calls)+c.unwritten > 0
}

// trackReceived tracks a message from the client.
func (c *connection) trackReceived(m jsonrpc.Message) { c.trackMessage(m, c.calls, c.questions) }

// trackMessage adds what a message asks to asks, and removes what it answers from answers.
func (c *connection) trackMessage(m jsonrpc.Message, asks, answers map[jsonrpc.ID]bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch m := m.(type) {
	case *jsonrpc.Request:
		if m.IsCall() {
			asks[m.ID] = true
		}
	case *jsonrpc.Response:
		delete(answers, m.ID)
	}
}

// Write implements [sdk.Connection].
func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, c.withErrorCode(m))
	c.trackMessage(m, c.questions, c.calls)
	c.signalChange()
	return err
}

// withErrorCode returns the message with a code of JSON-RPC for an error that the library gives none:
// before the session begins, the request comes too early.
func (c *connection) withErrorCode(m jsonrpc.Message) jsonrpc.Message {
	r, ok := m.(*jsonrpc.Response)
	if !ok || r.Error == nil {
		return m
	}
	if e, ok := errors.AsType[*jsonrpc.Error](r.Error); ok && e.Code != 0 {
		return m
	}
	fault := &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: r.Error.Error()}
	if session := c.session.Load(); session == nil || session.InitializeParams() == nil {
		fault.Code = jsonrpc.CodeInvalidRequest
	}
	return &jsonrpc.Response{ID: r.ID, Error: fault}
}

// signalChange makes the reader look at the pending messages again.
func (c *connection) signalChange() {
	select {
	case c.stateChanged <- struct{}{}:
	default: // it is to look already
	}
}

// Close implements [sdk.Connection]. The calls that are answered without the library end.
func (c *connection) Close() error {
	c.mu.Lock()
	if !c.isClosed {
		c.isClosed = true
		close(c.closed)
	}
	for _, cancel := range c.running {
		cancel()
	}
	c.mu.Unlock()
	return c.Connection.Close()
}
