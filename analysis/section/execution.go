package section

import "github.com/abl-lsp/abl-lsp/tool"

// executionRows are the keys of EXECUTION; times are milliseconds.
var executionRows = []tool.Field{
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
	{Name: "max_reasoning_iterations", Type: tool.NumberType, Doc: "Most rounds of reasoning in a turn."},
	{Name: "max_flow_iterations", Type: tool.NumberType, Doc: "Most steps of the flow in a turn."},
	{Name: "voice_latency_target", Type: tool.NumberType, Doc: "Milliseconds in which a spoken answer is to begin."},
	{Name: "enable_thinking", Type: tool.BooleanType, Default: "false", Doc: "Whether the model thinks before it answers."},
	{Name: "thinking_budget", Type: tool.NumberType, Doc: "Most tokens that thinking may take."},
	{Name: "compaction_threshold", Type: tool.NumberType, Range: &tool.Range{Min: 0, Max: 1}, Doc: "How full the context may be before it is shortened, from 0 to 1."},
	{Name: "compaction", Type: tool.AnyType, Doc: "How the context is shortened: `tool_results`, `prior_turns`, `prompt_context`."},
	{Name: "inline_gather", Type: tool.BooleanType, Default: "false", Doc: "Whether information is collected within the reasoning."},
	{Name: "concurrency", Type: tool.WordType, Default: "serial", Values: []tool.Word{
		{Name: "serial", Doc: "Messages wait for each other."},
		{Name: "preemptive", Doc: "A new message interrupts the one before."},
		{Name: "parallel", Doc: "Messages are answered side by side."},
	}, Doc: "What happens to messages that come while one is answered."},
	{Name: "max_queue_depth", Type: tool.NumberType, Default: "10", Doc: "Most messages that wait."},
	{Name: "max_concurrent_messages", Type: tool.NumberType, Doc: "Most messages that are answered side by side."},
	{Name: "conversation_history_window", Type: tool.NumberType, Doc: "How many messages of the conversation the model sees."},
	{Name: "voice", Type: tool.AnyType, Doc: "How a voice agent speaks and listens."},
	{Name: "pipeline", Type: tool.AnyType, Doc: "How a supervisor classifies and routes messages."},
	{Name: "models", Type: tool.AnyType, Doc: "Models for single operations, such as `extraction`, `tool_selection`, `response_gen` or `summarization`."},
}
