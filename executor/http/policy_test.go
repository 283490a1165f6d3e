package http_test

import (
	"encoding/json"
	"fmt"
	"io"
	nethttp "net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

func TestRetryPolicy(t *testing.T) {
	for _, tt := range []struct {
		name     string
		spec     tool.HTTP
		statuses []int
		calls    int
		fault    string // of the definition
	}{
		{"its own number", tool.HTTP{Retry: "9", RetryPolicy: &tool.RetryPolicy{Strategy: "fixed", InitialDelayMs: "1", MaxRetries: "2"}}, []int{503}, 3, ""},
		{"that of retry", tool.HTTP{Retry: "1", RetryPolicy: &tool.RetryPolicy{Strategy: "fixed", InitialDelayMs: "1"}}, []int{503}, 2, ""},
		{"none said", tool.HTTP{RetryPolicy: &tool.RetryPolicy{Strategy: "exponential", InitialDelayMs: "1", Jitter: "full"}}, []int{503}, 4, ""},
		{"none", tool.HTTP{Retry: "3", RetryPolicy: &tool.RetryPolicy{Strategy: "fixed", MaxRetries: "0"}}, []int{503}, 1, ""},
		{"placeholders", tool.HTTP{RetryPolicy: &tool.RetryPolicy{Strategy: "fixed", InitialDelayMs: "1", MaxRetries: "{{env.TRIES}}"}}, []int{503}, 3, ""},
		{"no strategy", tool.HTTP{RetryPolicy: &tool.RetryPolicy{}}, []int{503}, 0, "retry_policy.strategy"},
		{"odd strategy", tool.HTTP{RetryPolicy: &tool.RetryPolicy{Strategy: "sometimes"}}, []int{503}, 0, "retry_policy.strategy"},
		{"odd jitter", tool.HTTP{RetryPolicy: &tool.RetryPolicy{Strategy: "fixed", Jitter: "half"}}, []int{503}, 0, "retry_policy.jitter"},
		{"no number", tool.HTTP{RetryPolicy: &tool.RetryPolicy{Strategy: "fixed", MaxDelayMs: "soon"}}, []int{503}, 0, "retry_policy.max_delay_ms"},
		{"no rate", tool.HTTP{RateLimit: "-1"}, []int{503}, 0, "rate_limit"},
		{"no threshold", tool.HTTP{CircuitBreaker: &tool.CircuitBreaker{Threshold: "x"}}, []int{503}, 0, "circuit_breaker.threshold"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var n atomic.Int64
			s := newServer(t, answers(&n, nil, tt.statuses...))
			tt.spec.Method, tt.spec.Endpoint = "GET", "/"
			r := s.request(a(&tt.spec), `{}`)
			r.Environment.Variables = map[string]string{"TRIES": "2"}
			e := newExecutor().Run(t.Context(), r)
			if tt.fault != "" {
				if err := wants(t, e, executor.KindDefinition); !strings.Contains(err.Message, tt.fault) {
					t.Error(err.Message)
				}
			}
			if int(n.Load()) != tt.calls || len(e.Attempts) != tt.calls {
				t.Errorf("%d calls, %d attempts, want %d", n.Load(), len(e.Attempts), tt.calls)
			}
		})
	}
}

func TestCircuitBreaker(t *testing.T) {
	var n atomic.Int64
	s := newServer(t, answers(&n, nil, 500, 404, 500, 0, 200))
	breaker := &tool.CircuitBreaker{Threshold: "2", ResetMs: "3600000"}
	x := newExecutor()
	run := func() executor.Envelope {
		tl := a(&tool.HTTP{Method: "POST", Endpoint: "/", CircuitBreaker: breaker})
		return x.Run(t.Context(), s.request(tl, `{}`))
	}
	for i, want := range []string{"closed", "closed", "closed", "open", "open"} {
		e := run()
		if e.Breaker == nil || *e.Breaker != want || e.OK {
			t.Fatalf("run %d: breaker %v, %+v", i, e.Breaker, e.Error)
		}
	}
	e := run()
	if err := wants(t, e, executor.KindNetwork); err.Code != "circuit-open" || n.Load() != 4 || !strings.Contains(err.Message, "(circuit_breaker); it is tried again in ") {
		t.Errorf("%d calls, %+v", n.Load(), err)
	}
	// What the author changes holds at once.
	breaker = &tool.CircuitBreaker{ResetMs: "1"}
	if e := run(); !e.OK || *e.Breaker != "closed" {
		t.Errorf("%+v", e.Error)
	}
}

