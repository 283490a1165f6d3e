package section

import (
	"regexp"
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

var (
	lastN       = regexp.MustCompile(`(?i)^last_(\d+|n)$`)
	respondWith = regexp.MustCompile(`(?i)^(respond|retry)\b`)
	number      = regexp.MustCompile(`^\d+$`)
)

var experienceField = tool.Field{Name: "EXPERIENCE_MODE", Type: tool.WordType, Values: []tool.Word{
	{Name: "shared_voice_handoff", Doc: "The other agent speaks with the same voice."}, {Name: "visible_handoff", Doc: "The user sees that another agent answers."},
	{Name: "silent_delegate", Doc: "The user sees nothing of it."}, {Name: "human_escalation", Doc: "A human answers."},
}, Doc: "What the user notices."}

var remoteField = tool.Field{Name: "REMOTE", Type: tool.AnyType, Doc: "Where an agent outside of the project is: `location`, `endpoint`, `protocol`, `auth`, `timeout`."}

func grantsField(name string) tool.Field {
	return tool.Field{Name: name, Type: tool.BlockList, Open: true, OneLine: true, Fields: []tool.Field{
		{Name: "path", Type: tool.String, Doc: "The path in memory."},
		{Name: "access", Type: tool.WordType, Values: words("read", "readwrite"), Doc: "What the other agent may do with it."},
	}, Doc: "Memory that the other agent may use."}
}

// contextFields are what the other agent gets to know; some may also stand in
// the entry itself.
var contextFields = []tool.Field{
	{Name: "pass", Type: tool.ListType, Ref: tool.RefField, Doc: "Variables that are handed over."},
	{Name: "summary", Type: tool.String, Doc: "What the other agent is told."},
	{Name: "history", Type: tool.Block, OneLine: true, Values: []tool.Word{
		{Name: "full", Doc: "All of it."}, {Name: "auto", Doc: "The platform chooses."}, {Name: "none", Doc: "Nothing."}, {Name: "summary_only", Doc: "A summary."},
	}, Pattern: lastN, Form: "`last_5` and the like", Fields: []tool.Field{
		{Name: "mode", Type: tool.String, Doc: "How much of it."},
		{Name: "count", Type: tool.NumberType, Doc: "How many messages."},
	}, Doc: "How much of the conversation is handed over; `last_5` for the last five messages."},
	{Name: "set", Type: tool.MapType, OneLine: true, Doc: "Variables to set for the other agent."},
	grantsField("memory_grants"),
}

func handoffFields() []tool.Field {
	return slices.Concat([]tool.Field{
		{Name: "TO", Type: tool.String, Required: true, Ref: tool.RefAgent, Doc: "The agent that takes over."},
		{Name: "WHEN", Type: tool.Expr, Required: true, Doc: "When: a condition, or plain words for the model to judge."},
		{Name: "PRIORITY", Type: tool.AnyType, Doc: "Which one wins where several conditions hold."},
		{Name: "CONTEXT", Type: tool.Block, Fields: contextFields, Doc: "What the other agent gets to know."},
		{Name: "EXPECT_RETURN", Synonyms: []string{"RETURN"}, Type: tool.BooleanType, Default: "false", Doc: "Whether the other agent hands back."},
		{Name: "ON_FAILURE", Type: tool.WordType, Values: []tool.Word{
			{Name: "CONTINUE", Doc: "Goes on without it."}, {Name: "ESCALATE", Doc: "Hands over to a human."},
		}, Pattern: respondWith, Form: "`RESPOND \"…\"`", Doc: "What to do where the other agent cannot be reached: also `RESPOND \"…\"`."},
		{Name: "ON_RETURN", Type: tool.Block, OneLine: true, Ref: tool.RefHandler, Fields: []tool.Field{
			{Name: "action", Type: tool.WordType, Values: []tool.Word{
				{Name: "continue", Doc: "Goes on where it was."}, {Name: "resume_intent", Doc: "Takes up what the user wanted."},
			}, Doc: "What to do then."},
			{Name: "handler", Type: tool.String, Ref: tool.RefHandler, Doc: "A handler of `RETURN_HANDLERS`."},
			{Name: "resume_with", Type: tool.AnyType, Doc: "What to go on with."},
			{Name: "map", Type: tool.MapType, OneLine: true, Doc: "Variables that get what the other agent gives back."},
			{Name: "set", Type: tool.MapType, OneLine: true, Doc: "Variables to set."},
		}, Doc: "What to do when the other agent hands back: a handler's name, or a block."},
		experienceField, remoteField,
		{Name: "ASYNC", Type: tool.AnyType, Doc: "Whether the agent goes on meanwhile."},
		{Name: "ASYNC_TIMEOUT", Aliases: []string{"TIMEOUT"}, Type: tool.AnyType, Doc: "How long to wait for the other agent."},
		{Name: "MAP", Type: tool.AnyType, Undocumented: true, Doc: "Older way to hand variables over."},
		{Name: "ON_TIMEOUT", Type: tool.AnyType, Undocumented: true, Doc: "What to do where the other agent takes too long."},
		{Name: "LOCATION", Type: tool.AnyType, Undocumented: true, Doc: "Where the other agent is."},
		{Name: "ENDPOINT", Type: tool.AnyType, Undocumented: true, Doc: "The address of the other agent."},
		{Name: "PROTOCOL", Type: tool.AnyType, Undocumented: true, Doc: "How the other agent is spoken to."},
	}, contextFields[:3])
}

var delegateFields = []tool.Field{
	{Name: "AGENT", Aliases: []string{"TO"}, Type: tool.String, Required: true, Ref: tool.RefAgent, Doc: "The agent that does the work."},
	{Name: "WHEN", Type: tool.Expr, Doc: "When: a condition, or plain words for the model to judge."},
	{Name: "PURPOSE", Aliases: []string{"SUMMARY"}, Type: tool.String, Doc: "What the work is."},
	{Name: "INPUT", Aliases: []string{"PASS"}, Type: tool.AnyType, Doc: "What the other agent gets."},
	{Name: "RETURNS", Type: tool.AnyType, Doc: "What the other agent gives back."},
	{Name: "USE_RESULT", Type: tool.AnyType, Doc: "What to do with it."},
	{Name: "TIMEOUT", Type: tool.String, Pattern: duration, Form: durationForm, Doc: "How long to wait, such as `\"30s\"`."},
	{Name: "ON_FAIL", Synonyms: []string{"ON_FAILURE"}, Type: tool.Block, OneLine: true, Values: []tool.Word{
		{Name: "respond", Doc: "Says `FAILURE_MESSAGE`."}, {Name: "continue", Doc: "Goes on without the result."},
		{Name: "escalate", Doc: "Hands over to a human."}, {Name: "retry", Doc: "Tries again."},
	}, Pattern: respondWith, Fields: []tool.Field{
		{Name: "type", Type: tool.WordType, Values: words("respond", "continue", "escalate", "retry"), Doc: "What to do."},
		{Name: "count", Type: tool.NumberType, Doc: "How often to try again."},
	}, Doc: "What to do where the other agent fails."},
	{Name: "FAILURE_MESSAGE", Type: tool.String, Doc: "What to say where the other agent fails."},
	grantsField("MEMORY_GRANTS"),
	experienceField, remoteField,
}

var triggerFields = []tool.Field{
	{Name: "WHEN", Type: tool.Expr, Doc: "When: a condition, or plain words for the model to judge."},
	{Name: "REASON", Type: tool.String, Doc: "Why, to the human."},
	{Name: "PRIORITY", Type: tool.WordType, Values: words("low", "medium", "high", "critical"), Pattern: number, Form: "a number", Doc: "How urgent it is: a word or a number."},
	{Name: "TAGS", Type: tool.ListType, Doc: "Labels for the human's queue."},
	setField,
	{Name: "GENESYS_SIP_HEADERS", Type: tool.AnyType, Doc: "SIP headers for Genesys."},
}

var escalateFields = []tool.Field{
	{Name: "triggers", Type: tool.BlockList, Open: true, Fields: triggerFields, Doc: "When a human takes over."},
	{Name: "context_for_human", Type: tool.BlockList, Open: true, OneLine: true, Fields: []tool.Field{
		{Name: "NAME", Type: tool.String, Doc: "The name of the part."},
		{Name: "TEMPLATE", Type: tool.String, Doc: "Its text."},
		{Name: "INCLUDE", Type: tool.AnyType, Doc: "What it includes."},
	}, Doc: "What the human gets to know: names, or blocks."},
	{Name: "routing", Type: tool.AnyType, Doc: "Where the conversation goes: `connection`, `queue`, `skills`, `priority`, `post_agent`, …"},
	{Name: "on_human_complete", Type: tool.ListType, Doc: "What to do when the human is done: `- IF condition: ACTION`."},
	{Name: "CONNECTOR_ACTION", Type: tool.String, Doc: "The action of the connector that hands over."},
}

// teamSections are the sections about other agents and humans.
func teamSections() []tool.Field {
	complete := slices.Concat([]tool.Field{
		{Name: "WHEN", Type: tool.Expr, Required: true, Doc: "The condition under which the work is done. Plain words are none."},
	}, respondFields(), []tool.Field{
		setField,
		{Name: "TERMINAL", Type: tool.BooleanType, Default: "true", Doc: "Whether the conversation ends."},
		storeField,
	})
	returned := withActions(append(respondFields(),
		clearField,
		tool.Field{Name: "CONTINUE", Type: tool.AnyType, Doc: "Goes on where the agent was."},
		tool.Field{Name: "RESUME_INTENT", Type: tool.AnyType, Doc: "Takes up what the user wanted."},
	))
	return []tool.Field{
		{Name: "HANDOFF", Type: tool.BlockList, Open: true, Fields: handoffFields(), Doc: "Agents that take over."},
		{Name: "DELEGATE", Type: tool.BlockList, Open: true, Fields: delegateFields, Doc: "Agents that do a part of the work and report back."},
		{Name: "RETURN_HANDLERS", Type: tool.Block, Open: true, Each: &tool.Field{Type: tool.Block, OneLine: true, Fields: returned},
			Doc: "What to do when another agent hands back, by name."},
		{Name: "ESCALATE", Type: tool.Block, Fields: escalateFields, Doc: "When and how a human takes over."},
		{Name: "COMPLETE", Type: tool.BlockList, Open: true, Fields: complete, Doc: "When the work is done, and what to say then."},
	}
}
