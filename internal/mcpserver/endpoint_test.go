package mcpserver

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// wireAnswer is what a request over HTTP is answered.
type wireAnswer struct {
	status int
	ID     json.RawMessage
	Error  struct {
		Code    int64
		Message string
	}
	Result json.RawMessage
}

// post sends a body over HTTP.
func post(t *testing.T, endpoint, body string, headers ...string) (answer wireAnswer) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, endpoint, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if _, event, ok := strings.Cut(string(raw), "data: "); ok {
		raw = []byte(event)
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatalf("%s: %s: %v", response.Status, raw, err)
	}
	answer.status = response.StatusCode
	return answer
}

const currentMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// TestHTTPErrors checks that every fault over HTTP is an error of JSON-RPC with the id of the request.
func TestHTTPErrors(t *testing.T) {
	endpoint := newServerFixture(t).serving()
	const current, version = "2026-07-28", "MCP-Protocol-Version"
	for name, tt := range map[string]struct {
		body    string
		headers []string
		status  int
		code    int64
		id      string
	}{
		"no JSON":                        {`{"jsonrpc":"2.0",`, nil, 400, -32700, "null"},
		"no JSON, current":               {`{🛫`, []string{version, current}, 400, -32700, "null"},
		"no message":                     {`{"a":1}`, nil, 400, -32600, "null"},
		"an unknown method":              {`{"jsonrpc":"2.0","id":7,"method":"x/y","params":{}}`, nil, 200, -32601, "7"},
		"an unknown method, current":     {`{"jsonrpc":"2.0","id":"q","method":"x/y","params":{` + currentMeta + `}}`, []string{version, current, "Mcp-Method", "x/y"}, 404, -32601, `"q"`},
		"a call before initialize":       {`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}}`, nil, 400, -32600, "7"},
		"an unknown session":             {`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}}`, []string{"Mcp-Session-Id", "of-another-process"}, 404, -32001, "null"},
		"a version without its header":   {`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{` + currentMeta + `}}`, []string{"Mcp-Method", "tools/list"}, 400, -32020, "7"},
		"a version that nobody has":      {`{"jsonrpc":"2.0","id":7,"method":"server/discover","params":{` + strings.Replace(currentMeta, current, "v999", 1) + `}}`, []string{version, "v999", "Mcp-Method", "server/discover"}, 400, -32022, "7"},
		"another name in the header":     {`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"slow",` + currentMeta + `}}`, []string{version, current, "Mcp-Method", "tools/call", "Mcp-Name", "words"}, 400, -32020, "7"},
		"another method in the header":   {`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{` + currentMeta + `}}`, []string{version, current, "Mcp-Method", "tools/call"}, 400, -32020, "7"},
		"another task in the header":     {`{"jsonrpc":"2.0","id":7,"method":"tasks/get","params":{"taskId":"one",` + currentMeta + `}}`, []string{version, current, "Mcp-Method", "tasks/get", "Mcp-Name", "two"}, 400, -32020, "7"},
		"no task in the header":          {`{"jsonrpc":"2.0","id":7,"method":"tasks/cancel","params":{"taskId":"one",` + currentMeta + `}}`, []string{version, current, "Mcp-Method", "tasks/cancel"}, 400, -32020, "7"},
		"the task in the header":         {`{"jsonrpc":"2.0","id":7,"method":"tasks/get","params":{"taskId":"one",` + currentMeta + `}}`, []string{version, current, "Mcp-Method", "tasks/get", "Mcp-Name", "one"}, 400, -32021, "7"},
		"a task before initialize":       {`{"jsonrpc":"2.0","id":7,"method":"tasks/get","params":{"taskId":"one"}}`, nil, 400, -32600, "7"},
		"a state that nobody has sealed": {`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"make_thing","arguments":{"name":"a"},"requestState":"x.y",` + currentMeta + `}}`, []string{version, current, "Mcp-Method", "tools/call", "Mcp-Name", "make_thing"}, 400, -32602, "7"},
		"a member twice":                 {`{"jsonrpc":"2.0","id":7,"method":"tools/call","method":"ping"}`, nil, 400, -32600, "null"},
		"a member in another case":       {`{"jsonrpc":"2.0","id":7,"method":"tools/call","METHOD":"ping"}`, nil, 400, -32600, "null"},
		"a member that folds to another": {`{"jsonrpc":"2.0","id":7,"method":"ping","param\u017f":{}}`, nil, 400, -32600, "null"},
		"a member twice, once escaped":   {`{"jsonrpc":"2.0","id":7,"method":"ping","\u006dethod":"tools/call"}`, nil, 400, -32600, "null"},
		"a member twice, current":        {`{"jsonrpc":"2.0","id":7,"method":"tools/call","method":"ping","params":{"name":"words",` + currentMeta + `}}`, []string{version, current, "Mcp-Method", "ping"}, 400, -32600, "null"},
		"a name twice":                   {`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"slow","name":"words"}}`, nil, 400, -32600, "7"},
		"a name in another case":         {`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"slow","Name":"words"}}`, nil, 400, -32600, "7"},
		"a member twice in a list":       {`[{"jsonrpc":"2.0","id":7,"method":"ping","method":"tools/call"}]`, []string{version, listVersion}, 400, -32600, "null"},
		"a list of a later version":      {`[{"jsonrpc":"2.0","id":7,"method":"ping"}]`, []string{version, "2025-06-18"}, 400, -32600, "null"},
		"a list, current":                {`[{"jsonrpc":"2.0","id":7,"method":"ping"}]`, []string{version, current}, 400, -32600, "null"},
		"a long list":                    {"[" + strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/initialized"},`, maxList) + `{}]`, []string{version, listVersion}, 400, -32600, "null"},
		"no list":                        {`[]`, []string{version, listVersion}, 400, -32600, "null"},
		"a list before initialize":       {`[{"jsonrpc":"2.0","id":7,"method":"tools/list"}]`, []string{version, listVersion}, 400, -32600, "null"},
		"a page of another site":         {`{"jsonrpc":"2.0","id":7,"method":"ping"}`, []string{"Origin", "https://evil.example"}, 403, -32600, "null"},
		"a long initialize":              {strings.Replace(initialize2025, `"name":"x"`, `"name":"`+strings.Repeat("x", maxInitialize)+`"`, 1), nil, 413, -32600, "1"},
		"too long":                       {`"` + strings.Repeat("a", maxBody) + `"`, nil, 413, -32600, "null"},
	} {
		t.Run(name, func(t *testing.T) {
			got := post(t, endpoint, tt.body, tt.headers...)
			id := cmp.Or(string(got.ID), "null")
			if got.status != tt.status || got.Error.Code != tt.code || id != tt.id || got.Error.Message == "" {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestVersionsSideBySide checks that one path serves sessions of older versions and requests of the
// current one at the same time, and that a client whose session is gone is told to begin anew.
func TestVersionsSideBySide(t *testing.T) {
	d := newServerFixture(t)
	endpoint := d.serving()
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			s := d.join(&sdk.StreamableClientTransport{Endpoint: endpoint}, version, nil)
			defer s.Close()
			if text, r := d.call(s, "get_thing", `{"id":"🛫"}`); r.IsError || !strings.Contains(text, "10.50") {
				t.Error(text)
			}
			if got := s.InitializeResult().ProtocolVersion; got != version {
				t.Errorf("the version is %s", got)
			}
		})
	}
	t.Run("another process", func(t *testing.T) {
		moved := &movedClient{to: newServerFixture(t).serving()}
		s := d.join(&sdk.StreamableClientTransport{Endpoint: endpoint, HTTPClient: &http.Client{Transport: moved}}, versions[0], nil)
		moved.on = true
		if _, err := s.ListTools(t.Context(), nil); !errors.Is(err, sdk.ErrSessionMissing) {
			t.Errorf("the client is told %v", err)
		}
	})
}

// movedClient sends requests to another server once it is on.
type movedClient struct {
	to string
	on bool
}

func (m *movedClient) RoundTrip(r *http.Request) (*http.Response, error) {
	if m.on {
		u, err := r.URL.Parse(m.to)
		if err != nil {
			return nil, err
		}
		r = r.Clone(r.Context())
		r.URL, r.Host = u, u.Host
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestCacheHints checks that lists say how long they may be kept, and by whom.
func TestCacheHints(t *testing.T) {
	endpoint := newServerFixture(t).serving()
	for _, method := range []string{"tools/list", "prompts/list", "resources/list", "server/discover"} {
		t.Run(method, func(t *testing.T) {
			got := post(t, endpoint, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+currentMeta+`}}`, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method)
			var hints struct {
				TTLMs      int
				CacheScope string
			}
			if err := json.Unmarshal(got.Result, &hints); err != nil || hints.TTLMs <= 0 || hints.CacheScope != "private" {
				t.Errorf("%s %v", got.Result, err)
			}
		})
	}
}

// TestTrace checks that the requests of a run continue the trace that the caller names, and that there
// is none otherwise.
func TestTrace(t *testing.T) {
	const trace, span = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	got := make(chan string, 1)
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got <- r.Header.Get("traceparent") + " " + r.Header.Get("tracestate")
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{}")
	}))
	defer api.Close()
	d := newServerFixture(t)
	d.set("TOOLS:\n  look() -> object\n    description: \"🛫\"\n    type: http\n    endpoint: \"" + api.URL + "\"\n    method: GET\n")
	endpoint := d.serving()
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			s := d.join(&sdk.StreamableClientTransport{Endpoint: endpoint}, version, nil)
			defer s.Close()
			for meta, want := range map[string]string{
				"": " ", "no trace": " ", "00-" + trace + "-" + span + "-01": "00-" + trace + "-" + span + "-01 a=1",
			} {
				params := &sdk.CallToolParams{Name: "look", Meta: sdk.Meta{}}
				if meta != "" {
					params.Meta = sdk.Meta{"traceparent": meta, "tracestate": "a=1"}
				}
				if r, err := s.CallTool(t.Context(), params); err != nil || r.IsError {
					t.Fatalf("%+v %v", r, err)
				}
				if header := <-got; header != want {
					t.Errorf("%q: %q, want %q", meta, header, want)
				}
			}
		})
	}
}