// TestRateLimit checks that the second call fails, since it would have to wait a thousand seconds,
// longer than a call may take.
func TestRateLimit(t *testing.T) {
	var n atomic.Int64
	s := newServer(t, answers(&n, nil, 200))
	x := newExecutor()
	limited := s.request(a(&tool.HTTP{Method: "GET", Endpoint: "/", RateLimit: "0.001"}), `{}`)
	succeeds(t, x.Run(t.Context(), limited))
	if err := wants(t, x.Run(t.Context(), limited), executor.KindLimit); err.Code != "rate-limit" || n.Load() != 1 {
		t.Errorf("%d calls, %+v", n.Load(), err)
	}
}

// TestNotReplayed checks that the transport does not repeat a request that changes something when a
// kept connection is lost, whatever its author writes.
func TestNotReplayed(t *testing.T) {
	for name, spec := range map[string]tool.HTTP{
		"GET":                {Method: "GET"},
		"POST":               {Method: "POST", Headers: map[string]string{"Idempotency-Key": "k1"}},
		"POST with a body":   {Method: "POST", BodyTemplate: "x", Headers: map[string]string{"x-idempotency-key": "k1"}},
		"DELETE with a body": {Method: "DELETE", BodyTemplate: "x", Headers: map[string]string{"Idempotency-Key": "k1"}},
	} {
		t.Run(name, func(t *testing.T) {
			var n atomic.Int64
			s := newServer(t, answers(&n, nil, 0, 200))
			x := newExecutor()
			succeeds(t, x.Run(t.Context(), s.request(a(&tool.HTTP{Method: "GET", Endpoint: "/warm"}), `{}`)))
			spec.Endpoint = "/"
			tl := a(&spec)
			tl.Hints.SideEffects = "true"
			wants(t, x.Run(t.Context(), s.request(tl, `{}`)), executor.KindNetwork)
			if n.Load() != 1 {
				t.Errorf("%s: sent %d times", spec.Method, n.Load())
			}
			tl.Hints.SideEffects = "false"
			spec.Retry = "1"
			succeeds(t, x.Run(t.Context(), s.request(tl, `{}`)))
		})
	}
}

// TestRedirectOfAChange checks that a redirect which keeps method and body is followed, even for a
// call that changes something: nothing was done before it.
func TestRedirectOfAChange(t *testing.T) {
	for name, spec := range map[string]tool.HTTP{
		"GET":             {Method: "GET"},
		"DELETE":          {Method: "DELETE"},
		"POST":            {Method: "POST"},
		"PUT with a body": {Method: "PUT", BodyTemplate: "text"},
		"POST with a key": {Method: "POST", BodyTemplate: "text", Headers: map[string]string{"Idempotency-Key": "k1"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, status := range []int{307, 308} {
				t.Run(fmt.Sprint(status), func(t *testing.T) {
					s := newServer(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
						if r.URL.Path == "/" {
							nethttp.Redirect(w, r, "/there", status)
						}
					})
					spec.Endpoint = "/"
					tl := a(&spec)
					tl.Hints.SideEffects = "true"
					succeeds(t, s.run(t, tl, `{}`))
					got := s.requests()
					if len(got) != 2 || got[1].Method != spec.Method || got[1].Body != spec.BodyTemplate {
						t.Errorf("%s %d: %+v", spec.Method, status, got)
					}
				})
			}
		})
	}
}

