package mcp_test

import (
	"context"
	"encoding/json"
	nethttp "net/http"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/mcp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// serveTools serves tools over HTTP by the library, whose list has the input schemas of the tests
// instead. The server answers a call with its headers and its _meta.
func serveTools(t *testing.T, newest bool, schemas map[string]string) tool.Server {
	t.Helper()
	s := sdk.NewServer(&sdk.Implementation{Name: "headers", Version: "1"}, nil)
	for name, schema := range schemas {
		registered := json.RawMessage(schema)
		if strings.Contains(name, "invalid") {
			registered = anything // the library refuses to serve it
		}
		s.AddTool(&sdk.Tool{Name: name, InputSchema: registered}, func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			raw, err := json.Marshal(map[string]any{"header": req.Extra.Header, "meta": req.Params.Meta})
			return &sdk.CallToolResult{StructuredContent: json.RawMessage(raw), Content: []sdk.Content{}}, err
		})
	}
	s.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			r, err := next(ctx, method, req)
			if list, ok := r.(*sdk.ListToolsResult); ok {
				for i, listed := range list.Tools {
					other := *listed
					other.InputSchema = json.RawMessage(schemas[listed.Name])
					list.Tools[i] = &other
				}
			}
			return r, err
		}
	})
	handler := sdk.NewStreamableHTTPHandler(func(*nethttp.Request) *sdk.Server { return s }, &sdk.StreamableHTTPOptions{Stateless: newest})
	return answers(t, handler.ServeHTTP)
}

// received is how a call arrives at a server of serveTools.
type received struct {
	Header nethttp.Header
	Meta   map[string]any
}

func (r *fixture) received(tl *tool.Tool, args string) (got received) {
	r.Helper()
	if err := json.Unmarshal([]byte(r.value(tl, args)), &got); err != nil {
		r.Fatal(err)
	}
	return got
}

// TestArgumentsInHeaders checks that arguments with an x-mcp-header are sent in headers, too. The
// library's server refuses a call that lacks one.
func TestArgumentsInHeaders(t *testing.T) {
	const schema = `{"type": "object", "properties": {
		"region": {"type": "string", "x-mcp-header": "Region"},
		"rooms": {"type": "integer", "x-mcp-header": "Rooms"},
		"plain": {"type": "string"},
		"at": {"type": "object", "properties": {"urgent": {"type": "boolean", "x-mcp-header": "Urgent"}}}}}`
	r := newFixture(t, mcp.Options{}, one(serveTools(t, true, map[string]string{"book": schema})))
	book := withParams("book", "region", "rooms", "plain", "at")
	for _, tt := range []struct {
		name, args string
		want       map[string]string // "": it is not sent
	}{
		{"all", `{"region": "eu-west", "rooms": 2, "plain": "x", "at": {"urgent": true}}`, map[string]string{"Region": "eu-west", "Rooms": "2", "Urgent": "true", "Plain": ""}},
		{"no ASCII", `{"region": "東京"}`, map[string]string{"Region": "=?base64?5p2x5Lqs?=", "Rooms": "", "Urgent": ""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := r.received(book, tt.args)
			for name, want := range tt.want {
				if header := got.Header.Get("Mcp-Param-" + name); header != want {
					t.Errorf("%s: %q, want %q", name, header, want)
				}
			}
			if name := got.Header.Get("Mcp-Name"); name != "book" {
				t.Errorf("Mcp-Name: %q", name)
			}
		})
	}
}

// TestInvalidArgumentHeaders checks that a tool with an invalid x-mcp-header is neither listed nor
// called, from version 2026-07-28 on, and that the others are.
func TestInvalidArgumentHeaders(t *testing.T) {
	schemas := map[string]string{
		"good":         `{"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "A"}}}`,
		"invalid_type": `{"type": "object", "properties": {"a": {"type": "number", "x-mcp-header": "A"}}}`,
		"invalid_name": `{"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "A B"}}}`,
		"invalid_pair": `{"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "A"}, "b": {"type": "string", "x-mcp-header": "a"}}}`,
	}
	t.Run("2026-07-28", func(t *testing.T) {
		r := newFixture(t, mcp.Options{}, one(serveTools(t, true, schemas)))
		if names := r.listed(); !slices.Equal(names, []string{"good"}) {
			t.Errorf("%q", names)
		}
		r.value(withParams("good", "a"), `{"a": "x"}`)
		for name := range schemas {
			if name != "good" {
				if e := r.fails(withParams(name, "a"), `{"a": "1"}`, executor.KindDefinition, "invalid x-mcp-header"); e.Error.Code != "invalid-mcp-header" {
					t.Errorf("%s: %+v", name, e.Error)
				}
			}
		}
		r.fails(reading("none"), "", executor.KindDefinition, "no tool none; it has good")
	})
	t.Run("2025-11-25", func(t *testing.T) { // the annotation has no meaning there
		r := newFixture(t, mcp.Options{}, one(serveTools(t, false, schemas)))
		if names := r.listed(); len(names) != len(schemas) {
			t.Errorf("%q", names)
		}
		if got := r.received(withParams("invalid_type", "a"), `{"a": 1}`); got.Header.Get("Mcp-Param-A") != "" {
			t.Errorf("%v", got.Header)
		}
	})
}

// TestTraceOfCaller checks that a call continues the trace that the caller of the run names, and
// names none otherwise.
func TestTraceOfCaller(t *testing.T) {
	const parent, state = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "a=1"
	for name, newest := range map[string]bool{"2026-07-28": true, "2025-11-25": false} {
		t.Run(name, func(t *testing.T) {
			r := newFixture(t, mcp.Options{}, one(serveTools(t, newest, map[string]string{"look": string(anything)})))
			if got := r.received(reading("look"), ""); got.Meta["traceparent"] != nil || got.Meta["tracestate"] != nil {
				t.Errorf("%v", got.Meta)
			}
			r.request.TraceParent, r.request.TraceState = parent, state
			if got := r.received(reading("look"), ""); got.Meta["traceparent"] != parent || got.Meta["tracestate"] != state || got.Meta["progressToken"] == nil {
				t.Errorf("%v", got.Meta)
			}
		})
	}
}
