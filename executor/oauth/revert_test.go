package oauth_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestRevertByWhoRanIt checks that a run which was made in a person's name can only be reverted by
// the same person, whatever form the revert has.
func TestRevertByWhoRanIt(t *testing.T) {
	for name, revert := range map[string]*tool.Step{
		"an expression":                 {Expr: `{}`},
		"a binding":                     {Kind: "echo", Spec: &echoSpec{}},
		"a binding with its own values": {Kind: "echo", Spec: &echoSpec{}, Args: tool.Assignments{{Name: "user", Expr: "args.user"}}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newVerifierFixture(t)
			q := d.request("")
			q.Tool.Revert, q.Yes = revert, true
			undo := func(of, who string) executor.Envelope {
				q.AuthTokens = map[string]string{}
				if who != "" {
					q.AuthTokens["who"] = d.NewToken("us", map[string]any{"sub": who})
				}
				return d.ex.Revert(t.Context(), q, of)
			}
			q.AuthTokens = map[string]string{"who": d.NewToken("us", nil)}
			run := d.gives(q, `{"user":"alice"}`).Run
			before := d.kind.calls
			if e := undo(run, ""); e.Needs == nil || strings.Join(e.Needs.Secrets, "") != "WHO_TOKEN" {
				t.Errorf("%+v", e.Error)
			}
			if e := undo(run, "bob"); e.OK || e.Error.Kind != executor.KindDenied || !strings.Contains(e.Error.Message, "who undoes a run must be who made it") {
				t.Errorf("%+v", e.Error)
			}
			if d.kind.calls != before {
				t.Error("it was undone in another name")
			}
			if e := undo(run, "alice"); !e.OK || string(e.Value) != `{"user":"alice"}` {
				t.Errorf("%s %+v", e.Value, e.Error)
			}
		})
	}
}

// TestRevertWithoutAName checks that a caller without a token can revert a run that was made
// without one, and no other.
func TestRevertWithoutAName(t *testing.T) {
	d := newVerifierFixture(t)
	user := tool.Param{Name: "user", Type: &tool.Type{Name: "string"}, Source: "auth", Value: "sub", Optional: true, Default: json.RawMessage(`"guest"`)}
	q := d.request("", user)
	q.Tool.Revert, q.Yes = &tool.Step{Kind: "echo", Spec: &echoSpec{}}, true
	guest := d.gives(q, `{"user":"guest"}`).Run
	if e := d.ex.Revert(t.Context(), q, guest); !e.OK || string(e.Value) != `{"user":"guest"}` {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
	q.AuthTokens = map[string]string{"who": d.NewToken("us", nil)}
	alice := d.gives(q, `{"user":"alice"}`).Run
	q.AuthTokens = nil
	if e := d.ex.Revert(t.Context(), q, alice); e.Needs == nil || len(e.Needs.Secrets) != 1 {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
}