func TestRequestVariants(t *testing.T) {
	own := tool.HTTP{
		Method: "POST", Endpoint: "/own", BodyTemplate: `{"own": {{id}}}`,
		Headers: map[string]string{"X-Own": "1", "X-Both": "own"}, QueryParams: tool.Pairs{{Key: "own", Value: "1"}, {Key: "both", Value: "own"}},
		RequestVariants: []tool.RequestVariant{
			{Name: "never", Endpoint: "/never"},
			{Name: "small", When: "args.id < 10", Method: "GET", Endpoint: "/small/{id}", BodyMode: "none",
				Headers: map[string]string{"x-both": "small"}, QueryParams: tool.Pairs{{Key: "both", Value: "small"}, {Key: "both", Value: "2"}}},
			{Name: "by session", When: `session.plan == "gold"`, BodyTemplate: "<id>{{id}}</id>", BodyType: "xml"},
			{Name: "by environment", When: `env.tenant == "demo" && input.id > 50`, Method: "PUT"},
			{Name: "default", Default: "true", Endpoint: "/default"},
		},
	}
	for _, tt := range []struct {
		args, session, want string
	}{
		{`{"id": 5}`, ``, "GET /small/5?own=1&both=small&both=2 small "},
		{`{"id": 20}`, `{"plan": "gold"}`, "POST /own?own=1&both=own own <id>20</id>"},
		{`{"id": 60}`, ``, `PUT /own?own=1&both=own own {"own": 60}`},
		{`{"id": 20}`, `{"plan": "tin"}`, `POST /default?own=1&both=own own {"own": 20}`},
	} {
		t.Run(tt.want, func(t *testing.T) {
			s := newServer(t, nil)
			r := s.request(a(&own, "id"), tt.args)
			r.Session = json.RawMessage(tt.session)
			r.Environment.Variables = map[string]string{"tenant": "demo"}
			p := newExecutor().Preview(t.Context(), r)
			e := newExecutor().Run(t.Context(), r)
			succeeds(t, e)
			g := s.one(t)
			if got := g.Method + " " + g.URI + " " + g.Header.Get("X-Both") + " " + g.Body; got != tt.want || g.Header.Get("X-Own") != "1" {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
			if string(p.Value) != string(e.Request) {
				t.Errorf("shown %s, sent %s", p.Value, e.Request)
			}
		})
	}
	for when, part := range map[string]string{"id +": "number 1: when", "id": "neither true nor false", `nobody("x")`: "when"} {
		t.Run(when, func(t *testing.T) {
			s := newServer(t, nil)
			bad := tool.HTTP{Method: "GET", Endpoint: "/", RequestVariants: []tool.RequestVariant{{When: when}}}
			if err := wants(t, s.run(t, a(&bad, "id"), `{"id": 1}`), executor.KindDefinition); !strings.Contains(err.Message, part) {
				t.Errorf("%s: %s", when, err.Message)
			}
		})
	}
}

// TestVariantBeforeTheGate checks that the gate and the permissions see the request that will be
// sent, and that secrets of another variant are not asked for.
func TestVariantBeforeTheGate(t *testing.T) {
	s := newServer(t, nil)
	spec := tool.HTTP{Method: "GET", Endpoint: "/", RequestVariants: []tool.RequestVariant{
		{When: "remove == true", Method: "DELETE"},
		{When: "id == 9", Headers: map[string]string{"X-Key": "{{secrets.NINE}}"}},
	}}
	tl := a(&spec, "remove", "id")
	digest := func(args string) string {
		r := s.request(tl, args)
		r.Yes = false
		e := newExecutor().Run(t.Context(), r)
		wants(t, e, executor.KindNeeds)
		return e.Needs.Confirmation.Digest
	}
	tl.Confirmation = &tool.Confirmation{ImmutableParams: []string{"id"}}
	if digest(`{"id": 1, "remove": true}`) == digest(`{"id": 1}`) {
		t.Error("the digest is not that of the variant")
	}
	r := s.request(tl, `{"remove": true}`)
	r.Environment.Permissions.Deny = []tool.Permission{{Kind: "web", Op: "delete"}}
	wants(t, newExecutor().Run(t.Context(), r), executor.KindDenied)
	r.Args = json.RawMessage(`{}`)
	succeeds(t, newExecutor().Run(t.Context(), r))
	r.Args = json.RawMessage(`{"id": 9}`)
	if e := newExecutor().Run(t.Context(), r); e.Needs == nil || len(e.Needs.Secrets) != 1 {
		t.Errorf("%+v", e.Error)
	}
}

func TestBodySchema(t *testing.T) {
	schema := `{"type": "object", "required": ["customer"], "properties": {
		"customer": {"type": "object", "properties": {"email": {"type": "string", "minLength": 3}, "key": {"type": "string", "maxLength": 8}}}}}`
	for _, tt := range []struct {
		name, args string
		change     func(*tool.HTTP)
		kind       executor.ErrorKind
		part       string
	}{
		{"right", `{"customer": {"email": "a@b"}}`, nil, "", ""},
		{"wrong", `{"customer": {"email": "a"}}`, nil, executor.KindArguments, "body.customer.email: "},
		{"missing", `{}`, nil, executor.KindArguments, "customer"},
		{"not used", `{}`, func(s *tool.HTTP) { s.UseBodySchema = "" }, "", ""},
		{"a secret", `{}`, func(s *tool.HTTP) { s.BodyTemplate = `{"customer": {"key": "{{secrets.KEY}}"}}` }, "", ""},
		{"no JSON body", `{}`, func(s *tool.HTTP) { s.BodyTemplate, s.BodyType = "a=1", "form" }, executor.KindDefinition, "no JSON"},
		{"no JSON schema", `{}`, func(s *tool.HTTP) { s.BodySchema = "email: string" }, executor.KindDefinition, "body_schema"},
		{"no schema", `{}`, func(s *tool.HTTP) { s.BodySchema = `{"type": 3}` }, executor.KindDefinition, "body_schema"},
		{"a file", `{}`, func(s *tool.HTTP) { s.BodySchema = `{"$ref": "file:///etc/passwd"}` }, executor.KindDefinition, "body_schema"},
		{"a URL", `{}`, func(s *tool.HTTP) { s.BodySchema = `{"$ref": "http://localhost/schema"}` }, executor.KindDefinition, "body_schema"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newServer(t, nil)
			spec := tool.HTTP{Method: "POST", Endpoint: "/", BodySchema: schema, UseBodySchema: "true"}
			if tt.change != nil {
				tt.change(&spec)
			}
			r := s.request(a(&spec, "customer"), tt.args)
			r.Secrets = map[string]string{"KEY": "short"}
			p, e := newExecutor().Preview(t.Context(), r), newExecutor().Run(t.Context(), r)
			if tt.kind == "" {
				succeeds(t, p)
				succeeds(t, e)
				return
			}
			wants(t, p, tt.kind)
			if err := wants(t, e, tt.kind); !strings.Contains(err.Message, tt.part) {
				t.Error(err.Message)
			}
			if got := s.requests(); len(got) > 0 {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestCacheable checks that shared defaults apply like the tool's own properties, and that a cached
// answer sends no request.
func TestCacheable(t *testing.T) {
	var n atomic.Int64
	s := newServer(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		n.Add(1)
		_, _ = io.WriteString(w, `{"for": "`+r.Header.Get("Authorization")+`"}`)
	})
	tl := a(&tool.HTTP{Method: "GET", Endpoint: "/{id}", Auth: "bearer"}, "id")
	tl.Hints.Cacheable = "true"
	x := newExecutor()
	for i, tt := range []struct {
		token  string
		cached bool
	}{{"token-of-one", false}, {"token-of-one", true}, {"token-of-two", false}, {"token-of-one", true}} {
		t.Run(tt.token, func(t *testing.T) {
			r := s.request(tl, `{"id": 1}`)
			r.Secrets = map[string]string{"127_0_0_1_BEARER": tt.token}
			e := x.Run(t.Context(), r)
			succeeds(t, e)
			if e.Cached != tt.cached || string(e.Value) != `{"for": "Bearer ••••(127_0_0_1_BEARER)"}` {
				t.Errorf("%d: cached %v, %s", i, e.Cached, e.Value)
			}
		})
	}
	if n.Load() != 2 {
		t.Errorf("%d requests", n.Load())
	}
}
