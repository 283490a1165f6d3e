package mcpserver

import (
	"context"
	"encoding/json"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/tool"
)

// tasksExtension is the protocol's extension for calls whose results come later. A client that
// announces it gets a task as the answer to a long call, and asks for the result.
const tasksExtension = "io.modelcontextprotocol/tasks"

// The methods of the extension.
const (
	methodTasksGet    = "tasks/get"
	methodTasksUpdate = "tasks/update"
	methodTasksCancel = "tasks/cancel"
)

// taskStatus is the status of a task.
type taskStatus string

const (
	taskWorking       taskStatus = "working"
	taskInputRequired taskStatus = "input_required" // a person has to answer
	taskCompleted     taskStatus = "completed"      // also with the failure of a tool, which is its result
	taskFailed        taskStatus = "failed"         // the call has no result
	taskCancelled     taskStatus = "cancelled"
)

// isEnd reports whether the status never changes again.
func (s taskStatus) isEnd() bool {
	return s == taskCompleted || s == taskFailed || s == taskCancelled
}

// taskHead is what every message about a task says of it.
type taskHead struct {
	ID           string     `json:"taskId"`
	Status       taskStatus `json:"status"`
	Message      string     `json:"statusMessage,omitempty"`
	Created      time.Time  `json:"createdAt"`
	Updated      time.Time  `json:"lastUpdatedAt"`
	TTL          *int64     `json:"ttlMs"` // nil until it has ended
	PollInterval int64      `json:"pollIntervalMs"`
}

// taskState is a task with what its status brings.
type taskState struct {
	taskHead
	Questions sdk.InputRequestMap `json:"inputRequests,omitempty"`
	Result    json.RawMessage     `json:"result,omitempty"`
	Error     *jsonrpc.Error      `json:"error,omitempty"`
}

// createdTask is the answer to a call that has become a task.
type createdTask struct {
	sdk.ResultBase
	ResultType string `json:"resultType"`
	taskHead
}

// shownTask is the answer to a question about a task.
type shownTask struct {
	sdk.ResultBase
	ResultType string `json:"resultType"`
	taskState
}

// taskAck is the answer to a message that changes a task.
type taskAck struct {
	sdk.ResultBase
	ResultType string `json:"resultType"`
}

// resultComplete is the type of each result that is not a task.
const resultComplete = "complete"

// taskParams are the parameters of the extension's methods.
type taskParams struct {
	sdk.ParamsBase
	ID             string                     `json:"taskId"`
	InputResponses map[string]json.RawMessage `json:"inputResponses"` // of tasks/update
}

// mayTakeLong reports whether a call of a tool is made a task where the client knows tasks.
func mayTakeLong(t *tool.Tool) bool {
	return t.Kind == tool.KindAsyncWebhook || t.Hints.Latency == "slow"
}

// addTasks makes the server answer the messages of the extension.
func (s *Server) addTasks() {
	s.sdk.AddReceivingMiddleware(s.serveTasks)
	for method, handle := range map[string]func(context.Context, *sdk.ServerSession, *taskParams) (sdk.Result, error){
		methodTasksGet: s.tasks.get, methodTasksUpdate: s.tasks.update, methodTasksCancel: s.tasks.cancel,
	} {
		_ = sdk.AddReceivingCustomMethod(s.sdk, method, handle) // an error says that the library has the method itself
	}
}

// serveTasks makes tasks of long calls, and lets only clients that announce the extension ask about
// tasks.
func (s *Server) serveTasks(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		switch r := r.(type) {
		case *sdk.CallToolRequest:
			if s.answersLater(r.Session, r.Params) {
				if created, ok := s.tasks.start(ctx, s, r); ok {
					return created, nil
				}
			}
		case *sdk.ServerRequest[*taskParams]:
			if err := checkTaskRequest(r); err != nil {
				return nil, err
			}
			ctx = withRequester(ctx, requester{ownerOf(r.Extra), r.Extra})
		}
		return next(ctx, method, r)
	}
}

// answersLater reports whether a call becomes a task.
func (s *Server) answersLater(session *sdk.ServerSession, p *sdk.CallToolParamsRaw) bool {
	t, ok := s.currentTool(p.Name)
	return ok && mayTakeLong(t.tool) && announcesTasks(session, p.Meta)
}

// announcesTasks reports whether a request's client knows tasks: by the request itself, else by the
// beginning of the session.
func announcesTasks(session *sdk.ServerSession, meta map[string]any) bool {
	if given, ok := meta[sdk.MetaKeyClientCapabilities].(map[string]any); ok {
		extensions, _ := given["extensions"].(map[string]any)
		_, announced := extensions[tasksExtension]
		return announced
	}
	client := session.InitializeParams()
	if client == nil || client.Capabilities == nil {
		return false
	}
	_, announced := client.Capabilities.Extensions[tasksExtension]
	return announced
}

// checkTaskRequest returns an error for a request about a task that must not be answered.
func checkTaskRequest(r *sdk.ServerRequest[*taskParams]) error {
	if r.Params == nil || r.Params.ID == "" {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "taskId is missing"}
	}
	if !announcesTasks(r.Session, r.Params.Meta) {
		return missingExtension()
	}
	return nil
}

// missingExtension is the error for a client that has not announced the extension.
func missingExtension() error {
	data, err := json.Marshal(map[string]any{"requiredCapabilities": map[string]any{"extensions": map[string]any{tasksExtension: struct{}{}}}})
	if err != nil {
		return err
	}
	return &jsonrpc.Error{
		Code: sdk.CodeMissingRequiredClientCapabilities, Data: data,
		Message: "the request's client capabilities do not announce the extension " + tasksExtension,
	}
}
