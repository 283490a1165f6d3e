package mcpserver

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// maxCompletions is how many values the protocol allows in an answer.
const maxCompletions = 100

// complete answers with the values that an argument of a prompt, or the name in the pattern of a
// resource, may have, as far as they are known.
func (s *Server) complete(_ context.Context, r *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	values, err := s.argumentValues(r.Params)
	if err != nil {
		return nil, err
	}
	typed := strings.ToLower(r.Params.Argument.Value)
	values = slices.DeleteFunc(values, func(v string) bool { return !strings.HasPrefix(strings.ToLower(v), typed) })
	total := len(values)
	return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{
		Values: append([]string{}, values[:min(total, maxCompletions)]...), Total: total, HasMore: total > maxCompletions,
	}}, nil
}

// argumentValues returns all known values of an argument.
func (s *Server) argumentValues(p *sdk.CompleteParams) ([]string, error) {
	if p.Ref == nil {
		return nil, invalidParams("`ref` is missing")
	}
	if p.Ref.Type == "ref/resource" {
		if p.Ref.URI != toolPattern || p.Argument.Name != toolVariable {
			return nil, invalidParams("nothing is known about %q of %q; there is %q of %q", p.Argument.Name, p.Ref.URI, toolVariable, toolPattern)
		}
		names := s.toolNames()
		slices.Sort(names)
		return names, nil
	}
	prompt := s.currentPrompt(p.Ref.Name)
	if prompt == nil {
		return nil, invalidParams("there is no prompt %q", p.Ref.Name)
	}
	i := slices.IndexFunc(prompt.Arguments, func(a tool.Param) bool { return a.Name == p.Argument.Name })
	if i < 0 {
		return nil, invalidParams("the prompt %q has no argument %q", p.Ref.Name, p.Argument.Name)
	}
	return closedValues(&prompt.Arguments[i]), nil
}

// closedValues returns the values that an argument can have, if only these are allowed, and
// otherwise its default.
func closedValues(p *tool.Param) []string {
	raws := p.AllowedValues
	switch {
	case len(raws) > 0 && p.Type.Name == "array":
		return nil // a list of these, of which there are many
	case len(raws) > 0:
	case p.Type.Name == "boolean":
		return []string{"true", "false"}
	case p.Default != nil:
		raws = []json.RawMessage{p.Default}
	}
	var values []string
	for _, raw := range raws {
		v, err := exactjson.Decode[any](raw)
		text, isText := v.(string)
		if !isText {
			text = string(raw)
		}
		isWord := !isText || len(p.AllowedValues) == 0 || !tool.IsPattern(text)
		if err == nil && isWord && p.ViolatedLimit(v) == "" {
			values = append(values, text)
		}
	}
	return values
}
