package conformance

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/dial/dialtest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Transport is one of the ways in which the runs of a kind reach a host.
type Transport struct {
	Runner  func(d *dial.Dialer) executor.Runner
	Request func(url string) executor.Request // a call that asks for a URL
	Home    http.HandlerFunc                  // answers at [Home], if calls go there first; may be nil

	NeverDials bool // it reaches no host at all, for whatever reason

	// SkipReason says why a URL is not tested for this transport; "" if it is.
	SkipReason func(url string) string
}

// Home is the URL of a host that a transport may call first.
const Home = "http://home.example/"

// RunHosts tests that a transport reaches the hosts that it may reach, and no others: every
// row of [dialtest.Rows], in a simulated network.
func RunHosts(t *testing.T, w Transport) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		t.Setenv(name, "http://127.0.0.1:9")
	}
	left := 0
	for _, row := range dialtest.Rows() {
		if w.SkipReason != nil && w.SkipReason(row.URL) != "" {
			left++
			continue
		}
		t.Run(strings.Join(append([]string{row.URL}, row.Allow...), " "), func(t *testing.T) { testHost(t, w, row) })
	}
	t.Logf("%d rows left out", left)
}

func testHost(t *testing.T, w Transport, row dialtest.Row) {
	network := dialtest.New()
	if w.Home != nil {
		network.Serve(t, w.Home)
	}
	req := w.Request(row.URL)
	req.AllowHosts, req.Trusted, req.Yes = row.Allow, true, true
	x := executor.New(executor.Options{
		Runners:   map[tool.Kind]executor.Runner{req.Tool.Kind: w.Runner(network.Dialer())},
		LookupEnv: func(string) (string, bool) { return "", false },
	})
	defer func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}()
	e := x.Run(t.Context(), req)
	if e.OK || e.Error == nil {
		t.Fatal("it ran")
	}
	var want []string
	if row.Reaches != "" && !w.NeverDials {
		want = []string{row.Reaches}
	}
	if got := network.Reached(); !slices.Equal(got, want) {
		t.Fatalf("reached %q, want %q: %s", got, want, e.Error.Message)
	}
	if !w.NeverDials {
		testRefusal(t, row, e.Error)
	}
}

// testRefusal checks that an error has the reason, and names the host if the person can
// allow it.
func testRefusal(t *testing.T, row dialtest.Row, e *executor.Error) {
	t.Helper()
	switch row.Refused {
	case "":
	case dial.URL:
		if !slices.Contains([]executor.ErrorKind{executor.KindDenied, executor.KindDefinition, executor.KindRemote}, e.Kind) { // remote: who redirects there
			t.Errorf("%s %s: %s", e.Kind, e.Code, e.Message)
		}
	default:
		host, _ := e.Details["host"].(string)
		if e.Kind != executor.KindDenied || e.Code != string(row.Refused) || host == "" {
			t.Errorf("%s %s: %s, host %q; want %s", e.Kind, e.Code, e.Message, host, row.Refused)
		}
	}
}

// Redirect is a handler for [Home]. It redirects to the URL in the parameter "to".
func Redirect(w http.ResponseWriter, r *http.Request) {
	w.Header()["Location"] = []string{r.URL.Query().Get("to")}
	w.WriteHeader(http.StatusTemporaryRedirect)
}

// NoRedirectReason says why a redirect to the URL to does not reach what to itself would
// reach; "" if it does.
func NoRedirectReason(to string) string {
	switch {
	case strings.ContainsAny(to, "\t\r\n\x00\x7f"):
		return "no header can hold it"
	case strings.HasPrefix(to, `http://example.com/a\`):
		return "in a path it is sent as %5C"
	case !strings.Contains(to, ":"):
		return "it leads back"
	case strings.HasPrefix(to, "https:"):
		return "another scheme"
	}
	return ""
}
