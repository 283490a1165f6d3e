package executor

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

// toolResult is Corail's ToolResult: the answer of a tool, whether it succeeded, and how to
// show it.
type toolResult struct {
	Success   *bool           `json:"success"`
	Output    json.RawMessage `json:"output"`
	Error     *string         `json:"error"`
	Render    string          `json:"render"`
	Component string          `json:"component"`
	Props     json.RawMessage `json:"props"`
}

// ParseReturnValue returns the result of code that returned value, a JSON text. A ToolResult is
// taken apart: `output` is the value (a string is parsed as JSON unless the tool declares a
// string), `render`, `component` and `props` say how to show it. If `success` is false, `error`
// is the returned error. An object of the tool's declared type is never read as a ToolResult.
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
	message := ""
	if answer.Error != nil {
		message = *answer.Error
	}
	return result, Errorf(KindRemote, "tool-failed", "%s failed: %s", t.QualifiedName(), cmp.Or(message, result.Text, "it does not say why"))
}

// toolResultOf parses value, the answer of t, as a ToolResult. ok is false if value is none, or if
// it may be an object of the type that t declares.
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
	_ = json.Unmarshal(t.ReturnSchema(), &declared) // an invalid schema declares nothing
	if declared.Properties != nil {
		_, declaresSuccess := declared.Properties["success"]
		return r, !declaresSuccess
	}
	return r, declared.Type != "object" || r.Render != ""
}

// result returns the output as a Result.
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

// render returns how the tool wants its output to be shown. If no viewer knows that, the hint is
// nil and a warning says so.
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
