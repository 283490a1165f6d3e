package sql

import (
	"cmp"
	"crypto/tls"
	"errors"
	"net"
	"path/filepath"
	"strings"

	"github.com/go-sql-driver/mysql"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
)

// isLocal reports whether a server is on this machine, so that no one else can intercept the
// connection.
func (s *source) isLocal() bool {
	ip := net.ParseIP(s.host)
	return strings.EqualFold(s.host, "localhost") || ip != nil && ip.IsLoopback()
}

// sslMode returns PostgreSQL's sslmode. By default, or if the source names a certificate authority,
// the server must prove its name. A server on this machine may by default be unencrypted.
func (s *source) sslMode() string {
	usual := "verify-full"
	if s.isLocal() && s.params["sslrootcert"] == "" {
		usual = "prefer"
	}
	return cmp.Or(s.params["sslmode"], usual)
}

// The parameters of a source of MySQL that name files for TLS.
const (
	mysqlCA   = "ssl_ca"
	mysqlCert = "ssl_cert"
	mysqlKey  = "ssl_key"
)

// setTLS sets the TLS configuration for MySQL. The defaults are those of [source.sslMode].
func (s *source) setTLS(c *mysql.Config) error {
	files := s.params[mysqlCA] + s.params[mysqlCert] + s.params[mysqlKey]
	usual := "true"
	if s.isLocal() && files == "" {
		usual = "preferred"
	}
	c.TLSConfig = cmp.Or(s.params["tls"], usual)
	if files == "" {
		return nil
	}
	if c.TLSConfig != "true" && c.TLSConfig != "skip-verify" {
		return executor.DefinitionError("source", "%s is %s; %s goes with tls: true", s.placeOf("query_params.tls"), c.TLSConfig, strings.Join([]string{mysqlCA, mysqlCert, mysqlKey}, ", "))
	}
	c.TLS = &tls.Config{ServerName: s.host, InsecureSkipVerify: c.TLSConfig == "skip-verify", MinVersion: tls.VersionTLS12}
	if err := s.addAuthority(c.TLS); err != nil {
		return err
	}
	return s.addCertificate(c.TLS)
}

// addAuthority reads the certificate authority that signs the server's certificate.
func (s *source) addAuthority(c *tls.Config) error {
	name := s.params[mysqlCA]
	if err := dial.TrustAuthority(c, s.resolvePath(mysqlCA, name), name); err != nil {
		return executor.DefinitionError("source", "%s: %w", s.placeOf("query_params."+mysqlCA), err)
	}
	return nil
}

// addCertificate reads the client certificate that identifies this client to the server.
func (s *source) addCertificate(c *tls.Config) error {
	if err := dial.AddCertificate(c, s.resolvePath(mysqlCert, s.params[mysqlCert]), s.resolvePath(mysqlKey, s.params[mysqlKey])); err != nil {
		return executor.DefinitionError("source", "%s: %w", s.placeOf("query_params."+mysqlCert), err)
	}
	return nil
}

// resolvePath returns the path of a certificate or key file. A relative path starts at the source's
// folder. Values of other parameters are returned as they are.
func (s *source) resolvePath(parameter, v string) string {
	switch parameter {
	case "sslrootcert", "sslcert", "sslkey", mysqlCA, mysqlCert, mysqlKey:
		if v != "" && v != "system" && !filepath.IsAbs(v) {
			return filepath.Join(s.folder, v)
		}
	}
	return v
}

// refusedTLS is the message of the PostgreSQL driver for a server without TLS.
const refusedTLS = "server refused TLS connection"

// tlsError returns the error for a server that does not encrypt, or whose certificate is wrong. It
// is nil if err has another cause.
func (s *source) tlsError(err error) error {
	_, isOther := errors.AsType[*tls.CertificateVerificationError](err)
	if !isOther && !errors.Is(err, mysql.ErrNoTLS) && rootCause(err).Error() != refusedTLS {
		return nil
	}
	e := executor.NetworkError(s.address(), rootCause(err), false)
	e.Code = "tls"
	if s.kind == kindPostgres {
		return e.WithHint("In query_params of the source, sslrootcert names the file of who signs for it; sslmode: require encrypts without looking who it is, sslmode: disable does not encrypt.")
	}
	return e.WithHint("In query_params of the source, ssl_ca names the file of who signs for it; tls: skip-verify encrypts without looking who it is, tls: false does not encrypt.")
}
