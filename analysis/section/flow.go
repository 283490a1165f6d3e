package section

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

var chain = lazyregexp.New(`->`)

var sortOrder = lazyregexp.New(`(?i)^[\w.\[\]"']+(\s+(asc|desc))?(\s*,\s*[\w.\[\]"']+(\s+(asc|desc))?)*$`)

// ReasoningOnly returns the keys of a step that count only if it reasons.
func ReasoningOnly() []string {
	return []string{"GOAL", "AVAILABLE_TOOLS", "EXIT_WHEN", "MAX_TURNS", "STEP_CONSTRAINTS"}
}

// flowSections returns FLOW, and what profiles and agents have for it.
func flowSections() []tool.Field {
	step := &tool.Field{Type: tool.Block, Deeper: true, Fields: stepFields()}
	digressions := digressionList("global_digressions", "What may interrupt every step.")
	return []tool.Field{
		{Name: "FLOW", Type: tool.Block, Open: true, Blocks: true, Each: step, Pattern: chain, Fields: []tool.Field{
			{Name: "entry_point", Type: tool.String, Ref: tool.RefStep, Doc: "The step that the flow begins with; without it the first one."},
			{Name: "steps", Type: tool.BlockList, OneLine: true, Named: true, Open: true, Items: step.Fields, Each: step, Ref: tool.RefStep,
				Doc: "The names of the steps; the steps themselves may stand there as well."},
			digressions,
		}, Doc: "The conversation in steps: `entry_point`, `steps`, then a block for each step."},
		profileSection,
		{Name: "USE BEHAVIOR_PROFILE", Type: tool.String, Ref: tool.RefProfile, Doc: "The name of a behaviour profile."},
		priorityField, profileWhen,
	}
}

// stepFields returns the keys of a step.
func stepFields() []tool.Field {
	fields := slices.Concat(controlFields, reasoningFields, stepAnswer(), []tool.Field{
		{Name: "PRESENT", Type: tool.AnyType, Doc: "What is shown to the user."},
		stepGather(),
		{Name: "CORRECTIONS", Type: tool.AnyType, Doc: "How the user may correct what was collected."},
		{Name: "COMPLETE_WHEN", Type: tool.Expr, Doc: "The condition under which collecting is done."},
		callField, setField,
		{Name: "CHECK", Type: tool.Expr, Doc: "A condition that must hold to go on."},
		clearField,
		transformField,
		logField,
		{Name: "AWAIT_ATTACHMENT", Type: tool.Block, Fields: awaitFields, Doc: "Waits for a file of the user."},
		secureInput, resolveDestination,
		handlers("ON_ACTION"),
		branchList("ON_RESULT", "What to do with the result, in branches."),
		outcome("ON_SUCCESS", "What to do after a success: actions, or branches."),
		orFailure(outcome("ON_FAIL", "What to do after a failure: a step, actions, or branches.")),
		branchList("ON_INPUT", "What to do with the user's answer, in branches."),
		errorHandlers("ON_ERROR"),
		digressionList("DIGRESSIONS", "What may interrupt the step."),
		{Name: "SUB_INTENTS", Type: tool.BlockList, Open: true, Fields: subIntentFields(), Doc: "Side questions that the step answers, and goes on."},
		thenField,
	})
	return withActions(fields)
}

// stepAnswer returns RESPOND in a step with its companions.
func stepAnswer() []tool.Field {
	return append(respondFields(stepVoice),
		modelContext,
		bargeIn("BARGE_IN"),
		tool.Field{Name: "STREAMING", Type: tool.BooleanType, Default: "true", Doc: "Whether the voice begins before the answer is whole."},
		tool.Field{Name: "END_OF_SPEECH_TURN_TYPE", Type: tool.WordType, Values: turnTypes, Doc: "What kind of answer the voice waits for."},
		tool.Field{Name: "END_OF_SPEECH_TIMEOUT_MS", Type: tool.NumberType, Doc: "Milliseconds of silence after which the user is done."})
}

// modelContext is what later calls of the model see instead of an answer.
var modelContext = tool.Field{Name: "MODEL_CONTEXT", Type: tool.String, Refused: true,
	Doc: "What later calls of the model see instead of the answer. An empty text leaves the answer out."}

