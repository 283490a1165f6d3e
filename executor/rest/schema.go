package rest

import (
	"bytes"
	"errors"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// maxSchemas bounds how many are kept ready.
const maxSchemas = 64

// checkBody holds the body to body_schema, where use_body_schema says so.
func (c *Client) checkBody(req *request, s *tool.HTTP) error {
	if !s.UseBodySchema.Is(true) || s.BodySchema == "" {
		return nil
	}
	schema, err := c.schema(s.BodySchema)
	if err != nil {
		return definition("body-schema", "body_schema: %w", err)
	}
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(req.body))
	if err != nil {
		return definition("body-schema", "use_body_schema: the body is no JSON, so body_schema says nothing of it")
	}
	err = schema.Validate(body)
	if invalid, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		path, what := firstFault(invalid)
		e := executor.Errorf(executor.KindArguments, "body-schema", "%s: %s, says body_schema", path, what)
		e.Details = map[string]any{"path": path}
		return e
	}
	return err
}

func (c *Client) schema(text string) (*jsonschema.Schema, error) {
	if s, ok := c.schemas.Get(text); ok {
		return s, nil
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil, errors.New("it is no JSON")
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(jsonschema.SchemeURLLoader{}) // nothing else is read, no file and no URL
	const name = "body_schema"
	if err := compiler.AddResource(name, document); err != nil {
		return nil, err
	}
	s, err := compiler.Compile(name)
	if err == nil {
		c.schemas.Add(text, s)
	}
	return s, err
}

// firstFault is where the body is wrong, from its root, and how.
func firstFault(e *jsonschema.ValidationError) (path, what string) {
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	path = strings.Join(append([]string{"body"}, e.InstanceLocation...), ".")
	return path, e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
}
