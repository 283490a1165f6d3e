package section

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

var agentNameRow = tool.Field{Name: "name", Required: true, Refused: true, Ref: tool.RefAgent, Declares: true, Doc: "The name itself."}

// yamlHead returns the keys that say who the agent is.
func yamlHead() []tool.Field {
	return slices.Concat([]tool.Field{
		{Name: "agent", Type: tool.Block, OneLine: true, Required: true, Refused: true, Unless: "supervisor", Ref: tool.RefAgent, Declares: true, Fields: []tool.Field{agentNameRow}},
		{Name: "supervisor", Type: tool.Block, OneLine: true, Ref: tool.RefAgent, Declares: true, Fields: []tool.Field{agentNameRow}},
	}, rowsOf(tool.String, "version", "description", "language"), []tool.Field{
		{Name: "goal", Type: tool.Block, OneLine: true, Fields: []tool.Field{
			{Name: "description", Doc: "The text itself."},
			{Name: "measurable", Type: tool.BooleanType, Doc: "Whether it can be measured that the goal is reached."},
		}},
		{Name: "persona", Type: tool.Block, OneLine: true, Fields: []tool.Field{{Name: "description", Doc: "The text itself."}}},
		{Name: "limitations", Type: tool.BlockList, Named: true, Fields: []tool.Field{{Name: "description", Doc: "The text itself."}}},
		{Name: "identity", Type: tool.Block, Fields: slices.Concat(
			rowsOf(tool.String, "role", "persona"), rowsOf(tool.ListType, "expertise", "limitations"))},
		{Name: "system_prompt"},
		{Name: "execution", Type: tool.Block, Fields: yamlExecution()},
		{Name: "mode", Type: tool.AnyType, Undocumented: true, Refused: true, Deprecated: "say `reasoning: true` or `false` in each step.", Doc: "How the agent works. It was removed."},
		{Name: "nlu", Type: tool.AnyType, Undocumented: true, Twin: twin("NLU"), Doc: "What the agent recognises. In YAML it is ignored."},
	})
}

func yamlExecution() []tool.Field {
	return slices.Concat(rowsOf(tool.String, "model", "fallback_model"), rowsOf(tool.NumberType,
		"temperature", "max_tokens", "tool_timeout", "llm_timeout", "session_idle_timeout", "max_reasoning_iterations", "max_flow_iterations", "conversation_history_window",
	), []tool.Field{
		{Name: "compaction", Type: tool.Block, Fields: inCamelCase([]tool.Field{
			{Name: "model"},
			{Name: "tool_results", Type: tool.Block, Fields: inCamelCase(slices.Concat(
				rowsOf(tool.WordType, "strategy"), rowsOf(tool.NumberType, "max_chars", "keep_recent"), []tool.Field{
					{Name: "structured_threshold", Type: tool.NumberType, Doc: "How many characters a result has before its structure is shortened."},
					{Name: "max_description_length", Type: tool.NumberType, Doc: "Longest text that is kept, in characters."},
					{Name: "essential_fields", Type: tool.MapType, Ref: tool.RefTool, Each: &tool.Field{Type: tool.ListType, Doc: "Fields of the tool's result that are always kept."}, Doc: "Fields that are always kept: a list for each tool."},
					{Name: "summarize_prompt", Doc: "What the model is told that sums a result up."},
				}))},
			{Name: "prior_turns", Type: tool.Block, Fields: inCamelCase(append(rowsOf(tool.WordType, "strategy"), rowsOf(tool.NumberType, "assistant_preview_chars")...))},
		})},
		{Name: "pipeline", Type: tool.Block, Fields: inSnakeCase([]tool.Field{
			{Name: "enabled", Type: tool.BooleanType},
			{Name: "mode", Type: tool.WordType},
			{Name: "model", Doc: "The model of the classification."},
			{Name: "shortCircuit", Type: tool.Block, Fields: inSnakeCase(append(rowsOf(tool.BooleanType, "enabled"), rowsOf(tool.NumberType, "confidenceThreshold")...))},
			{Name: "toolFilter", Type: tool.Block, Fields: inSnakeCase(append(rowsOf(tool.BooleanType, "enabled"), rowsOf(tool.NumberType, "maxTools")...))},
			{Name: "keywordVeto", Type: tool.Block, Fields: append(rowsOf(tool.BooleanType, "enabled"), rowsOf(tool.ListType, "keywords")...)},
			{Name: "intentBridge", Type: tool.Block, Fields: inSnakeCase(append(
				rowsOf(tool.BooleanType, "enabled", "outOfScopeDecline", "multiIntentSignal"), rowsOf(tool.NumberType, "programmaticThreshold", "guidedThreshold")...))},
		})},
	})
}

// yamlTalk returns the keys with texts, and how the agent speaks.
func yamlTalk() []tool.Field {
	return []tool.Field{
		{Name: "messages", Type: tool.MapType, Each: &tool.Field{Type: tool.String, OnlyText: true}},
		{Name: "templates", Type: tool.BlockList, Fields: []tool.Field{
			{Name: "name", Required: true, Ref: tool.RefTemplate, Declares: true, Doc: "The template's name, as in `TEMPLATE(name)`."},
			{Name: "content", Required: true, Doc: "Its text."},
		}},
		refusingTypes(inYAML([]tool.Field{conversationField}))[0],
	}
}

// refusingTypes marks rows for which the platform refuses a value of another type.
func refusingTypes(rows []tool.Field) []tool.Field {
	for i := range rows {
		rows[i].Refused = rows[i].Type != tool.WordType
		refusingTypes(rows[i].Fields)
	}
	return rows
}

