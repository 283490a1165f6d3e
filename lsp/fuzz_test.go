package lsp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
)

// FuzzWire gives the server any bytes as its input, as they are and as the bodies of
// messages in a session. The server must answer or refuse them, and end.
func FuzzWire(f *testing.F) {
	for _, seed := range []string{
		"Content-Length: 2\r\n\r\n{}",
		"Content-Length: 1000000\r\nX: y\n\n[",
		`{"jsonrpc":"2.0","id":1,"method":"textDocument/diagnostic","params":{"textDocument":{"uri":"file:///a"}}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a","languageId":"abl","version":1,"text":"a😀\r\nb"}}}` + "\n" +
			`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":1},"end":{"line":9,"character":0}},"text":"x"}]}}` + "\n" +
			`{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":"file:///a"}}}`,
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`,
		`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"abl":{}}}}`,
		`{"jsonrpc":"2.0","id":"s","method":"shutdown"}` + "\n" + `{"jsonrpc":"2.0","method":"exit"}`,
		`{"jsonrpc":"2.0","id":1,"method":"x","params":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		serveBytes(strings.NewReader(data))
		var session bytes.Buffer
		frame(&session, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}}`)
		for body := range strings.SplitSeq(data, "\n") {
			frame(&session, body)
		}
		serveBytes(&session)
	})
}

func serveBytes(in io.Reader) {
	// How the session ends is the bytes' own affair.
	_ = Serve(context.Background(), Options{In: in, Out: io.Discard})
}

func frame(w io.Writer, body string) {
	fmt.Fprintf(w, "Content-Length: %d\r\n\r\n%s", len(body), body)
}
