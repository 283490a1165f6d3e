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

// desk is where the callbacks of this process come in. There is a door for each
// port, open as long as a callback is waited for behind it.
type desk struct {
	mu      sync.Mutex
	doors   map[int]*door
	closing sync.WaitGroup // doors that still answer
}

type door struct {
	server   *nethttp.Server
	listener net.Listener
	waiting  map[string]*visit // by token
}

func newDesk() *desk { return &desk{doors: map[int]*door{}} }

// expect opens a place for one callback: at a port, or where that is 0 at a
// free one. It must be left.
func (d *desk) expect(port int, max int64) (*visit, error) {
	return d.admit(port, &visit{token: rand.Text(), max: max})
}

// admit puts a visit behind its door, which is opened where it is not.
func (d *desk) admit(port int, v *visit) (*visit, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := d.doors[port]
	if at == nil {
		var err error
		if at, err = d.open(port); err != nil {
			return nil, err
		}
		port = at.listener.Addr().(*net.TCPAddr).Port
		d.doors[port] = at
	}
	v.port, v.came, v.left = port, make(chan callback, 1), make(chan struct{})
	at.waiting[v.token] = v
	return v, nil
}

// waits reports whether a callback is waited for here.
func (d *desk) waits(port int, token string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := d.doors[port]
	return at != nil && at.waiting[token] != nil
}

// How long who calls back may take.
const (
	headerTime = 10 * time.Second
	bodyTime   = 2 * time.Minute
	lastAnswer = time.Second
)

// open listens on loopback.
func (d *desk) open(port int) (*door, error) {
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		e := executor.Errorf(executor.KindNetwork, "callback-port", "callbacks cannot be listened for on port %d of this machine: %w", port, err)
		e.Unsent = true
		return nil, e.WithHint("End what listens there, or change callback_port in abl.yaml.")
	}
	at := &door{listener: l, waiting: map[string]*visit{}}
	at.server = &nethttp.Server{
		Handler:           nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) { d.receive(at, w, r) }),
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       bodyTime,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
	go at.server.Serve(l) //nolint:errcheck // it ends when the door is closed
	return at, nil
}

// leave ends the wait for a callback, and closes the door behind the last one.
func (d *desk) leave(v *visit) {
	d.mu.Lock()
	defer d.mu.Unlock()
	close(v.left)
	at := d.doors[v.port]
	if at == nil {
		return
	}
	delete(at.waiting, v.token)
	if len(at.waiting) == 0 {
		delete(d.doors, v.port)
		d.shut(at)
	}
}

// shut frees the port at once. What is being answered has a moment for it.
func (d *desk) shut(at *door) {
	_ = at.listener.Close()
	d.closing.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), lastAnswer)
		defer cancel()
		if at.server.Shutdown(ctx) != nil {
			_ = at.server.Close()
		}
	})
}

func (d *desk) close() {
	d.mu.Lock()
	for port, at := range d.doors {
		delete(d.doors, port)
		d.shut(at)
	}
	d.mu.Unlock()
	d.closing.Wait()
}

// find is the visit that a request means. What stands before the last part of
// the path is a tunnel's.
func (d *desk) find(at *door, r *nethttp.Request) *visit {
	d.mu.Lock()
	defer d.mu.Unlock()
	return at.waiting[path.Base(r.URL.Path)]
}

// receive answers whoever calls back.
func (d *desk) receive(at *door, w nethttp.ResponseWriter, r *nethttp.Request) {
	v := d.find(at, r)
	switch {
	case v == nil:
		nethttp.NotFound(w, r)
	case r.Method != nethttp.MethodPost:
		w.Header().Set("Allow", nethttp.MethodPost)
		nethttp.Error(w, "the result is to be posted here", nethttp.StatusMethodNotAllowed)
	case v.taken.Load():
		gone(w)
	case r.Header.Get("Content-Encoding") != "":
		nethttp.Error(w, "the result must not be compressed", nethttp.StatusUnsupportedMediaType)
	default:
		v.receive(w, r)
	}
}

func gone(w nethttp.ResponseWriter) {
	nethttp.Error(w, "the result has come already", nethttp.StatusGone)
}

// receive takes the first callback that is whole. It is handed on once its
// sender has been told.
func (v *visit) receive(w nethttp.ResponseWriter, r *nethttp.Request) {
	body, err := v.read(w, r)
	_, tooLarge := errors.AsType[*nethttp.MaxBytesError](err)
	brokeOff := err != nil && !tooLarge
	if brokeOff && !v.over() {
		nethttp.Error(w, "the result broke off", nethttp.StatusBadRequest)
		return
	}
	if brokeOff || v.taken.Swap(true) {
		gone(w)
		return
	}
	if tooLarge {
		nethttp.Error(w, "the result is too large", nethttp.StatusRequestEntityTooLarge)
	} else {
		w.WriteHeader(nethttp.StatusNoContent)
	}
	_ = nethttp.NewResponseController(w).Flush() // who does not listen has missed it
	v.came <- callback{contentType: r.Header.Get("Content-Type"), body: body, tooLarge: tooLarge}
}

// read gives the body, as far as the cap. Who is slow is not waited for any longer
// than the call does.
func (v *visit) read(w nethttp.ResponseWriter, r *nethttp.Request) ([]byte, error) {
	var watch sync.WaitGroup
	defer watch.Wait()
	whole := make(chan struct{})
	defer close(whole)
	watch.Go(func() {
		select {
		case <-v.left:
			_ = nethttp.NewResponseController(w).SetReadDeadline(time.Now())
		case <-whole:
		}
	})
	return io.ReadAll(nethttp.MaxBytesReader(w, r.Body, v.max))
}
