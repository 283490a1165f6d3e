package section

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// anything matches every text: the words of a set are not all that there may be.
var anything = lazyregexp.New(`^`)

// yamlCallSpec returns a call as a map.
func yamlCallSpec() tool.Field {
	return tool.Field{Name: "call_spec", Type: tool.Block, Twin: twin("CALL"), Doc: "Calls a tool, as a map.", Fields: []tool.Field{
		{Name: "tool", Ref: tool.RefTool, Doc: "The tool that is called."}, expressionMap("with"), {Name: "as"},
	}}
}

// yamlRichContent returns the answer in the forms of single channels. Nothing in it is checked.
func yamlRichContent(synonyms ...string) tool.Field {
	row := tool.Field{Name: "rich_content", Synonyms: append(synonyms, "formats"), Type: tool.Block, Open: true, Fields: inYAML(richFields)}
	for i := range row.Fields {
		part := &row.Fields[i]
		*part = tool.Field{Name: part.Name, Type: tool.AnyType, Twin: part.Twin, Doc: part.Doc}
	}
	return row
}

// yamlAnswer returns what may come with an answer, in a place whose VOICE has those keys and whose
// voice_config has those other names.
func yamlAnswer(voice []tool.Field, synonyms ...string) []tool.Field {
	rich := yamlRichContent()
	if slices.Contains(synonyms, "voiceConfig") {
		rich = yamlRichContent("richContent")
	}
	return []tool.Field{
		{Name: "voice_config", Synonyms: synonyms, Type: tool.Block, AnyCase: true, Twin: twin("VOICE"), Fields: inYAML(voice)},
		rich,
		{Name: "actions", Type: tool.Block, Items: yamlElements(), Fields: []tool.Field{
			{Name: "elements", Type: tool.BlockList, Required: true, Fields: yamlElements(), Twin: twin("."), Doc: "The elements, one an item."},
			{Name: "submit_label", Synonyms: []string{"submitLabel"}}, {Name: "submit_id", Synonyms: []string{"submitId"}},
		}},
	}
}

// yamlElements returns the keys of a button, a selection or an input.
func yamlElements() []tool.Field {
	return []tool.Field{
		{Name: "id", Synonyms: []string{"action_id", "actionId", "name"}, Required: true},
		{Name: "type", Type: tool.WordType, Default: "button", Values: words("button", "select", "input")},
		{Name: "label", Synonyms: []string{"title", "text"}},
		{Name: "value", Synonyms: []string{"payload"}, Type: tool.AnyType},
		{Name: "description", Synonyms: []string{"subtitle"}},
		{Name: "options", Type: tool.BlockList, Twin: twin("options"), Doc: "The choices of a `select`.", Fields: []tool.Field{
			{Name: "id", Synonyms: []string{"value"}, Required: true, Doc: "What the choice sends."},
			{Name: "label", Synonyms: []string{"title", "text"}, Doc: "The text of the choice."},
			{Name: "description", Doc: "What the choice means."},
		}},
		{Name: "input_type", Synonyms: []string{"inputType"}, Type: tool.WordType},
		{Name: "placeholder"},
		{Name: "required", Type: tool.BooleanType},
	}
}

// yamlActions returns the keys with actions.
func yamlActions() []tool.Field {
	start := append([]tool.Field{{Name: "respond"}, {Name: "call", Ref: tool.RefTool}, yamlCallSpec(), expressionMap("set")},
		yamlAnswer(answerVoice, "voiceConfig", "voice")...)
	hook := slices.Concat(start[:4], yamlAnswer(answerVoice, "voiceConfig"), rowsOf(tool.BooleanType, "critical"))
	return []tool.Field{
		{Name: "on_start", Type: tool.Block, Fields: append(start, tool.Field{Name: "delegate"})},
		{Name: "hooks", Type: tool.Block, Fields: []tool.Field{
			{Name: "before_agent", Type: tool.Block, Fields: hook}, {Name: "after_agent", Type: tool.Block, Fields: hook},
			{Name: "before_turn", Type: tool.Block, Fields: hook}, {Name: "after_turn", Type: tool.Block, Fields: hook},
		}},
		yamlHandlers("action_handlers"),
	}
}

// yamlHandlers returns the actions of users, by their id.
func yamlHandlers(name string, synonyms ...string) tool.Field {
	action := slices.Concat([]tool.Field{{Name: "respond"}}, yamlAnswer(answerVoice, "voiceConfig"), []tool.Field{
		expressionMap("set"), {Name: "clear", Type: tool.ListType, OneLine: true}, {Name: "call", Ref: tool.RefTool},
		withName(expressionMap("call_with"), "CALL.WITH", "callWith"), {Name: "call_as", Synonyms: []string{"callAs"}, Twin: twin("CALL.AS")},
		withName(yamlCallSpec(), "CALL", "callSpec"), {Name: "result_key", Synonyms: []string{"resultKey"}, Twin: twin("CALL.AS")},
		{Name: "handoff"}, {Name: "delegate"}, {Name: "return", Type: tool.BooleanType},
		{Name: "on_return", Synonyms: []string{"onReturn"}, Type: tool.Block, Fields: []tool.Field{expressionMap("map")}},
		{Name: "goto", Synonyms: []string{"transition", "then"}},
		{Name: "complete", Type: tool.BooleanType},
	})
	fields := slices.Concat([]tool.Field{
		{Name: "condition", Type: tool.Expr},
		{Name: "do", Type: tool.BlockList, Named: true, Values: []tool.Word{{Name: "complete", Doc: "Ends the conversation."}}, Fields: action},
	}, action)
	return tool.Field{Name: name, Synonyms: synonyms, Type: tool.Block, Open: true,
		Each: &tool.Field{Name: "handler", Type: tool.Block, Ref: tool.RefAction, Declares: true, Fields: fields}}
}

