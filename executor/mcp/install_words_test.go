package mcp

import (
	"strings"
	"testing"
)

func TestInstalls(t *testing.T) {
	for command, want := range map[string]bool{
		"npx -y some-server":              true,
		"/usr/bin/npx some-server":        true,
		"NPX.CMD some-server":             true,
		"uvx some-server":                 true,
		"pipx run some-server":            true,
		"pipx install some-server":        false,
		"docker run --rm -i image":        true,
		"docker exec -i container server": false,
		"npm --yes exec some-server":      true,
		"npm start":                       false,
		"bun":                             false,
		"node npx":                        false,
		"mcp-server-everything stdio npx": false,
	} {
		t.Run(command, func(t *testing.T) {
			if got := installs(strings.Fields(command)); got != want {
				t.Errorf("got %v", got)
			}
		})
	}
	if installs(nil) {
		t.Error("no command installs nothing")
	}
}
