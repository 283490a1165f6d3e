// Package connection is the server's end of a connection to a client of the
// Language Server Protocol: messages framed by Content-Length headers, the order in
// which they are handled, cancellation, and the end of the session.
//
// Notifications are applied in the order in which they arrive. Requests run
// concurrently, each on the state that was current when it arrived. Every
// request is answered exactly once, and a handler that panics costs its own
// answer only.
package connection

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// maxMessage is the size in bytes of the largest message that is read.
const maxMessage = 256 << 20

// Options configure a connection. In, Out and Handler are required; without a Logger
// nothing is logged.
type Options struct {
	In       io.Reader
	Out      io.Writer
	Handler  Handler
	Logger   *zap.Logger
	EndCause error // the cause with which the contexts of all work are cancelled when the session ends
}

// Conn is the server's end of the connection to a client. One goroutine reads, in Serve.
// Any goroutine may write; messages do not mix.
type Conn struct {
	// EndTimeout is how long the session waits for requests and tasks when it ends after
	// a shutdown. It may be set before Serve.
	EndTimeout time.Duration

	opts  Options
	log   *zap.Logger
	input *io.PipeWriter // the writing end of in; closing it ends the input with an error
	in    *bufio.Reader
	out   jsonrpc2.Stream

	phase        phase // used only by the loop in Serve
	tasks        tasks
	incoming     incomingRequests
	outgoing     outgoingRequests
	traceEnabled atomic.Bool // the client has asked for traces
}

// New returns a connection. Messages can be written at once; none are read before Serve.
func New(opts Options) *Conn {
	// A read from a terminal or a pipe cannot be interrupted, so the input is copied to a
	// pipe that can be closed.
	r, w := io.Pipe()
	c := &Conn{
		opts:       opts,
		log:        opts.Logger,
		input:      w,
		in:         bufio.NewReader(r),
		out:        jsonrpc2.NewHeaderStream(writeOnlyStream{opts.Out}),
		EndTimeout: defaultEndTimeout,
		tasks:      newTasks(),
	}
	if c.log == nil {
		c.log = zap.NewNop()
	}
	return c
}

// read returns the next message. It answers a framed text that is not a message itself,
// and returns an error only if the framing is broken. At the end of the input between two
// messages it returns io.EOF.
func (c *Conn) read() (jsonrpc2.Message, error) {
	for {
		body, err := c.readBody()
		if err != nil {
			return nil, err
		}
		msg, err := jsonrpc2.DecodeMessage(body)
		if err == nil {
			return msg, nil
		}
		c.write(jsonrpc2.NewResponse(jsonrpc2.ID{}, nil, err))
	}
}

// readBody reads one framed message. It allocates memory for what has arrived, not for
// what the header announces.
func (c *Conn) readBody() ([]byte, error) {
	n, err := c.readHeader()
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	if _, err := io.CopyN(&body, c.in, n); err != nil {
		return nil, unexpectedEOF(err)
	}
	return body.Bytes(), nil
}

// readHeader returns the Content-Length, the only header field that matters.
func (c *Conn) readHeader() (int64, error) {
	length := int64(-1)
	for first := true; ; first = false {
		line, err := c.readField()
		switch {
		case errors.Is(err, io.EOF) && !first:
			return 0, io.ErrUnexpectedEOF
		case err != nil:
			return 0, err
		case line == "" && length < 0:
			return 0, fmt.Errorf("%w: no Content-Length", jsonrpc2.ErrInvalidHeader)
		case line == "":
			return length, nil
		}
		name, value, _ := strings.Cut(line, ":")
		if !strings.EqualFold(name, "Content-Length") {
			continue
		}
		if length, err = parseLength(strings.TrimSpace(value)); err != nil {
			return 0, err
		}
	}
}

// readField reads one line of a header. It returns "" for the empty line that ends the
// header.
func (c *Conn) readField() (string, error) {
	line, err := c.in.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return "", fmt.Errorf("%w: a line of more than %d bytes", jsonrpc2.ErrInvalidHeader, len(line))
	case err != nil && len(line) > 0:
		return "", unexpectedEOF(err)
	}
	return strings.TrimSpace(string(line)), err
}