func toStep(name, doc string) tool.Field {
	return tool.Field{Name: name, Type: tool.String, Ref: tool.RefStep, Doc: doc}
}

// secureInput is SECURE_INPUT. Its `CALL tool WITH: {…}` has no colon after CALL; in
// the tree it is a CALL with WITH below it.
var secureInput = tool.Field{Name: "SECURE_INPUT", Type: tool.Block, Fields: []tool.Field{
	{Name: "MODE", Type: tool.ListType, Required: true, Refused: true, Values: []tool.Word{
		{Name: "dtmf", Doc: "On the keypad."}, {Name: "speech", Doc: "By voice."},
	}, Doc: "How the user enters the values: one of the two, or both."},
	{Name: "FIELDS", Type: tool.BlockList, Required: true, Open: true, Named: true, Items: secureFields, Each: &tool.Field{Type: tool.Block, Fields: secureFields},
		Doc: "The values, a name with a block for each. `{{secure.name}}` is the value."},
	{Name: "MAX_ATTEMPTS", Type: tool.NumberType, Doc: "How often the user may try."},
	{Name: "CANCEL", Type: tool.Block, Fields: []tool.Field{
		{Name: "dtmf_key", Type: tool.String, Doc: "The key that cancels."},
		{Name: "keywords", Type: tool.ListType, Doc: "The words that cancel."},
	}, Doc: "How the user cancels."},
	{Name: "CALL", Type: tool.Expr, Ref: tool.RefTool, Required: true, Refused: true, Fields: callFields[:1],
		Doc: "The tool that takes the values, on one line: `CALL tool WITH: {name: \"{{secure.field}}\"}`."},
	toStep("ON_SUCCESS", "The step to go to when the tool has taken the values."),
	toStep("ON_TIMEOUT", "The step to go to when the user enters nothing."),
	toStep("ON_CANCEL", "The step to go to when the user cancels."),
	toStep("ON_FAIL", "The step to go to after the last attempt."),
}, Doc: "Takes values that nobody is to hear or read, and gives them to one tool: `CALL tool WITH: {name: \"{{secure.field}}\"}`."}

var secureFields = []tool.Field{
	{Name: "PROMPT", Type: tool.Block, OneLine: true, Open: true, Required: true, Refused: true, Doc: "What to ask: a text for each locale, or `{template: name}`."},
	{Name: "COLLECT", Type: tool.Block, Fields: []tool.Field{
		{Name: "digits", Type: tool.String, Doc: "How many digits: `4`, or `4..6`."},
		{Name: "finishOnKey", Type: tool.String, Doc: "The key that ends the input."},
		{Name: "interDigitTimeoutMs", Type: tool.NumberType, Doc: "Milliseconds that may pass between two digits."},
		{Name: "asrTimeoutMs", Type: tool.NumberType, Doc: "Milliseconds that speech may take."},
	}, Doc: "How the value is entered."},
	{Name: "VALIDATE", Type: tool.AnyType, Doc: "What the value must fulfil: `luhn`, `{length: 4..6}`, `{date_mmYY: not_past}`, `{regex: \"…\"}`, `CALL tool WITH {…}`."},
}

// resolveDestination is RESOLVE_SIP_DESTINATION.
var resolveDestination = tool.Field{Name: "RESOLVE_SIP_DESTINATION", Type: tool.Block, Fields: []tool.Field{
	{Name: "FROM_WORKFLOW", Type: tool.String, Ref: tool.RefTool, Doc: "The workflow tool that knows the destination."},
	{Name: "FROM_MEMORY", Type: tool.String, Ref: tool.RefField, Doc: "The variable that has the destination."},
	{Name: "TIMEOUT_MS", Type: tool.NumberType, Doc: "Milliseconds that this may take."},
}, Doc: "Finds out where a call is to be transferred: `{{route.vdn}}`, `{{route.ip}}` and `{{route.port}}`. `ON_FAILURE` and `THEN` beside it say what comes next."}

