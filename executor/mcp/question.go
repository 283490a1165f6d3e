package mcp

import (
	"context"
	"encoding/json"
	"net"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
)

// question is what a server asks the person at once.
type question struct {
	requests []executor.InputRequest
	answers  chan map[string]executor.InputAnswer // gets one value, by request id
}

// ask passes requests to the person, and waits for the answers. It returns an error if ctx or the
// call ends before.
func (v *call) ask(ctx context.Context, requests []executor.InputRequest) (map[string]executor.InputAnswer, error) {
	q := &question{requests, make(chan map[string]executor.InputAnswer, 1)}
	select {
	case v.asked <- q:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-v.ctx.Done():
		return nil, v.ctx.Err()
	}
	select {
	case answers := <-q.answers:
		return answers, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-v.ctx.Done():
		return nil, v.ctx.Err()
	}
}

// elicitation is a server's question, as the server wrote it.
type elicitation struct {
	Mode    string          `json:"mode"`
	Message string          `json:"message"`
	Schema  json.RawMessage `json:"requestedSchema"`
	URL     string          `json:"url"`
}

// inputRequest returns the question as the person gets it.
func (e elicitation) inputRequest(id string) executor.InputRequest {
	if e.Mode == executor.URLInput || e.Mode == "" && e.URL != "" {
		return executor.InputRequest{ID: id, Mode: executor.URLInput, Message: e.Message, URL: e.URL}
	}
	return executor.InputRequest{ID: id, Mode: executor.FormInput, Message: e.Message, Schema: e.Schema}
}

// elicitResult returns an answer in the form of the protocol.
func elicitResult(a executor.InputAnswer) *sdk.ElicitResult {
	result := &sdk.ElicitResult{Action: a.Action}
	switch a.Action {
	case executor.AcceptInput:
		_ = json.Unmarshal(a.Content, &result.Content) // it is valid, or missing
	case executor.DeclineInput:
	default:
		result.Action = executor.CancelInput
	}
	return result
}

// onlyQuestion is the id of a question that a server asks by a request of its own.
const onlyQuestion = "question"

// elicit answers a server that asks the person during a call, as servers do before version
// 2026-07-28.
func (s *session) elicit(ctx context.Context, req *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
	v := s.askingCall(req.Params.Meta)
	if v == nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "it is not known which of the running calls asks this"}
	}
	e := elicitation{Mode: req.Params.Mode, Message: req.Params.Message, URL: req.Params.URL}
	if schema, _ := req.Params.Meta[originalSchemaKey].(string); schema != "" {
		e.Schema = json.RawMessage(schema)
	}
	answers, err := v.ask(ctx, []executor.InputRequest{e.inputRequest(onlyQuestion)})
	if err != nil {
		return nil, err
	}
	return elicitResult(answers[onlyQuestion]), nil
}

// Keys in the `_meta` of a question: two of ours, and one of the protocol's.
const (
	askingCallKey     = "abl-lsp/call"
	originalSchemaKey = "abl-lsp/schema"
	relatedTaskKey    = "io.modelcontextprotocol/related-task"
)

// askingCall returns the call that a question belongs to, according to the question's `_meta`. Without
// such a hint it is the only running call; nil if there are several.
func (s *session) askingCall(meta sdk.Meta) *call {
	s.mu.Lock()
	defer s.mu.Unlock()
	if token, ok := meta[askingCallKey].(string); ok {
		return s.calls[token]
	}
	related, _ := meta[relatedTaskKey].(map[string]any)
	taskID, _ := related["taskId"].(string)
	var only *call
	for _, v := range s.calls {
		if taskID != "" && v.taskID == taskID {
			return v
		}
		only = v
	}
	if len(s.calls) != 1 {
		return nil
	}
	return only
}

// offersFolders reports whether the server may ask for the folders of the workspace: it is a process
// or a server of this machine.
func (t *target) offersFolders() bool {
	if t.transport == viaStdio {
		return true
	}
	ip := net.ParseIP(t.url.Hostname())
	return t.url.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
