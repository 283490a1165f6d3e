// Package conformance is the test suite that every kind of tool must pass.
//
// It checks what a caller expects of any kind: arguments are checked before
// anything is sent, a run ends when it is cancelled or its time is over, no answer
// fills the memory, and no secret is shown.
package conformance

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// Secret is the name and Token is the value of the secret that Kind.Leak uses. The
// value looks different in every encoding.
const (
	Secret = "CONFORMANCE_TOKEN"
	Token  = `t0ken/"+ü with=&all`
)

// Kind describes a kind of tool for the suite. Each tool takes the parameters of
// [Params].
type Kind struct {
	Runner  executor.Runner
	Request executor.Request // what every call has: allowed hosts and so on

	Echo   tool.Tool // answers {"text": …, "n": …} with its arguments; changes nothing
	Write  tool.Tool // likewise, and changes something
	Hang   tool.Tool // never answers
	Flood  tool.Tool // answers with a gigabyte
	Refuse tool.Tool // the other side says no
	Leak   tool.Tool // sends the secret and is answered with [Encodings] of it
	Broken tool.Tool // like Leak, but the other side says no

	// FreeForm takes no parameters, and answers {"input": …} with its free-form input.
	// The zero Tool says that Echo without its parameters does so.
	FreeForm tool.Tool

	// SkipReasons has, by the name of a part of the suite, the reason why the kind skips
	// it. The kind needs no tool for that part.
	SkipReasons map[string]string

	AnswersRows bool   // Echo answers a list of one such object
	OddText     string // a text that Echo returns unchanged; "": one with a letter, a quote and a bracket

	// FailureKind is how Refuse and Broken fail; "": [executor.KindRemote].
	FailureKind executor.ErrorKind

	Calls       func() int      // how often the other side was called
	HangArrived <-chan struct{} // gets a value when a call of Hang has arrived
}

// Params returns the parameters of every tool of the suite.
func Params() []tool.Param {
	return []tool.Param{
		{Name: "text", Type: &tool.Type{Name: "string"}},
		{Name: "n", Type: &tool.Type{Name: "number"}, Optional: true},
		{Name: "scores", Type: &tool.Type{Name: "map", Elem: &tool.Type{Name: "integer"}}, Optional: true},
	}
}

// Encodings returns the token in the encodings that servers and libraries use.
func Encodings() []string {
	quoted, _ := json.Marshal(Token) // a string always encodes
	return []string{
		Token,
		url.QueryEscape(Token),
		url.PathEscape(Token),
		strings.Trim(string(quoted), `"`),
		base64.StdEncoding.EncodeToString([]byte(Token)),
		base64.RawURLEncoding.EncodeToString([]byte(Token)),
		base64.StdEncoding.EncodeToString([]byte("user:" + Token)),
		url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(Token + Token))),
		hex.EncodeToString([]byte(Token)),
		strings.ToUpper(hex.EncodeToString([]byte(Token))),
	}
}

// waitTimeout is how long the suite waits for something that must happen. It only
// bounds a test that fails.
const waitTimeout = 20 * time.Second

// Run runs the suite for a kind.
func Run(t *testing.T, k Kind) {
	for _, part := range []struct {
		name string
		test func(*testing.T, Kind)
	}{
		{"Envelope", testEnvelope},
		{"Arguments", testArguments},
		{"FreeForm", testFreeForm},
		{"Digits", testDigits},
		{"Order", testOrder},
		{"Confirmation", testConfirmation},
		{"Preview", testPreview},
		{"Result", testResult},
		{"Remote", testRemote},
		{"Cancel", testCancel},
		{"Timeout", testTimeout},
		{"Flood", testFlood},
		{"Secrets", testSecrets},
		{"Written", testWritten},
		{"Unseen", testUnseen},
		{"Panic", testPanic},
		{"Cache", testCache},
		{"Identity", testIdentity},
	} {
		if why := k.SkipReasons[part.name]; why != "" {
			t.Logf("%s: not for this kind: %s", part.name, why)
			continue
		}
		t.Run(part.name, func(t *testing.T) { part.test(t, k) })
	}
}

