package callers

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"
	"sync/atomic"

	"github.com/abl-lsp/abl-lsp/internal/operator"
)

// Certificate is the certificate of a server, as its files were last read. It is safe for concurrent
// use.
type Certificate struct {
	config atomic.Pointer[tls.Config]
}

// Update reads the files that an operator's file names. If it returns an error, the certificate stays
// as it was. The files of the next handshakes are the new ones.
func (c *Certificate) Update(o *operator.Config) error {
	pair, err := tls.LoadX509KeyPair(o.TLS.Cert, o.TLS.Key)
	if err != nil {
		return o.Errorf("tls.cert", "%w", err)
	}
	next := &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}, NextProtos: []string{"h2", "http/1.1"}}
	if o.TLS.ClientCA != "" {
		raw, err := os.ReadFile(o.TLS.ClientCA)
		if err != nil {
			return o.Errorf("tls.client_ca", "%w", err)
		}
		next.ClientCAs = x509.NewCertPool()
		if !next.ClientCAs.AppendCertsFromPEM(raw) {
			return o.Errorf("tls.client_ca", "%w", errors.New("the file has no certificate in PEM"))
		}
		next.ClientAuth = tls.VerifyClientCertIfGiven // who has none is told so, and may ask for the server's health
	}
	c.config.Store(next)
	return nil
}

// Config returns the configuration of a listener, which always has the files as they were last read.
func (c *Certificate) Config() *tls.Config {
	current := c.config.Load()
	return &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: current.NextProtos, GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
		return c.config.Load(), nil
	}}
}
