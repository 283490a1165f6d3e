package module

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/process"
	"github.com/abl-lsp/abl-lsp/tool"
)

// maxOpen is the most connections that a call may have at a time.
const maxOpen = 128

// maxHost is the most bytes that are kept of a host's name. It is longer than any valid name.
const maxHost = 300

// maxRefusals is the most refusals that are kept for a later error.
const maxRefusals = 1000

// connectionBroker makes the connections of a module: it dials each, and gives the module a local
// socket for it. The caller must close it.
type connectionBroker struct {
	ctx    context.Context
	cancel context.CancelFunc
	dialer *dial.Dialer
	call   executor.Call
	dir    string        // where the sockets are
	remove func()        // removes dir
	slots  chan struct{} // one for each open connection
	open   sync.WaitGroup

	mu      sync.Mutex
	refused map[int]error // by the id of the question
}

func newConnectionBroker(ctx context.Context, d *dial.Dialer, call executor.Call) (*connectionBroker, error) {
	dir, remove, err := process.NewFolder("abl-lsp-doors-")
	if err != nil {
		return nil, err
	}
	o := &connectionBroker{dialer: d, call: call, dir: dir, remove: remove, slots: make(chan struct{}, maxOpen), refused: map[int]error{}}
	o.ctx, o.cancel = context.WithCancel(ctx)
	return o, nil
}

// close ends all connections.
func (d *connectionBroker) close() {
	d.cancel()
	d.open.Wait()
	d.remove()
}

// refusal returns why a connection was refused. It is nil if the connection was not refused.
func (d *connectionBroker) refusal(id int) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.refused[id]
}

// answer dials, and returns the address of the local socket or why there is no connection.
func (d *connectionBroker) answer(id int, o openRequest) openReply {
	o.Host, o.Port = executor.Shorten(o.Host, maxHost), executor.Shorten(o.Port, maxHost)
	select {
	case d.slots <- struct{}{}:
	default:
		return openReply{ID: id, Code: "EMFILE", Error: "a call has no more than " + strconv.Itoa(maxOpen) + " connections at a time"}
	}
	out, err := d.dial(o)
	if err != nil {
		<-d.slots
		return d.refuse(id, o, err)
	}
	opened, err := d.listen(id)
	if err != nil {
		<-d.slots
		_ = out.Close()
		return openReply{ID: id, Code: "EMFILE", Error: err.Error()}
	}
	d.open.Go(func() {
		defer func() { <-d.slots }()
		d.forward(opened, out)
	})
	reply := openReply{ID: id, Path: opened.Addr().String()}
	if tcp, ok := opened.Addr().(*net.TCPAddr); ok {
		reply.Path, reply.Port = "", tcp.Port
	}
	return reply
}

// dial makes a connection if both the project and the guard permit it. The requests over it cannot
// be checked, so the project must not deny anything for that host.
func (d *connectionBroker) dial(o openRequest) (net.Conn, error) {
	for _, op := range []string{"connect", "get", "head", "post", "put", "patch", "delete"} {
		for _, host := range []string{o.Host, net.JoinHostPort(o.Host, o.Port)} {
			if err := d.call.Permit(tool.Permission{Kind: "web", Op: op, Resource: host}); err != nil {
				return nil, err
			}
		}
	}
	return d.dialer.Dial(d.ctx, d.call.Guard, "tcp", net.JoinHostPort(o.Host, o.Port))
}

// refuse returns the reply that there is no connection. It keeps a refusal by the project or the
// guard.
func (d *connectionBroker) refuse(id int, o openRequest, err error) openReply {
	reply := openReply{ID: id, Code: "EACCES", Error: err.Error(), Refused: true}
	_, guarded := errors.AsType[*dial.RefusedError](err)
	_, denied := errors.AsType[*executor.Error](err)
	if !guarded && !denied {
		reply.Code, reply.Error, reply.Refused = codeOf(err), executor.NetworkError(net.JoinHostPort(o.Host, o.Port), err, false).Message, false
		return reply
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.refused) < maxRefusals {
		d.refused[id] = err
	}
	return reply
}

// codeOf returns Node's code for an error.
func codeOf(err error) string {
	_, unknown := errors.AsType[*net.DNSError](err)
	switch {
	case unknown:
		return "ENOTFOUND"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "ECONNREFUSED"
	case errors.Is(err, os.ErrDeadlineExceeded):
		return "ETIMEDOUT"
	}
	return "EHOSTUNREACH"
}

// acceptTimeout is how long a listener waits for the module to connect.
const acceptTimeout = 10 * time.Second

// listener is a listener with a deadline. It accepts one connection.
type listener interface {
	net.Listener
	SetDeadline(time.Time) error
}

// listen opens a local socket: a Unix socket, or a TCP port on Windows.
func (d *connectionBroker) listen(id int) (listener, error) {
	var l net.Listener
	var err error
	if goruntime.GOOS == "windows" {
		l, err = net.Listen("tcp", "127.0.0.1:0")
	} else {
		l, err = net.Listen("unix", filepath.Join(d.dir, strconv.Itoa(id)))
	}
	if err != nil {
		return nil, err
	}
	return l.(listener), l.(listener).SetDeadline(time.Now().Add(acceptTimeout))
}

// forward copies between the connection that the module opens at l and out.
func (d *connectionBroker) forward(l listener, out net.Conn) {
	defer out.Close()
	stop := context.AfterFunc(d.ctx, func() { _ = l.Close() })
	in, err := l.Accept()
	stop()
	_ = l.Close()
	if err != nil {
		return
	}
	defer in.Close()
	defer context.AfterFunc(d.ctx, func() {
		_ = in.Close()
		_ = out.Close()
	})()
	back := make(chan struct{})
	go func() {
		defer close(back)
		copyHalf(in, out)
	}()
	copyHalf(out, in)
	<-back
}

// copyHalf copies until from ends, and then closes the writing side of to.
func copyHalf(to, from net.Conn) {
	_, _ = io.Copy(to, from) // the module sees how the other side ended
	if half, ok := to.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
		return
	}
	_ = to.Close()
}
