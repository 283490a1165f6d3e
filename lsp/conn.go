package lsp

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

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// maxMessage is the size in bytes of the largest message that is read.
const maxMessage = 256 << 20

// conn reads and writes JSON-RPC messages framed by Content-Length headers.
// One goroutine reads; any may write, a message at a time.
type conn struct {
	in  *bufio.Reader
	out jsonrpc2.Stream
	// cut ends the input with an error.
	cut func(error)

	mu      sync.Mutex
	lastID  int64
	waiting map[jsonrpc2.ID]chan<- *jsonrpc2.Response // of our own requests
}

// newConn returns a connection whose input also ends when ctx is done.
func newConn(ctx context.Context, in io.Reader, out io.Writer) *conn {
	// A read of a terminal or a pipe cannot be interrupted, so it happens
	// behind a pipe that can be closed.
	r, w := io.Pipe()
	go func() {
		_, err := io.Copy(w, in)
		w.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { w.CloseWithError(context.Cause(ctx)) })
	return &conn{
		in:      bufio.NewReader(r),
		out:     jsonrpc2.NewHeaderStream(output{out}),
		cut:     func(err error) { w.CloseWithError(err) },
		waiting: map[jsonrpc2.ID]chan<- *jsonrpc2.Response{},
	}
}

// read returns the next message. It answers what is no message by itself, so
// that only what cannot be framed is an error. The end of the input between
// two messages is io.EOF.
func (c *conn) read() (jsonrpc2.Message, error) {
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

// readBody reads one framed message. Memory grows with what arrives, not with
// what the header announces.
func (c *conn) readBody() ([]byte, error) {
	n, err := c.readHeader()
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	if _, err := io.CopyN(&body, c.in, n); err != nil {
		return nil, unexpected(err)
	}
	return body.Bytes(), nil
}

// readHeader returns the Content-Length, the only header field that matters.
func (c *conn) readHeader() (int64, error) {
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

// readField reads one line of a header, "" at its end.
func (c *conn) readField() (string, error) {
	line, err := c.in.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return "", fmt.Errorf("%w: a line of more than %d bytes", jsonrpc2.ErrInvalidHeader, len(line))
	case err != nil && len(line) > 0:
		return "", unexpected(err)
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

// unexpected tells an end of the input inside a message from one between two.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// write sends msg. A client that cannot be written to is lost: the input ends
// with the error.
func (c *conn) write(msg jsonrpc2.Message) {
	if _, err := c.out.Write(context.Background(), msg); err != nil {
		c.cut(fmt.Errorf("writing to the client: %w", err))
	}
}

// notify sends a notification to the client.
func (c *conn) notify(method string, params any) error {
	raw, err := encode(params)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	c.write(jsonrpc2.NewNotification(method, raw))
	return nil
}

// encode encodes parameters; nil stands for none.
func encode(params any) (jsonrpc2.RawMessage, error) {
	if params == nil {
		return nil, nil
	}
	return protocol.Marshal(params)
}

// call sends a request to the client and waits for the answer, which it
// decodes into result where that is not nil. When ctx is done first, it tells
// the client so. The goroutine that reads must not call it.
func (c *conn) call(ctx context.Context, method string, params, result any) error {
	raw, err := encode(params)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	answer := make(chan *jsonrpc2.Response, 1)
	id := c.expect(answer)
	c.write(jsonrpc2.NewCall(id, method, raw))
	select {
	case <-ctx.Done():
		c.forget(id)
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

func (c *conn) expect(answer chan<- *jsonrpc2.Response) jsonrpc2.ID {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastID++
	id := jsonrpc2.NewNumberID(c.lastID)
	c.waiting[id] = answer
	return id
}

func (c *conn) forget(id jsonrpc2.ID) chan<- *jsonrpc2.Response {
	c.mu.Lock()
	defer c.mu.Unlock()
	answer := c.waiting[id]
	delete(c.waiting, id)
	return answer
}

// deliver hands an answer to the call that waits for it, if any does.
func (c *conn) deliver(r *jsonrpc2.Response) {
	if answer := c.forget(r.ID()); answer != nil {
		answer <- r
	}
}

// output is the half of a connection that is written to.
type output struct{ io.Writer }

func (output) Read([]byte) (int, error) { return 0, io.EOF }
func (output) Close() error             { return nil }
