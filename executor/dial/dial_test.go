package dial

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// errConnected stands for a connection: the fake network never makes one.
var errConnected = errors.New("connected")

// network is a fake: names resolve by a table, and what would be connected to
// is written down. It asks Control first, as net.Dialer does.
type network struct {
	names map[string][]string
	down  map[string]bool

	mu      sync.Mutex
	reached []string
}

func (n *network) connect(_ context.Context, d *net.Dialer, netw, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	addrs := n.names[host]
	if _, err := netip.ParseAddr(host); err == nil {
		addrs = []string{host}
	}
	if addrs == nil {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	var first error
	for _, a := range addrs {
		err := n.try(d, netw, net.JoinHostPort(a, port))
		if errors.Is(err, errConnected) {
			return nil, err
		}
		if first == nil {
			first = &net.OpError{Op: "dial", Net: netw, Err: err}
		}
	}
	return nil, first
}

func (n *network) try(d *net.Dialer, netw, address string) error {
	if err := d.Control(netw, address, nil); err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.reached = append(n.reached, address)
	if n.down[address] {
		return errors.New("connection refused")
	}
	return errConnected
}

func newNetwork() *network {
	return &network{
		names: map[string][]string{
			"localhost":              {"::1", "127.0.0.1"},
			"example.com":            {"8.8.8.8"},
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
		down: map[string]bool{},
	}
}

// get asks for a URL as a runner does, and returns the error.
func get(t *testing.T, n *network, allow []string, url string) error {
	t.Helper()
	g, err := NewGuard(allow)
	if err != nil {
		t.Fatal(err)
	}
	u, err := ParseURL(url)
	if err != nil {
		return err
	}
	c := http.Client{Transport: New(Options{Connect: n.connect}).Transport(g)}
	_, err = c.Get(u.String())
	return err
}

func TestTable(t *testing.T) {
	const (
		private  = "refused " + string(Private)
		metadata = "refused " + string(Metadata)
		unsafe   = "refused " + string(URL)
		other    = "another error"
	)
	tests := []struct {
		want  string // what is reached, or why nothing is
		allow string
		urls  string
	}{
		{want: private, urls: `http://127.0.0.1/ http://127.8.9.1/ http://[::1]/ http://localhost/ http://LOCALHOST./ http://localhost:8080/`},
		{want: unsafe, urls: `http://127.1/ http://2130706433/ http://0x7f000001/ http://0177.0.0.1/ http://0x7f.1/ http://0X7F.1/
			http://127.0.0.01/ http://127.0.0.1.0x0/ http://1.2.3.4.5/ http://256.0.0.1/ http://0/ http://127.0x1/ http://127.1./ http://0x/`},
		{want: private, urls: `http://0.0.0.0/ http://[::]/ http://0.0.0.1/`},
		{want: private, urls: `http://10.0.0.1/ http://172.16.0.1/ http://172.31.255.255/ http://192.168.1.1/ http://169.254.1.1/ http://100.64.0.1/
			http://192.0.0.1/ http://224.0.0.1/ http://239.1.1.1/ http://255.255.255.255/`},
		{want: metadata, urls: `http://169.254.169.254/latest http://169.254.170.2/ http://100.100.100.200/ http://168.63.129.16/ http://192.0.0.192/
			http://[fd00:ec2::254]/ http://metadata.example/ http://azure.example/`},
		{want: private, urls: `http://192.0.2.1/ http://198.18.0.1/ http://198.51.100.1/ http://203.0.113.1/ http://192.88.99.1/ http://240.0.0.1/`},
		{want: private, urls: `http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/ http://[::127.0.0.1]/ http://[::5efe:10.0.0.1]/ http://only-mapped.example/`},
		{want: private, urls: `http://[2001:470:1:2::5efe:10.0.0.1]/ http://[2001:470:1:2:200:5efe:10.0.0.1]/`},
		{want: private, urls: `http://[64:ff9b::7f00:1]/ http://[64:ff9b::a00:1]/ http://[64:ff9b:1::1]/ http://[64:ff9b:1::808:808]/`},
		{want: metadata, urls: `http://[64:ff9b::a9fe:a9fe]/ http://[64:ff9b:1::a9fe:a9fe]/ http://[2002:a9fe:a9fe::1]/ http://[::ffff:169.254.169.254]/`},
		{want: "[64:ff9b::808:808]:80", urls: `http://[64:ff9b::808:808]/`},
		{want: private, urls: `http://[2002:7f00:1::]/ http://[2002:808:808::1]/ http://[2001::1]/ http://[2001:0:1::1]/ http://[fc00::1]/ http://[fd12::1]/
			http://[fe80::1]/ http://[fec0::1]/ http://[ff02::1]/ http://[2001:db8::1]/ http://[3fff::1]/ http://[5f00::1]/ http://[100::1]/ http://[2620:4f:8000::1]/`},
		{want: unsafe, urls: `http://[fe80::1%25lo]/ http://[2606:4700:4700::1111%25eth0]/`},
		{want: "8.8.8.8:80", urls: `http://8.8.8.8/ http://example.com http://EXAMPLE.com./ http://example.com:80/`},
		{want: "[2606:4700:4700::1111]:443", urls: `https://[2606:4700:4700::1111]/`},
		{want: "8.8.8.8:80", urls: `http://rebind.example/ http://private-first.example/`},
		{want: "[2606:4700:4700::1111]:8080", urls: `http://rebind6.example:8080/`},
		{want: private, urls: `http://intranet.example/ http://deceiving.127.0.0.1.at/`},
		{want: unsafe, urls: `http://good@127.0.0.1/ http://a:b@example.com/ http://good\@127.0.0.1/ http://example.com\.evil/`},
		{want: private, urls: `http://127.0.0.1#@good http://127.0.0.1?@good`},
		{want: private, urls: `http://127。0。0。1/ http://127.0.0.1./ http://①②⑦.0.0.1/ http://ⓛocalhost/`},
		{want: "8.8.4.4:80", urls: `http://BÜCHER.example/ http://bücher。example/ http://xn--bcher-kva.example/`},
		{want: private, urls: `http://[::1]:80/`},
		{want: other, urls: `http://%00/ http://exa%6dple.com/ http://[::1 /relative relative http://[::1]x/ http://no-such.example/`},
		{want: unsafe, urls: `http://example.com:0/ http://example.com:99999/ http://:80/ http:/// http://a..b/ http://a,b/`},
		{want: unsafe, urls: `file:///etc/passwd gopher://example.com/ ftp://example.com/ data:text/plain,x unix:///run/x.sock mailto:a@b javascript:1 http:example.com`},

		{want: "127.0.0.1:3000", allow: "127.0.0.1:3000", urls: `http://127.0.0.1:3000/ http://localhost:3000/ http://[::ffff:127.0.0.1]:3000/`},
		{want: private, allow: "127.0.0.1:3000", urls: `http://127.0.0.1:3001/ http://127.0.0.2:3000/ http://[::1]:3000/ http://10.0.0.1:3000/`},
		{want: "[::1]:3000", allow: "localhost:3000", urls: `http://localhost:3000/ http://LocalHost.:3000/`},
		{want: private, allow: "localhost:3000", urls: `http://localhost:3001/ http://127.0.0.1:3000/ http://intranet.example:3000/`},
		{want: "10.0.0.1:80", allow: "10.0.0.0/16", urls: `http://10.0.0.1/ http://intranet.example/`},
		{want: private, allow: "10.0.0.0/16", urls: `http://10.1.0.1/ http://192.168.0.1/`},
		{want: "[fd00::1]:80", allow: "fd00::/8", urls: `http://intranet.example/`},
		{want: "10.0.0.1:80", allow: "intranet.example", urls: `http://intranet.example`},
		{want: "[::1]:80", allow: "[::1]:80 ", urls: `http://[::1]/ http://localhost/`},
		{want: metadata, allow: "169.254.169.254 0.0.0.0/0 ::/0 metadata.example", urls: `http://169.254.169.254/ http://metadata.example/ http://[fd00:ec2::254]/
			http://168.63.129.16/ http://[64:ff9b::a9fe:a9fe]/ http://[::a9fe:a9fe]/ http://100.100.100.200/`},
		{want: unsafe, allow: "0.0.0.0/0", urls: `http://127.1/ http://user@127.0.0.1/`},
	}
	for _, tt := range tests {
		for _, url := range strings.Fields(tt.urls) {
			t.Run(url+" "+tt.allow, func(t *testing.T) {
				n := newNetwork()
				got := outcome(n, get(t, n, strings.Fields(tt.allow), url))
				if got != tt.want {
					t.Errorf("got %s, want %s", got, tt.want)
				}
			})
		}
	}
}

func outcome(n *network, err error) string {
	var r *Refused
	switch {
	case errors.Is(err, errConnected):
		return strings.Join(n.reached, " ")
	case len(n.reached) > 0:
		return "reached " + strings.Join(n.reached, " ")
	case errors.As(err, &r):
		return "refused " + string(r.Reason)
	}
	return "another error"
}

func TestControlCharacters(t *testing.T) {
	for _, c := range []string{"\t", "\r", "\n", "\x00", "\x7f", `\`} {
		for _, url := range []string{"http://exa" + c + "mple.com/", "http://example.com/a" + c, c + "http://example.com"} {
			var r *Refused
			if _, err := ParseURL(url); !errors.As(err, &r) || r.Reason != URL {
				t.Errorf("%q: %v", url, err)
			}
		}
	}
}

// A name that was public when it was looked at first may be private a moment
// later: each dial asks anew.
func TestRebind(t *testing.T) {
	n := newNetwork()
	if err := get(t, n, nil, "http://example.com/"); !errors.Is(err, errConnected) {
		t.Fatal(err)
	}
	n.names["example.com"], n.reached = []string{"127.0.0.1"}, nil
	if got := outcome(n, get(t, n, nil, "http://example.com/")); got != "refused private-address" {
		t.Error(got)
	}
}

// The error tells of the address that may be reached, not of a refused one
// beside it.
func TestErrorOfTheAllowedAddress(t *testing.T) {
	n := newNetwork()
	n.down["127.0.0.1:3000"] = true
	err := get(t, n, []string{"127.0.0.1:3000"}, "http://localhost:3000/")
	if err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("%v", err)
	}
	n = newNetwork()
	n.down["8.8.8.8:80"] = true
	err = get(t, n, nil, "http://rebind.example/")
	if err == nil || !strings.Contains(err.Error(), "connection refused") || !reflect.DeepEqual(n.reached, []string{"8.8.8.8:80"}) {
		t.Errorf("%v, reached %v", err, n.reached)
	}
}

func TestProxyOfEnvironmentIgnored(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"} {
		t.Setenv(name, "http://127.0.0.1:9")
	}
	n := newNetwork()
	if err := get(t, n, nil, "http://example.com/"); !errors.Is(err, errConnected) {
		t.Fatal(err)
	}
	if want := []string{"8.8.8.8:80"}; !reflect.DeepEqual(n.reached, want) {
		t.Errorf("reached %v, want %v", n.reached, want)
	}
}

func TestRefusedNamesTheHostAsWritten(t *testing.T) {
	for url, want := range map[string]string{
		"http://localhost:3000/x": "localhost:3000",
		"http://localhost/x":      "localhost",
		"http://10.0.0.1:8080":    "10.0.0.1:8080",
		"http://[::1]":            "[::1]",
		"https://[::1]:8443":      "[::1]:8443",
	} {
		var r *Refused
		if err := get(t, newNetwork(), nil, url); !errors.As(err, &r) || r.Host != want {
			t.Errorf("%s: host %q, want %q", url, r.Host, want)
		}
		if !strings.Contains(r.Hint(), "--allow-host "+want) {
			t.Errorf("%s: hint %q", url, r.Hint())
		}
		if g, err := NewGuard([]string{r.Host}); err != nil || get(t, newNetwork(), []string{r.Host}, url) == nil || len(g.allow) != 1 {
			t.Errorf("%s: the host does not serve as an entry of the list: %v", url, err)
		}
	}
	r := &Refused{}
	if err := get(t, newNetwork(), nil, "http://169.254.169.254/"); !errors.As(err, &r) || r.Hint() != "" {
		t.Errorf("metadata: hint %q", r.Hint())
	}
}

func TestBadAllowedHosts(t *testing.T) {
	for _, s := range []string{"", "http://localhost:3000", "localhost:", "localhost:0", "localhost:x", "localhost:70000", "10.0.0.0/33", "a/b", "127.1", "fe80::1%lo", "a b"} {
		if _, err := NewGuard([]string{s}); err == nil {
			t.Errorf("%q was taken", s)
		}
	}
}

// The real net.Dialer asks the guard before it connects.
func TestRealDialer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	d := New(Options{})
	var r *Refused
	for _, g := range []*Guard{nil, {}} {
		if _, err := d.Dial(t.Context(), g, "tcp", l.Addr().String()); !errors.As(err, &r) {
			t.Errorf("guard %v: %v", g, err)
		}
	}
	g, err := NewGuard([]string{l.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	c, err := d.Dial(t.Context(), g, "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	if _, err := d.Dial(t.Context(), g, "unix", l.Addr().String()); err == nil {
		t.Error("a unix socket was dialled")
	}
}

// One transport for each policy: connections made under one are never used
// under another.
func TestTransportPerPolicy(t *testing.T) {
	d := New(Options{})
	guard := func(allow ...string) *Guard {
		g, err := NewGuard(allow)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	if d.Transport(nil) != d.Transport(guard()) || d.Transport(guard("a.example")) != d.Transport(guard("A.example.")) {
		t.Error("equal policies have transports of their own")
	}
	if d.Transport(guard("a.example")) == d.Transport(guard("a.example:80")) || d.Transport(nil) == d.Transport(guard("10.0.0.0/8")) {
		t.Error("different policies share a transport")
	}
}
