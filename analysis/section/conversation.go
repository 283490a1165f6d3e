package section

import "github.com/abl-lsp/abl-lsp/tool"

// conversationField is CONVERSATION, in an agent and in a behaviour profile.
var conversationField = tool.Field{Name: "CONVERSATION", Type: tool.Block, Doc: "How the agent speaks, listens and interacts.", Fields: []tool.Field{
	{Name: "speaking", Type: tool.Block, Fields: speakingFields, Doc: "How the agent speaks."},
	{Name: "listening", Type: tool.Block, Fields: listeningFields, Doc: "How the agent takes turns in a spoken conversation."},
	{Name: "interaction", Type: tool.Block, Fields: interactionFields, Doc: "How the agent asks, confirms, explains and repairs."},
}}

var speakingFields = []tool.Field{
	{Name: "style", Type: tool.String, Doc: "The manner of speaking."},
	{Name: "tone", Type: tool.String, Doc: "The tone of voice."},
	{Name: "emotion", Type: tool.String, Doc: "The feeling that the voice shows."},
	{Name: "pace", Type: tool.String, Doc: "How fast the agent speaks."},
	{Name: "variety", Type: tool.String, Doc: "How much the wording varies."},
	{Name: "language_policy", Type: tool.WordType, Values: []tool.Word{
		{Name: "interaction_context", Doc: "The language of the conversation."},
		{Name: "agent_default", Doc: "The agent's own language."},
		{Name: "fixed", Doc: "Always `fixed_language`."},
	}, Doc: "Which language the agent speaks."},
	{Name: "fixed_language", Type: tool.String, Doc: "The language of `language_policy: fixed`."},
	{Name: "max_sentences", Type: tool.NumberType, Doc: "Most sentences of an answer."},
	{Name: "one_thing_at_a_time", Type: tool.BooleanType, Doc: "Whether an answer asks or tells a single thing."},
	{Name: "tool_lead_in", Type: tool.String, Doc: "What is said before a tool is called."},
	{Name: "phrases_ref", Type: tool.String, Doc: "A set of phrases of the project."},
	{Name: "pronunciations_ref", Type: tool.String, Doc: "A set of pronunciations of the project."},
	{Name: "tool_results", Type: tool.Block, Fields: []tool.Field{
		{Name: "style", Type: tool.String, Doc: "How the results of tools are told."},
		{Name: "max_points", Type: tool.NumberType, Doc: "Most points of a result that are told."},
	}, Doc: "How the results of tools are told."},
	{Name: "readback", Type: tool.Block, Fields: []tool.Field{
		{Name: "numbers", Type: tool.String, Doc: "How numbers are read back."},
		{Name: "codes", Type: tool.String, Doc: "How codes are read back."},
		{Name: "critical_details", Type: tool.String, Doc: "How important details are read back."},
	}, Doc: "How the agent reads back what it has heard."},
	{Name: "handoffs", Type: tool.Block, Fields: []tool.Field{
		{Name: "internal", Type: tool.String, Doc: "How a handoff to another agent is announced."},
		{Name: "human", Type: tool.String, Doc: "How a handoff to a human is announced."},
	}, Doc: "How handoffs are announced."},
}

