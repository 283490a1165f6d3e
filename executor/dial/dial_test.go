package dial_test

import (
	"errors"
	"net"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/dial/dialtest"
)

// get requests a URL as a Runner does, and returns the error.
func get(t *testing.T, n *dialtest.Network, allow []string, url string) error {
	t.Helper()
	g, err := dial.NewGuard(allow)
	if err != nil {
		t.Fatal(err)
	}
	u, err := dial.ParseURL(url)
	if err != nil {
		return err
	}
	c := http.Client{Transport: n.Dialer().Transport(g)}
	_, err = c.Get(u.String())
	return err
}

func TestTable(t *testing.T) {
	for _, row := range dialtest.Rows() {
		t.Run(row.URL+" "+strings.Join(row.Allow, " "), func(t *testing.T) {
			n := dialtest.New()
			want := "refused " + string(row.Refused)
			switch {
			case row.Reaches != "":
				want = row.Reaches
			case row.Refused == "":
				want = "another error"
			}
			if got := outcome(n, get(t, n, row.Allow, row.URL)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func outcome(n *dialtest.Network, err error) string {
	reached := strings.Join(n.Reached(), " ")
	switch r, refused := errors.AsType[*dial.RefusedError](err); {
	case errors.Is(err, dialtest.ErrConnected):
		return reached
	case reached != "":
		return "reached " + reached
	case refused:
		return "refused " + string(r.Reason)
	}
	return "another error"
}

// TestRebind checks that each dial resolves the name again, since a public name may become private.
func TestRebind(t *testing.T) {
	n := dialtest.New()
	if err := get(t, n, nil, "http://example.com/"); !errors.Is(err, dialtest.ErrConnected) {
		t.Fatal(err)
	}
	n.Names["example.com"] = []string{"127.0.0.1"}
	var r *dial.RefusedError
	if err := get(t, n, nil, "http://example.com/"); !errors.As(err, &r) || r.Reason != dial.Private {
		t.Error(err)
	}
}

// TestErrorOfTheAllowedAddress checks that the error is that of the allowed address, if another
// address of the name is refused.
func TestErrorOfTheAllowedAddress(t *testing.T) {
	n := dialtest.New()
	n.Down["127.0.0.1:3000"] = true
	err := get(t, n, []string{"127.0.0.1:3000"}, "http://localhost:3000/")
	if err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("%v", err)
	}
	n = dialtest.New()
	n.Down["8.8.8.8:80"] = true
	err = get(t, n, nil, "http://rebind.example/")
	if err == nil || !strings.Contains(err.Error(), "connection refused") || !reflect.DeepEqual(n.Reached(), []string{"8.8.8.8:80"}) {
		t.Errorf("%v, reached %v", err, n.Reached())
	}
}

func TestProxyOfEnvironmentIgnored(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"} {
		t.Setenv(name, "http://127.0.0.1:9")
	}
	n := dialtest.New()
	if err := get(t, n, nil, "http://example.com/"); !errors.Is(err, dialtest.ErrConnected) {
		t.Fatal(err)
	}
	if want := []string{"8.8.8.8:80"}; !reflect.DeepEqual(n.Reached(), want) {
		t.Errorf("reached %v, want %v", n.Reached(), want)
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
		t.Run(url, func(t *testing.T) {
			var r *dial.RefusedError
			if err := get(t, dialtest.New(), nil, url); !errors.As(err, &r) || r.Host != want {
				t.Errorf("%s: host %q, want %q", url, r.Host, want)
			}
			if !strings.Contains(r.Hint(), "--allow-host "+want) {
				t.Errorf("%s: hint %q", url, r.Hint())
			}
			if g, err := dial.NewGuard([]string{r.Host}); err != nil || g == nil || !errors.Is(get(t, dialtest.New(), []string{r.Host}, url), dialtest.ErrConnected) {
				t.Errorf("%s: the host does not serve as an entry of the list: %v", url, err)
			}
		})
	}
	r := &dial.RefusedError{}
	if err := get(t, dialtest.New(), nil, "http://169.254.169.254/"); !errors.As(err, &r) || r.Hint() != "" {
		t.Errorf("metadata: hint %q", r.Hint())
	}
}

func TestBadAllowedHosts(t *testing.T) {
	for name, s := range map[string]string{
		"nothing":           "",
		"a URL":             "http://localhost:3000",
		"no port":           "localhost:",
		"port zero":         "localhost:0",
		"a word for a port": "localhost:x",
		"a port too large":  "localhost:70000",
		"a mask too long":   "10.0.0.0/33",
		"a path":            "a/b",
		"a short address":   "127.1",
		"a zone":            "fe80::1%lo",
		"a blank within":    "a b",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := dial.NewGuard([]string{s}); err == nil {
				t.Errorf("%q was taken", s)
			} else if strings.Contains(err.Error(), "netip") {
				t.Errorf("%q: %v: a person knows no netip", s, err)
			}
		})
	}
}

// TestRealDialer checks that the real net.Dialer asks the guard before it connects.
func TestRealDialer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	d := dial.New(dial.Options{})
	var r *dial.RefusedError
	for name, g := range map[string]*dial.Guard{
		"none":         nil,
		"an empty one": {},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := d.Dial(t.Context(), g, "tcp", l.Addr().String()); !errors.As(err, &r) {
				t.Errorf("guard %v: %v", g, err)
			}
		})
	}
	g, err := dial.NewGuard([]string{l.Addr().String()})
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

// TestTransportPerPolicy checks that each policy has its own transport, so that a connection made
// under one policy is never used under another.
func TestTransportPerPolicy(t *testing.T) {
	d := dial.New(dial.Options{})
	guard := func(allow ...string) *dial.Guard {
		g, err := dial.NewGuard(allow)
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