var controlFields = []tool.Field{
	{Name: "REASONING", Type: tool.BooleanType, Doc: "`true`: the model decides what to do in the step. `false`: the step runs as it is written."},
	{Name: "WHEN", Type: tool.Expr, Doc: "The condition under which the step is entered."},
	{Name: "MAX_ATTEMPTS", Type: tool.NumberType, Doc: "How often the step is tried."},
	{Name: "ON_EXHAUSTED", Type: tool.String, Ref: tool.RefStep, Doc: "The step to go to after the last attempt."},
	{Name: "BEHAVIOR", Type: tool.AnyType, Doc: "How the agent behaves in the step."},
}

var reasoningFields = []tool.Field{
	{Name: "GOAL", Type: tool.String, Doc: "What the model is to achieve in the step."},
	{Name: "AVAILABLE_TOOLS", Type: tool.ListType, Ref: tool.RefTool, Doc: "The tools that the model may use in the step."},
	{Name: "EXIT_WHEN", Type: tool.Expr, Doc: "The condition under which the step is done."},
	{Name: "MAX_TURNS", Type: tool.NumberType, Default: "10", Doc: "Most turns that the step may take."},
	{Name: "STEP_CONSTRAINTS", Type: tool.AnyType, Doc: "What the model must observe in the step."},
}

var transformField = tool.Field{Name: "TRANSFORM", Type: tool.Block, OneLine: true, Fields: []tool.Field{
	{Name: "SOURCE", Type: tool.Expr, Required: true, Doc: "The list that is read."},
	{Name: "AS", Type: tool.WordType, Required: true, Doc: "The name of one element, in the expressions below."},
	{Name: "INTO", Type: tool.String, Required: true, Doc: "The variable that gets the new list."},
	{Name: "FILTER", Type: tool.Expr, Doc: "The condition that elements must fulfil."},
	{Name: "MAP", Type: tool.MapType, Doc: "The fields of a new element and their expressions."},
	{Name: "SORT_BY", Type: tool.String, Pattern: sortOrder, Form: "a field, then `asc` or `desc`", Doc: "The field to sort by, then `asc` or `desc`."},
	{Name: "LIMIT", Type: tool.Expr, Doc: "Most elements of the new list."},
}, Doc: "Makes a list of another one: `source AS element INTO variable`, or these as keys below."}

var awaitFields = []tool.Field{
	{Name: "NAME", Type: tool.String, Doc: "The name of the file."},
	{Name: "PROMPT", Type: tool.String, Doc: "What to ask the user."},
	{Name: "CATEGORY", Type: tool.String, Doc: "The kind of file."},
	{Name: "REQUIRED", Type: tool.BooleanType, Doc: "Whether the step needs the file."},
	{Name: "TIMEOUT", Type: tool.NumberType, Pattern: delay, Doc: "Seconds that the step waits."},
	{Name: "ON_TIMEOUT", Type: tool.AnyType, Ref: tool.RefStep, Doc: "The step to go to after that."},
}

func intentField(doc string) tool.Field {
	return tool.Field{Name: "INTENT", Type: tool.String, Doc: doc}
}

func digressionList(name, doc string) tool.Field {
	intent := intentField("The intent that interrupts.")
	intent.Required = true
	fields := slices.Concat([]tool.Field{
		intent,
		{Name: "KEYWORDS", Type: tool.ListType, Doc: "Words that tell the intent."},
		{Name: "CONDITION", Type: tool.Expr, Doc: "The condition under which it interrupts."},
		resume,
	}, withReturn(actionFields()))
	named := slices.Clone(fields) // `intent:` with a block below, which names it
	named[0].Required = false
	return tool.Field{Name: name, Type: tool.BlockList, Open: true, OneLine: true, Fields: fields,
		Each: &tool.Field{Type: tool.Block, OneLine: true, Lax: true, Fields: named}, Doc: doc}
}

var resume = tool.Field{Name: "RESUME", Type: tool.AnyType, Doc: "Whether the step goes on afterwards."}

func subIntentFields() []tool.Field {
	return slices.Concat([]tool.Field{intentField("The intent of the side question.")}, respondFields(answerVoice), []tool.Field{
		clearField, setField, callField, resume,
	})
}
