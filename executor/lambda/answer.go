package lambda

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
)

const (
	maxPayload = 6 << 20  // what AWS takes
	maxFailure = 64 << 10 // of what is said about a failure
	maxMessage = 2000     // of which so much is shown as its message
)

func (c functionCall) max() int64 { return c.Environment.Limits.MaxBytes() }

// setAnswer puts an answer into a result: as JSON if it is JSON, else as text.
func (c functionCall) setAnswer(r *executor.Result, body []byte) {
	r.ContentType = "application/json"
	switch body = bytes.TrimSpace(body); {
	case len(body) == 0:
	case json.Valid(body):
		r.Value = body
	default:
		r.Text, r.ContentType = strings.ToValidUTF8(string(body), "\ufffd"), "text/plain"
	}
}

// failure is the error of a function that says what went wrong. kind is what is
// said besides; it may be "".
func (c functionCall) failure(kind string, body []byte) *executor.Error {
	var said struct {
		Type    string `json:"errorType"`
		Message string `json:"errorMessage"`
		Stack   any    `json:"stackTrace"`
		Trace   any    `json:"trace"` // what Node calls it
	}
	if json.Unmarshal(body, &said) != nil {
		said.Message = string(body)
	}
	said.Type = cmp.Or(said.Type, kind)
	message := executor.Shorten(c.Redact(strings.ToValidUTF8(said.Message, "\ufffd")), maxMessage)
	e := executor.Errorf(executor.KindRemote, "function-error", "%s failed: %s", c.name, cmp.Or(message, said.Type, "it does not say why"))
	e.Details = map[string]any{"errorType": said.Type, "errorMessage": message}
	if said.Stack == nil {
		said.Stack = said.Trace
	}
	if said.Stack != nil && len(body) <= maxFailure {
		e.Details["stackTrace"] = said.Stack
	}
	return e
}
