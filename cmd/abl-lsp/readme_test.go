package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/internal/toolpages"
)

var userAgent = regexp.MustCompile(`abl-lsp/[^"]*"`)

// TestReadme runs the session in the README: every line that begins with $ is a command,
// and the lines after it are its output.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	commands := toolpages.Commands(strings.ReplaceAll(string(readme), "\r\n", "\n"))
	if len(commands) == 0 {
		t.Fatal("README.md has no commands in blocks of console")
	}
	for _, c := range commands {
		var out bytes.Buffer
		run(t.Context(), c.Words()[1:], strings.NewReader(""), &out, &out)
		got := userAgent.ReplaceAllString(out.String(), `abl-lsp/dev"`)
		if diff := cmp.Diff(c.Output, got); diff != "" {
			t.Errorf("$ %s\n (-want +got):\n%s", c.Line, diff)
		}
	}
}
