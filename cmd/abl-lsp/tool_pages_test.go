package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pageExample is a library on a page, and below it a run of one of its tools.
var pageExample = regexp.MustCompile("(?s)```abl\n([^`]*)```\n\n```console\n\\$ abl-lsp (run (\\S+) [^\n]*)\n(.*?)```")

// TestToolPages runs the examples on the pages of the kinds of tools. A page may leave out
// the end of what is printed, by a line `…`.
func TestToolPages(t *testing.T) {
	pages, err := filepath.Glob("../../docs/tools/*.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	for _, page := range pages {
		raw, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(raw), "\r\n", "\n")
		for _, m := range pageExample.FindAllStringSubmatch(text, -1) {
			examples++
			t.Run(filepath.Base(page)+"/"+m[3], func(t *testing.T) { runPageExample(t, m[1], m[2], m[3], m[4]) })
		}
	}
	if examples == 0 {
		t.Error("no page has an example")
	}
}

func runPageExample(t *testing.T, library, line, file, want string) {
	t.Helper()
	t.Setenv("ABL_STATE_DIR", t.TempDir())
	t.Chdir(t.TempDir())
	if err := os.WriteFile(file, []byte(library), 0o600); err != nil {
		t.Fatal(err)
	}
	var args []string
	for _, w := range words.FindAllStringSubmatch(line, -1) {
		args = append(args, w[1]+w[2])
	}
	var out bytes.Buffer
	run(t.Context(), args, strings.NewReader(""), &out, &out)
	got := out.String()
	if begin, cut := strings.CutSuffix(want, "…\n"); cut {
		want, got = begin, got[:min(len(got), len(begin))]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("$ abl-lsp %s\n (-want +got):\n%s", line, diff)
	}
}
