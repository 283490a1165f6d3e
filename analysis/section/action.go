package section

import (
	"slices"
	"sync"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// respondFields returns RESPOND and its companions, in a place whose VOICE has those keys.
func respondFields(voice []tool.Field) []tool.Field {
	siblings := respondSiblings(voice)
	return append([]tool.Field{
		{Name: "RESPOND", Type: tool.String, Ref: tool.RefTemplate, Fields: siblings,
			Doc: "What the agent says: a text, or `TEMPLATE(name)`."},
	}, siblings...)
}

// respondSiblings returns the keys that may be next to RESPOND, and one level below it.
func respondSiblings(voice []tool.Field) []tool.Field {
	return []tool.Field{
		{Name: "MESSAGE_KEY", Type: tool.String, Ref: tool.RefMessage, Doc: "A text of `MESSAGES` that is said instead."},
		{Name: "VOICE", Type: tool.Block, OneLine: true, Fields: voice, Doc: "How the answer is spoken."},
		{Name: voiceInstructions.Name, Type: tool.String, Undocumented: true, Doc: voiceInstructions.Doc},
		{Name: "FORMATS", Type: tool.Block, Fields: richFields, Doc: "The answer in the forms of single channels. The same as `RICH_CONTENT`."},
		{Name: "RICH_CONTENT", Type: tool.Block, Fields: richFields, Doc: "The answer in the forms of single channels. The same as `FORMATS`."},
		actionsField,
		carouselField,
	}
}

var setField = tool.Field{Name: "SET", Type: tool.MapType, OneLine: true, Repeats: true,
	Doc: "Variables and their new values: `name = expression`, on the line or one a line below."}

var clearField = tool.Field{Name: "CLEAR", Type: tool.ListType, Ref: tool.RefVariable, Repeats: true, Doc: "Variables that are forgotten."}

var callField = tool.Field{Name: "CALL", Type: tool.Expr, Ref: tool.RefTool, Fields: callFields,
	Doc: "Calls a tool: its name, with `WITH` and `AS` below, or `name(argument, …)`."}

var callFields = []tool.Field{
	{Name: "WITH", Type: tool.MapType, Doc: "The arguments, by parameter: variables, literals or expressions."},
	{Name: "AS", Type: tool.WordType, Doc: "The name that the result gets."},
}

// guardedCall returns a CALL that may have a condition below it.
func guardedCall() tool.Field {
	field := callField
	field.Fields = append(slices.Clone(callFields),
		tool.Field{Name: "WHEN", Type: tool.Expr, Doc: "The condition under which the tool is called."})
	return field
}

var logField = tool.Field{Name: "LOG", Type: tool.Block, OneLine: true, Repeats: true, Fields: []tool.Field{
	{Name: "MESSAGE", Type: tool.String, Doc: "What is logged."},
	{Name: "LEVEL", Type: tool.WordType, Values: words("debug", "info", "warn", "error"), Doc: "How much it matters."},
}, Doc: "Writes to the log: a text, or `MESSAGE` and `LEVEL` below."}

var thenField = tool.Field{Name: "THEN", Type: tool.String, Ref: tool.RefStep,
	Doc: "What comes next: a step, or `CONTINUE`, `COMPLETE`, `ESCALATE`, `HANDOFF Agent`."}

// languageTag matches a BCP 47 tag, or a path or a placeholder whose value is one.
var languageTag = lazyregexp.New(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$|^[A-Za-z_]\w*[.(\[]|\$\{`)

var languageFields = []tool.Field{
	{Name: "SET_INTERACTION_LANGUAGE", Type: tool.String, Refused: true, Pattern: languageTag, Form: "a BCP 47 tag such as `es-MX`, or a path such as `user.lang`",
		Doc: "The language of the conversation from here on: a BCP 47 tag, or a path or a placeholder that gives one."},
	{Name: "CLEAR_INTERACTION_LANGUAGE", Type: tool.Block, OneLine: true, Open: true, Values: words("true"), Doc: "Goes back to the agent's own language. It takes no value."},
}

// conditionFields are the keys with which a branch begins.
var conditionFields = []tool.Field{
	{Name: "IF", Type: tool.Expr, Doc: "The condition under which the actions run."},
	{Name: "CONDITION", Type: tool.Expr, Doc: "The condition under which the actions run."},
	{Name: "WHEN", Type: tool.Expr, Doc: "The condition under which the actions run."},
	{Name: "ELSE", Type: tool.AnyType, Doc: "The actions that run where no condition holds. It has no value of its own."},
}

// actionLists are the lists of actions. They contain each other.
type actionLists struct {
	block  []tool.Field // those in a block
	items  []tool.Field // those in the items of a list, one an item, conditions included
	branch []tool.Field // a condition with its actions
}

// actions are the actions in all places.
var actions = sync.OnceValue(func() *actionLists {
	fields := &actionLists{block: slices.Concat(respondFields(answerVoice), plainActions())}
	fields.items = slices.Concat(conditionFields, withReturn(fields.block), []tool.Field{resume})
	fields.branch = slices.Concat(conditionFields, respondFields(branchVoice), plainActions())
	for _, list := range [][]tool.Field{fields.block, fields.items, fields.branch} {
		fields.tie(list)
	}
	return fields
})

// plainActions returns the actions besides RESPOND.
func plainActions() []tool.Field {
	return slices.Concat([]tool.Field{
		setField, clearField, callField, logField,
		outcomeField("ON_SUCCESS", "What to do after a success of the call: actions, or branches."),
		orFailure(outcomeField("ON_FAIL", "What to do after a failure of the call: a step, actions, or branches.")),
		{Name: "COLLECT", Type: tool.ListType, Ref: tool.RefField, Doc: "Fields to ask for again."},
		{Name: "RETRY", Type: tool.Expr, Doc: "Tries again, or how often."},
		{Name: "HANDOFF", Type: tool.AnyType, Ref: tool.RefAgent, Doc: "Hands the conversation over to another agent."},
		{Name: "DELEGATE", Type: tool.AnyType, Ref: tool.RefAgent, Doc: "Lets another agent do a part of the work."},
		{Name: "ESCALATE", Type: tool.AnyType, Doc: "Hands the conversation over to a human."},
		{Name: "COMPLETE", Type: tool.AnyType, Doc: "Ends the conversation."},
		{Name: "RETURN", Type: tool.AnyType, Doc: "Goes back to the agent before."},
		thenField,
		{Name: "GOTO", Type: tool.String, Ref: tool.RefStep, Doc: "The step to go to."},
		{Name: "TRANSITION", Type: tool.String, Ref: tool.RefStep, Doc: "The step to go to."},
	}, languageFields, []tool.Field{
		{Name: "DO", Type: tool.BlockList, Open: true, Doc: "Actions in order, one an item."},
	})
}

// outcomeField returns an [outcome] whose fields are set by [actionLists.tie].
func outcomeField(name, doc string) tool.Field {
	return tool.Field{Name: name, Type: tool.Block, OneLine: true, Ref: tool.RefStep, Doc: doc}
}

// orFailure adds the spelling ON_FAILURE to ON_FAIL.
func orFailure(field tool.Field) tool.Field { return withSynonym(field, "ON_FAILURE") }

// tie sets the fields below actions that contain others. Actions may be repeated.
func (a *actionLists) tie(fields []tool.Field) {
	for i := range fields {
		field := &fields[i]
		field.Repeats = true
		switch field.Name {
		case "IF", "CONDITION", "WHEN":
			field.Fields = a.block
		case "ELSE":
			field.Type, field.OneLine, field.Fields = tool.Block, true, a.block
		case "DO":
			field.Fields = a.items
		case "ON_SUCCESS", "ON_FAIL":
			field.Fields, field.Items = a.block, a.branch
		}
	}
}

// returnFields are below HANDOFF and DELEGATE, or next to them, in a user's action or a digression.
var returnFields = []tool.Field{
	{Name: "ON_RETURN", Type: tool.Block, OneLine: true, Open: true, Repeats: true, Fields: []tool.Field{
		{Name: "MAP", Type: tool.MapType, OneLine: true, Doc: "Variables that get what the other agent gives back."},
	}, Doc: "What to do when the other agent hands back: `MAP`."},
}

// withReturn adds to actions what is done when another agent hands back.
func withReturn(fields []tool.Field) []tool.Field {
	below := slices.Concat([]tool.Field{
		{Name: "RETURN", Type: tool.BooleanType, Doc: "Whether the other agent hands back."},
	}, returnFields)
	agent := tool.Field{Type: tool.WordType, Ref: tool.RefAgent, Doc: "The other agent."}
	fields = slices.Clone(fields)
	for i := range fields {
		switch fields[i].Name {
		case "HANDOFF":
			agent.Name = "TO"
		case "DELEGATE":
			agent.Name = "AGENT"
		default:
			continue
		}
		fields[i].Fields = append([]tool.Field{agent}, below...)
	}
	return append(fields, returnFields...)
}

// ToolActions returns the field of a tool's `do`: what happens with its result, one action an item.
func ToolActions() *tool.Field { return toolActions() }

var toolActions = sync.OnceValue(func() *tool.Field {
	return &tool.Field{Name: "do", Type: tool.BlockList, Open: true, Fields: actions().items, Doc: "Actions in order, one an item."}
})

func actionFields() []tool.Field { return actions().block }

// withActions adds the actions that no page has in that place, and that mean the same as elsewhere.
func withActions(fields []tool.Field) []tool.Field {
	for _, field := range actionFields() {
		if known, _ := tool.Find(fields, field.Name); known == nil {
			field.Undocumented, field.Repeats = true, true
			fields = append(fields, field)
		}
	}
	return fields
}

// branchList returns a list of branches, as ON_RESULT is.
func branchList(name, doc string) tool.Field {
	return tool.Field{Name: name, Type: tool.BlockList, Open: true, Fields: actions().branch, Doc: doc}
}

// outcome returns a list of branches that may also be a block of actions or a single word, as
// ON_FAIL is.
func outcome(name, doc string) tool.Field {
	field := outcomeField(name, doc)
	field.Fields, field.Items = actions().block, actions().branch
	return field
}

// handlers returns the actions of users: a list of `- ACTION: id`, or a block for each id.
func handlers(name string) tool.Field {
	items := slices.Concat([]tool.Field{
		{Name: "ACTION", Type: tool.String, Ref: tool.RefAction, Doc: "The id of the action."},
		{Name: "CONDITION", Type: tool.Expr, Doc: "The condition under which it counts."},
		{Name: "IF", Type: tool.Expr, Doc: "The condition under which it counts."},
		{Name: "WHEN", Type: tool.Expr, Doc: "The condition under which it counts."},
	}, withReturn(actionFields()))
	return tool.Field{Name: name, Type: tool.Block, Open: true, Items: items, Each: &tool.Field{Type: tool.Block, OneLine: true, Fields: items},
		Doc: "What buttons and inputs do, by their id."}
}

// actionSections returns the sections that contain actions.
func actionSections() []tool.Field {
	return []tool.Field{
		{Name: "ON_START", Type: tool.Block, Fields: startFields(), Items: withConditions(startFields()), Doc: "Actions at the beginning."},
		{Name: "HOOKS", Type: tool.Block, Fields: hookPoints(), Doc: "Actions around the agent and each turn."},
		handlers("ACTION_HANDLERS"),
		errorHandlers("ON_ERROR"),
	}
}

const belowCall = "below `CALL:`, indented deeper; beside it the tool is called in any case"

// startFields returns the actions of ON_START.
func startFields() []tool.Field {
	fields := withCall(slices.Clone(actionFields()))
	return append(fields,
		tool.Field{Name: "WHEN", Type: tool.Expr, Repeats: true, Elsewhere: belowCall, Doc: "The condition under which a tool is called; it belongs below `CALL:`."},
		tool.Field{Name: "BRANCHES", Type: tool.BlockList, Open: true, Repeats: true, Fields: startBranch(),
			Doc: "Answers under conditions: a list of `IF`, and `ELSE` at the end. The `RESPOND` beside it is the fall-back."})
}

// startBranch returns the keys of a branch in ON_START, which can only answer.
func startBranch() []tool.Field {
	answer := onlyAnswers(slices.Clone(actions().block))
	fields := onlyAnswers(slices.Clone(actions().branch))
	for i := range conditionFields {
		fields[i].Fields = answer
	}
	return fields
}

// onlyAnswers marks actions that a branch in ON_START does not run.
func onlyAnswers(fields []tool.Field) []tool.Field {
	for i := range fields {
		switch fields[i].Name {
		case "SET", "CALL", "DELEGATE":
			fields[i].Elsewhere = "directly below `ON_START:`; a branch there chooses an answer and does nothing else"
		}
	}
	return fields
}

// withCall lets the CALL of some fields have a condition.
func withCall(fields []tool.Field) []tool.Field {
	for i := range fields {
		if fields[i].Name == "CALL" {
			fields[i] = guardedCall()
			fields[i].Repeats = true
		}
	}
	return fields
}

// withConditions adds the words with which a branch begins, in a list of actions.
func withConditions(fields []tool.Field) []tool.Field {
	for _, field := range actions().items[:len(conditionFields)] {
		if known, _ := tool.Find(fields, field.Name); known == nil {
			fields = append(fields, field)
		}
	}
	return fields
}

// hookPoints returns the keys of HOOKS.
func hookPoints() []tool.Field {
	fields := append(withCall(slices.Clone(actionFields())),
		tool.Field{Name: "WHEN", Type: tool.Expr, Repeats: true, Fields: actionFields(),
			Doc: "The condition of an answer: the first whose condition holds is said, after `SET` and `CALL`."},
		tool.Field{Name: "BRANCHES", Type: tool.BlockList, Open: true, Undocumented: true, Repeats: true, Fields: actions().branch, Doc: "Actions under conditions."},
		tool.Field{Name: "critical", Type: tool.BooleanType, Doc: "Whether the agent stops where the hook fails."})
	points := make([]tool.Field, 0, 4)
	for _, p := range [][2]string{
		{"before_agent", "Runs before the agent begins."}, {"after_agent", "Runs when the agent is done."},
		{"before_turn", "Runs before each turn."}, {"after_turn", "Runs after each turn."},
	} {
		points = append(points, tool.Field{Name: p[0], Type: tool.Block, Fields: fields, Items: withConditions(slices.Clone(fields)), Doc: p[1]})
	}
	return points
}
