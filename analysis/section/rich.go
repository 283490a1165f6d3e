package section

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// bargeIn returns what may interrupt a spoken answer, below a key of that name.
func bargeIn(name string) tool.Field {
	return tool.Field{Name: name, Type: tool.WordType, Refused: true, Values: []tool.Word{
		{Name: "allow", Doc: "The user may interrupt."}, {Name: "disallow", Doc: "The answer is spoken to its end."},
	}, Doc: "Whether the user may interrupt the answer."}
}

// misplacedBargeIn is `barge_in` where the platform does not take it.
func misplacedBargeIn() tool.Field {
	field := bargeIn("barge_in")
	field.Refused = true
	field.Elsewhere = "in a step, as `BARGE_IN:`, or in the `VOICE` of its answer or of a template"
	return field
}

// voiceFields are the keys of VOICE that are known everywhere.
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
	{Name: "streaming", Type: tool.BooleanType, Default: "true", Doc: "Whether the voice begins before the answer is whole."},
	{Name: "end_of_speech_turn_type", Type: tool.WordType, Values: turnTypes, Doc: "What kind of answer the voice waits for."},
	{Name: "end_of_speech_timeout_ms", Type: tool.NumberType, Doc: "Milliseconds of silence after which the user is done."},
}

var noInputField = tool.Field{Name: "ON_NO_INPUT", Type: tool.Block, Fields: noInputFields, Doc: "What to do when the user says nothing."}

func misplacedNoInput() tool.Field {
	field := noInputField
	field.Refused = true
	field.Elsewhere = "in the `VOICE` that a step itself has"
	return field
}

// The keys of VOICE, by what has it: a step, an answer or a template, and what the
// platform gives no turn-taking of its own.
var (
	stepVoice   = append(slices.Clone(voiceFields), bargeIn("barge_in"), noInputField)
	answerVoice = append(slices.Clone(voiceFields), bargeIn("barge_in"), misplacedNoInput())
	branchVoice = append(slices.Clone(voiceFields), misplacedBargeIn(), misplacedNoInput())
)

var voiceInstructions = tool.Field{Name: "VOICE INSTRUCTIONS", Type: tool.String,
	Doc: "How the voice is to speak: the same as `instructions` below `VOICE`."}

// richFields are the forms of an answer.
var richFields = slices.Concat([]tool.Field{
	{Name: "DEFAULT", Type: tool.String, Doc: "The text for all other channels."},
	{Name: "MARKDOWN", Type: tool.String, Doc: "The answer in Markdown."},
	{Name: "HTML", Type: tool.String, Doc: "The answer in HTML."},
	{Name: "ADAPTIVE_CARD", Type: tool.AnyType, Doc: "The answer as an Adaptive Card, in JSON."},
	{Name: "SLACK", Type: tool.AnyType, Doc: "The answer in Slack's blocks."},
	{Name: "AG_UI", Type: tool.AnyType, Doc: "The answer as AG-UI events."},
	{Name: "WHATSAPP", Type: tool.AnyType, Doc: "The answer as a WhatsApp message."},
	{Name: "VOICE", Type: tool.Block, OneLine: true, Fields: answerVoice, Doc: "How the answer is spoken."},
	voiceInstructions,
	actionsField,
	{Name: "RENDERABLES", Type: tool.AnyType, Doc: "Parts that the client draws itself."},
}, structuredFields)

// sourceFields are instead of a literal list.
var sourceFields = []tool.Field{
	{Name: "from", Type: tool.String, Doc: "The path of the list that the items are made from."},
	{Name: "template", Type: tool.MapType, Doc: "The keys of an item, with what they get."},
	{Name: "when", Type: tool.Expr, Doc: "The condition under which it is shown."},
}

// literalList returns a list of items, or what they are made from.
func literalList(name string, items []tool.Field, doc string) tool.Field {
	return tool.Field{Name: name, Type: tool.BlockList, OneLine: true, Open: true, Loose: true, LooseAmongItems: true, Items: items, Fields: sourceFields, Doc: doc}
}

