package sql

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-sql-driver/mysql"

	"github.com/abl-lsp/abl-lsp/executor"
)

// isLocal reports whether a server is on this machine, where nobody stands between.
func (s *source) isLocal() bool {
	ip := net.ParseIP(s.host)
	return strings.EqualFold(s.host, "localhost") || ip != nil && ip.IsLoopback()
}

// sslMode is how a server of PostgreSQL is reached. Who says nothing, or gives an
// authority, means the server of that name and no other; on this machine it may also be
// one that does not encrypt.
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

// encrypt says how a server of MySQL is reached, likewise.
func (s *source) encrypt(c *mysql.Config) error {
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
		return executor.DefinitionError("source", "%s is %s; %s goes with tls: true", s.at("query_params.tls"), c.TLSConfig, strings.Join([]string{mysqlCA, mysqlCert, mysqlKey}, ", "))
	}
	c.TLS = &tls.Config{ServerName: s.host, InsecureSkipVerify: c.TLSConfig == "skip-verify", MinVersion: tls.VersionTLS12}
	if err := s.authority(c.TLS); err != nil {
		return err
	}
	return s.certificate(c.TLS)
}

// authority reads who signs for a server.
func (s *source) authority(c *tls.Config) error {
	name := s.params[mysqlCA]
	if name == "" {
		return nil
	}
	pem, err := os.ReadFile(s.file(mysqlCA, name))
	if err != nil {
		return executor.DefinitionError("source", "%s: %w", s.at("query_params."+mysqlCA), err)
	}
	c.RootCAs = x509.NewCertPool()
	if !c.RootCAs.AppendCertsFromPEM(pem) {
		return executor.DefinitionError("source", "%s: there is no certificate in %s", s.at("query_params."+mysqlCA), name)
	}
	return nil
}

// certificate reads what says to a server who asks.
func (s *source) certificate(c *tls.Config) error {
	cert, key := s.params[mysqlCert], s.params[mysqlKey]
	if cert == "" && key == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(s.file(mysqlCert, cert), s.file(mysqlKey, key))
	if err != nil {
		return executor.DefinitionError("source", "%s: %w", s.at("query_params."+mysqlCert), err)
	}
	c.Certificates = []tls.Certificate{pair}
	return nil
}

// file is the path of a certificate or a key, relative to the project.
func (s *source) file(parameter, v string) string {
	switch parameter {
	case "sslrootcert", "sslcert", "sslkey", mysqlCA, mysqlCert, mysqlKey:
		if v != "" && v != "system" && !filepath.IsAbs(v) {
			return filepath.Join(s.folder, v)
		}
	}
	return v
}

// refusedTLS is what the driver of PostgreSQL says of a server without TLS.
const refusedTLS = "server refused TLS connection"

// insecure is the error of a server that does not encrypt, or is another one; nil where
// that is not why it was not reached.
func (s *source) insecure(err error) error {
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
