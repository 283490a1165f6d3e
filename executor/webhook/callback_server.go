package webhook

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"net"
	nethttp "net/http"
	"path"
	"strconv"
	"sync"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
)

// callbackServer receives the callbacks of this process. It has a listener for each port on which a
// callback is expected. It is safe for concurrent use. The caller must close it.
type callbackServer struct {
	mu        sync.Mutex
	listeners map[int]*listener
	closing   sync.WaitGroup // listeners that still answer
}

type listener struct {
	server   *nethttp.Server
	listener net.Listener
	waiters  map[string]*waiter // by token
}

func newCallbackServer() *callbackServer { return &callbackServer{listeners: map[int]*listener{}} }

// expectCallback returns a waiter for one callback at port; 0 means any free port. max is the most
// bytes of the callback. The caller must pass the waiter to removeWaiter. It is an error if
// nothing can listen at port.
func (d *callbackServer) expectCallback(port int, max int64) (*waiter, error) {
	return d.addWaiter(port, &waiter{token: rand.Text(), max: max})
}

// addWaiter adds a waiter, and opens the listener of the port if there is none.
func (d *callbackServer) addWaiter(port int, v *waiter) (*waiter, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := d.listeners[port]
	if at == nil {
		var err error
		if at, err = d.openListener(port); err != nil {
			return nil, err
		}
		port = at.listener.Addr().(*net.TCPAddr).Port
		d.listeners[port] = at
	}
	v.port, v.callbacks, v.done = port, make(chan callback, 1), make(chan struct{})
	at.waiters[v.token] = v
	return v, nil
}

// isWaiting reports whether this process waits for the callback with token at port.
func (d *callbackServer) isWaiting(port int, token string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := d.listeners[port]
	return at != nil && at.waiters[token] != nil
}

// Limits for the time of a callback request: for its header, for all of it, and for its response
// after the wait has ended.
const (
	headerTime = 10 * time.Second
	bodyTime   = 2 * time.Minute
	lastAnswer = time.Second
)

// openListener opens a listener on loopback.
func (d *callbackServer) openListener(port int) (*listener, error) {
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		e := executor.Errorf(executor.KindNetwork, "callback-port", "callbacks cannot be listened for on port %d of this machine: %w", port, err)
		e.Unsent = true
		return nil, e.WithHint("End what listens there, or change callback_port in abl.yaml.")
	}
	at := &listener{listener: l, waiters: map[string]*waiter{}}
	at.server = &nethttp.Server{
		Handler:           nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) { d.serveCallback(at, w, r) }),
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       bodyTime,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
	go at.server.Serve(l) //nolint:errcheck // it ends when the listener is closed
	return at, nil
}

// removeWaiter ends the wait for a callback. It closes the listener if no waiter is left.
func (d *callbackServer) removeWaiter(v *waiter) {
	d.mu.Lock()
	defer d.mu.Unlock()
	close(v.done)
	at := d.listeners[v.port]
	if at == nil {
		return
	}
	delete(at.waiters, v.token)
	if len(at.waiters) == 0 {
		delete(d.listeners, v.port)
		d.closeListener(at)
	}
}

// closeListener frees the port at once. Requests in progress have lastAnswer to finish.
func (d *callbackServer) closeListener(at *listener) {
	_ = at.listener.Close()
	d.closing.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), lastAnswer)
		defer cancel()
		if at.server.Shutdown(ctx) != nil {
			_ = at.server.Close()
		}
	})
}

func (d *callbackServer) close() {
	d.mu.Lock()
	for port, at := range d.listeners {
		delete(d.listeners, port)
		d.closeListener(at)
	}
	d.mu.Unlock()
	d.closing.Wait()
}

// findWaiter returns the waiter that a request is for. It returns nil if there is none. It looks
// only at the last part of the path, since a tunnel may add a prefix.
func (d *callbackServer) findWaiter(at *listener, r *nethttp.Request) *waiter {
	d.mu.Lock()
	defer d.mu.Unlock()
	return at.waiters[path.Base(r.URL.Path)]
}

// serveCallback responds to a callback request.
func (d *callbackServer) serveCallback(at *listener, w nethttp.ResponseWriter, r *nethttp.Request) {
	v := d.findWaiter(at, r)
	switch {
	case v == nil:
		nethttp.NotFound(w, r)
	case v.taken.Load():
		answerPost(w, r, writeGone)
	default:
		answerPost(w, r, func(w nethttp.ResponseWriter) { v.acceptCallback(w, r) })
	}
}

// answerPost answers a request by accept, and refuses one that cannot be a callback.
func answerPost(w nethttp.ResponseWriter, r *nethttp.Request, accept func(nethttp.ResponseWriter)) {
	switch {
	case r.Method != nethttp.MethodPost:
		w.Header().Set("Allow", nethttp.MethodPost)
		nethttp.Error(w, "the result is to be posted here", nethttp.StatusMethodNotAllowed)
	case r.Header.Get("Content-Encoding") != "":
		nethttp.Error(w, "the result must not be compressed", nethttp.StatusUnsupportedMediaType)
	default:
		accept(w)
	}
}

func writeGone(w nethttp.ResponseWriter) {
	nethttp.Error(w, "the result has come already", nethttp.StatusGone)
}

// acceptCallback accepts the first complete callback. It passes it to the waiting call after it has
// responded to the sender.
func (v *waiter) acceptCallback(w nethttp.ResponseWriter, r *nethttp.Request) {
	c, ok := v.readCallback(w, r)
	if !ok {
		return
	}
	if v.taken.Swap(true) {
		writeGone(w)
		return
	}
	c.thank(w)
	v.callbacks <- c
}

// readCallback reads a callback. It answers the request and returns ok false if that breaks off.
func (v *waiter) readCallback(w nethttp.ResponseWriter, r *nethttp.Request) (c callback, ok bool) {
	body, err := v.readBody(w, r)
	_, tooLarge := errors.AsType[*nethttp.MaxBytesError](err)
	switch brokeOff := err != nil && !tooLarge; {
	case brokeOff && v.isOver():
		writeGone(w)
		return c, false
	case brokeOff:
		nethttp.Error(w, "the result broke off", nethttp.StatusBadRequest)
		return c, false
	}
	return callback{ContentType: r.Header.Get("Content-Type"), Body: body, TooLarge: tooLarge}, true
}

// thank answers the request that has brought a callback.
func (c callback) thank(w nethttp.ResponseWriter) {
	if c.TooLarge {
		nethttp.Error(w, "the result is too large", nethttp.StatusRequestEntityTooLarge)
	} else {
		w.WriteHeader(nethttp.StatusNoContent)
	}
	_ = nethttp.NewResponseController(w).Flush() // the sender may have gone
}

// readBody reads the body, up to the limit. It stops when the call no longer waits.
func (v *waiter) readBody(w nethttp.ResponseWriter, r *nethttp.Request) ([]byte, error) {
	var watch sync.WaitGroup
	defer watch.Wait()
	whole := make(chan struct{})
	defer close(whole)
	watch.Go(func() {
		select {
		case <-v.done:
			_ = nethttp.NewResponseController(w).SetReadDeadline(time.Now())
		case <-whole:
		}
	})
	return io.ReadAll(nethttp.MaxBytesReader(w, r.Body, v.max))
}
