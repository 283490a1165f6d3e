package executor

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"testing"
)

func TestNetworkError(t *testing.T) {
	refused := os.NewSyscallError("connect", errors.New("connection refused"))
	address := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9}
	for _, tt := range []struct {
		err     error
		sent    bool
		code    string
		message string
	}{
		{&net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "a.test", Server: "10.0.0.53:53"}}, false, "dns", "h: no such host"},
		{&net.OpError{Op: "dial", Net: "tcp", Addr: address, Err: refused}, false, "connect", "h: connection refused"},
		{fmt.Errorf("call: %w", &net.OpError{Op: "read", Net: "tcp", Addr: address, Err: refused}), true, "lost", "h: connection refused"},
		{&url.Error{Op: "Post", URL: "http://h/?token=x", Err: io.EOF}, true, "lost", "h: the connection ended before the answer was there"},
		{fmt.Errorf("body: %w", io.ErrUnexpectedEOF), true, "lost", "h: the connection ended before the answer was there"},
		{errors.New("http2: stream closed"), true, "lost", "h: http2: stream closed"},
	} {
		e := NetworkError("h", tt.err, tt.sent)
		if e.Kind != KindNetwork || e.Code != tt.code || e.Message != tt.message || e.Unsent == tt.sent || !errors.Is(e, tt.err) {
			t.Errorf("%v: %+v", tt.err, e)
		}
	}
}
