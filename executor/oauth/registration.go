package oauth

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/secrets"
)

// The ways in which a client proves who it is.
const (
	byNothing = "none"
	byBasic   = "client_secret_basic"
	byPost    = "client_secret_post"
)

// registration is a client that registered itself with an issuer (RFC 7591). It is valid for that
// issuer only.
type registration struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret,omitempty"`
	Method       string `json:"token_endpoint_auth_method,omitempty"`
	Expires      int64  `json:"client_secret_expires_at,omitempty"` // seconds since 1970; 0: never
	Redirect     string `json:"redirect_url,omitempty"`
}

// clientIdentity is who asks for tokens.
type clientIdentity struct {
	id, secret propertyText
	method     string // "": not known
	redirect   propertyText
	registered string // see resourceTerms
}

// identifyClient returns who asks an issuer for tokens: the client of the project's file, or one that
// registers itself. An id that is an address is for issuers that read what is there.
func (c *Client) identifyClient(ctx context.Context, call executor.Call, r *Resource, m *issuerMetadata) (clientIdentity, error) {
	o, of := r.Settings, "servers."+r.Name+".oauth."
	who := clientIdentity{
		id: propertyText{o.ClientID, of + "client_id"}, secret: propertyText{o.ClientSecret, of + "client_secret"},
		redirect: propertyText{o.RedirectURL, of + "redirect_url"},
	}
	document := isDocumentAddress(o.ClientID)
	switch {
	case document && m.ReadsClientDocuments:
		who.method = byNothing
		return who, nil
	case o.ClientID != "" && !document:
		who.method = methodFor(m, o.ClientSecret != "")
		return who, nil
	case m.RegistrationURL == "":
		return who, definitionError("%s wants a sign-in at %s, which does not register clients by itself", r.URL.Host, hostOf(m.Issuer)).
			WithHint("Register a client there, and write its id as oauth: {client_id: …} of servers.%s in abl.yaml.", r.Name)
	}
	key, made, err := c.register(ctx, call, r, m)
	if err != nil {
		return who, err
	}
	call.Track("client secret", made.ClientSecret)
	return clientIdentity{
		id: propertyText{made.ClientID, "client_id"}, secret: propertyText{made.ClientSecret, "client_secret"},
		method: made.Method, redirect: propertyText{made.Redirect, of + "redirect_url"}, registered: key,
	}, nil
}

// isDocumentAddress reports whether a client's id is the address of a document that describes the
// client.
func isDocumentAddress(id string) bool {
	u, err := url.Parse(id)
	return err == nil && u.Scheme == "https" && u.Host != "" && strings.Trim(u.Path, "/") != ""
}

// methodFor returns how a client proves who it is, of what an issuer accepts.
func methodFor(m *issuerMetadata, hasSecret bool) string {
	switch {
	case !hasSecret:
		return byNothing
	case len(m.AuthMethods) == 0, slices.Contains(m.AuthMethods, byBasic):
		return byBasic
	case slices.Contains(m.AuthMethods, byPost):
		return byPost
	}
	return ""
}

// styleOf returns how the library sends the client's secret.
func styleOf(method string) oauth2.AuthStyle {
	switch method {
	case byNothing, byPost:
		return oauth2.AuthStyleInParams
	case byBasic:
		return oauth2.AuthStyleInHeader
	}
	return oauth2.AuthStyleAutoDetect
}

// register returns the client that this project has registered with an issuer, and registers one if
// there is none. key names the registration.
func (c *Client) register(ctx context.Context, call executor.Call, r *Resource, m *issuerMetadata) (key string, _ registration, err error) {
	key = "client:" + digest(call.Environment.Root, m.Issuer, m.RegistrationURL, r.Settings.RedirectURL)
	if known, ok := c.loadRegistration(ctx, call, key); ok {
		return key, known, nil
	}
	redirect, err := redirectToRegister(r.Settings.RedirectURL)
	if err != nil {
		return key, registration{}, err
	}
	method := byNothing
	if len(m.AuthMethods) > 0 && !slices.Contains(m.AuthMethods, byNothing) {
		method = cmp.Or(methodFor(m, true), byBasic)
	}
	made := registration{Method: method}
	if err := c.sendRegistration(ctx, call, m, redirect, &made); err != nil {
		return key, registration{}, err
	}
	made.Redirect = redirect
	c.saveRegistration(ctx, call, key, made)
	return key, made, nil
}

