package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/redistest"
)

const warehouseTools = `TOOLS:
  look(item: string) -> object
    type: http
    endpoint: "API/look"
    method: GET
  order(item: string) -> object
    type: http
    endpoint: "API/order"
    method: POST
  order_by_key(item: string) -> object
    type: http
    endpoint: "API/order"
    method: POST
    idempotency_header: X-Order-Key
  produce(item: string) -> object
    type: async_webhook
    endpoint: "API/produce"
    method: POST
`

// warehouse is the API that the replicas call. It counts what has an effect, by item.
type warehouse struct {
	t *testing.T

	mu      sync.Mutex
	effects map[string]int
	keys    map[string]bool // the idempotency keys of orders
}

func (a *warehouse) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var order struct{ Item, CallbackURL string }
	order.Item = r.URL.Query().Get("item")
	if r.Method == http.MethodPost {
		if err := json.NewDecoder(r.Body).Decode(&order); err != nil {
			a.t.Error(err)
			return
		}
		a.addEffect(order.Item, r.Header.Get("X-Order-Key"))
	}
	time.Sleep(5 * time.Millisecond) // so that calls are under way when something happens
	w.Header().Set("Content-Type", "application/json")
	if order.CallbackURL == "" {
		fmt.Fprintf(w, `{"item":%q}`, order.Item)
		return
	}
	w.WriteHeader(http.StatusAccepted)
	go a.callBack(order.CallbackURL, order.Item)
}

// addEffect counts a request, unless an earlier one had the same idempotency key.
func (a *warehouse) addEffect(item, key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if key == "" || !a.keys[key] {
		a.effects[item]++
	}
	a.keys[key] = true
}

// callBack posts a result, until a replica takes it or none waits for it.
func (a *warehouse) callBack(to, item string) {
	for a.t.Context().Err() == nil {
		resp, err := http.Post(to, "application/json", strings.NewReader(fmt.Sprintf(`{"item":%q}`, item)))
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode < http.StatusInternalServerError {
				return
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// replicaProcess is a process of `abl-lsp mcp --http`.
type replicaProcess struct {
	cmd *exec.Cmd
	url *url.URL
}

// fleet is two replicas with the proxy before them, which passes requests to them in turn.
type fleet struct {
	t     *testing.T
	proxy *httptest.Server
	redis *redistest.Server
	file  string
	turn  atomic.Int64

	mu       sync.Mutex
	replicas [2]*replicaProcess
}

func newFleet(t *testing.T, api string) *fleet {
	f := &fleet{t: t, redis: redistest.Start(t)}
	f.proxy = httptest.NewServer(&httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) { r.SetURL(f.next()) },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	})
	t.Cleanup(f.proxy.Close)
	dir := t.TempDir()
	f.file = filepath.Join(dir, "a.tools.abl")
	for name, text := range map[string]string{
		f.file:                         strings.ReplaceAll(warehouseTools, "API", api),
		filepath.Join(dir, "abl.yaml"): "callback_base_url: " + f.proxy.URL + "\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range f.replicas {
		f.start(i)
	}
	return f
}

// next returns the replica whose turn it is.
func (f *fleet) next() *url.URL {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.replicas[f.turn.Add(1)%2].url
}

// start starts a replica, in place of an ended one.
func (f *fleet) start(i int) {
	f.t.Helper()
	cmd := exec.CommandContext(f.t.Context(), os.Args[0], "mcp", f.file, "--http", "0", "--yes", "--allow-host", "127.0.0.1",
		"--shared", f.redis.URL(), "--state-key", "FLEET_KEY")
	cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+f.t.TempDir(), "FLEET_KEY=of the fleet, long enough for a key")
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { _ = cmd.Wait() }) // the test's context has ended it
	lines := bufio.NewReader(stderr)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			f.t.Fatalf("a replica does not start: %v", err)
		}
		if address, ok := strings.CutPrefix(strings.TrimSpace(line), "serving at "); ok {
			go io.Copy(io.Discard, lines) // until it ends
			at, err := url.Parse(strings.TrimSuffix(address, "/mcp"))
			if err != nil {
				f.t.Fatal(err)
			}
			f.mu.Lock()
			f.replicas[i] = &replicaProcess{cmd, at}
			f.mu.Unlock()
			return
		}
		f.t.Log(strings.TrimSpace(line))
	}
}

// kill ends a replica as a crash does.
func (f *fleet) kill(i int) {
	f.t.Helper()
	if err := f.replicas[i].cmd.Process.Kill(); err != nil {
		f.t.Error(err)
	}
	_ = f.replicas[i].cmd.Wait() // it was killed
}

