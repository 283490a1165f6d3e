package executor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/tool"
)

// spec is the binding of a kind that exists only in tests.
type spec struct {
	Text    string      `json:"text"`
	Timeout tool.Number `json:"timeout"`
	Retry   tool.Number `json:"retry"`
	Delay   tool.Number `json:"delay"`
}

func (*spec) Kind() tool.Kind { return "test" }

// runner is a Runner whose answer the test sets.
type runner struct {
	run   func(ctx context.Context, call Call) (Result, error)
	calls int
}

func (r *runner) Run(ctx context.Context, call Call) (Result, error) {
	r.calls++
	if r.run == nil {
		return Result{Value: encode(call.Scope.Args)}, nil
	}
	return r.run(ctx, call)
}

func (r *runner) Preview(call Call) (any, error) {
	text, err := call.Scope.Expand(call.Tool.Spec.(*spec).Text, nil)
	if err != nil {
		return nil, TemplateError("text", err)
	}
	return map[string]any{"text": text}, nil
}

func (r *runner) Pace(call Call) (Pace, error) {
	s := call.Tool.Spec.(*spec)
	timeout, err := call.Duration("timeout", s.Timeout)
	if err != nil {
		return Pace{}, err
	}
	retries, _ := s.Retry.Int()
	delay, err := call.Duration("delay", s.Delay)
	return Pace{Timeout: timeout, Retries: int(retries), Delay: delay}, err
}

func (r *runner) executor() *Executor {
	return New(Options{Runners: map[tool.Kind]Runner{"test": r}, LookupEnv: func(string) (string, bool) { return "", false }})
}

// reading returns a tool that changes nothing.
func reading(s *spec, params ...tool.Param) *tool.Tool {
	t := &tool.Tool{Name: "look", Kind: "test", Spec: s, Params: params}
	t.Hints.SideEffects = "false"
	return t
}

func param(name, typ string) tool.Param { return tool.Param{Name: name, Type: &tool.Type{Name: typ}} }

func trusted(t *tool.Tool, args string) Request {
	return Request{Tool: t, Args: json.RawMessage(args), Trusted: true}
}

func kindOf(e Envelope) ErrorKind {
	if e.Error == nil {
		return ""
	}
	return e.Error.Kind
}

func TestNothingToRun(t *testing.T) {
	x := New(Options{})
	for _, tt := range []struct {
		tool *tool.Tool
		part string
	}{
		{nil, "no tool"},
		{&tool.Tool{Name: "plain"}, "binding"},
		{&tool.Tool{Name: "search", Kind: tool.KindMCP, Spec: &tool.MCP{Server: "s"}}, "type: mcp"},
		{&tool.Tool{Name: "flow", Kind: tool.KindWorkflow, Spec: &tool.Workflow{}}, "type: workflow: its workflow lives on the platform"},
		{&tool.Tool{Name: "find", Kind: tool.KindSearchAI, Spec: &tool.SearchAI{}}, "its search index lives on the platform"},
		{&tool.Tool{Name: "rows", Kind: tool.KindTable, Spec: &tool.Table{}}, "its table lives on the platform"},
	} {
		t.Run(tt.part, func(t *testing.T) {
			for name, e := range map[string]Envelope{
				"run":     x.Run(t.Context(), Request{Tool: tt.tool, Trusted: true}),
				"preview": x.Preview(t.Context(), Request{Tool: tt.tool}),
			} {
				t.Run(name, func(t *testing.T) {
					if kindOf(e) != KindDefinition || !strings.Contains(e.Error.Message, tt.part) {
						t.Errorf("%+v: %+v", tt.tool, e.Error)
					}
				})
			}
		})
	}
	if e := x.Run(t.Context(), Request{Tool: &tool.Tool{Name: "plain"}}); e.Needs == nil || !e.Needs.Trust {
		t.Errorf("trust does not come first: %+v", e.Error)
	}
}

