package executor

import (
	"encoding/json"

	"github.com/abl-lsp/abl-lsp/executor/secrets"
)

// InputNeeds lists what a server asks the person while a tool runs. The call waits for some minutes,
// and goes on when a [Request] for the same call has an [Input] with the State and the answers.
type InputNeeds struct {
	Server   string         `json:"server"` // its name in the project
	State    string         `json:"state"`  // names the waiting call; it means nothing to the caller
	Requests []InputRequest `json:"requests"`
}

// InputRequest is one question of a server.
type InputRequest struct {
	ID      string          `json:"id"`
	Mode    string          `json:"mode"` // [FormInput] or [URLInput]
	Message string          `json:"message"`
	Schema  json.RawMessage `json:"schema,omitempty"` // of a form: the JSON Schema of an object whose members are simple values
	URL     string          `json:"url,omitempty"`    // of [URLInput]: the page where the person answers
}

// The modes of an [InputRequest].
const (
	FormInput = "form"
	URLInput  = "url"
)

// Input holds the person's answers to [InputNeeds], by the id of the request. A request without an
// answer counts as cancelled.
type Input struct {
	State   string                 `json:"state"`
	Answers map[string]InputAnswer `json:"answers"`
}

// InputAnswer is the answer to an [InputRequest].
type InputAnswer struct {
	Action  string          `json:"action"`            // [AcceptInput], [DeclineInput] or [CancelInput]
	Content json.RawMessage `json:"content,omitempty"` // the object of an accepted form
}

// The actions of an [InputAnswer].
const (
	AcceptInput  = "accept"
	DeclineInput = "decline"
	CancelInput  = "cancel"
)

// InputError returns the error of a call that waits for the person's answers to a server.
func InputError(n InputNeeds) *Error {
	return needsError(Needs{Input: &n}, "input", "%s asks: %s", n.Server, n.Requests[0].Message)
}

// redacted returns the needs without secrets.
func (n *InputNeeds) redacted(r *secrets.Redactor) *InputNeeds {
	if n == nil {
		return nil
	}
	clean := InputNeeds{Server: r.String(n.Server), State: r.String(n.State), Requests: make([]InputRequest, len(n.Requests))}
	for i, q := range n.Requests {
		clean.Requests[i] = InputRequest{
			ID: r.String(q.ID), Mode: r.String(q.Mode), Message: r.String(q.Message), Schema: r.JSON(q.Schema), URL: r.String(q.URL),
		}
	}
	return &clean
}
