// Package lsptest drives a language server over pipes as an editor would. Its methods
// fail the test if the server does not answer in time.
package lsptest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// answerTimeout is how long a server may take before the test fails. It is long, since a
// test continues as soon as what it waits for happens.
const answerTimeout = 60 * time.Second

// Serve runs a server until its session ends.
type Serve func(ctx context.Context, in io.Reader, out io.Writer) error

// Message is a notification from the server.
type Message struct {
	Method string
	Params jsonrpc2.RawMessage
}

// Answer answers a request of the server.
type Answer func(params jsonrpc2.RawMessage) (result any, err error)

// Client is an editor that is connected to one server.
type Client struct {
	t      testing.TB
	toward io.WriteCloser
	stream jsonrpc2.Stream
	ended  chan struct{} // closed when the server has returned
	err    error         // the error that the server returned

	mu       sync.Mutex
	changed  chan struct{} // closed at every message that arrives
	lastID   int64
	answers  map[jsonrpc2.ID]*jsonrpc2.Response
	messages []Message
	over     bool // nothing more will arrive
	answer   map[string]Answer
}

// Start starts a server. The server ends with the test.
func Start(t testing.TB, serve Serve) *Client {
	t.Helper()
	serverIn, toward := io.Pipe()
	from, serverOut := io.Pipe()
	c := &Client{
		t:       t,
		toward:  toward,
		stream:  jsonrpc2.NewHeaderStream(duplex{from, toward}),
		ended:   make(chan struct{}),
		changed: make(chan struct{}),
		answers: map[jsonrpc2.ID]*jsonrpc2.Response{},
		answer:  map[string]Answer{},
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer close(c.ended)
		c.err = serve(ctx, serverIn, serverOut)
		serverOut.Close()
		serverIn.Close()
	}()
	go c.listen()
	t.Cleanup(func() {
		cancel()
		toward.Close()
		c.Wait()
	})
	return c
}

type duplex struct {
	io.Reader
	io.WriteCloser
}

func (c *Client) listen() {
	defer c.record(func() { c.over = true })
	for {
		msg, _, err := c.stream.Read(context.Background())
		if err != nil {
			return
		}
		switch msg := msg.(type) {
		case *jsonrpc2.Response:
			c.record(func() {
				if c.answers[msg.ID()] != nil && msg.ID() != (jsonrpc2.ID{}) {
					c.t.Errorf("request %v is answered again", msg.ID())
				}
				c.answers[msg.ID()] = msg
			})
		case *jsonrpc2.Notification:
			m := Message{strings.Clone(msg.Method()), bytes.Clone(msg.Params())}
			c.record(func() { c.messages = append(c.messages, m) })
		case *jsonrpc2.Call:
			c.reply(msg)
		}
	}
}

func (c *Client) record(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
	close(c.changed)
	c.changed = make(chan struct{})
}

// reply answers a request of the server: with null if the test has set no answer.
func (c *Client) reply(call *jsonrpc2.Call) {
	c.mu.Lock()
	answer := c.answer[call.Method()]
	c.mu.Unlock()
	id, m := call.ID(), Message{strings.Clone(call.Method()), bytes.Clone(call.Params())}
	go func() {
		var result any
		var err error
		if answer != nil {
			result, err = answer(m.Params)
		}
		raw, _ := protocol.Marshal(result)
		// Before it is answered: what the server does then may already be what
		// the test waits for.
		c.record(func() { c.messages = append(c.messages, m) })
		c.stream.Write(context.Background(), jsonrpc2.NewResponse(id, raw, err))
	}()
}

// Answer sets how the client answers the server's requests of one method.
func (c *Client) Answer(method string, answer Answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer[method] = answer
}

// until waits until condition is true of what has arrived.
func (c *Client) until(what string, condition func() bool) {
	c.t.Helper()
	late := time.After(answerTimeout)
	for {
		c.mu.Lock()
		met, changed, over := condition(), c.changed, c.over
		c.mu.Unlock()
		switch {
		case met:
			return
		case over:
			c.t.Fatalf("the server ended before %s came", what)
		}
		select {
		case <-changed:
		case <-late:
			c.t.Fatalf("%s did not come within %v", what, answerTimeout)
		}
	}
}

