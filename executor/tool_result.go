package executor

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

// toolResult is Corail's ToolResult: what a tool answers, whether it succeeded, and how to
// show it.
type toolResult struct {
	Success   *bool           `json:"success"`
	Output    json.RawMessage `json:"output"`
	Error     *string         `json:"error"`
	Render    string          `json:"render"`
	Component string          `json:"component"`
	Props     json.RawMessage `json:"props"`
}

// ParseReturnValue returns the result of code that returned value, a JSON text. A
// ToolResult stands for its parts: `output` is the value (a text is read as JSON unless
// the tool declares a string), `render`, `component` and `props` say how to show it,
// and with `success` false, `error` is the error. An object of the declared type is not
// read as a ToolResult.
func ParseReturnValue(t *tool.Tool, value json.RawMessage) (Result, error) {
	plain := Result{Value: value, ContentType: "application/json"}
	answer, ok := toolResultOf(t, value)
	if !ok {
		return plain, nil
	}
	result := answer.result(t)
	if answer.Render != "" || answer.Component != "" {
		render, warning := answer.render()
		if result.Render = render; warning != "" {
			result.Warnings = append(result.Warnings, warning)
		}
	}
	if *answer.Success {
		return result, nil
	}
	said := ""
	if answer.Error != nil {
		said = *answer.Error
	}
	return result, Errorf(KindRemote, "tool-failed", "%s failed: %s", t.Outside(), cmp.Or(said, result.Text, "it does not say why"))
}

// toolResultOf reads a value as a ToolResult; ok is false where it is none.
func toolResultOf(t *tool.Tool, value json.RawMessage) (r toolResult, ok bool) {
	if !bytes.HasPrefix(value, []byte("{")) || !bytes.Contains(value, []byte(`"success"`)) {
		return r, false
	}
	d := json.NewDecoder(bytes.NewReader(value))
	d.DisallowUnknownFields()
	if d.Decode(&r) != nil || r.Success == nil || r.Output == nil && (*r.Success || r.Error == nil) {
		return r, false
	}
	var declared struct {
		Type       any            `json:"type"`
		Properties map[string]any `json:"properties"`
	}
	_ = json.Unmarshal(t.ReturnSchema(), &declared) // what is no schema says nothing
	if declared.Properties != nil {
		_, own := declared.Properties["success"]
		return r, !own
	}
	return r, declared.Type != "object" || r.Render != ""
}

// result is the output as a result.
func (r toolResult) result(t *tool.Tool) Result {
	var text string
	if json.Unmarshal(r.Output, &text) != nil || bytes.Equal(r.Output, []byte("null")) {
		return Result{Value: r.Output, ContentType: "application/json"}
	}
	isText := t.Returns != nil && t.Returns.Name == "string"
	if raw := bytes.TrimSpace([]byte(text)); !isText && json.Valid(raw) {
		return Result{Value: raw, ContentType: "application/json"}
	}
	return Result{Value: r.Output, Text: text, ContentType: "text/plain"}
}

// render is how the tool wants its output to be shown. What no viewer knows is left out
// with a warning.
func (r toolResult) render() (hint *Render, warning string) {
	row, _ := tool.Find(tool.CommonFields(), "render")
	kind := cmp.Or(r.Render, "react")
	if !slices.ContainsFunc(row.Values, func(w tool.Word) bool { return w.Name == kind }) {
		return nil, fmt.Sprintf("the tool asks for its result to be shown as %q, which no viewer knows", kind)
	}
	hint = &Render{Kind: kind, Component: r.Component}
	if bytes.HasPrefix(r.Props, []byte("{")) {
		hint.Props = r.Props
	}
	return hint, ""
}
