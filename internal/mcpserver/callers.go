package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/abl-lsp/abl-lsp/internal/callers"
)

// codeTooManyCalls is the code of the error for a caller that calls too often.
const codeTooManyCalls = -32000

// recheckInterval is how often a stream without an end is checked for whether its caller may still
// have it.
const recheckInterval = 15 * time.Second

// requestCallerKey is the key of a context's [callers.Caller].
type requestCallerKey struct{}

// requestCaller returns who sends a request; nil if that is not known.
func requestCaller(ctx context.Context) *callers.Caller {
	c, _ := ctx.Value(requestCallerKey{}).(*callers.Caller)
	return c
}

// requireCaller refuses requests of callers who may not call, and notes the caller of others.
func (s *Server) requireCaller(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller, err := s.opts.Callers.Authenticate(r)
		if err != nil {
			s.refuseCaller(w, r, err)
			return
		}
		if caller != nil {
			r = r.WithContext(context.WithValue(r.Context(), requestCallerKey{}, caller))
		}
		next.ServeHTTP(w, r)
	})
}

// refuseCaller answers a request whose caller is not known.
func (s *Server) refuseCaller(w http.ResponseWriter, r *http.Request, err error) {
	refusal, ok := errors.AsType[*callers.Refusal](err)
	if !ok {
		refusal = &callers.Refusal{Status: http.StatusInternalServerError, Why: err.Error()}
	}
	s.logRefusal(r, refusal.Status, refusal.Why)
	if refusal.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", s.challenge(r, refusal.Code, refusal.Why, nil))
	}
	(&errorWriter{ResponseWriter: w}).refuse(refusal.Status, jsonrpc.CodeInvalidRequest, refusal.Why)
}

// logRefusal logs a request that is refused because of its caller. Strangers, and those who call too
// often, cannot fill the log.
func (s *Server) logRefusal(r *http.Request, status int, why string) {
	skipped := 0
	if requestCaller(r.Context()) == nil || status == http.StatusTooManyRequests {
		var ok bool
		if skipped, ok = s.refusals.next(); !ok {
			return
		}
	}
	fields := []slog.Attr{
		slog.String("request_id", r.Header.Get(requestIDHeader)), slog.Int("status", status), slog.String("why", why), slog.String("address", r.RemoteAddr),
	}
	if c := requestCaller(r.Context()); c != nil {
		fields = append(fields, slog.String("caller", c.Name))
	}
	if skipped > 0 {
		fields = append(fields, slog.Int("skipped", skipped))
	}
	s.opts.Logger.LogAttrs(r.Context(), slog.LevelWarn, "caller refused", fields...)
}

// challenge returns what a client has to know to be accepted (RFC 6750, RFC 9728). code is that of the
// error, and may be "".
func (s *Server) challenge(r *http.Request, code, why string, scopes []string) string {
	if !s.opts.Callers.TakesTokens() {
		return s.opts.Callers.Scheme()
	}
	var params []string
	add := func(name, value string) {
		if value != "" {
			params = append(params, name+`="`+quotable(value)+`"`)
		}
	}
	add("error", code)
	if code != "" {
		add("error_description", why)
	}
	add("scope", strings.Join(scopes, " "))
	if audience, _, ok := s.opts.Callers.Resource(); ok {
		add("resource_metadata", ownOrigin(r, audience)+metadataPath+strings.TrimSuffix(r.URL.Path, "/"))
	}
	return strings.TrimSpace("Bearer " + strings.Join(params, ", "))
}

// quotable returns a text as it may be between the quotes of a challenge (RFC 6750, 3).
func quotable(text string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			return '\''
		}
		return c
	}, text)
}

// ownOrigin returns the origin of this server as callers know it: that of the audience, if that is a
// URL.
func ownOrigin(r *http.Request, audience string) string {
	if u, err := url.Parse(audience); err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http") {
		return u.Scheme + "://" + u.Host
	}
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// metadataPath is where the server says whose tokens it accepts, followed by the path of what they
// are for (RFC 9728).
const metadataPath = "/.well-known/oauth-protected-resource"

// serveMetadata answers with the metadata of this server as a protected resource.
func (s *Server) serveMetadata(w http.ResponseWriter, r *http.Request) {
	audience, issuer, ok := s.opts.Callers.Resource()
	if !ok {
		http.NotFound(w, r)
		return
	}
	resource := audience
	if u, err := url.Parse(audience); err != nil || u.Host == "" {
		resource = ownOrigin(r, audience) + strings.TrimPrefix(r.URL.Path, metadataPath)
	}
	auth.ProtectedResourceMetadataHandler(&oauthex.ProtectedResourceMetadata{
		Resource: resource, AuthorizationServers: []string{issuer}, ScopesSupported: s.allScopes(),
		BearerMethodsSupported: []string{"header"}, ResourceName: "abl-lsp",
	}).ServeHTTP(w, r)
}

