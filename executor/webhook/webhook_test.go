package webhook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

const report = `{"report_url":"https://r/1","status":"done 🚀","id":9007199254740993}`

// TestCallback checks the whole exchange. A wrong URL reveals nothing, a GET does not use up the
// URL, and the first result counts.
func TestCallback(t *testing.T) {
	d := startFixture(t)
	r := d.request(d.tool())
	shown := make(chan string, 10)
	r.Report = func(p executor.Progress) { shown <- p.Message }
	done := d.start(r)
	o := receive(t, d.orders)
	if want := fmt.Sprintf(`{"report_type":"sales","callbackUrl":%q}`, o.callback); o.body != want || o.method != "POST" {
		t.Errorf("%s %s, want %s", o.method, o.body, want)
	}
	if got := o.header.Get("Content-Type"); got != "application/json" {
		t.Error(got)
	}
	base, token, _ := strings.Cut(strings.TrimPrefix(o.callback, "http://"), "/")
	if host, _, _ := net.SplitHostPort(base); host != "127.0.0.1" || len(token) < 26 {
		t.Errorf("callback URL %s", o.callback)
	}
	if got := receive(t, shown); got != "waiting for the callback, up to 1h" {
		t.Error(got)
	}
	for _, tt := range []struct {
		method, url string
		want        int
	}{
		{"POST", "http://" + base + "/", 404},
		{"POST", "http://" + base + "/" + strings.Repeat("A", len(token)), 404},
		{"POST", o.callback + "/x", 404},
		{"GET", o.callback, 405},
		{"PUT", o.callback, 405},
		{"POST", o.callback, 204},
	} {
		t.Run(tt.method, func(t *testing.T) {
			if got := send(t, tt.method, tt.url, report); got != tt.want {
				t.Errorf("%s %s: %d, want %d", tt.method, tt.url, got, tt.want)
			}
		})
	}
	e := receive(t, done)
	succeeds(t, e, report)
	if len(e.Attempts) != 1 || e.Attempts[0].Status != 202 || e.ContentType != "application/json" {
		t.Errorf("%+v %s", e.Attempts, e.ContentType)
	}
	if got := send(t, "POST", o.callback, `{}`); got != 0 {
		t.Errorf("something still listens: %d", got)
	}
}

// TestEarlyCallback checks a callback that arrives before the response to the first request.
func TestEarlyCallback(t *testing.T) {
	early := startRemoteService(t, map[string]handler{"/order": func(o *remoteService, w nethttp.ResponseWriter, order receivedRequest) {
		if got := send(o.t, "POST", order.callback, report); got != 204 {
			o.t.Errorf("%d", got)
		}
		if got := send(o.t, "POST", order.callback, `{}`); got != 410 {
			o.t.Errorf("a second one: %d", got)
		}
	}})
	d := startFixture(t)
	tl := d.tool()
	tl.Spec.(*tool.AsyncWebhook).Endpoint = early.URL + "/order"
	r := d.request(tl)
	r.AllowHosts = []string{early.Listener.Addr().String()}
	succeeds(t, d.Run(t.Context(), r), report)
}

func TestAnswers(t *testing.T) {
	d := startFixture(t)
	for _, tt := range []struct {
		name, body string
		returns    *tool.Type
		value      string
		kind       executor.ErrorKind
	}{
		{"wrong type", `{"report_url":1,"status":"x"}`, d.tool().Returns, `{"report_url":1,"status":"x"}`, executor.KindResult},
		{"text", `just words`, nil, `"just words"`, ""},
		{"nothing", ``, nil, ``, ""},
		{"a number", `10.50`, &tool.Type{Name: "number"}, `10.50`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tl := d.tool()
			tl.Returns = tt.returns
			done := d.start(d.request(tl))
			send(t, "POST", receive(t, d.orders).callback, tt.body)
			e := receive(t, done)
			if string(e.Value) != tt.value || e.OK != (tt.kind == "") || !e.OK && e.Error.Kind != tt.kind {
				t.Errorf("%s %+v", e.Value, e.Error)
			}
		})
	}
}

// TestFirstRequestFails checks that a call does not wait after a failed request, and does not
// repeat it if the other side may have begun.
func TestFirstRequestFails(t *testing.T) {
	d := startFixture(t)
	d.status.Store(503)
	tl := d.tool()
	tl.Spec.(*tool.AsyncWebhook).Retry = "3"
	e := d.Run(t.Context(), d.request(tl))
	wants(t, e, executor.KindRemote, "http-503")
	if len(e.Attempts) != 1 || e.Attempts[0].Status != 503 {
		t.Errorf("%+v", e.Attempts)
	}
	if got := send(t, "POST", receive(t, d.orders).callback, report); got != 0 {
		t.Errorf("something still listens: %d", got)
	}
}

