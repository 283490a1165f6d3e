package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
)

// asSent is the name in `_meta` under which a result stands as the server wrote it.
// The library reads numbers as float64, and takes no content that it does not know.
const asSent = "abl-lsp/as-sent"

// pass sees every message that comes, before the library does. It tells what
// concerns the calls under way, and keeps results as they are.
func (s *session) pass(data []byte) []byte {
	var m struct {
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
		Result json.RawMessage `json:"result"`
	}
	if json.Unmarshal(data, &m) != nil {
		return data
	}
	switch {
	case m.Method == "notifications/progress":
		s.showProgress(m.Params)
	case m.Method == "notifications/message":
		s.showLog(m.Params)
	case m.Method == "" && len(m.Result) > 0:
		return keep(data, m.Result)
	}
	return data
}

// keep puts a result beside itself. Of the content of a call nothing else is left
// to read.
func keep(data, result []byte) []byte {
	var message, fields map[string]json.RawMessage
	if json.Unmarshal(data, &message) != nil || json.Unmarshal(result, &fields) != nil {
		return data
	}
	_, content := fields["content"]
	_, structured := fields["structuredContent"]
	if _, tools := fields["tools"]; !content && !structured && !tools {
		return data
	}
	if content || structured {
		fields = map[string]json.RawMessage{"content": json.RawMessage("[]")}
	}
	fields["_meta"] = encode(map[string]string{asSent: string(result)})
	message["result"] = encode(fields)
	return encode(message)
}

// encode writes what always encodes.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
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
	token, _ := p.Token.(string) // ours are texts
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

// showLog writes a server's log into the console.
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
	_ = json.Unmarshal(p.Data, &text) // what is no text is shown as JSON
	s.console.write(fmt.Appendf(nil, "%s: %s\n", strings.TrimSpace(p.Level+" "+p.Logger), text))
}
