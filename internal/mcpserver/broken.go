package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
)

// announceBroken tells clients, and thereby models, about tools that are not listed: when a client
// connects, and when it calls one of them.
func (s *Server) announceBroken(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		if call, ok := r.(*sdk.CallToolRequest); ok {
			if b, ok := s.brokenTool(call.Params.Name); ok {
				return failureResult(b.Answer), nil
			}
		}
		result, err := next(ctx, method, r)
		if err != nil {
			return nil, err
		}
		switch result := result.(type) {
		case *sdk.InitializeResult:
			result.Instructions = s.instructions()
		case *sdk.DiscoverResult:
			result.Instructions = s.instructions()
		}
		return result, nil
	}
}

// brokenTool returns the broken tool called name. ok is false if there is none, or if a
// tool without errors has the name.
func (s *Server) brokenTool(name string) (b BrokenTool, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.broken, func(b BrokenTool) bool { return b.Name == name })
	if _, sound := s.tools[name]; sound || i < 0 {
		return b, false
	}
	return s.broken[i], true
}

// instructions name the tools that are not offered because of their errors.
func (s *Server) instructions() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.broken) == 0 {
		return ""
	}
	lines := []string{"These tools are left out, since their definitions have errors:"}
	for _, b := range s.broken[:min(len(s.broken), maxListedBroken)] {
		lines = append(lines, executor.Shorten(oneLine(b.Name+": "+b.Answer.Error.Message), maxBrokenText))
	}
	if more := len(s.broken) - maxListedBroken; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d others", more))
	}
	return strings.Join(lines, "\n")
}

// Limits of what a model is told about tools with errors: it reads this on every turn.
const (
	maxListedBroken = 20
	maxBrokenText   = 300
)

// oneLine returns a text without line breaks and other control characters.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || unicode.IsControl(r) }), " ")
}
