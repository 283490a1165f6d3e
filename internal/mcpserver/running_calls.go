package mcpserver

import (
	"context"
	"encoding/json"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// beginCall registers a call that is answered without the library. isNew is false if a call with
// that id is running, or the connection is closed.
func (c *connection) beginCall(id jsonrpc.ID) (ctx context.Context, isNew bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running[id] != nil || c.calls[id] || c.isClosed {
		return nil, false
	}
	ctx, c.running[id] = context.WithCancel(c.ctx)
	c.unwritten++
	return ctx, true
}

// releaseID frees the id of a call that has an answer: once that is written, the client may use the
// id again.
func (c *connection) releaseID(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running[id]()
	delete(c.running, id)
}

// endCall registers that the answer to a call is written.
func (c *connection) endCall() {
	c.mu.Lock()
	c.unwritten--
	c.mu.Unlock()
	c.signalChange()
}

// failWrites ends the connection after an error of a write.
func (c *connection) failWrites(err error) {
	c.mu.Lock()
	c.writeError = err
	c.mu.Unlock()
	_ = c.Close() // which says nothing new
}

// endError returns the reason why nothing more can be read: the error of a write, or
// io.EOF if none has failed.
func (c *connection) endError() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.writeError != nil {
		return c.writeError
	}
	return io.EOF
}

// awaitUnwritten waits until all calls that are answered without the library have their answers.
// The connection is closed.
func (c *connection) awaitUnwritten() {
	for c.hasUnwritten() {
		<-c.stateChanged
	}
}

func (c *connection) hasUnwritten() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.unwritten > 0
}

// isRunning reports whether a message is a call with the id of a running call that is answered
// without the library.
func (c *connection) isRunning(m jsonrpc.Message) bool {
	r, ok := m.(*jsonrpc.Request)
	if !ok || !r.IsCall() {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.running[r.ID] != nil
}

// cancelRunning cancels the call that a message cancels, if it is one that the library does not
// know.
func (c *connection) cancelRunning(m jsonrpc.Message) {
	r, ok := m.(*jsonrpc.Request)
	if !ok || r.Method != "notifications/cancelled" {
		return
	}
	var params sdk.CancelledParams
	if json.Unmarshal(r.Params, &params) != nil {
		return // the library says it
	}
	id, err := jsonrpc.MakeID(params.RequestID)
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel := c.running[id]; cancel != nil {
		cancel()
	}
}
