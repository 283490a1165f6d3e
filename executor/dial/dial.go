// Package dial makes every outgoing connection of a run.
//
// Nothing connects to an address that the [Guard] refuses. The check is in net.Dialer.Control, on
// the address that is really dialled, after name resolution and for every redirect. Loopback,
// private and other special addresses are refused unless the person allowed that host. Cloud
// metadata addresses are always refused. Proxies of the environment are not used. A proxy that the
// person named gets no request to a refused host. The error of a refusal is a [*RefusedError].
package dial

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Connect dials address with d. It must call d's Control for each resolved address
// before it connects.
type Connect func(ctx context.Context, d *net.Dialer, network, address string) (net.Conn, error)

// Options configure a Dialer; the zero value is valid.
type Options struct {
	Connect  Connect       // nil: d.DialContext
	Resolver *net.Resolver // nil: the system's
	TLS      *tls.Config   // nil: the system's roots
}

// Dialer owns the connections of a process. It is safe for concurrent use.
type Dialer struct {
	opts Options

	mu         sync.Mutex
	transports map[string]*transport // by Guard.Key
}

// New returns a Dialer.
func New(o Options) *Dialer {
	if o.Connect == nil {
		o.Connect = func(ctx context.Context, d *net.Dialer, network, address string) (net.Conn, error) {
			return d.DialContext(ctx, network, address)
		}
	}
	return &Dialer{opts: o, transports: map[string]*transport{}}
}

// Dial connects to address ("host:port") if g allows it. network is tcp, tcp4 or tcp6. A nil g
// allows only public addresses. The chain of a refusal's error has a [*RefusedError].
func (d *Dialer) Dial(ctx context.Context, g *Guard, network, address string) (net.Conn, error) {
	switch network {
	case "tcp", "tcp4", "tcp6":
	default:
		return nil, fmt.Errorf("dial %s: the network %q is not supported", address, network)
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	name, err := NormalizeHost(host)
	if err != nil {
		return nil, err
	}
	v := &dialCheck{guard: g, host: name, written: asWritten(host, port)}
	nd := &net.Dialer{Control: v.checkAddress, Resolver: d.opts.Resolver}
	conn, err := d.opts.Connect(ctx, nd, network, net.JoinHostPort(name, port))
	if _, refused := errors.AsType[*RefusedError](err); refused {
		// The error is that of the name's first address. A refused address
		// says nothing about the others, so try an allowed one.
		if allowed := v.allowed(); allowed != "" {
			return d.opts.Connect(ctx, nd, network, allowed)
		}
	}
	return conn, err
}

// Transport returns the HTTP transport for g. Guards that allow the same share one transport. The
// transport also checks the URL of every request and redirect, see [CheckURL].
func (d *Dialer) Transport(g *Guard) http.RoundTripper {
	key := g.Key()
	d.mu.Lock()
	defer d.mu.Unlock()
	if t := d.transports[key]; t != nil {
		return t
	}
	if len(d.transports) >= maxPolicies {
		d.closeIdle()
		clear(d.transports)
	}
	t := &transport{&http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return d.Dial(ctx, g.guardTo(address), network, address)
		},
		Proxy:                  d.proxyOf(g),
		TLSClientConfig:        d.opts.TLS.Clone(),
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           256,
		MaxIdleConnsPerHost:    64,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: 256 << 10,
	}}
	d.transports[key] = t
	return t
}

// maxPolicies bounds how many transports are kept. A person's list of allowed hosts rarely changes.
const maxPolicies = 16

// CloseIdle closes the connections that are not in use.
func (d *Dialer) CloseIdle() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closeIdle()
}

func (d *Dialer) closeIdle() {
	for _, t := range d.transports {
		t.base.CloseIdleConnections()
	}
}

// transport checks URLs before it passes requests to its base.
type transport struct{ base *http.Transport }

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := CheckURL(r.URL); err != nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, err
	}
	resp, err := t.base.RoundTrip(r)
	if err == nil && resp.StatusCode == http.StatusSwitchingProtocols && r.Header.Get("Upgrade") == "" {
		_ = resp.Body.Close()
		return nil, ErrUpgrade
	}
	return resp, err
}

// ErrUpgrade is the error for an answer that switches protocols without being asked. Nothing would
// own the connection, and reading from it would never end.
var ErrUpgrade = errors.New("it switches to another protocol, which nobody asked for")