func TestRefused(t *testing.T) {
	e := RefusedEnvelope(reading(&spec{}), Errorf(KindDefinition, "invalid-value", "a.abl:3: wrong"))
	if e.OK || e.Tool != "look" || kindOf(e) != KindDefinition || e.Error.Code != "invalid-value" || e.Run == "" {
		t.Errorf("%+v", e)
	}
}

func TestDefaultsAndNull(t *testing.T) {
	count := param("count", "integer")
	count.Optional, count.Default = true, json.RawMessage("10.0")
	note := param("note", "string")
	note.Optional, note.Default = true, json.RawMessage("null")
	maybe := tool.Param{Name: "maybe", Type: &tool.Type{Name: "string", Nullable: true}, Optional: true}
	tl := reading(&spec{}, param("id", "string"), count, note, maybe)
	for args, want := range map[string]string{
		`{"id": "a"}`: `{"count":10.0,"id":"a"}`,
		`{"id": "a", "count": null, "note": null}`:                      `{"count":10.0,"id":"a"}`,
		`{"id": "a", "count": 3.0, "note": "", "maybe": null}`:          `{"count":3.0,"id":"a","maybe":null,"note":""}`,
		`{"id": "a", "count": 123456789012345678901234567890, "x": {}}`: `{"count":123456789012345678901234567890,"id":"a"}`,
	} {
		t.Run(fmt.Sprintf("%.60s", args), func(t *testing.T) {
			e := (&runner{}).executor().Run(t.Context(), trusted(tl, args))
			if !e.OK || string(e.Value) != want {
				t.Errorf("%s: %s %+v, want %s", args, e.Value, e.Error, want)
			}
		})
	}
}

func TestWrongDefault(t *testing.T) {
	p := param("n", "number")
	p.Optional, p.Default = true, json.RawMessage(`"ten"`)
	e := (&runner{}).executor().Run(t.Context(), trusted(reading(&spec{}, p), "{}"))
	if kindOf(e) != KindDefinition || !strings.Contains(e.Error.Message, "the default of n: must be a number") {
		t.Errorf("%+v", e.Error)
	}
}

func TestEmptyObjectIsAGoodDefault(t *testing.T) {
	p := param("filters", "object")
	p.Type.Declared = true
	p.Type.Fields = []tool.TypeField{{Name: "stars", Type: &tool.Type{Name: "number"}}}
	p.Optional, p.Default = true, json.RawMessage(`{}`)
	tl := reading(&spec{}, p)
	if e := (&runner{}).executor().Run(t.Context(), trusted(tl, "{}")); !e.OK {
		t.Errorf("left out: %+v", e.Error)
	}
	if e := (&runner{}).executor().Run(t.Context(), trusted(tl, `{"filters": {}}`)); kindOf(e) != KindArguments {
		t.Errorf("given without its field: %+v", e.Error)
	}
}

func TestNeedsArguments(t *testing.T) {
	tl := reading(&spec{}, param("a", "string"), param("b", "date"), param("c", "number"))
	e := (&runner{}).executor().Run(t.Context(), trusted(tl, `{"b": "2026-02-28"}`))
	if kindOf(e) != KindNeeds || e.Needs == nil || !strings.HasSuffix(e.Error.Message, " a, c") {
		t.Fatalf("%+v", e.Error)
	}
	if string(e.Needs.Arguments) != string(tl.ArgumentSchema()) {
		t.Errorf("%s", e.Needs.Arguments)
	}
}

// TestMissingSessionVariable checks that the error names the session variable that the caller must
// give.
func TestMissingSessionVariable(t *testing.T) {
	tl := reading(&spec{Text: "{{session.user.id}}"})
	e := (&runner{}).executor().Run(t.Context(), trusted(tl, `{}`))
	if e.Error == nil || e.Error.Kind != KindArguments || e.Error.Details["session"] != "user.id" {
		t.Errorf("%+v", e.Error)
	}
	r := trusted(tl, `{}`)
	r.Session = json.RawMessage(`{"user.id": ""}`)
	if e := (&runner{}).executor().Run(t.Context(), r); e.Error != nil {
		t.Errorf("%+v", e.Error)
	}
}

