package redis

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
)

// The parameters of a source for TLS; all but the first name files.
const (
	paramTLS  = "tls"
	paramCA   = "ssl_ca"
	paramCert = "ssl_cert"
	paramKey  = "ssl_key"
)

var tlsParameters = []string{paramTLS, paramCA, paramCert, paramKey}

// connection is the connection of one run.
type connection struct {
	client *goredis.Client
	net    net.Conn
	stop   func() bool
}

// connect connects to the server. When ctx ends, the connection is closed.
func (s *source) connect(ctx context.Context, d *dial.Dialer) (*connection, error) {
	config, err := s.tlsConfig()
	if err != nil {
		return nil, err
	}
	raw, err := d.Dial(ctx, s.guard, "tcp", s.address())
	if err != nil {
		return nil, s.serverError(err, false)
	}
	stop := context.AfterFunc(ctx, func() { _ = raw.Close() })
	conn := raw
	if config != nil {
		encrypted := tls.Client(raw, config)
		if err := encrypted.HandshakeContext(ctx); err != nil {
			stop()
			_ = raw.Close()
			return nil, s.tlsError(err)
		}
		conn = encrypted
	}
	database, _ := strconv.Atoi(s.database) // it was checked
	var taken atomic.Bool
	client := goredis.NewClient(&goredis.Options{
		Addr: s.address(), Username: s.user, Password: s.password, DB: database,
		Dialer: func(context.Context, string, string) (net.Conn, error) {
			if taken.Swap(true) {
				return nil, io.ErrUnexpectedEOF // a run has one connection
			}
			return newBoundedConn(conn, s.bytes), nil
		},
		MaxRetries: -1, DialerRetries: 1, PoolSize: 1, PipelinePoolSize: -1,
		ReadTimeout: -1, WriteTimeout: -1, DisableIdentity: true, // ctx closes the connection; a deadline would pass before ctx says so
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
	return &connection{client: client, net: raw, stop: stop}, nil
}

// do sends a command and returns its answer; nil for the answer that something does not exist.
func (c *connection) do(ctx context.Context, words []string) (any, error) {
	args := make([]any, len(words))
	for i, word := range words {
		args[i] = word
	}
	reply, err := c.client.Do(ctx, args...).Result()
	if errors.Is(err, goredis.Nil) {
		return nil, nil
	}
	return reply, err
}

func (c *connection) close() {
	c.stop()
	_ = c.client.Close()
	_ = c.net.Close() // the client may not have taken it
}

// isLocal reports whether a server is on this machine, so that no one else can intercept the
// connection.
func (s *source) isLocal() bool {
	ip := net.ParseIP(s.host)
	return strings.EqualFold(s.host, "localhost") || ip != nil && ip.IsLoopback()
}

// tlsConfig returns the configuration of TLS; nil if the connection is not encrypted. By default, a
// server on another machine must prove its name, and one on this machine is not encrypted.
func (s *source) tlsConfig() (*tls.Config, error) {
	files := s.params[paramCA] + s.params[paramCert] + s.params[paramKey]
	usual := "true"
	if s.isLocal() && files == "" {
		usual = "false"
	}
	mode := cmp.Or(s.params[paramTLS], usual)
	c := &tls.Config{ServerName: s.host, InsecureSkipVerify: mode == "skip-verify", MinVersion: tls.VersionTLS12}
	switch {
	case mode != "true" && mode != "false" && mode != "skip-verify":
		return nil, executor.DefinitionError("source", "%s: %q is none of true, false, skip-verify", s.placeOf("query_params."+paramTLS), mode)
	case mode == "false" && files != "":
		return nil, executor.DefinitionError("source", "%s is false; %s, %s and %s go with tls: true", s.placeOf("query_params."+paramTLS), paramCA, paramCert, paramKey)
	case mode == "false":
		return nil, nil
	}
	if err := s.addAuthority(c); err != nil {
		return nil, err
	}
	return c, s.addCertificate(c)
}

// addAuthority reads the certificate authority that signs the server's certificate.
func (s *source) addAuthority(c *tls.Config) error {
	name := s.params[paramCA]
	if err := dial.TrustAuthority(c, s.resolvePath(name), name); err != nil {
		return executor.DefinitionError("source", "%s: %w", s.placeOf("query_params."+paramCA), err)
	}
	return nil
}

// addCertificate reads the client certificate that identifies this client to the server.
func (s *source) addCertificate(c *tls.Config) error {
	if err := dial.AddCertificate(c, s.resolvePath(s.params[paramCert]), s.resolvePath(s.params[paramKey])); err != nil {
		return executor.DefinitionError("source", "%s: %w", s.placeOf("query_params."+paramCert), err)
	}
	return nil
}

func (s *source) resolvePath(name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.folder, filepath.FromSlash(name))
}

// serverError returns the error for a server that did not answer as it should. sent says that the
// server may have received a command.
func (s *source) serverError(err error, sent bool) error {
	if known := executor.FindClassified(err); known != nil {
		return known
	}
	if errors.Is(err, errAnswerTooLarge) {
		return tooLargeError(s.bytes)
	}
	return executor.NetworkError(s.address(), err, sent)
}

func (s *source) tlsError(err error) error {
	e := executor.NetworkError(s.address(), err, false)
	e.Code = "tls"
	return e.WithHint("In query_params of the source, ssl_ca names the file of who signs for it; tls: skip-verify encrypts without looking who it is, tls: false does not encrypt.")
}
