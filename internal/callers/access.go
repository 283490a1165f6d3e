package callers

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
)

// byAccessToken returns the caller that an issuer's token names.
func (p *Policy) byAccessToken(r *http.Request, at *oauth.TokenIssuer) (*Caller, error) {
	token, err := bearerToken(r)
	if err != nil {
		return nil, err
	}
	claims, err := p.opts.Client.VerifyAccessToken(r.Context(), *at, token)
	fault, _ := errors.AsType[*executor.Error](err)
	switch {
	case fault != nil && fault.Code == "token":
		return nil, invalidToken(fault.Message)
	case err != nil:
		return nil, &Refusal{Status: http.StatusServiceUnavailable, Why: "who calls cannot be known at the moment: " + err.Error()}
	}
	c := &Caller{Name: nameOf(claims), Scopes: scopesOf(claims), Issuer: at.Issuer, Claims: claims}
	if seconds, ok := claims["exp"].(json.Number); ok {
		if exp, err := seconds.Float64(); err == nil {
			c.Expires = time.Unix(int64(exp), 0)
		}
	}
	return c, nil
}

// The beginnings of names that say whom a token names.
const (
	clientPrefix  = "client "
	subjectPrefix = "subject " // only where the name of a person would begin with one of these
)

// nameOf returns the name of the person, or else of the client, to whom a token was given. The name
// of a client never is that of a person.
func nameOf(claims map[string]any) string {
	sub, _ := claims["sub"].(string)
	switch {
	case strings.HasPrefix(sub, clientPrefix), strings.HasPrefix(sub, subjectPrefix):
		return subjectPrefix + sub
	case sub != "":
		return sub
	}
	client, _ := claims["client_id"].(string)
	return clientPrefix + client
}

// scopesOf returns the scopes of a token: a text with spaces, or a list.
func scopesOf(claims map[string]any) []string {
	var scopes []string
	for _, name := range []string{"scope", "scp"} {
		switch value := claims[name].(type) {
		case string:
			scopes = append(scopes, strings.Fields(value)...)
		case []any:
			for _, one := range value {
				if text, ok := one.(string); ok {
					scopes = append(scopes, text)
				}
			}
		}
	}
	return slices.Sorted(slices.Values(scopes))
}