// allScopes returns the scopes that calls of any tool need, sorted.
func (s *Server) allScopes() []string {
	s.mu.Lock()
	tools := slices.Collect(maps.Values(s.tools))
	s.mu.Unlock()
	var all []string
	for _, t := range tools {
		all = append(all, t.scopes()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// scopes returns the scopes that a caller of the tool needs.
func (t servedTool) scopes() []string {
	req, err := t.request()
	if err != nil {
		return nil // no call runs
	}
	return req.Environment.Scopes.Of(t.tool)
}

// permits answers a request whose messages its caller may not send: a call of a tool for which the
// caller lacks a scope, or one call or session too many. It returns false then.
func (s *Server) permits(out *errorWriter, r *http.Request, messages []messageHead) bool {
	caller := requestCaller(r.Context())
	for _, m := range messages {
		if !m.beginsWork() {
			continue
		}
		if missing := s.missingScopes(caller, m.toolName()); missing != nil {
			why := missingScopesText(m.toolName(), missing)
			s.logRefusal(r, http.StatusForbidden, why)
			if s.opts.Callers.TakesTokens() {
				out.Header().Set("WWW-Authenticate", s.challenge(r, "insufficient_scope", why, missing))
			}
			out.refuse(http.StatusForbidden, jsonrpc.CodeInvalidRequest, why)
			return false
		}
		if wait := s.opts.Callers.TakeCall(r.Context(), callerAddress(r)); wait > 0 {
			s.logRefusal(r, http.StatusTooManyRequests, "too many calls")
			out.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
			out.refuse(http.StatusTooManyRequests, codeTooManyCalls, "too many calls: this server limits how many each caller may make in a second")
			return false
		}
	}
	return true
}

// missingScopes returns all scopes that a call of a tool needs if the caller lacks one of them; else
// nil.
func (s *Server) missingScopes(caller *callers.Caller, name string) []string {
	t, ok := s.currentTool(name)
	if !ok {
		return nil
	}
	if scopes := t.scopes(); !caller.HasScopes(scopes) {
		return scopes
	}
	return nil
}

func missingScopesText(name string, scopes []string) string {
	return fmt.Sprintf("a caller of %s needs the scope %s", name, strings.Join(scopes, " "))
}

// callerAddress returns a text that tells callers apart: by name if that is known, else by address.
func callerAddress(r *http.Request) string {
	if c := requestCaller(r.Context()); c != nil {
		return "caller " + c.Name
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	return "address " + host
}

// withTokenInfo gives the library the caller of a request, who was authenticated before: only its own
// middleware can. A session of one caller is not for another one.
func withTokenInfo(next http.Handler) http.Handler {
	known := auth.RequireBearerToken(func(ctx context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
		c := requestCaller(ctx)
		return &auth.TokenInfo{UserID: c.Name, Scopes: c.Scopes, Expiration: c.Expires, Extra: map[string]any{callerInfo: c}}, nil
	}, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true, ClockSkew: time.Minute})(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requestCaller(r.Context()) == nil {
			next.ServeHTTP(w, r)
			return
		}
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer known") // of a certificate there is none, and no one else needs the token
		known.ServeHTTP(w, r)
	})
}

// callerInfo is the key of the [callers.Caller] in the library's information about a token.
const callerInfo = "caller"

// knownCaller returns the caller of a call; nil if that is not known.
func knownCaller(extra *sdk.RequestExtra) *callers.Caller {
	if extra == nil || extra.TokenInfo == nil {
		return nil
	}
	c, _ := extra.TokenInfo.Extra[callerInfo].(*callers.Caller)
	return c
}

// callerName returns the name of the caller of a call; "" if that is not known. Unlike [callerOf], it
// has nothing that a caller can choose.
func callerName(extra *sdk.RequestExtra) string {
	if c := knownCaller(extra); c != nil {
		return c.Name
	}
	return ""
}

// checkScopes is the middleware that lets no call run for which its caller lacks a scope. Over HTTP
// such a call was refused before, if its message was read in the same way.
func (s *Server) checkScopes(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		if call, ok := r.(*sdk.CallToolRequest); ok && call.Extra != nil && call.Extra.Header != nil {
			if missing := s.missingScopes(knownCaller(call.Extra), call.Params.Name); missing != nil {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: missingScopesText(call.Params.Name, missing)}
			}
		}
		return next(ctx, method, r)
	}
}

// whilePermitted returns the request of a stream that has no end of its own, with a context that ends
// when its caller may not have it any more. stop must be called after the stream.
func (s *Server) whilePermitted(r *http.Request) (permitted *http.Request, stop func()) {
	ctx, cancel := context.WithCancel(r.Context())
	if requestCaller(ctx) == nil {
		return r, cancel
	}
	permitted = r.WithContext(ctx)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(recheckInterval):
			}
			if _, err := s.opts.Callers.Authenticate(permitted); err != nil {
				cancel()
			}
		}
	}()
	return permitted, cancel
}

// isRebound reports whether a request to this machine names another host: a web page may have made
// that name point here (DNS rebinding). Where callers are known by what no page has, any name is good.
func (s *Server) isRebound(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok || s.opts.Callers.TakesTokens() || r.TLS != nil {
		return false
	}
	host, _, err := net.SplitHostPort(local.String())
	return err == nil && isLoopbackHost(host) && !isLoopbackHost(r.Host)
}

// isLoopbackHost reports whether a host, with a port or without, is this machine.
func isLoopbackHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
