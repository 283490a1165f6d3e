package executor

import (
	"strings"
	"testing"
)

func TestNamesCredential(t *testing.T) {
	for name, want := range map[string]bool{
		"Authorization": true, "proxy-authorization": true, "X-API-Key": true, "api-key": true, "Cookie": true, "X-AuthToken": true,
		"BRAVE_API_KEY": true, "X-Auth": true, "DB_PASSWORD": true, "X-Session-Id": true, "X-Hub-Signature-256": true,
		"X-Author": false, "X-Tenant": false, "Accept": false, "X-Keyboard": false, "": false,
	} {
		t.Run(name, func(t *testing.T) {
			if got := IsCredentialName(name); got != want {
				t.Errorf("%q: %v", name, got)
			}
		})
	}
}

func TestSignsIn(t *testing.T) {
	for name, want := range map[string]bool{"X-A: long-enough": true, "X-A: a": false, "Cookie: a": true, "Accept: application/json": false} {
		t.Run(name, func(t *testing.T) {
			header, text, _ := strings.Cut(name, ": ")
			if got := IsCredentialHeader(header, text); got != want {
				t.Errorf("%s: %v", name, got)
			}
		})
	}
}
