package section

import (
	"regexp"
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

var (
	flag  = regexp.MustCompile(`(?i)^(true|false)$`)
	delay = duration
)

// errorHandlers is what happens on errors: a block or a line for each type, or a
// list of `- TYPE: x`.
func errorHandlers(name string) tool.Field {
	fields := withActions(slices.Concat(respondFields(), []tool.Field{
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
		{Name: "subtypes", Type: tool.AnyType, Doc: "What to do on errors of single subtypes."},
		{Name: "SUBTYPE", Type: tool.AnyType, Doc: "The subtype of error that this is about."},
	}))
	items := append([]tool.Field{{Name: "TYPE", Type: tool.String, Doc: "The type of error."}}, fields...)
	return tool.Field{Name: name, Type: tool.Block, Open: true, Items: items, Each: &tool.Field{Type: tool.Block, OneLine: true, Fields: fields},
		Doc: "What to do on errors, by type, such as `tool_timeout` or `api_error`."}
}
