package operator

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// FindSecret returns the value of a secret. ok is false if there is none.
type FindSecret func(name string) (value string, ok bool, err error)

// Parse reads the text of an operator's file. path is for messages, and other paths in the file are
// relative to its folder. The error has a line `PATH:LINE: message` for each mistake.
func Parse(path, source string, secret FindSecret) (*Config, error) {
	p := &parser{doc: yaml.Parse(source), secret: secret, texts: map[string]string{}, lists: map[string][]string{},
		config: Config{Path: path, lines: map[string]int{}}}
	for _, f := range p.doc.Faults() {
		p.fail(f.Span.Start, "%s", f.Message)
	}
	root := p.doc.Root()
	switch {
	case len(p.errs) > 0:
	case len(p.doc.Roots()) > 1:
		p.fail(p.doc.Roots()[1].Span.Start, "an operator's file is one document")
	case root.Kind == yaml.Null:
	default:
		p.checkMap(Field(), "", root)
	}
	if len(p.errs) == 0 {
		p.fillConfig()
	}
	if len(p.errs) > 0 {
		return nil, errors.Join(p.errs...)
	}
	return &p.config, nil
}

// parser checks a file against the table, and gathers its values.
type parser struct {
	doc    *yaml.Document
	secret FindSecret
	config Config
	texts  map[string]string   // single values by their paths, with secrets filled in
	lists  map[string][]string // lists by their paths
	errs   []error
}

func (p *parser) fail(offset int, format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("%s:%d: %s", p.config.Path, p.doc.Lines().Line(offset)+1, fmt.Sprintf(format, args...)))
}

// failKey adds an error about the value of a key.
func (p *parser) failKey(key, format string, args ...any) {
	p.errs = append(p.errs, p.config.Errorf(key, format, args...))
}

// checkMap checks the keys of a map and their values.
func (p *parser) checkMap(field *tool.Field, path string, n *yaml.Node) {
	if n.Kind != yaml.Map {
		p.fail(n.Span.Start, "%s must be a map, not %s", cmp.Or(path, "the file"), n.Kind)
		return
	}
	for _, m := range n.Members {
		at := strings.TrimPrefix(path+"."+m.Key.Text, ".")
		own := projectfile.OwnField(field, m.Key.Text)
		switch {
		case strings.HasPrefix(m.Key.Text, "x-"):
		case own == nil:
			p.fail(m.Key.Span.Start, "%s", unknownKey(field, path, m.Key.Text))
		case m.Duplicate:
			p.fail(m.Key.Span.Start, "%s is there twice", at)
		default:
			p.config.lines[at] = p.doc.Lines().Line(m.Key.Span.Start) + 1
			p.checkValue(own, at, m.Value)
		}
	}
	for i := range field.Fields {
		if f := &field.Fields[i]; f.Required && n.Get(f.Name) == nil {
			p.fail(n.Span.Start, "%s needs %s", path, f.Name)
		}
	}
}

func unknownKey(field *tool.Field, path, key string) string {
	names := make([]string, len(field.Fields))
	for i := range field.Fields {
		names[i] = field.Fields[i].Name
	}
	of := ""
	if path != "" {
		of = " in " + path
	}
	return fmt.Sprintf("there is no key `%s`%s; %s", key, of, model.DidYouMean(key, names, "there are "+strings.Join(names, ", ")))
}

// checkValue checks the value of a key, and stores it.
func (p *parser) checkValue(field *tool.Field, path string, n *yaml.Node) {
	switch {
	case n.Kind == yaml.Null:
		p.failKey(path, "it has no value")
	case field.Type == tool.Block:
		p.checkMap(field, path, n)
	case field.Type == tool.ListType:
		p.checkList(path, n)
	case !n.IsScalar():
		p.failKey(path, "it must be a single value, not %s", n.Kind)
	default:
		text, ok := p.expand(path, n.Text)
		if !ok {
			return
		}
		if field.Pattern != nil && !field.Pattern.MatchString(text) {
			p.failKey(path, "it must be %s", field.Form)
			return
		}
		p.texts[path] = text
	}
}

func (p *parser) checkList(path string, n *yaml.Node) {
	if n.Kind != yaml.List || len(n.Items) == 0 {
		p.failKey(path, "it must be a list with at least one item")
		return
	}
	for _, item := range n.Items {
		if !item.IsScalar() || item.Kind == yaml.Null {
			p.fail(item.Span.Start, "%s: an item must be a text, not %s", path, item.Kind)
			continue
		}
		p.lists[path] = append(p.lists[path], item.Text)
	}
}

// expand returns a text with its secrets filled in, escaped if they are parts of a URL. ok is false
// after an error.
func (p *parser) expand(path, text string) (filled string, ok bool) {
	filled, err := placeholder.Fill(text, false, func(l placeholder.Lookup) (string, error) {
		name, isSecret := strings.CutPrefix(l.Name, "secrets.")
		if !isSecret {
			return "", fmt.Errorf("there is no {{%s}} here, only {{secrets.NAME}}", l.Name)
		}
		value, found, err := p.secret(name)
		if !found {
			return "", errors.Join(fmt.Errorf("there is no secret %s", name), err)
		}
		if strings.Contains(l.Before, "://") {
			value = strings.ReplaceAll(url.QueryEscape(value), "+", "%20")
		}
		return value, nil
	})
	filled = strings.TrimSpace(filled)
	switch {
	case err != nil:
		p.failKey(path, "%w", err)
	case filled == "":
		p.failKey(path, "it is empty")
	}
	return filled, err == nil && filled != ""
}