// part returns a structured part of an answer. Other keys than these are the platform's.
func part(name, doc string, fields ...tool.Field) tool.Field {
	return tool.Field{Name: name, Type: tool.Block, OneLine: true, Open: true, Fields: fields, Items: []tool.Field{}, Doc: doc}
}

// required returns a field that its place must have.
func required(field tool.Field) tool.Field {
	field.Required = true
	return field
}

var (
	shownWhen    = tool.Field{Name: "when", Type: tool.Expr, Doc: "The condition under which it is shown."}
	adaptive     = tool.Field{Name: "adaptive", Type: tool.BooleanType, Doc: "Whether the client adapts the form to its channel."}
	partTitle    = tool.Field{Name: "title", Type: tool.String, Doc: "The title."}
	subtitle     = tool.Field{Name: "subtitle", Type: tool.String, Doc: "The line below the title."}
	imageURL     = tool.Field{Name: "imageUrl", Type: tool.String, Doc: "The address of its picture."}
	defaultURL   = tool.Field{Name: "defaultActionUrl", Type: tool.String, Doc: "The address that a press on it opens."}
	iconURL      = tool.Field{Name: "iconUrl", Type: tool.String, Doc: "The address of its icon."}
	partLabel    = tool.Field{Name: "label", Type: tool.String, Doc: "The text on it."}
	partValue    = tool.Field{Name: "value", Type: tool.AnyType, Doc: "The value that is shown."}
	partURL      = tool.Field{Name: "url", Type: tool.String, Doc: "The address of the file."}
	mediaDetails = []tool.Field{
		shownWhen, required(partURL),
		{Name: "alt", Type: tool.String, Doc: "The text for those who do not see it."},
		{Name: "thumbnailUrl", Type: tool.String, Doc: "The address of a small picture."},
		{Name: "caption", Type: tool.String, Doc: "The text below it."},
	}
)

// carouselField is CAROUSEL next to an answer and among its forms.
var carouselField = literalList("CAROUSEL", []tool.Field{
	required(partTitle), subtitle, withSynonym(imageURL, "IMAGE"), withSynonym(defaultURL, "DEFAULT_ACTION"),
	{Name: "buttons", Type: tool.BlockList, OneLine: true, Open: true, Loose: true, LooseAmongItems: true, Fields: actionItemFields, Doc: "The buttons of the card."},
}, "Cards beside each other: a list of `- TITLE:`.")

func withSynonym(field tool.Field, name string) tool.Field {
	field.Synonyms = []string{name}
	return field
}

