package section

import (
	"slices"
	"sync"

	"github.com/abl-lsp/abl-lsp/tool"
)

// respondFields are RESPOND and what comes with it.
func respondFields() []tool.Field {
	return append([]tool.Field{
		{Name: "RESPOND", Type: tool.String, Ref: tool.RefTemplate, Fields: besideFields,
			Doc: "What the agent says: a text, or `TEMPLATE(name)`."},
	}, besideFields...)
}

// besideFields are what may stand beside RESPOND, and one level below it.
var besideFields = []tool.Field{
	{Name: "MESSAGE_KEY", Type: tool.String, Ref: tool.RefMessage, Doc: "A text of `MESSAGES` that is said instead."},
	{Name: "VOICE", Type: tool.Block, OneLine: true, Fields: voiceFields, Doc: "How the answer is spoken."},
	{Name: "FORMATS", Type: tool.Block, Fields: richFields, Doc: "The answer in the forms of single channels. The same as `RICH_CONTENT`."},
	{Name: "RICH_CONTENT", Type: tool.Block, Fields: richFields, Doc: "The answer in the forms of single channels. The same as `FORMATS`."},
	actionsField,
}

var setField = tool.Field{Name: "SET", Type: tool.MapType, OneLine: true, Repeats: true,
	Doc: "Variables and their new values: `name = expression`, on the line or one a line below."}

var clearField = tool.Field{Name: "CLEAR", Type: tool.ListType, Repeats: true, Doc: "Variables that are forgotten."}

var callField = tool.Field{Name: "CALL", Type: tool.Expr, Ref: tool.RefTool, Fields: callFields,
	Doc: "Calls a tool: its name, with `WITH` and `AS` below, or `name(argument, …)`."}

var callFields = []tool.Field{
	{Name: "WITH", Type: tool.MapType, Doc: "The arguments, by parameter: variables, literals or expressions."},
	{Name: "AS", Type: tool.WordType, Doc: "The name that the result gets."},
}

var logField = tool.Field{Name: "LOG", Type: tool.Block, OneLine: true, Repeats: true, Fields: []tool.Field{
	{Name: "MESSAGE", Type: tool.String, Doc: "What is logged."},
	{Name: "LEVEL", Type: tool.WordType, Values: words("debug", "info", "warn", "error"), Doc: "How much it matters."},
}, Doc: "Writes to the log: a text, or `MESSAGE` and `LEVEL` below."}

var thenField = tool.Field{Name: "THEN", Type: tool.String, Ref: tool.RefStep,
	Doc: "What comes next: a step, or `CONTINUE`, `COMPLETE`, `ESCALATE`, `HANDOFF Agent`."}

// actions are the rows of actions and those of a branch, which is a condition
// with actions. They hold each other.
var actions = sync.OnceValues(func() (actions, branches []tool.Field) {
	actions = slices.Concat(respondFields(), []tool.Field{
		setField, clearField, callField, logField,
		{Name: "COLLECT", Type: tool.ListType, Ref: tool.RefField, Doc: "Fields to ask for again."},
		{Name: "RETRY", Type: tool.AnyType, Doc: "Tries again, or how often."},
		{Name: "HANDOFF", Type: tool.AnyType, Ref: tool.RefAgent, Doc: "Hands the conversation over to another agent."},
		{Name: "DELEGATE", Type: tool.AnyType, Ref: tool.RefAgent, Doc: "Lets another agent do a part of the work."},
		{Name: "ESCALATE", Type: tool.AnyType, Doc: "Hands the conversation over to a human."},
		{Name: "COMPLETE", Type: tool.AnyType, Doc: "Ends the conversation."},
		{Name: "RETURN", Type: tool.AnyType, Doc: "Goes back to the agent before."},
		thenField,
		{Name: "GOTO", Type: tool.String, Ref: tool.RefStep, Doc: "The step to go to."},
		{Name: "TRANSITION", Type: tool.String, Ref: tool.RefStep, Doc: "The step to go to."},
		{Name: "SET_INTERACTION_LANGUAGE", Type: tool.AnyType, Doc: "The language of the conversation from here on."},
		{Name: "CLEAR_INTERACTION_LANGUAGE", Type: tool.AnyType, Doc: "Goes back to the agent's own language."},
		{Name: "BRANCHES", Type: tool.BlockList, Open: true, Doc: "Actions under conditions: a list of `IF`, and `ELSE` at the end."},
		{Name: "DO", Type: tool.BlockList, Open: true, Doc: "Actions in order, one an item."},
	})
	branches = append([]tool.Field{
		{Name: "IF", Type: tool.Expr, Doc: "The condition under which the actions run."},
		{Name: "CONDITION", Type: tool.Expr, Doc: "The condition under which the actions run."},
		{Name: "WHEN", Type: tool.Expr, Doc: "The condition under which the actions run."},
		{Name: "ELSE", Type: tool.AnyType, Doc: "The actions that run where no condition holds. It has no value of its own."},
	}, actions...)
	tie(actions, actions, branches)
	tie(branches, actions, branches)
	return actions, branches
})

