package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	session   = regexp.MustCompile("(?s)```console\n(.*?)```")
	userAgent = regexp.MustCompile(`abl-lsp/[^"]*"`)
	words     = regexp.MustCompile(`"([^"]*)"|(\S+)`)
)

// TestReadme runs the session of the README: every line that begins with $ is a
// command, what follows is what it prints.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	block := session.FindSubmatch(readme)
	if block == nil {
		t.Fatal("README.md has no console block")
	}
	commands := strings.Split(string(block[1]), "$ abl-lsp ")[1:]
	if len(commands) == 0 {
		t.Fatal("the session has no command")
	}
	for _, c := range commands {
		line, want, _ := strings.Cut(c, "\n")
		var args []string
		for _, w := range words.FindAllStringSubmatch(line, -1) {
			args = append(args, w[1]+w[2])
		}
		var out bytes.Buffer
		run(t.Context(), args, strings.NewReader(""), &out, &out)
		got := userAgent.ReplaceAllString(out.String(), `abl-lsp/dev"`)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("$ abl-lsp %s\n (-want +got):\n%s", line, diff)
		}
	}
}