// fillConfig sets the config from the values of a file that agrees with the table.
func (p *parser) fillConfig() {
	c := &p.config
	c.HTTP, c.Metrics, c.StateKey = p.address("http"), p.address("metrics"), p.texts["state_key"]
	if p.has("tls") {
		c.TLS = &TLS{Cert: p.file("tls.cert"), Key: p.file("tls.key"), ClientCA: p.file("tls.client_ca")}
	}
	p.fillAuth()
	if p.has("shared") {
		c.Shared = &Shared{URL: p.url("shared.url"), Prefix: cmp.Or(p.texts["shared.prefix"], defaultPrefix)}
	}
	p.fillRate()
	if text, ok := p.texts["drain"]; ok {
		drain, err := time.ParseDuration(text)
		if err != nil {
			p.failKey("drain", "it must be %s", durationForm)
		}
		c.Drain = &drain
	}
	c.AllowHosts = p.lists["allow_hosts"]
	if _, err := dial.NewGuard(c.AllowHosts); err != nil {
		p.failKey("allow_hosts", "%w", err)
	}
}

func (p *parser) fillRate() {
	text, ok := p.texts["rate"]
	if !ok {
		return
	}
	rate, err := strconv.ParseFloat(text, 64)
	if err != nil || rate <= 0 || math.IsInf(rate, 0) || math.IsNaN(rate) {
		p.failKey("rate", "it must be a number above 0")
	}
	p.config.Rate = rate
}

func (p *parser) fillAuth() {
	if !p.has("auth") {
		return
	}
	auth, ways := &p.config.Auth, 0
	if p.has("auth.tokens") {
		ways++
		auth.Tokens = &Tokens{File: p.file("auth.tokens.file"), Keychain: p.lists["auth.tokens.keychain"]}
		if auth.Tokens.File == "" && auth.Tokens.Keychain == nil {
			p.failKey("auth.tokens", "it needs file or keychain")
		}
	}
	if p.has("auth.oauth") {
		ways++
		auth.OAuth = &OAuth{Issuer: p.safeURL("auth.oauth.issuer"), Audience: p.texts["auth.oauth.audience"], JWKS: p.safeURL("auth.oauth.jwks")}
		if p.has("auth.oauth.introspection") {
			in := "auth.oauth.introspection."
			auth.OAuth.Introspection = &Introspection{p.safeURL(in + "url"), p.texts[in+"client_id"], p.texts[in+"client_secret"]}
		}
	}
	if p.has("auth.header") {
		ways++
		auth.Header = &Header{Name: p.texts["auth.header.name"], From: p.prefixes("auth.header.from")}
		if slices.Contains(reservedHeaders, strings.ToLower(auth.Header.Name)) {
			p.failKey("auth.header.name", "%s has a meaning of its own", auth.Header.Name)
		}
	}
	if ways != 1 {
		p.failKey("auth", "it needs one of tokens, oauth and header")
	}
}

// reservedHeaders are headers that no proxy can name the caller in.
var reservedHeaders = []string{"authorization", "host", "content-type", "content-length", "accept", "origin", "mcp-session-id", "mcp-protocol-version"}

func (p *parser) has(key string) bool { return p.config.lines[key] > 0 }

// file returns a path relative to the folder of the file; "" if the key is missing.
func (p *parser) file(key string) string {
	path := p.texts[key]
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(p.config.Path), path)
}

// address returns an address to listen at.
func (p *parser) address(key string) string {
	text := p.texts[key]
	if text == "" {
		return ""
	}
	_, port, err := net.SplitHostPort(text)
	if err != nil {
		port = text
	}
	if n, err := strconv.Atoi(port); err != nil || n > 65535 {
		p.failKey(key, "it must be %s", addressForm)
	}
	return text
}

// url returns a URL, which has a host.
func (p *parser) url(key string) string {
	text := p.texts[key]
	if text == "" {
		return ""
	}
	if u, err := url.Parse(text); err != nil || u.Host == "" {
		p.failKey(key, "it is no URL with a host") // the URL may contain a password
	}
	return text
}

// safeURL returns a URL at which nobody on the way can read or change anything: by https, or on this
// machine.
func (p *parser) safeURL(key string) string {
	text := p.texts[key]
	if text == "" {
		return ""
	}
	u, err := dial.ParseURL(text)
	if err != nil {
		p.failKey(key, "%w", err)
		return ""
	}
	ip, err := netip.ParseAddr(u.Hostname())
	if isLoopback := u.Hostname() == "localhost" || err == nil && ip.IsLoopback(); u.Scheme != "https" && !isLoopback {
		p.failKey(key, "it must begin with https://, since what it answers is trusted")
	}
	return text
}

// prefixes returns the networks in a list of addresses and CIDRs.
func (p *parser) prefixes(key string) []netip.Prefix {
	var all []netip.Prefix
	for _, text := range p.lists[key] {
		prefix, err := netip.ParsePrefix(text)
		if addr, notAddr := netip.ParseAddr(text); notAddr == nil {
			addr = addr.Unmap().WithZone("")
			prefix, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil {
			p.failKey(key, "%q is neither an IP address nor a CIDR", text)
			continue
		}
		all = append(all, prefix.Masked())
	}
	return all
}