func (k Kind) executor() *executor.Executor { return k.executorIn("") }

// executorIn returns an executor that keeps its state in a folder, or keeps none for "".
func (k Kind) executorIn(state string) *executor.Executor {
	return executor.New(executor.Options{
		Runners:   map[tool.Kind]executor.Runner{k.Echo.Kind: k.Runner},
		LookupEnv: func(string) (string, bool) { return "", false },
		StateDir:  state,
	})
}

// request returns a trusted call.
func (k Kind) request(tl tool.Tool, args string) executor.Request {
	r := k.Request
	r.Tool, r.Args, r.Trusted = &tl, json.RawMessage(args), true
	return r
}

func (k Kind) run(t *testing.T, r executor.Request) executor.Envelope {
	t.Helper()
	return k.executor().Run(t.Context(), r)
}

// requireFailure fails the test unless the run failed with an error of the kind.
func requireFailure(t *testing.T, e executor.Envelope, kind executor.ErrorKind) {
	t.Helper()
	switch {
	case e.OK || e.Error == nil:
		t.Fatalf("ran, want an error of kind %s", kind)
	case e.Error.Kind != kind:
		t.Fatalf("%s: %s; want kind %s", e.Error.Kind, e.Error.Message, kind)
	case e.Error.Code == "" || e.Error.Message == "":
		t.Errorf("an error without code or message: %+v", e.Error)
	}
}

func requireSuccess(t *testing.T, e executor.Envelope) {
	t.Helper()
	if !e.OK || e.Error != nil || e.Needs != nil {
		t.Fatalf("failed: %+v", e.Error)
	}
}

func formatEnvelope(e executor.Envelope) string {
	raw, err := exactjson.Encode(e)
	if err != nil {
		return "no JSON: " + err.Error()
	}
	return string(raw)
}

func testEnvelope(t *testing.T, k Kind) {
	want := []string{
		"run", "ok", "tool", "kind", "value", "text", "content_type", "render", "set", "error", "needs", "warnings",
		"attempts", "response", "request", "console", "breaker", "verified", "cached", "truncated", "duration_ms",
	}
	good, bad := k.run(t, k.request(k.Echo, `{"text": "a"}`)), k.run(t, k.request(k.Echo, `[]`))
	requireSuccess(t, good)
	for _, e := range []executor.Envelope{good, bad} {
		var keys map[string]json.RawMessage
		if err := json.Unmarshal([]byte(formatEnvelope(e)), &keys); err != nil {
			t.Fatal(err)
		}
		for _, key := range want {
			if _, ok := keys[key]; !ok {
				t.Errorf("%s is missing", key)
			}
		}
		if len(keys) != len(want) {
			t.Errorf("%d keys, want %d: %s", len(keys), len(want), formatEnvelope(e))
		}
		if e.Run == "" || e.Tool != k.Echo.Name || e.Kind != k.Echo.Kind || e.Warnings == nil || e.Attempts == nil {
			t.Errorf("%s", formatEnvelope(e))
		}
	}
	if good.Run == bad.Run {
		t.Error("two runs share an id")
	}
	if len(good.Attempts) != 1 || good.Attempts[0].Error != "" || good.Attempts[0].Phases == nil {
		t.Errorf("attempts: %+v", good.Attempts)
	}
	if isHTTP := good.Kind == tool.KindHTTP; (good.Response != nil) != isHTTP || bad.Response != nil {
		t.Errorf("response: %+v, and %+v of a call that was not made", good.Response, bad.Response)
	}
}

