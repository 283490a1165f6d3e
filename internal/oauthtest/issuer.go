package oauthtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Issuer is a small OpenID provider that signs any token, for tests of tokens that a real
// one would not issue.
type Issuer struct {
	URL string

	mu            sync.Mutex
	key           *ecdsa.PrivateKey
	kid           int
	requestCounts map[string]int
}

// NewIssuer starts an issuer that ends with the test.
func NewIssuer(t testing.TB) *Issuer {
	t.Helper()
	i := &Issuer{requestCounts: map[string]int{}}
	i.RotateKey(t)
	server := httptest.NewServer(i)
	t.Cleanup(server.Close)
	i.URL = server.URL
	return i
}

// Host returns the issuer's host with its port.
func (i *Issuer) Host() string { return strings.TrimPrefix(i.URL, "http://") }

// ServeHTTP serves the issuer's metadata and its keys.
func (i *Issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.requestCounts[r.URL.Path]++
	document := map[string]any{
		"issuer": i.URL, "jwks_uri": i.URL + "/keys", "authorization_endpoint": i.URL + "/auth", "token_endpoint": i.URL + "/token",
		"id_token_signing_alg_values_supported": []string{"ES256", "RS256", "HS256", "none"},
	}
	if r.URL.Path == "/keys" {
		document = map[string]any{"keys": []any{i.publicJWK()}}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(document) // the client hears of it
}

// publicJWK returns the key as a JSON Web Key.
func (i *Issuer) publicJWK() map[string]any {
	point, err := i.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		return nil
	}
	return map[string]any{
		"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": i.name(), "x": encodeBase64(point[1:33]), "y": encodeBase64(point[33:]),
	}
}

func (i *Issuer) name() string { return fmt.Sprintf("key-%d", i.kid) }

// PublicKey returns the public key.
func (i *Issuer) PublicKey() []byte {
	raw, _ := json.Marshal(i.publicJWK()) // of texts
	return raw
}

// RequestCount returns the number of requests for a path.
func (i *Issuer) RequestCount(path string) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.requestCounts[path]
}

// RotateKey replaces the key by a new one.
func (i *Issuer) RotateKey(t testing.TB) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.key, i.kid = key, i.kid+1
}

// NewToken returns a signed token for an audience that is valid for an hour. The claims
// override those that every token has; nil removes one.
func (i *Issuer) NewToken(audience string, claims map[string]any) string {
	all := map[string]any{"iss": i.URL, "aud": audience, "sub": "alice", "iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix()}
	maps.Copy(all, claims)
	maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
	i.mu.Lock()
	defer i.mu.Unlock()
	return Sign(map[string]any{"alg": "ES256", "kid": i.name()}, all, i.sign)
}

// sign returns the ES256 signature of a text.
func (i *Issuer) sign(text []byte) []byte {
	sum := sha256.Sum256(text)
	r, s, err := ecdsa.Sign(rand.Reader, i.key, sum[:])
	if err != nil {
		return nil
	}
	return append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
}

// Sign returns a token with the signature that sign returns for its text.
func Sign(header, claims map[string]any, sign func(text []byte) []byte) string {
	head, _ := json.Marshal(header) // of texts and numbers
	body, _ := json.Marshal(claims)
	text := encodeBase64(head) + "." + encodeBase64(body)
	return text + "." + encodeBase64(sign([]byte(text)))
}

func encodeBase64(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }
