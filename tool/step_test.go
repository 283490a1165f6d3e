package tool

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSteps(t *testing.T) {
	got, errs := Decode(values(t, `{
		"type": "http", "endpoint": "/n", "method": "POST", "content_type": "text/markdown",
		"verify": {"Type": "HTTP", "method": "get", "endpoint": "/n/{{result.id}}", "expect": "result.text == args.text", "hints": {"timeout": 5}},
		"revert": {"type": "mcp", "server": "notes", "tool": "delete_note", "args": {"id": "result.id", "n": 3}}
	}`))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if !got.CanVerify() || !got.CanRevert() || got.ContentType != "text/markdown" || got.Extra != nil {
		t.Errorf("%+v", got)
	}
	for name, tt := range map[string]struct{ got, want *Step }{
		"verify": {got.Verify, &Step{Kind: KindHTTP, Spec: &HTTP{Method: "GET", Endpoint: "/n/{{result.id}}"}, Expect: "result.text == args.text"}},
		"revert": {got.Revert, &Step{Kind: KindMCP, Spec: &MCP{Server: "notes", ServerTool: "delete_note"}, Args: Assignments{{"id", "result.id"}, {"n", "3"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			written := tt.got.written
			tt.got.written = nil
			if !json.Valid(written) {
				t.Errorf("written %s", written)
			}
			if diff := cmp.Diff(tt.want, tt.got, unexported); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestStepsThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		`{"verify": "result.id != null"}`:                 "",
		`{"verify": true}`:                                "",
		`{"verify": "  "}`:                                "",
		`{"verify": null}`:                                "",
		`{"verify": 7}`:                                   "verify: an expression is wanted here, or a binding with a `type`",
		`{"revert": ["a"]}`:                               "revert: an expression is wanted here, or a binding with a `type`",
		`{"revert": {"endpoint": "/n"}}`:                  "revert: a binding needs a `type`, such as `http`",
		`{"revert": {"type": "htp"}}`:                     "revert.type: \"htp\" is none of " + strings.Join(WordNames(Kinds()), ", "),
		`{"revert": {"type": "http", "method": "FETCH"}}`: "revert.method: \"FETCH\" is none of GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS",
		`{"revert": {"type": "http", "args": "id"}}`:      "revert.args: names with values are wanted here",
	} {
		t.Run(text, func(t *testing.T) {
			_, errs := Decode(values(t, text))
			got := ""
			if len(errs) > 0 {
				got = errs[0].Error()
			}
			if got != want {
				t.Errorf("%s: %q, want %q", text, got, want)
			}
		})
	}
}

// TestDefaultsReachSteps checks that the shared defaults apply to the steps that verify and revert.
func TestDefaultsReachSteps(t *testing.T) {
	got, errs := Decode(WithDefaults(
		values(t, `{"type": "http", "endpoint": "/n", "revert": {"type": "http", "endpoint": "/n", "method": "DELETE", "headers": {"a": "own"}}}`),
		values(t, `{"base_url": "https://a.example", "headers": {"A": "shared", "B": "shared"}}`)))
	want := &HTTP{BaseURL: "https://a.example", Endpoint: "/n", Method: "DELETE", Headers: map[string]string{"a": "own", "B": "shared"}}
	if diff := cmp.Diff(Spec(want), got.Revert.Spec); len(errs) > 0 || diff != "" {
		t.Errorf("%v (-want +got):\n%s", errs, diff)
	}
}

func TestAVerifyingBindingCounts(t *testing.T) {
	for verify, want := range map[string]string{`"result != null"`: "false", `{"type": "http", "method": "GET"}`: "false", `{"type": "http", "method": "POST"}`: "true", `{"type": "mcp"}`: "null"} {
		t.Run(verify, func(t *testing.T) {
			got, _ := Decode(values(t, `{"type": "http", "method": "GET", "verify": `+verify+`}`))
			if raw, _ := json.Marshal(got.Mutates()); string(raw) != want {
				t.Errorf("%s: %s, want %s", verify, raw, want)
			}
		})
	}
}
