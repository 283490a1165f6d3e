package mcpserver

import (
	"context"
	"net/url"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/tool"
)

// Resource is a text that clients can read.
type Resource struct {
	URI         string // unique, and absolute
	Name        string
	Title       string // for people; "": the name
	Description string
	Text        string // Markdown
}

const markdown = "text/markdown"

// SetResources replaces the resources that are served, and tells the clients if that changes
// something for them.
func (s *Server) SetResources(resources []Resource) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := map[string]Resource{}
	for _, r := range resources {
		if before, has := s.resources[r.URI]; !has || before.Name != r.Name || before.Title != r.Title || before.Description != r.Description {
			s.sdk.AddResource(&sdk.Resource{URI: r.URI, Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: markdown}, s.readResource)
		}
		next[r.URI] = r
	}
	for uri := range s.resources {
		if _, has := next[uri]; !has {
			s.sdk.RemoveResources(uri)
		}
	}
	s.resources = next
}

// readResource answers with the current text of a resource.
func (s *Server) readResource(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	s.mu.Lock()
	resource, has := s.resources[r.Params.URI]
	s.mu.Unlock()
	if !has {
		return nil, sdk.ResourceNotFoundError(r.Params.URI)
	}
	return markdownResult(r.Params.URI, resource.Text), nil
}

func markdownResult(uri, text string) *sdk.ReadResourceResult {
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: markdown, Text: text}}}
}

// The URIs of the tools that are served, and the name in their pattern.
const (
	toolURI      = "abl://tools/"
	toolVariable = "tool"
	toolPattern  = toolURI + "{" + toolVariable + "}"
)

// addToolTemplate adds the pattern of the resources that describe one tool each.
func (s *Server) addToolTemplate() {
	s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: toolPattern, Name: "tool", Description: "What a tool does, and what a call gives.", MIMEType: markdown,
	}, s.readTool)
}

// readTool answers with the description of a tool.
func (s *Server) readTool(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	name, err := url.PathUnescape(strings.TrimPrefix(r.Params.URI, toolURI))
	t, has := s.currentTool(name)
	if err != nil || !has || s.opts.DescribeTool == nil {
		return nil, sdk.ResourceNotFoundError(r.Params.URI)
	}
	return markdownResult(r.Params.URI, s.opts.DescribeTool(t.tool)), nil
}

// toolNames returns the names of the tools that are served, in no order.
func (s *Server) toolNames() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := make([]string, 0, len(s.tools))
	for name := range s.tools {
		names = append(names, name)
	}
	return names
}

// DescribeTool returns a text about a tool for a reader who may call it.
type DescribeTool func(*tool.Tool) string
