package executor

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
)

// NetworkError returns the error for a host that did not answer. sent says that the
// host may have received the request.
func NetworkError(host string, err error, sent bool) *Error {
	code := "connect"
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		code = "dns"
	} else if sent {
		code = "lost"
	}
	e := Errorf(KindNetwork, code, "%s: %s", host, describeNoAnswer(err))
	e.Err, e.Unsent = err, !sent
	return e
}

// connectionEnds are the errors by which a read or write reports that the other side ended the
// connection.
var connectionEnds = append([]error{io.EOF, io.ErrUnexpectedEOF}, systemConnectionEnds...)

// describeNoAnswer says why a host did not answer. It leaves out the address that was dialled
// and the name server that was asked.
func describeNoAnswer(err error) string {
	if d, ok := errors.AsType[*net.DNSError](err); ok {
		return d.Err
	}
	if why := describeTLSFailure(err); why != "" {
		return why
	}
	if o, ok := errors.AsType[*net.OpError](err); ok {
		err = o.Err
	}
	if s, ok := errors.AsType[*os.SyscallError](err); ok {
		err = s.Err
	}
	if slices.ContainsFunc(connectionEnds, func(end error) bool { return errors.Is(err, end) }) {
		return "the connection ended before the answer was there"
	}
	return err.Error()
}

// describeTLSFailure says why a TLS connection is not trusted. It is "" if err has another
// cause.
func describeTLSFailure(err error) string {
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return "it does not answer with TLS: is http:// meant?"
	}
	untrusted, ok := errors.AsType[*tls.CertificateVerificationError](err)
	if !ok {
		return ""
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return "its certificate is signed by nobody whom this machine trusts"
	}
	if e, ok := errors.AsType[x509.HostnameError](err); ok {
		return "its certificate is for another name than " + e.Host
	}
	if e, ok := errors.AsType[x509.CertificateInvalidError](err); ok && e.Reason == x509.Expired {
		return "its certificate has expired, or does not hold yet"
	}
	return "its certificate cannot be trusted: " + strings.TrimPrefix(untrusted.Err.Error(), "x509: ")
}
