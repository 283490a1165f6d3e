package dial

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// Guard says which addresses may be dialled. It is immutable; nil and the zero value
// allow only public addresses.
type Guard struct {
	allow []rule
	key   string // names the policy: equal for guards that allow the same
	proxy *proxy // nil: none
}

// rule is one entry of the person's list: a name, or a range of addresses.
type rule struct {
	name   string       // normalised, else ""
	prefix netip.Prefix // used if name is ""
	port   uint16       // 0: any
}

// NewGuard returns a Guard that also allows the hosts in a list: HOST, HOST:PORT or CIDR. An entry
// with a port allows only that port.
func NewGuard(allow []string) (*Guard, error) {
	g := &Guard{}
	for _, s := range allow {
		r, err := parseRule(strings.TrimSpace(s))
		if err != nil {
			return nil, fmt.Errorf("allowed host %q: %w; give HOST, HOST:PORT or CIDR", s, err)
		}
		g.allow = append(g.allow, r)
		g.key += r.String() + " "
	}
	return g, nil
}

func (r rule) String() string {
	return r.name + " " + r.prefix.String() + " " + strconv.Itoa(int(r.port))
}

func parseRule(s string) (rule, error) {
	if strings.Contains(s, "/") {
		p, err := netip.ParsePrefix(s)
		if err != nil {
			return rule{}, fmt.Errorf("no range of addresses")
		}
		return rule{prefix: p.Masked()}, nil
	}
	host, port, err := splitPort(s)
	if err != nil {
		return rule{}, err
	}
	name, err := NormalizeHost(host)
	if err != nil {
		return rule{}, err
	}
	if a, err := netip.ParseAddr(name); err == nil {
		a = a.Unmap()
		return rule{prefix: netip.PrefixFrom(a, a.BitLen()), port: port}, nil
	}
	return rule{name: name, port: port}, nil
}

// splitPort splits HOST[:PORT], where HOST may be an IPv6 address with or without brackets. port
// is 0 if s has none. A port of 0, or one that is no number, is an error.
func splitPort(s string) (host string, port uint16, err error) {
	if _, err := netip.ParseAddr(s); err == nil || !strings.Contains(s, ":") {
		return s, 0, nil
	}
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		return s[1 : len(s)-1], 0, nil
	}
	host, p, err := net.SplitHostPort(s)
	if err != nil {
		return "", 0, fmt.Errorf("no host with a port")
	}
	n, err := strconv.ParseUint(p, 10, 16)
	if err != nil || n == 0 {
		return "", 0, fmt.Errorf("%q is no port", p)
	}
	return host, uint16(n), nil
}

// check returns a [*RefusedError] if a, an address of host, must not be dialled. written is the
// host for messages.
func (g *Guard) check(host, written string, a netip.AddrPort) error {
	addr := a.Addr().Unmap()
	if addr.Zone() != "" {
		return refusedURL(written, "an address with a zone")
	}
	if isMetadata(addr) {
		return &RefusedError{Host: written, Reason: Metadata, Detail: refusalDetail(host, addr, "a cloud metadata address")}
	}
	if g.allows(host, addr, a.Port()) || isPublic(addr) {
		return nil
	}
	return &RefusedError{Host: written, Reason: Private, Detail: refusalDetail(host, addr, "not a public address")}
}

func (g *Guard) allows(host string, a netip.Addr, port uint16) bool {
	if g == nil {
		return false
	}
	for _, r := range g.allow {
		if r.port != 0 && r.port != port {
			continue
		}
		if r.name == host && host != "" || r.name == "" && r.prefix.Contains(a) {
			return true
		}
	}
	return false
}

// Key returns a key that is equal for guards that allow the same. It is "" for a nil Guard.
func (g *Guard) Key() string {
	if g == nil {
		return ""
	}
	return g.key
}

// refusalDetail says what is wrong with an address, and which name led to it.
func refusalDetail(host string, a netip.Addr, what string) string {
	if host == a.String() {
		return host + " is " + what
	}
	return fmt.Sprintf("%s is at %s, which is %s", host, a, what)
}

// asWritten returns the host and port without a default port.
func asWritten(host, port string) string {
	if port != "80" && port != "443" {
		return net.JoinHostPort(host, port)
	}
	if strings.Contains(host, ":") {
		return "[" + host + "]"
	}
	return host
}

// dialCheck checks each address of one dial before it is tried. It is safe for concurrent use.
type dialCheck struct {
	guard         *Guard
	host, written string

	mu           sync.Mutex // addresses are tried side by side
	firstAllowed string     // the first allowed one
}

func (v *dialCheck) checkAddress(_, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return refusedURL(v.written, "no address")
	}
	if err := v.guard.check(v.host, v.written, a); err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.firstAllowed == "" {
		v.firstAllowed = address
	}
	return nil
}

func (v *dialCheck) allowed() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.firstAllowed
}