// withName returns a row with its twin and other spellings.
func withName(row tool.Field, path string, synonyms ...string) tool.Field {
	row.Twin, row.Synonyms = twin(path), synonyms
	return row
}

// yamlFlow returns FLOW.
func yamlFlow() []tool.Field {
	step := &tool.Field{Name: "step", Type: tool.Block, Ref: tool.RefStep, Declares: true, Fields: yamlStep()}
	return []tool.Field{{Name: "flow", Type: tool.Block, Twin: twin("FLOW"), Doc: "The conversation in steps: `entry_point` and `steps`.", Fields: []tool.Field{
		{Name: "entry_point"},
		{Name: "steps", Type: tool.Block, Open: true, Required: true, Each: step, Twin: twin("steps"), Doc: "The steps, by name."},
	}}}
}

// yamlStep returns the keys of a step.
func yamlStep() []tool.Field {
	return slices.Concat([]tool.Field{
		{Name: "reasoning", Type: tool.BooleanType},
		{Name: "goal"},
		{Name: "available_tools", Synonyms: []string{"availableTools"}, Type: tool.ListType},
		{Name: "exit_when", Synonyms: []string{"exitWhen"}, Type: tool.Expr},
	}, rowsOf(tool.Expr, "when", "complete_when", "check"), []tool.Field{
		{Name: "max_turns", Synonyms: []string{"maxTurns"}, Type: tool.NumberType},
		{Name: "max_attempts", Type: tool.NumberType},
		{Name: "step_constraints", Synonyms: []string{"stepConstraints"}, Type: tool.ListType},
	}, rowsOf(tool.String, "on_exhausted", "then", "on_fail", "respond", "present", "message_key"), []tool.Field{
		{Name: "call", Ref: tool.RefTool},
		withName(expressionMap("call_with"), "CALL.WITH"), {Name: "call_as", Twin: twin("CALL.AS")}, yamlCallSpec(),
		{Name: "set", Type: tool.BlockList, Fields: []tool.Field{
			{Name: "variable", Required: true, Ref: tool.RefVariable, Doc: "The variable that gets a new value."},
			{Name: "expression", Type: tool.Expr, Required: true, Doc: "The value."},
		}, Twin: twin("SET"), Doc: "Variables and their new values, one an item."},
		{Name: "clear", Type: tool.ListType},
		{Name: "corrections", Type: tool.BooleanType},
		{Name: "gather", Type: tool.Block, Fields: []tool.Field{
			{Name: "fields", Type: tool.BlockList, Required: true, Fields: yamlStepGather()}, {Name: "strategy", Type: tool.WordType}, {Name: "prompt"}, {Name: "message_key"},
		}},
		{Name: "on_input", Type: tool.BlockList, Fields: yamlBranch(true)},
		{Name: "on_result", Type: tool.BlockList, Fields: yamlBranch(true)},
		yamlOutcome("on_success"), yamlOutcome("on_failure"),
		{Name: "on_no_input", Type: tool.Block, AnyCase: true, Twin: twin("VOICE.ON_NO_INPUT"), Fields: inYAML(noInputFields)},
		{Name: "digressions", Type: tool.BlockList, Fields: yamlDigression(
			tool.Field{Name: "keywords", Type: tool.ListType}, tool.Field{Name: "condition", Type: tool.Expr}, tool.Field{Name: "goto"}, tool.Field{Name: "delegate"})},
		{Name: "sub_intents", Type: tool.BlockList, Fields: yamlDigression(expressionMap("set"))},
		yamlHandlers("on_action", "onAction"),
	}, yamlAnswer(stepVoice, "voiceConfig", "voice"))
}

// yamlDigression returns the keys of a digression or a side question.
func yamlDigression(own ...tool.Field) []tool.Field {
	return slices.Concat([]tool.Field{{Name: "intent", Required: true}}, own, []tool.Field{
		{Name: "respond"}, {Name: "message_key"}, {Name: "clear", Type: tool.ListType}, {Name: "call", Ref: tool.RefTool}, yamlCallSpec(), {Name: "resume", Type: tool.BooleanType},
	}, yamlAnswer(answerVoice, "voiceConfig"))
}

// yamlBranch returns the keys of a branch.
func yamlBranch(mustLead bool) []tool.Field {
	return slices.Concat([]tool.Field{
		{Name: "condition", Type: tool.Expr}, {Name: "call", Ref: tool.RefTool}, {Name: "respond"}, {Name: "message_key"},
		expressionMap("set"), yamlCallSpec(), {Name: "then", Required: mustLead},
	}, yamlAnswer(branchVoice, "voiceConfig"))
}

// yamlOutcome returns what follows a success or a failure.
func yamlOutcome(name string) tool.Field {
	return tool.Field{Name: name, Type: tool.Block, Fields: append(yamlBranch(false)[2:],
		tool.Field{Name: "branches", Type: tool.BlockList, Twin: twin("."), Doc: "What to do under conditions, in branches.", Fields: yamlBranch(false)})}
}