func testArguments(t *testing.T, k Kind) {
	before := k.Calls()
	for _, tt := range []struct {
		args string
		kind executor.ErrorKind
		part string // of the message
	}{
		{`{"text": 1}`, executor.KindArguments, "text: "},
		{`{"text": "a", "n": "1"}`, executor.KindArguments, "n: "},
		{`{"text": "a", "scores": {"a": 1.5}}`, executor.KindArguments, "scores.a: "},
		{`{"scores": {"a": "x"}}`, executor.KindArguments, "scores.a: "},
		{`{}`, executor.KindNeeds, "text"},
		{`{"text": null}`, executor.KindNeeds, "text"},
		{``, executor.KindNeeds, "text"},
		{`[]`, executor.KindArguments, "object"},
		{`"text"`, executor.KindArguments, "object"},
		{`{"text": "a"} x`, executor.KindArguments, ""},
		{`{`, executor.KindArguments, "JSON"},
	} {
		e := k.run(t, k.request(k.Echo, tt.args))
		requireFailure(t, e, tt.kind)
		if !strings.Contains(e.Error.Message, tt.part) {
			t.Errorf("%s: message %q does not name %q", tt.args, e.Error.Message, tt.part)
		}
		if (tt.kind == executor.KindNeeds) != (e.Needs != nil && json.Valid(e.Needs.Arguments)) {
			t.Errorf("%s: needs %+v", tt.args, e.Needs)
		}
	}
	if k.Calls() != before {
		t.Error("a call with wrong arguments was sent")
	}
	e := k.run(t, k.request(k.Echo, `{"text": "a", "foo": 1}`))
	requireSuccess(t, e)
	if want := []string{`unknown argument "foo" was ignored`}; !slices.Equal(e.Warnings, want) {
		t.Errorf("warnings %q, want %q", e.Warnings, want)
	}
	odd := cmp.Or(k.OddText, `aü"<`)
	args, _ := json.Marshal(map[string]string{"text": odd}) // a string always encodes
	e = k.run(t, k.request(k.Echo, string(args)))
	requireSuccess(t, e)
	if got := k.answerOf(e)["text"]; got != odd {
		t.Errorf("value %s, want %q", e.Value, odd)
	}
}

// answerOf returns the object in the result.
func (k Kind) answerOf(e executor.Envelope) map[string]any {
	value := []byte(e.Value)
	if k.AnswersRows {
		value = bytes.TrimSuffix(bytes.TrimPrefix(value, []byte("[")), []byte("]"))
	}
	var object map[string]any
	_ = json.Unmarshal(value, &object) // what is none has no field
	return object
}

// testFreeForm: a tool without parameters takes a text.
func testFreeForm(t *testing.T, k Kind) {
	free := k.FreeForm
	if free.Kind == "" {
		free = k.Echo
		free.Params = nil
	}
	for _, args := range []string{`"two words, ü"`, `{"input": "two words, ü"}`} {
		e := k.run(t, k.request(free, args))
		requireSuccess(t, e)
		if got := k.answerOf(e)["input"]; got != "two words, ü" {
			t.Errorf("%s: value %s", args, e.Value)
		}
	}
	before := k.Calls()
	for _, args := range []string{`5`, `["two"]`, `{"input": 5}`, `"two`, `"two" "words"`} {
		requireFailure(t, k.run(t, k.request(free, args)), executor.KindArguments)
	}
	if k.Calls() != before {
		t.Error("what is no text was sent")
	}
}

// testDigits: a number keeps every digit on its way to the other side and back.
func testDigits(t *testing.T, k Kind) {
	set := k.Echo
	set.OnResult = &tool.Outcome{Set: tool.Assignments{{Name: "n", Expr: k.field("n")}}}
	e := k.run(t, k.request(set, `{"text": "a", "n": 12345678901234567890.10}`))
	requireSuccess(t, e)
	if got := formatEnvelope(e); strings.Count(got, `"n":12345678901234567890.10`) < 2 { // in value and in set
		t.Errorf("%s", got)
	}
}

