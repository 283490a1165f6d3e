package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"
)

func decoded(t *testing.T, raw []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
	return v
}

// FuzzPlain checks that JSON means the same without the escapes.
func FuzzPlain(f *testing.F) {
	for _, seed := range []string{`"\u003c"`, `"\\u003c"`, `"\\\u003e"`, `{"\u0026🧀":[1.50,"\u2028\""]}`, `"\u003C"`, `1e400`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return
		}
		if want, got := decoded(t, raw), decoded(t, undoEscapes(raw)); !reflect.DeepEqual(want, got) {
			t.Errorf("%s became %s", raw, undoEscapes(raw))
		}
	})
}

func testSession() *session {
	s := &session{target: &target{name: "s", transport: viaStdio, words: []string{"s"}, max: 1 << 10}}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	s.calls = map[string]*call{"t": {session: s, following: ended}}
	return s
}

// FuzzPass checks that a result is kept as it was sent, and that everything else is unchanged.
func FuzzPass(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"n":10.50}}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"}],"_meta":{"x":1}}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1.5,"total":2}}`,
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":[1]}}`,
		`{"method":7}`, `{"result":null}`, `[]`, "🧀",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		out := testSession().inspectMessage(data, "")
		if bytes.Equal(out, data) {
			return
		}
		if bytes.Contains(data, []byte("elicitation/create")) {
			return // a question
		}
		sent := fields(t, data)["result"]
		meta := fields(t, fields(t, fields(t, out)["result"])["_meta"])
		var kept string
		if err := json.Unmarshal(meta[originalResultKey], &kept); err != nil {
			t.Fatalf("%q became %q", data, out)
		}
		if kept != strings.ToValidUTF8(string(sent), "\ufffd") && len(sent) > 0 {
			t.Errorf("%q is kept as %q", sent, kept)
		}
	})
}

// fields returns the members of an object by their exact names.
func fields(t *testing.T, raw []byte) map[string]json.RawMessage {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
	return m
}

// FuzzStream checks that any events are passed on one by one, and that none is larger than the
// limit by more than the overhead.
func FuzzStream(f *testing.F) {
	f.Add([]byte("event: message\r\ndata: {\"id\":1,\r\ndata: \"result\":{\"content\":[]}}\r\n\r\n"))
	f.Add([]byte("data:\n\n: comment\nid: 7\n\ndata: 🧀\n\n"))
	f.Add([]byte(strings.Repeat("data: x\n", 300)))
	f.Fuzz(func(t *testing.T, body []byte) {
		var fault error
		s := &eventStream{session: testSession(), fail: func(err error) { fault = err }, body: io.NopCloser(bytes.NewReader(body))}
		out, err := io.ReadAll(s)
		if err != nil && fault == nil {
			t.Errorf("nobody was told: %v", err)
		}
		if n := bytes.Count(out, []byte("\n\n")); len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) || n > bytes.Count(body, []byte("\n")) {
			t.Errorf("%q became %q", body, out)
		}
	})
}
