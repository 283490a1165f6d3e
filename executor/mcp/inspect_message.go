package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// originalResultKey is the key in `_meta` that holds a result as the server wrote it.
// The library reads numbers as float64, and drops content that it does not know.
const originalResultKey = "abl-lsp/as-sent"

// inspectMessage returns an incoming message for the library. It first reports
// progress and logs to the calls in progress, and attaches the original text to
// results.
func (s *session) inspectMessage(data []byte) []byte {
	var m struct {
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
		Result json.RawMessage `json:"result"`
		Error  *jsonrpc.Error  `json:"error"`
	}
	if json.Unmarshal(data, &m) != nil {
		return data
	}
	switch {
	case m.Method == "notifications/progress":
		s.showProgress(m.Params)
	case m.Method == "notifications/message":
		s.showLog(m.Params)
	case m.Method == "" && m.Error != nil:
		return hideCode(data, m.Error)
	case m.Method == "":
		return attachOriginalResult(data, m.Result)
	}
	return data
}

// attachOriginalResult puts the original text of a result into its `_meta`. It removes everything
// else from the result of a tool call, and from a result that is not an object.
func attachOriginalResult(data, result []byte) []byte {
	var message, fields map[string]json.RawMessage
	if json.Unmarshal(data, &message) != nil || message["id"] == nil {
		return data
	}
	if _ = json.Unmarshal(result, &fields); fields == nil {
		fields = map[string]json.RawMessage{"content": nil}
	}
	_, content := fields["content"]
	_, structured := fields["structuredContent"]
	if _, tools := fields["tools"]; !content && !structured && !tools {
		return data
	}
	if content || structured {
		fields = map[string]json.RawMessage{"content": json.RawMessage("[]")}
	}
	fields["_meta"] = exactjson.EncodeOrNil(map[string]string{originalResultKey: string(result)})
	message["result"] = exactjson.EncodeOrNil(fields)
	return exactjson.EncodeOrNil(message)
}

// ownCodes are the error codes by which the library recognises a closed connection, even if a
// server sends them.
func ownCodes() []int64 { return []int64{-32003, -32004} }

// hiddenCodeOffset is added to such a code if a server sends it.
const hiddenCodeOffset = 1 << 20

// hideCode changes the code of a server's error that the library would take for its own.
func hideCode(data []byte, e *jsonrpc.Error) []byte {
	var message map[string]json.RawMessage
	if !slices.Contains(ownCodes(), e.Code) || json.Unmarshal(data, &message) != nil {
		return data
	}
	e.Code += hiddenCodeOffset
	message["error"] = exactjson.EncodeOrNil(e)
	return exactjson.EncodeOrNil(message)
}

// sentCode returns the code that the server sent; it undoes hideCode.
func sentCode(code int64) int64 {
	if slices.Contains(ownCodes(), code-hiddenCodeOffset) {
		return code - hiddenCodeOffset
	}
	return code
}

func (s *session) showProgress(params []byte) {
	var p struct {
		Token    any         `json:"progressToken"`
		Message  string      `json:"message"`
		Progress json.Number `json:"progress"`
		Total    json.Number `json:"total"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	token, _ := p.Token.(string) // our tokens are strings
	s.mu.Lock()
	report := s.progress[token]
	s.mu.Unlock()
	if report == nil {
		return
	}
	far := p.Progress.String()
	if p.Total != "" {
		far += " of " + p.Total.String()
	}
	if p.Message != "" {
		far = p.Message + " (" + far + ")"
	}
	report(executor.Progress{Message: far})
}

// showLog writes a server's log message to the console.
func (s *session) showLog(params []byte) {
	var p struct {
		Level  string          `json:"level"`
		Logger string          `json:"logger"`
		Data   json.RawMessage `json:"data"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	text := string(p.Data)
	_ = json.Unmarshal(p.Data, &text) // other values are shown as JSON
	s.console.write(fmt.Appendf(nil, "%s: %s\n", strings.TrimSpace(p.Level+" "+p.Logger), text))
}
