package section

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/tool"
)

// executionFields are the keys of EXECUTION; times are milliseconds.
var executionFields = inCamelCase([]tool.Field{
	{Name: "model", Type: tool.String, Doc: "The model that answers."},
	{Name: "fallback_model", Type: tool.String, Doc: "The model that answers where the first one fails."},
	{Name: "temperature", Type: tool.NumberType, Range: &tool.Range{Min: 0, Max: 1}, Doc: "How freely the model words its answers, from 0 to 1."},
	{Name: "top_p", Type: tool.NumberType, Doc: "The share of likely words that the model picks from."},
	{Name: "top_k", Type: tool.NumberType, Doc: "How many of the likeliest words the model picks from."},
	{Name: "frequency_penalty", Type: tool.NumberType, Signed: true, Doc: "How much often used words are avoided."},
	{Name: "presence_penalty", Type: tool.NumberType, Signed: true, Doc: "How much words that were used at all are avoided."},
	{Name: "seed", Type: tool.NumberType, Signed: true, Doc: "Makes answers repeatable, as far as the model can."},
	{Name: "stop_sequences", Type: tool.ListType, Doc: "Texts at which an answer ends."},
	{Name: "reasoning_effort", Type: tool.WordType, Values: words("none", "minimal", "low", "medium", "high", "xhigh", "max"), Doc: "How much a reasoning model thinks."},
	{Name: "verbosity", Type: tool.WordType, Values: words("low", "medium", "high"), Doc: "How long answers are."},
	{Name: "max_tokens", Type: tool.NumberType, Doc: "Most tokens of an answer."},
	{Name: "tool_timeout", Type: tool.NumberType, Doc: "Milliseconds that a tool may take, unless it says otherwise."},
	{Name: "llm_timeout", Type: tool.NumberType, Doc: "Milliseconds that the model may take."},
	{Name: "session_idle_timeout", Type: tool.NumberType, Doc: "Milliseconds of silence after which the session ends."},
	{Name: "max_reasoning_iterations", Synonyms: []string{"max_iterations", "maxIterations"}, Type: tool.NumberType, Doc: "Most rounds of reasoning in a turn."},
	{Name: "max_flow_iterations", Type: tool.NumberType, Doc: "Most steps of the flow in a turn."},
	{Name: "voice_latency_target", Type: tool.NumberType, Doc: "Milliseconds in which a spoken answer is to begin."},
	{Name: "timeouts", Type: tool.Block, Fields: timeoutFields, Doc: "The limits of time in one block."},
	{Name: "enable_thinking", Type: tool.BooleanType, Default: "false", Doc: "Whether the model thinks before it answers."},
	{Name: "thinking_budget", Type: tool.NumberType, Doc: "Most tokens that thinking may take."},
	{Name: "token_budget", Type: tool.NumberType, Doc: "Most tokens of one execution, in runs that debug or test."},
	{Name: "compaction_threshold", Type: tool.NumberType, Range: &tool.Range{Min: 0, Max: 1}, Doc: "How full the context may be before it is shortened, from 0 to 1."},
	{Name: "compaction", Type: tool.Block, Open: true, Fields: compactionFields, Doc: "How the context is shortened: `tool_results`, `prior_turns`, `prompt_context`."},
	{Name: "inline_gather", Type: tool.BooleanType, Default: "false", Doc: "Whether information is collected within the reasoning."},
	{Name: "concurrency", Type: tool.WordType, Default: "serial", Values: []tool.Word{
		{Name: "serial", Doc: "Messages wait for each other."},
		{Name: "preemptive", Doc: "A new message interrupts the one before."},
		{Name: "parallel", Doc: "Messages are answered side by side."},
	}, Doc: "What happens to messages that come while one is answered."},
	{Name: "max_queue_depth", Type: tool.NumberType, Default: "10", Doc: "Most messages that wait."},
	{Name: "max_concurrent_messages", Type: tool.NumberType, Doc: "Most messages that are answered side by side."},
	{Name: "conversation_history_window", Type: tool.NumberType, Doc: "How many messages of the conversation the model sees."},
	{Name: "voice", Type: tool.Block, Open: true, Fields: spokenFields, Doc: "How a voice agent speaks and listens."},
	{Name: "pipeline", Type: tool.Block, Open: true, Fields: pipelineFields, Doc: "How a supervisor classifies and routes messages."},
	{Name: "models", Type: tool.Block, Open: true, Fields: operationFields, Doc: "Models for single operations."},
})

