package connection

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// Handler handles the messages of a client. Its methods are called one at a
// time, in the order in which the messages arrive.
type Handler interface {
	// Request returns a request that captures the state at its arrival; ok is false
	// if the server has no such method. Requests for initialize and shutdown must be
	// InOrder, since they change what the connection admits next.
	Request(method string, params jsonrpc2.RawMessage) (request Request, ok bool)
	// Notification returns the function that applies a notification before the
	// next message is read, nil if the server has no such method.
	Notification(method string) func(params jsonrpc2.RawMessage) error
	// MessageReceived is called after each message.
	MessageReceived()
}

// Request is a request that is ready to be answered.
type Request struct {
	// Answer returns the result, or an error; a *jsonrpc2.Error keeps its code. Its
	// context is done when the request is cancelled or the session ends.
	Answer func(context.Context) (any, error)
	// InOrder says that Answer is called before the next message is read. Otherwise it is
	// called in a goroutine of its own.
	InOrder bool
}

// answerCall answers a request exactly once.
func (c *Conn) answerCall(call *jsonrpc2.Call) {
	trace := c.trace(call.Method())
	ctx, done := c.incoming.addRequest(c.tasks.ctx, call.ID())
	reply := func(result jsonrpc2.RawMessage, err error) {
		done()
		c.write(jsonrpc2.NewResponse(call.ID(), result, err))
		c.incoming.countAnswer()
		trace(err)
	}
	request, err := c.findRequest(call)
	if err == nil && c.incoming.isFull() {
		// Then the client does not read the answers.
		err = jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), "more than %d requests at once", MaxRequests)
	}
	if err != nil {
		reply(nil, err)
		return
	}
	if request.InOrder {
		result, err := c.runRequest(ctx, call.Method(), request)
		if err == nil {
			c.phase = c.phase.next(call.Method())
		}
		reply(result, err)
		return
	}
	c.tasks.finiteWork.Go(func() { reply(c.runRequest(ctx, call.Method(), request)) })
}

// findRequest finds the handler of a request and binds it to the current state.
func (c *Conn) findRequest(call *jsonrpc2.Call) (Request, error) {
	if err := c.phase.checkRequest(call.Method()); err != nil {
		return Request{}, err
	}
	request, ok := c.opts.Handler.Request(call.Method(), call.Params())
	if !ok {
		return Request{}, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "this server has no method %q", call.Method())
	}
	return request, nil
}

// runRequest calls a handler and encodes its result.
func (c *Conn) runRequest(ctx context.Context, method string, request Request) (raw jsonrpc2.RawMessage, err error) {
	defer c.recoverPanic(method, &err)
	result, err := request.Answer(ctx)
	if err != nil {
		return nil, wireError(ctx, err)
	}
	return Encode(result)
}

// Encode encodes a result. A jsonrpc2.RawMessage is returned unchanged.
func Encode(result any) (jsonrpc2.RawMessage, error) {
	if raw, ok := result.(jsonrpc2.RawMessage); ok {
		return raw, nil
	}
	return protocol.Marshal(result)
}

// wireError returns an error with a code. After a cancellation every error becomes
// ErrRequestCancelled.
func wireError(ctx context.Context, err error) error {
	var coded *jsonrpc2.Error
	switch {
	case ctx.Err() != nil:
		return protocol.ErrRequestCancelled
	case errors.As(err, &coded):
		return err
	}
	return jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), err.Error())
}

// applyNotification applies a notification. Its errors are only logged.
func (c *Conn) applyNotification(n *jsonrpc2.Notification) {
	apply := c.notification(n.Method())
	switch {
	case apply == nil && strings.HasPrefix(n.Method(), "$/"):
		return
	case apply == nil:
		c.log.Debug("unknown notification", zap.String("method", n.Method()))
		return
	case !c.phase.allowsNotification(n.Method()):
		c.log.Warn("notification outside the session", zap.String("method", n.Method()))
		return
	}
	err := func() (err error) {
		defer c.recoverPanic(n.Method(), &err)
		return apply(n.Params())
	}()
	if err != nil {
		c.log.Error("notification", zap.String("method", n.Method()), zap.Error(err))
	}
}

// notification returns the function that applies a notification. The connection handles
// cancellation, traces and the exit itself.
func (c *Conn) notification(method string) func(jsonrpc2.RawMessage) error {
	switch method {
	case protocol.MethodCancelRequest:
		return c.cancelRequest
	case protocol.MethodSetTrace:
		return c.setTrace
	case protocol.MethodExit:
		return c.exit
	}
	return c.opts.Handler.Notification(method)
}

// cancelRequest cancels a request of the client. It decodes the id itself, since the
// library's type has no integers above 32 bits.
func (c *Conn) cancelRequest(raw jsonrpc2.RawMessage) error {
	params, err := Decode[struct {
		ID json.RawMessage `json:"id"`
	}](raw)
	if err != nil {
		return err
	}
	var name string
	if json.Unmarshal(params.ID, &name) == nil {
		c.incoming.cancelAll(jsonrpc2.NewStringID(name))
		return nil
	}
	number, err := strconv.ParseInt(string(params.ID), 10, 64)
	if err != nil {
		return fmt.Errorf("no request has the id %s", params.ID)
	}
	c.incoming.cancelAll(jsonrpc2.NewNumberID(number))
	return nil
}

// Decode decodes the parameters of a message. It returns the zero value if there are
// none.
func Decode[P any](raw jsonrpc2.RawMessage) (*P, error) {
	params := new(P)
	if len(raw) == 0 {
		return params, nil
	}
	if err := protocol.Unmarshal(raw, params); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "invalid parameters: %v", err)
	}
	return params, nil
}

// incomingRequests are the client's requests that are being answered. Several may have
// one id, since some clients reuse an id too early.
type incomingRequests struct {
	mu     sync.Mutex // guards the fields below
	count  int
	cancel map[jsonrpc2.ID]map[int]context.CancelFunc
	last   int
}

// MaxRequests is how many requests are answered at once. Further ones are refused.
const MaxRequests = 1000

// isFull reports whether more than MaxRequests requests are being answered.
func (c *incomingRequests) isFull() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count > MaxRequests
}

// addRequest returns the context of a request, and a function to call before its answer
// is sent.
func (c *incomingRequests) addRequest(ctx context.Context, id jsonrpc2.ID) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancel == nil {
		c.cancel = map[jsonrpc2.ID]map[int]context.CancelFunc{}
	}
	if c.cancel[id] == nil {
		c.cancel[id] = map[int]context.CancelFunc{}
	}
	c.last++
	n := c.last
	c.cancel[id][n] = cancel
	c.count++
	return ctx, func() {
		cancel()
		c.mu.Lock()
		defer c.mu.Unlock()
		if delete(c.cancel[id], n); len(c.cancel[id]) == 0 {
			delete(c.cancel, id)
		}
	}
}

// countAnswer is called after an answer was sent.
func (c *incomingRequests) countAnswer() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count--
}

// cancelAll cancels all requests with an id that have not ended.
func (c *incomingRequests) cancelAll(id jsonrpc2.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, cancel := range c.cancel[id] {
		cancel()
	}
}
