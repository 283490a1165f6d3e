// Package dialtest is a fake network for tests, with a table of hosts that may be
// reached and of hosts that may not.
//
// Nothing is really dialled. Names resolve by its own list, attempts to connect are recorded, and
// connections are made only to handlers in memory.
package dialtest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor/dial"
)

// ErrConnected is returned in place of a connection.
var ErrConnected = errors.New("connected")

// Network is the fake network.
type Network struct {
	Names map[string][]string // the addresses of each name
	Down  map[string]bool     // the addresses with their port that refuse a connection

	mu      sync.Mutex
	reached []string
	served  map[string]*listener // by address with port
}

// New returns a network with the names that the table uses.
func New() *Network {
	return &Network{
		Names: map[string][]string{
			"localhost":              {"::1", "127.0.0.1"},
			"example.com":            {"8.8.8.8"},
			"home.example":           {"9.9.9.9"},
			"rebind.example":         {"8.8.8.8", "127.0.0.1"},
			"rebind6.example":        {"2606:4700:4700::1111", "::1", "10.0.0.1"},
			"private-first.example":  {"10.0.0.1", "8.8.8.8"},
			"intranet.example":       {"10.0.0.1", "fd00::1"},
			"metadata.example":       {"169.254.169.254"},
			"xn--bcher-kva.example":  {"8.8.4.4"},
			"only-mapped.example":    {"::ffff:10.0.0.1"},
			"azure.example":          {"168.63.129.16"},
			"deceiving.127.0.0.1.at": {"127.0.0.1"},
		},
		Down:   map[string]bool{},
		served: map[string]*listener{},
	}
}

// Serve makes home.example answer at port 80, by h, until the test ends.
func (n *Network) Serve(t *testing.T, h http.Handler) {
	l := &listener{conns: make(chan net.Conn), done: make(chan struct{})}
	s := &http.Server{Handler: h}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	n.served["9.9.9.9:80"] = l
}

// Dialer returns a Dialer that makes connections in the network.
func (n *Network) Dialer() *dial.Dialer { return dial.New(dial.Options{Connect: n.Connect}) }

// Reached returns the addresses that would have been connected to, each once. Addresses
// that are served are not included.
func (n *Network) Reached() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.reached)
}

// Connect is a [dial.Connect]. Like net.Dialer, it calls Control first.
func (n *Network) Connect(ctx context.Context, d *net.Dialer, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	addresses := n.Names[host]
	if _, err := netip.ParseAddr(host); err == nil {
		addresses = []string{host}
	}
	if addresses == nil {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	var first error
	for _, a := range addresses {
		conn, err := n.try(ctx, d, network, net.JoinHostPort(a, port))
		if err == nil || errors.Is(err, ErrConnected) {
			return conn, err
		}
		if first == nil {
			first = &net.OpError{Op: "dial", Net: network, Err: err}
		}
	}
	return nil, first
}

func (n *Network) try(ctx context.Context, d *net.Dialer, network, address string) (net.Conn, error) {
	if err := d.Control(network, address, nil); err != nil {
		return nil, err
	}
	if l := n.served[address]; l != nil {
		return l.connect(ctx)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.Contains(n.reached, address) {
		n.reached = append(n.reached, address)
	}
	if n.Down[address] {
		return nil, errors.New("connection refused")
	}
	return nil, ErrConnected
}

// listener accepts connections in memory.
type listener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (l *listener) connect(ctx context.Context) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.conns <- theirs:
		return ours, nil
	case <-l.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (*listener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(9, 9, 9, 9), Port: 80} }
