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
		tool := Tool{Spec: c.spec, Common: c.common}
		if got := tri(tool.Mutates()); got != c.mutates {
			t.Errorf("%s: mutates %s, want %s", c.name, got, c.mutates)
		}
		if got := tool.Gate(); got != c.gate {
			t.Errorf("%s: gate %s, want %s", c.name, got, c.gate)
		}
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

func TestReads(t *testing.T) {
	for statement, want := range map[string]bool{
		"SELECT * FROM t WHERE a = $1;":                  true,
		"  -- all of them\n select a from t ; ":          true,
		"WITH x AS (SELECT 1) SELECT * FROM x":           true,
		"SELECT * FROM t WHERE action = 'delete; drop'":  true,
		`SELECT "update" FROM t`:                         true,
		"SELECT data #>> '{a}' FROM t":                   true,
		"SELECT replace(a, 'x', 'y'), updated_at FROM t": true,
		"VALUES (1)":              true,
		"EXPLAIN SELECT 1":        true,
		"":                        false,
		"-- nothing":              false,
		"UPDATE t SET a = 1":      false,
		"SELECT 1; DELETE FROM t": false,
		"WITH x AS (DELETE FROM t RETURNING *) SELECT 1":     false,
		"SELECT * INTO u FROM t":                             false,
		"EXPLAIN ANALYZE DELETE FROM t":                      false,
		"SELECT 1 /*! INTO OUTFILE 'x' */":                   false,
		"SELECT 1 --don't\n INTO OUTFILE 'x'":                false,
		"SELECT 1 # don't\n INTO OUTFILE 'x'":                false,
		"SELECT $$don't$$ FROM (DELETE FROM t RETURNING '')": false,
		`SELECT '\' FROM (DELETE FROM t RETURNING ' ')`:      false,
		"SELECT ARRAY['a', 'b'][1], x[2] FROM t":             true,
		"SELECT [a;b] FROM t":                                false,
		"SELECT 1 AS ['], 2; DELETE FROM t WHERE a = '1'":    false,
		"SELECT 1 AS [/*], 2; DELETE FROM t /* */":           false,
		"SELECT 1 AS [--], (\nDELETE FROM t)":                false,
		"SELECT 1 /*M! INTO OUTFILE 'x' */":                  false,
		"SELECT 1 /*M!100100 INTO OUTFILE 'x' */":            false,
		"SELECT 1.5INTO OUTFILE 'x'":                         false,
		"SELECT 1e1INTO OUTFILE 'x'":                         false,
		"SELECT $1INTO t":                                    false,
		"SELECT 0x1FINTO t":                                  false,
		"SELECT $ü$'$ü$ FROM (DELETE FROM t RETURNING '')":   false,
		"SELECT * FROM t FOR UPDATE":                         false,
		"EXPLAIN (ANALYZE) INSERT INTO t VALUES (1)":         false,
		"SELECT/**/1/**/INTO/**/OUTFILE/**/'x'":              false,
		"EXPLAIN ANALYZE CREATE TABLE a AS SELECT 1":         false,
		"COPY t TO PROGRAM 'x'":                              false,
		"SET a = 1":                                          false,
		"BEGIN":                                              false,
		"{{.sql}}":                                           false,
		"PRAGMA journal_mode = WAL":                          false,
		"CALL p()":                                           false,
		"SELECT 1 --\rINTO t":                                false,
		"SELECT 1 /* /* */ '*/ INTO t -- '":                  false,
		"SELECT 1 --\r\n":                                    true,
		"SELECT pg_terminate_backend(7)":                     false,
		`SELECT "pg_terminate_backend"(7)`:                   false,
		"SELECT dblink_exec('x', 'DROP TABLE t')":            false,
		"SELECT query_to_xml('x', true, true, '')":           false,
		"SELECT pid FROM pg_stat_replication":                true,
		"SELECT x::numeric(10, 2) FROM t":                    true,
		"SELECT @a('), 1 INTO t --'":                         false,
		"SELECT 1 #>'\n INTO t -- '":                         false,
		"SELECT 1 #> \"'\" '\n INTO t -- '":                  false,
	} {
		if got := Reads(statement); got != want {
			t.Errorf("Reads(%q) = %v", statement, got)
		}
	}
}
