package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Path is the URL path at which tools are served over HTTP.
const Path = "/mcp"

// CallbackPath is the URL path below which tools get results that are posted.
const CallbackPath = "/callbacks/"

// Times of clients over HTTP.
const (
	sessionTimeout  = time.Hour       // of an idle session
	shutdownTimeout = 2 * time.Second // for what is under way at the end
)

// httpTimeouts are the timeouts of a connection.
type httpTimeouts struct {
	header time.Duration // for the head of a request
	body   time.Duration // for the body of a request
	idle   time.Duration // between two requests
}

var defaultTimeouts = httpTimeouts{header: 10 * time.Second, body: time.Minute, idle: 2 * time.Minute}

// Listen opens an address to serve at. addr is HOST:PORT, or PORT alone; without a host it
// is on loopback.
func Listen(addr string) (net.Listener, error) { return net.Listen("tcp", CompleteAddress(addr)) }

// CompleteAddress returns the HOST:PORT at which [Listen] listens.
func CompleteAddress(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		host, port = "", addr
	}
	return net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port)
}

// HTTP says how clients reach a server over HTTP.
type HTTP struct {
	Listener   net.Listener
	Operations net.Listener  // of /healthz, /readyz and /metrics; nil: they are next to the tools
	Callbacks  http.Handler  // of what is below CallbackPath; nil: nothing is there
	Drain      time.Duration // how long calls may go on when the server is asked to end
}

// ServeHTTP serves any number of clients by streamable HTTP, until ctx ends; then it refuses new
// calls, waits for those under way, and returns nil. It returns an error if a listener fails before
// that.
func (s *Server) ServeHTTP(ctx context.Context, o HTTP) error {
	mux := http.NewServeMux()
	mux.Handle(Path, s.requireCaller(s.newEndpoint()))
	mux.Handle(toolsetPath, s.requireCaller(requireSameOrigin(http.HandlerFunc(s.serveToolset))))
	for _, path := range []string{"", Path, toolsetPath} {
		mux.HandleFunc(metadataPath+path, s.serveMetadata)
	}
	if o.Callbacks != nil {
		mux.Handle(CallbackPath, o.Callbacks)
	}
	servers := []*http.Server{defaultTimeouts.server(identifyRequests(mux))}
	listeners := []net.Listener{o.Listener}
	operations := mux
	if o.Operations != nil {
		operations = http.NewServeMux()
		servers, listeners = append(servers, defaultTimeouts.server(operations)), append(listeners, o.Operations)
	}
	s.addOperations(operations)
	go s.tasks.takeOverAll(ctx)
	go s.repeats.sweep(ctx)
	ended := make(chan error, len(servers))
	for i, server := range servers {
		server.ErrorLog = slog.NewLogLogger(s.opts.Logger.Handler(), slog.LevelWarn)
		go func() { ended <- server.Serve(listeners[i]) }()
	}
	var failed error
	select {
	case failed = <-ended:
	case <-ctx.Done():
		draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.Drain)
		s.work.drain(draining)
		cancel()
	}
	for _, server := range servers {
		shutDown(ctx, server)
	}
	return failed
}

// shutDown lets a server write its last answers.
func shutDown(ctx context.Context, server *http.Server) {
	leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if errors.Is(server.Shutdown(leaving), context.DeadlineExceeded) {
		_ = server.Close() // who still listens for news is cut off
	}
}

// server returns a server with these timeouts for what a client sends. Answers have no timeout.
func (t httpTimeouts) server(h http.Handler) *http.Server {
	return &http.Server{Handler: t.limitBody(h), ReadHeaderTimeout: t.header, IdleTimeout: t.idle}
}

// limitBody ends a connection whose client takes too long to send a body.
func (t httpTimeouts) limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != http.NoBody {
			body := &limitedBody{r.Body, http.NewResponseController(w)}
			_ = body.controller.SetReadDeadline(time.Now().Add(t.body)) // a connection of net/http always can
			r.Body = body
		}
		next.ServeHTTP(w, r)
	})
}

// limitedBody is a body with a deadline. After it was read, its connection has no deadline:
// net/http goes on reading to notice the client's end.
type limitedBody struct {
	io.ReadCloser
	controller *http.ResponseController
}

func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.controller.SetReadDeadline(time.Time{})
	}
	return n, err
}

// requireSameOrigin refuses requests from web pages of other origins.
func requireSameOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if origin := r.Header.Get("Origin"); origin != "" && !isSameOrigin(origin, r.Host) {
			http.Error(w, "pages of "+origin+" may not call these tools", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isSameOrigin reports whether an origin is this server. The server has no pages under a name: a
// name may belong to anyone who makes it point here (DNS rebinding), which the library refuses only
// on loopback.
func isSameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Host == host && (u.Hostname() == "localhost" || net.ParseIP(u.Hostname()) != nil)
}
