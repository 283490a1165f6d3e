package lsp

import (
	"context"
	"errors"
	"io"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

const testFile = uri.URI("file:///w/a.agent.abl")

// testClient is a client of a server that has additional requests for tests, and the
// server's log.
type testClient struct {
	*lsptest.Client
	server  *server
	log     *observer.ObservedLogs
	started chan struct{} // gets a value when a test/wait begins
}

type uriParams struct {
	URI uri.URI `json:"uri"`
}

func startClient(t *testing.T, change ...func(*server)) testClient {
	t.Helper()
	core, log := observer.New(zap.DebugLevel)
	started, made := make(chan struct{}, 100), make(chan *server, 1)
	client := lsptest.Start(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
		s := newServer(Options{In: in, Out: out, Logger: zap.New(core), Version: "1.2.3"})
		addRequests(s, started)
		for _, change := range change {
			change(s)
		}
		made <- s
		return s.serve(ctx)
	})
	return testClient{client, <-made, log, started}
}

func addRequests(s *server, started chan<- struct{}) {
	s.requests["test/echo"] = onSnapshot(func(_ context.Context, _ *snapshot, p *struct {
		N int `json:"n"`
	}) (int, error) {
		return p.N, nil
	})
	// Waits to be cancelled.
	s.requests["test/wait"] = onSnapshot(func(ctx context.Context, _ *snapshot, _ *struct{}) (string, error) {
		started <- struct{}{}
		<-ctx.Done()
		return "", ctx.Err()
	})
	// The text of a document as the request saw it when it arrived.
	s.requests["test/text"] = onSnapshot(func(_ context.Context, snap *snapshot, p *uriParams) (string, error) {
		d, err := snap.document(p.URI)
		if err != nil {
			return "", err
		}
		return d.Text(), nil
	})
}

// text asks for the server's text of a document.
func (f testClient) text(t *testing.T, u uri.URI) string {
	t.Helper()
	var text string
	if err := f.Call("test/text", &uriParams{u}, &text); err != nil {
		t.Fatalf("test/text: %v", err)
	}
	return text
}

func (f testClient) echo(t *testing.T) {
	t.Helper()
	var n int
	if err := f.Call("test/echo", map[string]int{"n": 7}, &n); err != nil || n != 7 {
		t.Fatalf("test/echo = %d, %v; the server should go on", n, err)
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

func TestLifecycle(t *testing.T) {
	c := startClient(t)
	wantCode(t, c.Call("test/echo", nil, nil), jsonrpc2.ServerNotInitialized)
	c.Open(testFile, "dropped before initialize")
	result := c.Initialize()
	if got, _ := result.ServerInfo.Version.Get(); result.ServerInfo.Name != "abl-lsp" || got != "1.2.3" {
		t.Errorf("server info = %+v", result.ServerInfo)
	}
	if err := c.Call("test/text", &uriParams{testFile}, nil); err == nil {
		t.Error("a document opened before initialize is there")
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

// TestOddClient initializes with unusual parameters. Some clients do send some of them.
func TestOddClient(t *testing.T) {
	for _, params := range []string{
		`{}`, `null`, `[]`, `{"capabilities":[]}`, `{"trace":null,"processId":1.5,"capabilities":{"textDocument":[],"window":null}}`,
		`{"capabilities":{"general":{"positionEncodings":"utf-8"},"workspace":{"workspaceEdit":{"resourceOperations":{}}}}}`,
		`{"rootUri":"","rootPath":null,"workspaceFolders":[{}],"initializationOptions":null}`,
	} {
		t.Run(params, func(t *testing.T) {
			c := startClient(t)
			c.Send(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":` + params + `}`)
			if err := c.Answered(jsonrpc2.NewStringID("i")).Err(); err != nil {
				t.Errorf("initialize: %v", err)
			}
			c.Open(testFile, "x")
			if got := c.text(t, testFile); got != "x" {
				t.Errorf("text = %q", got)
			}
		})
	}
}
