package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/executor"
)

func TestReadDirectCall(t *testing.T) {
	const params = `"params":{"name":"a","arguments":{"x":[1.50,"🛫"]}}`
	for _, tt := range []struct {
		name, line string
		want       bool
	}{
		{"number", `{"jsonrpc":"2.0","id":7,"method":"tools/call",` + params + `}`, true},
		{"text", `{ "id": "a-7" , "method":"tools/call","jsonrpc":"2.0",` + params + `}`, true},
		{"no arguments", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a"}}`, true},
		{"progress", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":1}}}`, true},
		{"version of the protocol", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, false},
		{"answers", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","inputResponses":{}}}`, false},
		{"no id", `{"jsonrpc":"2.0","method":"tools/call",` + params + `}`, false},
		{"id null", `{"jsonrpc":"2.0","id":null,"method":"tools/call",` + params + `}`, false},
		{"fraction", `{"jsonrpc":"2.0","id":7.5,"method":"tools/call",` + params + `}`, false},
		{"large id", `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call",` + params + `}`, false},
		{"negative id", `{"jsonrpc":"2.0","id":-0,"method":"tools/call",` + params + `}`, false},
		{"escaped id", `{"jsonrpc":"2.0","id":"\u0041","method":"tools/call",` + params + `}`, false},
		{"other version", `{"jsonrpc":"1.0","id":7,"method":"tools/call",` + params + `}`, false},
		{"other method", `{"jsonrpc":"2.0","id":7,"method":"tools/list",` + params + `}`, false},
		{"other letters", `{"jsonrpc":"2.0","id":7,"Method":"tools/call",` + params + `}`, false},
		{"twice", `{"jsonrpc":"2.0","id":7,"id":8,"method":"tools/call",` + params + `}`, false},
		{"no object", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":["a"]}`, false},
		{"no arguments but null", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":null}}`, false},
		{"name of another sort", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":7}}`, false},
		{"empty", `{}`, false},
		{"batch", `[{"jsonrpc":"2.0","id":7,"method":"tools/call",` + params + `}]`, false},
		{"text alone", `"tools/call"`, false},
		{"no UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"arguments\":{\"x\":\"\xff\"}}}", false},
		{"deep", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"x":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}}}`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !json.Valid([]byte(tt.line)) {
				t.Fatal("the test's line is no JSON")
			}
			if c, ok := readDirectCall([]byte(tt.line)); ok != tt.want {
				t.Errorf("%v, want %v: %+v", ok, tt.want, c)
			}
		})
	}
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// lineClient is a client that writes and reads lines of JSON.
type lineClient struct {
	t   testing.TB
	in  *io.PipeWriter
	out *bufio.Reader
}

// lineClient returns a connected client that has sent initialize.
func (d *serverFixture) lineClient() *lineClient {
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- d.server.Serve(context.Background(), toServer, fromServer) }()
	d.t.Cleanup(func() {
		in.Close()
		if err := <-ended; err != nil {
			d.t.Error(err)
		}
	})
	c := &lineClient{d.t, in, bufio.NewReader(out)}
	c.say(initialize)
	c.hear()
	return c
}

func (c *lineClient) say(line string) {
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

func (c *lineClient) hear() []byte {
	line, err := c.out.ReadSlice('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	return line
}

// TestDirectAnswer checks that answers which are written without the library are the same as the
// library's.
func TestDirectAnswer(t *testing.T) {
	d := newServerFixture(t)
	run := d.server.opts.Run
	d.server.opts.Run = func(ctx context.Context, req executor.Request) executor.Envelope {
		if string(req.Args) == `{"id":"warn"}` {
			return executor.Envelope{OK: true, Value: json.RawMessage(`{"a" : "<b> & \u2028"}`), Warnings: []string{"<so> 🧭"}}
		}
		return run(ctx, req)
	}
	c := d.lineClient()
	for _, call := range []string{
		`"id":2,"params":{"name":"get_thing","arguments":{"id":"7"}}`,
		`"id":"two","params":{"name":"get_thing","arguments":{"id":"7"}}`,
		`"id":"<&>","params":{"name":"get_thing","arguments":{"id":"7"}}`,
		`"id":3,"params":{"name":"get_thing","arguments":{"id":7}}`,
		`"id":4,"params":{"name":"get_thing"}`,
		`"id":5,"params":{"name":"get_thing","arguments":{"id":"warn"}}`,
		`"id":6,"params":{"name":"make_thing","arguments":{"name":"x"}}`,
		`"id":7,"params":{"name":"never","_meta":{"progressToken":"🛫"}}`,
		`"id":8,"params":{"name":"unknown"}`,
	} {
		t.Run(call, func(t *testing.T) {
			line := `{"jsonrpc":"2.0","method":"tools/call",` + call
			c.say(line + "}")
			direct := string(c.hear())
			c.say(line + `,"other":1}`) // which the library answers
			if diff := cmp.Diff(string(c.hear()), direct); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestSameID checks that a request with the identifier of a running call is not answered, and that
// other requests are answered meanwhile.
func TestSameID(t *testing.T) {
	d := newServerFixture(t)
	c := d.lineClient()
	c.say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow"}}`)
	<-d.entered
	c.say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow"}}`)
	c.say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow"},"other":1}`)
	c.say(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	c.say(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
	if got := string(c.hear()); !strings.Contains(got, `"id":3,`) {
		t.Error(got)
	}
	c.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
	if got, want := string(c.hear()), `{"jsonrpc":"2.0","id":2,"error":{"code":0,"message":"context canceled"}}`+"\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	<-d.left
	if got := d.asked(); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

// TestSecondInitialize checks that a second initialize is refused, and that later requests are
// answered.
func TestSecondInitialize(t *testing.T) {
	c := newServerFixture(t).lineClient()
	c.say(`{"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}`)
	if got := string(c.hear()); !strings.Contains(got, `"error"`) {
		t.Error(got)
	}
	c.say(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_thing","arguments":{"id":"7"}}}`)
	if got := string(c.hear()); !strings.Contains(got, `"result"`) {
		t.Error(got)
	}
}

// TestManyAtOnce checks that calls do not wait for each other.
func TestManyAtOnce(t *testing.T) {
	d := newServerFixture(t)
	const calls = 20
	var running sync.WaitGroup
	running.Add(calls)
	d.server.opts.Run = func(context.Context, executor.Request) executor.Envelope {
		running.Done()
		running.Wait()
		return executor.Envelope{OK: true, Value: json.RawMessage(`1`)}
	}
	c := d.lineClient()
	for id := range calls {
		c.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":"call %d","method":"tools/call","params":{"name":"get_thing","arguments":{"id":"7"}}}`, id))
	}
	for range calls {
		if got := string(c.hear()); !strings.Contains(got, `"text":"1"`) {
			t.Error(got)
		}
	}
}

// TestAllocationsOfACall checks that a call makes few allocations, not counting those of the run.
func TestAllocationsOfACall(t *testing.T) {
	const most = 40
	d := newServerFixture(t)
	answer := executor.Envelope{OK: true, Value: json.RawMessage(`[{"a":1}]`)}
	d.server.opts.Run = func(context.Context, executor.Request) executor.Envelope { return answer }
	c := d.lineClient()
	id := 1
	got := testing.AllocsPerRun(200, func() {
		id++
		c.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"get_thing","arguments":{"id":"7"}}}`, id))
		if !bytes.Contains(c.hear(), []byte(`"result"`)) {
			t.Fatal("no result")
		}
	})
	if got > most {
		t.Errorf("%.0f allocations, at most %d", got, most)
	}
}

// TestAbilitiesOfRequest checks that from 2026-07-28 on each request says what its client can do, not
// the first request of the connection.
func TestAbilitiesOfRequest(t *testing.T) {
	const able = `{"elicitation":{"form":{}}}`
	for _, tt := range []struct{ name, first, second, want string }{
		{"able later", `{}`, able, `"resultType":"input_required"`},
		{"able before", able, `{}`, `must be confirmed`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newServerFixture(t)
			meta := func(abilities string) string {
				return strings.Replace(currentMeta, `clientCapabilities":{}`, `clientCapabilities":`+abilities, 1)
			}
			in := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta(tt.first) + `}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"make_thing","arguments":{"name":"x"},` + meta(tt.second) + `}}
`
			var out bytes.Buffer
			if err := d.server.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
				t.Error(err)
			}
			if !strings.Contains(out.String(), tt.want) {
				t.Errorf("no %s in %s", tt.want, out.String())
			}
		})
	}
}
