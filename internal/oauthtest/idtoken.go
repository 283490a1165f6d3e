package oauthtest

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
)

// IDToken signs in at a server with the name who, and returns the identity token that the
// server then gives to client, which must be a client without a secret. It fails if the
// server refuses.
func IDToken(server, client, who string) (string, error) {
	codes := make(chan string, 1)
	back := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case codes <- r.URL.Query().Get("code"):
		default:
		}
	}))
	defer back.Close()
	verifier := rand.Text() + rand.Text() // a server wants 43 characters at least
	challenge := sha256.Sum256([]byte(verifier))
	form := url.Values{
		"client_id": {client}, "redirect_uri": {back.URL + "/callback"}, "response_type": {"code"}, "scope": {"openid"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(challenge[:])}, "code_challenge_method": {"S256"},
	}
	if _, err := (&Person{Name: who}).SignIn(server + "/auth?" + form.Encode()); err != nil {
		return "", err
	}
	select {
	case code := <-codes:
		form = url.Values{
			"grant_type": {"authorization_code"}, "client_id": {client}, "code": {code}, "code_verifier": {verifier},
			"redirect_uri": {back.URL + "/callback"},
		}
	default:
		return "", fmt.Errorf("%s let nobody in", server)
	}
	resp, err := http.Post(server+"/token", "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var given struct {
		IDToken string `json:"id_token"`
		Error   string `json:"error_description"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&given); err != nil {
		return "", err
	}
	if given.IDToken == "" {
		return "", fmt.Errorf("no identity token: %s", given.Error)
	}
	return given.IDToken, nil
}
