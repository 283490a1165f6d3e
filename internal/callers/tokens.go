package callers

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/internal/operator"
)

// fixedToken is a caller's token, of which only the hash is kept.
type fixedToken struct {
	hash   [sha256.Size]byte
	name   string
	scopes []string
	stored bool // in the keychain
	short  bool // shorter than shortestToken
}

// shortestToken is the length below which a token can be guessed, in bytes.
const shortestToken = 16

// ShortTokens returns the names of the callers whose fixed tokens can be guessed.
func (p *Policy) ShortTokens() (names []string) {
	for _, t := range p.rules.Load().tokens {
		if t.short {
			names = append(names, t.name)
		}
	}
	return names
}

// hashPrefix begins a token of a file that is written as its hash.
const hashPrefix = "sha256:"

// readTokens returns the tokens of a file and of the keychain.
func readTokens(ctx context.Context, c *operator.Config, keychain secrets.Provider) ([]fixedToken, error) {
	all := []fixedToken{} // not nil: nobody may call
	t := c.Auth.Tokens
	if t.File != "" {
		raw, err := os.ReadFile(t.File)
		if err != nil {
			return nil, c.Errorf("auth.tokens.file", "%w", err)
		}
		if all, err = parseTokens(t.File, string(raw)); err != nil {
			return nil, err
		}
	}
	for _, name := range t.Keychain {
		one, ok, err := storedToken(ctx, keychain, name)
		switch {
		case err != nil:
			return nil, c.Errorf("auth.tokens.keychain", "%w", err)
		case !ok:
			return nil, c.Errorf("auth.tokens.keychain", "the keychain has no %s: set it by `abl-lsp secrets set %[1]s` in the folder of this file", name)
		}
		all = append(all, one)
	}
	if err := findSame(all); err != nil {
		return nil, c.Errorf("auth.tokens", "%w", err)
	}
	return all, nil
}

// storedToken returns the token of a caller in the keychain. ok is false if there is none.
func storedToken(ctx context.Context, keychain secrets.Provider, name string) (t fixedToken, ok bool, err error) {
	value, ok, err := keychain.Lookup(ctx, name)
	return fixedToken{hash: sha256.Sum256([]byte(value)), name: name, stored: true, short: len(value) < shortestToken}, ok && value != "", err
}

// findSame returns an error if two callers have the same token.
func findSame(all []fixedToken) error {
	for i, one := range all {
		if j := slices.IndexFunc(all[:i], func(t fixedToken) bool { return t.hash == one.hash }); j >= 0 {
			return fmt.Errorf("%s and %s have the same token", all[j].name, one.name)
		}
	}
	return nil
}

// RefreshKeychain looks the tokens of the keychain up again. A caller whose token is missing is unknown
// until it is there again; missing has the names of those. After an error nothing has changed. It must
// not run at the same time as Update.
func (p *Policy) RefreshKeychain(ctx context.Context, keychain secrets.Provider) (missing []string, err error) {
	next := *p.rules.Load()
	next.tokens = slices.DeleteFunc(slices.Clone(next.tokens), func(t fixedToken) bool { return t.stored })
	for _, name := range next.keychain {
		one, ok, err := storedToken(ctx, keychain, name)
		switch {
		case err != nil:
			return nil, err
		case !ok:
			missing = append(missing, name)
			continue
		}
		next.tokens = append(next.tokens, one)
	}
	if err := findSame(next.tokens); err != nil {
		return nil, err
	}
	p.rules.Store(&next)
	return missing, nil
}

// parseTokens reads lines `NAME TOKEN [SCOPE…]`. A line may be empty, or a comment that begins with #.
func parseTokens(path, text string) ([]fixedToken, error) {
	all := []fixedToken{}
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if len(words) == 1 {
			return nil, fmt.Errorf("%s:%d: a line is NAME TOKEN, and this one has one word", path, i+1)
		}
		t := fixedToken{hash: sha256.Sum256([]byte(words[1])), name: words[0], scopes: slices.Sorted(slices.Values(words[2:])), short: len(words[1]) < shortestToken}
		if written, isHash := strings.CutPrefix(words[1], hashPrefix); isHash {
			if n, err := hex.Decode(t.hash[:], []byte(written[:min(len(written), 2*sha256.Size)])); err != nil || n != sha256.Size || len(written) != 2*sha256.Size {
				return nil, fmt.Errorf("%s:%d: after %s there must be 64 hexadecimal digits", path, i+1, hashPrefix)
			}
		}
		all = append(all, t)
	}
	return all, nil
}

// byFixedToken returns the caller whose token a request has. It takes the same time for each token.
func (r *rules) byFixedToken(req *http.Request) (*Caller, error) {
	token, err := bearerToken(req)
	if err != nil {
		return nil, err
	}
	hash, found := sha256.Sum256([]byte(token)), -1
	for i := range r.tokens {
		found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(hash[:], r.tokens[i].hash[:]), i, found)
	}
	if found < 0 {
		return nil, invalidToken("the token is not one of this server's callers")
	}
	return &Caller{Name: r.tokens[found].name, Scopes: r.tokens[found].scopes}, nil
}
