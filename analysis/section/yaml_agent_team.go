package section

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

// yamlTeam returns the keys about other agents, humans and the end.
func yamlTeam() []tool.Field {
	return []tool.Field{
		{Name: "delegate", Type: tool.BlockList, Fields: []tool.Field{
			{Name: "agent", Required: true}, {Name: "when", Type: tool.Expr}, {Name: "purpose"},
			expressionMap("input"), {Name: "returns", Type: tool.MapType}, {Name: "use_result"}, {Name: "timeout"},
		}},
		{Name: "handoff", Type: tool.BlockList, Fields: []tool.Field{
			{Name: "to", Required: true}, {Name: "when", Type: tool.Expr, Required: true}, {Name: "priority", Type: tool.NumberType},
			{Name: "context", Type: tool.Block, Fields: yamlContext()},
			{Name: "return", Type: tool.BooleanType},
			{Name: "on_return", Type: tool.Block, OneLine: true, Fields: []tool.Field{
				{Name: "action", Type: tool.WordType}, {Name: "handler"}, expressionMap("map"),
			}},
			{Name: "on_return_map", Type: tool.AnyType, Undocumented: true, Deprecated: "write `map` below `on_return`.", Doc: "Variables that get what the other agent gives back. It was removed."},
		}},
		{Name: "return_handlers", Type: tool.Block, Open: true, Each: &tool.Field{
			Name: "return handler", Type: tool.Block, Ref: tool.RefHandler, Declares: true,
			Fields: []tool.Field{{Name: "respond"}, {Name: "clear", Type: tool.ListType}, {Name: "continue", Type: tool.BooleanType}, {Name: "resume_intent", Type: tool.BooleanType}},
		}},
		{Name: "escalate", Type: tool.Block, Fields: yamlEscalate()},
		{Name: "complete", Type: tool.BlockList, Fields: append([]tool.Field{
			{Name: "when", Type: tool.Expr, Required: true}, {Name: "respond"},
			{Name: "store"},
		}, yamlAnswer(answerVoice, "voice")...)},
		{Name: "on_error", Type: tool.BlockList, Fields: slices.Concat([]tool.Field{
			{Name: "type", Type: tool.WordType, Required: true, Pattern: anything},
			{Name: "subtypes", Type: tool.ListType},
			{Name: "respond"},
		}, rowsOf(tool.NumberType, "retry", "retry_delay", "retry_max_delay"), []tool.Field{
			{Name: "retry_backoff", Type: tool.WordType}, {Name: "then"}, {Name: "backtrack_to"},
		}, yamlAnswer(branchVoice, "voice"))},
	}
}

// yamlContext returns the keys of what another agent gets to know.
func yamlContext() []tool.Field {
	return []tool.Field{
		{Name: "pass", Type: tool.ListType}, {Name: "summary"},
		{Name: "memory_grants", Type: tool.BlockList, Fields: []tool.Field{{Name: "path", Required: true}, {Name: "access", Type: tool.WordType}}},
		{Name: "history", Type: tool.Block, OneLine: true, By: "mode",
			Values: words("auto", "none", "summary_only", "full"), Pattern: lastN, Form: "`last_5` and the like",
			Fields: []tool.Field{
				{Name: "mode", Type: tool.WordType, Required: true, Refused: true},
				{Name: "count", Type: tool.NumberType, Refused: true, Needs: []string{"last_n"}},
			}},
		{Name: "grant_memory", Type: tool.AnyType, Undocumented: true, Refused: true, Deprecated: "write `memory_grants`, a list of `path` and `access`.", Doc: "Memory that the other agent may use. It was removed."},
	}
}

func yamlEscalate() []tool.Field {
	return []tool.Field{
		{Name: "triggers", Type: tool.BlockList, Fields: []tool.Field{
			{Name: "when", Type: tool.Expr, Required: true}, {Name: "reason"}, {Name: "priority", Type: tool.WordType, Default: "medium"}, {Name: "tags", Type: tool.ListType},
		}},
		{Name: "context_for_human", Type: tool.BlockList, Twin: twin("context_for_human"), Doc: "What the human gets to know: a list of maps.", Fields: []tool.Field{
			{Name: "name", Required: true}, {Name: "template"}, {Name: "include", Type: tool.ListType},
		}},
		{Name: "on_human_complete", Type: tool.BlockList, Twin: twin("on_human_complete"), Doc: "What to do when the human is done.", Fields: []tool.Field{
			{Name: "condition", Type: tool.Expr, Required: true, Doc: "The condition under which it happens."},
			{Name: "action", Required: true, Doc: "What happens."},
		}},
	}
}
