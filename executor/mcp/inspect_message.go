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
// results. token names the call that the message came with; "" if that is not known.
func (s *session) inspectMessage(data []byte, token string) []byte {
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
	case m.Method == "elicitation/create":
		return attachQuestion(data, m.Params, token)
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
	isCallResult := content || structured || fields["task"] != nil || isPending(fields["resultType"])
	_, tools := fields["tools"]
	_, contents := fields["contents"]
	switch {
	case isCallResult:
		fields = map[string]json.RawMessage{"content": json.RawMessage("[]")}
	case contents:
		fields = map[string]json.RawMessage{"contents": json.RawMessage("[]")}
	case !tools:
		return data
	}
	fields["_meta"] = exactjson.EncodeOrNil(map[string]string{originalResultKey: string(result)})
	message["result"] = exactjson.EncodeOrNil(fields)
	return exactjson.EncodeOrNil(message)
}

// isPending reports whether a call has no result yet, according to the type of its result.
func isPending(resultType []byte) bool {
	return string(resultType) == `"input_required"` || string(resultType) == `"task"`
}

// attachQuestion puts into the `_meta` of a question the token of the call that it came with, if it is
// known, and the schema as the server wrote it: the library loses the order of the fields.
func attachQuestion(data, params []byte, token string) []byte {
	var message, fields, meta map[string]json.RawMessage
	if json.Unmarshal(data, &message) != nil || json.Unmarshal(params, &fields) != nil || fields == nil {
		return data
	}
	_ = json.Unmarshal(fields["_meta"], &meta) // missing is as good as empty
	if meta == nil {
		meta = map[string]json.RawMessage{}
	}
	delete(meta, askingCallKey)
	if token != "" {
		meta[askingCallKey] = exactjson.EncodeOrNil(token)
	}
	meta[originalSchemaKey] = exactjson.EncodeOrNil(string(fields["requestedSchema"]))
	fields["_meta"] = exactjson.EncodeOrNil(meta)
	message["params"] = exactjson.EncodeOrNil(fields)
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
	v := s.calls[token]
	s.mu.Unlock()
	if v == nil {
		return
	}
	far := p.Progress.String()
	if p.Total != "" {
		far += " of " + p.Total.String()
	}
	if p.Message != "" {
		far = p.Message + " (" + far + ")"
	}
	v.report(executor.Progress{Message: far})
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
