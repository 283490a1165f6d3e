package oauth

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
)

// algorithms are the accepted signature algorithms. In all of them only the issuer has the key
// that signs.
var algorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA,
}

// Limits of the key cache: the age at which keys are read again, and the shortest time between two
// reads when no known key matches a token.
const (
	keysMaxAge     = time.Hour
	keysMinRefetch = 10 * time.Second
)

// issuer holds the published keys of an issuer.
type issuer struct {
	keysURL    string
	algorithms []string // with which it signs
	keys       []byte   // its JSON Web Key Set
	read       time.Time
}

// issuerKey is the cache key of an issuer. The transport is part of it, since not every call may
// reach every host.
type issuerKey struct {
	issuer    string
	name      string // [keySet.cacheName]
	transport http.RoundTripper
}

// keySet verifies the signature of one token by the keys of an issuer.
type keySet struct {
	client *Client
	call   executor.Call
	issuer string
	at     issuer // once it is known
	fault  error  // why the keys could not be read

	cacheName string // what the keys are for; "": identity tokens
}

func (k *keySet) key() issuerKey {
	return issuerKey{k.issuer, k.cacheName, k.client.dialer.Transport(k.call.Guard)}
}

// cachedIssuer returns the cached keys of the issuer. It is false if there are none or they are
// too old.
func (k *keySet) cachedIssuer() (issuer, bool) {
	k.client.mu.Lock()
	defer k.client.mu.Unlock()
	at, ok := k.client.issuers[k.key()]
	return at, ok && k.client.now().Sub(at.read) < keysMaxAge
}

func (k *keySet) cacheIssuer(at issuer) {
	k.client.mu.Lock()
	defer k.client.mu.Unlock()
	if len(k.client.issuers) >= maxEntries {
		clear(k.client.issuers)
	}
	k.client.issuers[k.key()] = at
}

// discover asks the issuer for the URL of its keys, unless that is cached.
func (k *keySet) discover(ctx context.Context) error {
	if at, ok := k.cachedIssuer(); ok {
		k.at = at
		return nil
	}
	provider, err := oidc.NewProvider(k.client.withGuardedClient(ctx, k.call), k.issuer)
	if e := transportError(k.issuer, err); e != nil {
		return e
	}
	var document struct {
		KeysURL    string   `json:"jwks_uri"`
		Algorithms []string `json:"id_token_signing_alg_values_supported"`
	}
	if err == nil {
		err = provider.Claims(&document)
	}
	if err != nil || document.KeysURL == "" {
		e := executor.Errorf(executor.KindRemote, "discovery", "%s does not say by which keys it signs: what it has at .well-known/openid-configuration is not what OpenID Connect Discovery wants", hostOf(k.issuer))
		return e.WithHint("See that issuer is right, letter for letter.")
	}
	k.at = issuer{keysURL: document.KeysURL}
	for _, a := range document.Algorithms {
		if slices.Contains(algorithms, a) {
			k.at.algorithms = append(k.at.algorithms, a)
		}
	}
	if k.at.algorithms == nil {
		k.at.algorithms = []string{oidc.RS256} // the default of OpenID Connect
	}
	return k.checkSafe(document.KeysURL)
}

// checkSafe returns an error if the keys' URL is less secure than the issuer's.
func (k *keySet) checkSafe(keysURL string) error {
	u, err := dial.ParseURL(keysURL)
	if err != nil {
		return executor.Errorf(executor.KindRemote, "discovery", "%s says that its keys are at an address that is none: %w", hostOf(k.issuer), err)
	}
	if from, err := dial.ParseURL(k.issuer); err == nil && u.Scheme != from.Scheme && u.Scheme != "https" {
		return executor.Errorf(executor.KindDenied, "keys", "%s says that its keys are at %s, where anybody could change them on their way", hostOf(k.issuer), u.Host)
	}
	return nil
}

// VerifySignature implements [oidc.KeySet]. If none of the cached keys matches, it reads the keys
// again, since the issuer may have new ones.
func (k *keySet) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	if k.at.keys != nil {
		payload, err := k.at.verify(ctx, token)
		if err == nil || k.client.now().Sub(k.at.read) < keysMinRefetch {
			return payload, err
		}
	}
	if k.fault = k.fetch(ctx); k.fault != nil {
		return nil, k.fault
	}
	return k.at.verify(ctx, token)
}

// fetch reads the keys and caches them.
func (k *keySet) fetch(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, k.at.keysURL, nil)
	if err != nil {
		return err
	}
	resp, err := k.client.guardedClient(k.call).Do(req)
	if e := transportError(k.at.keysURL, err); e != nil {
		return e
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return executor.Errorf(executor.KindRemote, "keys", "%s does not give the keys of %s: %s", hostOf(k.at.keysURL), hostOf(k.issuer), resp.Status)
	}
	if k.at.keys, err = io.ReadAll(resp.Body); err != nil {
		return err
	}
	k.at.read = k.client.now()
	k.cacheIssuer(k.at)
	return nil
}

// verify returns the payload of a token that one of the keys has signed.
func (at issuer) verify(ctx context.Context, token string) ([]byte, error) {
	read := &http.Client{Transport: cachedBody(at.keys)}
	return oidc.NewRemoteKeySet(oidc.ClientContext(ctx, read), at.keysURL).VerifySignature(ctx, token)
}

// cachedBody is a transport that answers every request with the same bytes.
type cachedBody []byte

func (b cachedBody) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader(b)),
	}, nil
}
