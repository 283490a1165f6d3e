package mcpserver

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestHTTPTimes checks that the server closes the connection of a client which does not send the
// announced body, or is idle, and that a response may take longer than that.
func TestHTTPTimes(t *testing.T) {
	const short, long = 200 * time.Millisecond, time.Hour
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			return
		}
		time.Sleep(2 * short)
		if r.Context().Err() == nil {
			_, _ = io.WriteString(w, "done")
		}
	})
	const whole = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody"
	for _, tt := range []struct {
		name, sent, answer string
		times              httpTimeouts
	}{
		{"half a head", "POST / HTTP/1.1\r\n", "", httpTimeouts{short, long, long}},
		{"half a body", whole[:len(whole)-1], "", httpTimeouts{long, short, long}},
		{"half a body in chunks", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal", "", httpTimeouts{long, short, long}},
		{"nothing after an answer", whole, "done", httpTimeouts{long, short, short}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, far := net.Pipe()
				defer client.Close()
				l := pipeListener{make(chan net.Conn, 1), make(chan struct{})}
				l.conns <- far
				server := tt.times.server(slow)
				ended := make(chan error, 1)
				go func() { ended <- server.Serve(l) }()
				defer func() {
					server.Close()
					if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
						t.Error(err)
					}
				}()
				began := time.Now()
				if _, err := io.WriteString(client, tt.sent); err != nil {
					t.Fatal(err)
				}
				answer, err := io.ReadAll(client)
				if err != nil || !strings.HasSuffix(string(answer), tt.answer) {
					t.Errorf("%q, %v", answer, err)
				}
				if left := time.Since(began); left > 4*short { // the bubble's clock
					t.Errorf("left after %v", left)
				}
			})
		})
	}
}

// pipeListener accepts what is in conns, and nothing else.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (l pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l pipeListener) Close() error {
	close(l.closed)
	return nil
}

func (l pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

// serving starts the server over HTTP and returns its endpoint.
func (d *serverFixture) serving() (endpoint string) { return d.servingWith(HTTP{}) }

func (d *serverFixture) servingWith(o HTTP) (endpoint string) {
	d.t.Helper()
	l, err := Listen("0")
	if err != nil {
		d.t.Fatal(err)
	}
	if host, _, _ := net.SplitHostPort(l.Addr().String()); host != "127.0.0.1" {
		d.t.Fatalf("it listens at %s", host)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	o.Listener = l
	go func() { ended <- d.server.ServeHTTP(ctx, o) }()
	d.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			d.t.Error(err)
		}
	})
	return "http://" + l.Addr().String() + Path
}

func TestHTTP(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			d := newServerFixture(t)
			asked := ""
			s := d.join(&sdk.StreamableClientTransport{Endpoint: d.serving()}, version, &sdk.ClientOptions{
				ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
					asked = r.Params.Message
					return &sdk.ElicitResult{Action: "accept"}, nil
				},
			})
			if text, r := d.call(s, "make_thing", `{"name":"🛫"}`); r.IsError || !strings.Contains(asked, "make_thing") {
				t.Errorf("%s %q", text, asked)
			}
			s.Close()
		})
	}
}

// TestStrangers checks that requests from the page of another site, and requests to a foreign name
// that resolves to this machine, are refused.
func TestStrangers(t *testing.T) {
	d := newServerFixture(t)
	endpoint := d.serving()
	own := strings.TrimSuffix(endpoint, Path)
	initialize := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	for name, tt := range map[string]struct {
		method, origin, host string
		want                 int
	}{
		"a program":              {"POST", "", "", 200},
		"our own page":           {"POST", own, "", 200},
		"a page":                 {"POST", "https://evil.example", "", 403},
		"a page that listens":    {"GET", "https://evil.example", "", 403},
		"a page without a name":  {"POST", "null", "", 403},
		"a page of another port": {"POST", "http://127.0.0.1:1", "", 403},
		"another host":           {"POST", "", "evil.example", 403},
		"a page of another host": {"POST", "http://evil.example", "evil.example", 403},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), tt.method, endpoint, strings.NewReader(initialize))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			if tt.origin != "" {
				r.Header.Set("Origin", tt.origin)
			}
			r.Host = tt.host
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != tt.want {
				t.Errorf("%+v: %s", tt, response.Status)
			}
		})
	}
}

// TestOwnOrigin checks that a server at an address that is no loopback accepts its host names too.
func TestOwnOrigin(t *testing.T) {
	for name, tt := range map[string]struct {
		origin, host string
		want         int
	}{
		"a program":                 {"", "desk.example:8700", 200},
		"a page by address":         {"http://192.168.1.5:8700", "192.168.1.5:8700", 200},
		"a page by address of IPv6": {"http://[fe80::1]:8700", "[fe80::1]:8700", 200},
		"a page of localhost":       {"http://localhost:8700", "localhost:8700", 200},
		"a page of another host":    {"http://evil.example:8700", "evil.example:8700", 403},
		"a page by another port":    {"http://evil.example", "192.168.1.5:8700", 403},
		"a page without a name":     {"null", "null", 403},
		"no URL":                    {"http://%zz", "192.168.1.5:8700", 403},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "http://"+tt.host+Path, nil)
			if tt.origin != "" {
				r.Header.Set("Origin", tt.origin)
			}
			w := httptest.NewRecorder()
			requireSameOrigin(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
			if w.Code != tt.want {
				t.Errorf("%+v: %d", tt, w.Code)
			}
		})
	}
}
