package main

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/redistest"
)

// sharedTools are tools with limits, and one that must be confirmed.
const sharedTools = `TOOLS:
  slow() -> object
    type: http
    endpoint: "API/slow"
    method: GET
    rate_limit: 0.01
  broken() -> object
    type: http
    endpoint: "API/broken"
    method: GET
    circuit_breaker:
      threshold: 2
      reset_ms: 600000
  order(what: string) -> object
    type: http
    endpoint: "API/order"
    method: POST
  wait() -> object
    type: http
    endpoint: "API/wait"
    method: GET
    hints:
      latency: slow
  deliver(what: string) -> object
    type: http
    endpoint: "API/order"
    method: POST
    hints:
      latency: slow
`

// roundsAnswer is the answer to a call in version 2026-07-28 of the protocol.
type roundsAnswer struct {
	ResultType   string `json:"resultType"`
	RequestState string `json:"requestState"`
	IsError      bool   `json:"isError"`
	Content      []struct{ Text string }
	Requests     map[string]json.RawMessage `json:"inputRequests"`
}

func (a roundsAnswer) text() string {
	if len(a.Content) == 0 {
		return ""
	}
	return a.Content[0].Text
}

// callShared calls a tool in version 2026-07-28 of the protocol, by a request of its own.
func callShared(t *testing.T, endpoint, tool string, params map[string]any) (answer roundsAnswer) {
	t.Helper()
	params["name"] = tool
	askShared(t, endpoint, "tools/call", tool, params, &answer)
	return answer
}

// askShared sends a request of version 2026-07-28. name is that of the tool, or the id of the task.
func askShared(t *testing.T, endpoint, method, name string, params map[string]any, answer any) {
	t.Helper()
	meta := map[string]any{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": map[string]any{"elicitation": map[string]any{}},
	}
	given, _ := params["_meta"].(map[string]any)
	maps.Copy(meta, given)
	params["_meta"] = meta
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, endpoint, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for header, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": name,
	} {
		req.Header.Set(header, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) { // an answer may come as a stream
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			raw = []byte(data)
		}
	}
	var m struct{ Result, Error json.RawMessage }
	if err := json.Unmarshal(raw, &m); err != nil || m.Error != nil || json.Unmarshal(m.Result, answer) != nil {
		t.Fatalf("%v: %s", err, raw)
	}
}

// sharedTask is a task as tasks/get shows it.
type sharedTask struct {
	ID       string                     `json:"taskId"`
	Status   string                     `json:"status"`
	Requests map[string]json.RawMessage `json:"inputRequests"`
}

// askTask sends a request about a task, or the call of a tool that becomes one.
func askTask(t *testing.T, endpoint, method, name string, params map[string]any) (answer sharedTask) {
	t.Helper()
	params["_meta"] = map[string]any{"io.modelcontextprotocol/clientCapabilities": map[string]any{
		"elicitation": map[string]any{}, "extensions": map[string]any{"io.modelcontextprotocol/tasks": map[string]any{}},
	}}
	askShared(t, endpoint, method, name, params, &answer)
	return answer
}

// awaitTask asks for a task until it has a status.
func awaitTask(t *testing.T, endpoint, id, status string) sharedTask {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		now := askTask(t, endpoint, "tasks/get", id, map[string]any{"taskId": id})
		if now.Status == status {
			return now
		}
		if time.Now().After(end) {
			t.Fatalf("%+v, want %s", now, status)
		}
	}
}

// checkSharedTasks has one server run tasks that the client cancels, and answers, at the other one.
// waited gets a value when a request of the tool wait begins, and when it has ended.
func checkSharedTasks(t *testing.T, one, other string, waited <-chan struct{}) {
	t.Helper()
	id := askTask(t, one, "tools/call", "wait", map[string]any{"name": "wait"}).ID
	awaitTask(t, other, id, "working")
	<-waited
	askTask(t, other, "tasks/cancel", id, map[string]any{"taskId": id})
	<-waited
	awaitTask(t, one, id, "cancelled")
	awaitTask(t, other, id, "cancelled")

	id = askTask(t, one, "tools/call", "deliver", map[string]any{"name": "deliver", "arguments": map[string]any{"what": "tea"}}).ID
	asked := awaitTask(t, other, id, "input_required")
	responses := map[string]any{}
	for key := range asked.Requests {
		responses[key] = map[string]any{"action": "accept", "content": map[string]any{"confirm": true}}
	}
	if len(responses) != 1 {
		t.Errorf("%+v", asked)
	}
	askTask(t, other, "tasks/update", id, map[string]any{"taskId": id, "inputResponses": responses})
	awaitTask(t, one, id, "completed")
}