// TestDigest checks that a confirmation covers exactly one call: its binding with the values in it.
func TestDigest(t *testing.T) {
	base := func() (*tool.Tool, Request) {
		tl := &tool.Tool{Name: "write", Kind: "test", Spec: &spec{Text: "{{env.tenant}} {{session.user}} {{a}} {{secrets.S}}"}, Params: []tool.Param{param("a", "string"), param("b", "number")}}
		r := trusted(tl, `{"a": "x", "b": 1}`)
		r.Environment = Environment{Name: "dev", Variables: map[string]string{"tenant": "t"}}
		r.Session = json.RawMessage(`{"user": "u", "other": 1}`)
		return tl, r
	}
	digest := func(r Request) string {
		e := (&runner{}).executor().Run(t.Context(), r)
		if e.Needs == nil || e.Needs.Confirmation == nil {
			t.Fatalf("%+v", e.Error)
		}
		return e.Needs.Confirmation.Digest
	}
	_, r := base()
	first := digest(r)
	seen := map[string]string{}
	for name, tt := range map[string]struct {
		change func(*tool.Tool, *Request)
		same   bool
	}{
		"again":              {func(*tool.Tool, *Request) {}, true},
		"spelling of args":   {func(_ *tool.Tool, r *Request) { r.Args = json.RawMessage(` {"b":1, "a":"x", "unknown": 2}`) }, true},
		"description":        {func(tl *tool.Tool, _ *Request) { tl.Description = "other" }, true},
		"unused session":     {func(_ *tool.Tool, r *Request) { r.Session = json.RawMessage(`{"user": "u"}`) }, true},
		"the secret's value": {func(_ *tool.Tool, r *Request) { r.Secrets = map[string]string{"S": "1"} }, true},
		"argument":           {func(_ *tool.Tool, r *Request) { r.Args = json.RawMessage(`{"a": "y", "b": 1}`) }, false},
		"name":               {func(tl *tool.Tool, _ *Request) { tl.Name = "other" }, false},
		"binding":            {func(tl *tool.Tool, _ *Request) { tl.Spec.(*spec).Text += "!" }, false},
		"variable":           {func(_ *tool.Tool, r *Request) { r.Environment.Variables = map[string]string{"tenant": "x"} }, false},
		"session":            {func(_ *tool.Tool, r *Request) { r.Session = json.RawMessage(`{"user": "x"}`) }, false},
		"environment":        {func(_ *tool.Tool, r *Request) { r.Environment.Name = "prod" }, false},
		"base URL":           {func(_ *tool.Tool, r *Request) { r.Environment.BaseURL = "https://x.example" }, false},
		"in the base URL": {func(_ *tool.Tool, r *Request) {
			r.Environment.BaseURL = "https://{{env.host}}"
			r.Environment.Variables["host"] = "x.example"
		}, false},
		"other in base URL": {func(_ *tool.Tool, r *Request) {
			r.Environment.BaseURL = "https://{{env.host}}"
			r.Environment.Variables["host"] = "y.example"
		}, false},
		"session that is read": {func(tl *tool.Tool, _ *Request) { tl.ContextAccess = &tool.ContextAccess{Read: []string{"other"}} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			tl, r := base()
			tt.change(tl, &r)
			got := digest(r)
			if (got == first) != tt.same {
				t.Errorf("%s: same digest: %v", name, !tt.same)
			}
			if other, ok := seen[got]; ok && !tt.same {
				t.Errorf("%s and %s: same digest", name, other)
			}
			seen[got] = name
		})
	}
}

