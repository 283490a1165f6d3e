package toolbox

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/gotemplate"
)

// promptRow is the row of a prompt: a text for a model, with arguments.
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

// readPrompt reads a prompt.
func readPrompt(f *foreign.File, e entry) {
	f.Lost = append(f.Lost, foreign.Name{Text: "The prompt " + e.name, Span: e.at})
	known := append(tool.FieldNames(promptRow.Fields), "name")
	f.ReportUnknown("A prompt", foreign.Unknown(e.body, known...), known)
	if kind := e.kind; kind.Value.IsSet() && kind.Value.Text != customPrompt[0].Name {
		f.ReportWord(kind.Key, kind.Value, tool.WordNames(customPrompt))
	}
	r, before := &promptReader{reader: reader{file: f, entry: e}}, len(f.Faults)
	r.prompt.Prompt.Name, r.prompt.Name, r.prompt.Span = e.name, e.at, e.span
	r.prompt.Description = strings.TrimSpace(e.body.Get("description").Text)
	r.readArguments()
	if !e.body.Get("messages").IsSet() {
		f.Report(foreign.Warning, "missing-property", e.at, "`messages` is missing in the prompt `%s`: what the model is given.", e.name)
	}
	for _, message := range f.List(e.body, "messages", "messages, each with `content`") {
		r.readMessage(message)
	}
	r.prompt.Faulty = slices.ContainsFunc(f.Faults[before:], func(fault foreign.Fault) bool { return fault.Severity == foreign.Error })
	if e.name != "" {
		f.AddPrompt(r.prompt)
	}
}

// promptReader reads one prompt. Its arguments are read as the parameters of a tool.
type promptReader struct {
	reader
	prompt foreign.Prompt
	names  []string // of the arguments, also of those that could not be read
}

// readArguments reads the arguments. Their type is a text if they name none.
func (r *promptReader) readArguments() {
	for _, item := range r.file.List(r.entry.body, "arguments", "arguments") {
		name := item.Get("name")
		switch {
		case !name.IsSingle():
			r.report("missing-property", item.Head(), "`name` is missing in this argument.")
			continue
		case slices.Contains(r.names, name.Text):
			r.report("duplicate-parameter", name.Span, "The argument `%s` is there twice.", name.Text)
			continue
		}
		r.names = append(r.names, name.Text)
		if !item.Has("type") {
			item.Members = append(slices.Clone(item.Members), foreign.Member{Key: "type", Value: foreign.Node{Kind: foreign.String, Text: "string"}})
		}
		if p, at, ok := r.readParam(item); ok {
			r.prompt.Prompt.Arguments = append(r.prompt.Prompt.Arguments, p)
			r.prompt.Arguments = append(r.prompt.Arguments, at)
		}
	}
}

// readMessage reads a message of a prompt.
func (r *promptReader) readMessage(message foreign.Node) {
	keys := tool.FieldNames(messageRows)
	r.file.ReportUnknown("A message", foreign.Unknown(message, keys...), keys)
	m := tool.PromptMessage{Role: messageRows[0].Default}
	roles := tool.WordNames(messageRows[0].Values)
	if role := message.Get("role"); role.IsSet() {
		m.Role = role.Text
		if !slices.Contains(roles, role.Text) {
			r.file.ReportWord("role", role, roles)
		}
	}
	content := message.Get("content")
	switch {
	case !content.IsSet():
		r.file.Report(foreign.Warning, "missing-property", message.Head(), "`content` is missing in this message.")
	case !content.IsSingle():
		r.report("invalid-value", content.Span, "`content` wants a text.")
	}
	m.Content = content.Text
	r.checkTemplate(content)
	r.prompt.Messages = append(r.prompt.Messages, m)
}

// checkTemplate reports a text that is no template, and names in it that are no arguments.
func (r *promptReader) checkTemplate(content foreign.Node) {
	parsed, err := gotemplate.Parse(content.Text)
	if err != nil {
		r.report("template-syntax", content.Span, "The text is no template of Go: %s.", err)
		return
	}
	for _, name := range parsed.Fields() {
		if !slices.Contains(r.names, name) {
			r.file.Report(foreign.Warning, "unknown-parameter", content.Span, "The prompt has no argument `%s`.", name)
			r.file.SuggestKnown(name, r.names)
		}
	}
}
