package lambda

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// webProvider runs functions that have a URL: those of Google Cloud and Azure.
type webProvider struct{ client *rest.Client }

func (w webProvider) run(ctx context.Context, c functionCall) (executor.Result, error) {
	b, err := binding(c)
	if err != nil {
		return executor.Result{}, err
	}
	result, err := w.client.Send(ctx, c.Call, b)
	return result, c.inEndpoint(err)
}

func (w webProvider) preview(c functionCall) (callPreview, error) {
	b, err := binding(c)
	if err != nil {
		return callPreview{}, err
	}
	request, err := w.client.Preview(c.Call, b)
	if err != nil {
		return callPreview{}, c.inEndpoint(err)
	}
	var s callPreview
	text, err := json.Marshal(request)
	if err != nil {
		return callPreview{}, err
	}
	return s, json.Unmarshal(text, &s)
}

func (w webProvider) reach(c functionCall) (executor.Reach, error) {
	b, err := binding(c)
	if err != nil {
		return executor.Reach{}, err
	}
	reach, err := w.client.Reach(c.Call, b)
	return reach, c.inEndpoint(err)
}

func (w webProvider) secrets(c functionCall) ([]string, error) {
	b, err := binding(c)
	if err != nil {
		return nil, err
	}
	names, err := w.client.Secrets(c.Call, b)
	texts := []string{b.Endpoint}
	for _, text := range b.Headers {
		texts = append(texts, text)
	}
	return append(names, secretNames(texts...)...), c.inEndpoint(err)
}

// binding returns the request that calls a function. Its body is the payload.
func binding(c functionCall) (rest.Binding, error) {
	url := c.function.URL
	if url == "" && c.function.Endpoint != "" {
		url = strings.TrimRight(c.function.Endpoint, "/") + "/" + c.function.Name
	}
	if url == "" {
		return rest.Binding{}, executor.DefinitionError("function", "%s is missing: say where the function answers", c.property("url"))
	}
	if !strings.Contains(url, "://") && !strings.HasPrefix(url, "{{") {
		return rest.Binding{}, executor.DefinitionError("function", "%s: %s is no absolute URL", c.property("url"), url)
	}
	if err := c.takesNoArguments("url", url); err != nil {
		return rest.Binding{}, err
	}
	for name, text := range c.function.Headers {
		if err := c.takesNoArguments("headers."+name, text); err != nil {
			return rest.Binding{}, err
		}
	}
	return rest.Binding{
		HTTP: &tool.HTTP{Endpoint: url, Method: http.MethodPost, Headers: c.function.Headers},
		Edit: func([]byte) ([]byte, error) { return c.payload() },
	}, nil
}

// takesNoArguments returns an error if a text of the project's file contains an argument, since an
// argument could choose the function.
func (c functionCall) takesNoArguments(property, text string) error {
	_, err := placeholder.Fill(text, property == "url", func(p placeholder.Lookup) (string, error) {
		if v, err := c.Scope.Lookup(p.Name); p.Single || err == nil && v.Source == template.Argument {
			return "", executor.DefinitionError("template", "%s: an argument (%s) cannot stand here", c.property(property), p.Name)
		}
		return "", nil
	})
	return err
}

// inEndpoint replaces `endpoint` in an error's message by the property of the project's file.
func (c functionCall) inEndpoint(err error) error {
	e, ok := errors.AsType[*executor.Error](err)
	if !ok {
		return err
	}
	text, ok := strings.CutPrefix(e.Message, "endpoint:")
	if !ok {
		return err
	}
	named := *e
	named.Message = c.property("url") + ":" + text
	return &named
}