// TestSharedServers checks that two processes that share a Redis server have one rate limit, one
// circuit and one use of a confirmation, that a client can speak to either about a task, and what they
// do while Redis is gone.
func TestSharedServers(t *testing.T) {
	redis := redistest.Start(t)
	var orders atomic.Int32
	waited := make(chan struct{}, 2)
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/broken":
			w.WriteHeader(http.StatusInternalServerError)
		case "/order":
			orders.Add(1)
		case "/wait":
			waited <- struct{}{}
			<-r.Context().Done()
			waited <- struct{}{}
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{}")
	}))
	t.Cleanup(api.Close)
	dir := t.TempDir()
	file, config := filepath.Join(dir, "a.tools.abl"), filepath.Join(dir, "operator.yaml")
	for path, text := range map[string]string{
		file:   strings.ReplaceAll(sharedTools, "API", api.URL),
		config: "shared: {url: '" + strings.ReplaceAll(redis.URL(), "'", "''") + "', prefix: test}\nstate_key: the state key of both\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	words := []string{"mcp", file, "--allow-host", "127.0.0.1", "--config", config}
	one, other := serveHTTP(t, words...), serveHTTP(t, words...)

	if a := callShared(t, one, "slow", map[string]any{}); a.IsError {
		t.Errorf("%+v", a)
	}
	if a := callShared(t, other, "slow", map[string]any{}); !a.IsError || !strings.Contains(a.text(), "rate_limit") {
		t.Errorf("the rate: %+v", a)
	}
	callShared(t, one, "broken", map[string]any{})
	callShared(t, one, "broken", map[string]any{})
	if a := callShared(t, other, "broken", map[string]any{}); !a.IsError || !strings.Contains(a.text(), "circuit_breaker") {
		t.Errorf("the circuit: %+v", a)
	}

	confirmed := confirmOrder(t, one)
	if a := callShared(t, other, "order", confirmed); a.IsError || a.ResultType == "input_required" || orders.Load() != 1 {
		t.Errorf("%d orders: %+v", orders.Load(), a)
	}
	for _, endpoint := range []string{one, other} {
		callShared(t, endpoint, "order", confirmed)
	}
	if orders.Load() != 1 {
		t.Errorf("one confirmation made %d orders", orders.Load())
	}

	checkSharedTasks(t, one, other, waited)
	if orders.Swap(1) != 2 {
		t.Error("the confirmed task made no order")
	}

	confirmed = confirmOrder(t, one)
	redis.Stop()
	expectStatus(t, one, http.StatusServiceUnavailable)
	if a := callShared(t, other, "order", confirmed); !a.IsError || !strings.Contains(a.text(), "nothing was sent") || orders.Load() != 1 {
		t.Errorf("%d orders: %+v", orders.Load(), a)
	}
	keyed := map[string]any{"_meta": map[string]any{"abl-lsp/idempotency-key": "🔑"}}
	if a := callShared(t, other, "slow", keyed); !a.IsError || !strings.Contains(a.text(), "nothing was sent") {
		t.Errorf("a call that may be a repeat: %+v", a)
	}
	if a := callShared(t, other, "slow", map[string]any{}); a.IsError {
		t.Errorf("a limit of its own: %+v", a)
	}
	redis.Restart(t)
	expectStatus(t, one, http.StatusOK)
	expectStatus(t, other, http.StatusOK)
	if a := callShared(t, other, "order", confirmOrder(t, one)); a.IsError || orders.Load() != 2 {
		t.Errorf("%d orders: %+v", orders.Load(), a)
	}
}

// confirmOrder asks for an order, and returns the parameters of the call that confirms it.
func confirmOrder(t *testing.T, endpoint string) map[string]any {
	t.Helper()
	arguments := map[string]any{"what": "tea"}
	a := callShared(t, endpoint, "order", map[string]any{"arguments": arguments})
	if a.ResultType != "input_required" || len(a.Requests) != 1 {
		t.Fatalf("%+v", a)
	}
	responses := map[string]any{}
	for id := range a.Requests {
		responses[id] = map[string]any{"action": "accept", "content": map[string]any{"confirm": true}}
	}
	return map[string]any{"arguments": arguments, "requestState": a.RequestState, "inputResponses": responses}
}

// expectStatus waits until a server answers the question whether it is ready with a status.
func expectStatus(t *testing.T, endpoint string, want int) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		resp, err := http.Get(strings.TrimSuffix(endpoint, "/mcp") + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || strings.Contains(string(body), "127.0.0.1") {
			t.Fatalf("it tells %s, %v", body, err)
		}
		if resp.StatusCode == want {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d, want %d", resp.StatusCode, want)
		}
	}
}
