package mcpserver

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
)

const ownTools = `TOOLS:
  own(item: string, who: string) -> object
    type: http
    endpoint: "API/look"
    method: GET
    parameters:
      who:
        auth_services: [{name: my, field: sub}]
    hints:
      latency: slow
  own_produced(item: string) -> object
    type: async_webhook
    endpoint: "API/produce"
    method: POST
    auth_required: [my]
  own_order(item: string) -> object
    type: http
    endpoint: "API/order"
    method: POST
    auth_required: [my]
    idempotency_header: X-Order-Key
`

const tasksAnnounced = `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`

// tokens returns tokens that name alice: a good one, a newer one, and those that only say so.
func tokens(i *oauthtest.Issuer) (good, newer string, forged map[string]string) {
	claims := map[string]any{"iss": i.URL, "sub": "alice", "aud": "us", "exp": time.Now().Add(time.Hour).Unix()}
	none := func([]byte) []byte { return nil }
	return i.NewToken("us", nil), i.NewToken("us", map[string]any{"jti": "2"}), map[string]string{
		"without a signature": oauthtest.Sign(map[string]any{"alg": "none"}, claims, none),
		"for another service": i.NewToken("others", nil),
		"too old":             i.NewToken("us", map[string]any{"exp": time.Now().Add(-time.Hour).Unix()}),
		"of mallory":          i.NewToken("us", map[string]any{"sub": "mallory", "Sub": "alice", "Iss": i.URL}),
		"of its own words":    i.URL + " alice",
	}
}

// newOwnReplica starts a server of tools that ask who calls.
func newOwnReplica(t *testing.T, dir string, s *shop) *replica {
	r := newReplica(t, dir, s)
	r.set(ownTools)
	return r
}

// taskMessage sends a message about a task with a token. It returns the answer's result, or what is
// wrong.
func (r *replica) taskMessage(method, id, token string) (result map[string]any, fault string) {
	r.t.Helper()
	meta := strings.Replace(currentMeta, `clientCapabilities":{}}`, `clientCapabilities":`+tasksAnnounced+`}`, 1)
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{"taskId":%q,%s}}`, method, id, meta)
	req, err := http.NewRequestWithContext(r.t.Context(), http.MethodPost, r.endpoint, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": id, "my_token": token,
	} {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if _, event, ok := strings.Cut(string(raw), "data: "); ok {
		raw = []byte(event)
	}
	var answer struct {
		Result map[string]any
		Error  struct{ Message string }
	}
	if err != nil || json.Unmarshal(raw, &answer) != nil {
		r.t.Fatalf("%s, %v", raw, err)
	}
	return answer.Result, answer.Error.Message
}

// begin makes a call that becomes a task, and returns the id of that; "" if there is none.
func (r *replica) begin(name, item, token string) (id, text string) {
	r.t.Helper()
	raw, err := r.request(r.t.Context(), name, fmt.Sprintf(`"arguments":{"item":%q}`, item), "k", tasksAnnounced, "my_token", token)
	if err != nil {
		r.t.Fatal(err)
	}
	var answer struct{ Result struct{ TaskID string } }
	if err := json.Unmarshal(raw, &answer); err != nil {
		r.t.Fatal(err)
	}
	return answer.Result.TaskID, string(raw)
}

// TestForgedOwner checks that a token which only says whose it is does not reach the task of that
// caller, in the process that runs it and in another one, before its end and after it.
func TestForgedOwner(t *testing.T) {
	dir, s := t.TempDir(), newShop(t)
	s.issuer = oauthtest.NewIssuer(t)
	good, newer, forged := tokens(s.issuer)
	a, b := newOwnReplica(t, dir, s), newOwnReplica(t, dir, s)
	id, text := a.begin("own", "slow", good)
	if id == "" {
		t.Fatal(text)
	}
	<-s.entered
	check := func(when string) {
		for name, token := range forged {
			for at, r := range map[string]*replica{"here": a, "elsewhere": b} {
				t.Run(fmt.Sprintf("%s, %s, %s", when, name, at), func(t *testing.T) {
					for _, method := range []string{methodTasksGet, methodTasksUpdate, methodTasksCancel} {
						if result, fault := r.taskMessage(method, id, token); fault == "" {
							t.Errorf("%s: %v", method, result)
						}
					}
					if got, text := r.begin("own", "slow", token); got == id || strings.Contains(text, "10.50") {
						t.Errorf("the call is repeated: %s", text)
					}
				})
			}
		}
		for at, r := range map[string]*replica{"here": a, "elsewhere": b} {
			for _, token := range []string{good, newer} {
				if result, fault := r.taskMessage(methodTasksGet, id, token); fault != "" || result["status"] == string(taskCancelled) {
					t.Errorf("%s, %s: %v, %s", when, at, result, fault)
				}
				if got, text := r.begin("own", "slow", token); got != id {
					t.Errorf("%s, %s: another task: %s", when, at, text)
				}
			}
		}
	}
	check("while it runs")
	close(s.release)
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if result, _ := a.taskMessage(methodTasksGet, id, good); result["status"] == string(taskCompleted) {
			break
		}
		if time.Now().After(end) {
			t.Fatal("it does not end")
		}
	}
	check("after its end")
	if n := s.counted(); n != 2 { // and a call of mallory
		t.Errorf("%d requests", n)
	}
}

// TestForgedRepeat checks that a token which only says whose it is gets nothing of a call whose process
// has ended, and does not change what its caller gets.
func TestForgedRepeat(t *testing.T) {
	dir, s := t.TempDir(), newShop(t)
	s.issuer = oauthtest.NewIssuer(t)
	good, newer, forged := tokens(s.issuer)
	delete(forged, "of mallory") // who may call
	a, b := newOwnReplica(t, dir, s), newOwnReplica(t, dir, s)
	ended := make(chan struct{}, 2)
	for name, item := range map[string]string{"own_order": "slow", "own_produced": "film"} {
		go func() {
			_, _ = a.request(t.Context(), name, fmt.Sprintf(`"arguments":{"item":%q}`, item), "k", "my_token", good)
			ended <- struct{}{}
		}()
	}
	<-s.entered
	callback := <-s.callbacks
	a.end()
	<-ended
	<-ended
	close(s.release)
	for name, token := range forged {
		t.Run(name, func(t *testing.T) {
			for tool, item := range map[string]string{"own_order": "slow", "own_produced": "film"} {
				if got := b.order(tool, item, "k", "my_token", token); !strings.HasPrefix(got, "denied: ") {
					t.Errorf("%s: %s", tool, got)
				}
			}
		})
	}
	if got := b.order("own_order", "slow", "k", "my_token", newer); got != wantOrder("slow", 1) {
		t.Error(got)
	}
	if len(s.keys) < 2 || s.counted() > 2 { // the product has none
		t.Errorf("%q", s.keys)
	}
	answer := make(chan string)
	go func() { answer <- b.order("own_produced", "film", "k", "my_token", newer) }()
	atB := strings.Replace(callback, strings.TrimSuffix(a.endpoint, Path), strings.TrimSuffix(b.endpoint, Path), 1)
	resp, err := http.Post(atB, "application/json", strings.NewReader(`{"film":"🎬"}`))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if got := <-answer; got != `{"film":"🎬"}` {
		t.Error(got)
	}
}
