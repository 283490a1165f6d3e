package executor

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"syscall"
	"testing"
)

func untrusted(why error) error {
	return &url.Error{Op: "Get", URL: "https://h", Err: &tls.CertificateVerificationError{Err: why}}
}

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
		{&net.OpError{Op: "read", Net: "tcp", Addr: address, Err: os.NewSyscallError("read", syscall.ECONNRESET)}, true, "lost", "h: the connection ended before the answer was there"},
		{&net.OpError{Op: "write", Net: "tcp", Addr: address, Err: os.NewSyscallError("write", systemConnectionEnds[1])}, true, "lost", "h: the connection ended before the answer was there"},
		{untrusted(x509.UnknownAuthorityError{}), false, "connect", "h: its certificate is signed by nobody whom this machine trusts"},
		{untrusted(x509.HostnameError{Certificate: &x509.Certificate{}, Host: "a.test"}), false, "connect", "h: its certificate is for another name than a.test"},
		{untrusted(x509.CertificateInvalidError{Reason: x509.Expired}), false, "connect", "h: its certificate has expired, or does not hold yet"},
		{untrusted(x509.UnhandledCriticalExtension{}), false, "connect", "h: its certificate cannot be trusted: unhandled critical extension"},
		{&url.Error{Op: "Get", URL: "https://h", Err: tls.RecordHeaderError{Msg: "first record"}}, false, "connect", "h: it does not answer with TLS: is http:// meant?"},
		{errors.New("http2: stream closed"), true, "lost", "h: http2: stream closed"},
	} {
		t.Run(tt.code, func(t *testing.T) {
			e := NetworkError("h", tt.err, tt.sent)
			if e.Kind != KindNetwork || e.Code != tt.code || e.Message != tt.message || e.Unsent == tt.sent || !errors.Is(e, tt.err) {
				t.Errorf("%v: %+v", tt.err, e)
			}
		})
	}
}
