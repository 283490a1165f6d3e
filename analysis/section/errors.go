package section

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

var (
	flag  = lazyregexp.New(`(?i)^(true|false)$`)
	delay = duration
)

// ErrorTypes returns the errors for which ON_ERROR may have a handler.
func ErrorTypes() []tool.Word {
	return []tool.Word{
		{Name: "default", Doc: "Errors that no other handler is for."},
		{Name: "llm_error", Doc: "The model failed."},
		{Name: "tool_error", Doc: "A tool failed; `SUBTYPE` says how."},
		{Name: "routing_error", Doc: "A message could not be routed."},
		{Name: "validation_error", Doc: "A value did not pass its validation."},
		{Name: "timeout_error", Doc: "Something took too long."},
		{Name: "unknown_error", Doc: "Any other error."},
	}
}

// errorSubtypes are those of `tool_error`; others are accepted.
var errorSubtypes = words("rate_limit", "auth_failure", "network_error", "tool_timeout")

// errorHandlers returns the handlers of errors: a block or a line for each type, or a list of
// `- TYPE: x`.
func errorHandlers(name string) tool.Field {
	fields := withActions(slices.Concat(respondFields(branchVoice), []tool.Field{
		setField,
		{Name: "RETRY", Type: tool.NumberType, Pattern: flag, Doc: "How often to try again."},
		{Name: "RETRY_DELAY", Type: tool.NumberType, Pattern: delay, Doc: "Milliseconds between tries."},
		{Name: "RETRY_BACKOFF", Type: tool.WordType, Values: []tool.Word{
			{Name: "fixed", Doc: "The same delay each time."}, {Name: "exponential", Doc: "Each delay is a multiple of the last one."}, {Name: "linear", Doc: "Each delay is longer by the same time."},
		}, Doc: "How the delay grows."},
		{Name: "RETRY_MAX_DELAY", Type: tool.NumberType, Pattern: delay, Doc: "The longest delay, in milliseconds."},
		{Name: "THEN", Type: tool.String, Ref: tool.RefStep,
			Doc: "What comes next: `CONTINUE`, `ESCALATE`, `COMPLETE`, `RETRY_STEP`, `BACKTRACK`, `HANDOFF Agent`, or a step."},
		{Name: "HANDOFF_TARGET", Type: tool.String, Ref: tool.RefAgent, Doc: "The agent that `THEN: HANDOFF` hands over to."},
		{Name: "BACKTRACK_TO", Type: tool.String, Ref: tool.RefStep, Doc: "The step that `THEN: BACKTRACK` goes back to."},
		{Name: "SUBTYPE", Type: tool.String, Values: errorSubtypes, Doc: "The errors of the type that the handler is for."},
		{Name: "SUBTYPES", Type: tool.AnyType, Doc: "The errors of the type that the handler is for, a list of subtypes."},
	}))
	items := append([]tool.Field{{Name: "TYPE", Type: tool.String, Values: ErrorTypes(), Doc: "The type of error."}}, fields...)
	return tool.Field{Name: name, Type: tool.Block, Open: true, Items: items, Fields: errorTypeFields(fields), Each: errorHandler(fields),
		Doc: "What to do on errors, by type, such as `tool_error` or `validation_error`."}
}

// errorHandler returns the field of one type's handler.
func errorHandler(fields []tool.Field) *tool.Field {
	return &tool.Field{Type: tool.Block, OneLine: true, Fields: fields}
}

// errorTypeFields returns the fields of all types.
func errorTypeFields(fields []tool.Field) []tool.Field {
	var schemas []tool.Field
	for _, w := range ErrorTypes() {
		field := *errorHandler(fields)
		field.Name, field.Doc = w.Name, w.Doc
		schemas = append(schemas, field)
	}
	return schemas
}
