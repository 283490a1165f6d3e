package mcp_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	nethttp "net/http"
	"os"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/mcp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// odd returns a server that answers a call with text, in which %s is the id, and does not list its
// tools. It closes the connection if the text contains CUT.
func odd(t *testing.T, contentType, text string) tool.Server {
	return answers(t, func(w nethttp.ResponseWriter, r *nethttp.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		body, _ := io.ReadAll(r.Body)
		if json.Unmarshal(body, &m) != nil {
			w.WriteHeader(nethttp.StatusMethodNotAllowed)
			return
		}
		answer := map[string]string{
			"initialize": `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"odd","version":"1"}}}`,
			"tools/list": `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no list"}}`,
			"tools/call": text,
		}[m.Method]
		if answer == "" {
			w.WriteHeader(nethttp.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if m.Method == "tools/call" {
			w.Header().Set("Content-Type", contentType)
		}
		answer, isCut := strings.CutSuffix(answer, "CUT")
		io.WriteString(w, strings.ReplaceAll(answer, "%s", string(m.ID)))
		if isCut {
			_ = nethttp.NewResponseController(w).Flush()
			panic(nethttp.ErrAbortHandler)
		}
	})
}

// runOddServer runs a server as a process. answers is a JSON object that maps each method to its answer,
// in which %s is the id. An answer may also make it end, or write endlessly without a line break.
func runOddServer(answers string) {
	var by map[string]string
	if err := json.Unmarshal([]byte(answers), &by); err != nil {
		panic(err)
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.Unmarshal(lines.Bytes(), &m)
		for chunk := strings.Repeat("x", 1<<20); by[m.Method] == "FLOOD"; {
			if _, err := os.Stdout.WriteString(chunk); err != nil {
				os.Exit(1)
			}
		}
		answer, ends := strings.CutSuffix(by[m.Method], " END")
		if answer != "" {
			fmt.Println(strings.ReplaceAll(answer, "%s", string(m.ID)))
		}
		if ends {
			os.Exit(9)
		}
	}
}

func oddProcess(t *testing.T, answers map[string]string) tool.Server {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := json.Marshal(answers)
	return tool.Server{Transport: "stdio", Command: self, Env: map[string]string{"ABL_TEST_ODD": string(raw), "GORACE": "atexit_sleep_ms=0"}}
}

// TestOddProcesses checks that the error for a failed start is what the server said, and not that
// it ended.
func TestOddProcesses(t *testing.T) {
	const (
		begins  = `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"odd","version":"1"}}}`
		noTools = `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no list"}}`
		refuses = `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"no licence"}}`
		unknown = `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no handshake"}}`
		older   = `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{"name":"odd","version":"1"}}}`
		newer   = `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"new","version":"1"}}}`
		done    = `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","content":[{"type":"text","text":"done"}]}}`
	)
	for name, tt := range map[string]struct {
		begin, list, call, discover string
		kind                        executor.ErrorKind
		code, part                  string
	}{
		"a call":                           {begin: begins, call: done},
		"the newest protocol alone":        {begin: unknown, discover: newer, call: done},
		"silent for what it does not know": {begin: begins, discover: "\n", call: done},
		"it ends at the newest protocol":   {begin: begins, discover: " END", call: done},
		"it refuses":                       {begin: refuses, kind: executor.KindRemote, code: "mcp-32000", part: "no licence"},
		"it refuses and ends":              {begin: refuses + " END", kind: executor.KindRemote, code: "mcp-32000", part: "no licence"},
		"it ends":                          {begin: " END", kind: executor.KindNetwork, code: "lost", part: "exit status 9"},
		"it begins with a flood":           {begin: "FLOOD", kind: executor.KindLimit, code: "response-size", part: "10 MB"},
		"a flood in place of tools":        {begin: begins, list: "FLOOD", call: done, kind: executor.KindLimit, code: "response-size"},
		"a flood for an answer":            {begin: begins, call: "FLOOD", kind: executor.KindLimit, code: "response-size"},
		"an unknown version":               {begin: older, kind: executor.KindRemote, code: "no-mcp", part: "1999-01-01"},
		"it begins with nothing":           {begin: `{"jsonrpc":"2.0","id":%s,"result":null}`, kind: executor.KindRemote, code: "no-mcp"},
		"a list for a result":              {begin: begins, call: `{"jsonrpc":"2.0","id":%s,"result":[1]}`, kind: executor.KindRemote, code: "no-result"},
		"null for a result":                {begin: begins, call: `{"jsonrpc":"2.0","id":%s,"result":null}`, kind: executor.KindRemote, code: "no-result"},
		"neither result nor error":         {begin: begins, call: `{"jsonrpc":"2.0","id":%s}`, kind: executor.KindRemote, code: "no-result"},
		"a code of the library's":          {begin: begins, call: `{"jsonrpc":"2.0","id":%s,"error":{"code":-32003,"message":"too many calls","data":{"n":1e2}}}`, kind: executor.KindRemote, code: "mcp-32003", part: "too many calls"},
		"another one":                      {begin: begins, call: `{"jsonrpc":"2.0","id":%s,"error":{"code":-32004,"message":"too many calls"}}`, kind: executor.KindRemote, code: "mcp-32004", part: "too many calls"},
		"null for its tools":               {begin: begins, list: `{"jsonrpc":"2.0","id":%s,"result":null}`, call: done},
		"no list for its tools":            {begin: begins, list: `{"jsonrpc":"2.0","id":%s,"result":{"tools":null}}`, call: done},
		"it answers and ends":              {begin: begins, call: done + " END"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newFixture(t, mcp.Options{}, one(oddProcess(t, map[string]string{
				"initialize": tt.begin, "tools/call": tt.call, "tools/list": cmp.Or(tt.list, noTools), "server/discover": cmp.Or(tt.discover, unknown),
			})))
			e := r.run(reading("any"), "")
			switch {
			case tt.kind == "" && (!e.OK || string(e.Value) != `"done"`):
				t.Errorf("%s %+v", e.Value, e.Error)
			case tt.kind != "" && (e.Error == nil || e.Error.Kind != tt.kind || e.Error.Code != tt.code || !strings.Contains(e.Error.Message, tt.part)):
				t.Errorf("%s %+v, want %s %s %q", e.Value, e.Error, tt.kind, tt.code, tt.part)
			}
		})
	}
}

func TestOddAnswers(t *testing.T) {
	const asJSON, asEvents = "application/json", "text/event-stream"
	result := func(format string, args ...any) string {
		return `{"jsonrpc":"2.0","id":%s,"result":` + fmt.Sprintf(format, args...) + `}`
	}
	text := &tool.Type{Name: "string"}
	for _, tt := range []struct {
		name, contentType, answer string
		returns                   *tool.Type
		value                     string
		kind                      executor.ErrorKind
		code                      string
		truncated                 string
	}{
		{name: "a list that is not all", contentType: asJSON, answer: result(`{"content":[{"type":"text","text":"[1,2]"},{"type":"text","text":"Not all. 🛫","_meta":{"abl-lsp/truncated":{"kept":2,"total":null}}}]}`),
			returns: &tool.Type{Name: "array"}, value: `[1,2]`, truncated: `{"kept":2,"total":null}`},
		{name: "a note of another's", contentType: asJSON, answer: result(`{"content":[{"type":"text","text":"1"},{"type":"text","text":"2","_meta":{"abl-lsp/truncated":"x"}}]}`),
			returns: &tool.Type{Name: "array"}, value: `[1,2]`},
		{name: "numbers", contentType: asJSON, answer: result(`{"content":[],"structuredContent":{"id":9007199254740993,"price":10.50}}`), value: `{"id":9007199254740993,"price":10.50}`},
		{name: "an event of several lines", contentType: asEvents,
			answer: ": hello\r\nid: 1\r\nevent: message\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\r\ndata: \"result\":{\"content\":[],\"structuredContent\":{\"n\":10.50}}}\r\n\r\n", value: `{"n":10.50}`},
		{name: "an empty event first", contentType: asEvents, answer: "id: 1\ndata:\n\ndata: " + result(`{"content":[],"structuredContent":{"n":1e2}}`) + "\n\n", value: `{"n":1e2}`},
		{name: "content of a kind to come", contentType: asJSON, answer: result(`{"content":[{"type":"hologram","size":10.50}]}`), value: `{"type":"hologram","size":10.50}`},
		{name: "a structured wrapping", contentType: asJSON, answer: result(`{"content":[{"type":"text","text":"plain"}],"structuredContent":{"result":"plain"}}`), returns: text, value: `"plain"`},
		{name: "a structured string", contentType: asJSON, answer: result(`{"content":[{"type":"text","text":"x"}],"structuredContent":"y"}`), returns: text, value: `"y"`},
		{name: "no content", contentType: asJSON, answer: result(`{"structuredContent":[1.0]}`), value: `[1.0]`},
		{name: "null", contentType: asJSON, answer: result(`{"content":[],"structuredContent":null}`), value: ``},
		{name: "no result of a tool", contentType: asJSON, answer: result(`{"sum":3}`), kind: executor.KindRemote, code: "no-result"},
		{name: "a failure with data", contentType: asJSON, answer: `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"wrong","data":{"field":"a"}}}`, kind: executor.KindRemote, code: "mcp-32602"},
		{name: "more to say", contentType: asJSON, answer: result(`{"content":[],"resultType":"input_required","inputRequests":{"m":{"method":"sampling/createMessage","params":{}}}}`), kind: executor.KindRemote, code: "input-required"},
		{name: "an end in the middle", contentType: asEvents, answer: "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"resu", kind: executor.KindNetwork, code: "lost"},
		{name: "a connection that ends in the middle", contentType: asEvents, answer: ": wait\n\nCUT", kind: executor.KindNetwork, code: "lost"},
		{name: "no JSON", contentType: asJSON, answer: `{"jsonrpc"`, kind: executor.KindNetwork, code: "lost"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newFixture(t, mcp.Options{}, one(odd(t, tt.contentType, tt.answer)))
			tl := reading("any")
			tl.Returns = tt.returns
			e := r.run(tl, "")
			switch {
			case tt.kind == "" && (!e.OK || string(e.Value) != tt.value):
				t.Errorf("%s %+v, want %s", e.Value, e.Error, tt.value)
			case truncationOf(e) != tt.truncated:
				t.Errorf("it says that it is truncated: %s", truncationOf(e))
			case tt.kind != "" && (e.Error == nil || e.Error.Kind != tt.kind || e.Error.Code != tt.code):
				t.Errorf("%s %+v, want %s %s", e.Value, e.Error, tt.kind, tt.code)
			}
		})
	}
}

// truncationOf returns an envelope's Truncated as JSON, "" for none.
func truncationOf(e executor.Envelope) string {
	if e.Truncated == nil {
		return ""
	}
	raw, _ := json.Marshal(e.Truncated)
	return string(raw)
}