// testOrder: trust, then arguments, then the gate.
func testOrder(t *testing.T, k Kind) {
	before := k.Calls()
	r := k.request(k.Write, `{"text": 1}`)
	r.Trusted = false
	e := k.run(t, r)
	requireFailure(t, e, executor.KindNeeds)
	if e.Needs == nil || !e.Needs.Trust {
		t.Errorf("needs %+v, want trust", e.Needs)
	}
	requireFailure(t, k.run(t, k.request(k.Write, `{"text": 1}`)), executor.KindArguments)
	blocked := k.Write
	blocked.RiskLevel = "blocked"
	r = k.request(blocked, `{"text": "a"}`)
	r.Yes = true
	requireFailure(t, k.run(t, r), executor.KindDenied)
	if k.Calls() != before {
		t.Error("a call that was stopped was sent")
	}
}

func testConfirmation(t *testing.T, k Kind) {
	before := k.Calls()
	ask := func(r executor.Request) string {
		t.Helper()
		e := k.run(t, r)
		requireFailure(t, e, executor.KindNeeds)
		if e.Needs == nil || e.Needs.Confirmation == nil || e.Needs.Confirmation.Summary == "" {
			t.Fatalf("needs %+v, want a confirmation", e.Needs)
		}
		return e.Needs.Confirmation.Digest
	}
	r := k.request(k.Write, `{"text": "a"}`)
	digest := ask(r)
	other := k.request(k.Write, `{"text": "b"}`)
	other.Confirm = digest
	if ask(other) == digest {
		t.Error("other arguments, same digest")
	}
	other = r
	other.Confirm, other.Environment.Name = digest, "prod"
	if ask(other) == digest {
		t.Error("another environment, same digest")
	}
	if k.Calls() != before {
		t.Fatal("an unconfirmed call was sent")
	}
	testUsedOnce(t, k, r, digest)
	r.Yes = true
	requireSuccess(t, k.run(t, r))
	if got := k.Calls() - before; got != 2 {
		t.Errorf("%d calls, want 2", got)
	}

	fixed := k.Write
	fixed.Confirmation = &tool.Confirmation{ImmutableParams: []string{"text"}}
	digest = ask(k.request(fixed, `{"text": "a", "n": 1}`))
	if ask(k.request(fixed, `{"text": "a", "n": 2}`)) != digest || ask(k.request(fixed, `{"text": "b", "n": 1}`)) == digest {
		t.Error("the digest is not that of immutable_params")
	}
}

// testUsedOnce: a confirmation counts for one run. Of several runs with one digest, at once in
// several processes, one is made; a later one must be confirmed again.
func testUsedOnce(t *testing.T, k Kind, r executor.Request, digest string) {
	t.Helper()
	r.Confirm = digest
	state := t.TempDir()
	var envelopes [3]executor.Envelope
	var all sync.WaitGroup
	for i := range envelopes {
		all.Go(func() { envelopes[i] = k.executorIn(state).Run(t.Context(), r) })
	}
	all.Wait()
	made := 0
	for _, e := range envelopes {
		if e.OK {
			made++
			continue
		}
		requireFailure(t, e, executor.KindNeeds)
	}
	if made != 1 {
		t.Errorf("%d runs by one confirmation", made)
	}
	e := k.executorIn(state).Run(t.Context(), r)
	requireFailure(t, e, executor.KindNeeds)
	if e.Needs.Confirmation == nil || e.Needs.Confirmation.Digest == digest || len(e.Attempts) != 0 {
		t.Errorf("asked again: %s", formatEnvelope(e))
	}
}

func testPreview(t *testing.T, k Kind) {
	before := k.Calls()
	r := k.request(k.Leak, `{"text": "a"}`)
	r.Trusted = false
	e := k.executor().Preview(t.Context(), r)
	requireSuccess(t, e)
	if len(e.Value) < 3 || !strings.Contains(string(e.Value), "••••("+Secret+")") {
		t.Errorf("value %s", e.Value)
	}
	if string(e.Request) != string(e.Value) || len(e.Attempts) != 0 {
		t.Errorf("%s", formatEnvelope(e))
	}
	requireFailure(t, k.executor().Preview(t.Context(), k.request(k.Leak, `{}`)), executor.KindNeeds)
	if k.Calls() != before {
		t.Error("a preview was sent")
	}
}