// TestDigestOfMistypedParameters checks that a confirmation covers all arguments if
// immutable_params names no parameter.
func TestDigestOfMistypedParameters(t *testing.T) {
	digest := func(immutable []string, args string) string {
		tl := &tool.Tool{Name: "pay", Kind: "test", Spec: &spec{}, Params: []tool.Param{param("amount", "number")}}
		tl.Confirmation = &tool.Confirmation{ImmutableParams: immutable}
		return (&runner{}).executor().Run(t.Context(), trusted(tl, args)).Needs.Confirmation.Digest
	}
	if digest([]string{"total"}, `{"amount": 1}`) == digest([]string{"total"}, `{"amount": 1000}`) {
		t.Error("a confirmed call may have other arguments")
	}
}

func TestDefinitionErrorsNameTheirPlace(t *testing.T) {
	tl := &tool.Tool{Name: "plain", Origin: tool.Origin{File: "/project/hotels.tools.abl", Line: 12}}
	tl.OnError = &tool.Outcome{Set: tool.Assignments{{Name: "why", Expr: "error.message"}}}
	x := New(Options{})
	for name, e := range map[string]Envelope{
		"run":     x.Run(t.Context(), Request{Tool: tl, Trusted: true}),
		"preview": x.Preview(t.Context(), Request{Tool: tl}),
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.HasPrefix(e.Error.Message, "hotels.tools.abl:12: plain has no binding") {
				t.Errorf("%+v", e.Error)
			}
		})
	}
}

func TestGate(t *testing.T) {
	tests := []struct {
		name      string
		change    func(*tool.Tool)
		protected bool
		yes       bool
		want      ErrorKind
	}{
		{"unknown effect", func(*tool.Tool) {}, false, false, KindNeeds},
		{"unknown effect, yes", func(*tool.Tool) {}, false, true, ""},
		{"reads", func(tl *tool.Tool) { tl.Hints.SideEffects = "false" }, true, false, ""},
		{"never", func(tl *tool.Tool) { tl.Confirmation = &tool.Confirmation{Require: "never"} }, false, false, ""},
		{"never, protected", func(tl *tool.Tool) { tl.Confirmation = &tool.Confirmation{Require: "never"} }, true, false, KindNeeds},
		{"always", func(tl *tool.Tool) {
			tl.Hints.SideEffects, tl.Confirmation = "false", &tool.Confirmation{Require: "always"}
		}, false, false, KindNeeds},
		{"consent", func(tl *tool.Tool) {
			tl.Hints.SideEffects, tl.Confirmation = "false", &tool.Confirmation{ConsentRequiredIn: "conversation"}
		}, false, false, KindNeeds},
		{"blocked", func(tl *tool.Tool) { tl.RiskLevel = "blocked" }, false, true, KindDenied},
		{"disabled", func(tl *tool.Tool) { tl.Enabled = "false" }, false, true, KindDenied},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tl := &tool.Tool{Name: "do", Kind: "test", Spec: &spec{}}
			tt.change(tl)
			r := trusted(tl, "")
			r.Yes, r.Environment.Protected = tt.yes, tt.protected
			k := &runner{}
			e := k.executor().Run(t.Context(), r)
			if kindOf(e) != tt.want || (k.calls > 0) != (tt.want == "") {
				t.Errorf("%s: %+v after %d calls, want %q", tt.name, e.Error, k.calls, tt.want)
			}
		})
	}
}

func TestPanicInAnyPart(t *testing.T) {
	k := &runner{run: func(context.Context, Call) (Result, error) { panic("boom") }}
	e := k.executor().Run(t.Context(), trusted(reading(&spec{}), ""))
	p, ok := errors.AsType[*PanicError](e.Error)
	if kindOf(e) != KindInternal || !ok || p.Value != "boom" || len(p.Stack) == 0 {
		t.Errorf("%+v", e.Error)
	}
	wrong := &tool.Tool{Name: "x", Kind: "test", Spec: &tool.MCP{}} // Preview and Pace panic on it
	if e := k.executor().Preview(t.Context(), trusted(wrong, "")); kindOf(e) != KindInternal {
		t.Errorf("%+v", e.Error)
	}
}

