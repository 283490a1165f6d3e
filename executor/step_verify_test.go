package executor

import (
	"context"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool"
)

// notes returns a Runner that records its calls. The text of the binding determines its answer.
func notes(calls *[]string) *runner {
	return &runner{run: func(_ context.Context, call Call) (Result, error) {
		text, err := call.Scope.Expand(call.Tool.Spec.(*spec).Text, nil)
		if err != nil {
			return Result{}, TemplateError("text", err)
		}
		*calls = append(*calls, text+" "+string(encode(call.Scope.Args)))
		switch word, _, _ := strings.Cut(text, " "); word {
		case "gone":
			return Result{}, Errorf(KindRemote, "http-404", "the notes answered 404")
		case "down":
			return Result{}, Errorf(KindNetwork, "dial", "no answer")
		case "no":
			return Result{Value: encode(false)}, nil
		}
		return Result{Value: encode(map[string]any{"id": 7, "text": text})}, nil
	}}
}

func bound(text string, args ...tool.Assignment) *tool.Step {
	return &tool.Step{Kind: "test", Spec: &spec{Text: text}, Args: args}
}

func TestVerify(t *testing.T) {
	expecting := bound("look {{args.id}}")
	expecting.Expect = `result.text == "look " + args.id && args.id == id`
	for _, tt := range []struct {
		name     string
		verify   *tool.Step
		verified string
		message  string // "": it succeeds
		call     string // of the binding
	}{
		{"nothing said", nil, "null", "", ""},
		{"holds", &tool.Step{Expr: `result.id == 7 && args.id == "a"`}, "true", "", ""},
		{"does not hold", &tool.Step{Expr: "result.id == 8"}, "false", "put was called, but verify does not hold: result.id == 8", ""},
		{"leads nowhere", &tool.Step{Expr: "result.none"}, "false", "put was called, but verify does not hold: result.none", ""},
		{"is no condition", &tool.Step{Expr: "result.id"}, "null", "put was called, but could not be verified: the condition is neither true nor false", ""},
		{"a binding", bound("look {{result.id}} of {{args.id}} and {{id}}"), "true", "", `look 7 of a and a {"id":"a"}`},
		{"with arguments of its own", bound("look", tool.Assignment{Name: "which", Expr: "result.id"}), "true", "", `look {"which":7}`},
		{"that expects more", expecting, "true", "", `look a {"id":"a"}`},
		{"that answers false", bound("no"), "false", "put was called, but verify says that it did not do what it should", `no {"id":"a"}`},
		{"that is refused", bound("gone"), "false", "put was called, but verify says that it did not do what it should", `gone {"id":"a"}`},
		{"that cannot be reached", bound("down"), "null", "put was called, but could not be verified: no answer", `down {"id":"a"}`},
		{"that names what is not there", bound("look {{result.none}}"), "null", "put was called, but could not be verified: text: {{result.none}} is not there", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var calls []string
			tl := reading(&spec{Text: "put"}, param("id", "string"))
			tl.Name, tl.Verify = "put", tt.verify
			e := notes(&calls).executor().Run(t.Context(), trusted(tl, `{"id": "a"}`))
			if string(encode(e.Verified)) != tt.verified || string(e.Value) != `{"id":7,"text":"put"}` {
				t.Errorf("verified %s, value %s", encode(e.Verified), e.Value)
			}
			if tt.message == "" && !e.OK || tt.message != "" && (kindOf(e) != KindResult || e.Error.Code != "verify-failed" || e.Error.Message != tt.message) {
				t.Errorf("%+v", e.Error)
			}
			if got := strings.Join(calls[1:], "; "); got != tt.call {
				t.Errorf("called with %s, want %s", got, tt.call)
			}
		})
	}
}

// TestUnreadableSteps checks that an expression that can never be evaluated stops the run before
// the call.
func TestUnreadableSteps(t *testing.T) {
	expecting := bound("look")
	expecting.Expect = "nobody == 1"
	for _, tt := range []struct {
		verify, revert *tool.Step
		message        string
	}{
		{&tool.Step{Expr: "result +"}, nil, "verify: result +: "},
		{&tool.Step{Expr: "reslt.id == 7"}, nil, "verify: reslt.id == 7: "},
		{expecting, nil, "verify: nobody == 1: "},
		{bound("look", tool.Assignment{Name: "id", Expr: "id"}), nil, "verify: id: "},
		{nil, &tool.Step{Expr: "{id: args.id"}, "revert: {id: args.id: "},
		{nil, &tool.Step{Expr: "{id: id}"}, "revert: {id: id}: "},
		{&tool.Step{Expr: "id == args.id && session == session && result.none"}, bound("undo", tool.Assignment{Name: "id", Expr: "reslt"}), "revert: reslt: "},
	} {
		t.Run(tt.message, func(t *testing.T) {
			var calls []string
			tl := reading(&spec{Text: "put"}, param("id", "string"))
			tl.Verify, tl.Revert = tt.verify, tt.revert
			e := notes(&calls).executor().Run(t.Context(), trusted(tl, `{"id": "a"}`))
			if kindOf(e) != KindDefinition || !strings.HasPrefix(e.Error.Message, tt.message) || len(calls) > 0 {
				t.Errorf("%+v, want %s; %q", e.Error, tt.message, calls)
			}
		})
	}
}

// TestNothingIsAskedAfterTheCall checks that everything that a verification needs is asked for
// before the call.
func TestNothingIsAskedAfterTheCall(t *testing.T) {
	for _, tt := range []struct {
		name   string
		verify *tool.Step
		change func(*Request)
		kind   ErrorKind
		part   string
	}{
		{"a secret", bound("{{secrets.NONE}}"), nil, KindNeeds, "the secret NONE"},
		{"a grant for it", bound("{{secrets.SOME}}"), func(r *Request) { r.AskSecrets = true }, KindNeeds, "put sends SOME to notes"},
		{"an access that is denied", bound("look"), func(r *Request) { r.Environment.Permissions.Deny = permissions("web:get:*") }, KindDenied, "deny web:get:notes"},
		{"a kind that is not run", &tool.Step{Kind: tool.KindSQL, Spec: &tool.SQL{}}, nil, KindDefinition, "verify: type: sql"},
		{"a confirmation", bound("look"), func(r *Request) { r.Tool.Hints.SideEffects = "" }, KindNeeds, "must be confirmed"},
		{"a name that is none", bound("{{nothing}}"), nil, KindDefinition, "verify: text: {{nothing}} is no parameter"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var calls []string
			k := &reacher{runner: *notes(&calls), reach: Reach{Accesses: permissions("web:get:notes"), Receiver: "notes"}}
			tl := reading(&spec{Text: "put"}, param("id", "string"))
			tl.Name, tl.Verify = "put", tt.verify
			r := trusted(tl, `{"id": "a"}`)
			if tt.change != nil {
				tt.change(&r)
			}
			e := k.executor().Run(t.Context(), r)
			if kindOf(e) != tt.kind || !strings.Contains(e.Error.Message, tt.part) || len(calls) != 0 {
				t.Errorf("%q: %+v", calls, e.Error)
			}
		})
	}
}

func TestVerifiedIsRemembered(t *testing.T) {
	var calls []string
	tl := reading(&spec{Text: "put"})
	tl.Hints.Cacheable, tl.Verify = "true", &tool.Step{Expr: "result.id == 7"}
	x := notes(&calls).executor()
	for range 2 {
		if e := x.Run(t.Context(), trusted(tl, "")); string(encode(e.Verified)) != "true" || !e.OK {
			t.Errorf("%+v", e)
		}
	}
	tl.Verify = &tool.Step{Expr: "result.id == 8"}
	for range 2 {
		if e := x.Run(t.Context(), trusted(tl, "")); e.Cached || string(encode(e.Verified)) != "false" {
			t.Errorf("what did not hold is given again: %+v", e)
		}
	}
	if len(calls) != 3 {
		t.Errorf("%d calls", len(calls))
	}
}

// TestSecretsOfChecksAreTakenOut checks that secrets which only the verification uses are removed,
// too.
func TestSecretsOfChecksAreTakenOut(t *testing.T) {
	var calls []string
	k := &reacher{runner: *notes(&calls)}
	tl := reading(&spec{Text: "put"})
	tl.Verify = bound("gone {{secrets.TOKEN}}")
	e := k.executor().Run(t.Context(), trusted(tl, ""))
	if len(calls) != 2 || !strings.Contains(calls[1], "v-TOKEN") || strings.Contains(string(encode(e)), "v-TOKEN") {
		t.Errorf("%q: %s", calls, encode(e))
	}
}

func TestContentType(t *testing.T) {
	for _, tt := range []struct {
		declared string
		result   Result
		want     string
	}{
		{"text/markdown", Result{Text: "# Hi", ContentType: "text/html"}, "text/markdown"},
		{"", Result{Text: "# Hi", ContentType: "text/html"}, "text/html"},
		{"", Result{Text: "# Hi"}, "text/plain"},
		{"", Result{Value: encode(1)}, "application/json"},
		{"text/markdown", Result{}, ""},
	} {
		t.Run(tt.want, func(t *testing.T) {
			k := &runner{run: func(context.Context, Call) (Result, error) { return tt.result, nil }}
			tl := reading(&spec{})
			tl.ContentType = tt.declared
			if e := k.executor().Run(t.Context(), trusted(tl, "")); e.ContentType != tt.want {
				t.Errorf("%+v: %q", tt, e.ContentType)
			}
		})
	}
}
