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

// TestReadme runs the sessions in the README and in docs/cli.md: every line that begins with $ is a
// command, and the lines after it are its output.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	for _, name := range []string{"README.md", "docs/cli.md"} {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		commands := toolpages.Commands(strings.ReplaceAll(string(page), "\r\n", "\n"))
		if len(commands) == 0 {
			t.Fatal(name, "has no commands in blocks of console")
		}
		for _, c := range commands {
			var out bytes.Buffer
			run(t.Context(), c.Words()[1:], strings.NewReader(""), &out, &out)
			got := userAgent.ReplaceAllString(out.String(), `abl-lsp/dev"`)
			if diff := cmp.Diff(c.Output, got); diff != "" {
				t.Errorf("%s: $ %s\n (-want +got):\n%s", name, c.Line, diff)
			}
		}
	}
}
