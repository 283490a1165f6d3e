package connection

import (
	"context"
	"errors"
	"fmt"
	"io"

	"go.lsp.dev/jsonrpc2"
)

// The errors of sessions that do not end as the protocol requires.
var (
	ErrClientLost = errors.New("the client went away without a shutdown")
	ErrExited     = errors.New("the client asked to exit without a shutdown")
)

// Serve handles messages until the client exits or goes away, or until ctx is done.
// It returns nil if the client has asked for a shutdown, ErrClientLost or ErrExited
// if it has not, and another error if the input is no stream of messages.
func (c *Conn) Serve(ctx context.Context) error {
	go func() {
		_, err := io.Copy(c.input, c.opts.In)
		c.input.CloseWithError(err)
	}()
	defer context.AfterFunc(ctx, func() {
		c.input.CloseWithError(context.Cause(ctx))
		c.tasks.cancel(c.opts.EndCause)
	})()
	defer c.input.CloseWithError(io.ErrClosedPipe)

	err := c.readMessages()
	c.endTasks(err == nil)
	return err
}

// readMessages handles messages until the session ends. It returns nil or the reason why
// it ended.
func (c *Conn) readMessages() error {
	for c.phase < exited {
		msg, err := c.read()
		switch {
		case errors.Is(err, io.EOF) && c.phase == shutDown:
			return nil
		case errors.Is(err, io.EOF):
			return ErrClientLost
		case err != nil:
			return fmt.Errorf("reading from the client: %w", err)
		}
		switch msg := msg.(type) {
		case *jsonrpc2.Call:
			c.answerCall(msg)
		case *jsonrpc2.Notification:
			c.applyNotification(msg)
		case *jsonrpc2.Response:
			c.outgoing.deliverResponse(msg)
		}
		c.opts.Handler.MessageReceived()
	}
	if c.phase == exitedEarly {
		return ErrExited
	}
	return nil
}
