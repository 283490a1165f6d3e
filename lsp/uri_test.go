package lsp

import (
	"runtime"
	"testing"

	"go.lsp.dev/uri"
)

func TestPaths(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of other systems")
	}
	tests := []struct{ uri, path, back string }{
		{"file:///w/a.agent.abl", "/w/a.agent.abl", "file:///w/a.agent.abl"},
		{"file:///w/a%20b/%C3%BC%23%3F.abl", "/w/a b/ü#?.abl", "file:///w/a%20b/%C3%BC%23%3F.abl"},
		{"file:///w/100%25.abl", "/w/100%.abl", "file:///w/100%25.abl"},
		{"file:///w/a/../b//c.abl", "/w/b/c.abl", "file:///w/b/c.abl"},
		{"file:///c%3A/w/a.abl", "c:/w/a.abl", "file:///c%3A/w/a.abl"},
		{"file:///C:/w/a.abl", "c:/w/a.abl", "file:///c%3A/w/a.abl"},
		{"untitled:Untitled-1", "untitled:Untitled-1", "untitled:Untitled-1"},
		{"vscode-remote://ssh/w/a.abl", "vscode-remote://ssh/w/a.abl", "vscode-remote://ssh/w/a.abl"},
	}
	for _, tt := range tests {
		t.Run(tt.uri, func(t *testing.T) {
			path := pathOf(uri.MustParse(tt.uri))
			if path != tt.path {
				t.Errorf("path = %q, want %q", path, tt.path)
			}
			if got := uriOf(path); string(got) != tt.back {
				t.Errorf("URI = %q, want %q", got, tt.back)
			}
		})
	}
}
