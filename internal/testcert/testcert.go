// Package testcert makes the certificates of servers that tests start.
package testcert

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// The files that [Write] creates. Only the tests know the authority that signed the server's
// certificate.
const (
	CAFile   = "ca.pem"
	CertFile = "server.pem"
	KeyFile  = "server.key"
)

// Name is the host name in the server's certificate. The certificate also has 127.0.0.1.
const Name = "db.example.com"

// Write creates the certificate of an authority, and the certificate that it signed for a
// server with the server's key, in a folder.
func Write(dir string) error {
	now := time.Now()
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "an authority for tests"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: Name},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames: []string{Name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	serverKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	ca, err1 := x509.CreateCertificate(rand.Reader, authority, authority, authorityKey.Public(), authorityKey)
	cert, err2 := x509.CreateCertificate(rand.Reader, server, authority, serverKey.Public(), authorityKey)
	key, err3 := x509.MarshalECPrivateKey(serverKey)
	return errors.Join(err1, err2, err3,
		writePEM(filepath.Join(dir, CAFile), "CERTIFICATE", ca),
		writePEM(filepath.Join(dir, CertFile), "CERTIFICATE", cert),
		writePEM(filepath.Join(dir, KeyFile), "EC PRIVATE KEY", key),
	)
}

func writePEM(file, kind string, der []byte) error {
	return os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}
