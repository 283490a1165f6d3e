package section

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

var (
	lastN       = lazyregexp.New(`(?i)^last_(\d+|n)$`)
	respondWith = lazyregexp.New(`(?i)^(respond|retry)\b`)
	number      = lazyregexp.New(`^\d+$`)
)

var experienceField = tool.Field{Name: "EXPERIENCE_MODE", Type: tool.WordType, Values: []tool.Word{
	{Name: "shared_voice_handoff", Doc: "The other agent speaks with the same voice."}, {Name: "visible_handoff", Doc: "The user sees that another agent answers."},
	{Name: "silent_delegate", Doc: "The user sees nothing of it."}, {Name: "human_escalation", Doc: "A human answers."},
}, Doc: "What the user notices."}

// remoteFields say where an agent outside the project is.
var remoteFields = []tool.Field{
	{Name: "location", Type: tool.WordType, Values: words("local", "remote"), Doc: "Where the other agent is."},
	{Name: "endpoint", Type: tool.String, Doc: "The address of the other agent."},
	{Name: "protocol", Type: tool.WordType, Values: words("a2a", "rest"), Doc: "How the other agent is spoken to."},
	{Name: "auth", Type: tool.AnyType, Doc: "How the agent signs in there."},
	{Name: "timeout", Type: tool.AnyType, Doc: "How long to wait for the other agent."},
}

var remoteField = tool.Field{Name: "REMOTE", Type: tool.Block, OneLine: true, Open: true, Fields: remoteFields,
	Doc: "Where an agent outside of the project is: `location`, `endpoint`, `protocol`, `auth`, `timeout`."}

// legacyRemote returns the keys of REMOTE that may also be in the entry itself.
func legacyRemote() []tool.Field {
	fields := slices.Clone(remoteFields[:3])
	for i := range fields {
		fields[i].Name, fields[i].Undocumented = strings.ToUpper(fields[i].Name), true
	}
	return fields
}

func grantsField(name string) tool.Field {
	return tool.Field{Name: name, Type: tool.BlockList, Open: true, OneLine: true, Fields: []tool.Field{
		{Name: "path", Type: tool.String, Doc: "The path in memory."},
		{Name: "access", Type: tool.WordType, Values: words("read", "readwrite"), Doc: "What the other agent may do with it."},
	}, Doc: "Memory that the other agent may use."}
}

// contextFields are what the other agent gets to know; some may also be in
// the entry itself.
var contextFields = []tool.Field{
	{Name: "pass", Type: tool.ListType, Ref: tool.RefVariable, Doc: "Variables that are handed over."},
	{Name: "summary", Type: tool.String, Doc: "What the other agent is told."},
	{Name: "history", Type: tool.Block, OneLine: true, Values: []tool.Word{
		{Name: "full", Doc: "All of it."}, {Name: "auto", Doc: "The platform chooses."}, {Name: "none", Doc: "Nothing."}, {Name: "summary_only", Doc: "A summary."},
	}, Pattern: lastN, Form: "`last_5` and the like", Fields: []tool.Field{
		{Name: "mode", Type: tool.WordType, Required: true, Refused: true, Values: []tool.Word{
			{Name: "full", Doc: "All of it."}, {Name: "auto", Doc: "The platform chooses."}, {Name: "none", Doc: "Nothing."},
			{Name: "summary_only", Doc: "A summary."}, {Name: "last_n", Doc: "The last `count` messages."},
		}, Doc: "How much of it."},
		{Name: "required", Type: tool.BooleanType, Doc: "Whether the hand-off needs it."},
		{Name: "count", Type: tool.NumberType, Doc: "How many messages; needed with `last_n`."},
	}, Doc: "How much of the conversation is handed over; `last_5` for the last five messages."},
	{Name: "set", Type: tool.MapType, OneLine: true, Doc: "Variables to set for the other agent."},
	grantsField("memory_grants"),
}

