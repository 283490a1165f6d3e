package dial

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

// TrustAuthority makes c accept only servers for which an authority in a PEM file signs. It does
// nothing if file is "". Errors of the content call the file by shown.
func TrustAuthority(c *tls.Config, file, shown string) error {
	if file == "" {
		return nil
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	c.RootCAs = x509.NewCertPool()
	if !c.RootCAs.AppendCertsFromPEM(pem) {
		return fmt.Errorf("there is no certificate in %s", shown)
	}
	return nil
}

// AddCertificate adds the certificate that identifies this client to a server. It does nothing if both
// files are "".
func AddCertificate(c *tls.Config, cert, key string) error {
	if cert == "" && key == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return err
	}
	c.Certificates = []tls.Certificate{pair}
	return nil
}
