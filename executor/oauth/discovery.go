package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
)

// resourceMetadata is what a protected resource says of itself (RFC 9728).
type resourceMetadata struct {
	Resource string   `json:"resource"`
	Issuers  []string `json:"authorization_servers"`
	Scopes   []string `json:"scopes_supported"`

	guessed bool // nothing says so; it is what old servers leave to be guessed
}

// issuerMetadata is what an authorization server says of itself (RFC 8414, OpenID Connect
// Discovery).
type issuerMetadata struct {
	Issuer               string   `json:"issuer"`
	AuthorizationURL     string   `json:"authorization_endpoint"`
	TokenURL             string   `json:"token_endpoint"`
	RegistrationURL      string   `json:"registration_endpoint"`
	Scopes               []string `json:"scopes_supported"`
	AuthMethods          []string `json:"token_endpoint_auth_methods_supported"`
	ChallengeMethods     []string `json:"code_challenge_methods_supported"`
	ReadsClientDocuments bool     `json:"client_id_metadata_document_supported"`
	NamesIssuer          bool     `json:"authorization_response_iss_parameter_supported"`
}

// errNoMetadata is the error of a well-known place that has nothing.
var errNoMetadata = errors.New("there is no metadata")

// discoverResource asks a resource how it is protected: at the place that its challenge names, else
// at the well-known ones.
func (c *Client) discoverResource(ctx context.Context, call executor.Call, r *Resource, named string) (*resourceMetadata, error) {
	places := []string{wellKnown(r.URL, "oauth-protected-resource", r.URL.Path)}
	if strings.Trim(r.URL.Path, "/") != "" {
		places = append(places, wellKnown(r.URL, "oauth-protected-resource", ""))
	}
	if named != "" {
		if _, err := r.checkAddress(named); err != nil {
			return nil, err
		}
		places = slices.Insert(places, 0, named)
	}
	for _, place := range places {
		m := new(resourceMetadata)
		err := c.getMetadata(ctx, call, place, m)
		if errors.Is(err, errNoMetadata) {
			continue
		}
		if err == nil {
			err = r.checkMetadata(m)
		}
		return m, err
	}
	origin := url.URL{Scheme: r.URL.Scheme, Host: r.URL.Host}
	return &resourceMetadata{Resource: r.URL.String(), Issuers: []string{origin.String()}, guessed: true}, nil
}

// checkMetadata returns an error unless the metadata is that of the resource and names who issues
// its tokens. A token for another resource must never be asked for (RFC 9728).
func (r *Resource) checkMetadata(m *resourceMetadata) error {
	u, err := url.Parse(m.Resource)
	if err != nil || !strings.EqualFold(u.Scheme, r.URL.Scheme) || !strings.EqualFold(u.Host, r.URL.Host) || !isPathPrefix(u.Path, r.URL.Path) {
		return executor.Errorf(executor.KindDenied, "resource-mismatch", "%s says that it is another resource, %s; a token for that is not asked for",
			r.URL.Host, executor.Shorten(m.Resource, maxShownAnswer)).
			WithHint("Write the server's own address as the url of servers.%s in abl.yaml.", r.Name)
	}
	if len(m.Issuers) == 0 {
		return executor.Errorf(executor.KindRemote, "discovery", "%s wants a token, but does not say who gives one", r.URL.Host)
	}
	return nil
}

// isPathPrefix reports whether the path has all segments of prefix at its beginning.
func isPathPrefix(prefix, path string) bool {
	prefix = strings.TrimSuffix(prefix, "/")
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || rest[0] == '/')
}

// discoverIssuer asks an issuer for its endpoints. It returns errNoMetadata if the issuer publishes
// none.
func (c *Client) discoverIssuer(ctx context.Context, call executor.Call, r *Resource, issuer string) (*issuerMetadata, error) {
	u, err := r.checkAddress(issuer)
	if err != nil {
		return nil, err
	}
	for _, place := range metadataPlaces(u) {
		m := new(issuerMetadata)
		err := c.getMetadata(ctx, call, place, m)
		if errors.Is(err, errNoMetadata) {
			continue
		}
		if err == nil {
			err = r.checkIssuer(issuer, m)
		}
		return m, err
	}
	return nil, errNoMetadata
}

