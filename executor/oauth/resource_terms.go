package oauth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net/url"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"golang.org/x/oauth2"
)

// offlineAccess is the scope of a refresh token.
const offlineAccess = "offline_access"

// resourceTerms are the terms under which the tokens of one protected resource are obtained.
type resourceTerms struct {
	uri        string // the resource, as it calls itself
	issuer     string // of its tokens
	namesIt    bool   // the issuer sends its name with each code (RFC 9207)
	style      oauth2.AuthStyle
	key        crypto.Signer // with which the client proves who it is; nil: it has a secret, or neither
	registered string        // the key of the registration that made the client; "": it did not register itself
}

// foreignIssuer reports whether the answer of a sign-in comes from another issuer than the one with
// which it began, or does not say what it should. The names are compared as texts (RFC 9207).
func (t *resourceTerms) foreignIssuer(q url.Values) bool {
	switch {
	case t == nil:
		return false
	case q.Has("iss"):
		return q.Get("iss") != t.issuer
	}
	return t.namesIt
}

// portIsFree reports whether the sign-in may return at another port than the registered one, which
// servers must allow for this machine (RFC 8252).
func (t *resourceTerms) portIsFree() bool { return t != nil && t.registered != "" }

// assertionLife is how long a client's assertion is valid.
const assertionLife = time.Minute

// addAssertion adds to v the assertion by which a client with a key proves who it is (RFC 7523).
func (t *resourceTerms) addAssertion(v url.Values, clientID string) error {
	if t.key == nil {
		return nil
	}
	algorithm, err := algorithmOf(t.key)
	if err != nil {
		return err
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: t.key}, new(jose.SignerOptions).WithType("JWT"))
	if err != nil {
		return err
	}
	now := time.Now()
	text, err := jwt.Signed(signer).Claims(jwt.Claims{
		Issuer: clientID, Subject: clientID, Audience: jwt.Audience{t.issuer}, ID: rand.Text(),
		IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(assertionLife)),
	}).Serialize()
	v.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
	v.Set("client_assertion", text)
	return err
}

// parseKey reads a private key in PEM.
func parseKey(text string) (crypto.Signer, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("it is not in PEM")
	}
	var key any
	var err error
	switch block.Type {
	case "EC PRIVATE KEY":
		key, err = x509.ParseECPrivateKey(block.Bytes)
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	default:
		key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	}
	if err != nil {
		return nil, errors.New("it is no private key")
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, errors.New("nothing can be signed with it")
	}
	_, err = algorithmOf(signer)
	return signer, err
}

// algorithmOf returns the algorithm of a key's signatures.
func algorithmOf(key crypto.Signer) (jose.SignatureAlgorithm, error) {
	switch k := key.(type) {
	case *rsa.PrivateKey:
		return jose.RS256, nil
	case ed25519.PrivateKey:
		return jose.EdDSA, nil
	case *ecdsa.PrivateKey:
		switch k.Curve.Params().BitSize {
		case 256:
			return jose.ES256, nil
		case 384:
			return jose.ES384, nil
		case 521:
			return jose.ES512, nil
		}
	}
	return "", errors.New("its kind is none of RSA, P-256, P-384, P-521, Ed25519")
}
