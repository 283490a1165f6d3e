package mcpserver

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/callers"
	"github.com/abl-lsp/abl-lsp/internal/operator"
)

const initialize2025 = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// send sends a body over HTTP. It returns the answer's head, or nil.
func send(t *testing.T, endpoint, body string, headers ...string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, endpoint, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return nil
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return nil
	}
	_, _ = io.Copy(io.Discard, response.Body)
	response.Body.Close()
	return response
}

// statusOf sends a body over HTTP, and returns the answer's status.
func statusOf(t *testing.T, endpoint, body string, headers ...string) int {
	t.Helper()
	if r := send(t, endpoint, body, headers...); r != nil {
		return r.StatusCode
	}
	return 0
}

// beginSession begins a session over HTTP, and returns its id.
func (d *serverFixture) beginSession(endpoint string) (id string) {
	d.t.Helper()
	r := send(d.t, endpoint, initialize2025)
	if r == nil || r.StatusCode != http.StatusOK {
		d.t.Fatalf("no session begins: %+v", r)
	}
	return r.Header.Get(sessionHeader)
}

// holdingAPI is an API whose answer to /hold waits until release is called. began gets each call.
func (d *serverFixture) holdingAPI() (began chan struct{}, release func()) {
	began = make(chan struct{}, 10)
	held := make(chan struct{})
	release = sync.OnceFunc(func() { close(held) })
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		began <- struct{}{}
		<-held
		fmt.Fprint(w, `"held 🛬"`)
	}))
	d.t.Cleanup(api.Close)
	d.set("TOOLS:\n  hold() -> any\n    description: \"🛫\"\n    type: http\n    endpoint: \"" + api.URL + "/hold\"\n    method: GET\n")
	d.t.Cleanup(release) // before Close, which waits
	return began, release
}

const holdCall = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hold","arguments":{}}}`

// TestSessionLimits checks that a new session takes the place of the one that has not been used for the
// longest time, and never that of one with a call under way.
func TestSessionLimits(t *testing.T) {
	d := newServerFixture(t)
	d.server.sessions.perCaller = 2
	began, release := d.holdingAPI()
	endpoint := d.serving()
	ping := func(id string) int {
		return statusOf(t, endpoint, `{"jsonrpc":"2.0","id":3,"method":"tools/list"}`, "Mcp-Session-Id", id)
	}
	busy := d.beginSession(endpoint)
	answered := make(chan int)
	go func() { answered <- statusOf(t, endpoint, holdCall, "Mcp-Session-Id", busy) }()
	<-began
	first := d.beginSession(endpoint)
	second := d.beginSession(endpoint)
	for end := time.Now().Add(10 * time.Second); ping(first) != http.StatusNotFound; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the oldest session does not end")
		}
	}
	if got := ping(second); got != http.StatusOK {
		t.Errorf("the newest session: %d", got)
	}
	go func() { answered <- statusOf(t, endpoint, holdCall, "Mcp-Session-Id", second) }()
	<-began
	if status := statusOf(t, endpoint, initialize2025); status != http.StatusTooManyRequests {
		t.Errorf("with a call in each session: %d", status)
	}
	release()
	for range 2 {
		if got := <-answered; got != http.StatusOK {
			t.Errorf("a call under way: %d", got)
		}
	}
	count := func() int {
		d.server.sessions.mu.Lock()
		defer d.server.sessions.mu.Unlock()
		return len(d.server.sessions.all)
	}
	d.server.sessions.perCaller, d.server.sessions.inAll = 10, 2
	if status := statusOf(t, endpoint, initialize2025); status != http.StatusOK || count() != 2 {
		t.Errorf("%d, and there are %d sessions", status, count())
	}
	d.server.sessions.inAll = 10
	for range 10 {
		if got := statusOf(t, endpoint, strings.Replace(initialize2025, `"2.0"`, `"1.0"`, 1)); got != http.StatusBadRequest {
			t.Errorf("a session that does not begin: %d", got)
		}
	}
	for end := time.Now().Add(10 * time.Second); count() != 2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("there are %d sessions", count())
		}
	}
}

// TestRateCountsSessions checks that the beginning of a session is counted like a call, and that no
// message hides from the limit.
func TestRateCountsSessions(t *testing.T) {
	for name, tt := range map[string]struct {
		body, version string
		statuses      []int
	}{
		"sessions":                   {initialize2025, "", []int{200, 200, 429}},
		"a list":                     {`[` + holdCall + `,` + holdCall + `,` + holdCall + `]`, listVersion, []int{429}},
		"calls with a second method": {strings.Replace(holdCall, `}}}`, `}},"METHOD":"ping"}`, 1), "", []int{400, 400, 400, 400}},
		"calls with a second name":   {strings.Replace(holdCall, `"name"`, `"name":"x","name"`, 1), "", []int{400, 400, 400, 400}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newServerFixture(t)
			config, err := operator.Parse("op.yaml", "rate: 0.0001", func(string) (string, bool, error) { return "", false, nil })
			if err != nil {
				t.Fatal(err)
			}
			config.Rate = 2 // the burst; its time is the clock's
			now := time.Now()
			d.server.opts.Callers = callers.New(callers.Options{Now: func() time.Time { return now }})
			if err := d.server.opts.Callers.Update(context.Background(), config, nil); err != nil {
				t.Fatal(err)
			}
			endpoint := d.serving()
			for i, want := range tt.statuses {
				var headers []string
				if tt.version != "" {
					headers = []string{"Mcp-Protocol-Version", tt.version}
				}
				if got := statusOf(t, endpoint, tt.body, headers...); got != want {
					t.Errorf("request %d: %d, want %d", i, got, want)
				}
			}
		})
	}
}

// TestDrainOfLists checks that a list of messages with a call is awaited at the end, and refused from
// then on, over a connection that ends.
func TestDrainOfLists(t *testing.T) {
	d := newServerFixture(t)
	began, release := d.holdingAPI()
	endpoint := d.serving()
	session := d.beginSession(endpoint)
	list := `[` + holdCall + `]`
	answered := make(chan int)
	go func() { answered <- statusOf(t, endpoint, list, "Mcp-Session-Id", session) }()
	<-began
	drained := make(chan struct{})
	go func() {
		d.server.work.drain(context.Background())
		close(drained)
	}()
	for !d.server.work.isDraining() {
	}
	for name, body := range map[string]string{"a call": holdCall, "a list": list} {
		t.Run(name, func(t *testing.T) {
			response := send(t, endpoint, body, sessionHeader, session)
			if response == nil || response.StatusCode != http.StatusServiceUnavailable || !response.Close {
				t.Errorf("%+v", response)
			}
		})
	}
	select {
	case <-drained:
		t.Error("drained before the call has ended")
	default:
	}
	release()
	if got := <-answered; got != http.StatusOK {
		t.Errorf("the list under way: %d", got)
	}
	<-drained
}
