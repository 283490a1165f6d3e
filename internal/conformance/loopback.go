package conformance

import (
	"encoding/hex"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// RequireLoopback fails the test if this process listens for connections from other
// machines, or if it does not listen at all. It checks this on Linux only.
func RequireLoopback(t *testing.T) {
	t.Helper()
	own := ownSockets()
	listening := 0
	for _, name := range []string{"tcp", "tcp6"} {
		table, err := os.ReadFile("/proc/self/net/" + name)
		if err != nil {
			t.Skipf("nothing tells where this process listens: %v", err)
		}
		for line := range strings.Lines(string(table)) {
			f := strings.Fields(line)
			if len(f) < 10 || f[3] != "0A" || !slices.Contains(own, "socket:["+f[9]+"]") { // 0A: it listens
				continue
			}
			listening++
			if !isLoopback(f[1]) {
				t.Errorf("it listens at %s, which is not loopback", f[1])
			}
		}
	}
	if listening == 0 {
		t.Error("it listens nowhere")
	}
}

// ownSockets returns the sockets of this process, in the form of its descriptors' names.
func ownSockets() []string {
	var all []string
	links, _ := filepath.Glob("/proc/self/fd/*")
	for _, l := range links {
		if to, err := os.Readlink(l); err == nil {
			all = append(all, to)
		}
	}
	return all
}

// isLoopback reports whether an address is on loopback. The address has the kernel's form:
// words of four bytes, the last byte first.
func isLoopback(address string) bool {
	host, _, _ := strings.Cut(address, ":")
	b, err := hex.DecodeString(host)
	if err != nil {
		return false
	}
	for word := range slices.Chunk(b, 4) {
		slices.Reverse(word)
	}
	a, ok := netip.AddrFromSlice(b)
	return ok && a.Unmap().IsLoopback()
}
