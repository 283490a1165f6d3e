package dial

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// ParseURL parses an absolute http or https URL strictly. It normalizes the host, so that the host
// that was checked is the one that is dialled. Text that browsers and servers read in different
// ways gives a [*RefusedError]; text that is not a URL gives another error.
func ParseURL(s string) (*url.URL, error) {
	for _, r := range s {
		if r < ' ' || r == 0x7f {
			return nil, refusedURL("", fmt.Sprintf("the control character %q in a URL", r))
		}
		if r == '\\' {
			return nil, refusedURL("", "a backslash in a URL")
		}
	}
	u, err := url.Parse(s)
	if err != nil {
		return nil, err
	}
	if u.Scheme == "" {
		return nil, fmt.Errorf("%q is no absolute URL", s)
	}
	host, err := checkURL(u)
	if err != nil {
		return nil, err
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if p := u.Port(); p != "" {
		host += ":" + p
	}
	u.Host = host
	return u, nil
}

// CheckURL returns an error if u itself shows that it may not be requested. It resolves no name.
func CheckURL(u *url.URL) error {
	_, err := checkURL(u)
	return err
}

// checkURL is CheckURL, and also returns the normalized host.
func checkURL(u *url.URL) (host string, err error) {
	if u.Scheme != "http" && u.Scheme != "https" {
		return "", refusedURL(u.Host, fmt.Sprintf("the scheme %q; only http and https are used", u.Scheme))
	}
	if u.User != nil {
		return "", refusedURL(u.Host, "a user name or password in a URL")
	}
	if p := u.Port(); p != "" {
		if n, err := strconv.ParseUint(p, 10, 16); err != nil || n == 0 {
			return "", refusedURL(u.Host, "the port "+p)
		}
	}
	return NormalizeHost(u.Hostname())
}

// HostIsComplete reports whether the beginning of a URL contains its whole host.
func HostIsComplete(beginning string) bool {
	_, rest, ok := strings.Cut(beginning, "://")
	return ok && strings.ContainsAny(rest, "/?#")
}

// NormalizeHost returns a host in its normal form: an address in its usual notation, or
// a name in lower-case ASCII without the final dot. It refuses numbers that some
// resolvers read as an address (127.1, 0x7f000001), zones, and characters that no host
// name can have.
func NormalizeHost(s string) (string, error) {
	if strings.Contains(s, "%") {
		return "", refusedURL(s, "a zone or an escape in a host")
	}
	if a, err := netip.ParseAddr(s); err == nil {
		return formatAddress(a, s), nil
	}
	name, err := asciiName(s)
	if err != nil {
		return "", refusedURL(s, "no host name")
	}
	if a, err := netip.ParseAddr(name); err == nil {
		return formatAddress(a, name), nil
	}
	if isNumeric(name) {
		return "", refusedURL(s, "a number that is no address in the usual form")
	}
	return name, nil
}

// formatAddress returns an address in its usual notation. It returns text itself if that is equal,
// which saves memory.
func formatAddress(a netip.Addr, text string) string {
	var buf [64]byte
	if b := a.Unmap().AppendTo(buf[:0]); string(b) != text {
		return string(b)
	}
	return text
}

func asciiName(s string) (string, error) {
	name := strings.ToLower(s)
	if strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 }) {
		var err error
		if name, err = idna.Lookup.ToASCII(s); err != nil {
			return "", err
		}
	}
	name = strings.TrimSuffix(name, ".")
	if name == "" || len(name) > 253 || strings.Contains(name, "..") || strings.HasPrefix(name, ".") {
		return "", fmt.Errorf("%q is no host name", s)
	}
	for _, c := range []byte(name) {
		if !isNameByte(c) {
			return "", fmt.Errorf("%q is no host name", s)
		}
	}
	return name, nil
}

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.'
}

// isNumeric reports whether the last label is a number, decimal or after 0x. No host name ends like
// that, but some resolvers read such text as an address.
func isNumeric(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(last, "0123456789") == ""
}
