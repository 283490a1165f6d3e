package rest

import (
	"cmp"
	"errors"
	"net/url"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// absoluteBase matches a base URL with a scheme and host, or with a placeholder at its beginning.
var absoluteBase = lazyregexp.New(`^([A-Za-z][A-Za-z0-9+.-]*://[^/]|\{\{)`)

// endpointText returns the endpoint joined to the base URL, with its placeholders.
func (b *builder) endpointText() (string, error) {
	endpoint := strings.TrimSpace(b.spec.Endpoint)
	switch {
	case endpoint == "":
		return "", executor.DefinitionError("endpoint", "endpoint is missing")
	case tool.IsAbsolute(endpoint):
		return endpoint, nil
	}
	base := cmp.Or(strings.TrimSpace(b.spec.BaseURL), strings.TrimSpace(b.call.Environment.BaseURL))
	if base == "" {
		e := executor.Errorf(executor.KindDefinition, "base-url", "endpoint: %s is relative, and no base_url says to what", endpoint)
		return "", e.WithHint("Set base_url at the top of TOOLS in the .tools.abl file, or in abl.yaml.")
	}
	if !absoluteBase.MatchString(base) {
		e := executor.Errorf(executor.KindDefinition, "base-url", "base_url: %s does not begin with https:// or http:// and a host", base)
		return "", e.WithHint("Write it out, like https://api.example.com, or take it from {{env.NAME}}.")
	}
	if strings.ContainsAny(base, "?#") {
		return "", executor.DefinitionError("base-url", "base_url: %s has a query or a fragment, so no path can follow it", base)
	}
	if strings.HasPrefix(endpoint, "?") {
		return base + endpoint, nil
	}
	return strings.TrimRight(base, "/") + "/" + strings.TrimLeft(endpoint, "/"), nil
}

// setURL fills in the endpoint and sets the URL of the request.
func (b *builder) setURL() error {
	text, err := b.endpointText()
	if err != nil {
		return err
	}
	filled, err := placeholder.Fill(text, true, b.escapeForURL)
	if err != nil {
		return executor.TemplateError("endpoint", err)
	}
	if n := dotSegments(filled); n > 0 && n > dotSegments(b.skeleton(text)) {
		return executor.Errorf(executor.KindArguments, "path", "endpoint: a path parameter may not be . or ..")
	}
	b.req.url, err = parseEndpoint(filled)
	return err
}

func parseEndpoint(text string) (*url.URL, error) {
	u, err := dial.ParseURL(text)
	if r, ok := errors.AsType[*dial.RefusedError](err); ok {
		return nil, r
	}
	if err != nil {
		return nil, executor.DefinitionError("endpoint", "endpoint: %w", err)
	}
	u.Fragment, u.RawFragment = "", ""
	u.RawQuery = percentEncode(u.RawQuery, mayBeInQuery) // as it is sent
	return u, nil
}

// escapeForURL returns the text of a placeholder in the endpoint. Scheme and host come only from
// the author's text and from variables of the environment; other values are escaped.
func (b *builder) escapeForURL(p placeholder.Lookup) (string, error) {
	v, err := b.call.Scope.Lookup(p.Name)
	switch {
	case err != nil && v.Source == template.Earlier:
		return "", err
	case p.Single && (err != nil || v.Source != template.Argument && v.Source != template.Earlier || v.Name == ""):
		return "", executor.DefinitionError("path-parameter", "endpoint: {%s} is no parameter of this tool", p.Name)
	case err != nil:
		return "", err
	}
	if v.Source == template.Variable && !strings.Contains(p.Before, "?") {
		return v.Text(), nil
	}
	if !dial.HostIsComplete(p.Before) {
		return "", executor.DefinitionError("endpoint", "endpoint: the host cannot come from {{%s}}; write it out, or take it from {{env.NAME}}", p.Name)
	}
	b.noteUse(v)
	text := v.Text()
	if text == "" && !strings.Contains(p.Before, "?") {
		return "", executor.Errorf(executor.KindArguments, "path", "%s: may not be empty or left out; it is a part of the path", p.Name)
	}
	return escape(text), nil
}

// dotSegments counts the path segments that a server reads as `.` or `..`.
func dotSegments(text string) int {
	path, _, _ := strings.Cut(text, "?")
	n := 0
	for s := range strings.SplitSeq(path, "/") {
		if plain, err := url.PathUnescape(s); err == nil && (plain == "." || plain == "..") {
			n++
		}
	}
	return n
}

// escape returns s with all characters escaped that have a meaning in a URL, so that the value
// stays within its path segment or its part of the query.
func escape(s string) string { return percentEncode(s, unreserved) }

func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-_.~", c) >= 0
}

// mayBeInQuery reports whether a query may contain a byte as it is. This includes %.
func mayBeInQuery(c byte) bool {
	return unreserved(c) || strings.IndexByte("!$%&'()*+,/:;=?@[]", c) >= 0
}

const hexDigits = "0123456789ABCDEF"

// percentEncode returns s with all bytes escaped for which plain reports false.
func percentEncode(s string, plain func(byte) bool) string {
	var out strings.Builder
	out.Grow(len(s))
	for _, c := range []byte(s) {
		if plain(c) {
			out.WriteByte(c)
			continue
		}
		out.Write([]byte{'%', hexDigits[c>>4], hexDigits[c&15]})
	}
	return out.String()
}

// target returns the URL of the previewed request, or the base if shown is nil. Both have the same
// host.
func (b *builder) target(shown *request) (*url.URL, error) {
	if shown != nil {
		return shown.url, nil
	}
	return b.base()
}

// base returns the endpoint's URL before any argument or secret is known. The request will go to
// its host.
func (b *builder) base() (*url.URL, error) {
	text, err := b.endpointText()
	if err != nil {
		return nil, err
	}
	return parseEndpoint(b.skeleton(text))
}

// skeleton returns text with the variables of the environment filled in and an x for every other
// value.
func (b *builder) skeleton(text string) string {
	filled, _ := placeholder.Fill(text, true, func(p placeholder.Lookup) (string, error) {
		v, err := b.call.Scope.Lookup(p.Name)
		if err != nil || v.Source != template.Variable {
			return "x", nil //nolint:nilerr // filling it in reports the error
		}
		return v.Text(), nil
	})
	return filled
}