// Send sends any bytes as the body of a message, in a correct frame.
func (c *Client) Send(body string) {
	c.t.Helper()
	c.Write(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
}

// Write sends bytes as they are.
func (c *Client) Write(bytes string) {
	c.t.Helper()
	if _, err := io.WriteString(c.toward, bytes); err != nil {
		c.t.Fatalf("writing to the server: %v", err)
	}
}

func (c *Client) send(msg jsonrpc2.Message) {
	c.t.Helper()
	if _, err := c.stream.Write(context.Background(), msg); err != nil {
		c.t.Fatalf("writing to the server: %v", err)
	}
}

// Notify sends a notification. Params nil means none.
func (c *Client) Notify(method string, params any) {
	c.t.Helper()
	c.send(jsonrpc2.NewNotification(method, c.encode(params)))
}

func (c *Client) encode(params any) jsonrpc2.RawMessage {
	c.t.Helper()
	if params == nil {
		return nil
	}
	raw, err := protocol.Marshal(params)
	if err != nil {
		c.t.Fatal(err)
	}
	return raw
}

// Pending is a request that was sent.
type Pending struct {
	ID     jsonrpc2.ID
	Method string
	client *Client
}

// Start sends a request with the next integer id.
func (c *Client) Start(method string, params any) Pending {
	c.t.Helper()
	c.lastID++
	return c.StartID(jsonrpc2.NewNumberID(c.lastID), method, params)
}

// StartID sends a request with an id of the test's choice.
func (c *Client) StartID(id jsonrpc2.ID, method string, params any) Pending {
	c.t.Helper()
	c.send(jsonrpc2.NewCall(id, method, c.encode(params)))
	return Pending{id, method, c}
}

// Wait waits for the answer and decodes it into result, unless that is nil.
func (p Pending) Wait(result any) error {
	p.client.t.Helper()
	var answer *jsonrpc2.Response
	p.client.until("the answer to "+p.Method, func() bool {
		answer = p.client.answers[p.ID]
		return answer != nil
	})
	if answer.Err() != nil || result == nil {
		return answer.Err()
	}
	return protocol.Unmarshal(answer.Result(), result)
}

// Cancel sends the notification that cancels the request.
func (p Pending) Cancel() {
	p.client.t.Helper()
	p.client.Send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%s}}`, idJSON(p.ID)))
}

func idJSON(id jsonrpc2.ID) string {
	if id.IsString() {
		return fmt.Sprintf("%q", fmt.Sprint(id))
	}
	return fmt.Sprint(id)
}

// Call sends a request and waits for its answer.
func (c *Client) Call(method string, params, result any) error {
	c.t.Helper()
	return c.Start(method, params).Wait(result)
}

// Answered waits for the answer with an id, which may be null, and returns it.
func (c *Client) Answered(id jsonrpc2.ID) *jsonrpc2.Response {
	c.t.Helper()
	var answer *jsonrpc2.Response
	c.until(fmt.Sprintf("the answer with the id %q", id), func() bool {
		answer = c.answers[id]
		return answer != nil
	})
	return answer
}

// Await waits for a notification or a request of the server for which match returns true,
// and returns the first one. A nil match accepts all.
func (c *Client) Await(method string, match func(params jsonrpc2.RawMessage) bool) Message {
	c.t.Helper()
	var found Message
	c.until(method, func() bool {
		for _, m := range c.messages {
			if m.Method == method && (match == nil || match(m.Params)) {
				found = m
				return true
			}
		}
		return false
	})
	return found
}

// Until waits until condition is true of the notifications and requests so far.
func (c *Client) Until(what string, condition func([]Message) bool) {
	c.t.Helper()
	c.until(what, func() bool { return condition(c.messages) })
}

// Messages returns the notifications and requests of one method so far.
func (c *Client) Messages(method string) []Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []Message
	for _, m := range c.messages {
		if m.Method == method {
			found = append(found, m)
		}
	}
	return found
}

// Disconnect closes the server's input without a shutdown.
func (c *Client) Disconnect() { c.toward.Close() }

// Wait waits for the server to return, and returns its error.
func (c *Client) Wait() error {
	c.t.Helper()
	select {
	case <-c.ended:
		return c.err
	case <-time.After(answerTimeout):
		c.t.Fatalf("the server still runs after %v", answerTimeout)
		return nil
	}
}