// redirectToRegister returns the address to which the browser will return, with a port, since some
// servers compare all of it. written is what the project's file says; it may be "".
func redirectToRegister(written string) (string, error) {
	g := Grant{redirect: propertyText{written, "redirect_url"}}
	back, err := g.redirectURL()
	if err != nil || back.Port() != "" {
		return back.String(), err
	}
	free, err := net.Listen("tcp", net.JoinHostPort(cmp.Or(map[string]string{"::1": "::1"}[back.Hostname()], "127.0.0.1"), "0"))
	if err != nil {
		return back.String(), nil // the sign-in itself will report it
	}
	defer free.Close()
	if _, port, err := net.SplitHostPort(free.Addr().String()); err == nil {
		back.Host = net.JoinHostPort(back.Hostname(), port)
	}
	return back.String(), nil
}

// sendRegistration asks an issuer to register a client like made, and fills in what it answers.
func (c *Client) sendRegistration(ctx context.Context, call executor.Call, m *issuerMetadata, redirect string, made *registration) error {
	body, err := json.Marshal(map[string]any{
		"client_name": "abl-lsp", "redirect_uris": []string{redirect}, "application_type": "native",
		"grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"},
		"token_endpoint_auth_method": made.Method,
	})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.RegistrationURL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	status, answer, err := c.ask(call, req)
	if err != nil {
		return err
	}
	if status == http.StatusOK || status == http.StatusCreated {
		if json.Unmarshal(answer, made) == nil && made.ClientID != "" {
			return nil
		}
		return executor.Errorf(executor.KindRemote, "registration", "%s registered a client without an id", hostOf(m.RegistrationURL))
	}
	var refusal struct {
		Code        string `json:"error"`
		Description string `json:"error_description"`
	}
	_ = json.Unmarshal(answer, &refusal) // it may say nothing
	why := executor.Shorten(call.Redact(strings.TrimSuffix(refusal.Code+": "+refusal.Description, ": ")), maxShownAnswer)
	e := executor.Errorf(executor.KindRemote, "registration", "%s registers no client: %s", hostOf(m.RegistrationURL), cmp.Or(why, http.StatusText(status)))
	e.Status = status
	return e.WithHint("Register a client there yourself, and write its id as oauth: {client_id: …} of the server in abl.yaml.")
}

// loadRegistration returns a registration that is still valid.
func (c *Client) loadRegistration(ctx context.Context, call executor.Call, key string) (registration, bool) {
	c.mu.Lock()
	known, ok := c.registrations[key]
	c.mu.Unlock()
	if !ok {
		text, kept := secrets.SignIns(call.Environment.Root).Load(ctx, key)
		ok = kept && json.Unmarshal([]byte(text), &known) == nil && known.ClientID != ""
	}
	return known, ok && (known.Expires == 0 || time.Unix(known.Expires, 0).After(time.Now()))
}

func (c *Client) saveRegistration(ctx context.Context, call executor.Call, key string, made registration) {
	c.mu.Lock()
	if len(c.registrations) >= maxEntries {
		clear(c.registrations)
	}
	c.registrations[key] = made
	c.mu.Unlock()
	if text, err := json.Marshal(made); err == nil {
		secrets.SignIns(call.Environment.Root).Save(ctx, key, string(text)) // else only memory has it
	}
}

// forgetRegistration removes a registration that the issuer does not know any more.
func (c *Client) forgetRegistration(ctx context.Context, call executor.Call, key string) {
	c.mu.Lock()
	delete(c.registrations, key)
	c.mu.Unlock()
	secrets.SignIns(call.Environment.Root).Remove(ctx, key)
}
