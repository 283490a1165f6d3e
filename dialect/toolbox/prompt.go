package toolbox

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
)

// promptRow is the row of a prompt: a text for a model, with arguments. Prompts are checked, but
// not served.
var promptRow = tool.Field{Name: "prompt", Type: tool.Block, Doc: "A text for a model, with arguments.", Fields: []tool.Field{
	{Name: "description", Type: tool.String, Doc: "What the prompt is for."},
	{Name: "kind", Type: tool.WordType, Values: customPrompt, Doc: "Which kind of prompt it is."},
	{Name: "type", Type: tool.WordType, Values: customPrompt, Doc: "Which kind of prompt it is."},
	{Name: "messages", Type: tool.BlockList, Required: true, Doc: "The messages that the model is given.", Fields: messageRows},
	{Name: "arguments", Type: tool.BlockList, By: "type", Fields: argumentRows(), Doc: "What `{{.name}}` in the messages stands for."},
}}

var customPrompt = []tool.Word{{Name: "custom", Doc: "One that is written out."}}

var messageRows = []tool.Field{
	{Name: "role", Type: tool.WordType, Default: "user", Values: []tool.Word{{Name: "user", Doc: "The user says it."}, {Name: "assistant", Doc: "The model says it."}}, Doc: "Who says it."},
	{Name: "content", Type: tool.CodeType, Required: true, Doc: "The text. `{{.name}}` is an argument."},
}

// argumentRows returns the keys of a parameter whose type is optional.
func argumentRows() []tool.Field {
	rows := slices.Clone(parameterRows)
	for i := range rows {
		if rows[i].Name == "type" {
			rows[i].Required, rows[i].Default = false, "string"
		}
	}
	return rows
}

// readPrompt checks a prompt.
func readPrompt(f *foreign.File, e entry) {
	f.Lost = append(f.Lost, foreign.Name{Text: "The prompt " + e.name, Span: e.at})
	known := append(tool.FieldNames(promptRow.Fields), "name")
	f.ReportUnknown("A prompt", foreign.Unknown(e.body, known...), known)
	names := readPromptArguments(f, e)
	if !e.body.Get("messages").IsSet() {
		f.Report(foreign.Warning, "missing-property", e.at, "`messages` is missing in the prompt `%s`: what the model is given.", e.name)
	}
	for _, message := range f.List(e.body, "messages", "messages, each with `content`") {
		readMessage(f, message, names)
	}
}

// readPromptArguments checks the arguments of a prompt and returns their names.
func readPromptArguments(f *foreign.File, e entry) (names []string) {
	for _, item := range f.List(e.body, "arguments", "arguments") {
		name := item.Get("name")
		switch {
		case !name.IsSingle():
			f.Report(foreign.Error, "missing-property", item.Head(), "`name` is missing in this argument.")
		case slices.Contains(names, name.Text):
			f.Report(foreign.Error, "duplicate-parameter", name.Span, "The argument `%s` is there twice.", name.Text)
		}
		names = append(names, name.Text)
		if kind := item.Get("type"); kind.IsSet() && !slices.Contains(types, kind.Text) {
			f.ReportWord("type", kind, types)
		}
		f.ReportUnknown("An argument", foreign.Unknown(item, knownParamKeys...), knownParamKeys)
	}
	return names
}

// readMessage checks a message of a prompt. names are the prompt's arguments.
func readMessage(f *foreign.File, message foreign.Node, names []string) {
	keys := tool.FieldNames(messageRows)
	f.ReportUnknown("A message", foreign.Unknown(message, keys...), keys)
	roles := tool.WordNames(messageRows[0].Values)
	if role := message.Get("role"); role.IsSet() && !slices.Contains(roles, role.Text) {
		f.ReportWord("role", role, roles)
	}
	content := message.Get("content")
	if !content.IsSet() {
		f.Report(foreign.Warning, "missing-property", message.Head(), "`content` is missing in this message.")
	}
	for _, m := range goField.FindAllStringSubmatch(content.Text, -1) {
		if !slices.Contains(names, m[1]) {
			f.Report(foreign.Warning, "unknown-parameter", content.Span, "The prompt has no argument `%s`.", m[1])
			f.SuggestKnown(m[1], names)
		}
	}
}
