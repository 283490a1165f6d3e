package callers

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"os"
	"slices"
	"sync/atomic"
	"time"

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
		trusted, err := readAuthorities(o)
		if err != nil {
			return err
		}
		next.ClientCAs = trusted.pool
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

// authorities are the certificates by which those of clients must be signed.
type authorities struct {
	pool *x509.CertPool
	all  []*x509.Certificate
}

// readAuthorities reads the file of authorities that an operator's file names.
func readAuthorities(o *operator.Config) (*authorities, error) {
	raw, err := os.ReadFile(o.TLS.ClientCA)
	if err != nil {
		return nil, o.Errorf("tls.client_ca", "%w", err)
	}
	trusted := &authorities{pool: x509.NewCertPool()}
	for block, rest := pem.Decode(raw); block != nil; block, rest = pem.Decode(rest) {
		if cert, err := x509.ParseCertificate(block.Bytes); err == nil && block.Type == "CERTIFICATE" {
			trusted.pool.AddCert(cert)
			trusted.all = append(trusted.all, cert)
		}
	}
	if trusted.all == nil {
		return nil, o.Errorf("tls.client_ca", "%w", errors.New("the file has no certificate in PEM"))
	}
	return trusted, nil
}

// chainOf returns the chain from a client's certificate to an authority; nil if there is none. The
// handshake has verified the chains of state, perhaps with authorities that are none any more.
func (a *authorities) chainOf(state *tls.ConnectionState, now time.Time) []*x509.Certificate {
	for _, chain := range state.VerifiedChains {
		if slices.ContainsFunc(a.all, chain[len(chain)-1].Equal) {
			return chain
		}
	}
	others := x509.NewCertPool()
	for _, cert := range state.PeerCertificates[1:] {
		others.AddCert(cert)
	}
	chains, err := state.PeerCertificates[0].Verify(x509.VerifyOptions{
		Roots: a.pool, Intermediates: others, CurrentTime: now, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
	if err != nil {
		return nil
	}
	return chains[0]
}
