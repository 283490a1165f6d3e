package oauth

import (
	"cmp"
	"context"
	"crypto/subtle"
	"html"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
)

// defaultRedirectURL always has the same path, since servers compare it with the registered one.
// The state is the part that no one can guess.
const defaultRedirectURL = "http://127.0.0.1/callback"

// redirectURL returns the URL to which the browser is sent with the code. Its host is this
// machine.
func (g *Grant) redirectURL() (*url.URL, error) {
	written := cmp.Or(g.redirect.value, defaultRedirectURL)
	u, err := dial.ParseURL(written)
	if err != nil || u.Scheme != "http" || u.Path == "" || u.RawQuery != "" || !slices.Contains([]string{"127.0.0.1", "localhost", "::1"}, u.Hostname()) {
		return nil, definitionError("%s: %q does not lead to a page on this machine", g.redirect.from, written).
			WithHint("Write it like %s, with a port where the service wants one.", defaultRedirectURL)
	}
	return u, nil
}

// listener is an HTTP server on loopback. It waits for the one request of the person's browser
// that ends a sign-in.
type listener struct {
	state    string
	path     string // the path to which the browser returns
	start    string // the path that leads to target
	target   string // the page where the person signs in
	server   string // the host of target
	resource *resourceTerms
	exchange func(code string) error
	finish   func(error)
	redact   func(string) string
	visited  atomic.Bool
	socket   net.Listener
	stop     context.CancelFunc
}

// listen starts the server. The server ends with the sign-in or with ctx. host is the host of back
// with the port at which the server listens.
func (l *listener) listen(ctx context.Context, back *url.URL) (host string, err error) {
	address := map[string]string{"::1": "::1"}[back.Hostname()]
	host = cmp.Or(address, "127.0.0.1")
	l.socket, err = net.Listen("tcp", net.JoinHostPort(host, cmp.Or(back.Port(), "0")))
	if err != nil && l.resource.portIsFree() {
		l.socket, err = net.Listen("tcp", net.JoinHostPort(host, "0"))
	}
	if err != nil {
		return "", executor.Errorf(executor.KindNetwork, "listen", "nothing can listen at %s for the end of the sign-in: %w", back.Host, err)
	}
	_, port, err := net.SplitHostPort(l.socket.Addr().String())
	if err != nil {
		return "", err
	}
	server := &http.Server{
		Handler:           http.MaxBytesHandler(l, 0),
		ReadTimeout:       10 * time.Second,
		ReadHeaderTimeout: 10 * time.Second,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
	ctx, l.stop = context.WithCancel(ctx)
	go func() { _ = server.Serve(l.socket) }() // ends with the socket
	go func() {
		<-ctx.Done()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = server.Shutdown(last) // the page may still be being sent
		_ = server.Close()
	}()
	return net.JoinHostPort(back.Hostname(), port), nil
}

func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	switch {
	case r.Method != http.MethodGet:
		writePage(w, http.StatusMethodNotAllowed, "Nothing is taken here but the end of a sign-in.")
	case r.URL.Path == l.start:
		http.Redirect(w, r, l.target, http.StatusFound)
	case r.URL.Path != l.path:
		writePage(w, http.StatusNotFound, "There is nothing here but the end of a sign-in.")
	case !l.visited.CompareAndSwap(false, true):
		writePage(w, http.StatusGone, "This sign-in is over. Run the tool again for another.")
	default:
		l.handleCallback(w, r.URL.Query())
	}
}

// handleCallback reports the outcome of the sign-in to the run and, on a page, to the person.
func (l *listener) handleCallback(w http.ResponseWriter, q url.Values) {
	err := l.outcome(q)
	if err != nil {
		writePage(w, http.StatusBadRequest, "The sign-in failed: "+l.redact(err.Error()))
	} else {
		writePage(w, http.StatusOK, "You are signed in. This window can be closed.")
	}
	if f, ok := w.(http.Flusher); ok {
		f.Flush() // the run may end the process
	}
	_ = l.socket.Close() // the next sign-in may need the port
	l.finish(err)
	l.stop()
}

func (l *listener) outcome(q url.Values) error {
	switch {
	case subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(l.state)) != 1:
		return executor.Errorf(executor.KindDenied, "sign-in-state", "what came back from %s belongs to another sign-in (its state is not the one that was sent)", l.server)
	case l.resource.foreignIssuer(q):
		return executor.Errorf(executor.KindDenied, "sign-in-issuer", "what came back from %s does not come from %s, where the sign-in began (its iss is %s)",
			l.server, l.resource.issuer, strconv.Quote(executor.Shorten(l.redact(q.Get("iss")), maxShownAnswer)))
	case q.Get("error") == "access_denied":
		return executor.Errorf(executor.KindDenied, "sign-in-denied", "the sign-in at %s was denied%s", l.server, l.describeError(q))
	case q.Has("error"):
		return executor.Errorf(executor.KindRemote, "sign-in", "%s refused the sign-in: %s%s", l.server, executor.Shorten(l.redact(q.Get("error")), maxShownAnswer), l.describeError(q))
	case q.Get("code") == "":
		return executor.Errorf(executor.KindRemote, "sign-in", "%s sent the browser back without a code", l.server)
	}
	return l.exchange(q.Get("code"))
}

func (l *listener) describeError(q url.Values) string {
	text := strings.TrimSpace(q.Get("error_description"))
	if text == "" {
		return ""
	}
	return ": " + executor.Shorten(l.redact(text), maxShownAnswer)
}

func writePage(w http.ResponseWriter, status int, text string) {
	body := "<!doctype html><title>abl-lsp</title><p>" + html.EscapeString(text) + "</p>\n"
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}