var listeningFields = []tool.Field{
	{Name: "barge_in", Type: tool.String, Doc: "Whether the user may interrupt the agent."},
	{Name: "backchannels", Type: tool.String, Doc: "Whether the agent shows that it listens."},
	{Name: "on_pause", Type: tool.String, Doc: "What happens where the user pauses."},
	{Name: "on_overlap", Type: tool.String, Doc: "What happens where both speak."},
	{Name: "on_unclear_audio", Type: tool.String, Doc: "What happens where the user cannot be understood."},
	{Name: "on_self_correction", Type: tool.String, Doc: "What happens where users correct themselves."},
	{Name: "use_audio_cues", Type: tool.String, Doc: "Whether the agent plays sounds."},
	{Name: "on_no_input", Type: tool.Block, Fields: noInputFields, Doc: "What happens where the user says nothing."},
	{Name: "on_caller_backchannel", Type: tool.Block, Fields: []tool.Field{
		{Name: "enabled", Type: tool.BooleanType, Doc: "Whether short sounds of the user do not interrupt the agent."},
		{Name: "phrases", Type: tool.ListType, Doc: "Phrases that count as such sounds."},
		{Name: "max_words", Type: tool.NumberType, Doc: "Most words of such a sound."},
		{Name: "max_duration_ms", Type: tool.NumberType, Undocumented: true, Doc: "Milliseconds that such a sound lasts at most. The platform ignores it."},
	}, Doc: "What happens with sounds such as `mhm` while the agent speaks."},
	{Name: "on_hold", Type: tool.Block, Fields: []tool.Field{
		{Name: "enabled", Type: tool.BooleanType, Doc: "Whether the agent waits where the user asks it to."},
		{Name: "phrases", Type: tool.ListType, Doc: "Phrases that ask the agent to wait."},
		{Name: "grace_ms", Type: tool.NumberType, Doc: "Milliseconds that the agent waits."},
		{Name: "max_holds", Type: tool.NumberType, Doc: "How often the agent waits."},
		{Name: "suppress_response", Type: tool.BooleanType, Doc: "Whether the agent says nothing while it waits."},
		{Name: "phrases_by_locale", Type: tool.MapType, Undocumented: true, Each: &tool.Field{Type: tool.ListType}, Doc: "Such phrases by locale: a list for each. The platform reads it in YAML only."},
	}, Doc: "What happens where the user asks the agent to wait."},
	{Name: "barge_in_continuation", Type: tool.Block, Fields: []tool.Field{
		{Name: "enabled", Type: tool.BooleanType, Doc: "Whether what the user says in parts is put together."},
		{Name: "window_ms", Type: tool.NumberType, Range: &tool.Range{Min: 300, Max: 2000}, Doc: "Milliseconds in which a further part belongs to the one before, from 300 to 2000."},
		{Name: "max_hold_ms", Type: tool.NumberType, Range: &tool.Range{Min: 500, Max: 8000}, Doc: "Milliseconds that the answer waits at most, from 500 to 8000."},
		{Name: "max_merges", Type: tool.NumberType, Range: &tool.Range{Min: 1, Max: 20}, Doc: "Most parts that are put together, from 1 to 20."},
		{Name: "max_chars", Type: tool.NumberType, Range: &tool.Range{Min: 1, Max: 20000}, Doc: "Most characters that are put together, from 1 to 20000."},
	}, Doc: "What happens where the user goes on speaking after an interruption."},
}

// noInputFields are the keys of `on_no_input`: what happens if the user says nothing.
var noInputFields = []tool.Field{
	{Name: "enabled", Type: tool.BooleanType, Doc: "Whether the agent speaks where the user says nothing."},
	{Name: "mode", Type: tool.WordType, Values: []tool.Word{
		{Name: "static", Doc: "The agent says one of `messages`."}, {Name: "dynamic", Doc: "A model words it, see `generation`."},
	}, Doc: "What the agent says."},
	{Name: "timeout_ms", Type: tool.NumberType, Doc: "Milliseconds of silence after which the agent speaks."},
	{Name: "relaxed_interval_ms", Type: tool.NumberType, Doc: "Milliseconds of silence while the user has asked the agent to wait."},
	{Name: "max_retries", Type: tool.NumberType, Doc: "How often the agent speaks."},
	{Name: "on_exhausted", Type: tool.WordType, Values: []tool.Word{
		{Name: "hangup", Doc: "Ends the call."}, {Name: "transfer", Doc: "Transfers the call."}, {Name: "custom", Doc: "Says `exhausted_message`."},
	}, Doc: "What happens after the last time."},
	{Name: "exhausted_message", Type: tool.String, Doc: "What is said after the last time."},
	{Name: "order", Type: tool.WordType, Values: []tool.Word{
		{Name: "sequence", Doc: "One after the other."}, {Name: "random", Doc: "In any order."},
	}, Doc: "In which order the messages are said."},
	{Name: "play_style", Type: tool.WordType, Values: []tool.Word{
		{Name: "looped", Doc: "From the beginning again after the last."}, {Name: "once", Doc: "Each once."}, {Name: "non_looped", Doc: "The last one again and again."},
	}, Doc: "What is said after the last of the messages."},
	{Name: "messages", Type: tool.BlockList, Fields: []tool.Field{
		{Name: "text", Type: tool.String, Doc: "What the agent says."},
	}, Doc: "What the agent says: a list of `text`."},
	{Name: "generation", Type: tool.Block, Fields: []tool.Field{
		{Name: "enabled", Type: tool.BooleanType, Doc: "Whether a model words what the agent says."},
		{Name: "model_source", Type: tool.String, Doc: "Where the model comes from."},
		{Name: "model_id", Type: tool.String, Doc: "The model."},
		{Name: "prompt_ref", Type: tool.String, Doc: "A prompt of the project."},
		{Name: "max_output_tokens", Type: tool.NumberType, Doc: "Most tokens that the model writes."},
	}, Doc: "How a model words what the agent says."},
}

