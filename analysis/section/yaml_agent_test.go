package section

import (
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool"
)

// TestYAMLAgentIsComplete: each key has a twin with a Doc, or a Doc of its own, and each closed set
// has its words.
func TestYAMLAgentIsComplete(t *testing.T) {
	w := &walker{t: t, seen: map[*tool.Field]bool{}}
	w.field("agent", YAMLAgent())
	if w.fields < 1000 {
		t.Errorf("%d fields were checked", w.fields)
	}
	for field := range w.seen {
		if field.Type == tool.WordType && len(field.Values) == 0 {
			t.Errorf("%s has no words", field.Name)
		}
		if field.Twin != nil && field.Twin.Doc == "" && field.Twin.Name != "" {
			t.Errorf("%s has the name of a twin, %s, and no twin", field.Name, field.Twin.Name)
		}
	}
}

// yamlRow returns the row at a path of keys; `*` is the author's name, and `[]` an item.
func yamlRow(t *testing.T, path string) *tool.Field {
	t.Helper()
	row := YAMLAgent()
	for key := range strings.SplitSeq(path, ".") {
		rows := row.Fields
		switch key {
		case "*":
			row = row.Each
			continue
		case "[]":
			rows = row.Items
			row = &tool.Field{Fields: rows}
			continue
		}
		if row, _ = tool.Find(rows, key); row == nil {
			t.Fatalf("no %s in %s", key, path)
		}
	}
	return row
}

func TestYAMLTwins(t *testing.T) {
	for _, tt := range []struct{ path, want string }{
		{"agent", "AGENT"},
		{"identity.role", "role"},
		{"execution.pipeline.shortCircuit.confidenceThreshold", "confidenceThreshold"},
		{"tools", "TOOLS"},
		{"tools.name", ""},
		{"tools.http_binding.endpoint", "endpoint"},
		{"tools.mcp_binding.tool", "server_tool"},
		{"gather.[].prompt", "prompt"},
		{"gather.fields.prompt", "prompt"},
		{"memory.session.initial_value", "INITIAL"},
		{"memory.recall.event", "ON"},
		{"constraints.requirements.on_fail", "ON_FAIL"},
		{"handoff.return", "EXPECT_RETURN"},
		{"flow.steps.*.available_tools", "AVAILABLE_TOOLS"},
		{"flow.steps.*.call_with", "WITH"},
		{"flow.steps.*.gather.prompt", "PROMPT"},
		{"flow.steps.*.gather.fields.prompt", "prompt"},
		{"flow.steps.*.gather.fields.validation", "validate"},
		{"flow.steps.*.on_failure.branches.then", "THEN"},
		{"flow.steps.*.on_no_input.mode", "mode"},
		{"flow.steps.*.voice_config.barge_in", "barge_in"},
		{"action_handlers.*.do.on_return.map", "MAP"},
		{"conversation.listening.on_hold.grace_ms", "grace_ms"},
	} {
		t.Run(tt.path, func(t *testing.T) {
			row, got := yamlRow(t, tt.path), ""
			if row.Twin != nil {
				got = row.Twin.Name
				if row.Doc != row.Twin.Doc && tt.path != "tools" {
					t.Errorf("%s says %q, its twin %q", tt.path, row.Doc, row.Twin.Doc)
				}
			}
			if got != tt.want {
				t.Errorf("%s stands for %q, want %q", tt.path, got, tt.want)
			}
		})
	}
}

func TestOnlyInABL(t *testing.T) {
	for _, tt := range []struct{ path, key, want string }{
		{"", "instructions", "INSTRUCTIONS"},
		{"", "use_behavior_profile", "USE BEHAVIOR_PROFILE"},
		{"", "instrutions", ""},
		{"tools", "confirmation", "confirmation"},
		{"tools.http_binding", "headers", "headers"},
		{"handoff", "remote", "REMOTE"},
		{"handoff", "expect_return", ""},
		{"flow", "global_digressions", "global_digressions"},
		{"flow", "reasoning", ""},
		{"guardrails", "llm_check", "llm_check"},
		{"flow.steps.*", "transform", "TRANSFORM"},
		{"flow.steps.*.digressions", "do", "DO"},
		{"memory.recall", "paths", "PATHS"},
	} {
		t.Run(tt.path+"."+tt.key, func(t *testing.T) {
			row, got := YAMLAgent(), ""
			if tt.path != "" {
				row = yamlRow(t, tt.path)
			}
			if only := OnlyInABL(row, tt.key); only != nil {
				got = only.Name
			}
			if got != tt.want {
				t.Errorf("%s in %s is ABL's %q, want %q", tt.key, tt.path, got, tt.want)
			}
		})
	}
}