func handoffFields() []tool.Field {
	return slices.Concat([]tool.Field{
		{Name: "TO", Type: tool.String, Required: true, Ref: tool.RefAgent, Doc: "The agent that takes over."},
		{Name: "WHEN", Type: tool.Expr, Required: true, Doc: "When: a condition, or plain words for the model to judge."},
		{Name: "PRIORITY", Type: tool.String, Doc: "Which one wins where several conditions hold."},
		{Name: "CONTEXT", Type: tool.Block, Fields: contextFields, Doc: "What the other agent gets to know."},
		{Name: "EXPECT_RETURN", Synonyms: []string{"RETURN"}, Type: tool.BooleanType, Default: "false", Doc: "Whether the other agent hands back."},
		{Name: "ON_FAILURE", Type: tool.WordType, Values: []tool.Word{
			{Name: "CONTINUE", Doc: "Goes on without it."}, {Name: "ESCALATE", Doc: "Hands over to a human."},
		}, Pattern: respondWith, Quoted: true, Form: "`RESPOND \"…\"`, or a text in quotes", Doc: "What to do where the other agent cannot be reached: also `RESPOND \"…\"`, or a text that is said."},
		{Name: "ON_RETURN", Type: tool.Block, OneLine: true, Ref: tool.RefHandler, Fields: []tool.Field{
			{Name: "action", Type: tool.WordType, Values: []tool.Word{
				{Name: "continue", Doc: "Goes on where it was."}, {Name: "resume_intent", Doc: "Takes up what the user wanted."},
			}, Doc: "What to do then."},
			{Name: "handler", Type: tool.String, Ref: tool.RefHandler, Doc: "A handler of `RETURN_HANDLERS`."},
			{Name: "resume_with", Type: tool.WordType, Values: []tool.Word{
				{Name: "original_handoff_utterance", Doc: "What the user said before the hand-off."},
				{Name: "latest_child_user_utterance", Doc: "What the user said last to the other agent."},
				{Name: "latest_session_user_utterance", Doc: "What the user said last at all."},
				{Name: "forwarded_return_message", Doc: "What the other agent gives back."},
			}, Doc: "What to go on with."},
			{Name: "map", Type: tool.MapType, OneLine: true, Doc: "Variables that get what the other agent gives back."},
			{Name: "set", Type: tool.MapType, OneLine: true, Doc: "Variables to set."},
		}, Doc: "What to do when the other agent hands back: a handler's name, or a block."},
		experienceField, remoteField,
		{Name: "ASYNC", Type: tool.AnyType, Doc: "Whether the agent goes on meanwhile."},
		{Name: "ASYNC_TIMEOUT", Synonyms: []string{"TIMEOUT"}, Type: tool.AnyType, Doc: "How long to wait for the other agent."},
		{Name: "MAP", Type: tool.AnyType, Undocumented: true, Doc: "Older way to hand variables over."},
		{Name: "ON_TIMEOUT", Type: tool.AnyType, Undocumented: true, Doc: "What to do where the other agent takes too long."},
	}, legacyRemote(), contextFields[:3])
}

var delegateFields = slices.Concat([]tool.Field{
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
	}, Pattern: respondWith, Quoted: true, Fields: []tool.Field{
		{Name: "type", Type: tool.WordType, Values: words("respond", "continue", "escalate", "retry"), Doc: "What to do."},
		{Name: "count", Type: tool.NumberType, Doc: "How often to try again."},
	}, Doc: "What to do where the other agent fails."},
	{Name: "FAILURE_MESSAGE", Type: tool.String, Doc: "What to say where the other agent fails."},
	grantsField("MEMORY_GRANTS"),
	experienceField, remoteField,
}, legacyRemote())

var triggerFields = []tool.Field{
	{Name: "WHEN", Type: tool.Expr, Doc: "When: a condition, or plain words for the model to judge."},
	{Name: "REASON", Type: tool.String, Doc: "Why, to the human."},
	{Name: "PRIORITY", Type: tool.WordType, Values: words("low", "medium", "high", "critical"), Pattern: number, Form: "a number", Doc: "How urgent it is: a word or a number."},
	{Name: "TAGS", Type: tool.ListType, Doc: "Labels for the human's queue."},
	setField,
	genesysHeaders("GENESYS_SIP_HEADERS"),
}

// genesysHeaders returns what a transfer to Genesys tells in SIP headers.
func genesysHeaders(name string) tool.Field {
	return tool.Field{Name: name, Type: tool.Block, Fields: inCamelCase([]tool.Field{
		{Name: "queue_header_key", Type: tool.String, Doc: "The name of the header for the queue."},
		{Name: "queue_name", Type: tool.String, Doc: "The queue."},
		{Name: "reason_header_key", Type: tool.String, Doc: "The name of the header for the reason."},
		{Name: "reason", Type: tool.String, Doc: "The reason."},
		{Name: "metadata_header_key", Type: tool.String, Doc: "The name of the header for further data."},
		{Name: "metadata", Type: tool.Block, OneLine: true, Open: true, Doc: "Further data: a text, or a map."},
	}), Doc: "SIP headers for Genesys."}
}

