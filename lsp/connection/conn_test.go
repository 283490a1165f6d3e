package connection

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// testClient is a client of a connection whose handler has requests for tests, and the
// log.
type testClient struct {
	*lsptest.Client
	log     *observer.ObservedLogs
	started chan struct{} // gets a value when a test/wait begins
}

func startClient(t *testing.T, change ...func(*Conn)) testClient {
	t.Helper()
	core, log := observer.New(zap.DebugLevel)
	h := newHandler()
	client := lsptest.Start(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
		c := New(Options{In: in, Out: out, Handler: h, Logger: zap.New(core)})
		for _, change := range change {
			change(c)
		}
		return c.Serve(ctx)
	})
	return testClient{client, log, h.started}
}

// handler is a session whose state is a number.
type handler struct {
	number  int
	started chan struct{}
}

func newHandler() *handler { return &handler{started: make(chan struct{}, 100)} }

func (h *handler) MessageReceived() {}

func (h *handler) Request(method string, params jsonrpc2.RawMessage) (request Request, ok bool) {
	answer := map[string]func(jsonrpc2.RawMessage) func(context.Context) (any, error){
		"test/echo": func(raw jsonrpc2.RawMessage) func(context.Context) (any, error) {
			return func(context.Context) (any, error) {
				p, err := Decode[numberParams](raw)
				if err != nil {
					return nil, err
				}
				return p.N, nil
			}
		},
		"test/number": func(jsonrpc2.RawMessage) func(context.Context) (any, error) {
			n := h.number // when the request arrives
			return func(context.Context) (any, error) { return n, nil }
		},
		"test/fail": func(jsonrpc2.RawMessage) func(context.Context) (any, error) {
			return func(context.Context) (any, error) { return nil, errors.New("no luck") }
		},
		"test/panic": func(jsonrpc2.RawMessage) func(context.Context) (any, error) {
			return func(context.Context) (any, error) { panic("on purpose") }
		},
		"test/wait":               h.wait,
		protocol.MethodInitialize: initialize,
		protocol.MethodShutdown: func(jsonrpc2.RawMessage) func(context.Context) (any, error) {
			return func(context.Context) (any, error) { return nil, nil }
		},
	}[method]
	if answer == nil {
		return Request{}, false
	}
	return Request{Answer: answer(params), InOrder: method == protocol.MethodInitialize || method == protocol.MethodShutdown}, true
}

type numberParams struct {
	N int `json:"n"`
}

func initialize(jsonrpc2.RawMessage) func(context.Context) (any, error) {
	return func(context.Context) (any, error) { return &protocol.InitializeResult{}, nil }
}

// wait waits until it is cancelled, and then returns the error or, if asked to, a result.
func (h *handler) wait(raw jsonrpc2.RawMessage) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		p, err := Decode[struct {
			Result string `json:"result"`
		}](raw)
		if err != nil {
			return nil, err
		}
		h.started <- struct{}{}
		<-ctx.Done()
		if p.Result != "" {
			return p.Result, nil
		}
		return nil, ctx.Err()
	}
}

func (h *handler) Notification(method string) func(jsonrpc2.RawMessage) error {
	return map[string]func(jsonrpc2.RawMessage) error{
		"test/set": func(raw jsonrpc2.RawMessage) error {
			p, err := Decode[numberParams](raw)
			if err == nil {
				h.number = p.N
			}
			return err
		},
		"test/panicked": func(jsonrpc2.RawMessage) error { panic("on purpose") },
	}[method]
}

func (f testClient) echo(t *testing.T) {
	t.Helper()
	var n int
	if err := f.Call("test/echo", numberParams{7}, &n); err != nil || n != 7 {
		t.Fatalf("test/echo = %d, %v; the connection should go on", n, err)
	}
}

// wantCode checks an error's code.
func wantCode(t *testing.T, err error, code jsonrpc2.Code) {
	t.Helper()
	var coded *jsonrpc2.Error
	if !errors.As(err, &coded) || coded.Code != code {
		t.Errorf("error %v, want one of code %d", err, code)
	}
}

func TestPhases(t *testing.T) {
	c := startClient(t)
	c.Notify("test/set", numberParams{5}) // is dropped
	wantCode(t, c.Call("test/echo", nil, nil), jsonrpc2.ServerNotInitialized)
	c.Initialize()
	var n int
	if err := c.Call("test/number", nil, &n); err != nil || n != 0 {
		t.Errorf("test/number = %d, %v after a notification before initialize", n, err)
	}
	wantCode(t, c.Call(protocol.MethodInitialize, &protocol.InitializeParams{}, nil), jsonrpc2.InvalidRequest)
	c.echo(t)
	if err := c.Call(protocol.MethodShutdown, nil, nil); err != nil {
		t.Errorf("shutdown: %v", err)
	}
	wantCode(t, c.Call("test/echo", nil, nil), jsonrpc2.InvalidRequest)
	c.Notify(protocol.MethodExit, nil)
	if err := c.Wait(); err != nil {
		t.Errorf("Serve = %v after shutdown and exit", err)
	}
}

