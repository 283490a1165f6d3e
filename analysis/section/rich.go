package section

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

// voiceFields are the keys of VOICE beside an answer.
var voiceFields = []tool.Field{
	{Name: "ssml", Type: tool.String, Doc: "The answer as SSML."},
	{Name: "instructions", Type: tool.String, Doc: "How the voice is to speak."},
	{Name: "plain_text", Type: tool.String, Doc: "The answer without any markup."},
	{Name: "provider", Type: tool.String, Doc: "Who makes the voice."},
	{Name: "voice_id", Type: tool.String, Doc: "The provider's name of the voice."},
	{Name: "speed", Type: tool.String, Doc: "How fast the voice speaks."},
	{Name: "pace", Type: tool.String, Doc: "How fast the voice speaks, in words."},
	{Name: "temperature", Type: tool.String, Doc: "How freely the voice speaks."},
	{Name: "auto_tts_language_switch", Type: tool.String, Doc: "Whether the voice follows the user's language."},
}

// richFields are the forms of an answer.
var richFields = slices.Concat([]tool.Field{
	{Name: "DEFAULT", Type: tool.String, Doc: "The text for all other channels."},
	{Name: "MARKDOWN", Type: tool.String, Doc: "The answer in Markdown."},
	{Name: "HTML", Type: tool.String, Doc: "The answer in HTML."},
	{Name: "ADAPTIVE_CARD", Type: tool.AnyType, Doc: "The answer as an Adaptive Card, in JSON."},
	{Name: "SLACK", Type: tool.AnyType, Doc: "The answer in Slack's blocks."},
	{Name: "AG_UI", Type: tool.AnyType, Doc: "The answer as AG-UI events."},
	{Name: "WHATSAPP", Type: tool.AnyType, Doc: "The answer as a WhatsApp message."},
	{Name: "VOICE", Type: tool.Block, OneLine: true, Fields: voiceFields, Doc: "How the answer is spoken."},
	actionsField,
	{Name: "RENDERABLES", Type: tool.AnyType, Doc: "Parts that the client draws itself."},
}, structured("CAROUSEL", "QUICK_REPLIES", "LIST", "IMAGE", "VIDEO", "AUDIO", "FILE", "KPI", "TABLE", "CHART", "FORM", "PROGRESS", "FEEDBACK"))

func structured(names ...string) []tool.Field {
	var rows []tool.Field
	for _, name := range names {
		rows = append(rows, tool.Field{Name: name, Type: tool.AnyType, Doc: "A structured part of the answer; its keys are the platform's."})
	}
	return rows
}

// actionsField is ACTIONS: buttons, selections and inputs, and what sends them.
var actionsField = tool.Field{Name: "ACTIONS", Type: tool.BlockList, Open: true,
	Items: slices.Concat(actionItemFields, submitFields), Fields: submitFields,
	Doc: "Buttons, selections and inputs below the answer."}

var actionItemFields = []tool.Field{
	{Name: "id", Type: tool.String, Doc: "The id that `ON_ACTION` and `ACTION_HANDLERS` know the action by."},
	{Name: "type", Type: tool.WordType, Values: []tool.Word{
		{Name: "button", Doc: "Something to press."}, {Name: "select", Doc: "A choice of `options`."}, {Name: "input", Doc: "A text, number, … to enter."},
	}, Doc: "What the user sees."},
	{Name: "label", Type: tool.String, Doc: "The text on it."},
	{Name: "value", Type: tool.AnyType, Doc: "What it sends."},
	{Name: "description", Type: tool.String, Doc: "What it is for."},
	{Name: "options", Type: tool.AnyType, Doc: "The choices of a `select`."},
	{Name: "inputType", Synonyms: []string{"input_type"}, Type: tool.WordType, Values: words("text", "number", "date", "time", "email"), Doc: "What an `input` takes."},
	{Name: "placeholder", Type: tool.String, Doc: "What an empty `input` shows."},
	{Name: "required", Type: tool.BooleanType, Doc: "Whether an `input` must be filled in."},
}

// submitFields stand beside the items; some authors write them as one more.
var submitFields = []tool.Field{
	{Name: "SUBMIT_LABEL", Synonyms: []string{"submitLabel"}, Type: tool.String, Doc: "The text on the button that sends all inputs."},
	{Name: "SUBMIT_ID", Synonyms: []string{"submitId"}, Type: tool.String, Doc: "The id of that button."},
	{Name: "RENDER_ID", Synonyms: []string{"renderId"}, Type: tool.String, Doc: "The id by which the part is replaced later."},
}

// talkRows are the sections that hold texts.
var talkRows = []tool.Field{
	{Name: "MESSAGES", Type: tool.MapType, Doc: "Texts by key, such as `error_default` or `gather_prompt`."},
	{Name: "TEMPLATES", Type: tool.Block, Open: true, Each: &tool.Field{Type: tool.Block, OneLine: true, Fields: templateFields()},
		Doc: "Texts and rich content by name, used as `RESPOND: TEMPLATE(name)`."},
	{Name: "RICH_CONTENT", Type: tool.Block, Fields: richFields, Doc: "The answer in the forms of single channels."},
	actionsField,
}

// templateFields are the forms of a template, of which one must be there.
func templateFields() []tool.Field {
	rows := slices.Clone(richFields)
	rows[0].Required = true
	return rows
}