// inCamelCase adds the other spelling to fields, such as `toolTimeout`.
func inCamelCase(fields []tool.Field) []tool.Field {
	for i := range fields {
		first, rest, more := strings.Cut(fields[i].Name, "_")
		if !more {
			continue
		}
		for word := range strings.SplitSeq(rest, "_") {
			first += strings.ToUpper(word[:1]) + word[1:]
		}
		fields[i].Synonyms = append(fields[i].Synonyms, first)
	}
	return fields
}

var timeoutFields = inCamelCase([]tool.Field{
	{Name: "tool_timeout_ms", Type: tool.NumberType, Doc: "Milliseconds that a tool may take, unless it says otherwise."},
	{Name: "llm_timeout_ms", Type: tool.NumberType, Doc: "Milliseconds that the model may take."},
	{Name: "session_timeout_ms", Type: tool.NumberType, Doc: "Milliseconds of silence after which the session ends."},
	{Name: "voice_latency_target_ms", Type: tool.NumberType, Doc: "Milliseconds in which a spoken answer is to begin."},
})

var compactionFields = inCamelCase([]tool.Field{
	{Name: "tool_results", Type: tool.Block, Fields: inCamelCase([]tool.Field{
		{Name: "strategy", Type: tool.WordType, Values: []tool.Word{
			{Name: "none", Doc: "They stay as they are."}, {Name: "truncate", Doc: "They are cut off."},
			{Name: "structured", Doc: "Their structure stays, long values are cut off."}, {Name: "summarize", Doc: "A model sums them up."},
		}, Doc: "How results are shortened."},
		{Name: "max_chars", Type: tool.NumberType, Doc: "Most characters of a result."},
		{Name: "keep_recent", Type: tool.NumberType, Doc: "How many of the latest results stay as they are."},
	}), Doc: "How the results of tools are shortened."},
	{Name: "prior_turns", Type: tool.Block, Fields: inCamelCase([]tool.Field{
		{Name: "strategy", Type: tool.WordType, Values: []tool.Word{
			{Name: "none", Doc: "They stay as they are."}, {Name: "placeholder", Doc: "A note replaces them."},
			{Name: "compact", Doc: "The beginning of each stays."}, {Name: "summarize", Doc: "A model sums them up."},
		}, Doc: "How turns are shortened."},
		{Name: "assistant_preview_chars", Type: tool.NumberType, Doc: "How many characters of an answer stay."},
	}), Doc: "How earlier turns are shortened."},
	{Name: "prompt_context", Type: tool.Block, Fields: inCamelCase([]tool.Field{
		{Name: "projection_strategy", Type: tool.WordType, Values: []tool.Word{
			{Name: "preview", Doc: "The beginning of each value."}, {Name: "summary", Doc: "A summary."}, {Name: "metadata", Doc: "What kind of value it is."},
		}, Doc: "What the prompt says of a value."},
		{Name: "value_max_chars", Type: tool.NumberType, Doc: "Most characters of a value."},
		{Name: "total_max_chars", Type: tool.NumberType, Doc: "Most characters of all values."},
	}), Doc: "How the values in the prompt are shortened."},
	{Name: "model", Type: tool.String, Undocumented: true, Deprecated: "write `summarization` below `models`.", Doc: "The model that sums up."},
})

