package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// result is the result of a tool call, as the server wrote it.
type result struct {
	Structured json.RawMessage `json:"structuredContent"`
	Content    executor.Blocks `json:"content"`
	IsError    bool            `json:"isError"`
	Type       string          `json:"resultType"`

	InputRequests map[string]inputRequest `json:"inputRequests"`
	RequestState  string                  `json:"requestState"`
	Task          *task                   `json:"task"` // of version 2025-11-25
	task          task                    // of the extension, if the type is "task"
}

// block is one item of the content.
type block struct {
	Type string `json:"type"`
	Text string `json:"text"`

	Meta map[string]json.RawMessage `json:"_meta"`
}

// truncated returns how much of the answer was kept, if the block is the note that tells a model
// that the answer was cut. It is nil for any other block.
func (b block) truncated() (t *executor.Truncation) {
	if json.Unmarshal(b.Meta[executor.TruncationMetaKey], &t) != nil {
		return nil
	}
	return t
}

// readResult parses the result of a tool call, as the server wrote it.
func (v *call) readResult(raw []byte) (r result, err error) {
	err = json.Unmarshal(raw, &r)
	if err == nil && r.Type == "task" {
		err = json.Unmarshal(raw, &r.task)
	}
	if err != nil || !bytes.HasPrefix(raw, []byte("{")) || r.Type == "task" && r.task.ID == "" {
		return result{}, executor.Errorf(executor.KindRemote, "no-result", "%s: the answer is no result of a tool", v.target.name)
	}
	return r, nil
}

// answer converts the server's result to a Result.
func (v *call) answer(r result) (executor.Result, error) {
	if r.IsError {
		return executor.Result{}, v.toolError(r)
	}
	truncated := r.removeTruncationBlock()
	out := r.value(v.request.Tool.Returns)
	out.Truncated = truncated
	if !r.isPlain() {
		out.Content = r.Content
	}
	return out, nil
}

// removeTruncationBlock removes the block that says that the content was cut, and
// returns its sizes. It returns nil if there is no such block.
func (r *result) removeTruncationBlock() (truncated *executor.Truncation) {
	r.Content = slices.DeleteFunc(r.Content, func(raw json.RawMessage) bool {
		var b block
		if json.Unmarshal(raw, &b) != nil || b.truncated() == nil {
			return false
		}
		truncated = b.truncated()
		return true
	})
	return truncated
}

// toolError returns the error for a tool that reports a failure.
func (v *call) toolError(r result) error {
	texts, others := r.texts()
	text := cmp.Or(strings.TrimSpace(strings.Join(texts, "\n")), v.target.tool+" failed, and does not say why")
	e := executor.Errorf(executor.KindRemote, "tool-error", "%s", shorten(v.request.Redact(text)))
	e.Details = map[string]any{}
	if len(r.Structured) > 0 {
		e.Details["structuredContent"] = r.Structured
	}
	if others > 0 {
		e.Details["content"] = r.Content
	}
	return e
}

// isPlain reports whether the value holds all of the content: there are only texts, without
// annotations, and the structured content, if any, is what the text says.
func (r result) isPlain() bool {
	for _, raw := range r.Content {
		var fields map[string]json.RawMessage
		if json.Unmarshal(raw, &fields) != nil || len(fields) != 2 || string(fields["type"]) != `"text"` || fields["text"] == nil {
			return false
		}
	}
	texts, _ := r.texts()
	return len(texts) == 0 || !r.isStructured() || isSameJSON(r.Structured, strings.Join(texts, "\n"))
}

// isSameJSON reports whether a text is the same JSON value as raw, apart from the space in it.
func isSameJSON(raw json.RawMessage, text string) bool {
	var a, b bytes.Buffer
	return json.Compact(&a, undoEscapes(raw)) == nil && json.Compact(&b, undoEscapes([]byte(text))) == nil && bytes.Equal(a.Bytes(), b.Bytes())
}

// texts returns the texts of the content. others is the number of blocks that are not text.
func (r result) texts() (texts []string, others int) {
	for _, raw := range r.Content {
		var b block
		if json.Unmarshal(raw, &b) != nil || b.Type != "text" {
			others++
			continue
		}
		texts = append(texts, b.Text)
	}
	return texts, others
}

const asJSON = "application/json"

// value returns the structured content, else the content's texts, else the content itself.
func (r result) value(declared *tool.Type) executor.Result {
	texts, others := r.texts()
	isText := declared != nil && declared.Name == "string"
	wrapped := isText && len(texts) > 0 && !isString(r.Structured)
	switch {
	case r.isStructured() && !wrapped:
		return executor.Result{Value: undoEscapes(r.Structured), ContentType: asJSON}
	case others > 0:
		return r.blocks(declared)
	case len(texts) == 0 && isText:
		return executor.Result{Value: json.RawMessage(`""`)}
	case len(texts) == 0:
		return executor.Result{}
	case isList(declared) && len(texts) > 1:
		return executor.Result{Value: list(texts), ContentType: asJSON}
	}
	text := strings.Join(texts, "\n")
	if raw := bytes.TrimSpace([]byte(text)); !isText && json.Valid(raw) {
		return executor.Result{Value: undoEscapes(raw), ContentType: asJSON}
	}
	return executor.Result{Text: text, ContentType: "text/plain"}
}

// htmlEscapes are the escapes that some encoders write although JSON does not need them.
var htmlEscapes = map[string]byte{`\u003c`: '<', `\u003e`: '>', `\u0026`: '&'}

// undoEscapes replaces the HTML escapes in JSON by their characters and changes nothing
// else.
func undoEscapes(raw []byte) json.RawMessage {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			out = append(out, raw[i])
			continue
		}
		if c, ok := htmlEscapes[string(raw[i:min(i+6, len(raw))])]; ok {
			out = append(out, c)
			i += 5
			continue
		}
		out = append(out, raw[i], raw[i+1])
		i++
	}
	return out
}

func (r result) isStructured() bool { return len(r.Structured) > 0 && string(r.Structured) != "null" }

func isString(raw json.RawMessage) bool { return bytes.HasPrefix(raw, []byte(`"`)) }

func isList(t *tool.Type) bool { return t != nil && t.Name == "array" }

// blocks returns the content itself: pictures, sounds, resources. A single block is not put into
// a list, unless the tool declares one.
func (r result) blocks(declared *tool.Type) executor.Result {
	if len(r.Content) == 1 && !isList(declared) {
		return executor.Result{Value: r.Content[0], ContentType: asJSON}
	}
	return executor.Result{Value: exactjson.EncodeOrNil(r.Content), ContentType: asJSON}
}

// list returns a JSON list of texts. Each text is parsed as JSON by itself if it is valid, because
// some servers send one block for each row.
func list(texts []string) json.RawMessage {
	rows := make([]json.RawMessage, len(texts))
	for i, text := range texts {
		rows[i] = bytes.TrimSpace([]byte(text))
		if !json.Valid(rows[i]) {
			rows[i] = exactjson.EncodeOrNil(text)
		}
	}
	return exactjson.EncodeOrNil(rows)
}
