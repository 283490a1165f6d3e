package section

import (
	"regexp"
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

var chain = regexp.MustCompile(`->`)

var sortOrder = regexp.MustCompile(`(?i)^[\w.\[\]"']+(\s+(asc|desc))?(\s*,\s*[\w.\[\]"']+(\s+(asc|desc))?)*$`)

// ReasoningOnly are the keys of a step that count only where it reasons.
func ReasoningOnly() []string {
	return []string{"GOAL", "AVAILABLE_TOOLS", "EXIT_WHEN", "MAX_TURNS", "STEP_CONSTRAINTS"}
}

// flowSections are FLOW, and what stands in profiles and agents beside it.
func flowSections() []tool.Field {
	step := &tool.Field{Type: tool.Block, Fields: stepFields()}
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

// stepFields are the keys of a step.
func stepFields() []tool.Field {
	rows := slices.Concat(controlFields, reasoningFields, respondFields(), []tool.Field{
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
		handlers("ON_ACTION"),
		branchList("ON_RESULT", "What to do with the result, in branches."),
		outcome("ON_SUCCESS", "What to do after a success: actions, or branches."),
		onFail(),
		branchList("ON_INPUT", "What to do with the user's answer, in branches."),
		errorHandlers("ON_ERROR"),
		digressionList("DIGRESSIONS", "What may interrupt the step."),
		{Name: "SUB_INTENTS", Type: tool.BlockList, Open: true, Fields: subIntentFields(), Doc: "Side questions that the step answers, and goes on."},
		thenField,
	})
	return withActions(rows)
}

func onFail() tool.Field {
	row := outcome("ON_FAIL", "What to do after a failure: a step, actions, or branches.")
	row.Synonyms = []string{"ON_FAILURE"}
	return row
}

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
	{Name: "ON_TIMEOUT", Type: tool.AnyType, Ref: tool.RefStep, Doc: "What to do after that."},
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
		{Name: "RESUME", Type: tool.AnyType, Doc: "Whether the step goes on afterwards."},
	}, actionFields())
	named := slices.Clone(fields) // `intent:` with a block below, which names it
	named[0].Required = false
	return tool.Field{Name: name, Type: tool.BlockList, Open: true, OneLine: true, Fields: fields,
		Each: &tool.Field{Type: tool.Block, OneLine: true, Lax: true, Fields: named}, Doc: doc}
}

func subIntentFields() []tool.Field {
	return slices.Concat([]tool.Field{intentField("The intent of the side question.")}, respondFields(), []tool.Field{
		clearField, setField, callField,
		{Name: "RESUME", Type: tool.AnyType, Doc: "Whether the step goes on afterwards."},
	})
}
