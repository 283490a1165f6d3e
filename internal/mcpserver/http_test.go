package mcpserver

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestHTTPTimes checks that the server closes the connection of a client which does not send the
// announced body, or is idle, and that a response may take longer than that.
func TestHTTPTimes(t *testing.T) {
	const short, long = 200 * time.Millisecond, time.Hour
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			return
		}
		time.Sleep(2 * short)
		if r.Context().Err() == nil {
			_, _ = io.WriteString(w, "done")
		}
	})
	const whole = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody"
	for _, tt := range []struct {
		name, sent, answer string
		times              httpTimeouts
	}{
		{"half a head", "POST / HTTP/1.1\r\n", "", httpTimeouts{short, long, long}},
		{"half a body", whole[:len(whole)-1], "", httpTimeouts{long, short, long}},
		{"half a body in chunks", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal", "", httpTimeouts{long, short, long}},
		{"nothing after an answer", whole, "done", httpTimeouts{long, short, short}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			server := tt.times.server(slow)
			ended := make(chan error, 1)
			go func() { ended <- server.Serve(l) }()
			defer func() {
				server.Close()
				if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
					t.Error(err)
				}
			}()
			client, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			if _, err := io.WriteString(client, tt.sent); err != nil {
				t.Fatal(err)
			}
			if err := client.SetReadDeadline(time.Now().Add(patience)); err != nil {
				t.Fatal(err)
			}
			answer, err := io.ReadAll(client)
			if err != nil || !strings.HasSuffix(string(answer), tt.answer) {
				t.Errorf("%q, %v", answer, err)
			}
		})
	}
}