func testResult(t *testing.T, k Kind) {
	wrong := k.Echo
	wrong.Returns = &tool.Type{Name: "object", Declared: true, Fields: []tool.TypeField{{Name: "text", Type: &tool.Type{Name: "number"}}}}
	if k.AnswersRows {
		wrong.Returns = &tool.Type{Name: "array", Elem: wrong.Returns}
	}
	wrong.OnError = &tool.Outcome{Set: tool.Assignments{{Name: "why", Expr: "error.kind"}}}
	e := k.run(t, k.request(wrong, `{"text": "a"}`))
	requireFailure(t, e, executor.KindResult)
	if !strings.Contains(e.Error.Message, "text: ") || !strings.Contains(string(e.Value), `"a"`) {
		t.Errorf("%s", formatEnvelope(e))
	}
	if got := formatEnvelope(e); !strings.Contains(got, `"set":{"why":"result"}`) {
		t.Errorf("%s", got)
	}
	right := k.Echo
	right.OnResult = &tool.Outcome{Set: tool.Assignments{{Name: "session.n", Expr: k.field("n")}, {Name: "long", Expr: "len(" + k.field("text") + ") > 2"}}}
	e = k.run(t, k.request(right, `{"text": "abc", "n": 2.5}`))
	requireSuccess(t, e)
	if got := formatEnvelope(e); !strings.Contains(got, `"set":{"session.n":2.5,"long":true}`) {
		t.Errorf("%s", got)
	}
}

// field returns the expression for a field of the answer of Echo.
func (k Kind) field(name string) string {
	if k.AnswersRows {
		return "result[0]." + name
	}
	return "result." + name
}

func testRemote(t *testing.T, k Kind) {
	requireFailure(t, k.run(t, k.request(k.Refuse, `{"text": "a"}`)), cmp.Or(k.FailureKind, executor.KindRemote))
}

func testCancel(t *testing.T, k Kind) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan executor.Envelope, 1)
	go func() { done <- k.executor().Run(ctx, k.request(k.Hang, `{"text": "a"}`)) }()
	select {
	case <-k.HangArrived:
	case <-time.After(waitTimeout):
		t.Fatal("the call never arrived")
	}
	cancelled := time.Now()
	cancel()
	select {
	case e := <-done:
		requireFailure(t, e, executor.KindTimeout)
		if e.Error.Code != "cancelled" || e.Error.Retryable {
			t.Errorf("%+v", e.Error)
		}
		t.Logf("ended %v after the cancel", time.Since(cancelled))
	case <-time.After(waitTimeout):
		t.Fatal("still running long after it was cancelled")
	}
}

func testTimeout(t *testing.T, k Kind) {
	slow := k.Hang
	slow.Hints.Timeout = "50"
	done := make(chan executor.Envelope, 1)
	go func() { done <- k.executor().Run(t.Context(), k.request(slow, `{"text": "a"}`)) }()
	select {
	case e := <-done:
		requireFailure(t, e, executor.KindTimeout)
		if e.Error.Code != "timeout" || !strings.Contains(e.Error.Message, "hints.timeout") {
			t.Errorf("%+v", e.Error)
		}
	case <-time.After(waitTimeout):
		t.Fatal("still running long after its time")
	}
	select {
	case <-k.HangArrived:
	default:
	}
}

// testFlood checks that a gigabyte of answer is not held in memory: it bounds all
// allocations of the run.
func testFlood(t *testing.T, k Kind) {
	const bound = 256 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	e := k.run(t, k.request(k.Flood, `{"text": "a"}`))
	runtime.ReadMemStats(&after)
	requireFailure(t, e, executor.KindLimit)
	if got := after.TotalAlloc - before.TotalAlloc; got > bound {
		t.Errorf("%d MB allocated, %d are the bound", got>>20, bound>>20)
	}
}

