package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/dialect/model"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
)

// advertise makes a tool visible to the clients. A tool of another MCP server has the title and the
// icons that this server gives it.
func (s *Server) advertise(l model.MCPTool, t invoke.Tool) (name string, err error) {
	of, _ := t.ServerTool()
	raw, err := json.Marshal([]any{l.Object, l.Output, of.Title, of.Icons})
	if err != nil {
		return "", err
	}
	var listed struct {
		Name         string               `json:"name"`
		Description  string               `json:"description"`
		InputSchema  json.RawMessage      `json:"inputSchema"`
		OutputSchema json.RawMessage      `json:"outputSchema"`
		Annotations  *sdk.ToolAnnotations `json:"annotations"`
	}
	if err := remarshal(l.Object, &listed); err != nil {
		return "", err
	}
	if bytes.Equal(s.advertised[listed.Name], raw) {
		return listed.Name, nil
	}
	one := &sdk.Tool{Name: listed.Name, Title: of.Title, Description: listed.Description, InputSchema: listed.InputSchema, Annotations: listed.Annotations}
	_ = json.Unmarshal(of.Icons, &one.Icons) // icons of another form are none
	switch {
	case l.Output != nil:
		one.OutputSchema = l.Output
	case listed.OutputSchema != nil:
		one.OutputSchema = listed.OutputSchema
	}
	if err := s.addTool(one); err != nil {
		return "", err
	}
	s.advertised[listed.Name] = raw
	return listed.Name, nil
}

// remarshal copies a value by its JSON.
func remarshal(from, to any) error {
	raw, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, to)
}

// hidePlainOutputs leaves the schemas of results that are no objects out of the lists of clients whose
// version of the protocol does not have them.
func (s *Server) hidePlainOutputs(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, r)
		list, ok := result.(*sdk.ListToolsResult)
		session, _ := r.GetSession().(*sdk.ServerSession)
		if !ok || err != nil || session == nil || clientOf(session, nil).usesRounds {
			return result, err
		}
		for i, listed := range list.Tools {
			if t, ok := s.currentTool(listed.Name); ok && t.plainOutput {
				reduced := *listed // all lists have the same one
				reduced.OutputSchema = nil
				list.Tools[i] = &reduced
			}
		}
		return list, nil
	}
}