// routeFields say where the platform transfers a conversation to.
var routeFields = inCamelCase([]tool.Field{
	{Name: "connection", Type: tool.AnyType, Ref: tool.RefConnection, Doc: "The connection to the humans' system."},
	{Name: "queue", Type: tool.AnyType, Doc: "The queue there."},
	{Name: "skills", Type: tool.AnyType, Doc: "What the human must be able to do."},
	{Name: "priority", Type: tool.AnyType, Doc: "How urgent it is."},
	{Name: "post_agent", Type: tool.WordType, Values: []tool.Word{
		{Name: "return", Doc: "The conversation comes back."}, {Name: "end", Doc: "The conversation ends."},
	}, Doc: "What happens when the human is done."},
	{Name: "sub_type", Type: tool.AnyType, Doc: "The kind of transfer."},
	{Name: "named_agents", Type: tool.AnyType, Doc: "Certain humans."},
	{Name: "named_agent_options", Type: tool.Block, OneLine: true, Open: true, Fields: inCamelCase([]tool.Field{
		{Name: "wait_for_agent", Type: tool.BooleanType, Doc: "Whether to wait for them."},
		{Name: "wait_duration_seconds", Type: tool.NumberType, Doc: "Seconds to wait for them."},
	}), Doc: "What to do where they are busy."},
	{Name: "agent_matching_conditions", Type: tool.Block, OneLine: true, Open: true, Fields: inCamelCase([]tool.Field{
		{Name: "skills", Type: tool.AnyType, Doc: "What the human must be able to do."},
		{Name: "skill_groups", Type: tool.AnyType, Doc: "Groups of skills."},
		{Name: "agent_groups", Type: tool.AnyType, Doc: "Groups of humans."},
	}), Doc: "Which humans it may be."},
	{Name: "flow_policy_ref", Synonyms: []string{"transfer_flow_policy_ref", "transferFlowPolicyRef"}, Type: tool.AnyType, Doc: "A policy of `TRANSFER_FLOW_POLICIES`."},
	{Name: "flow_policy", Type: tool.AnyType, Doc: "The policy itself."},
	{Name: "provider_config", Type: tool.AnyType, Doc: "What the humans' system wants to know besides."},
	{Name: "metadata", Type: tool.AnyType, Doc: "Further data."},
	{Name: "skill_tags", Type: tool.AnyType, Undocumented: true, Doc: "Older, and ignored."},
	{Name: "priority_boost", Type: tool.AnyType, Undocumented: true, Doc: "Older, and ignored."},
	{Name: "voice", Type: tool.Block, OneLine: true, Open: true, Fields: inCamelCase([]tool.Field{
		{Name: "transfer_method", Type: tool.WordType, Values: words("invite", "refer", "bye"), Doc: "How the call is transferred."},
		{Name: "call_transfer_type", Type: tool.WordType, Values: []tool.Word{
			{Name: "sip", Doc: "To a SIP address."}, {Name: "pstn", Doc: "To a telephone number."}, {Name: "custom", Doc: "By `custom_tools`."},
		}, Doc: "Where the call is transferred to."},
		{Name: "sip_headers", Type: tool.MapType, OneLine: true, Doc: "SIP headers."},
		{Name: "sip_transfer_id", Type: tool.AnyType, Doc: "The SIP destination; with `call_transfer_type: sip`."},
		{Name: "custom_tools", Type: tool.ListType, Ref: tool.RefTool, Doc: "The HTTP tools that transfer the call; with `call_transfer_type: custom`."},
		genesysHeaders("genesys_sip_headers"),
	}), Doc: "How a call is transferred."},
	genesysHeaders("genesys_sip_headers"),
})

var routingField = tool.Field{Name: "routing", Type: tool.Block, OneLine: true, Open: true, Loose: true, Fields: routeFields,
	Items: slices.Concat([]tool.Field{
		{Name: "id", Type: tool.String, Doc: "The name of the entry."},
		{Name: "WHEN", Type: tool.Expr, Doc: "The condition under which the entry is taken; `always` or `*` for the last one. Plain words are none."},
	}, routeFields),
	Doc: "Where the conversation goes: `connection`, `queue`, `skills`, `priority`, `post_agent`, …, or a list of such entries with `WHEN`."}

var escalateFields = []tool.Field{
	{Name: "triggers", Type: tool.BlockList, Open: true, Fields: triggerFields, Doc: "When a human takes over."},
	{Name: "context_for_human", Type: tool.BlockList, Open: true, OneLine: true, Fields: []tool.Field{
		{Name: "NAME", Type: tool.String, Doc: "The name of the part."},
		{Name: "TEMPLATE", Type: tool.String, Doc: "Its text."},
		{Name: "INCLUDE", Type: tool.AnyType, Doc: "What it includes."},
	}, Doc: "What the human gets to know: names, or blocks."},
	routingField,
	{Name: "on_human_complete", Type: tool.ListType, Doc: "What to do when the human is done: `- IF condition: ACTION`."},
	{Name: "CONNECTOR_ACTION", Type: tool.String, Doc: "The action of the connector that hands over."},
}

// teamSections returns the sections about other agents and humans.
func teamSections() []tool.Field {
	complete := slices.Concat([]tool.Field{
		{Name: "WHEN", Type: tool.Expr, Required: true, Doc: "The condition under which the work is done. Plain words are none."},
	}, respondFields(answerVoice), []tool.Field{
		setField, modelContext,
		{Name: "TERMINAL", Type: tool.BooleanType, Default: "true", Doc: "Whether the conversation ends."},
		storeField,
	})
	returned := withActions(append(respondFields(answerVoice),
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
