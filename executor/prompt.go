package executor

import (
	"fmt"
	"strings"

	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
	"github.com/abl-lsp/abl-lsp/tool/gotemplate"
)

// FillPrompt returns the messages of a prompt for arguments that are texts, as clients of MCP send
// them: a number, a boolean, a list or a map is its JSON. An empty text is no argument, unless a text
// is required. A wrong argument is an [Error] of [KindArguments], a wrong template one of
// [KindDefinition].
func FillPrompt(p *tool.Prompt, args map[string]string) ([]tool.PromptMessage, error) {
	values, err := promptValues(p, args)
	if err != nil {
		return nil, err
	}
	filled := make([]tool.PromptMessage, len(p.Messages))
	for i, m := range p.Messages {
		parsed, err := gotemplate.Parse(m.Content)
		if err == nil {
			m.Content, err = parsed.Fill(values, plainValue)
		}
		if err != nil {
			return nil, Errorf(KindDefinition, "template", "%s: message %d: %w", p.Name, i+1, err)
		}
		filled[i] = m
	}
	return filled, nil
}

// promptValues returns the values of the prompt's arguments, as templates need them.
func promptValues(p *tool.Prompt, args map[string]string) (map[string]any, error) {
	values := map[string]any{}
	var missing []string
	for _, a := range p.Arguments {
		text, given := args[a.Name]
		v, err := promptValue(a, text, given)
		switch {
		case err != nil:
			return nil, wrongArgument(err)
		case v == nil && !a.Optional:
			missing = append(missing, a.Name)
		case v != nil:
			values[a.Name] = gotemplate.Value(v)
		}
	}
	if len(missing) > 0 {
		return nil, Errorf(KindArguments, "missing-arguments", "%s needs %s", p.Name, strings.Join(missing, ", "))
	}
	return values, nil
}

// promptValue returns the value of an argument, its default if it is not given; nil if there is
// neither.
func promptValue(p tool.Param, text string, given bool) (v any, err error) {
	isText := p.Type == nil || p.Type.Name == "string"
	isRequired := !p.Optional && len(p.Default) == 0
	switch {
	case !given || text == "" && (!isText || !isRequired):
		v, _ = defaultOf(p)
		return v, nil
	case isText:
		v = text
	default:
		if v, err = exactjson.Decode[any]([]byte(text)); err != nil {
			v = text // checkParam says what is wanted
		}
	}
	return v, checkParam(p, v)
}

// plainValue returns a value as Go's templates write it; "" for none.
func plainValue(_ gotemplate.Origin, v any) (string, error) {
	if v == nil {
		return "", nil
	}
	return fmt.Sprint(v), nil
}