func TestErrorsWithoutAKind(t *testing.T) {
	k := &runner{run: func(context.Context, Call) (Result, error) { return Result{}, errors.New("odd") }}
	e := k.executor().Run(t.Context(), trusted(reading(&spec{}), ""))
	if kindOf(e) != KindInternal || e.Error.Message != "odd" || len(e.Attempts) != 1 || e.Attempts[0].Error != "odd" {
		t.Errorf("%+v %+v", e.Error, e.Attempts)
	}
}

// TestPace checks delays and limits, in a bubble whose clock moves only when all goroutines wait.
func TestPace(t *testing.T) {
	network := &Error{Kind: KindNetwork, Code: "x", Message: "x"}
	hang := func(ctx context.Context, _ Call) (Result, error) { <-ctx.Done(); return Result{}, ctx.Err() }
	tests := []struct {
		name     string
		spec     spec
		hint     tool.Number
		agent    time.Duration
		run      func(context.Context, Call) (Result, error)
		attempts int
		elapsed  time.Duration
		kind     ErrorKind
		part     string
	}{
		{"usual limit", spec{}, "", 0, hang, 1, 30 * time.Second, KindTimeout, "usual limit"},
		{"agent's limit", spec{}, "", 7 * time.Second, hang, 1, 7 * time.Second, KindTimeout, "EXECUTION.tool_timeout"},
		{"own before agent", spec{Timeout: "9000"}, "", 7 * time.Second, hang, 1, 9 * time.Second, KindTimeout, "9s"},
		{"hint before agent", spec{}, "3000", 7 * time.Second, hang, 1, 3 * time.Second, KindTimeout, "hints.timeout"},
		{"attempts alone", spec{Timeout: "60000", Retry: "1"}, "", 0, hang, 2, 2 * time.Minute, KindTimeout, "1m0s"},
		{"attempts within the call", spec{Timeout: "2000", Retry: "9"}, "5000", 0, hang, 3, 5 * time.Second, KindTimeout, "hints.timeout"},
		{"delays", spec{Retry: "3", Delay: "1500"}, "", 0, func(context.Context, Call) (Result, error) { return Result{}, network }, 4, 4500 * time.Millisecond, KindNetwork, ""},
		{"no time for the delay", spec{Retry: "3", Delay: "4000"}, "5000", 0, func(context.Context, Call) (Result, error) { return Result{}, network }, 2, 4 * time.Second, KindNetwork, ""},
		{"too many", spec{Retry: "100000", Delay: "1"}, "", 0, func(context.Context, Call) (Result, error) { return Result{}, network }, 101, 100 * time.Millisecond, KindNetwork, ""},
		{"no number", spec{Timeout: "{{env.X}}"}, "", 0, hang, 0, 0, KindDefinition, "timeout: "},
		{"negative", spec{Timeout: "-1"}, "", 0, hang, 0, 0, KindDefinition, "timeout: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tl := reading(&tt.spec)
				tl.Hints.Timeout = tt.hint
				r := trusted(tl, "")
				r.ToolTimeout = tt.agent
				start := time.Now()
				e := (&runner{run: tt.run}).executor().Run(t.Context(), r)
				if elapsed := time.Since(start); elapsed != tt.elapsed || len(e.Attempts) != tt.attempts {
					t.Errorf("%d attempts in %v, want %d in %v", len(e.Attempts), elapsed, tt.attempts, tt.elapsed)
				}
				if kindOf(e) != tt.kind || !strings.Contains(e.Error.Message, tt.part) {
					t.Errorf("%+v", e.Error)
				}
			})
		})
	}
}

func TestCancelWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(500*time.Millisecond, cancel)
		k := &runner{run: func(context.Context, Call) (Result, error) {
			return Result{}, &Error{Kind: KindNetwork, Message: "x"}
		}}
		tl := reading(&spec{Retry: "3", Delay: "20000"})
		start := time.Now()
		e := k.executor().Run(ctx, trusted(tl, ""))
		if e.Error == nil || e.Error.Code != "cancelled" || time.Since(start) != 500*time.Millisecond {
			t.Errorf("%+v after %v", e.Error, time.Since(start))
		}
	})
}

// TestRedactsEveryField checks that every field of an envelope is redacted. It puts a secret into
// each string, also in fields that are added later.
func TestRedactsEveryField(t *testing.T) {
	const secret = "hunter2-hunter2"
	r := &run{redactor: new(secrets.Redactor)}
	fill(reflect.ValueOf(&r.envelope).Elem(), secret)
	r.envelope.Error.needs = nil
	r.redactor.Add("S", secret)
	r.redact()
	e := r.envelope
	e.Run, e.Tool, e.Kind, e.Breaker, e.Environment = "", "", "", nil, "" // ours, not from outside
	e.Error.Kind, e.Render.Kind = "", ""
	for i := range e.Attempts {
		e.Attempts[i].Started, e.Attempts[i].Phases = "", nil
	}
	e.Needs.Secrets, e.Needs.Confirmation.Digest = nil, ""
	if text := string(encode(e)); strings.Contains(text, secret) {
		t.Errorf("%s", text)
	}
}

// fill sets every string in v to text.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), text)
			}
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte(`{"` + text + `":"` + text + `"}`))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		value := reflect.ValueOf(text)
		if v.Type().Elem().Kind() == reflect.Interface {
			value = reflect.ValueOf([]any{text})
		}
		v.SetMapIndex(reflect.ValueOf(text), value)
	case reflect.Interface:
		if v.NumMethod() == 0 {
			v.Set(reflect.ValueOf(json.RawMessage(`"` + text + `"`)))
		}
	}
}

func TestRender(t *testing.T) {
	tl := reading(&spec{})
	if e := (&runner{}).executor().Run(t.Context(), trusted(tl, "")); e.Render != nil {
		t.Errorf("%+v", e.Render)
	}
	tl.Extra = map[string]json.RawMessage{"render": json.RawMessage(`"react"`), "component": json.RawMessage(`"Chart"`), "props": json.RawMessage(`{"x":"day"}`)}
	e := (&runner{}).executor().Run(t.Context(), trusted(tl, ""))
	if got := string(encode(e.Render)); got != `{"kind":"react","component":"Chart","props":{"x":"day"}}` {
		t.Error(got)
	}
}

// TestRenderOfRows checks that a list of objects, or columns and rows, is shown as a table, unless
// the tool or the Runner says otherwise.
func TestRenderOfRows(t *testing.T) {
	own := &Render{Kind: "code"}
	for _, tt := range []struct {
		value  string
		render *Render
		want   string
	}{
		{`[{"a": 1}, {"b": 2}]`, nil, "table"},
		{`[{"a": 1}, 2]`, nil, ""},
		{`[ "a" ]`, nil, ""},
		{`[]`, nil, ""},
		{`{"a": 1}`, nil, ""},
		{`"[{}]"`, nil, ""},
		{`[{"a": 1}]`, own, "code"},
		{`{"columns": ["a", "🧭"], "rows": [[1, 2], {"a": 3}]}`, nil, "table"},
		{`{"columns": ["a"], "rows": []}`, nil, "table"},
		{`{"columns": ["a"], "rows": [1]}`, nil, ""},
		{`{"columns": [], "rows": []}`, nil, ""},
		{`{"columns": ["a"], "rows": [], "next": 2}`, nil, ""},
		{`{"columns": "a", "rows": [[1]]}`, nil, ""},
		{`{"columns": ["a"]}`, nil, ""},
	} {
		t.Run(tt.value, func(t *testing.T) {
			k := &runner{run: func(context.Context, Call) (Result, error) {
				return Result{Value: json.RawMessage(tt.value), Render: tt.render}, nil
			}}
			e := k.executor().Run(t.Context(), trusted(reading(&spec{}), ""))
			if got := e.Render; tt.want == "" && got != nil || tt.want != "" && (got == nil || got.Kind != tt.want) {
				t.Errorf("%s: %+v", tt.value, got)
			} else if got != nil && string(got.Props) != "{}" {
				t.Errorf("%s: props %s", tt.value, got.Props)
			}
		})
	}
	tl := reading(&spec{})
	tl.Extra = map[string]json.RawMessage{"render": json.RawMessage(`"json"`)}
	k := &runner{run: func(context.Context, Call) (Result, error) { return Result{Value: json.RawMessage(`[{}]`)}, nil }}
	if e := k.executor().Run(t.Context(), trusted(tl, "")); e.Render.Kind != "json" {
		t.Errorf("%+v", e.Render)
	}
}

