package section

import (
	"sync"

	"github.com/abl-lsp/abl-lsp/tool"
)

var (
	priorityField  = tool.Field{Name: "PRIORITY", Type: tool.NumberType, Integer: true, Refused: true, Doc: "Which profile wins where several hold: the higher number. Whole, and not negative."}
	profileWhen    = tool.Field{Name: "WHEN", Type: tool.Expr, Doc: "The condition under which the profile holds."}
	profileSection = tool.Field{Name: "BEHAVIOR_PROFILE", Type: tool.Block, OneLine: true, Ref: tool.RefProfile, Fields: []tool.Field{
		priorityField, profileWhen,
		{Name: "INSTRUCTIONS", Type: tool.String, Doc: "Further instructions while the profile holds."},
		conversationField,
	}, Doc: "Changes to the agent that hold under a condition."}
)

// profileFields are the sections that only behaviour profiles have, and those that
// read otherwise there.
var profileFields = sync.OnceValue(func() map[string]*tool.Field {
	return byName([]tool.Field{
		{Name: "BEHAVIOR_PROFILE", Type: tool.String, Ref: tool.RefProfile, Doc: "The profile's name."},
		{Name: "CONSTRAINTS", Type: tool.Block, Open: true, Items: ruleFields(),
			Each: &tool.Field{Type: tool.BlockList, Open: true, OneLine: true, Repeats: true, Items: ruleFields()},
			Doc:  "Rules in plain words, or as an agent has them."},
		{Name: "RESPONSE", Type: tool.Block, Open: true, Fields: responseFields, Doc: "How answers are given."},
		{Name: "VOICE", Type: tool.Block, Fields: answerVoice, Doc: "How the voice sounds."},
		{Name: "FLOW", Type: tool.Block, Open: true, Fields: flowChanges(), Doc: "Changes to the flow: `SKIP`, `REPLACE`, `OVERRIDES`, `INSERTIONS`."},
		{Name: "GATHER", Type: tool.Block, Fields: []tool.Field{
			{Name: "VALIDATION_STYLE", Type: tool.AnyType, Doc: "How the agent says that a value does not fit."},
			{Name: "CONFIRMATION", Type: tool.AnyType, Doc: "How the agent lets the user confirm values."},
			{Name: "FIELD_OVERRIDES", Type: tool.Block, Open: true, Each: &tool.Field{Type: tool.Block, OneLine: true, Fields: overriddenFields()},
				Doc: "Changes to fields, a block for each."},
		}, Doc: "Changes to what is collected."},
		{Name: "RESPONSE_RULES", Type: tool.AnyType, Doc: "How answers are given: `RESPONSE` in the full specification."},
		{Name: "TOOLS_HIDE", Type: tool.AnyType, Doc: "Tools that are hidden: `HIDE` of `TOOLS` in the full specification."},
		{Name: "TOOLS_ADD", Type: tool.AnyType, Doc: "Tools that are added: `ADD` of `TOOLS` in the full specification."},
		{Name: "GATHER_OVERRIDES", Type: tool.AnyType, Doc: "Changes to what is collected: `GATHER` in the full specification."},
		{Name: "FLOW_MODIFICATIONS", Type: tool.AnyType, Doc: "Changes to the flow: `FLOW` in the full specification."},
		{Name: "FLOW_REPLACE", Type: tool.AnyType, Doc: "Steps that are replaced: `REPLACE` of `FLOW` in the full specification."},
	})
})

var responseFields = []tool.Field{
	{Name: "max_buttons", Type: tool.NumberType, Doc: "Most buttons below an answer."},
	{Name: "fallback_format", Type: tool.String, Doc: "The form of an answer where the channel has no other."},
	{Name: "media_types", Type: tool.ListType, Doc: "The types of media that the channel shows."},
	{Name: "max_response_length", Type: tool.NumberType, Doc: "Most characters of an answer."},
}

// overriddenFields returns the keys of a field that a profile changes.
func overriddenFields() []tool.Field {
	return append(optionalFields(), tool.Field{Name: "SKIP", Type: tool.AnyType, Doc: "Whether the field is left out."})
}

// flowChanges returns the keys of FLOW in a profile. Other keys are the author's, there and below.
func flowChanges() []tool.Field {
	step := &tool.Field{Type: tool.Block, OneLine: true, Open: true, Fields: []tool.Field{
		{Name: "respond", Type: tool.String, Ref: tool.RefTemplate, Doc: "What the step says."},
		{Name: "transition", Type: tool.AnyType, Doc: "The step that follows."},
		{Name: "VOICE", Type: tool.Block, OneLine: true, Fields: stepVoice, Doc: "How the answer is spoken."},
		{Name: "RICH_CONTENT", Type: tool.Block, Fields: richFields, Doc: "The answer in the forms of single channels."},
	}}
	return []tool.Field{
		{Name: "SKIP", Type: tool.AnyType, Doc: "Steps that are left out."},
		{Name: "REPLACE", Type: tool.Block, Open: true, OneLine: true, Each: step, Doc: "Steps that are replaced, a block for each."},
		{Name: "OVERRIDES", Aliases: []string{"OVERRIDE"}, Type: tool.Block, Open: true, OneLine: true, Each: step, Doc: "Changes to steps, a block for each."},
		{Name: "INSERTIONS", Type: tool.AnyType, Doc: "Further steps: a list of `BEFORE: step` or `AFTER: step`, with a step's body."},
	}
}