// tie puts rows that hold each other below those that hold them. Actions may
// stand in any number.
func tie(rows, actions, branches []tool.Field) {
	for i := range rows {
		row := &rows[i]
		row.Repeats = true
		switch row.Name {
		case "IF", "CONDITION", "WHEN":
			row.Fields = actions
		case "ELSE":
			row.Type, row.OneLine, row.Fields = tool.Block, true, actions
		case "BRANCHES", "DO":
			row.Fields = branches
		}
	}
}

func actionFields() []tool.Field {
	rows, _ := actions()
	return rows
}

// withActions adds the actions that no page has in that place, and that mean
// what they mean elsewhere.
func withActions(rows []tool.Field) []tool.Field {
	for _, row := range actionFields() {
		if known, _ := tool.Find(rows, row.Name); known == nil {
			row.Undocumented, row.Repeats = true, true
			rows = append(rows, row)
		}
	}
	return rows
}

// branchList is a list of branches, as ON_RESULT is.
func branchList(name, doc string) tool.Field {
	_, branches := actions()
	return tool.Field{Name: name, Type: tool.BlockList, Open: true, Fields: branches, Doc: doc}
}

// outcome is a list of branches that may also be a block of actions or a single
// word, as ON_FAIL is.
func outcome(name, doc string) tool.Field {
	rows, branches := actions()
	return tool.Field{Name: name, Type: tool.Block, OneLine: true, Fields: rows, Items: branches, Ref: tool.RefStep, Doc: doc}
}

// handlers is what user actions do: a list of `- ACTION: id`, or a block for
// each id.
func handlers(name string) tool.Field {
	items := slices.Concat([]tool.Field{
		{Name: "ACTION", Type: tool.String, Doc: "The id of the action."},
		{Name: "CONDITION", Type: tool.Expr, Doc: "The condition under which it counts."},
		{Name: "IF", Type: tool.Expr, Doc: "The condition under which it counts."},
		{Name: "WHEN", Type: tool.Expr, Doc: "The condition under which it counts."},
	}, actionFields())
	return tool.Field{Name: name, Type: tool.Block, Open: true, Items: items, Each: &tool.Field{Type: tool.Block, OneLine: true, Fields: items},
		Doc: "What buttons and inputs do, by their id."}
}

// actionSections are the sections that hold actions.
func actionSections() []tool.Field {
	rows, branches := actions() // in a list, a condition may stand before its actions, too
	critical := []tool.Field{{Name: "critical", Type: tool.BooleanType, Doc: "Whether the agent stops where the hook fails."}}
	hook, items := slices.Concat(critical, rows), slices.Concat(critical, branches)
	points := make([]tool.Field, 0, 4)
	for _, p := range [][2]string{
		{"before_agent", "Runs before the agent begins."}, {"after_agent", "Runs when the agent is done."},
		{"before_turn", "Runs before each turn."}, {"after_turn", "Runs after each turn."},
	} {
		points = append(points, tool.Field{Name: p[0], Type: tool.Block, Fields: hook, Items: items, Doc: p[1]})
	}
	return []tool.Field{
		{Name: "ON_START", Type: tool.Block, Fields: rows, Items: branches, Doc: "Actions at the beginning."},
		{Name: "HOOKS", Type: tool.Block, Fields: points, Doc: "Actions around the agent and each turn."},
		handlers("ACTION_HANDLERS"),
		errorHandlers("ON_ERROR"),
	}
}