func TestEnd(t *testing.T) {
	tests := []struct {
		name string
		end  func(testClient)
		want error
	}{
		{"exit without shutdown", func(f testClient) { f.Notify(protocol.MethodExit, nil) }, ErrExited},
		{"client lost", func(f testClient) { f.Disconnect() }, ErrClientLost},
		{"lost after shutdown", func(f testClient) { f.Call(protocol.MethodShutdown, nil, nil); f.Disconnect() }, nil},
		{"lost inside a header", func(f testClient) { f.Write("Content-Le"); f.Disconnect() }, io.ErrUnexpectedEOF},
		{"lost between fields", func(f testClient) { f.Write("Content-Length: 5\r\n"); f.Disconnect() }, io.ErrUnexpectedEOF},
		{"lost inside a body", func(f testClient) { f.Write("Content-Length: 5\r\n\r\n{"); f.Disconnect() }, io.ErrUnexpectedEOF},
		{"no length", func(f testClient) { f.Write("Content-Type: x\r\n\r\n") }, jsonrpc2.ErrInvalidHeader},
		{"negative length", func(f testClient) { f.Write("Content-Length: -1\r\n\r\n") }, jsonrpc2.ErrInvalidHeader},
		{"length that is no number", func(f testClient) { f.Write("Content-Length: ten\r\n\r\n") }, jsonrpc2.ErrInvalidHeader},
		{"length beyond any number", func(f testClient) { f.Write("Content-Length: 99999999999999999999\r\n\r\n") }, jsonrpc2.ErrInvalidHeader},
		{"length beyond the limit", func(f testClient) { f.Write("Content-Length: 268435457\r\n\r\n") }, jsonrpc2.ErrInvalidHeader},
		{"header without end", func(f testClient) { f.Write(strings.Repeat("x", 5000)) }, jsonrpc2.ErrInvalidHeader},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := startClient(t)
			c.Initialize()
			tt.end(c)
			if err := c.Wait(); !errors.Is(err, tt.want) {
				t.Errorf("Serve = %v, want %v", err, tt.want)
			}
		})
	}
}

// TestLostClientStopsWork ends sessions while a request runs.
func TestLostClientStopsWork(t *testing.T) {
	for name, end := range map[string]func(testClient){
		"lost": func(f testClient) { f.Disconnect() },
		"exit": func(f testClient) { f.Notify(protocol.MethodExit, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			c := startClient(t)
			c.Initialize()
			pending := c.Start("test/wait", nil)
			<-c.started
			end(c)
			c.Wait()
			wantCode(t, pending.Wait(nil), protocol.CodeRequestCancelled)
			if c.log.FilterMessageSnippet("cancelled").Len() > 0 {
				t.Error("work went on after the end")
			}
		})
	}
}

func TestContextEndsSession(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in, _ := io.Pipe() // an editor that sends nothing
	ended := make(chan error)
	go func() { ended <- New(Options{In: in, Out: io.Discard, Handler: newHandler()}).Serve(ctx) }()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Serve = %v, want %v", err, context.Canceled)
	}
}

func TestExitAnswersWhatRuns(t *testing.T) {
	c := startClient(t, func(c *Conn) { c.EndTimeout = time.Minute })
	c.Initialize()
	echo := c.Start("test/echo", map[string]int{"n": 3})
	shutdown := c.Start(protocol.MethodShutdown, nil)
	c.Notify(protocol.MethodExit, nil)
	if err := c.Wait(); err != nil {
		t.Errorf("Serve = %v", err)
	}
	var n int
	if err := echo.Wait(&n); err != nil || n != 3 {
		t.Errorf("test/echo = %d, %v", n, err)
	}
	if err := shutdown.Wait(nil); err != nil {
		t.Errorf("shutdown: %v", err)
	}
}

// TestSameID sends two requests with one id. Both are answered, and cancelled together.
func TestSameID(t *testing.T) {
	calls := incomingRequests{}
	id := jsonrpc2.NewNumberID(7)
	one, endOne := calls.addRequest(t.Context(), id)
	two, endTwo := calls.addRequest(t.Context(), id)
	endOne()
	if one.Err() == nil || two.Err() != nil {
		t.Error("the end of one is not the end of the other")
	}
	calls.cancelAll(id)
	if two.Err() == nil {
		t.Error("the second can not be cancelled")
	}
	endTwo()
	calls.cancelAll(id)
	if len(calls.cancel) > 0 {
		t.Errorf("%d are left", len(calls.cancel))
	}
}
