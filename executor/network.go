package executor

import (
	"errors"
	"io"
	"net"
	"os"
)

// NetworkError is the error for a host that gave no answer. Sent says that it may
// have had the request.
func NetworkError(host string, err error, sent bool) *Error {
	code := "connect"
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		code = "dns"
	} else if sent {
		code = "lost"
	}
	e := Errorf(KindNetwork, code, "%s: %s", host, noAnswer(err))
	e.Err, e.Unsent = err, !sent
	return e
}

// noAnswer is what a person needs to know of it: not which address was dialled by
// which call, nor who was asked for the name.
func noAnswer(err error) string {
	if d, ok := errors.AsType[*net.DNSError](err); ok {
		return d.Err
	}
	if o, ok := errors.AsType[*net.OpError](err); ok {
		err = o.Err
	}
	if s, ok := errors.AsType[*os.SyscallError](err); ok {
		err = s.Err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "the connection ended before the answer was there"
	}
	return err.Error()
}
