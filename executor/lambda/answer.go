package lambda

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
)

const (
	maxPayload = 6 << 20  // the limit of AWS
	maxFailure = 64 << 10 // the most bytes of a reported failure
	maxMessage = 2000     // the most bytes of it that are shown
)

func (c functionCall) max() int64 { return c.Environment.Limits.MaxBytes() }

// setAnswer sets r.Value to body. If body is not JSON, it sets r.Text instead; if body is empty,
// it sets neither. It also sets r.ContentType.
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

// failure returns the error that a function reports in body. kind is the error type that was
// reported elsewhere; it may be "".
func (c functionCall) failure(kind string, body []byte) *executor.Error {
	var reported struct {
		Type    string `json:"errorType"`
		Message string `json:"errorMessage"`
		Stack   any    `json:"stackTrace"`
		Trace   any    `json:"trace"` // the name that Node uses
	}
	if json.Unmarshal(body, &reported) != nil {
		reported.Message = string(body)
	}
	reported.Type = cmp.Or(reported.Type, kind)
	message := executor.Shorten(c.Redact(strings.ToValidUTF8(reported.Message, "\ufffd")), maxMessage)
	e := executor.Errorf(executor.KindRemote, "function-error", "%s failed: %s", c.name, cmp.Or(message, reported.Type, "it does not say why"))
	e.Details = map[string]any{"errorType": reported.Type, "errorMessage": message}
	if reported.Stack == nil {
		reported.Stack = reported.Trace
	}
	if reported.Stack != nil && len(body) <= maxFailure {
		e.Details["stackTrace"] = reported.Stack
	}
	return e
}