// structuredFields are the parts of an answer that clients draw.
var structuredFields = []tool.Field{
	carouselField,
	literalList("QUICK_REPLIES", []tool.Field{
		required(tool.Field{Name: "id", Type: tool.String, Doc: "What the reply is known by."}), required(partLabel), iconURL,
	}, "Replies to press."),
	part("LIST", "A list of lines.", shownWhen, adaptive, partTitle,
		required(literalList("items", []tool.Field{required(partTitle), subtitle, imageURL, defaultURL}, "The lines."))),
	part("IMAGE", "A picture.", mediaDetails...),
	part("VIDEO", "A film.", mediaDetails...),
	part("AUDIO", "A recording.", mediaDetails...),
	part("FILE", "A file to take away.", shownWhen, required(partURL),
		tool.Field{Name: "filename", Type: tool.String, Required: true, Doc: "The name of the file."},
		tool.Field{Name: "sizeBytes", Type: tool.NumberType, Doc: "Its size in bytes."},
		tool.Field{Name: "mimeType", Type: tool.String, Doc: "Its media type."}),
	part("KPI", "One figure.", shownWhen, adaptive, required(partLabel), required(partValue),
		tool.Field{Name: "unit", Type: tool.String, Doc: "The unit of the value."},
		tool.Field{Name: "trend", Type: tool.WordType, Values: words("up", "down", "flat"), Doc: "Where the figure goes."}, iconURL),
	part("TABLE", "A table.", shownWhen, adaptive,
		required(literalList("columns", []tool.Field{
			{Name: "key", Type: tool.String, Required: true, Doc: "The key of the rows that the column shows."},
			{Name: "header", Type: tool.String, Required: true, Doc: "The text above it."},
			{Name: "align", Type: tool.WordType, Values: words("left", "center", "right"), Doc: "Where its values are."},
		}, "The columns.")),
		tool.Field{Name: "rows", Type: tool.AnyType, Required: true, Doc: "The rows, each by the columns' keys."},
		tool.Field{Name: "maxVisibleRows", Type: tool.NumberType, Doc: "Most rows that are shown at once."}),
	part("CHART", "A chart.", shownWhen,
		tool.Field{Name: "type", Type: tool.WordType, Required: true, Values: words("pie", "bar", "line"), Doc: "The kind of chart."},
		partTitle,
		required(literalList("data", []tool.Field{
			required(partLabel), required(partValue), {Name: "color", Type: tool.String, Doc: "Its color."},
		}, "The points."))),
	part("FORM", "A form to fill in.", shownWhen, partTitle,
		required(literalList("fields", actionItemFields, "The fields, as the elements of `ACTIONS`.")),
		tool.Field{Name: "submitLabel", Type: tool.String, Doc: "The text on the button that sends the form."}),
	part("PROGRESS", "How far something is.", shownWhen, partLabel, required(partValue),
		tool.Field{Name: "max", Type: tool.AnyType, Doc: "The value at the end."},
		tool.Field{Name: "variant", Type: tool.WordType, Values: words("bar", "circle"), Doc: "What it looks like."}),
	part("FEEDBACK", "Asks what the user thinks.", feedbackFields()...),
}

// MeasureKeys returns the keys of FEEDBACK that say what is measured: a survey of the project says
// so itself.
func MeasureKeys() []string { return []string{"type", "max", "scoring", "range", "comment_threshold"} }

// feedbackFields returns the keys of FEEDBACK. Each text may depend on conditions.
func feedbackFields() []tool.Field {
	fields := []tool.Field{
		shownWhen,
		{Name: "FEEDBACK_TEMPLATE", Type: tool.String, Doc: "The survey of the project that is asked."},
		{Name: "expires_after", Type: tool.NumberType, Default: "300", Range: &tool.Range{Min: 30, Max: 86400}, Doc: "Seconds that the user has, from 30 to 86400."},
		{Name: "type", Type: tool.WordType, Values: words("thumbs", "star", "stars", "scale"), Doc: "How the user answers, without a survey."},
	}
	for _, name := range MeasureKeys()[1:] {
		fields = append(fields, tool.Field{Name: name, Type: tool.AnyType, Undocumented: true, Doc: "What is measured, without a survey."})
	}
	for _, text := range [][2]string{
		{"prompt", "The question."}, {"submit_label", "The text on the button that sends the answer."}, {"pending_message", "What is shown meanwhile."},
		{"success_message", "What is shown when the answer is there."}, {"error_message", "What is shown when it could not be sent."},
		{"comment_prompt", "What asks for a comment."}, {"comment_placeholder", "What an empty comment shows."},
	} {
		key := tool.Field{Name: text[0], Type: tool.String, Doc: text[1]}
		rules := tool.Field{Name: text[0] + "_rules", Type: tool.BlockList, Open: true, Loose: true, LooseAmongItems: true, Fields: []tool.Field{
			{Name: "when", Type: tool.Expr, Doc: "The condition under which the text is shown."}, key,
			{Name: "value", Type: tool.String, Doc: "The text."},
		}, Doc: "The text by conditions: a list of `when` and `" + text[0] + "` or `value`."}
		if text[0] == "prompt" {
			key.Synonyms = []string{"question", "label"}
			rules.Synonyms = []string{"question_rules", "label_rules"}
		}
		fields = append(fields, key, rules)
	}
	return fields
}