// spokenFields are the known keys of `voice`; other keys are the platform's.
var spokenFields = append(inCamelCase([]tool.Field{
	{Name: "coordinator_policy", Type: tool.Block, Fields: append(inCamelCase([]tool.Field{
		{Name: "language", Type: tool.String, Doc: "The language as a BCP 47 tag, such as `en-US`."},
		{Name: "tone", Type: tool.WordType, Values: words("neutral", "warm", "formal", "energetic"), Doc: "The tone of voice."},
		{Name: "pace", Type: tool.WordType, Values: words("slow", "normal", "fast"), Doc: "How fast the voice speaks."},
		{Name: "brevity", Type: tool.WordType, Values: words("concise", "standard"), Doc: "How long answers are."},
		{Name: "interruption", Type: tool.WordType, Values: []tool.Word{
			{Name: "resume_latest", Doc: "Goes on with what the user said last."},
			{Name: "acknowledge_then_resume", Doc: "Reacts to the interruption, then goes on."},
		}, Doc: "What happens after an interruption."},
		{Name: "greeting_style", Type: tool.WordType, Values: words("brief", "warm", "none"), Doc: "How the agent greets."},
		{Name: "accessibility", Type: tool.Block, Fields: inCamelCase([]tool.Field{
			{Name: "confirm_critical_values", Type: tool.BooleanType, Doc: "Whether the agent reads back what matters."},
			{Name: "spell_sensitive_values", Type: tool.BooleanType, Doc: "Whether the agent spells such values."},
		}), Doc: "What helps users to understand and to be understood."},
	}), misplacedBargeIn()), Doc: "How the voice behaves in all agents of the conversation."},
	{Name: "end_of_speech_turn_type", Type: tool.WordType, Values: turnTypes, Doc: "What the user is expected to say, by which the platform decides when a turn is over."},
	{Name: "end_of_speech_timeout_ms", Type: tool.NumberType, Doc: "Milliseconds of silence after which a turn is over."},
}), misplacedBargeIn(), misplacedNoInput())

// turnTypes are the kinds of answers that a user may be expected to give.
var turnTypes = words("simple_confirmation", "structured_value", "open_ended_question", "complex_explanation", "anything_else")

// pipelineFields are the known keys of `pipeline`; other keys are the platform's.
var pipelineFields = []tool.Field{
	{Name: "enabled", Type: tool.BooleanType, Default: "false", Doc: "Whether messages are classified before a model reasons about them."},
	{Name: "mode", Type: tool.WordType, Default: "parallel", Values: words("parallel", "sequential"), Doc: "Whether both run at once."},
	{Name: "shortCircuit", Type: tool.Block, Open: true, Fields: []tool.Field{
		{Name: "enabled", Type: tool.BooleanType, Default: "true", Doc: "Whether a certain classification decides alone."},
		{Name: "confidenceThreshold", Type: tool.NumberType, Default: "0.85", Doc: "How sure it must be."},
	}, Doc: "When a classification decides alone."},
	{Name: "toolFilter", Type: tool.Block, Open: true, Fields: []tool.Field{
		{Name: "enabled", Type: tool.BooleanType, Default: "true", Doc: "Whether the model sees only the tools that fit."},
		{Name: "maxTools", Type: tool.NumberType, Default: "6", Doc: "Most tools that the model sees."},
	}, Doc: "Which tools the model sees."},
	{Name: "keywordVeto", Type: tool.Block, Open: true, Fields: []tool.Field{
		{Name: "enabled", Type: tool.BooleanType, Default: "true", Doc: "Whether some words overrule the classification."},
		{Name: "keywords", Type: tool.ListType, Doc: "Those words."},
	}, Doc: "Words that overrule the classification."},
	{Name: "intentBridge", Type: tool.Block, Open: true, Fields: []tool.Field{
		{Name: "enabled", Type: tool.BooleanType, Default: "true", Doc: "Whether intents lead to agents."},
		{Name: "programmaticThreshold", Type: tool.NumberType, Default: "0.85", Doc: "How sure an intent must be to lead there by itself."},
		{Name: "guidedThreshold", Type: tool.NumberType, Default: "0.5", Doc: "How sure an intent must be to guide the model."},
		{Name: "outOfScopeDecline", Type: tool.BooleanType, Default: "true", Doc: "Whether messages about anything else are declined."},
		{Name: "multiIntentSignal", Type: tool.BooleanType, Default: "true", Doc: "Whether the model is told of several intents."},
	}, Doc: "How intents lead to agents."},
	{Name: "modelSource", Type: tool.WordType, Values: words("default", "tenant"), Doc: "Where the model of the classification comes from."},
	{Name: "tenantModelId", Type: tool.String, Doc: "That model, with `modelSource: tenant`."},
}

// operationFields are the operations that may have a model of their own.
var operationFields = operations("extraction", "validation", "tool_selection", "response_gen", "summarization",
	"reasoning", "realtime_voice", "coordination", "embedding", "title")

func operations(names ...string) []tool.Field {
	fields := make([]tool.Field, len(names))
	for i, name := range names {
		fields[i] = tool.Field{Name: name, Type: tool.AnyType, Doc: "The model for this operation."}
	}
	return fields
}
