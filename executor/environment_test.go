package executor

import "testing"

func TestCredentialsOfHosts(t *testing.T) {
	for _, tt := range []struct {
		key, name, host, port string
		want                  bool
	}{
		{"api.example.com", "f", "api.example.com", "443", true},
		{"API.Example.com", "f", "api.example.com", "443", true},
		{"api.example.com:8443", "f", "api.example.com", "8443", true},
		{"api.example.com:8443", "f", "api.example.com", "443", false},
		{"*.example.com", "f", "api.example.com", "443", true},
		{"*.example.com", "f", "a.b.example.com", "443", true},
		{"*.example.com", "f", "example.com", "443", false},
		{"*.example.com", "f", "evil-example.com", "443", false},
		{"*.example.com", "f", "example.com.evil.com", "443", false},
		{"example.com", "f", "api.example.com", "443", false},
		{"*", "f", "example.com", "443", false},
		{"f", "f", "example.com", "443", true},
		{"[::1]", "f", "::1", "80", true},
		{"::1", "f", "::1", "80", true},
		{"[::1]:80", "f", "::1", "80", true},
		{"bücher.example", "f", "xn--bcher-kva.example", "443", true},
		{"*.bücher.example:443", "f", "xn--bcher-kva.example", "443", false},
		{"*.Bücher.example", "f", "a.xn--bcher-kva.example", "443", true},
		{"example.com.", "f", "example.com", "443", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Credentials{tt.key: {Bearer: "b"}}.For(tt.name, tt.host, tt.port).Bearer != ""
			if got != tt.want {
				t.Errorf("%s for %s:%s: %v", tt.key, tt.host, tt.port, got)
			}
		})
	}
}