// TestTimes checks that the request and the callback have their own timeouts, and that an agent's
// tool_timeout does not apply to the callback.
func TestTimes(t *testing.T) {
	released := make(chan struct{})
	slow := startRemoteService(t, map[string]handler{"/order": func(_ *remoteService, _ nethttp.ResponseWriter, _ receivedRequest) { <-released }})
	t.Cleanup(func() { close(released) }) // before the server is closed
	d := startFixture(t)
	run := func(change func(*executor.Request, *tool.AsyncWebhook)) executor.Envelope {
		tl := d.tool()
		r := d.request(tl)
		r.AllowHosts = append(r.AllowHosts, slow.Listener.Addr().String())
		change(&r, tl.Spec.(*tool.AsyncWebhook))
		return receive(t, d.start(r))
	}
	for _, tt := range []struct {
		name   string
		change func(*executor.Request, *tool.AsyncWebhook)
		code   string
		part   string // of the message
	}{
		{"the callback's", func(_ *executor.Request, s *tool.AsyncWebhook) { s.TimeoutSeconds = "0.05" }, "callback-timeout", "within 50ms (timeout_seconds)"},
		{"the first request's", func(_ *executor.Request, s *tool.AsyncWebhook) {
			s.Endpoint, s.Timeout, s.Retry = slow.URL+"/order", "1000", "2" // time enough to send it once
		}, "timeout", "within 1s (timeout)"},
		{"the agent's", func(r *executor.Request, s *tool.AsyncWebhook) {
			s.Endpoint, r.ToolTimeout = slow.URL+"/order", 50e6
		}, "timeout", "within 50ms (the usual limit)"},
		{"the whole call's", func(r *executor.Request, _ *tool.AsyncWebhook) { r.Tool.Hints.Timeout = "50" }, "timeout", "hints.timeout"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := run(tt.change)
			if err := wants(t, e, executor.KindTimeout, tt.code); !strings.Contains(err.Message, tt.part) {
				t.Error(err.Message)
			}
			if len(e.Attempts) != 1 {
				t.Errorf("%+v", e.Attempts)
			}
		})
	}
}

// TestSlowCallback checks that a slow callback delays neither a complete one nor the end.
func TestSlowCallback(t *testing.T) {
	d := startFixture(t)
	done := d.start(d.request(d.tool()))
	o := receive(t, d.orders)
	body, trickle := io.Pipe()
	defer trickle.Close()
	slow := make(chan int, 1)
	go func() {
		resp, err := nethttp.Post(o.callback, "application/json", body)
		if err != nil {
			slow <- 0
			return
		}
		resp.Body.Close()
		slow <- resp.StatusCode
	}()
	if _, err := io.WriteString(trickle, `{"report_url":`); err != nil {
		t.Fatal(err)
	}
	if got := send(t, "POST", o.callback, report); got != 204 {
		t.Errorf("%d", got)
	}
	succeeds(t, receive(t, done), report)
	if got := receive(t, slow); got != 410 {
		t.Errorf("the slow one: %d", got)
	}
}

func TestCancelWhileWaiting(t *testing.T) {
	d := startFixture(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan executor.Envelope, 1)
	go func() { done <- d.Run(ctx, d.request(d.tool())) }()
	o := receive(t, d.orders)
	cancel()
	wants(t, receive(t, done), executor.KindTimeout, "cancelled")
	if got := send(t, "POST", o.callback, report); got != 0 {
		t.Errorf("something still listens: %d", got)
	}
}

// TestTunnel checks that the sent URL is that of the tunnel, which forwards to the port.
func TestTunnel(t *testing.T) {
	free, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	d := startFixture(t)
	r := d.request(d.tool())
	r.Environment.CallbackBaseURL, r.Environment.CallbackPort = "https://tunnel.example.com/hooks/", port
	if err := wants(t, d.Run(t.Context(), r), executor.KindNetwork, "callback-port"); !strings.Contains(err.Message, fmt.Sprint(port)) {
		t.Error(err.Message)
	}
	free.Close()

	// Two at one port.
	first, second := d.start(r), d.start(r)
	for range 2 {
		o := receive(t, d.orders)
		token, ok := strings.CutPrefix(o.callback, "https://tunnel.example.com/hooks/")
		if !ok {
			t.Errorf("callback URL %s", o.callback)
		}
		if got := send(t, "POST", fmt.Sprintf("http://127.0.0.1:%d/hooks/%s", port, token), report); got != 204 {
			t.Errorf("%d", got)
		}
	}
	succeeds(t, receive(t, first), report)
	succeeds(t, receive(t, second), report)

	// The tunnel is a part of what is confirmed.
	r.Yes = false
	digest := func() string {
		e := d.Run(t.Context(), r)
		wants(t, e, executor.KindNeeds, "confirmation")
		return e.Needs.Confirmation.Digest
	}
	before := digest()
	r.Environment.CallbackBaseURL = "https://other.example.com"
	if digest() == before {
		t.Error("another tunnel, same digest")
	}
}