func TestSecretsFromDotenvAndEnvironment(t *testing.T) {
	k := &runner{run: func(_ context.Context, call Call) (Result, error) {
		text, err := call.Scope.Expand("{{secrets.A}}", nil)
		return Result{Text: text + "|"}, err
	}}
	x := New(Options{Runners: map[tool.Kind]Runner{"test": k}, LookupEnv: func(name string) (string, bool) { return "from-env", name == "A" }})
	r := trusted(reading(&spec{Text: "{{secrets.A}} {{secrets.B}} {{secrets.B}} {{secrets.C}}"}), "")
	if e := x.Run(t.Context(), r); e.Needs == nil || !slices.Equal(e.Needs.Secrets, []string{"B", "C"}) {
		t.Errorf("%+v", e.Needs)
	}
	folder := t.TempDir()
	r.Environment.Secrets.Dotenv = folder
	if e := x.Run(t.Context(), r); e.Needs == nil || len(e.Needs.Secrets) != 2 || len(e.Warnings) != 2 || !strings.Contains(e.Warnings[0], folder) {
		t.Errorf("%+v %q", e.Needs, e.Warnings)
	}
	r.Secrets = map[string]string{"B": "b-value", "C": "c-value"}
	e := x.Run(t.Context(), r)
	if e.Text != "••••(A)|" || string(e.Value) != `"••••(A)|"` || string(e.Request) != `{"text":"••••(A) ••••(B) ••••(B) ••••(C)"}` {
		t.Errorf("%s %s", e.Value, e.Request)
	}
}

// TestNoPartOfASecret checks that neither a shortened message nor an expression shows a part of a
// secret.
func TestNoPartOfASecret(t *testing.T) {
	const secret = "eyJhbGciOiJIUzI1NiJ9.this-is-a-long-token-of-more-than-sixty-bytes.signature"
	answer := Result{Value: json.RawMessage(`{"token": "Bearer ` + secret + `"}`)}
	failure := &Error{Kind: KindRemote, Code: "x", Message: "no", Details: map[string]any{"body": secret}}
	for name, tt := range map[string]struct {
		field  *tool.Type
		result Result
		err    error
	}{
		"wrong type": {&tool.Type{Name: "number"}, answer, nil},
		"wrong word": {&tool.Type{Name: "enum", Enum: []string{"a"}}, answer, nil},
		"success":    {&tool.Type{Name: "string"}, answer, nil},
		"failure":    {nil, Result{}, failure},
	} {
		t.Run(name, func(t *testing.T) {
			k := &runner{run: func(context.Context, Call) (Result, error) { return tt.result, tt.err }}
			tl := reading(&spec{Text: "{{secrets.S}}"})
			tl.Returns = &tool.Type{Name: "object", Declared: true, Fields: []tool.TypeField{{Name: "token", Type: tt.field}}}
			tl.OnResult = &tool.Outcome{Set: tool.Assignments{{Name: "a", Expr: "upper(result.token)"}, {Name: "b", Expr: "result.token[7:30]"}, {Name: "c", Expr: "int(result.token)"}}}
			tl.OnError = &tool.Outcome{Set: tool.Assignments{{Name: "a", Expr: "error.details.body[0:20]"}}}
			r := trusted(tl, "")
			r.Secrets = map[string]string{"S": secret}
			e := k.executor().Run(t.Context(), r)
			if text := strings.ToLower(string(encode(e))); strings.Contains(text, "hbgci") {
				t.Errorf("%s: %s", name, text)
			}
		})
	}
}