// fleetPatience bounds how long a client repeats a call.
const fleetPatience = 60 * time.Second

// call makes a call through the proxy, and repeats it until it has an answer.
func (f *fleet) call(tool, item string) (text string, err error) {
	ctx, cancel := context.WithTimeout(f.t.Context(), fleetPatience)
	defer cancel()
	for {
		if text, err = f.callOnce(ctx, tool, item); err == nil {
			return text, nil
		}
		select {
		case <-ctx.Done():
			return "", err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// callOnce makes a call. The item is its idempotency key. The error says that there is no answer.
func (f *fleet) callOnce(ctx context.Context, tool, item string) (text string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":{"name":%q,"arguments":{"item":%q},%s}}`, item, tool, item, meta)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.proxy.URL+"/mcp", strings.NewReader(body))
	if err != nil {
		return "", err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Idempotency-Key": item,
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool,
	} {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	if _, event, ok := strings.Cut(string(raw), "data: "); ok {
		raw = []byte(event)
	}
	var answer struct {
		ID     string
		Result *struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal(raw, &answer); err != nil || answer.Result == nil || len(answer.Result.Content) == 0 {
		return "", errors.Join(fmt.Errorf("%s: %s", resp.Status, raw), err)
	}
	text = answer.Result.Content[0].Text
	if strings.HasPrefix(text, "internal: ") || strings.HasPrefix(text, "network: nothing was sent") { // the store could not be reached
		return "", fmt.Errorf("%s", text)
	}
	return text, nil
}

// soakVariable makes the tests of load long: `make soak` sets it.
const soakVariable = "ABL_SOAK"

// TestReplicas has clients call two replicas while one is killed, or Redis does not answer for two
// seconds. Each call has its own answer, and no effect twice.
func TestReplicas(t *testing.T) {
	clients, calls := 10, 100
	if os.Getenv(soakVariable) != "" {
		clients, calls = 50, 1000
	}
	for name, disturb := range map[string]func(*testing.T, *fleet){
		"killed": func(_ *testing.T, f *fleet) {
			f.kill(0)
			f.start(0)
		},
		"without Redis for two seconds": func(t *testing.T, f *fleet) {
			if err := f.redis.Client(t).Do(t.Context(), "CLIENT", "PAUSE", "2000", "ALL").Err(); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := &warehouse{t: t, effects: map[string]int{}, keys: map[string]bool{}}
			api := httptest.NewServer(a)
			t.Cleanup(api.Close)
			f := newFleet(t, api.URL)
			l := &fleetLoad{fleet: f, warehouse: a, clients: clients, calls: calls}
			began := time.Now()
			l.run(func() { disturb(t, f) })
			t.Logf("%d calls in %v, %d of them with an unknown outcome", clients*calls, time.Since(began).Round(time.Millisecond), l.unknown.Load())
			if most := int64(clients); l.unknown.Load() > most {
				t.Errorf("%d outcomes are unknown; at most %d calls were under way", l.unknown.Load(), most)
			}
		})
	}
}

// fleetLoad is what the clients do.
type fleetLoad struct {
	*fleet
	warehouse      *warehouse
	clients, calls int
	done, unknown  atomic.Int64
}

// run makes all calls. In the middle of them it calls disturb.
func (l *fleetLoad) run(disturb func()) {
	var all sync.WaitGroup
	once := sync.OnceFunc(disturb)
	for client := range l.clients {
		all.Go(func() {
			for n := range l.calls {
				l.callAndCheck([]string{"order_by_key", "look", "order", "order_by_key", "produce"}[n%5], fmt.Sprintf("item %d of client %d", n, client))
				if l.done.Add(1) == int64(l.clients*l.calls/2) {
					all.Go(once)
				}
			}
		})
	}
	all.Wait()
}

// callAndCheck makes one call, and checks its answer and its effect.
func (l *fleetLoad) callAndCheck(tool, item string) {
	text, err := l.call(tool, item)
	if err != nil {
		l.t.Errorf("%s, %s: %v", tool, item, err)
		return
	}
	want, most := 1, 1
	switch {
	case text == fmt.Sprintf(`{"item":%q}`, item):
	case tool != "look" && tool != "order_by_key" && strings.Contains(text, "had its effect is not known"):
		l.unknown.Add(1)
		want = 0
	default:
		l.t.Errorf("%s, %s: %s", tool, item, text)
	}
	if tool == "look" {
		want, most = 0, 0
	}
	l.warehouse.mu.Lock()
	defer l.warehouse.mu.Unlock()
	if n := l.warehouse.effects[item]; n < want || n > most {
		l.t.Errorf("%s, %s: %d effects", tool, item, n)
	}
}
