package lsp

import (
	"context"
	"errors"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// answer sees to it that a request is answered, once.
func (s *server) answer(call *jsonrpc2.Call) {
	traced := s.traced(call.Method())
	ctx, done := s.calls.add(s.ctx, call.ID())
	reply := func(result jsonrpc2.RawMessage, err error) {
		done()
		s.client.write(jsonrpc2.NewResponse(call.ID(), result, err))
		s.calls.answered()
		traced(err)
	}
	run, err := s.prepare(call)
	if err == nil && s.calls.many() {
		// A client that does not read is not read from any more.
		err = jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), "more than %d requests at once", maxCalls)
	}
	if err != nil {
		reply(nil, err)
		return
	}
	if run.inOrder {
		reply(s.run(ctx, call.Method(), run.handle))
		return
	}
	s.running.Go(func() { reply(s.run(ctx, call.Method(), run.handle)) })
}

// prepare finds the handler of a request and binds it to the current state.
func (s *server) prepare(call *jsonrpc2.Call) (bound, error) {
	if err := s.phase.admit(call.Method()); err != nil {
		return bound{}, err
	}
	bind, ok := s.requests[call.Method()]
	if !ok {
		return bound{}, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "this server has no method %q", call.Method())
	}
	return bind(s, call.Params()), nil
}

// run calls a handler and encodes its result.
func (s *server) run(ctx context.Context, method string, handle handler) (raw jsonrpc2.RawMessage, err error) {
	defer s.survive(method, &err)
	result, err := handle(ctx)
	if err != nil {
		return nil, wireError(ctx, err)
	}
	return asJSON(result)
}

// asJSON is a result as JSON, which it may be already.
func asJSON(result any) (jsonrpc2.RawMessage, error) {
	if raw, ok := result.(jsonrpc2.RawMessage); ok {
		return raw, nil
	}
	return protocol.Marshal(result)
}

// wireError gives err a code. A result in spite of a cancellation is still a
// result, but any error after one is the cancellation's.
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

// notice applies a notification. What is wrong with one can only be logged.
func (s *server) notice(n *jsonrpc2.Notification) {
	handle, known := s.notifications[n.Method()]
	switch {
	case !known && strings.HasPrefix(n.Method(), "$/"):
		return
	case !known:
		s.log.Debug("unknown notification", zap.String("method", n.Method()))
		return
	case !s.phase.notices(n.Method()):
		s.log.Warn("notification outside the session", zap.String("method", n.Method()))
		return
	}
	if err := s.apply(n, handle); err != nil {
		s.log.Error("notification", zap.String("method", n.Method()), zap.Error(err))
	}
}

func (s *server) apply(n *jsonrpc2.Notification, handle notification) (err error) {
	defer s.survive(n.Method(), &err)
	return handle(s, n.Params())
}

// calls are the requests being answered. Some clients use an id again before it
// is free.
type calls struct {
	mu     sync.Mutex
	count  int
	cancel map[jsonrpc2.ID]map[int]context.CancelFunc
	last   int
}

// maxCalls is how many requests are worked on at once.
const maxCalls = 1000

// many reports whether there are too many.
func (c *calls) many() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count > maxCalls
}

// add returns the context for a request, and what to call before answering it.
func (c *calls) add(ctx context.Context, id jsonrpc2.ID) (context.Context, func()) {
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

// answered notes that an answer is with the client.
func (c *calls) answered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count--
}

// stop cancels a request, if it still runs.
func (c *calls) stop(id jsonrpc2.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, cancel := range c.cancel[id] {
		cancel()
	}
}