func TestDefaultOfANullableParameter(t *testing.T) {
	p := tool.Param{Name: "p", Type: &tool.Type{Name: "string", Nullable: true}, Optional: true, Default: json.RawMessage(`"x"`)}
	for args, want := range map[string]string{`{}`: `{"p":"x"}`, `{"p": null}`: `{"p":null}`, `{"p": "y"}`: `{"p":"y"}`} {
		t.Run(args, func(t *testing.T) {
			e := (&runner{}).executor().Run(t.Context(), trusted(reading(&spec{}, p), args))
			if !e.OK || string(e.Value) != want {
				t.Errorf("%s: %s %+v, want %s", args, e.Value, e.Error, want)
			}
		})
	}
}

// TestParametersOfTheSignIn checks that a caller cannot set a parameter that a sign-in sets.
// Without a sign-in it has no value.
func TestParametersOfTheSignIn(t *testing.T) {
	google := []tool.AuthClaim{{Name: "google", Field: "sub"}}
	for name, p := range map[string]tool.Param{
		"of the sign-in":         {Name: "user", Source: "auth"},
		"of a service":           {Name: "user", AuthServices: google},
		"of a service, optional": {Name: "user", AuthServices: google, Optional: true},
	} {
		t.Run(name, func(t *testing.T) {
			e := (&runner{}).executor().Run(t.Context(), trusted(reading(&spec{}, p), `{"user": "root"}`))
			if kindOf(e) != KindDefinition || e.Error.Code != "auth-service" {
				t.Errorf("%+v: %s %+v", p, e.Value, e.Error)
			}
		})
	}
	p := tool.Param{Name: "user", Source: "auth", Optional: true}
	e := (&runner{}).executor().Run(t.Context(), trusted(reading(&spec{}, p), `{"user": "root"}`))
	if !e.OK || string(e.Value) != "{}" || len(e.Warnings) != 1 {
		t.Errorf("%+v: %s %q %+v", p, e.Value, e.Warnings, e.Error)
	}
}

func TestFreeFormInput(t *testing.T) {
	for args, want := range map[string]ErrorKind{`"x"`: "", `{"input": "x"}`: "", `{"input": null}`: "", ``: "", `{"input": 5}`: KindArguments, `5`: KindArguments} {
		t.Run(args, func(t *testing.T) {
			if e := (&runner{}).executor().Run(t.Context(), trusted(reading(&spec{}), args)); kindOf(e) != want {
				t.Errorf("%s: %+v, want %q", args, e.Error, want)
			}
		})
	}
}

// TestOutputInPieces checks that output which is shown during the run contains no secret, however
// it is split, and that all of it arrives.
func TestOutputInPieces(t *testing.T) {
	const secret = "hunter2-hunter2"
	k := &runner{run: func(_ context.Context, call Call) (Result, error) {
		for _, c := range "a " + secret + " b" {
			call.Report(Progress{Chunk: string(c)})
		}
		call.Report(Progress{Message: "done"})
		return Result{}, nil
	}}
	r := trusted(reading(&spec{Text: "{{secrets.S}}"}), "")
	r.Secrets = map[string]string{"S": secret}
	var shown, messages string
	r.Report = func(p Progress) { shown, messages = shown+p.Chunk, messages+p.Message }
	k.executor().Run(t.Context(), r)
	if shown != "a ••••(S) b" || messages != "done" {
		t.Errorf("%q %q", shown, messages)
	}
}
