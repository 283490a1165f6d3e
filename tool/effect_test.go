package tool

import "testing"

func TestEffects(t *testing.T) {
	confirmation := func(require string) Common { return Common{Confirmation: &Confirmation{Require: require}} }
	get, post := &HTTP{Method: "GET"}, &HTTP{Method: "POST"}
	for _, c := range []struct {
		name    string
		spec    Spec
		common  Common
		mutates string
		gate    Gate
	}{
		{"http GET", get, Common{}, "false", Safe},
		{"http POST", post, Common{}, "true", Confirm},
		{"http DELETE", &HTTP{Method: "DELETE"}, Common{}, "true", Confirm},
		{"http without a method", &HTTP{}, Common{}, "true", Confirm},
		{"a variant that writes", &HTTP{Method: "GET", RequestVariants: []RequestVariant{{}, {Method: "PUT"}}}, Common{}, "true", Confirm},
		{"sandbox", &Sandbox{}, Common{}, "false", Safe},
		{"builtin", &Builtin{}, Common{}, "false", Safe},
		{"sql that reads", &SQL{Statement: "SELECT 1"}, Common{}, "false", Safe},
		{"sql that writes", &SQL{Statement: "DELETE FROM t"}, Common{}, "true", Confirm},
		{"cli", &CLI{}, Common{}, "true", Confirm},
		{"async webhook", &AsyncWebhook{Method: "POST"}, Common{}, "true", Confirm},
		{"mcp", &MCP{}, Common{}, "null", Confirm},
		{"lambda", &Lambda{}, Common{}, "null", Confirm},
		{"module", &Module{}, Common{}, "null", Confirm},
		{"workflow", &Workflow{}, Common{}, "null", Confirm},
		{"searchai", &SearchAI{}, Common{}, "false", Safe},
		{"table", &Table{}, Common{}, "false", Safe},
		{"table that writes", &Table{Operations: []string{"get", "insert"}}, Common{}, "true", Confirm},
		{"no binding", nil, Common{}, "null", Confirm},

		{"POST that says it only reads", post, Common{Hints: Hints{SideEffects: "false"}}, "false", Safe},
		{"GET that says it writes", get, Common{Hints: Hints{SideEffects: "true"}}, "true", Confirm},
		{"mutation: false", post, Common{Mutation: "false"}, "false", Safe},
		{"effect: read_only", post, Common{Effect: "read_only"}, "false", Safe},
		{"effect: state_write", get, Common{Effect: "state_write"}, "true", Confirm},
		{"effect: side_effect", get, Common{Effect: "side_effect"}, "true", Confirm},
		{"declarations that differ", get, Common{Mutation: "false", Hints: Hints{SideEffects: "true"}}, "true", Confirm},
		{"a placeholder", get, Common{Hints: Hints{SideEffects: "{{config.X}}"}}, "null", Confirm},
		{"risk_level: safe", post, Common{RiskLevel: "safe"}, "false", Safe},
		{"risk_level: confirm", get, Common{RiskLevel: "confirm"}, "false", Confirm},
		{"risk_level: blocked", get, Common{RiskLevel: "blocked"}, "false", Blocked},
		{"enabled: false", get, Common{Enabled: "false"}, "false", Blocked},
		{"require: always", get, confirmation("always"), "false", Confirm},
		{"require: never", post, confirmation("never"), "false", Safe},
		{"require: when_side_effects, none", get, confirmation("when_side_effects"), "false", Safe},
		{"require: when_side_effects, some", post, confirmation("when_side_effects"), "true", Confirm},
		{"never, but blocked", post, Common{RiskLevel: "blocked", Confirmation: &Confirmation{Require: "never"}}, "false", Blocked},
		{"never, but confirm", post, Common{RiskLevel: "confirm", Confirmation: &Confirmation{Require: "never"}}, "false", Confirm},
		{"never, and writes", get, Common{Mutation: "true", Confirmation: &Confirmation{Require: "never"}}, "true", Safe},
	} {
		t.Run(c.name, func(t *testing.T) {
			tool := Tool{Spec: c.spec, Common: c.common}
			if got := tri(tool.Mutates()); got != c.mutates {
				t.Errorf("%s: mutates %s, want %s", c.name, got, c.mutates)
			}
			if got := tool.Gate(); got != c.gate {
				t.Errorf("%s: gate %s, want %s", c.name, got, c.gate)
			}
		})
	}
}

func tri(v *bool) string {
	if v == nil {
		return "null"
	}
	return map[bool]string{true: "true", false: "false"}[*v]
}

func TestProtectedGate(t *testing.T) {
	never := &Confirmation{Require: "never"}
	post := Tool{Spec: &HTTP{Method: "POST"}, Common: Common{Confirmation: never}}
	if got := post.ProtectedGate(); got != Confirm {
		t.Errorf("POST with never: %s", got)
	}
	if post.Confirmation != never {
		t.Error("the tool was changed")
	}
	get := Tool{Spec: &HTTP{Method: "GET"}, Common: Common{Confirmation: never}}
	if got := get.ProtectedGate(); got != Safe {
		t.Errorf("GET with never: %s", got)
	}
}