var interactionFields = []tool.Field{
	{Name: "answer_shape", Type: tool.String, Doc: "The form of an answer."},
	{Name: "detail", Type: tool.String, Doc: "How much an answer tells."},
	{Name: "initiative", Type: tool.String, Doc: "How much the agent leads the conversation."},
	{Name: "empathy", Type: tool.String, Doc: "How the agent reacts to feelings."},
	{Name: "closure", Type: tool.String, Doc: "How the agent ends a topic."},
	{Name: "assumption_handling", Type: tool.String, Doc: "What the agent does with what it assumes."},
	{Name: "flow_mode", Type: tool.String, Doc: "How strictly the agent keeps to its flow."},
	{Name: "grounding", Type: tool.Block, Fields: []tool.Field{
		{Name: "mode", Type: tool.String, Doc: "What an answer must rest on."},
	}, Doc: "What an answer must rest on."},
	{Name: "clarification", Type: tool.Block, Fields: []tool.Field{
		{Name: "mode", Type: tool.String, Doc: "When the agent asks back."},
		{Name: "max_questions", Type: tool.NumberType, Doc: "Most questions in a row."},
		{Name: "assume_when_low_risk", Type: tool.BooleanType, Doc: "Whether the agent assumes what does no harm instead of asking."},
	}, Doc: "How the agent asks back."},
	{Name: "confirmation", Type: tool.Block, Fields: []tool.Field{
		{Name: "parameters", Type: tool.String, Doc: "Which values the user confirms."},
		{Name: "actions", Type: tool.String, Doc: "Which actions the user confirms."},
	}, Doc: "What the user confirms."},
	{Name: "uncertainty", Type: tool.Block, Fields: []tool.Field{
		{Name: "mode", Type: tool.String, Doc: "How the agent says that it is not sure."},
		{Name: "offer_next_step", Type: tool.BooleanType, Doc: "Whether the agent offers what to do next."},
	}, Doc: "What the agent does where it is not sure."},
	{Name: "repair", Type: tool.Block, Fields: []tool.Field{
		{Name: "on_correction", Type: tool.String, Doc: "What happens where the user corrects the agent."},
		{Name: "on_confusion", Type: tool.String, Doc: "What happens where the user is confused."},
		{Name: "on_misheard", Type: tool.String, Doc: "What happens where the agent has misheard the user."},
		{Name: "max_attempts", Type: tool.NumberType, Doc: "How often the agent tries."},
	}, Doc: "How misunderstandings are repaired."},
	{Name: "context", Type: tool.Block, Fields: []tool.Field{
		{Name: "avoid_reasking", Type: tool.BooleanType, Doc: "Whether the agent never asks again for what it knows."},
		{Name: "remember_recent_constraints", Type: tool.BooleanType, Doc: "Whether the agent keeps to wishes that were said before."},
	}, Doc: "What the agent keeps in mind."},
	{Name: "guidance", Type: tool.AnyType, Doc: "Further guidance; its keys are the author's."},
	{Name: "failure_recovery", Type: tool.AnyType, Doc: "What happens after failures; its keys are the author's."},
	{Name: "adaptation", Type: tool.AnyType, Doc: "How the agent adapts to the user; its keys are the author's."},
}