func testSecrets(t *testing.T, k Kind) {
	r := k.request(k.Leak, `{"text": "a"}`)
	before := k.Calls()
	e := k.run(t, r)
	requireFailure(t, e, executor.KindNeeds)
	if e.Needs == nil || !slices.Equal(e.Needs.Secrets, []string{Secret}) || k.Calls() != before {
		t.Errorf("needs %+v, want the secret %s", e.Needs, Secret)
	}
	r.Secrets = map[string]string{Secret: Token}
	e = k.run(t, r)
	requireSuccess(t, e)
	requireNoToken(t, e)
	set := k.Leak
	set.OnResult = &tool.Outcome{Set: tool.Assignments{{Name: "all", Expr: "result"}, {Name: "joined", Expr: "toJSON(result)"}}}
	r.Tool = &set
	requireNoToken(t, k.run(t, r))
	broken := k.Broken
	broken.OnError = &tool.Outcome{Set: tool.Assignments{{Name: "all", Expr: "error"}}}
	r.Tool = &broken
	e = k.run(t, r)
	requireFailure(t, e, cmp.Or(k.FailureKind, executor.KindRemote))
	requireNoToken(t, e)
}

// requireNoToken fails the test if an envelope contains the token, in any encoding.
func requireNoToken(t *testing.T, e executor.Envelope) {
	t.Helper()
	var tree any
	text := formatEnvelope(e)
	if err := json.Unmarshal([]byte(text), &tree); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "••••("+Secret+")") {
		t.Errorf("the secret did not come back: %s", text)
	}
	for _, s := range append(stringsIn(tree), text) {
		for _, secret := range Encodings() {
			if strings.Contains(s, secret) {
				t.Errorf("%q is shown in %s", secret, s)
			}
		}
	}
}

// stringsIn returns the strings in a JSON tree, with the names of members.
func stringsIn(v any) []string {
	var out []string
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, x := range v {
			out = append(out, stringsIn(x)...)
		}
	case map[string]any:
		for name, x := range v {
			out = append(append(out, name), stringsIn(x)...)
		}
	}
	return out
}

// panickingRunner is a runner that panics.
type panickingRunner struct{ executor.Runner }

func (panickingRunner) Run(context.Context, executor.Call) (executor.Result, error) { panic(Token) }

func testPanic(t *testing.T, k Kind) {
	k.Runner = panickingRunner{k.Runner}
	e := k.run(t, k.request(k.Echo, `{"text": "a"}`))
	requireFailure(t, e, executor.KindInternal)
}

// testCache: a result is taken from the cache only if the run succeeded and changes nothing.
func testCache(t *testing.T, k Kind) {
	x := k.executor()
	cacheable := func(tl tool.Tool) tool.Tool {
		tl.Hints.Cacheable = "true"
		tl.OnResult = &tool.Outcome{Set: tool.Assignments{{Name: "all", Expr: "result"}}}
		return tl
	}
	for _, tt := range []struct {
		name   string
		tool   tool.Tool
		args   string
		cached bool
	}{
		{"the first", cacheable(k.Echo), `{"text": "a", "n": 1}`, false},
		{"the same", cacheable(k.Echo), `{"n": 1, "text": "a"}`, true},
		{"other arguments", cacheable(k.Echo), `{"text": "b", "n": 1}`, false},
		{"not cacheable", k.Echo, `{"text": "a", "n": 1}`, false},
		{"a failure", cacheable(k.Refuse), `{"text": "a"}`, false},
		{"the same failure", cacheable(k.Refuse), `{"text": "a"}`, false},
		{"a change", cacheable(k.Write), `{"text": "a"}`, false},
		{"the same change", cacheable(k.Write), `{"text": "a"}`, false},
	} {
		before, r := k.Calls(), k.request(tt.tool, tt.args)
		r.Yes = true
		e := x.Run(t.Context(), r)
		if called := k.Calls() > before; e.Cached != tt.cached || called == tt.cached || len(e.Attempts) > 0 == tt.cached {
			t.Errorf("%s: cached %v, called %v, attempts %+v", tt.name, e.Cached, called, e.Attempts)
		}
		if tt.cached && (!e.OK || len(e.Value) == 0 || len(e.Set) == 0) {
			t.Errorf("%s: %s", tt.name, formatEnvelope(e))
		}
	}
}
