package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
)

// maxRounds is how often one call is sent again with answers.
const maxRounds = 20

// busyDelay is the time before a call is sent again to a server that wants no answers but another
// attempt.
const busyDelay = 500 * time.Millisecond

// exchange makes the call and answers what the server asks, until there is a result.
func (v *call) exchange(ctx context.Context) (result, error) {
	params := &sdk.CallToolParams{Name: v.target.tool, Arguments: v.request.Arguments()}
	for range maxRounds {
		params.Meta = sdk.Meta{}
		for name, value := range executor.TraceHeaders(ctx) {
			params.Meta[name] = value
		}
		params.SetProgressToken(v.token)
		if v.session.isStateless() {
			params.Meta[logLevelKey] = "info"
		}
		r, err := v.send(ctx, params)
		switch {
		case err != nil:
			if err := v.visitPages(ctx, err); err != nil {
				return result{}, err
			}
		case r.Type == "input_required":
			responses, err := v.respond(ctx, r.InputRequests)
			if err != nil {
				return result{}, err
			}
			params.InputResponses, params.RequestState = responses, r.RequestState
		case r.Type == "task":
			return v.followTask(ctx, r.task)
		case r.Task != nil:
			return v.followOlderTask(ctx, *r.Task)
		default:
			return r, nil
		}
	}
	return result{}, executor.Errorf(executor.KindRemote, "input-required", "%s: %s asks again and again", v.target.name, v.target.tool)
}

// logLevelKey is the key in `_meta` by which a call asks for log messages, from version 2026-07-28 on.
const logLevelKey = "io.modelcontextprotocol/logLevel"

// send sends the call once.
func (v *call) send(ctx context.Context, params *sdk.CallToolParams) (result, error) {
	if v.runsAsTask {
		ctx = context.WithValue(ctx, asTaskKey{}, true)
	}
	answer, err := v.session.client.CallTool(ctx, params)
	if err != nil {
		return result{}, err
	}
	raw, _ := answer.Meta[originalResultKey].(string)
	return v.readResult([]byte(raw))
}

// inputRequest is a request that a server puts into its answer.
type inputRequest struct {
	Method string      `json:"method"`
	Params elicitation `json:"params"`
}

// respond returns the answers to requests. The person answers questions; the folders of the workspace
// need no one.
func (v *call) respond(ctx context.Context, requests map[string]inputRequest) (sdk.InputResponseMap, error) {
	responses := sdk.InputResponseMap{}
	var questions []executor.InputRequest
	for _, id := range slices.Sorted(maps.Keys(requests)) {
		switch request := requests[id]; request.Method {
		case "elicitation/create":
			questions = append(questions, request.Params.inputRequest(id))
		case "roots/list":
			responses[id] = &sdk.ListRootsResult{Roots: v.target.roots()} //nolint:staticcheck // for as long as servers use them
		default:
			return nil, executor.Errorf(executor.KindRemote, "input-required", "%s: %s asks for %s, which a run does not give", v.target.name, v.target.tool, request.Method)
		}
	}
	if len(requests) == 0 {
		select {
		case <-time.After(busyDelay):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if len(questions) > 0 {
		answers, err := v.ask(ctx, questions)
		if err != nil {
			return nil, err
		}
		for _, q := range questions {
			responses[q.ID] = elicitResult(answers[q.ID])
		}
	}
	return responses, nil
}

// visitPages lets the person visit the pages that an error asks for. It returns the error if it is
// another one, or the person does not want to.
func (v *call) visitPages(ctx context.Context, err error) error {
	answer, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok || answer.Code != sdk.CodeURLElicitationRequired {
		return err
	}
	var data struct {
		Elicitations []elicitation `json:"elicitations"`
	}
	if json.Unmarshal(answer.Data, &data) != nil || len(data.Elicitations) == 0 {
		return err
	}
	questions := make([]executor.InputRequest, len(data.Elicitations))
	for i, e := range data.Elicitations {
		questions[i] = e.inputRequest("page-" + strconv.Itoa(i+1))
	}
	answers, asking := v.ask(ctx, questions)
	if asking != nil {
		return asking
	}
	for _, q := range questions {
		if answers[q.ID].Action != executor.AcceptInput {
			return err
		}
	}
	return nil
}

// isStateless reports whether the session uses version 2026-07-28 or a later one.
func (s *session) isStateless() bool {
	begun := s.client.InitializeResult()
	return begun != nil && begun.ProtocolVersion >= "2026-07-28"
}