func TestCallbackURLField(t *testing.T) {
	d := startFixture(t)
	for _, tt := range []struct{ field, args, want string }{
		{"", `{"report_type":"a"}`, `{"report_type":"a","callbackUrl":"URL"}`},
		{"meta.hooks.done", `{"report_type":"a"}`, `{"report_type":"a","meta":{"hooks":{"done":"URL"}}}`},
		{"date_range.url", `{"report_type":"a","date_range":{"n":1.50,"z":null}}`, `{"report_type":"a","date_range":{"n":1.50,"z":null,"url":"URL"}}`},
		{"date_range", `{"report_type":"a","date_range":"mine"}`, `{"report_type":"a","date_range":"URL"}`},
		{"{{env.FIELD}}", `{"report_type":"a"}`, `{"report_type":"a","hook":"URL"}`},
	} {
		t.Run(tt.field, func(t *testing.T) {
			tl := d.tool()
			tl.Spec.(*tool.AsyncWebhook).CallbackURLField = tt.field
			r := d.request(tl)
			r.Args = json.RawMessage(tt.args)
			r.Environment.Variables = map[string]string{"FIELD": "hook"}
			e := d.Preview(t.Context(), r)
			var shown struct{ Body json.RawMessage }
			if err := json.Unmarshal(e.Value, &shown); err != nil {
				t.Fatalf("%s %+v", e.Value, e.Error)
			}
			if got := strings.ReplaceAll(string(shown.Body), "http://127.0.0.1:PORT/TOKEN", "URL"); got != tt.want {
				t.Errorf("%s: %s, want %s", tt.field, got, tt.want)
			}
		})
	}
}

// TestReplacedArgument checks the warning that the callback URL replaced an argument.
func TestReplacedArgument(t *testing.T) {
	d := startFixture(t)
	tl := d.tool()
	tl.Spec.(*tool.AsyncWebhook).CallbackURLField = "report_type"
	done := d.start(d.request(tl))
	var body struct {
		URL string `json:"report_type"`
	}
	if err := json.Unmarshal([]byte(receive(t, d.orders).body), &body); err != nil {
		t.Fatal(err)
	}
	send(t, "POST", body.URL, report)
	if e := receive(t, done); !e.OK || !has(e.Warnings, `"report_type"`) {
		t.Errorf("%q %+v", e.Warnings, e.Error)
	}
}

// TestDefinitions checks that mistakes are found before anything is asked or sent.
func TestDefinitions(t *testing.T) {
	d := startFixture(t)
	for name, change := range map[string]func(*executor.Request, *tool.AsyncWebhook){
		"report_type is a text": func(_ *executor.Request, s *tool.AsyncWebhook) { s.CallbackURLField = "report_type.url" },
		"date_range is a list": func(r *executor.Request, s *tool.AsyncWebhook) {
			s.CallbackURLField, r.Args = "date_range.0", json.RawMessage(`{"report_type":"a","date_range":[1]}`)
		},
		"is empty": func(_ *executor.Request, s *tool.AsyncWebhook) { s.CallbackURLField = "a..b" },
		"no JSON object": func(_ *executor.Request, s *tool.AsyncWebhook) {
			s.Headers = map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
		},
		"method: GET has no body":      func(_ *executor.Request, s *tool.AsyncWebhook) { s.Method = "GET" },
		"timeout_seconds: no callback": func(_ *executor.Request, s *tool.AsyncWebhook) { s.TimeoutSeconds = "0" },
		"timeout_seconds: \"x\"":       func(_ *executor.Request, s *tool.AsyncWebhook) { s.TimeoutSeconds = "x" },
		"callback_base_url": func(r *executor.Request, _ *tool.AsyncWebhook) {
			r.Environment.CallbackBaseURL = "tunnel.example.com"
		},
	} {
		t.Run(name, func(t *testing.T) {
			tl := d.tool()
			r := d.request(tl)
			r.Yes = false
			change(&r, tl.Spec.(*tool.AsyncWebhook))
			if e := d.Run(t.Context(), r); e.Error == nil || e.Error.Kind != executor.KindDefinition || !strings.Contains(e.Error.Message, name) {
				t.Errorf("%s: %+v", name, e.Error)
			}
		})
	}
	if d.calls() > 0 {
		t.Error("something was sent")
	}
}

// TestBigCallback checks that the sender of a too large callback gets an error, too.
func TestBigCallback(t *testing.T) {
	d := startFixture(t)
	r := d.request(d.tool())
	r.Environment.Limits.ResponseBytes = 100
	done := d.start(r)
	if got := send(t, "POST", receive(t, d.orders).callback, strings.Repeat(" ", 101)); got != 413 {
		t.Errorf("%d", got)
	}
	if err := wants(t, receive(t, done), executor.KindLimit, "response-size"); !strings.Contains(err.Message, "100 bytes") {
		t.Error(err.Message)
	}
}
