package rest

import (
	"errors"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/schema"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// checkBody checks the body against body_schema if use_body_schema is true.
func (c *Client) checkBody(req *request, s *tool.HTTP) error {
	if !s.UseBodySchema.Is(true) || s.BodySchema == "" {
		return nil
	}
	body, err := exactjson.Decode[any](req.body)
	if err != nil {
		return executor.DefinitionError("body-schema", "use_body_schema: the body is no JSON, so body_schema says nothing of it")
	}
	err = c.schemas.Validate(s.BodySchema, body)
	if fault, ok := errors.AsType[*schema.Fault](err); ok {
		path := fault.In("body")
		e := executor.Errorf(executor.KindArguments, "body-schema", "%s: %s, says body_schema", path, fault.What)
		e.Details = map[string]any{"path": path}
		return e
	}
	if err != nil {
		return executor.DefinitionError("body-schema", "body_schema: %w", err)
	}
	return nil
}