// actionsField is ACTIONS: buttons, selections and inputs, and what sends them.
var actionsField = tool.Field{Name: "ACTIONS", Type: tool.BlockList, Open: true, Loose: true,
	Items: slices.Concat(actionItemFields, submitFields), Fields: submitFields,
	Doc: "Buttons, selections and inputs below the answer."}

var inputWord = lazyregexp.New(`(?i)^(text|number|date|time|email)$`)

// actionItemFields are the keys of an element: one that begins with BUTTON, SELECT
// or INPUT, or a record with a `type`.
var actionItemFields = []tool.Field{
	{Name: "BUTTON", Type: tool.String, Ref: tool.RefAction, Doc: "Something to press: `\"Label\"`, or `\"Label\" -> action_id`."},
	{Name: "SELECT", Type: tool.String, Doc: "A choice: its label; `OPTIONS` are below."},
	{Name: "INPUT", Type: tool.String, Doc: "A text, number, … to enter: its label."},
	{Name: "id", Synonyms: []string{"NAME"}, Aliases: []string{"ACTION_ID"}, Type: tool.String, Ref: tool.RefAction,
		Doc: "The id that `ON_ACTION` and `ACTION_HANDLERS` know the action by. Without one it is the label in lower case, blanks as `_`, without other signs."},
	{Name: "type", Type: tool.WordType, Values: []tool.Word{
		{Name: "button", Doc: "Something to press."}, {Name: "select", Doc: "A choice of `options`."}, {Name: "input", Doc: "A text, number, … to enter."},
	}, Pattern: inputWord, Form: "below `INPUT:` what it takes, such as `email`", Doc: "What the user sees; below `INPUT:` what it takes."},
	{Name: "label", Type: tool.String, Doc: "The text on it."},
	{Name: "value", Synonyms: []string{"PAYLOAD"}, Type: tool.AnyType, Doc: "What it sends."},
	{Name: "url", Aliases: []string{"link", "web_url"}, Type: tool.String, Doc: "The address that it opens."},
	{Name: "description", Synonyms: []string{"SUBTITLE"}, Type: tool.String, Doc: "What it is for."},
	{Name: "options", Type: tool.AnyType, Doc: "The choices of a `select`: `- \"Label\" -> option_id`, or records of `id` and `label`."},
	{Name: "inputType", Synonyms: []string{"input_type"}, Type: tool.WordType, Values: words("text", "number", "date", "time", "email"), Doc: "What an `input` takes."},
	{Name: "placeholder", Type: tool.String, Doc: "What an empty `input` shows."},
	{Name: "required", Type: tool.BooleanType, Doc: "Whether an `input` must be filled in."},
}

// submitFields are next to the items; some authors write them as one more item.
var submitFields = []tool.Field{
	{Name: "SUBMIT_LABEL", Synonyms: []string{"submitLabel"}, Type: tool.String, Doc: "The text on the button that sends all inputs."},
	{Name: "SUBMIT_ID", Synonyms: []string{"submitId"}, Type: tool.String, Doc: "The id of that button."},
	{Name: "RENDER_ID", Synonyms: []string{"renderId"}, Type: tool.String, Doc: "The id by which the part is replaced later."},
}

// talkFields are the sections that hold texts.
var talkFields = []tool.Field{
	{Name: "MESSAGES", Type: tool.MapType, Doc: "Texts by key, such as `error_default` or `gather_prompt`."},
	{Name: "TEMPLATES", Type: tool.Block, Open: true, Each: &tool.Field{Type: tool.Block, OneLine: true, Fields: templateFields()},
		Doc: "Texts and rich content by name, used as `RESPOND: TEMPLATE(name)`."},
	{Name: "RICH_CONTENT", Type: tool.Block, Fields: richFields, Doc: "The answer in the forms of single channels."},
	actionsField,
}

// templateFields returns the forms of a template; one of them must be there.
func templateFields() []tool.Field {
	fields := slices.Clone(richFields)
	fields[0].Required = true
	return fields
}