// metadataPlaces returns the addresses at which an issuer may publish its metadata.
func metadataPlaces(u *url.URL) []string {
	places := []string{wellKnown(u, "oauth-authorization-server", u.Path), wellKnown(u, "openid-configuration", u.Path)}
	if path := strings.Trim(u.Path, "/"); path != "" {
		appended := *u
		appended.Path = "/" + path + "/.well-known/openid-configuration"
		places = append(places, appended.String())
	}
	return places
}

// checkIssuer returns an error unless the metadata is that of the issuer, and its endpoints can be
// used safely.
func (r *Resource) checkIssuer(issuer string, m *issuerMetadata) error {
	if !sameIssuer(m.Issuer, issuer) {
		return executor.Errorf(executor.KindDenied, "issuer-mismatch", "the metadata of %s is that of another issuer, %s; nobody signs in there",
			issuer, executor.Shorten(m.Issuer, maxShownAnswer))
	}
	for _, address := range []string{m.AuthorizationURL, m.TokenURL, m.RegistrationURL} {
		if address == "" {
			continue
		}
		if _, err := r.checkAddress(address); err != nil {
			return err
		}
	}
	if m.TokenURL == "" {
		return executor.Errorf(executor.KindRemote, "discovery", "%s does not say where it gives tokens", issuer)
	}
	return nil
}

// sameIssuer compares two names of issuers. A slash at the end makes no difference, since many
// servers do not agree with their own metadata there.
func sameIssuer(a, b string) bool { return strings.TrimSuffix(a, "/") == strings.TrimSuffix(b, "/") }

// checkAddress parses the address of an endpoint. It must be encrypted, except on this machine and
// where the server itself is reached without encryption.
func (r *Resource) checkAddress(address string) (*url.URL, error) {
	u, err := dial.ParseURL(address)
	if err != nil {
		return nil, executor.Errorf(executor.KindRemote, "discovery", "%s names an address that cannot be used, %s: %w", r.URL.Host, executor.Shorten(address, maxShownAnswer), err)
	}
	own := u.Scheme == r.URL.Scheme && u.Hostname() == r.URL.Hostname()
	if u.Scheme == "https" || own || isLoopback(u.Hostname()) {
		return u, nil
	}
	return nil, executor.Errorf(executor.KindDenied, "plain-http", "%s wants a sign-in at %s, without encryption", r.URL.Host, u.Host).
		WithHint("Tokens are only asked for by https.")
}

func isLoopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

// wellKnown returns the address of metadata for a path of a host (RFC 8615).
func wellKnown(u *url.URL, name, path string) string {
	at := url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/.well-known/" + name}
	if path = strings.Trim(path, "/"); path != "" {
		at.Path += "/" + path
	}
	return at.String()
}

// getMetadata reads a JSON document. It returns errNoMetadata if there is none.
func (c *Client) getMetadata(ctx context.Context, call executor.Call, address string, into any) error {
	if _, err := dial.ParseURL(address); err != nil {
		return executor.Errorf(executor.KindRemote, "discovery", "%s is no address of metadata: %w", executor.Shorten(address, maxShownAnswer), err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	status, body, err := c.ask(call, req)
	switch {
	case err != nil:
		return err
	case status >= 300 && status < 500: // a redirect leads to pages for people
		return errNoMetadata
	case status != http.StatusOK:
		return executor.Errorf(executor.KindRemote, "discovery", "%s answered %d %s", address, status, http.StatusText(status))
	}
	if err := json.Unmarshal(body, into); err != nil {
		return executor.Errorf(executor.KindRemote, "discovery", "%s is no metadata: %w", address, err)
	}
	return nil
}

// ask sends a request through the guard of a call, and follows no redirect. A document that is not JSON counts as missing.
func (c *Client) ask(call executor.Call, req *http.Request) (status int, body []byte, err error) {
	client := c.guardedClient(call)
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(req)
	if err != nil {
		if e := transportError(req.URL.String(), err); e != nil {
			return 0, nil, e
		}
		return 0, nil, fmt.Errorf("ask %s: %w", req.URL.Host, err)
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	if err != nil {
		return 0, nil, executor.NetworkError(req.URL.Host, err, false)
	}
	if media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); resp.StatusCode == http.StatusOK && media != "application/json" {
		return http.StatusNotFound, body, nil
	}
	return resp.StatusCode, body, nil
}
