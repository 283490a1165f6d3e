package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// directCall is an ordinary call of a tool, which is answered without the library. The library
// decodes each message five times and passes it between goroutines.
type directCall struct {
	id     jsonrpc.ID
	rawID  []byte // as the client has written it
	params sdk.CallToolParamsRaw
}

// maxNested is the number of objects and lists up to which a message is certainly not nested too
// deeply for the library.
const maxNested = 1000

// readDirectCall reads a message, which is valid JSON. ok is false for a message that the library
// has to read: it is no call of a tool, or has members that not all calls have.
func readDirectCall(line []byte) (c *directCall, ok bool) {
	if line[0] != '{' || !utf8.Valid(line) || bytes.Count(line, []byte("{"))+bytes.Count(line, []byte("[")) > maxNested {
		return nil, false
	}
	c = &directCall{}
	var version, method, params []byte
	ok = readMembers(line, map[string]*[]byte{"jsonrpc": &version, "id": &c.rawID, "method": &method, "params": &params})
	if !ok || string(version) != `"2.0"` || string(method) != `"tools/call"` || !bytes.HasPrefix(params, []byte("{")) {
		return nil, false
	}
	var name, arguments, meta []byte
	if !readMembers(params, map[string]*[]byte{"name": &name, "arguments": &arguments, "_meta": &meta}) {
		return nil, false
	}
	c.params.Name, ok = plainText(name)
	if !ok || arguments != nil && arguments[0] != '{' {
		return nil, false
	}
	c.params.Arguments = arguments
	return c, c.readID() && c.readMeta(meta)
}

// readMembers sets the value of each member of an object in members. ok is false if the object has
// another member, or one twice.
func readMembers(object []byte, members map[string]*[]byte) (ok bool) {
	for key, value := range exactjson.Parts(object) {
		to := members[string(key[1:len(key)-1])]
		if to == nil || *to != nil {
			return false
		}
		*to = value
	}
	return true
}

// plainText returns the value of a JSON string that has only ASCII and no escapes. ok is false for
// any other value.
func plainText(raw []byte) (text string, ok bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	text = string(raw[1 : len(raw)-1])
	isOther := func(r rune) bool { return r < ' ' || r > '~' || r == '\\' }
	return text, strings.IndexFunc(text, isOther) < 0
}

// readID reads the id: a text without escapes, or an integer that a float represents exactly.
func (c *directCall) readID() (ok bool) {
	var id any
	if text, ok := plainText(c.rawID); ok {
		id = text
	} else if n, err := strconv.ParseUint(string(c.rawID), 10, 48); err == nil {
		id = float64(n)
	} else {
		return false
	}
	var err error
	c.id, err = jsonrpc.MakeID(id)
	return err == nil
}

// readMeta reads the call's _meta. ok is false if it names the protocol's version.
func (c *directCall) readMeta(raw []byte) (ok bool) {
	if raw == nil {
		return true
	}
	if raw[0] != '{' || json.Unmarshal(raw, &c.params.Meta) != nil {
		return false
	}
	_, versioned := c.params.Meta[sdk.MetaKeyProtocolVersion]
	return !versioned
}

// directAnswer returns a function that answers a message, if the message is an ordinary call; nil
// if the library has to answer it. The call counts as running from here on.
func (c *connection) directAnswer(line []byte) (answer func()) {
	call, ok := readDirectCall(line)
	if !ok {
		return nil
	}
	session := c.session.Load()
	if session == nil || !c.server.answersDirectly(session, &call.params) {
		return nil
	}
	ctx, isNew := c.beginCall(call.id)
	if !isNew {
		return func() {} // the library says nothing either
	}
	return func() { c.answerCall(ctx, session, call) }
}

// answersDirectly reports whether a call can be answered without the library: it is a call of a
// served tool that does not become a task, by an initialized client that is asked during a call and
// not by its answer.
func (s *Server) answersDirectly(session *sdk.ServerSession, p *sdk.CallToolParamsRaw) bool {
	client := session.InitializeParams()
	_, ok := s.currentTool(p.Name)
	return ok && client != nil && client.ProtocolVersion < firstRoundsVersion && !s.answersLater(session, p)
}

// answerCall runs a call and writes its answer.
func (c *connection) answerCall(ctx context.Context, session *sdk.ServerSession, call *directCall) {
	defer c.endCall()
	result, err := c.server.handleCall(ctx, &sdk.CallToolRequest{Session: session, Params: &call.params})
	line, err := call.encode(result, err)
	c.releaseID(call.id)
	if err == nil {
		_, err = c.to.Write(line)
	}
	if err != nil {
		c.failWrites(err)
	}
}

// encode returns the message that answers the call.
func (c *directCall) encode(result *sdk.CallToolResult, fault error) ([]byte, error) {
	if fault != nil {
		line, err := jsonrpc.EncodeMessage(&jsonrpc.Response{ID: c.id, Error: fault})
		return append(line, '\n'), err
	}
	raw, err := result.MarshalJSON()
	if err != nil {
		return c.encode(nil, err)
	}
	line := make([]byte, 0, len(raw)+len(c.rawID)+40)
	line = append(line, `{"jsonrpc":"2.0","id":`...)
	line = append(line, c.rawID...)
	line = append(line, `,"result":`...)
	line = append(line, raw...)
	return append(line, "}\n"...), nil
}