func parseLength(value string) (int64, error) {
	n, err := strconv.ParseUint(value, 10, 63)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%w: Content-Length %q", jsonrpc2.ErrInvalidHeader, value)
	case n > maxMessage:
		return 0, fmt.Errorf("%w: a message of %d bytes, the largest allowed is %d", jsonrpc2.ErrInvalidHeader, n, maxMessage)
	}
	return int64(n), nil
}

// unexpectedEOF returns io.ErrUnexpectedEOF for io.EOF, since the input ended inside a
// message. It returns any other error unchanged.
func unexpectedEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// write sends a message. If that fails, the client is lost, and the input ends with the
// error.
func (c *Conn) write(msg jsonrpc2.Message) {
	if _, err := c.out.Write(context.Background(), msg); err != nil {
		c.input.CloseWithError(fmt.Errorf("writing to the client: %w", err))
	}
}

// Notify sends a notification. Params that cannot be encoded are a bug of the server:
// they are only logged.
func (c *Conn) Notify(method string, params any) {
	raw, err := encode(params)
	if err != nil {
		c.log.Error("notification to the client", zap.Error(fmt.Errorf("%s: %w", method, err)))
		return
	}
	c.write(jsonrpc2.NewNotification(method, raw))
}

// encode encodes parameters. nil means no parameters.
func encode(params any) (jsonrpc2.RawMessage, error) {
	if params == nil {
		return nil, nil
	}
	return protocol.Marshal(params)
}

// Call sends a request to the client, waits for the answer, and decodes it into
// result unless that is nil. When ctx is done first, it cancels the request and
// returns the error of ctx. A handler that runs in order must not call it.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	raw, err := encode(params)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	answer := make(chan *jsonrpc2.Response, 1)
	id := c.outgoing.addRequest(answer)
	c.write(jsonrpc2.NewCall(id, method, raw))
	select {
	case <-ctx.Done():
		c.outgoing.removeRequest(id)
		cancel := jsonrpc2.RawMessage(fmt.Sprintf(`{"id":%v}`, id))
		c.write(jsonrpc2.NewNotification(protocol.MethodCancelRequest, cancel))
		return ctx.Err()
	case r := <-answer:
		if r.Err() != nil {
			return fmt.Errorf("%s: %w", method, r.Err())
		}
		if result == nil {
			return nil
		}
		return protocol.Unmarshal(r.Result(), result)
	}
}

// outgoingRequests are the server's own requests that wait for an answer.
type outgoingRequests struct {
	mu      sync.Mutex // guards the fields below
	lastID  int64
	waiting map[jsonrpc2.ID]chan<- *jsonrpc2.Response
}

// addRequest returns the id of a new request of the server. The response to that request
// will be sent to the channel answer.
func (o *outgoingRequests) addRequest(answer chan<- *jsonrpc2.Response) jsonrpc2.ID {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.waiting == nil {
		o.waiting = map[jsonrpc2.ID]chan<- *jsonrpc2.Response{}
	}
	o.lastID++
	id := jsonrpc2.NewNumberID(o.lastID)
	o.waiting[id] = answer
	return id
}

// removeRequest forgets a request and returns its channel, nil if there is no such
// request.
func (o *outgoingRequests) removeRequest(id jsonrpc2.ID) chan<- *jsonrpc2.Response {
	o.mu.Lock()
	defer o.mu.Unlock()
	answer := o.waiting[id]
	delete(o.waiting, id)
	return answer
}

// deliverResponse sends an answer to the call that waits for it, if there is one.
func (o *outgoingRequests) deliverResponse(r *jsonrpc2.Response) {
	if answer := o.removeRequest(r.ID()); answer != nil {
		answer <- r
	}
}

// writeOnlyStream makes a writer a stream that is never read or closed.
type writeOnlyStream struct{ io.Writer }

func (writeOnlyStream) Read([]byte) (int, error) { return 0, io.EOF }
func (writeOnlyStream) Close() error             { return nil }
