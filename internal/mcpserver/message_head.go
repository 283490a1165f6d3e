package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// listVersion is the only version of the protocol in which a request may be a list of messages, and
// that of a request that names none.
const listVersion = "2025-03-26"

// maxList is the number of messages that a list may have.
const maxList = 100

// requestBody has the heads of the messages in the body of a request.
type requestBody struct {
	messages []messageHead
	isList   bool
}

// only returns the head of the message of a request that is no list; the zero value if there is none.
func (b requestBody) only() messageHead {
	if b.isList || len(b.messages) == 0 {
		return messageHead{}
	}
	return b.messages[0]
}

// messageHead is what endpoint has to know about a message. It is empty for JSON that is no object.
type messageHead struct {
	ID     json.RawMessage
	Method string
	params messageParams
}

// messageParams are the members of a message's params that say whether it may be sent; nil for one that
// is not there.
type messageParams struct{ name, arguments, meta, taskID, responses, state []byte }

// readHeads reads a body, which is valid JSON. version is that of the request's header. The names of
// members are compared as the library compares them, with case. An error is one for the client: there
// is a member twice, or one that might be taken for another one.
func readHeads(body []byte, version string) (sent requestBody, err error) {
	body = bytes.Trim(body, " \t\r\n")
	if body[0] != '[' {
		head, err := readHead(body)
		return requestBody{messages: []messageHead{head}}, err
	}
	sent.isList = true
	if version != "" && version != listVersion {
		return sent, errors.New("a list of messages is possible in the version " + listVersion + " only")
	}
	for _, message := range exactjson.Parts(body) {
		if len(sent.messages) == maxList {
			return sent, fmt.Errorf("a list has at most %d messages", maxList)
		}
		head, err := readHead(message)
		if err != nil {
			return sent, err
		}
		sent.messages = append(sent.messages, head)
	}
	return sent, nil
}

// readHead reads the head of a message.
func readHead(message []byte) (h messageHead, err error) {
	if message[0] != '{' {
		return h, nil
	}
	var method, params, version, result, fault []byte
	err = readKnown(message, map[string]*[]byte{
		"jsonrpc": &version, "id": (*[]byte)(&h.ID), "method": &method, "params": &params, "result": &result, "error": &fault,
	})
	if err != nil {
		return messageHead{}, err
	}
	h.Method = stringOf(method)
	if len(params) == 0 || params[0] != '{' {
		return h, nil
	}
	p := &h.params
	return h, readKnown(params, map[string]*[]byte{
		"name": &p.name, "arguments": &p.arguments, "_meta": &p.meta, "taskId": &p.taskID, "inputResponses": &p.responses, "requestState": &p.state,
	})
}

// readKnown sets the value of each member of an object in members, and skips others. It returns an
// error if one of members is there twice, or in another case.
func readKnown(object []byte, members map[string]*[]byte) error {
	for key, value := range exactjson.Parts(object) {
		name := stringOf(key)
		to := members[name]
		switch {
		case to == nil:
			for known := range members {
				if strings.EqualFold(known, name) {
					return fmt.Errorf("a message has no member %q: it is written %q", name, known)
				}
			}
		case *to != nil:
			return fmt.Errorf("a message has one member %q, and this one has two", name)
		default:
			*to = value
		}
	}
	return nil
}

// stringOf returns the value of a JSON string; "" for anything else.
func stringOf(raw []byte) (text string) {
	if text, ok := plainText(raw); ok {
		return text
	}
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}

// toolName returns the name of the tool that a message calls, or "".
func (h messageHead) toolName() string {
	if h.Method != "tools/call" {
		return ""
	}
	return stringOf(h.params.name)
}

// beginsWork reports whether a message is refused while the server ends.
func (h messageHead) beginsWork() bool { return h.Method == "tools/call" || h.beginsSession() }

// beginsSession reports whether a session begins by a message, in older versions of the protocol.
func (h messageHead) beginsSession() bool { return h.Method == "initialize" }

// version returns the protocol's version that the message itself names, or "".
func (h messageHead) version() string {
	var meta map[string]json.RawMessage
	if json.Unmarshal(h.params.meta, &meta) != nil {
		return ""
	}
	return stringOf(meta[sdk.MetaKeyProtocolVersion])
}

// isRoutedBy reports whether the header Mcp-Name is that of a message about a task. The library checks
// that of all other messages.
func (h messageHead) isRoutedBy(header http.Header) bool {
	about := slices.Contains([]string{methodTasksGet, methodTasksUpdate, methodTasksCancel}, h.Method)
	return !about || header.Get(nameHeader) == stringOf(h.params.taskID)
}

// needsSession reports whether older versions of the protocol have the message in a session only.
func (h messageHead) needsSession() bool {
	switch h.Method {
	case "tools/list", "tools/call", "prompts/list", "prompts/get", "completion/complete", "logging/setLevel",
		"resources/list", "resources/templates/list", "resources/read", "resources/subscribe", "resources/unsubscribe",
		methodTasksGet, methodTasksUpdate, methodTasksCancel:
		return true
	}
	return false
}
