package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	exechttp "github.com/abl-lsp/abl-lsp/executor/http"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/executor/webhook"
	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
	"github.com/abl-lsp/abl-lsp/tool"
)

const shopTools = `TOOLS:
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
  order_private(item: string) -> object
    type: http
    endpoint: "API/order"
    method: POST
    store_result: false
  produce(item: string) -> object
    type: async_webhook
    endpoint: "API/produce"
    method: POST
`

// shop is the API that the replicas call. It numbers the orders.
type shop struct {
	*httptest.Server
	t       *testing.T
	entered chan string   // the items of requests that begin with "slow"
	release chan struct{} // they are answered when it is closed

	callbacks chan string // the callback URLs of what is to be produced

	mu     sync.Mutex
	orders int
	byKey  map[string]int // the order of each idempotency key
	keys   []string       // the idempotency keys in the order of the requests

	issuer *oauthtest.Issuer // of the identity tokens of the service "my"; nil: there is no such service
}

func newShop(t *testing.T) *shop {
	s := &shop{t: t, entered: make(chan string, 10), release: make(chan struct{}), callbacks: make(chan string, 10), byKey: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *shop) serve(w http.ResponseWriter, r *http.Request) {
	var order struct{ Item, CallbackURL string }
	order.Item = r.URL.Query().Get("item")
	if r.Method == http.MethodPost {
		if err := json.NewDecoder(r.Body).Decode(&order); err != nil {
			s.t.Error(err)
		}
	}
	n := s.count(r.Header.Get("X-Order-Key"))
	if strings.HasPrefix(order.Item, "slow") {
		s.entered <- order.Item
		select {
		case <-s.release:
		case <-r.Context().Done():
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	if order.CallbackURL != "" {
		w.WriteHeader(http.StatusAccepted)
		s.callbacks <- order.CallbackURL
		return
	}
	fmt.Fprintf(w, `{"item":%q,"number":%d,"price":10.50}`, order.Item, n)
}

// count returns the number of an order. One with the key of an earlier order is that order.
func (s *shop) count(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys = append(s.keys, key)
	if n, ok := s.byKey[key]; ok && key != "" {
		return n
	}
	s.orders++
	s.byKey[key] = s.orders
	return s.orders
}

func (s *shop) counted() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.orders
}

// replica is a server of the shop's tools over HTTP.
type replica struct {
	*serverFixture
	shop     *shop
	endpoint string
	end      func() // ends its process
}

// newReplica starts a server whose state is in a folder that others use as well.
func newReplica(t *testing.T, dir string, s *shop) *replica { return startReplica(t, dir, s, true) }

// startReplica starts a server of the shop's tools. isConfirmed says that no call is asked about.
func startReplica(t *testing.T, dir string, s *shop, isConfirmed bool) *replica {
	store := state.New(dir)
	callbacks := webhook.NewEndpoint(store, CallbackPath)
	verifier := oauth.New(oauth.Options{})
	ex := executor.New(executor.Options{
		Runners: map[tool.Kind]executor.Runner{
			tool.KindHTTP:         exechttp.New(rest.Options{}),
			tool.KindAsyncWebhook: webhook.New(webhook.Options{State: store, Endpoint: callbacks}),
		},
		LookupEnv:        func(string) (string, bool) { return "", false },
		StateDir:         dir,
		IdentityVerifier: verifier,
	})
	r := &replica{shop: s, serverFixture: &serverFixture{t: t, api: s.Server}}
	r.server = New(Options{
		Run: ex.Run, Version: "1", State: store, Resumer: ex, Identify: ex.Identify, StateKey: "key",
		ApplyAnswers: func(req *executor.Request) {
			req.Trusted, req.Yes, req.AllowHosts = true, isConfirmed, []string{"127.0.0.1"}
			if s.issuer != nil {
				req.Environment.AuthServices = map[string]tool.AuthService{"my": {Kind: "oidc", Issuer: s.issuer.URL, Audience: "us"}}
			}
		},
	})
	r.set(shopTools)
	r.endpoint = r.servingWith(HTTP{Callbacks: callbacks})
	callbacks.SetAddress(strings.TrimSuffix(r.endpoint, Path))
	r.end = sync.OnceFunc(func() {
		r.server.Close()
		_, _ = ex.Close(), verifier.Close()
	})
	t.Cleanup(r.end)
	return r
}

// order calls a tool with an idempotency key. It returns the text that a model reads.
func (r *replica) order(name, item, key string, headers ...string) string {
	r.t.Helper()
	return r.text(r.request(r.t.Context(), name, fmt.Sprintf(`"arguments":{"item":%q}`, item), key, headers...))
}

// request makes a call of version 2026-07-28.
func (r *replica) request(ctx context.Context, name, params, key string, headers ...string) (json.RawMessage, error) {
	capabilities := `{"elicitation":{}}`
	if len(headers)%2 == 1 {
		capabilities, headers = headers[0], headers[1:]
	}
	meta := strings.Replace(currentMeta, `clientCapabilities":{}}`, fmt.Sprintf(`clientCapabilities":%s,"abl-lsp/idempotency-key":%q}`, capabilities, key), 1)
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,%s,%s}}`, name, params, meta)
	if key == "-" {
		body = strings.Replace(body, `,"abl-lsp/idempotency-key":"-"`, "", 1)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.endpoint, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": name,
	} {
		req.Header.Set(name, value)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if _, event, ok := strings.Cut(string(raw), "data: "); ok {
		raw = []byte(event)
	}
	return raw, err
}

// text returns the text of an answer, or the message of an error.
func (r *replica) text(raw json.RawMessage, err error) string {
	r.t.Helper()
	var answer struct {
		Result struct{ Content []struct{ Text string } }
		Error  struct{ Message string }
	}
	if err == nil {
		err = json.Unmarshal(raw, &answer)
	}
	if err != nil {
		r.t.Errorf("%s: %v", raw, err)
		return ""
	}
	if len(answer.Result.Content) == 0 {
		return answer.Error.Message
	}
	return answer.Result.Content[0].Text
}

func wantOrder(item string, number int) string {
	return fmt.Sprintf(`{"item":%q,"number":%d,"price":10.50}`, item, number)
}

// TestRepeat checks which calls are the same call, in one process, in another replica and after a
// restart.
func TestRepeat(t *testing.T) {
	for _, name := range []string{"order", "order_by_key", "look"} {
		t.Run(name, func(t *testing.T) {
			dir, s := t.TempDir(), newShop(t)
			a, b := newReplica(t, dir, s), newReplica(t, dir, s)
			first := wantOrder("tea 🍵", 1)
			if got := a.order(name, "tea 🍵", "k"); got != first {
				t.Fatal(got)
			}
			a.end()
			c := newReplica(t, dir, s)
			for at, r := range map[string]*replica{"b": b, "c": c} {
				if got := r.order(name, "tea 🍵", "k"); got != first {
					t.Errorf("%s: %s", at, got)
				}
				if got := r.order(name, "coffee", "k"); !strings.HasPrefix(got, "arguments: an earlier call with this idempotency key had other arguments") {
					t.Errorf("%s: %s", at, got)
				}
			}
			if got := b.order(name, "tea 🍵", "other"); got != wantOrder("tea 🍵", 2) {
				t.Error(got)
			}
			if got := b.order(name, "tea 🍵", "k", "crm_token", "of somebody else"); got != wantOrder("tea 🍵", 3) {
				t.Error(got)
			}
			if s.counted() != 3 {
				t.Errorf("%d orders", s.counted())
			}
		})
	}
}

// TestRepeatOfOtherProject calls tools of two projects that have the same names and one store. Neither
// gets the answer of the other.
func TestRepeatOfOtherProject(t *testing.T) {
	for _, name := range []string{"order", "order_by_key", "look"} {
		t.Run(name, func(t *testing.T) {
			dir, s, other := t.TempDir(), newShop(t), newShop(t)
			a, b := newReplica(t, dir, s), newReplica(t, dir, other)
			if got := a.order(name, "tea", "k"); got != wantOrder("tea", 1) {
				t.Fatal(got)
			}
			if got := b.order(name, "tea", "k"); !strings.HasPrefix(got, "arguments: an earlier call with this idempotency key was one of another "+name) || other.counted() != 0 {
				t.Errorf("%s, %d orders", got, other.counted())
			}
			if got := b.order(name, "tea", "j"); got != wantOrder("tea", 1) || other.counted() != 1 {
				t.Errorf("%s, %d orders", got, other.counted())
			}
			if got := a.order(name, "tea", "k"); got != wantOrder("tea", 1) || s.counted() != 1 {
				t.Errorf("%s, %d orders", got, s.counted())
			}
		})
	}
}

// TestTargets checks which calls act on the same thing.
func TestTargets(t *testing.T) {
	order := executor.Request{
		Tool: &tool.Tool{Kind: tool.KindHTTP, Spec: &tool.HTTP{Endpoint: "/{{env.place}}/order", Method: "POST", Source: "api"}},
		Environment: executor.Environment{
			Root: "/srv/one", BaseURL: "https://api.example.com", Variables: map[string]string{"place": "here", "colour": "red"},
			Sources: map[string]tool.Source{"api": {BaseURL: "https://api.example.com", Password: "a"}},
		},
	}
	sql := order
	sql.Tool = &tool.Tool{Kind: tool.KindSQL, Spec: &tool.SQL{Source: "db", Statement: "DELETE FROM orders"}}
	sql.Environment.Sources = map[string]tool.Source{"db": {Kind: "sqlite", Database: "orders.db"}}
	for name, tt := range map[string]struct {
		req    executor.Request
		change func(*executor.Request)
		same   bool
	}{
		"another folder":            {order, func(r *executor.Request) { r.Environment.Root = "/srv/two" }, true},
		"another base URL":          {order, func(r *executor.Request) { r.Environment.BaseURL = "https://b.example.com" }, false},
		"another variable":          {order, func(r *executor.Request) { r.Environment.Variables = map[string]string{"place": "there"} }, false},
		"a variable of other tools": {order, func(r *executor.Request) { r.Environment.Variables = map[string]string{"place": "here"} }, true},
		"another password": {order, func(r *executor.Request) {
			r.Environment.Sources = map[string]tool.Source{"api": {BaseURL: "https://api.example.com", Password: "b"}}
		}, true},
		"another source": {order, func(r *executor.Request) {
			r.Environment.Sources = map[string]tool.Source{"api": {BaseURL: "https://b.example.com"}}
		}, false},
		"a database of another folder": {sql, func(r *executor.Request) { r.Environment.Root = "/srv/two" }, false},
		"another statement": {sql, func(r *executor.Request) {
			r.Tool = &tool.Tool{Kind: tool.KindSQL, Spec: &tool.SQL{Source: "db", Statement: "DELETE FROM people"}}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			changed := tt.req
			tt.change(&changed)
			if got := bytes.Equal(targetOf(tt.req), targetOf(changed)); got != tt.same {
				t.Errorf("%s and %s", targetOf(tt.req), targetOf(changed))
			}
		})
	}
}

// TestRepeatKeys checks where the key may be, and what is none.
func TestRepeatKeys(t *testing.T) {
	s := newShop(t)
	r := newReplica(t, t.TempDir(), s)
	if got := r.order("order", "tea", "k"); got != wantOrder("tea", 1) {
		t.Error(got)
	}
	session := r.join(&sdk.StreamableClientTransport{Endpoint: r.endpoint}, "2025-06-18", nil)
	defer session.Close()
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{
		Meta: sdk.Meta{"abl-lsp/idempotency-key": "k"}, Name: "order", Arguments: json.RawMessage(`{"item":"tea"}`),
	})
	if err != nil || textOf(result) != wantOrder("tea", 1) {
		t.Errorf("an older version: %v %+v", err, result)
	}
	for name, tt := range map[string]struct{ key, header, want string }{
		"the same in the header": {"k", "k", wantOrder("tea", 1)},
		"only in the header":     {"-", "k", wantOrder("tea", 1)},
		"two keys":               {"k", "j", `arguments: the header Idempotency-Key differs from _meta["abl-lsp/idempotency-key"]`},
		"none":                   {"", "", `arguments: _meta["abl-lsp/idempotency-key"] is no text`},
		"a long one":             {strings.Repeat("k", 256), "", "arguments: the idempotency key is longer than 255 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := r.order("order", "tea", tt.key, "Idempotency-Key", tt.header); got != tt.want {
				t.Error(got)
			}
		})
	}
	if s.counted() != 1 {
		t.Errorf("%d orders", s.counted())
	}
}

// TestRepeatWhileRunning repeats a call in the same process and in another one before it has ended.
func TestRepeatWhileRunning(t *testing.T) {
	dir, s := t.TempDir(), newShop(t)
	a, b := newReplica(t, dir, s), newReplica(t, dir, s)
	answers := make(chan string, 5)
	go func() { answers <- a.order("order", "slow", "k") }()
	<-s.entered
	for _, r := range []*replica{a, b, a, b} {
		go func() { answers <- r.order("order", "slow", "k") }()
	}
	if got := b.order("order", "other", "k"); !strings.Contains(got, "had other arguments") {
		t.Error(got)
	}
	close(s.release)
	for range cap(answers) {
		if got := <-answers; got != wantOrder("slow", 1) {
			t.Error(got)
		}
	}
	if s.counted() != 1 {
		t.Errorf("%d orders", s.counted())
	}
}

// TestRepeatAfterLostConnection breaks the connection of a call, which goes on for the repeat.
func TestRepeatAfterLostConnection(t *testing.T) {
	dir, s := t.TempDir(), newShop(t)
	a, b := newReplica(t, dir, s), newReplica(t, dir, s)
	ctx, hangUp := context.WithCancel(t.Context())
	lost := make(chan error, 1)
	go func() {
		_, err := a.request(ctx, "order", `"arguments":{"item":"slow"}`, "k")
		lost <- err
	}()
	<-s.entered
	hangUp()
	if err := <-lost; err == nil {
		t.Fatal("it was answered")
	}
	close(s.release)
	if got := b.order("order", "slow", "k"); got != wantOrder("slow", 1) || s.counted() != 1 {
		t.Errorf("%s, %d orders", got, s.counted())
	}
}

// TestRepeatAfterEnd ends a process in the middle of a call.
func TestRepeatAfterEnd(t *testing.T) {
	for name, tt := range map[string]struct {
		want     string
		requests int
	}{
		"order":        {"network: the first call with this idempotency key was broken off; whether order had its effect is not known", 1},
		"order_by_key": {wantOrder("slow", 1), 2},
		"look":         {wantOrder("slow", 2), 2},
	} {
		t.Run(name, func(t *testing.T) {
			dir, s := t.TempDir(), newShop(t)
			a, b := newReplica(t, dir, s), newReplica(t, dir, s)
			done := make(chan struct{})
			go func() {
				defer close(done)
				_, _ = a.request(t.Context(), name, `"arguments":{"item":"slow"}`, "k")
			}()
			<-s.entered
			a.end()
			<-done
			close(s.release)
			for range 2 {
				if got, _, _ := strings.Cut(b.order(name, "slow", "k"), "\n"); got != tt.want {
					t.Error(got)
				}
			}
			if len(s.keys) != tt.requests || name == "order_by_key" && (s.keys[0] == "" || s.keys[0] != s.keys[1]) {
				t.Errorf("%q", s.keys)
			}
		})
	}
}

// TestRepeatAfterQuestion checks that a key is not used up by a question, or by a call that was not
// sent.
func TestRepeatAfterQuestion(t *testing.T) {
	dir, s := t.TempDir(), newShop(t)
	a, b := startReplica(t, dir, s, false), startReplica(t, dir, s, false)
	const arguments = `"arguments":{"item":"tea"}`
	var state string
	for range 2 {
		raw, err := a.request(t.Context(), "order", arguments, "k")
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Result struct{ RequestState string }
		}
		if err := json.Unmarshal(raw, &answer); err != nil || answer.Result.RequestState == "" {
			t.Fatalf("%s: %v", raw, err)
		}
		state = answer.Result.RequestState
	}
	confirmed := arguments + fmt.Sprintf(`,"requestState":%q,"inputResponses":{"confirm":{"action":"accept"}}`, state)
	for name, r := range map[string]*replica{"a": a, "b": b} {
		raw, err := r.request(t.Context(), "order", confirmed, "k")
		if got := r.text(raw, err); got != wantOrder("tea", 1) {
			t.Errorf("%s: %s", name, got)
		}
	}
	if s.counted() != 1 {
		t.Errorf("%d orders", s.counted())
	}

	gone := newShop(t)
	r := newReplica(t, t.TempDir(), gone)
	gone.Close()
	if got := r.order("order", "tea", "k"); !strings.HasPrefix(got, "network: ") || strings.Contains(got, "idempotency key") {
		t.Error(got)
	}
	r.api = s.Server
	r.set(shopTools)
	if got := r.order("order", "tea", "k"); got != wantOrder("tea", 2) {
		t.Error(got)
	}
}

// TestRepeatUnkept checks that an answer which may not be stored is known to its process alone.
func TestRepeatUnkept(t *testing.T) {
	dir, s := t.TempDir(), newShop(t)
	a, b := newReplica(t, dir, s), newReplica(t, dir, s)
	for range 2 {
		if got := a.order("order_private", "tea", "k"); got != wantOrder("tea", 1) {
			t.Error(got)
		}
	}
	if got := b.order("order_private", "tea", "k"); !strings.HasPrefix(got, "result: the first call with this idempotency key has ended, but its answer is gone") {
		t.Error(got)
	}
	if s.counted() != 1 {
		t.Errorf("%d orders", s.counted())
	}
}

// TestRepeatExpires checks that a key is new again after a day.
func TestRepeatExpires(t *testing.T) {
	dir, s := t.TempDir(), newShop(t)
	r := newReplica(t, dir, s)
	if got := r.order("order", "tea", "k"); got != wantOrder("tea", 1) {
		t.Error(got)
	}
	store := r.server.repeats.store
	var ids []string
	if err := store.state.Each(t.Context(), repeatBucket, func(id string, _ json.RawMessage) { ids = append(ids, id) }); err != nil || len(ids) != 1 {
		t.Fatalf("%q %v", ids, err)
	}
	record, err := store.find(t.Context(), ids[0])
	if err != nil {
		t.Fatal(err)
	}
	old := *record
	old.Began = old.Began.Add(-repeatLifetime)
	if _, err := store.hold(t.Context(), ids[0], record, old); err != nil {
		t.Fatal(err)
	}
	if got := r.order("order", "tea", "k"); got != wantOrder("tea", 2) {
		t.Error(got)
	}
}

// TestCallbackAtAnotherReplica posts callbacks to the replica that does not wait for them, also after
// the one that waits has ended.
func TestCallbackAtAnotherReplica(t *testing.T) {
	for name, isEnded := range map[string]bool{"while it waits": false, "after its end": true} {
		t.Run(name, func(t *testing.T) {
			dir, s := t.TempDir(), newShop(t)
			a, b := newReplica(t, dir, s), newReplica(t, dir, s)
			answers := make(chan string, 1)
			go func() {
				raw, err := a.request(t.Context(), "produce", `"arguments":{"item":"film"}`, "k")
				if isEnded {
					err, raw = nil, json.RawMessage("{}")
				}
				answers <- a.text(raw, err)
			}()
			callback := <-s.callbacks
			atB := strings.Replace(callback, strings.TrimSuffix(a.endpoint, Path), strings.TrimSuffix(b.endpoint, Path), 1)
			if atB == callback {
				t.Fatal(callback)
			}
			if isEnded {
				a.end()
				<-answers
			}
			for i, want := range []int{http.StatusMethodNotAllowed, http.StatusNoContent, http.StatusGone} {
				send := http.Post
				if i == 0 {
					send = func(url, _ string, _ io.Reader) (*http.Response, error) { return http.Get(url) }
				}
				resp, err := send(atB, "application/json", strings.NewReader(`{"film":"🎬"}`))
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				if resp.StatusCode != want && (want != http.StatusGone || resp.StatusCode != http.StatusNotFound) {
					t.Errorf("%d: %s", i, resp.Status)
				}
			}
			if !isEnded {
				if got := <-answers; got != `{"film":"🎬"}` {
					t.Error(got)
				}
			}
			if got := b.order("produce", "film", "k"); got != `{"film":"🎬"}` || s.counted() != 1 {
				t.Errorf("%s, %d orders", got, s.counted())
			}
			var left int
			_ = b.server.repeats.store.state.Each(t.Context(), "callbacks", func(string, json.RawMessage) { left++ })
			if left != 0 {
				t.Errorf("%d callbacks are left", left)
			}
			resp, err := http.Post(callback, "application/json", strings.NewReader(`{}`))
			if err == nil {
				resp.Body.Close()
			}
			if err == nil && resp.StatusCode != http.StatusNotFound {
				t.Error(resp.Status)
			}
		})
	}
}

// TestTasksWithKeys repeats a call that has become a task.
func TestTasksWithKeys(t *testing.T) {
	dir, s := t.TempDir(), newShop(t)
	a, b := newReplica(t, dir, s), newReplica(t, dir, s)
	ask := func(r *replica) (id string) {
		raw, err := r.request(t.Context(), "produce", `"arguments":{"item":"film"}`, "k", `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`)
		if err != nil {
			t.Fatal(err)
		}
		var answer struct{ Result struct{ TaskID string } }
		_ = json.Unmarshal(raw, &answer)
		return answer.Result.TaskID
	}
	first := ask(a)
	callback := <-s.callbacks
	if second := ask(b); first == "" || second != first {
		t.Errorf("%q, then %q", first, second)
	}
	time.AfterFunc(50*time.Millisecond, func() {
		if resp, err := http.Post(callback, "application/json", strings.NewReader(`{"film":"🎬"}`)); err == nil {
			resp.Body.Close()
		}
	})
	if got := b.order("produce", "film", "k"); got != `{"film":"🎬"}` || s.counted() != 1 {
		t.Errorf("%s, %d orders", got, s.counted())
	}
}
