package executor

import (
	"encoding/json"

	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// ForModel returns the part of e that a model sees: instead of the result, what the
// `model_context` of t names, or the text of its template. It returns e as it is if t has no
// `model_context` or e has an error.
func ForModel(t *tool.Tool, e Envelope) Envelope {
	c := t.ModelContext()
	if c == nil || e.Error != nil {
		return e
	}
	e.Content = nil // it is not cut down
	result, err := Result{Value: e.Value, Text: e.Text}.decodeValue()
	if err != nil {
		result = nil // an unreadable result has no fields
	}
	if c.Template != nil {
		e.Value, e.Text = nil, fillForModel(*c.Template, result)
		return e
	}
	value, err := json.Marshal(c.Select(result))
	if err != nil {
		value = json.RawMessage(`"` + tool.Unavailable + `"`)
	}
	e.Value, e.Text = value, ""
	return e
}

// fillForModel returns text with its placeholders filled from a result. A missing value becomes
// [tool.Unavailable].
func fillForModel(text string, result any) string {
	filled, _ := placeholder.Fill(text, false, func(p placeholder.Lookup) (string, error) { // which never fails
		v, ok := expression.Path(map[string]any{"result": result}, p.Name)
		if !ok {
			return tool.Unavailable, nil
		}
		return template.Value{Data: v}.Text(), nil
	})
	return filled
}