// yamlRules returns the keys about what is remembered and what must hold.
func yamlRules() []tool.Field {
	return []tool.Field{
		{Name: "memory", Type: tool.Block, Fields: []tool.Field{
			{Name: "session", Type: tool.BlockList, Named: true, Fields: append(mandatory(tool.Field{Name: "name"}),
				tool.Field{Name: "description"}, tool.Field{Name: "initial_value", Type: tool.AnyType})},
			{Name: "persistent", Type: tool.BlockList, Named: true, Fields: append(mandatory(tool.Field{Name: "path"}),
				tool.Field{Name: "description"}, tool.Field{Name: "scope", Type: tool.WordType}, tool.Field{Name: "access", Type: tool.WordType},
				tool.Field{Name: "type", Type: tool.WordType, Values: words("string", "number", "boolean", "date", "array", "object")},
				tool.Field{Name: "unit"}, tool.Field{Name: "default_value", Type: tool.AnyType})},
			{Name: "remember", Type: tool.BlockList, Fields: append(mandatory(
				tool.Field{Name: "when", Type: tool.Expr},
				tool.Field{Name: "store", Type: tool.Block, Fields: mandatory(tool.Field{Name: "value", Type: tool.Expr}, tool.Field{Name: "target"})},
			), tool.Field{Name: "ttl"})},
			{Name: "recall", Type: tool.BlockList, Fields: []tool.Field{
				{Name: "event", Required: true, Twin: twin("ON"), Pattern: events, Form: eventForm}, {Name: "instruction"},
			}},
		}},
		{Name: "constraints", Type: tool.BlockList, Fields: append(yamlRule("requirements"),
			tool.Field{Name: "name", Doc: "The name of a group of rules."},
			tool.Field{Name: "requirements", Type: tool.BlockList, Required: true, Unless: "condition", Fields: yamlRule(""), Twin: twin("."), Doc: "The rules of a group. The first item of `constraints` decides whether all are groups."})},
		{Name: "guardrails", Type: tool.BlockList, Fields: []tool.Field{
			{Name: "name", Required: true, Doc: "The guardrail's name."},
			{Name: "kind", Type: tool.WordType, Default: "input"},
			{Name: "check", Type: tool.Expr, Required: true},
			{Name: "action", Type: tool.WordType, Default: "block"},
			{Name: "message"}, {Name: "priority", Type: tool.NumberType},
		}},
	}
}

// yamlRule returns the keys of a rule. Those that it must have are not needed in a group, which has
// the key group.
func yamlRule(group string) []tool.Field {
	return []tool.Field{
		{Name: "condition", Type: tool.Expr, Required: true, Unless: group, Doc: "The condition that must hold; of a `restrict` rule, the one that must not."},
		{Name: "on_fail", Type: tool.Block, OneLine: true, Required: true, Unless: group, By: "action", Fields: yamlFailure()},
		{Name: "kind", Type: tool.WordType, Default: "require", Doc: "The kind of rule.", Values: []tool.Word{
			{Name: "require", Doc: "The condition must hold."}, {Name: "limit", Doc: "The condition must hold."}, {Name: "restrict", Doc: "The condition must not hold."},
		}},
		{Name: "when", Type: tool.Expr},
		{Name: "before", Type: tool.Block, OneLine: true, Doc: "What the rule comes before: `calling TOOL`, `returning results`, or a map.", Fields: []tool.Field{
			{Name: "kind", Type: tool.WordType, Values: []tool.Word{{Name: "tool_call", Doc: "The call of `target`."}, {Name: "respond", Doc: "The answer."}}, Doc: "What it comes before."},
			{Name: "target", Ref: tool.RefTool, Doc: "The tool, of `tool_call`."},
			{Name: "raw", Doc: "The same as a text: `calling TOOL` or `returning results`."},
		}},
		{Name: "severity", Type: tool.WordType, Values: []tool.Word{{Name: "error", Doc: "The rule must be kept."}, {Name: "warning", Doc: "The rule should be kept."}}, Doc: "How serious a breach is. `warning` is `WARN` of ABL."},
	}
}

// yamlFailure returns the keys of a rule's `on_fail`, by its action.
func yamlFailure() []tool.Field {
	return []tool.Field{
		{Name: "action", Type: tool.WordType, Doc: "What happens.", Values: []tool.Word{
			{Name: "respond", Doc: "Says `message`."}, {Name: "escalate", Doc: "Hands over to a human."}, {Name: "handoff", Doc: "Hands over to the agent `target`."},
			{Name: "block", Doc: "Stops."}, {Name: "collect_field", Doc: "Asks for fields again."}, {Name: "goto_step", Doc: "Goes to `step`."}, {Name: "retry_step", Doc: "Does the step again."},
		}},
		{Name: "message", With: []string{"respond"}, Doc: "What is said."},
		{Name: "reason", With: []string{"escalate"}, Doc: "Why, to the human."},
		{Name: "target", Ref: tool.RefAgent, With: []string{"handoff"}, Needs: []string{"handoff"}, Doc: "The agent that takes over."},
		{Name: "collect_fields", Type: tool.ListType, Ref: tool.RefField, With: []string{"collect_field"}, Doc: "The fields that are asked for again."},
		{Name: "then", Type: tool.WordType, With: []string{"collect_field"}, Values: words("continue", "retry")},
		{Name: "step", Ref: tool.RefStep, With: []string{"goto_step"}, Needs: []string{"goto_step"}, Doc: "The step to go to."},
		{Name: "respond", Ref: tool.RefTemplate, With: []string{"goto_step"}, Doc: "What is said before."},
	}
}
