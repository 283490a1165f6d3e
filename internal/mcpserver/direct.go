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

// directCall is an ordinary call of a tool, which is answered without the library: that
// reads each message five times, and hands it from one goroutine to the next.
type directCall struct {
	id     jsonrpc.ID
	rawID  []byte // as the client has written it
	params sdk.CallToolParamsRaw
}

// maxNested is how many objects and lists a message may have that is surely not nested too
// deeply for the library.
const maxNested = 1000

// readDirectCall reads a message, which is valid JSON. ok is false for one that the library
// has to read: what is not a call of a tool, or has anything in it that not all calls have.
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

// readMembers sets what it has of each member of an object. ok is false where there is another
// member, or one twice.
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

// plainText is what a JSON string says that is written as it is, in ASCII. ok is false for
// any other value.
func plainText(raw []byte) (text string, ok bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	text = string(raw[1 : len(raw)-1])
	isOther := func(r rune) bool { return r < ' ' || r > '~' || r == '\\' }
	return text, strings.IndexFunc(text, isOther) < 0
}

// readID reads the id: a text that is written as it is, or a whole number, which a float has
// exactly.
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

// readMeta reads what the client says about the call. ok is false where that says by which
// version of the protocol it is made.
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

// directAnswer gives the answer to a message that is an ordinary call; nil where the library has to
// give it. The call is under way from here on.
func (c *connection) directAnswer(line []byte) (answer func()) {
	call, ok := readDirectCall(line)
	if !ok {
		return nil
	}
	session := c.session.Load()
	if session == nil || !c.server.answersDirectly(session, call.params.Name) {
		return nil
	}
	ctx, isNew := c.beginCall(call.id)
	if !isNew {
		return func() {} // the library says nothing either
	}
	return func() { c.answerCall(ctx, session, call) }
}

// answersDirectly reports whether a call of that name is one of a tool, by a client that has
// said who it is, and that is asked while a call runs.
func (s *Server) answersDirectly(session *sdk.ServerSession, name string) bool {
	client := session.InitializeParams()
	_, ok := s.currentTool(name)
	return ok && client != nil && client.ProtocolVersion < firstRoundsVersion
}

// answerCall makes a call, and writes its answer.
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

// encode is the message that answers the call.
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
