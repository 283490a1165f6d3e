package dial_test

import (
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/dial/dialtest"
)

// through requests a URL by way of a proxy.
func through(t *testing.T, n *dialtest.Network, proxy string, allow []string, url string) error {
	t.Helper()
	g, err := dial.NewGuard(allow)
	if err != nil {
		t.Fatal(err)
	}
	if g, err = g.WithProxy(proxy); err != nil {
		t.Fatal(err)
	}
	c := http.Client{Transport: n.Dialer().Transport(g)}
	resp, err := c.Get(url)
	if err == nil {
		_ = resp.Body.Close()
	}
	return err
}

func TestProxyGetsTheRequest(t *testing.T) {
	n := dialtest.New()
	var asked []string
	n.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked = append(asked, r.URL.String()) }))
	if err := through(t, n, "http://home.example", nil, "http://example.com/a"); err != nil {
		t.Fatal(err)
	}
	if want := []string{"http://example.com/a"}; !slices.Equal(asked, want) || len(n.Reached()) > 0 {
		t.Errorf("the proxy was asked for %q; reached without it: %q", asked, n.Reached())
	}
}

// TestProxyMayBePrivate checks that a proxy may be in a private network, as most are.
func TestProxyMayBePrivate(t *testing.T) {
	for _, url := range []string{"http://example.com/", "https://example.com/", "http://8.8.8.8/"} {
		t.Run(url, func(t *testing.T) {
			n := dialtest.New()
			if err := through(t, n, "http://10.0.0.1:3128", nil, url); !errors.Is(err, dialtest.ErrConnected) || !slices.Equal(n.Reached(), []string{"10.0.0.1:3128"}) {
				t.Errorf("%s: %v, reached %q", url, err, n.Reached())
			}
		})
	}
}

func TestProxySeesNothingOfWhatIsRefused(t *testing.T) {
	for url, want := range map[string]dial.Reason{
		"http://10.0.0.1/":              dial.Private,
		"http://10.0.0.1:3128/":         dial.Private, // the proxy itself
		"https://intranet.example/":     dial.Private,
		"http://localhost:8080/":        dial.Private,
		"http://rebind.example/":        dial.Private, // also where only one of its addresses is
		"http://metadata.example/":      dial.Metadata,
		"http://169.254.169.254/":       dial.Metadata,
		"http://u:p@example.com/":       dial.URL,
		"http://[fe80::1%25lo]:80/":     dial.URL,
		"http://2130706433/":            dial.URL,
		"http://private-first.example/": dial.Private,
	} {
		t.Run(url, func(t *testing.T) {
			n := dialtest.New()
			var r *dial.RefusedError
			if err := through(t, n, "http://10.0.0.1:3128", nil, url); !errors.As(err, &r) || r.Reason != want || len(n.Reached()) > 0 {
				t.Errorf("%s: %v, reached %q", url, err, n.Reached())
			}
		})
	}
}

// TestProxyResolvesWhatThisMachineCannot checks that a name that only the proxy knows goes there by
// name, except those that must not be reached anywhere.
func TestProxyResolvesWhatThisMachineCannot(t *testing.T) {
	for url, want := range map[string]dial.Reason{
		"http://only-the-proxy.example/":                  "",
		"https://only-the-proxy.example:8443/":            "",
		"http://metadata.google.internal/computeMetadata": dial.Metadata,
		"http://METADATA.google.internal./":               dial.Metadata,
		"http://db.localhost/":                            dial.Private,
	} {
		t.Run(url, func(t *testing.T) {
			n := dialtest.New()
			err := through(t, n, "http://10.0.0.1:3128", nil, url)
			var r *dial.RefusedError
			switch {
			case want == "" && (!errors.Is(err, dialtest.ErrConnected) || !slices.Equal(n.Reached(), []string{"10.0.0.1:3128"})):
				t.Errorf("%v, reached %q", err, n.Reached())
			case want != "" && (!errors.As(err, &r) || r.Reason != want || len(n.Reached()) > 0):
				t.Errorf("%v, reached %q", err, n.Reached())
			}
		})
	}
}

// TestProxyIsNotForThisMachine checks that requests to this machine do not use the proxy, for which
// localhost is another machine.
func TestProxyIsNotForThisMachine(t *testing.T) {
	n := dialtest.New()
	if err := through(t, n, "http://10.0.0.1:3128", []string{"127.0.0.1:3000"}, "http://127.0.0.1:3000/"); !errors.Is(err, dialtest.ErrConnected) {
		t.Fatal(err)
	}
	if want := []string{"127.0.0.1:3000"}; !reflect.DeepEqual(n.Reached(), want) {
		t.Errorf("reached %q", n.Reached())
	}
}

func TestProxyWrittenWrong(t *testing.T) {
	g, err := dial.NewGuard(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, written := range map[string]string{
		"a word":            "nonsense",
		"no scheme":         "10.0.0.1:3128",
		"another scheme":    "socks5://10.0.0.1:1080",
		"user and password": "http://u:p@10.0.0.1:3128",
		"no host":           "http://",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := g.WithProxy(written); err == nil || !strings.Contains(err.Error(), "http://HOST:PORT") {
				t.Errorf("%q: %v", written, err)
			}
		})
	}
}
