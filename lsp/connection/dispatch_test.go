package connection

import (
	"fmt"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

func TestCancel(t *testing.T) {
	ids := map[string]jsonrpc2.ID{
		"integer":            jsonrpc2.NewNumberID(42),
		"string":             jsonrpc2.NewStringID("the run"),
		"integer as string":  jsonrpc2.NewStringID("42"),
		"more than 32 bits":  jsonrpc2.NewNumberID(1 << 40),
		"negative":           jsonrpc2.NewNumberID(-1),
		"string with quotes": jsonrpc2.NewStringID(`a "b" ü`),
	}
	for name, id := range ids {
		t.Run(name, func(t *testing.T) {
			c := startClient(t)
			c.Initialize()
			slow := c.StartID(id, "test/wait", nil)
			<-c.started
			c.echo(t) // while the other runs
			slow.Cancel()
			wantCode(t, slow.Wait(nil), protocol.CodeRequestCancelled)
			slow.Cancel() // too late, and no harm
			c.echo(t)
		})
	}
}

func TestCancelOneOfTwo(t *testing.T) {
	c := startClient(t)
	c.Initialize()
	number := c.StartID(jsonrpc2.NewNumberID(500), "test/wait", nil)
	text := c.StartID(jsonrpc2.NewStringID("500"), "test/wait", nil)
	<-c.started
	<-c.started
	text.Cancel()
	wantCode(t, text.Wait(nil), protocol.CodeRequestCancelled)
	number.Cancel()
	wantCode(t, number.Wait(nil), protocol.CodeRequestCancelled)
}

func TestResultInSpiteOfCancel(t *testing.T) {
	c := startClient(t)
	c.Initialize()
	slow := c.Start("test/wait", map[string]string{"result": "done anyway"})
	<-c.started
	slow.Cancel()
	var result string
	if err := slow.Wait(&result); err != nil || result != "done anyway" {
		t.Errorf("answer = %q, %v; want the result", result, err)
	}
}

func TestCancelNonsense(t *testing.T) {
	c := startClient(t)
	c.Initialize()
	for _, params := range []string{`{}`, `{"id":null}`, `{"id":1.5}`, `{"id":{}}`, `{"id":[1]}`, `[]`, `7`} {
		c.Send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":` + params + `}`)
	}
	c.echo(t)
}

func TestRefusals(t *testing.T) {
	tests := []struct {
		name, method, params string
		code                 jsonrpc2.Code
	}{
		{"unknown method", "textDocument/unheardOf", `{}`, jsonrpc2.MethodNotFound},
		{"unknown $/ method", "$/unheardOf", `{}`, jsonrpc2.MethodNotFound},
		{"notification's method", "test/set", `{}`, jsonrpc2.MethodNotFound},
		{"wrong parameters", "test/echo", `{"n":"seven"}`, jsonrpc2.InvalidParams},
		{"parameters of the wrong kind", "test/echo", `[1]`, jsonrpc2.InvalidParams},
		{"parameters that are no JSON", "test/echo", `{"n" 1}`, jsonrpc2.InvalidParams},
		{"failure", "test/fail", `{}`, jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed)},
		{"panic", "test/panic", `{}`, jsonrpc2.InternalError},
	}
	c := startClient(t)
	c.Initialize()
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, 1000+i, tt.method, tt.params))
			wantCode(t, c.Answered(jsonrpc2.NewNumberID(int64(1000+i))).Err(), tt.code)
			c.echo(t)
		})
	}
	if c.log.FilterMessage("panic").Len() != 1 {
		t.Errorf("the log has %d panics, want 1", c.log.FilterMessage("panic").Len())
	}
}

func TestInvalidMessages(t *testing.T) {
	tests := []struct {
		body string
		code jsonrpc2.Code
	}{
		{`{"jsonrpc":"2.0","id":1,`, jsonrpc2.ParseError},
		{`no JSON at all`, jsonrpc2.ParseError},
		{``, jsonrpc2.ParseError},
		{"\xff\xfe\x00", jsonrpc2.ParseError},
		{`{"jsonrpc":"2.0","method":"x"}{"jsonrpc":"2.0","method":"x"}`, jsonrpc2.ParseError},
		{`[{"jsonrpc":"2.0","id":1,"method":"test/echo"}]`, jsonrpc2.InvalidRequest},
		{`{"id":1,"method":"test/echo"}`, jsonrpc2.InvalidRequest},
		{`{"jsonrpc":"2.0","id":1.5,"method":"test/echo"}`, jsonrpc2.InvalidRequest},
		{`{"jsonrpc":"2.0","id":1}`, jsonrpc2.InvalidRequest},
	}
	for _, tt := range tests {
		t.Run(tt.body, func(t *testing.T) {
			c := startClient(t)
			c.Initialize()
			c.Send(tt.body)
			wantCode(t, c.Answered(jsonrpc2.ID{}).Err(), tt.code)
			c.echo(t)
		})
	}
}

func TestOddNotifications(t *testing.T) {
	c := startClient(t)
	c.Initialize()
	c.Notify("$/unheardOf", nil)
	c.Notify("unheardOf", nil)
	c.Notify("test/echo", nil) // a request's method
	c.Notify("test/panicked", nil)
	c.Send(`{"jsonrpc":"2.0","method":"test/set","params":{"n":"five"}}`)
	c.Send(`{"jsonrpc":"2.0","id":99,"result":"nobody asked"}`)
	c.Send(`{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"nobody asked"}}`)
	c.echo(t)
	if c.log.FilterMessage("panic").Len() != 1 {
		t.Error("the panic of a notification is not in the log")
	}
}

// TestOrder sends changes and questions without waiting. Each question must see the
// changes before it, and none after it.
func TestOrder(t *testing.T) {
	c := startClient(t)
	c.Initialize()
	const n = 200
	var questions []lsptest.Pending
	for i := range n {
		c.Notify("test/set", numberParams{i})
		questions = append(questions, c.Start("test/number", nil))
	}
	for i, q := range questions {
		var number int
		if err := q.Wait(&number); err != nil || number != i {
			t.Fatalf("question %d saw %d, %v", i, number, err)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	c := startClient(t)
	c.Initialize()
	var slow []lsptest.Pending
	for range 50 {
		slow = append(slow, c.Start("test/wait", nil))
	}
	for range slow {
		<-c.started
	}
	c.echo(t)
	for _, p := range slow {
		p.Cancel()
	}
	for _, p := range slow {
		wantCode(t, p.Wait(nil), protocol.CodeRequestCancelled)
	}
}

func TestTrace(t *testing.T) {
	c := startClient(t)
	c.Initialize()
	c.echo(t)
	c.Notify(protocol.MethodSetTrace, &protocol.SetTraceParams{Value: protocol.TraceValueMessages})
	c.echo(t)
	c.Await(protocol.MethodLogTrace, nil)
	if n := len(c.Messages(protocol.MethodLogTrace)); n != 1 {
		t.Errorf("%d traces, want one for the request after $/setTrace", n)
	}
}
