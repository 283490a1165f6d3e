package dial

import (
	"net/netip"

	"code.dny.dev/ssrf"
)

// metadata are the addresses at which clouds give credentials to every caller.
var metadata = addresses(
	"169.254.169.254",    // most clouds
	"169.254.170.2",      // AWS, containers
	"169.254.170.23",     // AWS, pods
	"169.254.0.23",       // Tencent
	"169.254.42.42",      // Scaleway
	"100.100.100.200",    // Alibaba
	"168.63.129.16",      // Azure's wire server: a public address by number
	"192.0.0.192",        // Oracle
	"fd00:ec2::254",      // AWS
	"fd00:ec2::23",       // AWS, pods
	"fd20:ce::254",       // Google
	"fd00:42::42",        // Scaleway
	"fd00:c1::a9fe:a9fe", // Oracle
)

func addresses(list ...string) map[netip.Addr]bool {
	m := map[netip.Addr]bool{}
	for _, s := range list {
		m[netip.MustParseAddr(s)] = true
	}
	return m
}

func isMetadata(a netip.Addr) bool {
	v4, ok := embeddedIPv4(a)
	return metadata[a] || ok && metadata[v4]
}

// special holds the registries of special-purpose addresses.
var special = ssrf.New(ssrf.WithAnyPort(), ssrf.WithAnyNetwork())

// isPublic reports whether an address, and the IPv4 address embedded in it, are public addresses of
// the internet.
func isPublic(a netip.Addr) bool {
	v4, ok := embeddedIPv4(a)
	if ok && special.SafeAddr(v4) != nil {
		return false
	}
	if ok && ssrf.IPv6NAT64Prefix.Contains(a) {
		return true
	}
	return special.SafeAddr(a) == nil
}

var sixToFour = netip.MustParsePrefix("2002::/16")

// embeddedIPv4 returns the IPv4 address that an IPv6 address leads to: by translation (NAT64),
// 6to4, ISATAP, or the deprecated compatible form. It is false if there is none.
func embeddedIPv4(a netip.Addr) (netip.Addr, bool) {
	if !a.Is6() {
		return netip.Addr{}, false
	}
	b := a.As16()
	low := netip.AddrFrom4([4]byte(b[12:]))
	switch {
	case sixToFour.Contains(a):
		return netip.AddrFrom4([4]byte(b[2:6])), true
	case ssrf.IPv6NAT64Prefix.Contains(a), isLocalNAT64(b), isISATAP(b), isCompatible(b):
		return low, true
	}
	return netip.Addr{}, false
}

func isLocalNAT64(b [16]byte) bool { return [6]byte(b[:6]) == [6]byte{0, 0x64, 0xff, 0x9b, 0, 1} }

func isISATAP(b [16]byte) bool {
	return b[8]&^2 == 0 && [3]byte(b[9:12]) == [3]byte{0, 0x5e, 0xfe}
}

// isCompatible reports whether an address has the form ::a.b.c.d, except for :: and ::1.
func isCompatible(b [16]byte) bool {
	return [12]byte(b[:12]) == [12]byte{} && (b[12] != 0 || b[13] != 0)
}
