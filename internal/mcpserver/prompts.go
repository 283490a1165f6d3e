package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// servedPrompt is a prompt as it was read last, with the form in which clients see it.
type servedPrompt struct {
	prompt *tool.Prompt
	listed []byte
}

// SetPrompts replaces the prompts that are served, and tells the clients if that changes something
// for them. notOffered names the prompts that cannot be offered, with the reason.
func (s *Server) SetPrompts(prompts []tool.Prompt) (notOffered []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := map[string]servedPrompt{}
	for i := range prompts {
		p := &prompts[i]
		if err := p.Fault(); err != nil {
			notOffered = append(notOffered, fmt.Sprintf("the prompt %s: %v", p.Name, err))
			continue
		}
		listed := listedPrompt(p)
		raw, _ := json.Marshal(listed) // texts always can be written
		if !bytes.Equal(s.prompts[p.Name].listed, raw) {
			s.sdk.AddPrompt(listed, s.getPrompt)
		}
		next[p.Name] = servedPrompt{p, raw}
	}
	for name := range s.prompts {
		if _, has := next[name]; !has {
			s.sdk.RemovePrompts(name)
		}
	}
	s.prompts = next
	return notOffered
}

// listedPrompt returns a prompt as clients see it.
func listedPrompt(p *tool.Prompt) *sdk.Prompt {
	listed := &sdk.Prompt{Name: p.Name, Description: p.Description}
	for _, a := range p.Arguments {
		listed.Arguments = append(listed.Arguments, &sdk.PromptArgument{Name: a.Name, Description: a.Description, Required: !a.Optional && a.Default == nil})
	}
	return listed
}

// currentPrompt returns the prompt of that name in its current version; nil if there is none.
func (s *Server) currentPrompt(name string) *tool.Prompt {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.prompts[name].prompt
}

// getPrompt fills a prompt with the arguments of a client.
func (s *Server) getPrompt(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	p := s.currentPrompt(r.Params.Name)
	if p == nil {
		return nil, invalidParams("there is no prompt %q any more", r.Params.Name)
	}
	messages, err := executor.FillPrompt(p, r.Params.Arguments)
	if fault, ok := errors.AsType[*executor.Error](err); ok && fault.Kind == executor.KindArguments {
		return nil, invalidParams("%s", fault.Message)
	}
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	result := &sdk.GetPromptResult{Description: p.Description, Messages: []*sdk.PromptMessage{}}
	for _, m := range messages {
		result.Messages = append(result.Messages, &sdk.PromptMessage{Role: sdk.Role(m.Role), Content: &sdk.TextContent{Text: m.Content}})
	}
	return result, nil
}

func invalidParams(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}
