package dial

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"
)

// proxy is the person's HTTP proxy.
type proxy struct {
	url     *url.URL
	address string // with its port
	guard   *Guard // allows connections to it
}

// WithProxy returns a copy of g whose HTTP requests go through the proxy at written,
// "http://HOST:PORT". If written is "", it returns g itself. The person's choice of a proxy allows
// connections to the proxy. Hosts of this machine, and protocols other than HTTP, do not use the
// proxy. An error says that written is not the URL of a proxy.
func (g *Guard) WithProxy(written string) (*Guard, error) {
	if written == "" {
		return g, nil
	}
	u, err := ParseURL(written)
	if err != nil {
		return nil, fmt.Errorf("proxy %q: %w; give http://HOST:PORT", written, err)
	}
	address := addressOf(u)
	to, err := NewGuard([]string{address})
	if err != nil {
		return nil, fmt.Errorf("proxy %q: %w", written, err)
	}
	through := *g
	through.proxy = &proxy{url: u, address: address, guard: to}
	through.key += "through " + u.String()
	return &through, nil
}

// proxyOf returns the Proxy function of a transport. The proxy resolves names by itself, so the
// function first checks that all addresses of a name are allowed. A name that this machine cannot
// resolve goes to the proxy unchecked, except those of metadata servers and of this machine.
func (d *Dialer) proxyOf(g *Guard) func(*http.Request) (*url.URL, error) {
	if g == nil || g.proxy == nil {
		return nil
	}
	return func(r *http.Request) (*url.URL, error) {
		l := &proxyLookup{guard: g, written: asWritten(r.URL.Hostname(), portOf(r.URL))}
		if err := l.lookUp(r.Context(), d, r.URL); err != nil {
			return nil, err
		}
		if l.isLocal {
			return nil, nil
		}
		return g.proxy.url, nil
	}
}

// proxyLookup checks the addresses of a host without connecting to them.
type proxyLookup struct {
	guard         *Guard
	host, written string

	mu      sync.Mutex // addresses are tried side by side
	refused error
	found   bool
	isLocal bool // one address is on this machine
}

var errLookedUp = errors.New("only looked at")

// OnlyChecked reports whether a dial failed because its address was refused, or was only looked up,
// so that no connection was tried.
func OnlyChecked(err error) bool {
	_, refused := errors.AsType[*RefusedError](err)
	return refused || errors.Is(err, errLookedUp)
}

func (l *proxyLookup) lookUp(ctx context.Context, d *Dialer, u *url.URL) (err error) {
	if l.host, err = NormalizeHost(u.Hostname()); err != nil {
		return err
	}
	nd := &net.Dialer{Control: l.control, Resolver: d.opts.Resolver}
	_, err = d.opts.Connect(ctx, nd, "tcp", net.JoinHostPort(l.host, portOf(u)))
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refused != nil || l.found {
		return l.refused
	}
	if _, unknown := errors.AsType[*net.DNSError](err); unknown {
		return l.checkUnknown()
	}
	return err
}

// metadataNames are the names by which clouds reach what gives credentials to every caller.
const metadataNames = " metadata metadata.google.internal metadata.goog instance-data instance-data.ec2.internal metadata.azure.internal "

// checkUnknown returns an error if a name must not be reached, although its address is not known.
func (l *proxyLookup) checkUnknown() error {
	switch {
	case strings.Contains(metadataNames, " "+l.host+" "):
		return &RefusedError{Host: l.written, Reason: Metadata, Detail: l.host + " is the name of a cloud's metadata server"}
	case l.host == "localhost", strings.HasSuffix(l.host, ".localhost"):
		return &RefusedError{Host: l.written, Reason: Private, Detail: l.host + " is another machine for the proxy"}
	}
	return nil
}

func (l *proxyLookup) control(_, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err == nil {
		err = l.guard.check(l.host, l.written, a)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.refused = err
		return err
	}
	l.found = true
	l.isLocal = l.isLocal || a.Addr().Unmap().IsLoopback()
	return errLookedUp
}

// guardTo returns the guard for a connection to address: a separate one for the proxy, else g.
func (g *Guard) guardTo(address string) *Guard {
	if g != nil && g.proxy != nil && address == g.proxy.address {
		return g.proxy.guard
	}
	return g
}

func addressOf(u *url.URL) string { return net.JoinHostPort(u.Hostname(), portOf(u)) }

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}
